#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/enforcement.h"
#include "bristle/enforce/held_rows.h"
#include "bristle/enforce/mobilities.h"
#include "bristle/math/semidefinite.h"

namespace bristle {

/// Friction that feeds itself: of the friction in a place its reactions make `gain` times as much again. From 1 on nothing balances it.
struct Jam {
  double gain = 0;
  int slot = -1;  ///< the multiplier that presses most
};

/// Accelerations with the forces of held rows and of resting dry places. One kernel for both rules of rest: under `events` stuck places are
/// kept at rest whatever it takes (the run watches the limits, see Switches::guard, and lets go in time), under `threshold` the forces are cut where
/// a law cannot give them. One per thread.
class Multipliers {
 public:
  Multipliers();
  ~Multipliers();
  void prepare(const System&, const Enforcement& = {});
  const Enforcement& enforcement() const { return held_.enforcement(); }
  HeldRows& held() { return held_; }
  const HeldRows& held() const { return held_; }
  /// Of the run, for feedback that follows it.
  void set_step(double h) {
    step_ = h;
    held_.set_step(h);
  }
  /// A slip in several directions that starts from zero turns within no time to where it is pulled. Methods that could follow that only with
  /// ever shorter steps leave it to the kernel while the slip is small: such a place creeps.
  void let_creep(bool creep) { lets_creep_ = creep; }
  /// False: friction and reactions did not find each other in the last evaluation, or the held rows have no solution.
  bool converged() const { return converged_; }

  /// How much the friction of places that reactions load feeds itself, at a state. `resting_too`: as if those slid that rest.
  Jam find_jam(const System&, const State&, Workspace&, bool resting_too = true);

