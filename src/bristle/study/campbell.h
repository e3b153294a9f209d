#pragma once
#include "bristle/study/analysis.h"
#include "bristle/study/plans.h"

namespace bristle {

class CampbellAnalysis final : public Analysis {
 public:
  static constexpr const char* kName = "campbell";
  static constexpr const char* kSummary = "modes over the speed of rotation, and critical speeds, without friction";
  static constexpr const char* kExample =
      "bodies: {rotor: {type: rigid, mass: 1 kg, inertia: [1, 1, 2]}}\n"
      "joints: {bearing: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
      "analysis: {type: campbell, axis: z, speeds: {from: 0, to: 3000 rpm, count: 31}, frame: stationary}\n";
  static constexpr const char* kPage =
      "Each mode is followed by its shape from speed to speed. A critical speed is solved for: there a force of the order meets a\n"
      "resonance of the model without its damping. Unbalance has the order 1 in the stationary frame and 0 in the turning one. The result\n"
      "file has a sample for each speed, with the speed in the place of the time, and campbell.json has it all.\n";

  void visit(Keys&) override;
  void check(const Assembled&) override;
  std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) override;
  const CampbellPlan& plan() const { return plan_; }

 private:
  CampbellPlan plan_;
};

}  // namespace bristle
