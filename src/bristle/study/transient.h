#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/study/analysis.h"
#include "bristle/study/plans.h"

namespace bristle {

/// A method with its step rules, as a model asks for it.
struct IntegratorPlan {
  std::unique_ptr<Integrator> integrator;
  std::vector<std::unique_ptr<StepController>> controllers;
  std::string name;
};

class TransientAnalysis final : public Analysis {
 public:
  static constexpr const char* kName = "transient";
  static constexpr const char* kSummary = "the motion from a start to an end, step by step";
  static constexpr const char* kExample =
      "analysis:\n  type: transient\n  end: 10 s\n  integrator: {type: radau5, tolerance: 1e-6}\n";
  static constexpr const char* kPage = "";

  void visit(Keys&) override;
  void read(const Model&) override;
  bool friction() const override { return true; }
  bool rigid_contact() const override { return true; }
  bool can_stop() const override { return true; }
  bool can_go_on() const override { return true; }
  std::string outline() const override;
  void check(const Assembled&) override;
  std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) override;

  const TransientPlan& plan() const { return plan_; }
  /// A run of a plan by the method of the model.
  std::unique_ptr<Run> take_run(const Model&, const System&, const TransientPlan&);

 private:
  const Elements* elements_ = nullptr;  // set by visit
  TransientPlan plan_;
  IntegratorPlan method_;
  std::unique_ptr<Run> run_;  // made by the check, and not used yet
};

}  // namespace bristle
