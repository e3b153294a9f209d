#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bristle/base/registry.h"
#include "bristle/base/visitor.h"
#include "bristle/core/archive.h"
#include "bristle/core/ledger.h"
#include "bristle/core/system.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/integrate/outcome.h"

namespace bristle {

/// What a step works with. The evaluation at x0 has been made: its rate and power are handed over.
struct StepContext {
  const System& system;
  Multipliers& kernel;
  Workspace& work;
  Ledger& ledger;
  const double* rate0;   ///< first-order rate at x0
  const double* power0;  ///< power at x0, per account
  bool forced = false;   ///< take the step whatever its error: it lies inside one that was accepted
  bool anew =
      false;  ///< up to its end, inside a step that has met forces which this one must not meet: nothing of that one may be used
};

/// What a method that solves rigid contact has to say about its answers.
struct ContactReport {
  double tolerance = 0;     ///< [m/s] what contacts may miss their laws by
  double worst = 0;         ///< [m/s] what they missed them by, in the worst step
  double at = 0;            ///< [s] when that was
  const char* place = "";   ///< and where
  long long unsettled = 0;  ///< steps in which they missed them by more than the tolerance
};

/// Local error and Newton tolerances, shared by the methods that have them.
struct Tolerances {
  double relative = 1e-6, absolute = 0;  // absolute 0: a thousandth of relative
  double floor() const { return absolute > 0 ? absolute : 1e-3 * relative; }
  void visit(Visitor& v) {
    v("tolerance", relative, unit::one, positive, "relative error per step");
    v("absolute_tolerance", absolute, unit::one, non_negative,
      "error below which values do not matter, in SI; 0: tolerance/1000");
  }
  /// Of an oscillation, that a step of a method of this order passes with an error of about a hundredth of (angle)^(order + 1) [rad].
  double angle_of_order(int order) const { return std::clamp(std::pow(100 * relative, 1.0 / (order + 1)), 0.02, 0.5); }
};

/// What a method is like: all that others have to know of it.
struct MethodTraits {
  /// Follows what is fast only with short steps.
  bool is_explicit = false;
  /// Its rates are the kernel's: the direction of a slip that starts from nothing may be left to it.
  bool starts_by_kernel = false;
  bool estimates_error = false;
  /// May the rate jump inside a step, as under the threshold rule of rest? Only where neither Newton nor an error estimate minds.
  bool takes_jumps = false;
  /// Steps over impacts: solves rigid contact, whose forces and jumps no rate describes, and leaves them in the state.
  bool takes_impacts = false;
  /// Follows the contacts of a collision group with a law that has stiffness: they come and go, and give no derivatives.
  bool takes_groups = false;
  /// Keeps the held rows itself, on positions: no other enforcement.
  bool enforces = false;
  /// Forces, accelerations and multipliers are those of the whole step: no evaluation at one instant replaces them.
  bool owns_forces = false;
  double absolute_tolerance = 0;  ///< of the error estimate, in SI; 0: none
  double relative_tolerance = 0;  ///< the same, of a value
  /// What the memory of laws may be off by at the end of a step, where errors lead the step; memory is of order one.
  double memory_tolerance = kInfinity;
  /// Where errors lead the step: the angle [rad] of the fastest oscillation of given motion that a step may pass, about what the estimate
  /// grants to such an oscillation of a free coordinate.
  double drive_angle = kInfinity;

  /// Errors lead the steps of a method of this order.
  void control_error(const Tolerances& t, int order) {
    estimates_error = true;
    absolute_tolerance = t.floor();
    relative_tolerance = t.relative;
    memory_tolerance = t.relative;
    drive_angle = t.angle_of_order(order);
  }
};

/// Moves a state over one step. One per run; all allocation happens in prepare.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual MethodTraits traits() const { return {}; }  ///< once its parameters are set
  /// Largest useful step [s]; and the first one when there is error control.
  virtual double first_step(const StepContext&, const State& x0) const {
    (void)x0;
    return 0;
  }
  virtual std::string needs_refused(const System&) const { return {}; }  ///< why it cannot work on this system, "" when it can
  virtual void prepare(const System&) = 0;
  virtual Outcome step(StepContext&, const State& x0, double h, State& x1) = 0;
  /// State inside the last step, part 0 .. 1. Default: cubic Hermite in q, v and z.
  virtual void interpolate(const StepContext&, const State& x0, const State& x1, const double* rate1, double part,
                           State& x) const;
  virtual void restart() {}  ///< forget what was learnt before a jump of the system
  virtual void save(Archive&) const {}
  virtual void load(Archive&) {}
  virtual const ContactReport* contact_report() const { return nullptr; }
};

struct IntegratorEntry {
  std::string name, summary, reference;
  void (*describe)(Visitor&) = nullptr;
  std::unique_ptr<Integrator> (*make)(Visitor&) = nullptr;
};
using IntegratorRegistry = Registry<IntegratorEntry>;
const IntegratorRegistry& integrator_registry();

/// Weighted root-mean-square norm of a vector in the first-order form; weights from two states. `h`: of the step from whose ends velocities follow, or 0: by such a
/// method none is known better than the rounding of positions over the step.
double scaled_norm(const System&, const Tolerances&, const State& a, const State& b, const double* e, int* worst = nullptr,
                   double h = 0);

}  // namespace bristle
