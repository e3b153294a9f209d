#pragma once
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "bristle/analyse/constraint_error.h"
#include "bristle/analyse/given_course.h"
#include "bristle/analyse/held_back.h"
#include "bristle/analyse/step_clock.h"
#include "bristle/integrate/controller.h"
#include "bristle/integrate/integrator.h"

namespace bristle {

/// How a transient run is led.
struct RunOptions {
  RestRule rest = RestRule::events;
  bool late_clock = false;  ///< advance the clock with the step of the next state: reproduces published tables, wrong otherwise
  double max_step = kInfinity;  ///< [s]
  double min_step = 0;          ///< [s] 0: 1e-14 of the time, and where Newton fails 1e-9 of the step that was wanted
  Enforcement enforcement;      ///< of held rows
  double end = 0;               ///< [s] of the run, where it is known: what is given over time is looked at until then
  bool watch_modes = false;     ///< report mode changes of all places as events, at the end of the step
};

/// A change of mode of a friction place.
struct ModeEvent {
  double t = 0;
  int place = 0;  ///< index into Layout::places
  Mode from = Mode::stick, to = Mode::slip;
};

/// What the solver did so far.
struct RunCounts {
  long long accepted = 0, rejected = 0, newton = 0, sweeps = 0, evaluations = 0, events = 0;
  long long rejected_by_newton = 0, rejected_by_error = 0;  ///< of the rejected ones
  long long passed_over = 0;  ///< steps in which the memory of a law changed its course and the method did not follow
  static constexpr int kReasons = 16;
  long long by_reason[kReasons] = {};  ///< accepted steps by the controller that chose them; see Run::reasons
};

/// The one loop that owns integrator, controllers, events and ledger: takes a State from step to step.
class Run {
 public:
  Run(const System&, std::unique_ptr<Integrator>, std::vector<std::unique_ptr<StepController>>, RunOptions = {});

  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void start(State x);
  /// One accepted step, not beyond `end`. False: it failed, see message().
  bool advance(double end);
  /// advance until `end`; false when it failed.
  bool advance_to(double end);
  /// Asked between attempts at one step, too: when it is set, advance gives up without a message, at the state it started from.
  void heed(const std::atomic<bool>* stop) { stop_ = stop; }

  const System& system() const { return system_; }
  const State& state() const { return *x0_; }
  const State& previous() const { return *x1_; }  ///< state before the last step
  const Ledger& ledger() const;                   ///< the balance at the present state, struck when asked for
  /// The energy that residuals of the ledger are held against [J]: its scale, or where nothing moves what would count as none.
  double energy_involved() const { return std::max(ledger().scale(), least_energy_); }
  double size() const { return size_; }  ///< [m] of the mechanism; see calc_size
  const GivenCourse& given() const { return given_course_; }
  double absolute_tolerance() const { return integrator_->absolute_tolerance(); }
  bool controls_error() const { return integrator_->estimates_error(); }
  const RunCounts& counts() const { return counts_; }
  const ContactReport* contact_report() const { return integrator_->contact_report(); }  ///< null: no rigid contact
  const std::string& message() const { return message_; }
  double last_step() const { return last_step_; }
  /// The method solves for the joints together with the motion, so that nothing lets them drift.
  bool solves_for_joints() const { return integrator_->enforces(); }
  const char* last_reason() const { return last_reason_; }
  int last_reason_index() const { return last_reason_index_; }
  static constexpr int kReasons = RunCounts::kReasons;
  const std::vector<const char*>& reasons() const { return reasons_; }
  /// Mode changes of the last step.
  const std::vector<ModeEvent>& events() const { return events_; }
  const std::vector<Mode>& modes() const { return modes_; }
  Workspace& workspace() { return work_; }
  Multipliers& kernel() { return kernel_; }
  const std::vector<double>& rate() const { return rate_; }

  /// State inside the last step at time t, previous().t <= t <= state().t, with forces evaluated.
  void interpolate(double t, State& x);
  /// All channels at a state whose multipliers and accelerations are filled in.
  void calc_outputs(const State& x, double* out) { system_.calc_outputs(x, work_, out); }
  /// Of the state whose outputs were computed last.
  ConstraintError constraint_error() const { return calc_constraint_error(system_, work_, size_); }

