#pragma once
#include "bristle/study/analysis.h"
#include "bristle/study/plans.h"

namespace bristle {

class StaticsAnalysis final : public Analysis {
 public:
  static constexpr const char* kName = "statics";
  static constexpr const char* kSummary =
      "an equilibrium near the start, without friction: positions, reactions, whether it is stable";
  static constexpr const char* kExample = "analysis: {type: statics}\n";
  static constexpr const char* kPage =
      "With control load or arc_length the loads grow from nothing: forces of type force, torque, line_load and load, gravity, and drag by\n"
      "a wind are multiplied by the share of the load. Springs, drives and joints are there from the start; what they leave out of balance\n"
      "is let go before the loads come. The result file has a sample for each point on the way; its time is the share of the load. Every\n"
      "equilibrium counts, stable or not. arc_length passes points where the load has to fall: snap-through, buckling with an imperfection.\n";

  void visit(Keys&) override;
  void read(const Model&) override;
  void check(const Assembled&) override;
  std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) override;
  const StaticsPlan& plan() const { return plan_; }

 private:
  StaticsPlan plan_;
};

}  // namespace bristle
