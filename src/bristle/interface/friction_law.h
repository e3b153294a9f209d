#pragma once
#include <memory>
#include <span>
#include <string>

#include "bristle/interface/patch.h"

namespace bristle {

/// How much memory a law keeps and what it needs to see.
struct MemorySize {
  int z = 0;            ///< numbers with a rate; dimensionless, of order one
  int marks = 0;        ///< numbers without a rate, changed only by accept
  bool travel = false;  ///< asks for Patch::travel
  bool input = false;   ///< reads Patch::input
};

/// Where the partial derivatives of a law go: rows [force (D) | zdot (nz)], columns [slip (D) | load | travel (D) | z (nz)],
/// row-major, in a buffer of the caller.
struct RubPartials {
  double* data = nullptr;
  int columns = 0;
  double& operator()(int row, int column) { return data[row * columns + column]; }
  double operator()(int row, int column) const { return data[row * columns + column]; }
};
inline int rub_rows(int D, int nz) { return D + nz; }
inline int rub_columns(int D, int nz) { return 2 * D + 1 + nz; }

/// What a dry (set-valued) law adds for rest; its `eval` gives the sliding force.
template <int D>
class SetValued {
 public:
  virtual ~SetValued() = default;
  virtual double limit(const Patch<D>&, const double* marks) const = 0;  ///< [N] largest force it can hold, beside the offset
  virtual Vec<D> offset(const Patch<D>&) const { return {}; }  ///< [N] conservative share, present at rest and in sliding
  /// The same over a whole step: `way` is how far it slides, the travel of the patch that of the middle. Its work is the change of what is
  /// stored. slope (may be null): D x (2 D + 1), by way, load and travel.
  virtual Vec<D> offset_over(const Patch<D>&, const Vec<D>& way, double* slope) const = 0;
  /// Why the law cannot be taken over whole steps, and a way out; "" where it can.
  virtual std::string step_problem() const { return {}; }
  virtual double band() const { return 0; }  ///< [m/s] speeds treated as rest in threshold mode
  /// Threshold ("flow chart") mode: force at a speed inside the band, given the force that would keep the slip as it is.
  /// `mobility` [1/kg]: slip acceleration per unit of force at this place. Default: hold up to the limit, else slide.
  virtual Vec<D> at_rest(const Vec<D>& holding, const Patch<D>& patch, double mobility, const double* marks) const = 0;
};

/// A friction law between two accepted steps is a plain function of patch and memory: it never sees a body, a name, a time
/// step or an iteration, and has no mutable members. Derive through FrictionLawOf (friction_law_of.h).
template <int D>
class FrictionLaw {
 public:
  virtual ~FrictionLaw() = default;
  virtual MemorySize memory() const = 0;
  virtual void start(double* z, double* marks, int stream) const = 0;  ///< at the beginning and on every new contact
  virtual void eval(const Patch<D>&, const double* z, const double* marks, Vec<D>& force, double* zdot) const = 0;
  virtual void eval(const Patch<D>&, const double* z, const double* marks, Vec<D>& force, double* zdot, RubPartials) const = 0;
  /// Brings the memory back into its admissible set (clipped stretches); changes neither force nor stored energy.
  virtual void project(const Patch<D>&, double* z, const double* marks) const = 0;
  /// Once at the start and once per accepted step: project, then flags, stacks, bonds, delay lines.
  virtual void accept(const Patch<D>&, double t, double* z, double* marks) const = 0;
  virtual bool remembers() const = 0;                                                      ///< project or accept do something
  virtual double stored(const Patch<D>&, const double* z, const double* marks) const = 0;  ///< [J]
  virtual bool stores_by_load() const = 0;  ///< what is stored is proportional to the load
  /// Of laws whose memory is nothing but force over load, in vectors: no vector carries more than this length. 0: another memory.
  virtual double largest_stretch() const { return 0; }
  virtual double holding(const Patch<D>&, const double* marks) const = 0;  ///< [N] largest force it can hold at rest
  virtual double bound(const Patch<D>&, const double* marks) const = 0;    ///< [N] no force at this speed and load is larger
  virtual double reach() const = 0;                                        ///< no component of z is larger after project
  virtual Mode mode(const Patch<D>&, const double* z, const double* marks) const = 0;
  virtual Pace pace(const Patch<D>&, const double* z, const double* marks) const = 0;
  /// Derivative of the force by Patch::input; laws with an input have no memory with a rate.
  virtual Vec<D> by_input(const Patch<D>&, const double* marks) const { return (void)marks, Vec<D>{}; }
  /// Does a step from z0, with slip `before`, to z1 (not yet accepted) pass over a change of the rates? Asked where `overruns`.
  virtual Overrun overrun(const Vec<D>& before, const Patch<D>& after, double h, const double* z0, const double* z1,
                          const double* marks) const {
    return (void)before, (void)after, (void)h, (void)z0, (void)z1, (void)marks, Overrun{};
  }
  virtual bool overruns() const { return false; }
  virtual const SetValued<D>* set_valued() const { return nullptr; }
};

}  // namespace bristle
