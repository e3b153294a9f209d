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
constexpr int kBead = 1;  // the frame of the telescope
constexpr double kBeadMass = 0.8, kGravity = 9.81, kStiffness = 30, kRail = 0.7;

/// The coordinates of a telescope and its frame beside the ground.
Layout telescope_layout() {
  Layout layout;
  layout.scalars = layout.ground = 2;
  layout.sizes.q = layout.sizes.v = 3;
  layout.coordinates = {"arm.length", "arm.angle", "ground"};
  layout.map_numbers = FrameMap::numbers_of(2);
  layout.bodies.push_back(BodyInfo::ground());
  layout.bodies.push_back({FrameMap::matrix(0, 0, 2, 0), "arm", "telescope"});
  layout.channels = {{"arm.x", "m", "of the bead"}, {"arm.y", "m", "of the bead"}};
  return layout;
}

/// A telescope whose bead runs on an upright rail at x = kRail, hung from the height zero by a spring that pulls askew: its other end stands beside the
/// rail. `floor`: what stops it below.
struct Rail {
  int rail = 0, height = 0, gap = 0;
  std::unique_ptr<System> system;

  explicit Rail(double y, double v, double stiffness, double floor) {
    Layout layout = telescope_layout();
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
    blocks.push_back(std::make_unique<Telescope>(layout.bodies[kBead], kBead, kBeadMass, kGravity, q, rates));
    Marker on_rail, bead;
    on_rail.s[0] = kRail;
    bead.body = kBead;
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
  const double w = std::sqrt(kStiffness / kBeadMass), sag = kBeadMass * kGravity / kStiffness;
  const double y = -sag + (y0 + sag) * std::cos(w * end) + v0 / w * std::sin(w * end);
  std::vector<double> out(model.system->layout().channels.size());
  run->system().readings().calc_outputs(run->system().look(run->state(), run->workspace()), out.data());
  EXPECT_NEAR(out[0], kRail, 1e-6);  // what the correction of a method that does not solve for the joint leaves
  EXPECT_NEAR(out[1], y, 2e-5);      // (w h)^2/12 times the length of the way: second order methods
  EXPECT_NEAR(out[3], kStiffness * y, 6e-4);
  EXPECT_LT(std::abs(run->ledger().residual()), 1e-4 * run->ledger().scale());
}

TEST_P(ForeignBody, presses_on_a_floor_with_the_force_of_its_contact) {
  // it falls without a spring and stays in contact for pi/w and a little more
  const double y0 = 0.1, fall = std::sqrt(2 * y0 / kGravity), w = std::sqrt(2000 / kBeadMass), end = fall + 1.2 / w;
  const Rail model(y0, 0, 0, 0);
  auto run = model.run(GetParam(), 2e-4);
  ASSERT_TRUE(run->advance_to(end)) << run->message();
  const double sag = kGravity / (w * w), speed = kGravity * fall, t = end - fall;
  const double y = -sag + sag * std::cos(w * t) - speed / w * std::sin(w * t);
  std::vector<double> out(model.system->layout().channels.size());
  run->system().readings().calc_outputs(run->system().look(run->state(), run->workspace()), out.data());
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
  EXPECT_FALSE(model.system->masses().constant());
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
    system.motion().move(x, 1, step.data(), y, chart);
    system.motion().difference(x, y, back.data(), chart);
    for (std::size_t k = 0; k < step.size(); ++k) EXPECT_NEAR(back[k], step[k], 1e-14) << k;  // round-off
    EXPECT_EQ(y.q()[layout.frame_q(0) + 7], step[7]);
    EXPECT_EQ(y.v()[layout.frame_v(0) + 7], step[15 + 8]);
  }
  State y = x;
  std::vector<double> by(static_cast<std::size_t>(layout.sizes.v), 0);
  by[static_cast<std::size_t>(layout.frame_v(0) + 6)] = 0.25;
  system.motion().shift(y, by.data());
  EXPECT_EQ(y.q()[layout.frame_q(0) + 7], 0.25);
}

/// A body that turns in space and carries a bead on a spring along its own x axis: six columns of a frame and one behind them. Its inertia couples all
/// seven and changes with the attitude and with the place of the bead. Frames: the body as a rigid one, and the bead, moved by a matrix.
class Carrier final : public Block {
 public:
  static constexpr double kOwn = 1.5, kBead = 0.7, kSpring = 40;
  static constexpr double kInertia[3] = {0.1, 0.3, 0.25};
  using Matrix3x7 = Eigen::Matrix<double, 3, 7>;
  using Matrix7 = Eigen::Matrix<double, 7, 7, Eigen::RowMajor>;
  using Vector7 = Eigen::Matrix<double, 7, 1>;

