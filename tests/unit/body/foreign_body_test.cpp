// A body kind that no header of the library knows takes part in everything that is done with frames.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "bristle/analyse/run.h"
#include "bristle/constraint/links.h"
#include "bristle/constraint/touches.h"
#include "bristle/force/pull.h"
#include "bristle/force/pull_laws.h"
#include "bristle/integrate/controller.h"
#include "bristle/integrate/integrator.h"
#include "bristle/measure/point_on_plane.h"
#include "bristle/model/describe.h"
#include "bristle/record/scene.h"
#include "support/telescope.h"

namespace bristle {
namespace {

using test::Telescope;
constexpr double kMass = 0.8, kGravity = 9.81, kStiffness = 30, kRail = 0.7;

/// A telescope whose bead runs on an upright rail at x = kRail, hung from the height zero by a spring that pulls askew: its other end stands beside the
/// rail. `floor`: what stops it below.
struct Rail {
  int rail = 0, height = 0, gap = 0;
  std::unique_ptr<System> system;

  explicit Rail(double y, double v, double stiffness, double floor) {
    Layout layout = test::telescope_layout();
    const std::vector<std::pair<int, int>> columns = MarkerPair::columns(layout.bodies[0], layout.bodies[1]);
    rail = layout.rows.add(columns);
    height = layout.rows.add(columns);
    gap = layout.rows.add(columns);
    layout.held.push_back({rail, "joint 'rail'", "displacement along x"});
    layout.freedoms = 1;
    layout.channels.push_back({"spring.length", "m", ""});
    layout.channels.push_back({"spring.force", "N", ""});
    layout.channels.push_back({"floor.length", "m", ""});
    layout.channels.push_back({"floor.force", "N", ""});
    layout.sizes.marks = 1;
    const double r = std::hypot(kRail, y), q[] = {r, std::atan2(y, kRail)}, rates[] = {v * y / r, v * kRail / (r * r)};
    std::vector<std::unique_ptr<Block>> blocks;
    blocks.push_back(std::make_unique<Telescope>(layout.bodies[1], kMass, kGravity, q, rates));
    Marker on_rail, bead;
    on_rail.s[0] = kRail;
    bead.body = Telescope::kBody;
    Links::Item link{on_rail, bead, {}};
    link.rows.resize(2);
    link.rows[0].relation = {Relation::Kind::along, 0, 0};
    link.rows[0].row = rail;
    link.rows[1].relation = {Relation::Kind::along, 1, 0};
    link.rows[1].row = height;
    blocks.push_back(std::make_unique<Links>(std::vector<Links::Item>{link}, layout.bodies));
    std::vector<Touches::Item> touches(1);
    touches[0].name = "floor";
    touches[0].B = bead;
    PointOnPlane point;
    point.face.axis = 1;
    point.face.offset = floor;
    touches[0].geometry = std::make_unique<GeometryOf<PointOnPlane>>(point);
    touches[0].points.resize(1);
    touches[0].points[0].gap = gap;
    blocks.push_back(std::make_unique<Touches>(std::move(touches), layout.bodies));
    using Springs = PullBlock<Spring, RowMeasure>;
    Spring spring;
    spring.stiffness = stiffness;
    blocks.push_back(std::make_unique<Springs>(std::vector<Springs::Item>{{{height}, spring, -1}}));
    using Floors = PullBlock<OneWay, RowMeasure>;
    OneWay one_way;
    one_way.stiffness = 2000;
    blocks.push_back(std::make_unique<Floors>(std::vector<Floors::Item>{{{gap}, one_way, -1}}));
    system = std::make_unique<System>(std::move(layout), std::move(blocks));
  }
  std::unique_ptr<bristle::Run> run(const char* method, double h) const {
    std::vector<std::unique_ptr<StepController>> rules;
    auto constant = std::make_unique<ConstantStep>();
    constant->step = h;
    rules.push_back(std::move(constant));
    Describer keys;
    auto made = std::make_unique<bristle::Run>(*system, integrator_registry().find(method)->make(keys), std::move(rules));
    made->start(system->make_state());
    return made;
  }
};

class ForeignBody : public ::testing::TestWithParam<const char*> {};

TEST_P(ForeignBody, swings_on_a_spring_along_a_rail_as_the_closed_form_says) {
  const double y0 = 0.4, v0 = -0.3, end = 0.9;
  const Rail model(y0, v0, kStiffness, -5);
  auto run = model.run(GetParam(), 1e-3);
  ASSERT_TRUE(run->advance_to(end)) << run->message();
  const double w = std::sqrt(kStiffness / kMass), sag = kMass * kGravity / kStiffness;
  const double y = -sag + (y0 + sag) * std::cos(w * end) + v0 / w * std::sin(w * end);
  std::vector<double> out(model.system->layout().channels.size());
  run->calc_outputs(run->state(), out.data());
  EXPECT_NEAR(out[0], kRail, 1e-6);  // what the correction of a method that does not solve for the joint leaves
  EXPECT_NEAR(out[1], y, 2e-5);      // (w h)^2/12 times the length of the way: second order methods
  EXPECT_NEAR(out[3], kStiffness * y, 6e-4);
  EXPECT_LT(std::abs(run->ledger().residual()), 1e-4 * run->ledger().scale());
}

TEST_P(ForeignBody, presses_on_a_floor_with_the_force_of_its_contact) {
  // it falls without a spring and stays in contact for pi/w and a little more
  const double y0 = 0.1, fall = std::sqrt(2 * y0 / kGravity), w = std::sqrt(2000 / kMass), end = fall + 1.2 / w;
  const Rail model(y0, 0, 0, 0);
  auto run = model.run(GetParam(), 2e-4);
  ASSERT_TRUE(run->advance_to(end)) << run->message();
  const double sag = kGravity / (w * w), speed = kGravity * fall, t = end - fall;
  const double y = -sag + sag * std::cos(w * t) - speed / w * std::sin(w * t);
  std::vector<double> out(model.system->layout().channels.size());
  run->calc_outputs(run->state(), out.data());
  EXPECT_NEAR(out[1], y, 3e-5);  // the step that meets the floor: speed times (w h)^2/2 times h, and (w h)^2/12 of the depth
  EXPECT_NEAR(out[5], 2000 * y, 0.06);
}

INSTANTIATE_TEST_SUITE_P(Methods, ForeignBody,
                         ::testing::Values("rk4", "dormand_prince", "radau5", "generalized_alpha", "trapezoidal"),
                         [](const auto& p) { return std::string(p.param); });

TEST(ForeignBodyHouse, the_joint_carries_what_keeps_it_on_the_rail) {
  // the bead at rest at (kRail, y), free to fall: the rail has nothing to carry, and the arm falls with g
  const Rail model(0.4, 0.5, 0, -5);
  auto run = model.run("rk4", 1e-3);
  EXPECT_NEAR(run->state().lambda()[0], 0, 1e-12);  // newtons; round-off
  Workspace w = model.system->make_workspace();
  const State x = run->state();
  const Eval e = model.system->view(x, w);
  (void)e;
  const double r = x.q()[0], angle = x.q()[1];
  // r'' - r w^2 = -g sin, r w' + 2 r' w = -g cos
  EXPECT_NEAR(x.a()[0], r * x.v()[1] * x.v()[1] - kGravity * std::sin(angle), 1e-11);
  EXPECT_NEAR(x.a()[1], (-kGravity * std::cos(angle) - 2 * x.v()[0] * x.v()[1]) / r, 1e-11);
}

/// Derivatives of the forces by position, summed up.
class Slopes final : public JacobianSink {
 public:
  void add(Part part, int row, int column, double value) override {
    if (part == Part::force_q) K(row, column) += value;
  }
  Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
};

TEST(ForeignBodyHouse, derivatives_are_those_of_its_forces_and_of_what_pulls_at_it) {
  const Rail model(-0.02, 0.5, kStiffness, 0);  // in the floor, and on the spring
  const System& system = *model.system;
  Workspace w = system.make_workspace();
  State x = system.make_state();
  x.lambda()[0] = 7;  // the rail carries something
  Slopes slopes;
  system.calc_jacobian(x, w, slopes);
  constexpr double kBy = 1e-6;
  for (int c = 0; c < 2; ++c) {
    Eigen::Vector2d f[2];
    for (int side = 0; side < 2; ++side) {
      State y = x;
      y.q()[c] += side == 0 ? -kBy : kBy;
      Eval e = system.view(y, w);
      system.calc_forces(e);
      system.layout().rows.push(model.rail, 7, w.D.data(), w.f.data());
      f[side] = {w.f[0], w.f[1]};
    }
    const Eigen::Vector2d by_difference = (f[1] - f[0]) / (2 * kBy);
    for (int r = 0; r < 2; ++r) EXPECT_NEAR(slopes.K(r, c), by_difference[r], 1e-5) << r << c;  // of 2000 N/m; round-off
  }
}

TEST(ForeignBodyHouse, a_row_knows_its_drift) {
  const Rail model(0.3, 0.5, 0, -5);
  const System& system = *model.system;
  Workspace w = system.make_workspace();
  State x = system.make_state();
  x.v()[1] += 0.8;
  Eval e = system.view(x, w);
  system.calc_forces(e);
  for (int row : {model.rail, model.height}) {
    const double drift = w.row_drift[static_cast<std::size_t>(row)];
    double rate[2];
    constexpr double kBy = 1e-6;  // [s]
    for (int side = 0; side < 2; ++side) {
      State y = x;
      for (int k = 0; k < 2; ++k) y.q()[k] += (side == 0 ? -kBy : kBy) * x.v()[k];
      Workspace there = system.make_workspace();
      const Eval moved = system.look(y, there);
      rate[side] = moved.row_rate[row];
      EXPECT_NEAR(system.layout().rows.read(row, moved.D, y.v()), rate[side], 1e-14);  // the row is the rate; round-off
    }
    EXPECT_NEAR(drift, (rate[1] - rate[0]) / (2 * kBy), 1e-8);  // differences of 1e-6 s
  }
}

TEST(ForeignBodyHouse, pictures_show_it_where_it_is) {
  const Rail model(0.3, 0.5, 0, -5);
  const std::vector<BodyInfo>& bodies = model.system->layout().bodies;
  ASSERT_EQ(moving_bodies(bodies), 1);
  Workspace w = model.system->make_workspace();
  const State x = model.system->make_state();
  model.system->look(x, w);
  double pose[kPose];
  calc_poses(bodies, x, w.pose.data(), pose);
  const double half = 0.5 * std::atan2(0.3, kRail);
  const double expected[kPose] = {kRail, 0.3, 0, std::cos(half), 0, 0, std::sin(half)};
  for (int i = 0; i < kPose; ++i) EXPECT_NEAR(pose[i], expected[i], 1e-15);  // round-off
  std::vector<BodyInfo> read;
  std::vector<JointInfo> joints;
  read_scene(scene_text(bodies, {}), read, joints);
  EXPECT_EQ(read[1].kind, "telescope");
}

TEST(ForeignBodyHouse, methods_that_need_constant_inertia_say_so) {
  const Rail model(0.3, 0.5, 0, -5);
  EXPECT_FALSE(model.system->constant_mass());
  Describer keys;
  for (const char* method : {"moreau_jean", "energy_decaying", "energy_preserving"}) {
    EXPECT_NE(integrator_registry().find(method)->make(keys)->needs_refused(*model.system), "") << method;
  }
}

TEST(ForeignBodyHouse, coordinates_behind_a_frame_move_with_it) {
  // a body that turns in space and deforms: [position, quaternion, two more] and [velocity, spin, two more]
  Layout layout;
  layout.scalars = layout.ground = 1;
  layout.coordinates = {"slider", "ground"};
  layout.add_frame(2);
  layout.add_frame();
  ASSERT_EQ(layout.free(), 1 + 8 + 6);
  ASSERT_EQ(layout.sizes.q, 2 + 9 + 7);
  ASSERT_EQ(layout.frame_q(1), 11);
  ASSERT_EQ(layout.frame_v(1), 10);
  const System system(layout, {});
  const State x = system.make_state();
  std::vector<double> step(30), back(30);
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = 0.03 * static_cast<double>(k) - 0.2;
  for (Chart chart : {Chart::exponential, Chart::cayley}) {
    State y = x;
    system.move(x, 1, step.data(), y, chart);
    system.difference(x, y, back.data(), chart);
    for (std::size_t k = 0; k < step.size(); ++k) EXPECT_NEAR(back[k], step[k], 1e-14) << k;  // round-off
    EXPECT_EQ(y.q()[layout.frame_q(0) + 7], step[7]);
    EXPECT_EQ(y.v()[layout.frame_v(0) + 7], step[15 + 8]);
  }
  State y = x;
  std::vector<double> by(static_cast<std::size_t>(layout.sizes.v), 0);
  by[static_cast<std::size_t>(layout.frame_v(0) + 6)] = 0.25;
  system.shift(y, by.data());
  EXPECT_EQ(y.q()[layout.frame_q(0) + 7], 0.25);
}

}  // namespace
}  // namespace bristle
