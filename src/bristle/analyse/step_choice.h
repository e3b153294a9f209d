#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/analyse/given_course.h"
#include "bristle/analyse/held_back.h"
#include "bristle/analyse/run_context.h"
#include "bristle/analyse/step_reasons.h"
#include "bristle/analyse/step_stability.h"
#include "bristle/integrate/controller.h"

namespace bristle {

/// Chooses the next step of a run from what its rules propose, and says which of them it was.
class StepChoice {
 public:
  StepChoice(RunContext&, std::vector<std::unique_ptr<StepController>>);

  /// What is given over time from the present state on; for every start.
  void prepare(double start);
  /// The step that a method with error control begins with.
  void begin_with(double h) { error_.h = h; }
  /// The step from the present state, not beyond `end` [s].
  double choose(double end);
  /// A step that an explicit method would accept: rejected where it ends in what is too fast for a step so long.
  void judge_end(Outcome&);
  /// The step has become another one than was chosen.
  void set_reason(StepReason reason) { reason_ = reason; }
  /// Length of the next attempt, as the outcome advises it.
  double shorter(double advice);
  /// At most this, by the error.
  void limit_error_step(double h) { error_.h = std::min(error_.h, h); }
  /// A step of length h was accepted after `tries` attempts that were not.
  void taken(double h, int tries);
  void count_reason() { reasons_.count(reason_); }

  double wanted() const { return wanted_; }          ///< [s] what the step would be if it were not held back
  double fixed_step() const { return fixed_step_; }  ///< [s] > 0: the only step there is
  bool is_as_asked() const;                          ///< by the user: of a length that is given, or the longest allowed
  const GivenCourse& course() const { return course_; }
  StepReason reason() const { return reason_; }  ///< of the last step
  const std::string& reason_name() const { return reasons_.name(reason_); }
  const StepReasons& reasons() const { return reasons_; }

  void save(Archive&) const;
  void load(Archive&);

 private:
  struct Rule {
    std::unique_ptr<StepController> proposes;
    StepReason reason;
  };
  struct Proposal {
    double h;
    StepReason reason;
  };
  double choose_fixed(double end);
  double next_corner(double t) const;  // [s] of what is given over time; infinite where none is left that steps end at

  RunContext& run_;
  std::vector<Rule> rules_;
  ErrorStep error_;
  bool needs_pace_ = false;
  std::vector<Pace> pace_;
  std::vector<double> speed_;
  HeldBack held_back_;
  GivenCourse course_;
  std::unique_ptr<StepStability> stability_;  // none: no rule minds it, or the method stands any step
  double wanted_ = 0, fixed_step_ = 0;        // [s]
  double whole_end_ = -kInfinity;             // [s] where a fixed step would have ended that was cut last
  StepReasons reasons_;
  StepReason reason_ = StepReason::end;
};

}  // namespace bristle
