#pragma once
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/held_solver.h"

namespace bristle {

/// The equations of motion at a state with multipliers of its own, for methods that keep the held rows themselves:
///   M a = f(q, v, z, lambda) - D' lambda,   z' = rate(q, v, z, lambda).
/// Dry places that rest are held like constraints, on their slip.
class HeldForces {
 public:
  void prepare(const System&);
  /// Fills f (held forces included), the rates of memory, power, the rows and who rests. Places that do not rest lose their multipliers.
  void evaluate(const System&, State&, Workspace&) const;
  /// b -= M a, both by free unknown.
  void take_inertia(const double* a, double* b) const;
  /// Slip of a resting dry place, by slot of lambda; others give 0. After evaluate.
  double slip(const System&, const Workspace&, int slot) const { return slip_[static_cast<std::size_t>(slot)]; }
  /// Factors of D M^-1 D' with the rows of the workspace, for the two below. False: singular beyond repair.
  bool refresh(const System&, const Workspace&);
  /// Joints that repeat each other: of all multipliers that do the same, the least.
  void least(const System&, double* lambda);
  /// Moves positions along M^-1 D' so that the held rows change by -violation in all: dq is the change so far, by free unknown, and is
  /// completed; mu are the multipliers of that. Returns the largest shift.
  double correct(const System&, const double* violation, double* dq, double* mu);
  /// The move of positions that belongs to multipliers of `correct`, with the rows of a workspace.
  void displace(const System&, const Workspace&, const double* mu, double* dq);
  bool rests(int slot) const { return rests_[static_cast<std::size_t>(slot)] != 0; }

 private:
  struct Inertia {
    int unknown;
    MassBlock inertia;
    bool diagonal;
  };
  void renew_mass(const System&, const double* q) const;
  mutable std::vector<Inertia> blocks_;  // those that change: of the last evaluation
  HeldSolver solver_;
  std::vector<double> D_, push_, b_;  // rows at the last refresh
  mutable std::vector<double> slip_;
  mutable std::vector<char> rests_;
};

}  // namespace bristle
