#pragma once
#include <vector>

#include "bristle/analyse/failure.h"
#include "bristle/analyse/run_context.h"
#include "bristle/analyse/step_choice.h"

namespace bristle {

/// The switches of dry places between rest and slip, located in time: what tells them (guards), the search for the first one inside a step, and
/// what happens there.
class Switches {
 public:
  Switches(RunContext&, StepChoice&, Failure&);

  /// Do switches end steps here?
  bool watches() const { return watches_; }
  /// At the start of a run: who is at zero slip rests or not, the others slide where they slide.
  void begin();
  /// Makes the step that the method has taken anew up to the first switch in it. False: there was none, or the run has failed.
  bool locate(Outcome& out);
  /// After a step: slips that came to rest are stopped, modes resolved. `located`: the step ended in a switch.
  void settle(bool located);

  void save(Archive&) const;
  void load(Archive&);

 private:
  double guard(const State& x0, const State& x1, std::vector<double>& g);
  bool misses_rest(double h);
  double lag(double h) const;
  double lag_of(int place, const Eval&, double h) const;
  double seen_part(double h);
  double redo(StepContext&, double h, Outcome&);
  void search(StepContext&, double h, Outcome&);
  void find_fired(double h);
  /// The mobility of the dry places that are asked for.
  template <class F>
  void measure(const F& asked) {
    measured_.clear();
    for (std::size_t i = 0; i < run_.system.dry().size(); ++i) {
      if (asked(i)) measured_.push_back(static_cast<int>(i));
    }
    if (!measured_.empty()) run_.kernel.refresh_mobility(run_.system, run_.work, measured_);
  }
  bool slides_on(int place);
  bool goes_on(int place, const Eval&);
  bool follow_slips();
  void settle_landed(bool parted);
  void stop_astray();
  void note_starts();
  void stop_what_holds();
  bool stops_within();
  void creep_on();
  void settle_fired();
  void tell_endless();

  RunContext& run_;
  StepChoice& choice_;
  Failure& failure_;
  bool watches_ = false;
  std::vector<double> guards_, guards_before_, guards_inside_, guards_low_, guards_high_;  // per dry place
  std::vector<double> fastest_, speed_before_;  // slip since the last rest, and before the step [m/s]
  State inside_;                                // of a step, or before it is settled
  std::vector<double> slip_inside_;             // [m/s]
  std::vector<double> rate_end_;                // of it
  std::vector<int> turning_;                    // steps since its direction turns faster than they can follow
  std::vector<int> fired_, candidates_, released_, measured_;
  std::vector<char> named_;    // among the candidates
  std::vector<char> stirred_;  // per cluster of places: one of it fired
  std::vector<int> landed_;    // touched down without slipping
  std::vector<int> astray_;    // slips in several directions that the steps are too long for
  int without_progress_ = 0;   // switches
  int unbalanced_ = 0;         // steps in a row of a method with reactions of its own, without any at their ends
  double last_time_ = -1;      // of a switch
};

}  // namespace bristle
