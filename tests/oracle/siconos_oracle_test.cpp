// Contacts with Coulomb friction against Siconos: a slider, a stack of blocks, chains of bodies; and mechanisms that Siconos moves step by step.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "bristle/math/cone_problem.h"
#include "support/probe.h"
#include "support/tools.h"
#ifdef BRISTLE_HAVE_SICONOS
#include "oracle/siconos_oracle.h"
constexpr bool kHave = true;
#else
constexpr bool kHave = false;
#endif

namespace bristle {
namespace {

#ifdef BRISTLE_HAVE_SICONOS
using Matrix = std::vector<std::vector<double>>;  // rows by body velocity

/// Both solve u = D M^-1 D' p + D v; the velocities after it are compared, since impulses of redundant contacts are not unique.
void compare(const Matrix& D, const std::vector<double>& mass, const std::vector<double>& v, double mu, const char* what) {
  const std::size_t n = D.size();
  ConeProblem problem;
  problem.resize(static_cast<int>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < v.size(); ++k) problem.b[i] += D[i][k] * v[k];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < v.size(); ++k) problem.W[i * n + j] += D[i][k] * D[j][k] / mass[k];
    }
    if (i % 3 == 0) problem.blocks.push_back({static_cast<int>(i), 2, mu, 0, false});
  }
  std::vector<double> p(n, 0);
  const ConeAnswer ours = problem.solve(p.data());
  const test::SiconosAnswer theirs = test::siconos_contacts(problem.W, problem.b, std::vector<double>(n / 3, mu), 1e-12);
  ASSERT_TRUE(theirs.solved) << what;
  EXPECT_LT(ours.residual, 1e-12) << what;
  EXPECT_LT(problem.residual(theirs.impulse.data()), 1e-9) << what;  // its answer obeys our laws
  for (std::size_t i = 0; i < n; ++i) {
    double u = problem.b[i];
    for (std::size_t j = 0; j < n; ++j) u += problem.W[i * n + j] * p[j];
    EXPECT_NEAR(u, theirs.velocity[i], 1e-8) << what << ", row " << i;
  }
}

/// Rows of a point between body a (-1: ground) and body b, arms from their centres: normal z, tangents x and y.
void add_point(Matrix& D, int bodies, int a, const double* arm_a, int b, const double* arm_b) {
  for (int axis : {2, 0, 1}) {
    std::vector<double> row(static_cast<std::size_t>(6 * bodies), 0);
    const auto put = [&](int body, const double* r, double sign) {
      if (body < 0) return;
      double e[3] = {0, 0, 0};
      e[axis] = sign;
      const auto at = static_cast<std::size_t>(6 * body);
      row[at + static_cast<std::size_t>(axis)] = sign;
      row[at + 3] = r[1] * e[2] - r[2] * e[1];
      row[at + 4] = r[2] * e[0] - r[0] * e[2];
      row[at + 5] = r[0] * e[1] - r[1] * e[0];
    };
    put(a, arm_a, -1);
    put(b, arm_b, 1);
    D.push_back(row);
  }
}

/// Moreau's midpoint rule on few coordinates of its own, with Newton's impact law: Siconos finds the impulses of every step.
struct Midpoint {
  using Numbers = std::vector<double>;
  std::function<void(const Numbers& q, const Numbers& v, double t, Eigen::MatrixXd& M, Eigen::VectorXd& f)> motion;
  /// Gaps, and for each the rows of gap and slip.
  std::function<void(const Numbers& q, Numbers& gap, Matrix& rows)> contacts;
  double restitution = 0, mu = 0;
  Numbers q, v;
  double t = 0;

