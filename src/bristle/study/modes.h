#pragma once
#include "bristle/study/analysis.h"
#include "bristle/study/plans.h"

namespace bristle {

/// The keys about, time and axes: about which state.
void visit_state(Keys&, LinearPlan&);

class ModesAnalysis final : public Analysis {
 public:
  static constexpr const char* kName = "modes";
  static constexpr const char* kSummary = "frequencies, damping and shapes about a state, without friction";
  static constexpr const char* kExample = "analysis: {type: modes}\n";
  static constexpr const char* kPage =
      "With speed the whole model, but what is named under still, turns steadily about the axis: the form that centrifugal loads give it\n"
      "is found first, and the modes are those about it, with gyroscopic and centrifugal terms. Their whirl is 1 for circles along the\n"
      "rotation, -1 against it. A model that would not look the same while it turns is refused.\n";

  void visit(Keys&) override;
  void check(const Assembled&) override;
  std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) override;
  const LinearPlan& plan() const { return plan_; }

 private:
  LinearPlan plan_;
};

}  // namespace bristle
