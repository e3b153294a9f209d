#pragma once
#include <optional>

#include "bristle/study/analysis.h"
#include "bristle/study/plans.h"

namespace bristle {

class KinematicsAnalysis : public Analysis {
 public:
  static constexpr const char* kName = "kinematics";
  static constexpr const char* kSummary =
      "the motion that drives of all freedoms prescribe: positions, velocities, accelerations, reactions without friction";
  static constexpr const char* kExample =
      "bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, block], at: [0, 0, 0], drive: {angle: \"sin(3*t)\"}}}\n"
      "analysis: {type: kinematics, end: 2 s, every: 10 ms}\n";
  static constexpr const char* kPage =
      "Every freedom must be driven. A position that does not exist (end of travel, dead centre) ends the analysis with code 3;\n"
      "what was computed before it is kept.\n";

  KinematicsAnalysis() : KinematicsAnalysis(false) {}
  void visit(Keys&) override;
  void read(const Model&) override;
  bool can_stop() const override { return true; }
  std::string outline() const override;
  void check(const Assembled&) override;
  std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) override;
  const KinematicsPlan& plan() const { return plan_; }

 protected:
  explicit KinematicsAnalysis(bool forces) { plan_.forces = forces; }

 private:
  KinematicsPlan plan_;
  std::optional<double> every_;
};

class InverseDynamicsAnalysis final : public KinematicsAnalysis {
 public:
  static constexpr const char* kName = "inverse_dynamics";
  static constexpr const char* kSummary =
      "kinematics, and what the drives have to give for it: peak, rms and work, with friction of laws without memory";
  static constexpr const char* kExample =
      "bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, block], at: [0, 0, 0], drive: {angle: \"sin(3*t)\"}}}\n"
      "analysis: {type: inverse_dynamics, end: 2 s, every: 10 ms}\n";
  static constexpr const char* kPage = "Channel <joint>.drive.force: force or torque of the drive along its motion.\n";

  InverseDynamicsAnalysis() : KinematicsAnalysis(true) {}
  bool friction() const override { return true; }
};

}  // namespace bristle
