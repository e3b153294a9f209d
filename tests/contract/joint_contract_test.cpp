// Every joint of the list and of the recipe, and every coupling, between bodies of every kind: rows against differences, action and reaction, rank.
#include <gtest/gtest.h>

#include "support/probe.h"
#include "support/recipes.h"

namespace bristle {
namespace {

using namespace test;

struct Pair {
  std::string name, bodies, a, b;
};

/// Bodies of every kind at two places that have nothing to do with each other.
std::vector<Pair> pairs(const std::string& type) {
  const std::string rigid_a =
      "  a: {type: rigid, mass: 1.3, inertia: [[0.02, 0.002, 0.001], [0.002, 0.03, -0.003], [0.001, -0.003, 0.025]], center: [0.05, -0.02, 0.01],"
      " position: [0.1, -0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 0.7}}\n";
  const std::string rigid_b =
      "  b: {type: rigid, mass: 0.7, inertia: [0.01, 0.02, 0.015], position: [0.4, 0.2, -0.3], orientation: {axis: [-1, 1, 0.5], angle: 1.9}}\n";
  const std::string planar_a = "  a: {type: planar, mass: 1.1, inertia: 0.02, position: [0.2, -0.1], angle: 0.4}\n";
  const std::string planar_b = "  b: {type: planar, mass: 0.6, inertia: 0.01, position: [0.5, 0.3], angle: -0.8}\n";
  const Vector3d at = JointText{}.at, at_b = type == "distance" ? Vector3d(at + 0.4 * JointText{}.axis) : at;
  const std::string point_a = "  a: {type: particle, mass: 1.1, position: " + text_of(at) + "}\n";
  const std::string point_b = "  b: {type: particle, mass: 0.6, position: " + text_of(at_b) + "}\n";
  std::vector<Pair> list = {{"rigid-rigid", rigid_a + rigid_b, "a", "b"},
                            {"ground-rigid", rigid_b, "ground", "b"},
                            {"rigid-ground", rigid_a, "a", "ground"}};
  const bool points = type == "spherical" || type == "point_on_line" || type == "point_in_plane" || type == "distance";
  if (points) {
    list.push_back({"rigid-particle", rigid_a + point_b, "a", "b"});
    list.push_back({"ground-particle", point_b, "ground", "b"});
    if (type == "spherical" || type == "distance") {  // a particle carries no axis
      list.push_back({"particle-rigid", point_a + rigid_b, "a", "b"});
      list.push_back({"particle-particle", point_a + point_b, "a", "b"});
    }
  }
  if (type == "revolute" || type == "fixed" || type == "spherical" || type == "distance" || type == "point_on_line") {
    list.push_back({"planar-planar", planar_a + planar_b, "a", "b"});
    list.push_back({"ground-planar", planar_b, "ground", "b"});
  }
  return list;
}

bool in_plane(const std::string& name) { return name.find("planar") != std::string::npos; }

std::string model(const Pair& p, const std::string& joints, const std::string& gravity = "[0, 0, 0]") {
  return "bristle: 1\ngravity: " + gravity + "\nbodies:\n" + p.bodies + "joints:\n" + joints +
         "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";
}

JointText joint(const std::string& type, const Pair& p) {
  JointText j{type, p.a, p.b};
  if (in_plane(p.name)) {
    j.at.z() = 0;
    j.axis = type == "point_on_line" || type == "distance" ? Vector3d(0.6, 0.8, 0) : Vector3d(0, 0, 1);
    j.across = type == "point_on_line" || type == "distance" ? Vector3d(0.8, -0.6, 0) : Vector3d(0.6, 0.8, 0);
  }
  return j;
}

struct Case {
  std::string name, text, type;
  Pair pair;
};

std::vector<Case> all_cases() {
  std::vector<Case> list;
  for (const JointEntry& entry : joints_with_recipe()) {
    for (const Pair& p : pairs(entry.name)) {
      list.push_back({entry.name + ", " + p.name, model(p, "  j: " + joint(entry.name, p).text() + "\n"), entry.name, p});
    }
  }
  // couplings and drives: two joints of the right kind, and what couples them
  const Pair two = {"rigid-rigid",
                    "  a: {type: rigid, mass: 1.3, inertia: [0.02, 0.03, 0.025], position: [0.1, -0.2, 0.3]}\n"
                    "  b: {type: rigid, mass: 0.7, inertia: [0.01, 0.02, 0.015], position: [0.4, 0.2, -0.3]}\n",
                    "a", "b"};
  const std::string turn_a = "  p: {type: revolute, between: [ground, a], at: [0, 0.1, 0.2], axis: [0.6, 0, 0.8]}\n";
  const std::string turn_b = "  q: {type: revolute, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 0.6, 0.8]}\n";
  const std::string slide_b = "  q: {type: prismatic, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 0.6, 0.8]}\n";
  list.push_back(
      {"gear", model(two, turn_a + turn_b + "  j: {type: gear, between: [p.angle, q.angle], ratio: -0.4}\n"), "gear", two});
  list.push_back({"rack", model(two, turn_a + slide_b + "  j: {type: rack, between: [p.angle, q.displacement], radius: 0.2}\n"),
                  "rack", two});
  list.push_back(
      {"constraint",
       model(two,
             turn_a + slide_b +
                 "  j: {type: constraint, zero: \"q.displacement - 0.1*sin(2*p.angle)*cos(t) + 0.02*p.angle*q.displacement\"}\n"),
       "constraint", two});
  list.push_back({"constraint of positions",
                  model(two, "  j: {type: constraint, zero: \"a.position.x*b.position.y - 0.1*t + a.position.z^2 - 0.1\"}\n"),
                  "constraint", two});
  list.push_back(
      {"driven angle",
       model(
           two,
           "  p: {type: revolute, between: [ground, a], at: [0, 0.1, 0.2], axis: [0.6, 0, 0.8], drive: {angle: \"0.3*sin(2*t)\"}}\n"),
       "drive", two});
  list.push_back(
      {"driven speed",
       model(
           two,
           "  p: {type: revolute, between: [ground, a], at: [0, 0.1, 0.2], axis: [0.6, 0, 0.8], drive: {speed: \"0.3*sin(2*t)\"}}\n"),
       "drive", two});
  list.push_back(
      {"driven displacement",
       model(
           two,
           "  p: {type: prismatic, between: [a, b], at: [0, 0.1, 0.2], axis: [0.6, 0, 0.8], drive: {displacement: \"0.1*t^2\"}}\n"),
       "drive", two});
  const auto driven = [&](const char* type, const std::string& drive) {
    Pair p = two;
    p.bodies.replace(p.bodies.find("[0.4, 0.2, -0.3]"), 16, "[0.4, 0.2, -0.3], orientation: {axis: [1, 2, -1], angle: 0.4}");
    const std::string at_b = std::string(type) == "distance" ? ", at_b: [0.4, 0.1, 0.2]" : "";
    list.push_back(
        {fmt::format("driven {} {}", type, list.size()),
         model(p, fmt::format("  p: {{type: {}, between: [a, b], at: [0, 0.1, 0.2]{}, axis: [0.6, 0, 0.8], drive: {{{}}}}}\n",
                              type, at_b, drive)),
         "drive", p});
  };
  driven("spherical", "angle_x: \"0.3*sin(2*t)\", angle_y: \"0.2*t\", angle_z: \"3*t^2\"");
  driven("spherical", "speed_x: \"0.3*sin(2*t)\", speed_y: \"0.2*t\", speed_z: \"3*t\"");
  driven("spherical", "angular_velocity_x: \"0.3*sin(2*t)\", angular_velocity_y: \"0.2*t\", angular_velocity_z: \"3*t\"");
  driven("spherical", "orientation: [{z: \"2*t\"}, {x: \"0.3 + t^2\"}, {z: \"5*t^3\"}, {y: \"sin(t)\"}]");
  driven("constant_velocity", "bend_x: \"0.3*sin(2*t)\", bend_speed_y: \"0.2*t\"");
  driven("free", "x: t, orientation: [{z: \"2*t\"}, {y: \"t^2\"}]");
  driven("point_on_line", "velocity: t, orientation: [{x: \"2*t\"}, {y: \"t^2\"}]");
  driven("distance", "distance: \"0.4 + t\", angular_velocity_y: \"t^2\"");
  return list;
}

constexpr double kStep = 1e-3;
template <class F>
VectorXd slope(const F& f) {
  return (8 * (f(kStep) - f(-kStep)) - (f(2 * kStep) - f(-2 * kStep))) / (12 * kStep);
}
// fourth-order differences over 1e-3: derivatives of rows are below 1e3, truncation 1e-9, round-off 1e-13/1e-3
constexpr double kTolerance = 1e-8;

VectorXd values(Mechanism& m, const State& x) {
  m.look(x);
  return Eigen::Map<const VectorXd>(m.work().row_value.data(), m.layout().rows.count());
}
VectorXd rates(Mechanism& m, const State& x) {
  m.look(x);
  return Eigen::Map<const VectorXd>(m.work().row_rate.data(), m.layout().rows.count());
}

class JointContract : public testing::TestWithParam<Case> {};

/// Rates of the memory of drives.
VectorXd memory_rates(Mechanism& m) {
  Eval e = m.system().view(m.state(), m.work());
  m.system().calc_forces(e);
  VectorXd zdot(m.layout().sizes.z);
  for (int i = 0; i < m.layout().sizes.z; ++i) zdot[i] = e.zdot[i];
  return zdot;
}
bool has_position(Mechanism& m, int row) {
  for (const HeldRow& h : m.layout().held) {
    if (h.row == row) return h.holonomic;
  }
  return true;
}
/// Along the motion with constant velocities, for a time h.
State along(Mechanism& m, double h, const VectorXd& zdot) {
  State x = m.moved(m.velocity(), h);
  for (int i = 0; i < zdot.size(); ++i) x.z()[i] = m.state().z()[i] + h * zdot[i];
  m.system().set_time(x, m.state().t + h);
  return x;
}

TEST_P(JointContract, rows_are_derivatives_of_their_values) {
  Mechanism m(GetParam().text, {}, with_recipes());
  Dice dice(21);
  for (int trial = 0; trial < 8; ++trial) {
    m.state() = m.system().make_state();
    m.system().set_time(m.state(), 0.3);
    m.scatter(dice);
    m.look();
    const int n = m.layout().free();
    MatrixXd D(m.layout().rows.count(), n);
    for (int r = 0; r < m.layout().rows.count(); ++r) D.row(r) = m.row(r).transpose();
    for (int i = 0; i < n; ++i) {
      const VectorXd by = VectorXd::Unit(n, i);
      const VectorXd found = slope([&](double h) { return values(m, m.moved(by, h)); });
      for (int r = 0; r < m.layout().rows.count(); ++r) {
        // measures without a position of their own have no value
        m.look();
        if (m.work().row_value[static_cast<std::size_t>(r)] == 0 && found[r] == 0) continue;
        EXPECT_NEAR(D(r, i), found[r], kTolerance) << GetParam().name << ", row " << r << ", coordinate " << i;
      }
    }
  }
}

TEST_P(JointContract, rates_and_drifts_are_derivatives_along_the_motion) {
  Mechanism m(GetParam().text, {}, with_recipes());
  Dice dice(22);
  for (int trial = 0; trial < 8; ++trial) {
    m.state() = m.system().make_state();
    m.system().set_time(m.state(), 0.3);
    m.scatter(dice);
    VectorXd zdot = memory_rates(m);
    m.look();
    const VectorXd rate = rates(m, m.state());
    const VectorXd found = slope([&](double h) { return values(m, along(m, h, zdot)); });
    m.evaluate();  // drifts are made for what is held, not for results
    const VectorXd drift = Eigen::Map<VectorXd>(m.work().row_drift.data(), rate.size());
    m.look();
    VectorXd by_row(rate.size());
    for (int r = 0; r < rate.size(); ++r)
      by_row[r] = m.layout().rows.read(r, m.work().D.data(), m.state().v()) + m.work().row_partial[static_cast<std::size_t>(r)];
    const VectorXd second = slope([&](double h) { return rates(m, along(m, h, zdot)); });
    for (int r = 0; r < rate.size(); ++r) {
      EXPECT_NEAR(rate[r], by_row[r], 1e-12) << GetParam().name << ", row " << r;
      if (!has_position(m, r)) continue;
      EXPECT_NEAR(rate[r], found[r], kTolerance) << GetParam().name << ", row " << r;
    }
    for (const HeldRow& h : m.layout().held)
      EXPECT_NEAR(drift[h.row], second[h.row], kTolerance * 10 * (1 + std::abs(drift[h.row])))
          << GetParam().name << ": " << h.name;
  }
}

TEST_P(JointContract, geometric_stiffness_is_the_derivative_of_the_reactions) {
  Mechanism m(GetParam().text, {}, with_recipes());
  class Collect final : public JacobianSink {
   public:
    Collect(const Layout& l) : layout(l), K(MatrixXd::Zero(l.free(), l.free())) {}
    void add(Part part, int row, int column, double value) override {
      if (part == Part::force_q && layout.unknown(row) >= 0 && layout.unknown(column) >= 0)
        K(layout.unknown(row), layout.unknown(column)) += value;
    }
    const Layout& layout;
    MatrixXd K;
  };
  Dice dice(23);
  int tried = 0;
  for (int trial = 0; trial < 50 && tried < 5; ++trial) {
    m.state() = m.system().make_state();
    m.system().set_time(m.state(), 0.3);
    m.scatter(dice);
    for (int k = 0; k < m.system().layout().held_count(); ++k) m.state().lambda()[k] = dice.between(-2, 2);
    Collect sink(m.layout());
    m.system().calc_jacobian(m.state(), m.work(), sink);
    if (sink.K.norm() > 30) continue;  // near where an angle has no meaning
    ++tried;
    const int n = m.layout().free();
    const auto reaction = [&](const State& x) {
      m.look(x);
      VectorXd f = VectorXd::Zero(n);
      for (int k = 0; k < m.system().layout().held_count(); ++k)
        f -= m.state().lambda()[k] * m.row(m.layout().held[static_cast<std::size_t>(k)].row);
      return f;
    };
    for (int i = 0; i < n; ++i) {
      const VectorXd by = VectorXd::Unit(n, i);
      const VectorXd found = slope([&](double h) { return reaction(m.moved(by, h)); });
      for (int k = 0; k < n; ++k)
        EXPECT_NEAR(sink.K(k, i), found[k], kTolerance * 10) << GetParam().name << ", force " << k << ", coordinate " << i;
    }
  }
}

/// What a row does to the bodies: forces and moments about the origin, all together.
TEST_P(JointContract, action_is_reaction) {
  if (in_plane(GetParam().pair.name)) return;  // the plane itself takes what is across it
  Mechanism m(GetParam().text, {}, with_recipes());
  bool ground = false;
  for (const JointInfo& j : m.layout().joints) ground = ground || j.body[0] == 0 || j.body[1] == 0;
  if (ground || m.layout().joints.empty()) return;
  Dice dice(24);
  for (int trial = 0; trial < 8; ++trial) {
    m.state() = m.system().make_state();
    // particles take no moment: there it must vanish by itself, where the joint is closed
    if (GetParam().pair.name.find("particle") == std::string::npos) m.scatter(dice);
    else m.push(dice, 1);
    const Eval e = m.look();
    for (const HeldRow& h : m.layout().held) {
      Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
      const VectorXd d = m.row(h.row);
      for (std::size_t k = 1; k < m.layout().bodies.size(); ++k) {
        const BodyInfo& b = m.layout().bodies[k];
        const int at = m.layout().unknown(b.v);
        const Vector3d F = d.segment<3>(at), p(e.pose[k].p[0], e.pose[k].p[1], e.pose[k].p[2]);
        force += F;
        moment += p.cross(F);
        if (b.turns() != 3) continue;
        const Vec3<> turn = e.pose[k].R * Vec3<>{{d[at + 3], d[at + 4], d[at + 5]}};
        moment += Vector3d(turn[0], turn[1], turn[2]);
      }
      EXPECT_LT(force.norm(), 1e-13) << GetParam().name << ": " << h.name;
      EXPECT_LT(moment.norm(), 1e-13) << GetParam().name << ": " << h.name;
    }
  }
}

TEST_P(JointContract, joints_have_the_rows_they_promise_and_reactions_do_no_work) {
  Mechanism m(GetParam().text, {}, with_recipes());
  Dice dice(25);
  m.push(dice, 1);
  m.settle();
  m.look();
  EXPECT_TRUE(m.layout().redundant.empty()) << GetParam().name << ": " << m.layout().redundant[0];
  EXPECT_EQ(m.rank(), m.system().layout().held_count()) << GetParam().name;
  EXPECT_EQ(m.layout().freedoms, m.layout().free() - m.rank());
  bool listed = false;
  for (const JointEntry& entry : joints_with_recipe()) listed = listed || entry.name == GetParam().type;
  if (listed && !in_plane(GetParam().pair.name)) {
    EXPECT_EQ(m.rank(), JointText::declared(GetParam().type)) << GetParam().name;
  }
  const VectorXd v = m.velocity();
  for (const HeldRow& h : m.layout().held) {
    const double partial = m.work().row_partial[static_cast<std::size_t>(h.row)];
    EXPECT_NEAR(m.row(h.row).dot(v) + partial, 0, 1e-12) << GetParam().name << ": " << h.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointContract, testing::ValuesIn(all_cases()), [](const auto& c) {
  std::string name = c.param.name;
  for (char& ch : name) {
    if (!std::isalnum(static_cast<unsigned char>(ch))) ch = '_';
  }
  return name;
});

// ---- motion of whole mechanisms --------------------------------------------------------------------------------------------

/// Two bodies at a joint, turned as a whole and scaled.
struct Free {
  std::string type = {}, friction = {};
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  double length = 1, mass = 1;
  Vector3d gravity = Vector3d::Zero();
  bool grounded = false;
  double preload = 0.5;

  std::string text() const {
    const auto point = [&](double x, double y, double z) { return Vector3d(length * (turn * Vector3d(x, y, z))); };
    const Eigen::Quaterniond qa = turn * Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
    const Eigen::Quaterniond qb = turn * Eigen::Quaterniond(Eigen::AngleAxisd(1.9, Vector3d(-1, 1, 0.5).normalized()));
    const double inertia = mass * length * length;
    std::string bodies;
    if (!grounded)
      bodies += fmt::format("  a: {{type: rigid, mass: {:.17g}, inertia: {}, position: {}, orientation: {}}}\n", 1.3 * mass,
                            text_of(Vector3d(inertia * Vector3d(0.05, 0.08, 0.06))), text_of(point(0.1, -0.2, 0.3)), text_of(qa));
    bodies += fmt::format("  b: {{type: rigid, mass: {:.17g}, inertia: {}, position: {}, orientation: {}}}\n", 0.7 * mass,
                          text_of(Vector3d(inertia * Vector3d(0.03, 0.05, 0.04))), text_of(point(0.4, 0.2, -0.3)), text_of(qb));
    JointText j{type, grounded ? "ground" : "a", "b"};
    j.at = point(0.3, 0.1, -0.2);
    j.axis = turn * j.axis;
    j.across = turn * j.across;
    j.scale = length;
    j.friction = friction;
    j.preload = preload * mass;
    // time goes with the square root of length
    const double second = std::sqrt(length);
    return fmt::format(
        "bristle: 1\ngravity: {}\nbodies:\n{}joints:\n  j: {}\nanalysis: {{type: transient, end: {:.17g}, integrator: {{type: rk4, step: {:.17g}}}}}\n",
        text_of(Vector3d(turn * gravity)), bodies, j.text(), second, 1e-3 * second);
  }
};

/// Starting velocities in the frame of the whole model.
void set_going(Mechanism& m, const Free& f) {
  Dice dice(31);
  for (std::size_t k = 1; k < m.layout().bodies.size(); ++k) {
    const BodyInfo& b = m.layout().bodies[k];
    const Vector3d v = std::sqrt(f.length) * (f.turn * random_vector(dice, 1)), w = random_vector(dice, 2) / std::sqrt(f.length);
    for (int i = 0; i < 3; ++i) m.state().v()[b.v + i] = v[i], m.state().v()[b.v + 3 + i] = w[i];
  }
  m.settle();
}

std::vector<std::pair<std::string, std::string>> joints_and_friction() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const JointEntry& entry : joints_with_recipe()) {
    list.push_back({entry.name, ""});
    if (entry.sizes.empty()) continue;
    // a slider of 80 mm with its load 0.4 m beside it wedges where mu > 0.1
    const char* mu = entry.name == "prismatic" ? "0.05" : "0.3";
    list.push_back({entry.name, fmt::format("{{type: coulomb, mu_kinetic: {}}}", mu)});
    list.push_back({entry.name, fmt::format("{{type: tanh_slope, mu_kinetic: {}, slope: 20 s/m}}", mu)});
  }
  return list;
}

TEST(FreeMechanisms, momentum_is_conserved_with_and_without_friction) {
  for (const auto& [type, friction] : joints_and_friction()) {
    Free f{type, friction};
    // dry slip in the plane turns the faster the smaller it gets: steps of a tenth there
    const bool turns = friction.find("coulomb") != std::string::npos && (type == "planar" || type == "point_in_plane");
    Mechanism m(f.text(), turns ? std::vector<std::string>{"analysis.integrator.step=0.1 ms"} : std::vector<std::string>{},
                with_recipes());
    set_going(m, f);
    const auto before = m.momentum(m.state());
    const double energy = m.system().calc_energy(m.state(), m.work()).total();
    m.start();
    if (!m.go(0.3)) {
      ADD_FAILURE() << type << " " << friction;
      continue;
    }
    const auto after = m.momentum(m.run().state());
    // the rotation update of RK4 is of fourth order: 1e-3 s at 2 rad/s leaves 1e-11
    EXPECT_LT((after.linear - before.linear).norm(), 1e-11) << type << " " << friction;
    EXPECT_LT((after.angular - before.angular).norm(), 1e-9) << type << " " << friction;
    EXPECT_LT(m.residual(), friction.empty() ? 1e-9 : turns ? 1e-7 : 1e-8) << type << " " << friction;
    const double now = m.system().calc_energy(m.run().state(), m.work()).total();
    if (friction.empty()) EXPECT_NEAR(now, energy, 1e-8 * energy) << type;
    else EXPECT_LT(now, energy) << type << " " << friction;
    EXPECT_GE(m.run().ledger().dissipated(), -1e-12 * energy) << type << " " << friction;
  }
}

TEST(FreeMechanisms, turning_the_model_turns_the_result) {
  Dice dice(41);
  for (const auto& [type, friction] : joints_and_friction()) {
    for (bool grounded : {false, true}) {
      Free f{type, friction};
      f.gravity = {3, -5, -7};
      f.grounded = grounded;
      Free g = f;
      g.turn = random_turn(dice);
      Mechanism m(f.text(), {}, with_recipes()), n(g.text(), {}, with_recipes());
      set_going(m, f), set_going(n, g);
      m.start(), n.start();
      ASSERT_TRUE(m.go(0.2) && n.go(0.2)) << type << " " << friction;
      const Vector3d a = m.vector("b.position"), b = n.vector("b.position");
      // round-off, carried on by motion that grows errors at most hundredfold in this time
      EXPECT_LT((g.turn * a - b).norm(), 1e-11) << type << " " << friction << (grounded ? " on the ground" : "");
      EXPECT_LT((g.turn.toRotationMatrix() * m.attitude("b") - n.attitude("b")).norm(), 1e-10) << type << " " << friction;
      EXPECT_LT((g.turn * m.vector("j.force") - n.vector("j.force")).norm(), 1e-8 * (1 + m.vector("j.force").norm())) << type;
    }
  }
}

TEST(FreeMechanisms, scaling_lengths_and_masses_scales_the_result) {
  for (const auto& [type, friction] : joints_and_friction()) {
    if (friction.find("tanh") != std::string::npos) continue;  // has a speed of its own
    Free f{type, friction};
    f.gravity = {3, -5, -7};
    f.grounded = true;
    Free g = f;
    g.length = 4, g.mass = 10;  // times: 2
    Mechanism m(f.text(), {}, with_recipes()), n(g.text(), {}, with_recipes());
    set_going(m, f), set_going(n, g);
    m.start(), n.start();
    ASSERT_TRUE(m.go(0.2) && n.go(0.4)) << type << " " << friction;
    EXPECT_LT((4 * m.vector("b.position") - n.vector("b.position")).norm(), 4e-10) << type << " " << friction;
    EXPECT_LT((10 * m.vector("j.force") - n.vector("j.force")).norm(), 1e-7 * (1 + n.vector("j.force").norm())) << type;
  }
}

TEST(JointRefusals, a_particle_cannot_be_held_by_a_moment) {
  const std::string bodies = "  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n  b: {type: particle, mass: 1, position: POINT}\n";
  for (const JointEntry& entry : joints_with_recipe()) {
    Pair p{"rigid-particle", bodies, "a", "b"};
    const JointText j{};
    const Vector3d point = entry.name == "distance" ? Vector3d(j.at + 0.4 * j.axis) : j.at;
    p.bodies.replace(p.bodies.find("POINT"), 5, text_of(point));
    bool turns = false;
    for (const RelationPlan& held : entry.plan(JointSizes{1, 0, 0, 0, 1, 0, false, 0.005}).held)
      turns = turns || held.relation.rotary();
    const std::string text = model(p, "  j: " + joint(entry.name, p).text() + "\n");
    if (turns) EXPECT_THROW(Mechanism{text}, InputError) << entry.name;
    else EXPECT_NO_THROW(Mechanism{text}) << entry.name;
  }
}

}  // namespace
}  // namespace bristle
