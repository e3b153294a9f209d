// Given motion has no error of its own: error control must follow it all the same, for friction and dampers live on it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/mechanisms.h"
#include "support/models.h"
#include "support/tools.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kAmplitude = 0.02, kFrequency = 3;  // [m], [rad/s]
constexpr int kTurns = 10;

/// A belt that swings ten times against `what`, beside a free mass that rests.
double dissipated(const std::string& what, const std::string& integrator, const std::string& position = "0.02*sin(3*t)") {
  const double end = kTurns * 2 * std::numbers::pi / kFrequency;
  Trial trial(
      fmt::format("bristle: 1\nbodies:\n  belt: {{type: driven, position: \"{}\"}}\n  idle: {{type: mass, mass: 1 kg}}\n{}\n"
                  "analysis: {{type: transient, end: {:.17g} s, integrator: {}}}\n",
                  position, what, end, integrator));
  auto& run = trial.start();
  EXPECT_TRUE(run.advance_to(end)) << integrator << ": " << run.message();
  return run.ledger().dissipated();
}

const char* const kOrderFive[] = {"dormand_prince", "radau5", "{type: dormand_prince, tolerance: 1e-4}"};
const char* const kOrderTwo[] = {"{type: energy_decaying, tolerance: 1e-5}", "{type: energy_preserving, tolerance: 1e-5}",
                                 "{type: generalized_alpha, tolerance: 1e-5}", "{type: newmark, tolerance: 1e-5}",
                                 "{type: hht, tolerance: 1e-5}"};

TEST(DrivenMotion, loses_in_a_damper_what_it_must_whatever_leads_the_steps) {
  const std::string damper = "forces: {d: {type: damper, between: [ground, belt], damping: 1 N s/m}}";
  const double expected = kTurns * std::numbers::pi * kFrequency * kAmplitude * kAmplitude;
  for (const char* method : kOrderFive) EXPECT_NEAR(dissipated(damper, method) / expected, 1, 1e-4) << method;
  for (const char* method : kOrderTwo) EXPECT_NEAR(dissipated(damper, method) / expected, 1, 5e-3) << method;
  if (integrator_registry().find("cvode") == nullptr) return;
  EXPECT_NEAR(dissipated(damper, "cvode") / expected, 1, 1e-3);
}

TEST(DrivenMotion, loses_in_steep_friction_what_dry_friction_does) {
  const std::string pad =
      "joints: {p: {type: sliding, between: [ground, belt], load: 2 N, friction: {type: tanh_slope, mu_kinetic: 0.3, slope: 1e5 s/m}}}";
  const double expected = kTurns * 4 * kAmplitude * 0.3 * 2;
  for (const char* method : kOrderFive) EXPECT_NEAR(dissipated(pad, method) / expected, 1, 0.01) << method;
  for (const char* method : kOrderTwo) EXPECT_NEAR(dissipated(pad, method) / expected, 1, 0.02) << method;
}

TEST(DrivenMotion, with_kinks_is_passed) {
  // back and forth at 0.04 m/s: nothing smooth goes through the kinks
  const std::string damper = "forces: {d: {type: damper, between: [ground, belt], damping: 1 N s/m}}";
  const double end = kTurns * 2 * std::numbers::pi / kFrequency;
  EXPECT_NEAR(dissipated(damper, "dormand_prince", "0.04*abs(t - 7) + 0.04*abs(t - 11.3)") / (0.08 * 0.08 * (end - 4.3)), 1,
              1e-3);
}

TEST(CvodeMechanism, runs_at_tight_tolerances) {
  BRISTLE_NEEDS(integrator_registry().find("cvode") != nullptr, "SUNDIALS");
  double angle[2];
  for (int i = 0; i < 2; ++i) {
    Trial trial(spatial_slider_crank(),
                {fmt::format("analysis.integrator={{type: {}, tolerance: 1e-10}}", i ? "cvode" : "dormand_prince")});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1)) << run.message();
    angle[i] = run.state().q()[trial.system().layout().frame_q(0) + 3];
  }
  EXPECT_NEAR(angle[1], angle[0], 1e-6);
}

}  // namespace
}  // namespace bristle