  void step(double h) {
    const auto n = static_cast<Eigen::Index>(q.size());
    Numbers middle = q, gap;
    for (std::size_t i = 0; i < q.size(); ++i) middle[i] += 0.5 * h * v[i];
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n), before = Eigen::Map<Eigen::VectorXd>(v.data(), n);
    Numbers mean = v;  // of the velocity, as forces alone would make it
    for (int pass = 0; pass < 3; ++pass) {
      M.setZero(), f.setZero();
      motion(middle, mean, t + 0.5 * h, M, f);
      const Eigen::VectorXd half = 0.5 * h * M.ldlt().solve(f);
      for (std::size_t i = 0; i < v.size(); ++i) mean[i] = v[i] + half[static_cast<Eigen::Index>(i)];
    }
    Matrix rows;
    contacts(middle, gap, rows);
    std::vector<std::size_t> closed;
    for (std::size_t k = 0; k < gap.size(); ++k) {
      if (gap[k] <= 0) closed.push_back(k);
    }
    const Eigen::LDLT<Eigen::MatrixXd> inverse(M);
    Eigen::VectorXd after = before + h * inverse.solve(f);
    if (!closed.empty()) {
      // a third row per contact, which nothing moves
      const auto m = static_cast<Eigen::Index>(3 * closed.size());
      Eigen::MatrixXd D = Eigen::MatrixXd::Zero(m, n), W = Eigen::MatrixXd::Identity(m, m);
      for (std::size_t c = 0; c < closed.size(); ++c) {
        for (std::size_t r = 0; r < 2; ++r) {
          for (std::size_t i = 0; i < q.size(); ++i)
            D(static_cast<Eigen::Index>(3 * c + r), static_cast<Eigen::Index>(i)) = rows[2 * closed[c] + r][i];
        }
      }
      W = D * inverse.solve(D.transpose());
      Eigen::VectorXd b = D * after, u = D * before;
      for (Eigen::Index c = 0; c < m; c += 3) b[c] += restitution * std::min(0.0, u[c]), W(c + 2, c + 2) = W(c, c);
      std::vector<double> flat;
      for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index j = 0; j < m; ++j) flat.push_back(W(i, j));
      }
      const test::SiconosAnswer answer =
          test::siconos_contacts(flat, {b.data(), b.data() + m}, Numbers(closed.size(), mu), 1e-13);
      ASSERT_TRUE(answer.solved) << "t = " << t;
      after += inverse.solve(D.transpose() * Eigen::Map<const Eigen::VectorXd>(answer.impulse.data(), m));
    }
    for (std::size_t i = 0; i < q.size(); ++i) {
      v[i] = after[static_cast<Eigen::Index>(i)];
      q[i] = middle[i] + 0.5 * h * v[i];
    }
    t += h;
  }
};

/// Slider-crank whose slider has play in its guide: P. Flores, R. Leine, C. Glocker, Modeling and analysis of planar rigid multibody systems
/// with translational clearance joints based on the non-smooth dynamics approach, Multibody System Dynamics 23 (2010). Coordinates: angles
/// of crank, rod and slider.
struct PlayingSlider {
  double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4,
         J3 = 2.7e-6, g = 9.81, speed = 150, spin = 0, restitution = 0.4, mu = 0.01;

