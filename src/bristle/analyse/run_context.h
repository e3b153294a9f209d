#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bristle/integrate/integrator.h"

namespace bristle {

/// [rad] Not physical: what a step may do to a body that turns (change of its speed, times the step), so that angles of joints can tell how many
/// turns they have made. The mean of the rates at both ends is off by no more than half of this per body; half a turn would be too much.
inline constexpr double kSwing = 1;

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

/// What the solver did so far.
struct RunCounts {
  long long accepted = 0, rejected = 0, newton = 0, sweeps = 0, evaluations = 0, events = 0;
  long long rejected_by[kCauses] = {};  ///< rejected ones by their Cause
  long long passed_over = 0;            ///< steps in which the memory of a law changed its course and the method did not follow

  long long rejected_for(Cause why) const { return rejected_by[static_cast<int>(why)]; }
  /// At a step; those that take very many evaluations count as several. By them a run is asked whether it still gets on.
  long long attempts() const {
    constexpr long long kEvaluations = 100;  // in an attempt that counts as one
    return std::max(accepted + rejected, evaluations / kEvaluations);
  }
};

/// What the parts of a run work with: the model, the method and what evaluates it; the states at both ends of the step, and the rates there. How the
/// next step is chosen is kept by StepChoice, what is wrong by Failure.
struct RunContext {
  RunContext(const System&, std::unique_ptr<Integrator>, RunOptions);
  RunContext(const RunContext&) = delete;
  RunContext& operator=(const RunContext&) = delete;

  StepContext step_context(bool forced = false) {
    return {system, kernel, work, ledger, here.rate.data(), here.power.data(), forced};
  }
  /// A step of the method from x0 to x1, and back onto the held rows.
  Outcome take_step(StepContext& c, double h);
  /// The end of the step becomes the present.
  void turn_ends() { std::swap(x0, x1); }
  void turn_rates() { std::swap(here, before); }

  /// Rates, forces and multipliers at a state.
  void evaluate_here(State& x);
  /// The same where the method has evaluated the end of its step: rate and power change hands. Nothing is held, no frame turns.
  void take_evaluation(State& x);
  /// The same where the forces of contacts and joints are those of the step: no evaluation at one instant has them.
  void evaluate_beside(State& x);
  /// The same where the method has solved for accelerations and multipliers, which the state already has.
  void take_solution();
  /// Forces that expressions read as they were at the last accepted step.
  void take_samples(State& x);

  /// In words: why the last step was not taken.
  std::string cause_text(const Outcome& out) const { return out.cause == Cause::joints ? joints_apart_ : text_of(out.cause); }

  // given
  const System& system;
  std::unique_ptr<Integrator> integrator;
  const MethodTraits method;
  const RunOptions options;
  double size = 1;           // [m] of the mechanism, where it starts
  bool given_steps = false;  // all of one length, which nobody leads

  // what evaluates
  Multipliers kernel;
  mutable Workspace work;
  mutable Ledger ledger;
  RunCounts counts;

  // where it stands
  State *x0 = &ends_[0], *x1 = &ends_[1];  // present and other
  struct Rates {
    std::vector<double> rate, power;
  };
  Rates here, before;  // at the present state, and before the last step
  struct Switch {
    bool ended_step = false;   // the last one: the rate here is that after it
    std::vector<double> rate;  // at the end of that step, before it
  } last_switch;
  struct Last {
    Outcome outcome;
    double length = 0, usual = 0;  // [s] usual: of the steps before, the later ones count more
  } last;                          // step, or attempt at one

 private:
  bool keeps_rows(const State& x, double limit);  // false: writes joints_apart_
  State ends_[2];
  State end_;  // of a step that is looked at before it is accepted
  std::vector<double> forces_kept_, outputs_;
  std::string joints_apart_;
};

}  // namespace bristle