  void save(Archive&) const;
  void load(Archive&);

 private:
  double choose_step(double end);
  bool passes_through(
      Outcome&);  ///< surfaces that met and parted again inside the step, which no stage has seen; true: rejects it
  Outcome take_step(StepContext& c, double h);
  bool locate(double h, Outcome&);
  bool misses_rest(double h);
  double guard(const State& x0, const State& x1, std::vector<double>& g);
  void evaluate_here(State& x);
  void evaluate_beside(State& x);
  void take_evaluation(State& x);
  void take_solution();
  void take_samples(State& x);
  void settle(bool located);
  void settle_rest(bool located);
  void close_step();
  void fail(const Outcome&, double h);
  void fail_jammed(const Jam&);
  static constexpr const char* kNoBalance = "reactions and friction do not find each other";
  bool stalls(double end);  ///< true: writes the message
  bool starts_singular() const;
  bool near_singular();
  bool jammed_here();           ///< true: writes the message
  void judge_memory(Outcome&);  ///< rejects a step that passed over a change of rates of memory
  void judge_rest(Outcome&);    ///< rejects a step of a method with forces of its own in which a place at rest would have let go
  bool calc_reserves(const State& x, std::vector<double>& reserve);
  bool outran_memory();  ///< true: writes the message
  bool ran_away();       ///< true: writes the message
  double fastest_rate(const State& at, int& who);
  bool keeps_rows(const State& x, double limit);  ///< false: writes the cause
  bool has_values();                              ///< rate and power at the present state are finite; false: writes the message
  /// Who has no finite value from the present time on, moved on by h with the configuration of `x`; "" when nobody is found.
  std::string undefined_name(State x, double h);
  std::string cause_;
  int reason_index(const char* reason);

  const System& system_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<std::unique_ptr<StepController>> controllers_;
  ErrorStep error_;
  RunOptions options_;
  Multipliers kernel_;
  mutable Workspace work_;
  mutable Ledger ledger_;
  RunCounts counts_;
  State states_[2];
  State inside_;                                 // of a step
  State *x0_ = &states_[0], *x1_ = &states_[1];  // present and other
  mutable bool balanced_ = true;
  mutable double least_energy_ = 0;
  std::vector<double> rate_, power_, rate_before_, power_before_, guards_, guards_before_, guards_inside_, guards_low_,
      guards_high_, outputs_, fastest_, speed_before_, memory_before_, marks_before_, forces_kept_, watched_;
  std::vector<double> rate_end_;  // at the end of a step that ended in a switch, before it
  bool switched_ = false;         // the last step did: rate_ is that after it
  std::vector<Pace> pace_, pace_before_, pace_inside_, pace_behind_;
  std::unique_ptr<Workspace> look_;  // to look at states inside a step
  bool may_meet_ = false;            // surfaces
  GivenCourse given_course_;
  std::vector<double> speed_;
  std::vector<int> fired_, candidates_, released_;
  std::vector<char> named_;  // per dry place: among the candidates
  std::vector<int> landed_;  // dry places that touched down without slipping
  std::vector<Mode> modes_, modes_before_;
  std::vector<ModeEvent> events_;
  Outcome last_;
  double last_step_ = 0, next_step_ = 0;
  double usual_step_ = 0;     // of the steps before, the later ones count more
  std::vector<int> turning_;  // per dry place: steps since its direction turns faster than they can follow
  const char* last_reason_ = "";
  const char* counted_reason_ = nullptr;  // the one last_reason_index_ belongs to
  int last_reason_index_ = 0;
  std::vector<const char*> reasons_;
  int switches_without_progress_ = 0;
  int unbalanced_ = 0;  // steps in a row of a method with reactions of its own, without any at their ends
  double last_switch_time_ = -1;
  bool needs_pace_ = false;
  double fixed_step_ = 0;  // > 0: the only step there is
  HeldBack held_back_;
  StepClock clock_;
  struct Pause {
    long long attempts = 0, rejected = 0;
    double t = 0;
    int looks = 0;     // for a singular position, since then
  } pause_;            // where progress was looked at last
  double size_ = 1;    // [m] of the mechanism
  double wanted_ = 0;  // what the step would be if it were not held back
  const std::atomic<bool>* stop_ = nullptr;
  std::string message_;
};

}  // namespace bristle
