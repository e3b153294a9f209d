#pragma once
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "bristle/analyse/crossings.h"
#include "bristle/analyse/failure.h"
#include "bristle/analyse/load_work.h"
#include "bristle/analyse/run_context.h"
#include "bristle/analyse/step_choice.h"
#include "bristle/analyse/step_clock.h"
#include "bristle/analyse/step_judge.h"
#include "bristle/analyse/switches.h"

namespace bristle {

/// A change of mode of a friction place.
struct ModeEvent {
  double t = 0;
  int place = 0;  ///< index into Layout::places
  Mode from = Mode::stick, to = Mode::slip;
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

  const System& system() const { return run_.system; }
  const Integrator& integrator() const { return *run_.integrator; }
  const StepChoice& choice() const { return choice_; }
  const State& state() const { return *run_.x0; }
  const State& previous() const { return *run_.x1; }                  ///< state before the last step
  const std::vector<double>& rate() const { return run_.here.rate; }  ///< at the present state
  double last_step() const { return run_.last.length; }
  /// State inside the last step at time t, previous().t <= t <= state().t, with forces evaluated.
  void interpolate(double t, State& x);
  /// Where states are evaluated; channels of one whose multipliers and accelerations are filled in are read with it.
  Workspace& workspace() { return run_.work; }
  Multipliers& kernel() { return run_.kernel; }

  const Ledger& ledger() const;  ///< the balance at the present state, struck when asked for
  /// The energy that residuals of the ledger are held against [J]: its scale, or where nothing moves what would count as none.
  double energy_involved() const { return std::max(ledger().scale(), least_energy_); }
  double size() const { return run_.size; }  ///< [m] of the mechanism; see calc_size
  const RunCounts& counts() const { return run_.counts; }
  const std::string& message() const { return failure_.message(); }
  /// What is worth knowing of the motion so far, and nobody else says; "" for nothing.
  const std::string& note() const { return crossings_.note(); }
  /// Mode changes of the last step.
  const std::vector<ModeEvent>& events() const { return events_; }
  const std::vector<Mode>& modes() const { return modes_; }

  void save(Archive&) const;
  void load(Archive&);

 private:
  /// Attempts at a step, each shorter than the one before, until one is taken: its length. False: the run has failed, or is asked to stop.
  bool take_step(double& h);
  void name_chatter(bool failed);
  void leave_corner();
  void follow_held();
  /// The step is final: its end, the clock, what is given over time.
  void end_step(double end, double h);
  void settle(bool located);
  void close_step();

  RunContext run_;
  StepChoice choice_;
  Failure failure_;
  Crossings crossings_;
  Switches switches_;
  StepJudge judge_;
  StepClock clock_;
  LoadWork load_work_;
  mutable bool balanced_ = true;  // the ledger, at the present state
  mutable double least_energy_ = 0;
  double next_step_ = 0;  // of a late clock
  std::vector<double> memory_before_, marks_before_;
  std::vector<Mode> modes_, modes_before_;
  std::vector<ModeEvent> events_;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace bristle
