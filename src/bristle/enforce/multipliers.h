#pragma once
#include <vector>

#include "bristle/core/system.h"
#include "bristle/math/semidefinite.h"

namespace bristle {

/// Accelerations with the forces held at resting dry places. One kernel for both rules of rest: under `events` stuck places are
/// held whatever it takes (guards watch the limits), under `threshold` the held forces are cut where a law cannot give them.
/// One per thread.
class Multipliers {
 public:
  void prepare(const System&);

  /// Fills Workspace::rate, lambda and resting, and completes f and power with the held forces.
  void evaluate(const System& system, const State& x, Workspace& w) {
    system.bind(x, w);
    evaluate_bound(system, x, w);
  }
  /// The same at the state that is bound to the workspace.
  void evaluate_bound(const System& system, const State& x, Workspace& w) {
    const Layout& layout = system.layout();
    Eval& e = w.eval;
    e.t = x.t;
    system.calc_forces(e);
    const int n = layout.scalars;
    double* rate = w.rate.data();
    if (rows_ == 0 && layout.frames == 0) {
      system.solve_mass(e.q, e.f, rate + n);  // free coordinates come first: accelerations land where they belong
    } else {
      solve_held_system(system, x, w);
    }
    system.calc_drive_power(e);
    for (int i = 0; i < n; ++i) rate[i] = e.v[i];
  }
  /// Moves the bound state to a time and evaluates it.
  void evaluate_bound(const System& system, State& x, double t, Workspace& w) {
    const Layout& layout = system.layout();
    if (rows_ > 0 || layout.frames > 0) {
      system.set_time(x, t);
      evaluate_bound(system, x, w);
      return;
    }
    const int n = layout.scalars;
    double* rate = w.rate.data();
    Eval& e = w.eval;
    system.evaluate(x, t, e, rate + n);
    system.calc_drive_power(e);
    for (int i = 0; i < n; ++i) rate[i] = e.v[i];
  }
  /// Accelerations of the last evaluation by velocity index, driven ones included.
  void accelerations(const System& system, const State& x, const Workspace& w, double* a) const;

  /// At a state where some slips are zero: who sticks, and in which direction the others start. `candidates` are indices of dry
  /// places at zero slip; those in `released` have just reached their limit and let go in any case. Writes modes and directions into
  /// the marks and evaluates the system.
  void resolve_modes(const System&, State&, Workspace&, const std::vector<int>& candidates, const std::vector<int>& released);

  /// Slip acceleration per force at a dry place [1/kg].
  double mobility(int place) const {
    return coupling_[static_cast<std::size_t>(first_row_[static_cast<std::size_t>(place)] * (rows_ + 1))];
  }

  /// Takes out of accelerations the part that the places resting in the last evaluation do not allow; for Jacobians.
  void project(const System&, const Workspace&, double* a);

  /// Takes the round-off out of the slips of stuck places, as on a belt whose speed changes.
  void keep_rest(const System&, State&);

  /// Moves the velocities so that the slips of the given places vanish, with the least kinetic energy of the change.
  /// Returns the kinetic energy taken out [J].
  double stop_slips(const System&, State&, Workspace&, const std::vector<int>& places);

 private:
  struct Entry {
    int place, component, row;
  };
  void hold(const System&, const State&, Workspace&);
  void solve_held_system(const System&, const State&, Workspace&);
  void solve_held();
  void solve_limited(const System&);
  void settle_exactly(const System&, double* value);

  int rows_ = 0;                  // all components of all dry places
  std::vector<int> first_row_;    // per place
  std::vector<double> coupling_;  // rows x rows: slip acceleration per force
  std::vector<double> response_;  // rows x nv: acceleration per force
  SemidefiniteSolver solver_;
  // of the current evaluation
  std::vector<Entry> held_;
  std::vector<double> free_, force_, sub_, rhs_, solution_;
  std::vector<char> fixed_, known_;
  std::vector<RestView> view_;
};

}  // namespace bristle