  explicit Carrier(const Layout& layout) : q_(layout.frame_q(0)), v_(layout.frame_v(0)), map_(layout.bodies[2]) {}
  unsigned roles() const override { return kPoses | kForces | kMass | kKinetic | kStored; }
  void start(State& x) const override {
    x.q()[q_ + 7] = 0.2;
    const double v[] = {0.3, -0.2, 0.1, 1.2, 2.0, -0.7, 0.4};
    std::copy_n(v, 7, x.v() + v_);
  }
  /// Velocities of the bead by column.
  Matrix3x7 columns(const double* q) const {
    const double* p = q + q_;
    const Eigen::Matrix3d R = Eigen::Quaterniond(p[3], p[4], p[5], p[6]).toRotationMatrix();
    Matrix3x7 B;
    B.leftCols<3>().setIdentity();
    for (int k = 0; k < 3; ++k) B.col(3 + k) = p[7] * R * Eigen::Vector3d::Unit(k).cross(Eigen::Vector3d::UnitX());
    B.col(6) = R.col(0);
    return B;
  }
  /// Acceleration of the bead while those of all columns are zero.
  Eigen::Vector3d drift(const double* q, const double* v) const {
    const double* p = q + q_;
    const Eigen::Vector3d w(v[v_ + 3], v[v_ + 4], v[v_ + 5]), x = Eigen::Vector3d::UnitX();
    const Eigen::Matrix3d R = Eigen::Quaterniond(p[3], p[4], p[5], p[6]).toRotationMatrix();
    return R * (p[7] * w.cross(w.cross(x)) + 2 * v[v_ + 6] * w.cross(x));
  }
  Matrix7 mass(const double* q) const {
    const Matrix3x7 B = columns(q);
    Matrix7 M = kBead * B.transpose() * B;
    for (int k = 0; k < 3; ++k) M(k, k) += kOwn, M(3 + k, 3 + k) += kInertia[k];
    return M;
  }
  void calc_poses(Eval& e) const override {
    Pose &own = e.pose[1], &bead = e.pose[2];
    own.R = matrix_of(e.q + q_ + 3);
    own.p = vec3(e.q + q_);
    own.v = vec3(e.v + v_);
    own.w = own.R * vec3(e.v + v_ + 3);
    const Matrix3x7 B = columns(e.q);
    const Eigen::Vector3d at = drift(e.q, e.v), u = B * Eigen::Map<const Vector7>(e.v + v_);
    double* numbers = map_.open(e.map, bead);
    bead.R = own.R;
    bead.w = own.w;
    bead.p = own.p + e.q[q_ + 7] * own.R.column(0);
    for (int i = 0; i < 3; ++i) {
      bead.v[i] = u[i];
      for (int c = 0; c < 7; ++c) {
        numbers[6 * c + i] = B(i, c);
        numbers[6 * c + 3 + i] = c < 3 || c > 5 ? 0 : own.R(i, c - 3);
      }
      map_.drift(bead)[i] = at[i];
      map_.drift(bead)[3 + i] = 0;
    }
  }
  void calc_forces(Eval& e) const override {
    const Vector7 f = -kBead * columns(e.q).transpose() * drift(e.q, e.v);
    for (int k = 0; k < 7; ++k) e.f[v_ + k] += f[k];
    const double* w = e.v + v_ + 3;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      e.f[v_ + 3 + k] -= (kInertia[j] - kInertia[i]) * w[i] * w[j];
    }
    e.f[v_ + 6] -= kSpring * e.q[q_ + 7];
  }
  /// Without what comes of the changing inertia: Newton's iteration takes a few rounds more.
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    const Matrix7 M = mass(e.q);
    for (int r = 0; r < 7; ++r) {
      for (int c = 0; c < 7; ++c) sink.add(JacobianSink::Part::mass, v_ + r, v_ + c, M(r, c));
    }
    sink.add(JacobianSink::Part::force_q, v_ + 6, v_ + 6, -kSpring);
  }
  void solve_mass(const double* q, const double* f, double* a) const override {
    Eigen::Map<Vector7>(a + v_) = mass(q).ldlt().solve(Eigen::Map<const Vector7>(f + v_));
  }
  void mass_blocks(std::vector<MassBlock>& list) const override {
    list.push_back({v_, 7, std::vector<double>(49, 0.0), false});
    const double q[] = {0, 0, 0, 0, 1, 0, 0, 0, 0.2};  // the ground, and its own
    Eigen::Map<Matrix7>(list.back().mass.data()) = mass(q + 1 - q_);
  }
  void calc_mass(const double* q, MassBlock& m) const override { Eigen::Map<Matrix7>(m.mass.data()) = mass(q); }
  double kinetic(const Eval& e) const override {
    const Eigen::Map<const Vector7> v(e.v + v_);
    return 0.5 * v.dot(mass(e.q) * v);
  }
  double stored(const Eval& e, double*) const override { return 0.5 * kSpring * e.q[q_ + 7] * e.q[q_ + 7]; }
  std::string cannot_step() const override { return "the carrier"; }
  /// Momentum, and angular momentum about the origin.
  void momenta(const State& x, Eigen::Vector3d& linear, Eigen::Vector3d& angular) const {
    const double *q = x.q() + q_, *v = x.v() + v_;
    const Eigen::Matrix3d R = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
    const Eigen::Vector3d r(q[0], q[1], q[2]), own = kOwn * Eigen::Vector3d(v[0], v[1], v[2]);
    const Eigen::Vector3d bead = kBead * columns(x.q()) * Eigen::Map<const Vector7>(v);
    linear = own + bead;
    angular = r.cross(own) + (r + q[7] * R.col(0)).cross(bead) +
              R * Eigen::Vector3d(kInertia[0] * v[3], kInertia[1] * v[4], kInertia[2] * v[5]);
  }

 private:
  int q_, v_;
  FrameMap map_;
};

