#pragma once
#include <memory>
#include <vector>

#include "bristle/analyse/run_context.h"

namespace bristle {

/// Looks at a step that the method would accept for what its stages have not seen: memory that changes its course inside, surfaces that meet and part
/// again, places at rest that would have let go. Turns the outcome into a rejection then.
class StepJudge {
 public:
  explicit StepJudge(RunContext&);

  /// Before the attempts at a step.
  void begin_step();
  void judge(Outcome&);

 private:
  void judge_memory(Outcome&);
  void judge_meetings(Outcome&);
  void judge_rest(Outcome&);
  bool calc_reserves(const State& x, std::vector<double>& reserve);
  StepContext look_context() {
    return {run_.system, run_.kernel, *look_, run_.ledger, run_.here.rate.data(), run_.here.power.data()};
  }

  RunContext& run_;
  std::unique_ptr<Workspace> look_;  // at states inside a step; none: there is nothing to look for
  bool may_meet_ = false;            // surfaces
  bool may_let_go_ = false;          // places at rest over a step that owns its forces
  std::vector<double> watched_;      // what may change its course inside a step, at its start
  State middle_;                     // inside a step
  std::vector<double> rate_end_;     // of it
  std::vector<Pace> before_, inside_, behind_;
  std::vector<double> speed_;
  std::vector<double> reserves_before_, reserves_, reserves_inside_;  // per dry place
};

}  // namespace bristle