  Midpoint peer() const {
    Midpoint p;
    p.restitution = restitution, p.mu = mu;
    p.q = {0, 0, 0};
    p.v = {speed, -speed * l1 / l2, spin};
    p.motion = [*this](const std::vector<double>& q, const std::vector<double>& v, double, Eigen::MatrixXd& M,
                       Eigen::VectorXd& f) {
      const double k = (0.5 * m2 + m3) * l1 * l2, s = std::sin(q[0] - q[1]);
      M(0, 0) = J1 + (0.25 * m1 + m2 + m3) * l1 * l1;
      M(1, 1) = J2 + (0.25 * m2 + m3) * l2 * l2;
      M(0, 1) = M(1, 0) = k * std::cos(q[0] - q[1]);
      M(2, 2) = J3;
      f[0] = -k * s * v[1] * v[1] - g * l1 * std::cos(q[0]) * (0.5 * m1 + m2 + m3);
      f[1] = k * s * v[0] * v[0] - g * l2 * std::cos(q[1]) * (0.5 * m2 + m3);
    };
    p.contacts = [*this](const std::vector<double>& q, std::vector<double>& gap, Matrix& rows) {
      const double y = l1 * std::sin(q[0]) + l2 * std::sin(q[1]);
      for (double sx : {1.0, -1.0}) {
        for (double sy : {1.0, -1.0}) {
          const double rx = sx * a * std::cos(q[2]) - sy * b * std::sin(q[2]),
                       ry = sx * a * std::sin(q[2]) + sy * b * std::cos(q[2]);
          const std::vector<double> up = {l1 * std::cos(q[0]), l2 * std::cos(q[1]), rx};
          gap.push_back(b + c - sy * (y + ry));
          rows.push_back({-sy * up[0], -sy * up[1], -sy * up[2]});
          rows.push_back({-l1 * std::sin(q[0]), -l2 * std::sin(q[1]), -ry});
        }
      }
    };
    return p;
  }
  std::string text(double step) const {
    return fmt::format(R"(bristle: 1
gravity: [0, -{g}, 0]
bodies:
  crank: {{type: planar, mass: {m1}, inertia: {J1}, position: [{h1}, 0], velocity: [0, {u1:.17g}], angular_velocity: {w1}}}
  rod: {{type: planar, mass: {m2}, inertia: {J2}, position: [{h2}, 0], velocity: [0, {u2:.17g}], angular_velocity: {w2:.17g}}}
  slider: {{type: planar, mass: {m3}, inertia: {J3}, position: [{end}, 0], angular_velocity: {spin}}}
joints:
  main: {{type: revolute, between: [ground, crank], at: [0, 0]}}
  pin: {{type: revolute, between: [crank, rod], at: [{l1}, 0]}}
  wrist: {{type: revolute, between: [rod, slider], at: [{end}, 0]}}
  guide: {{type: prismatic, between: [{{body: ground, at: [0, 0], axis: x}}, {{body: slider, at: [0, 0], axis: x}}], clearance: {c}, width: {width}, length: {length},
    contact: {{type: rigid, restitution: {e}}}, friction: {{type: coulomb, mu_kinetic: {mu}}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: {step}}}}}
)",
                       fmt::arg("g", g), fmt::arg("m1", m1), fmt::arg("J1", J1), fmt::arg("h1", 0.5 * l1),
                       fmt::arg("u1", 0.5 * l1 * speed), fmt::arg("w1", speed), fmt::arg("m2", m2), fmt::arg("J2", J2),
                       fmt::arg("h2", l1 + 0.5 * l2), fmt::arg("u2", 0.5 * l1 * speed), fmt::arg("w2", -speed * l1 / l2),
                       fmt::arg("m3", m3), fmt::arg("J3", J3), fmt::arg("end", l1 + l2), fmt::arg("l1", l1), fmt::arg("c", c),
                       fmt::arg("width", 2 * b), fmt::arg("length", 2 * a), fmt::arg("e", restitution), fmt::arg("mu", mu),
                       fmt::arg("step", step), fmt::arg("spin", spin));
  }
};

/// What two programs are apart at most, and what there was to see.
struct Apart {
  double height = 0, tilt = 0, turned = 0, tilted = 0;
  int impacts = 0;
};
Apart run_both(const PlayingSlider& machine, double h, double end) {
  Midpoint peer = machine.peer();
  test::Mechanism m(machine.text(h));
  m.start();
  Apart apart;
  double last = 0;
  const int steps = static_cast<int>(std::lround(end / h));
  for (int k = 0; k < steps; ++k) {
    peer.step(h);
    if (testing::Test::HasFatalFailure() || !m.run().advance((k + 1) * h)) {
      ADD_FAILURE() << m.run().message();
      break;
    }
    const double up = machine.l1 * std::cos(peer.q[0]) * peer.v[0] + machine.l2 * std::cos(peer.q[1]) * peer.v[1];
    if (std::abs(up - last) > 0.05) ++apart.impacts;
    last = up;
    if (k % 20 != 0) continue;
    const double y = machine.l1 * std::sin(peer.q[0]) + machine.l2 * std::sin(peer.q[1]);
    apart.height = std::max(apart.height, std::abs(m.read("slider.position.y") - y));
    apart.tilt = std::max(apart.tilt, std::abs(m.read("slider.angle") - peer.q[2]));
    apart.turned = std::max(apart.turned, std::abs(m.read("crank.angle") - peer.q[0]));
    apart.tilted = std::max(apart.tilted, std::abs(peer.q[2]));
  }
  return apart;
}

void stack(int blocks, double push, double mu, const char* what) {
  Matrix D;
  std::vector<double> mass, v;
  for (int i = 0; i < blocks; ++i) {
    for (double x : {1.0, -1.0}) {
      for (double y : {1.0, -1.0}) {
        const double low[3] = {0.1 * x, 0.1 * y, -0.05}, high[3] = {0.1 * x, 0.1 * y, 0.05};
        add_point(D, blocks, i - 1, high, i, low);
      }
    }
    for (double m : {1.0, 1.0, 1.0, 0.004, 0.004, 0.0067}) mass.push_back((1 + i) * m);
    for (double w : {i == blocks - 1 ? push : 0.0, 0.0, -9.81e-3, 0.0, 0.0, 0.0}) v.push_back(w);
  }
  compare(D, mass, v, mu, what);
}
#endif

