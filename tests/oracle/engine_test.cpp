// The engine on published problems of mechanisms, and beside other engines where they are installed.
#include <gtest/gtest.h>

#include "support/closed_forms.h"
#include "support/probe.h"
#include "support/reference_mechanisms.h"
#include "validation/slider_crank.h"
#ifdef BRISTLE_HAVE_SIMBODY
#include "oracle/simbody_oracle.h"
#endif
#ifdef BRISTLE_HAVE_MUJOCO
#include "oracle/mujoco_oracle.h"
#endif

namespace bristle {
namespace {

using namespace test;

std::string model(const std::string& bodies, const std::string& joints, double end, double step) {
  return fmt::format(
      "bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n{}joints:\n{}analysis: {{type: transient, end: {} s, integrator: {{type: rk4, step: {} s}}}}\n",
      bodies, joints, end, step);
}

// the library accepts 1e-3 m as high precision; RK4 at 1 ms and 4 rad/s is good to 1e-8
TEST(Iftomm, simple_pendulum) {
  Mechanism m(model("  bob: {type: particle, mass: 1, position: [-1, 0, 0]}\n",
                    "  bar: {type: distance, between: [ground, bob], at: [0, 0, 0], at_b: [-1, 0, 0]}\n", 10, 1e-3));
  for (double t : {1.0, 5.0, 10.0}) {
    ASSERT_TRUE(m.go(t));
    const auto exact = SimplePendulumProblem::position(t);
    EXPECT_NEAR(m.read("bob.position.x"), exact[0], 1e-7);
    EXPECT_NEAR(m.read("bob.position.y"), exact[1], 1e-7);
  }
  EXPECT_LT(m.residual(), 1e-8);
}

std::string windows(int n, const std::string& type, double end, double step) {
  std::string bodies, joints;
  const std::string rigid = "inertia: [\"1/12\", 0.001, \"1/12\"]", level = "inertia: [0.001, \"1/12\", \"1/12\"]",
                    planar = "inertia: \"1/12\"";
  for (int i = 0; i <= n; ++i) {
    bodies +=
        fmt::format("  r{0}: {{type: {1}, mass: 1, {2}, position: [{0}, 0.5]{3}}}\n", i, type, type == "planar" ? planar : rigid,
                    type == "planar" ? ", angular_velocity: -1" : ", angular_velocity: [0, 0, -1]");
    joints += fmt::format("  a{0}: {{type: revolute, between: [ground, r{0}], at: [{0}, 0, 0], axis: z}}\n", i);
  }
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  t{0}: {{type: {1}, mass: 1, {2}, position: [{3}, 1]}}\n", i, type, type == "planar" ? planar : level,
                          i + 0.5);
    joints += fmt::format("  b{0}: {{type: revolute, between: [r{0}, t{0}], at: [{0}, 1, 0], axis: z}}\n", i);
    joints += fmt::format("  c{0}: {{type: revolute, between: [r{1}, t{0}], at: [{1}, 1, 0], axis: z}}\n", i, i + 1);
  }
  return model(bodies, joints, end, step);
}

TEST(Iftomm, four_bars_go_through_their_singular_positions) {
  const FourBarProblem problem{2};
  for (const char* type : {"planar", "rigid"}) {
    Mechanism m(windows(2, type, 10, 1e-3));
    for (double t : {1.0, 3.0, 10.0}) {
      ASSERT_TRUE(m.go(t)) << type;
      const auto exact = problem.b0(t);
      // B_0 is twice as far from A_0 as the centre of the rod
      EXPECT_NEAR(2 * m.read("r0.position.x"), exact[0], 1e-3) << type << " " << t;
      EXPECT_NEAR(2 * m.read("r0.position.y"), exact[1], 1e-3) << type << " " << t;
    }
    EXPECT_LT(m.residual(), 1e-4) << type;
  }
}