/// The carrier alone, or with its bead held at a point of the world as by a ball joint.
struct Carried {
  const Carrier* carrier = nullptr;
  std::unique_ptr<System> system;

  explicit Carried(bool held) {
    Layout layout;
    layout.coordinates = {"ground"};
    const FrameCoordinates f = layout.add_frame(1);
    layout.map_numbers = FrameMap::numbers_of(7);
    layout.bodies = {
        BodyInfo::ground(), {FrameMap::space(f.q, f.v), "carrier", "rigid"}, {FrameMap::matrix(f.q, f.v, 7, 0), "bead", "bead"}};
    layout.freedoms = held ? 4 : 7;
    std::vector<std::unique_ptr<Block>> blocks;
    blocks.push_back(std::make_unique<Carrier>(layout));
    carrier = static_cast<const Carrier*>(blocks.back().get());
    if (held) {
      Marker ground, bead;
      ground.s[0] = 0.2;  // where it starts
      bead.body = 2;
      Links::Item link{ground, bead, {}};
      for (int k = 0; k < 3; ++k) {
        Links::Row row;
        row.relation = {Relation::Kind::along, k, 0};
        row.row = layout.rows.add(MarkerPair::columns(layout.bodies[0], layout.bodies[2]));
        layout.held.push_back({row.row, "joint 'ball'", "displacement"});
        link.rows.push_back(row);
      }
      blocks.push_back(std::make_unique<Links>(std::vector<Links::Item>{link}, layout.bodies));
    }
    system = std::make_unique<System>(std::move(layout), std::move(blocks));
  }
  std::unique_ptr<bristle::Run> run(const char* method, double h, const State& x) const {
    std::vector<std::unique_ptr<StepController>> rules;
    auto constant = std::make_unique<ConstantStep>();
    constant->step = h;
    rules.push_back(std::move(constant));
    Describer keys;
    auto made = std::make_unique<bristle::Run>(*system, integrator_registry().find(method)->make(keys), std::move(rules));
    made->start(x);
    return made;
  }
};

TEST(ForeignBodyHouse, a_body_that_turns_and_deforms_keeps_its_momenta_and_its_energy) {
  const Carried model(false);
  for (const char* method : {"rk4", "dormand_prince", "radau5"}) {
    auto run = model.run(method, 1e-3, model.system->make_state());
    Eigen::Vector3d p0, L0, p, L;
    model.carrier->momenta(run->state(), p0, L0);
    ASSERT_TRUE(run->advance_to(1)) << method << ": " << run->message();
    model.carrier->momenta(run->state(), p, L);
    // errors of the methods at this step: the fastest motion, the bead on its spring, has (w h)^4 = 4e-6 by 1/120
    EXPECT_LT((p - p0).norm(), 1e-6) << method;
    EXPECT_LT((L - L0).norm(), 1e-6) << method;
    EXPECT_LT(std::abs(run->ledger().residual()), 1e-6 * run->ledger().scale()) << method;
    EXPECT_GT(std::abs(run->state().q()[8] - 0.2), 1e-3) << "the bead has moved";
  }
}

TEST(ForeignBodyHouse, a_joint_holds_a_frame_that_deformation_moves) {
  const Carried model(true);
  const System& system = *model.system;
  State x = system.make_state();
  // the body moves so that the bead stands still
  const Eigen::Vector3d u = model.carrier->columns(x.q()) * Eigen::Map<const Eigen::Matrix<double, 7, 1>>(x.v() + 1);
  for (int k = 0; k < 3; ++k) x.v()[1 + k] -= u[k];
  for (const char* method : {"rk4", "generalized_alpha", "radau5"}) {
    auto run = model.run(method, 1e-3, x);
    ASSERT_TRUE(run->advance_to(1)) << method << ": " << run->message();
    Workspace w = system.make_workspace();
    system.look(run->state(), w);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(w.pose[2].p[k], k == 0 ? 0.2 : 0, 1e-6) << method;  // what correction leaves
    // generalised-alpha is of second order: (w h)^2/12 of the energy
    EXPECT_LT(std::abs(run->ledger().residual()), 1e-4 * run->ledger().scale()) << method;
  }
}

}  // namespace
}  // namespace bristle
