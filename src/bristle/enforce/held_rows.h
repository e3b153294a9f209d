#pragma once
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/enforcement.h"
#include "bristle/enforce/held_solver.h"
#include "bristle/enforce/partition.h"

namespace bristle {

/// The held rows of a system apart from forces: positions and velocities back onto them as the enforcement asks for it, and positions in which
/// they depend on each other. One per thread.
class HeldRows {
 public:
  void prepare(const System&, const Enforcement&);
  const Enforcement& enforcement() const { return enforcement_; }
  HeldSolver& solver() { return solver_; }
  const HeldSolver& solver() const { return solver_; }
  void set_step(double h) { step_ = h, turned_ = false; }  ///< of the run

  /// After a step: positions and velocities back onto the held rows, when the enforcement asks for it. Returns the mechanical energy
  /// taken out [J].
  double finish_step(const System&, State&, Workspace&);
  /// Newton on the positions, then the velocities; with the least kinetic energy of the change (or the least length).
  /// Returns how far the held rows are off afterwards: no more than the enforcement's tolerance, nor than `enough`, but for round-off.
  double correct_positions(const System&, State&, Workspace&, int iterations = 10, double enough = kInfinity);
  void correct_velocities(const System&, State&, Workspace&);
  /// Positions and velocities back onto the rows, whatever the enforcement.
  void bring_back(const System&, State&, Workspace&);
  /// Before a stage is evaluated: coordinates that depend on others follow from them, where the enforcement goes that way.
  void complete(const System& system, State& x, Workspace& w) {
    if (completes_) complete_state(system, x, w);
  }

  /// At an accepted state that has just been evaluated: do the rows come near to depend on each other, as those of a linkage that lies flat?
  /// There ways part, and a state that is not quite on the rows takes a wrong one. Rows that are corrected are kept in every stage then, and the
  /// corrections leave alone what moves.
  /// `keeps`: the method keeps the rows itself.
  void watch(const System&, const State&, const Workspace&, bool keeps = false);
  /// The same at the start, where the method keeps the rows by equations of its own and is watched only when it is in trouble.
  void begin_watch() { usual_margin_ = count_ > 0 ? solver_.margin() : 0; }
  /// Time until the rows depend on each other, as their margin falls [s]; infinite where it does not. Next to that instant round-off e makes
  /// accelerations of e v^2/s^3 at the distance s: no stage should be evaluated there.
  double crossing() const { return crossing_; }
  /// A step that has just been evaluated at its end: is that so near to where the rows depend on each other, beside the length of the step, that
  /// the next one would start from a rate without meaning?
  bool ends_beside() const;
  bool near() const { return near_; }
  /// From the position in which rows depend on each other, over the largest so far; where it was watched last.
  double distance() const { return distance_; }
  /// The held row that follows from the others here.
  int weakest(const State&) const;
  /// Its joint, in the user's words.
  std::string weakest_row(const System&, const State&) const;
  /// Why the run must end here; "" when it need not.
  const std::string& trouble() const { return trouble_; }
  /// Did the last correction turn the velocities, as a change over to another branch does?
  bool turned() const { return turned_; }
  void save(Archive&) const;
  void load(Archive&);

 private:
  void take_out_rates(const System&, State&, Workspace&);
  void complete_state(const System&, State&, Workspace&);
  void follow_branch(const System&, State&, Workspace&);
  bool left_branch(const System&, const State&, const Workspace&);
  void remember(const State&);

  Enforcement enforcement_;
  HeldSolver solver_;
  Partition partition_;
  int count_ = 0;
  double step_ = 0;
  bool corrected_ = false;
  std::vector<double> b_, multipliers_, dv_;
  // positions in which rows depend on each other
  bool completes_ = false, near_ = false, turned_ = false;
  double usual_margin_ = 0, distance_ = 1, watched_ = 0, crossing_ = kInfinity;
  int moving_ = -1;  // the free unknown that moves most
  // the last state that was clear of such a position
  double clear_margin_ = 0, clear_time_ = 0, clear_until_ = 0;
  std::vector<double> clear_v_, clear_a_, guess_;
  std::string trouble_;
};

}  // namespace bristle