  /// Fills Workspace::rate, lambda and resting, and completes f and power with the forces of held rows and of places at rest.
  void evaluate(const System& system, const State& x, Workspace& w) {
    w.eval = system.view(x, w);
    evaluate_bound(system, x, w);
  }
  /// The same at the state that is bound to the workspace.
  void evaluate_bound(const System& system, const State& x, Workspace& w) {
    const Layout& layout = system.layout();
    Eval& e = w.eval;
    e.t = x.t;
    system.calc_forces(e);
    if (bare_) {
      const int n = layout.scalars;
      double* rate = w.rate.data();
      system.masses().solve(e.q, e.f, rate + n);  // free coordinates come first: accelerations land where they belong
      for (int i = 0; i < n; ++i) rate[i] = e.v[i];
    } else {
      solve(system, x, w);
    }
    system.calc_drive_power(e);
  }
  /// Moves the bound state to a time and evaluates it.
  void evaluate_bound(const System& system, State& x, double t, Workspace& w) {
    const Layout& layout = system.layout();
    if (!bare_) {
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

  /// Evaluates a state and chooses anew which rows of the places at rest are loose; writes that into the marks.
  void evaluate_resting(const System&, State&, Workspace&);
  /// At a state where some slips are zero: who sticks, and in which direction the others start. `candidates` are indices of dry
  /// places at zero slip; those in `released` have just reached their limit and let go in any case. Writes modes and directions into
  /// the marks and evaluates the system.
  void resolve_modes(const System&, State&, Workspace&, const std::vector<int>& candidates, const std::vector<int>& released);

  /// Of a stuck place with loose rows: how far they are from following from the kept ones, over its mobility.
  double looseness(int place) const;
  /// With less a row may become loose. The slip it then has is nothing beside what friction could do about it alone (feet 0.3 m apart: some
  /// micrometres). More: visible slips without friction; less: slips so slow that methods cannot follow them.
  static constexpr double kWeak = 1e-3;
  static constexpr double kTooLoose = 1e-2;  ///< the slip of such a place has become one of its own

  /// Slip acceleration per force at a dry place [1/kg], the largest of its components, where the last evaluation kept it at rest or refresh_mobility was called.
  double mobility(int place) const;
  void refresh_mobility(const System& system, const Workspace& w, const std::vector<int>& places) {
    mobilities_->renew(system, w, places);
  }

  /// Takes out of accelerations the part that the places resting in the last evaluation do not allow; for Jacobians.
  void project(const System&, const Workspace&, double* a);

  /// Places of different clusters do not feel each other's forces, over whatever others.
  int cluster(int place) const;

  /// Numbers that say which places move what, and each other: the work of an evaluation grows with them.
  std::size_t entries() const;

  /// Takes the round-off out of the slips of stuck places, as on a belt whose speed changes.
  void keep_rest(const System&, State&, Workspace&);

  /// Moves the velocities so that the slips of the given places vanish, with the least kinetic energy of the change.
  /// Returns the kinetic energy taken out [J].
  double stop_slips(const System&, State&, Workspace&, const std::vector<int>& places);

 private:
  struct Sharing;  // of places that rest together
  // all that has accelerations, at once
  void solve(const System&, const State&, Workspace&);
  void balance(const System&, const State&, Workspace&);
  const double* react(const System&, Workspace&);
  bool solve_held(const System&, Workspace&, const double* slopes, bool first);
  bool agree(double* lambda, int round);
  // places at rest
  void find_resting(const System&, const State&, Workspace&);
  void keep_resting(const System&, const State&, Workspace&);
  void keep_below_limits(const System&, Workspace&);
  void keep_whatever_it_takes(const System&, Workspace&);
  bool settle(const System&, double* value);
  void gather_slips(const System&, State&, Workspace&, const std::vector<int>& places);
  void stop(const System&, State&, Workspace&, const std::vector<int>& places);
  void take_rows(int place);
  // how they share what there is to keep
  void prepare_sharing(const System&);
  void find_groups(bool by_value);
  void group_by_reach();
  void solve_resting();
  void gather_dense(int n, const int* rows);
  void take_group(int group);
  bool limit_group(const System&, Workspace&, int group);
  void solve_limited(const System&, Workspace&);
  void note_left(int group);
  std::pair<double, double> left_over(int row) const;
  void show_excess(const System&, const int* first, const int* last, double nearly);
  double size_of_force(int place) const;
  void update_limits(const System&, Workspace&, const int* first,
                     const int* last);                                // loads that are reactions follow the forces
  double limit_of(const System&, int place, const Workspace&) const;  // in the last evaluation
  void forget_limits();
  bool limits_missing() const;  // given up in this evaluation
  // rows that nearly follow from others
  void prepare_loose(const System&);
  void read_loose(const System&, const double* marks, int place);
  void follow_kept(int n, const int* rows, double* W, double* b);
  bool choose_rows(const System&, double* marks, const double* slips);
  bool choose_among(const System&, double* marks, const double* slips, const int* first, const int* last);
  std::pair<int, int> order_rows();
  double overload_of(int kept, const double* asked, double time);
  void keep_all(const System&, double* marks) const;
  // who sticks and who starts
  void start_together(const System&, State&, Workspace&, const std::vector<int>& candidates, bool some_released);
  void start_immobile(const System&, State&, const Workspace&, int place) const;
  void give_way(const System&, State&, Workspace&, const std::vector<int>& candidates, const std::vector<int>& released);
  void aim(const System&, State&, Workspace&, const std::vector<int>& candidates);
  std::pair<double, double> acceleration_of(const System&, const Workspace&, int row) const;
  std::pair<double, double> acceleration_along(const System&, const State&, const Workspace&, int place) const;
  double grip(int place, const std::vector<int>& candidates) const;

  HeldRows held_;
  bool bare_ = true;  // scalar coordinates, and nothing that rests
  bool converged_ = true, lets_creep_ = false;
  int lambdas_ = 0;  // multipliers of held rows
  double step_ = 0;
  std::vector<double> f0_, a0_, lambda0_, last_lambda_, b_, slopes_, last_slopes_, dv_;
  int rows_ = 0;  // all components of all dry places
  std::unique_ptr<Mobilities> mobilities_;
  SemidefiniteSolver solver_;
  std::unique_ptr<Sharing> sharing_;
  // of the current evaluation
  std::vector<int> resting_, at_rest_;  // rows
  std::vector<int> candidates_;
  std::vector<double> free_, force_, sub_, rhs_, solution_;
  std::vector<char> fixed_, creeping_, asked_;
  std::vector<int> responding_;  // places
  bool renewed_ = false;         // the factors of the held rows, since the last responses
  std::vector<RestView> view_;
};

}  // namespace bristle
