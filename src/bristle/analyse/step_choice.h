#pragma once
#include <memory>
#include <vector>

#include "bristle/analyse/given_course.h"
#include "bristle/analyse/held_back.h"
#include "bristle/analyse/run_context.h"
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
  /// A step was rejected: the next attempt is one more of it.
  void retries();
  /// Its length, as the outcome advises it.
  double shorter(double advice);
  /// At most this, by the error.
  void limit_error_step(double h) { error_.h = std::min(error_.h, h); }
  /// A step of length h was accepted after `tries` attempts that were not.
  void taken(double h, int tries);
  const GivenCourse& course() const { return course_; }

  /// Rules and what else may lead a step, numbered.
  const std::vector<const char*>& reasons() const { return reasons_; }
  /// The number of the last reason, which has been counted.
  int reason() const { return last_reason_index_; }
  void count_reason();

  void save(Archive&) const;
  void load(Archive&);

 private:
  int number_of(const char* reason);

  RunContext& run_;
  std::vector<std::unique_ptr<StepController>> controllers_;
  ErrorStep error_;
  bool needs_pace_ = false;
  std::vector<Pace> pace_;
  std::vector<double> speed_;
  HeldBack held_back_;
  GivenCourse course_;
  std::vector<const char*> reasons_;
  const char* counted_reason_ = nullptr;  // the one last_reason_index_ belongs to
  int last_reason_index_ = 0;
};

}  // namespace bristle
