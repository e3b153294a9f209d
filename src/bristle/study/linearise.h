#pragma once
#include "bristle/study/analysis.h"
#include "bristle/study/plans.h"

namespace bristle {

class LineariseAnalysis final : public Analysis {
 public:
  static constexpr const char* kName = "linearise";
  static constexpr const char* kSummary =
      "matrices of small motions about a state, without friction: x' = A x + B u, y = C x + D u";
  static constexpr const char* kExample =
      "forces: {motor: {type: load, on: block, force: 0 N}}\n"
      "analysis: {type: linearise, about: equilibrium, inputs: [motor], outputs: [block.*]}\n";
  static constexpr const char* kPage = "";

  void visit(Keys&) override;
  void read(const Model&) override;
  void check(const Assembled&) override;
  std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) override;
  const LinearPlan& plan() const { return plan_; }

 private:
  LinearPlan plan_;
  const Elements* elements_ = nullptr;  // set by visit
};

}  // namespace bristle