std::string bricard(double end, double step) {
  std::string bodies, joints;
  const auto vec = [](const Triple& t) { return Vector3d(t[0], t[1], t[2]); };
  for (std::size_t i = 0; i < 5; ++i) {
    const Vector3d a = vec(BricardProblem::points[i]), b = vec(BricardProblem::points[i + 1]);
    const double along = 0.01 / 6, across = (1 + 0.01) / 12;
    Vector3d inertia = Vector3d::Constant(across);
    for (int k = 0; k < 3; ++k) {
      if (std::abs(b[k] - a[k]) > 0.5) inertia[k] = along;
    }
    bodies += fmt::format("  r{}: {{type: rigid, mass: 1, inertia: {}, position: {}}}\n", i, text_of(inertia),
                          text_of(Vector3d(0.5 * (a + b))));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string before = i == 0 ? "ground" : fmt::format("r{}", i - 1), after = i == 5 ? "ground" : fmt::format("r{}", i);
    joints += fmt::format("  j{}: {{type: revolute, between: [{}, {}], at: {}, axis: {}}}\n", i, before, after,
                          text_of(vec(BricardProblem::points[i])), text_of(vec(BricardProblem::axes[i])));
  }
  return model(bodies, joints, end, step);
}
Vector3d p3(Mechanism& m) {
  const auto &a = BricardProblem::points[2], &b = BricardProblem::points[3];
  const Vector3d half = 0.5 * Vector3d(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  return m.vector("r2.position") + m.attitude("r2") * half;
}

TEST(Iftomm, bricard_with_its_redundant_row) {
  Mechanism m(bricard(10, 5e-4));
  EXPECT_EQ(m.layout().redundant.size(), 1u);
  EXPECT_EQ(m.layout().freedoms, 1);
  for (const auto& point : BricardProblem::solution) {
    ASSERT_TRUE(m.go(point.t));
    EXPECT_LT((p3(m) - Vector3d(point.p3[0], point.p3[1], point.p3[2])).norm(), 1e-6) << point.t;
  }
  EXPECT_LT(m.residual(), 1e-7);
}

TEST(LongIftomm, forty_windows_for_ten_seconds) {
  const FourBarProblem problem{40};
  Mechanism m(windows(40, "planar", 10, 1e-3));
  for (double t : {1.0, 5.0, 10.0}) {
    ASSERT_TRUE(m.go(t));
    EXPECT_NEAR(2 * m.read("r0.position.x"), problem.b0(t)[0], 1e-3) << t;
    EXPECT_NEAR(2 * m.read("r0.position.y"), problem.b0(t)[1], 1e-3) << t;
  }
}

#ifdef BRISTLE_HAVE_SIMBODY
TEST(Peers, simbody_and_the_engine_move_the_slider_crank_alike) {
  const std::vector<double> times{0.25, 0.5, 1.0};
  const auto peer = simbody_spatial_slider_crank(SpatialSliderCrank{}, times);
  SliderCrank crank;
  crank.end = 1;
  crank.step = 2e-4;
  Mechanism m(crank.text());
  for (std::size_t k = 0; k < times.size(); ++k) {
    ASSERT_TRUE(m.go(times[k]));
    EXPECT_NEAR(m.read("slider.position.y"), peer.samples[k].y, 1e-8);
    EXPECT_NEAR(m.read("slider.velocity.y"), peer.samples[k].y_rate, 1e-7);
    EXPECT_NEAR(m.read("slider.acceleration.y"), peer.samples[k].y_acceleration, 1e-5);
  }
}
#endif

#ifdef BRISTLE_HAVE_MUJOCO
TEST(Peers, mujoco_and_the_engine_swing_a_chain_alike) {
  Chain chain;
  chain.links = 4;
  std::string bodies, joints;
  for (int i = 0; i < 4; ++i) {
    bodies += fmt::format("  r{}: {{type: planar, mass: 1, inertia: \"1/12\", position: [{}, 0]}}\n", i, i + 0.5);
    joints += fmt::format("  j{}: {{type: revolute, between: [{}, r{}], at: [{}, 0, 0], axis: z}}\n", i,
                          i == 0 ? "ground" : fmt::format("r{}", i - 1), i, i);
  }
  Mechanism m(model(bodies, joints, 1, 1e-4));
  const auto peer = mujoco_chain(chain, {0.5, 1.0}, 1e-4);
  const auto exact = chain.advance(chain.horizontal(), 1.0);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_TRUE(m.go(peer[k].t));
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(m.read(fmt::format("r{}.angle", i)), peer[k].angle[static_cast<std::size_t>(i)], 1e-6);
  }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.read(fmt::format("r{}.angle", i)), exact.angle[static_cast<std::size_t>(i)], 1e-8);
}
#endif

}  // namespace
}  // namespace bristle