TEST(SiconosOracle, a_slider_slides_and_sticks_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  for (double push : {0.001, 0.0049, 0.02, 0.5}) stack(1, push, 0.5, "slider");
#endif
}

TEST(SiconosOracle, a_stack_of_blocks_is_held_and_dragged_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  for (int blocks : {2, 3, 5}) {
    for (double push : {0.0, 0.002, 0.01}) stack(blocks, push, 0.4, "stack");
  }
#endif
}

TEST(SiconosOracle, chains_of_bodies_answer_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 30; ++trial) {
    const int bodies = 2 + trial % 6;
    Matrix D;
    std::vector<double> mass, v;
    for (int i = 0; i < bodies; ++i) {
      double a[3], b[3];
      for (int k = 0; k < 3; ++k) a[k] = 0.3 * normal(random), b[k] = 0.3 * normal(random);
      add_point(D, bodies, i - 1, a, i, b);
      for (int k = 0; k < 6; ++k)
        mass.push_back(1 + std::abs(normal(random))), v.push_back(normal(random) - (k == 2 ? 1 + i : 0));
    }
    compare(D, mass, v, 0.2, "chain");
  }
#endif
}

TEST(SiconosOracle, a_slider_crank_with_play_in_its_guide_moves_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  // both are of first order over impacts, each in its own way: what they are apart falls with the step
  double before = 1;
  for (double h : {1e-5, 2.5e-6}) {
    const Apart apart = run_both(PlayingSlider{}, h, 0.06);
    EXPECT_GE(apart.impacts, 5) << h;
    const double now = apart.height / PlayingSlider{}.c + apart.turned;
    EXPECT_LT(now, 0.6 * before) << h;
    before = now;
  }
  EXPECT_LT(before, 0.01);
  // with a slider that spins it rattles from corner to corner. Where that ends depends on the step in either program, from the second
  // impact on; up to there
  PlayingSlider spinning;
  spinning.spin = 2;
  const Apart apart = run_both(spinning, 2.5e-6, 0.007);
  EXPECT_GT(apart.tilted, 5e-3);
  EXPECT_LT(apart.tilt, 0.01 * apart.tilted);
  EXPECT_LT(apart.height, 0.01 * spinning.c);
#endif
}

TEST(SiconosOracle, a_shaken_coulomb_slider_moves_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  // a mass of 2 kg on a floor, mu = 0.3, pushed by 10 sin(4 t) N along it: slides to and fro, and rests in between
  const double h = 1e-3;
  Midpoint peer;
  peer.mu = 0.3;
  peer.q = {0, 0}, peer.v = {0, 0};
  peer.motion = [](const std::vector<double>&, const std::vector<double>&, double t, Eigen::MatrixXd& M, Eigen::VectorXd& f) {
    M(0, 0) = M(1, 1) = 2;
    f[0] = 10 * std::sin(4 * t), f[1] = -2 * 9.81;
  };
  peer.contacts = [](const std::vector<double>& q, std::vector<double>& gap, Matrix& rows) {
    gap = {std::min(q[1], 0.0)};  // it never leaves the floor
    rows = {{0, 1}, {1, 0}};
  };
  test::Mechanism m(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  block: {type: particle, mass: 2, position: [0, 0, 0.02]}
joints:
  floor: {type: contact, between: [ground, block], surfaces: [{type: plane, axis: z}, {type: sphere, radius: 20 mm}], contact: {type: rigid, restitution: 0}, friction: {type: coulomb, mu_kinetic: 0.3}}
forces:
  push: {type: force, on: block, force: ["10*sin(4*t)", 0, 0]}
analysis: {type: transient, end: 10 s, integrator: {type: moreau_jean, step: 1 ms}}
)yaml");
  m.start();
  int stuck = 0, slid = 0;
  for (int k = 0; k < 5000; ++k) {
    peer.step(h);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(m.run().advance((k + 1) * h)) << m.run().message();
    const double v = m.read("block.velocity.x");
    ASSERT_NEAR(v, peer.v[0], 1e-9) << k;
    ASSERT_NEAR(m.read("block.position.x"), peer.q[0], 1e-9) << k;
    ++(std::abs(v) < 1e-12 ? stuck : slid);
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slid, 100);
#endif
}

}  // namespace
}  // namespace bristle
