// The matrix of implicit stages: against differences, dense against sparse, with places at rest and without.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>

#include "bristle/integrate/stage_matrix.h"
#include "support/models.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using namespace test;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Every kind of body, force, state and place, n times over. Dry places can hold more than anything here asks for.
std::string every_block(int n) {
  std::string bodies, states, forces, joints;
  const auto law = [](const char* name) { return spanning_laws().at(name); };
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    bodies += fmt::format(R"yaml(  a{0}: {{type: mass, mass: 1.3 kg}}
  b{0}: {{type: mass, mass: 0.7 kg}}
  rotor{0}: {{type: inertia, inertia: 0.2 kg m^2}}
  frame{0}: {{type: matrices, coordinates: [u, w], mass: [[2, 0.3], [0.3, 1]], stiffness: [[30, -10], [-10, 20]], damping: [[0.3, 0.1], [0.1, 0.2]]}}
  belt{0}: {{type: driven, position: "0.1*sin(3*t)"}}
)yaml",
                          i);
    states += fmt::format(
        "  filter{0}: {{rate: \"3*(a{0}.velocity - filter{0}.value) + b{0}.position^2 + p{0}.slip*filter{0}.value\", start: 0.2}}\n",
        i);
    forces += fmt::format(
        R"yaml(  s{0}: {{type: spring, between: [ground, a{0}], stiffness: 40 N/m, cubic: 300 N/m^3, damping: 0.5 N s/m, length: 0.1}}
  t{0}: {{type: spring, between: [a{0}, b{0}], stiffness: 25 N/m}}
  d{0}: {{type: damper, between: [b{0}, frame{0}.u], damping: 0.4 N s/m, quadratic: 3}}
  g{0}: {{type: dead_band, between: [a{0}, frame{0}.w], stiffness: 80 N/m, clearance: 0.05, damping: 1 N s/m}}
  o{0}: {{type: one_way, between: [belt{0}, b{0}], stiffness: 70 N/m, cubic: 40 N/m^3, gap: 0.02, damping: 0.3 N s/m}}
  r{0}: {{type: table_spring, between: [ground, b{0}], extension: [-0.5, 0, 0.4], force: [-3, 0, 5], damping: 0.2 N s/m}}
  shaft{0}: {{type: spring, between: [ground, rotor{0}], stiffness: 3 N m, damping: 0.02 N m s}}
  load{0}: {{type: load, on: {{a{0}: 0.5, b{0}: -1.5}}, force: "2*sin(t) - a{0}.position*b{0}.velocity + 0.3*filter{0}.value^2 + s{0}.rate"}}
)yaml",
        i);
    joints += fmt::format(
        "  p{0}: {{type: sliding, between: [belt{0}, a{0}], load: \"2 + b{0}.position^2 + 0.1*filter{0}.value + abs(a{0}.velocity)\", friction: {1}}}\n",
        i, law("lugre"));
    joints += fmt::format("  q{0}: {{type: sliding, between: [a{0}, b{0}], load: 1 kN, friction: {1}}}\n", i, law("coulomb"));
    joints += fmt::format(
        "  g2{0}: {{type: sliding, between: [[ground, ground], [frame{0}.u, frame{0}.w]], load: 3 N, friction: {1}}}\n", i,
        law("generalised_maxwell_slip"));
    joints += fmt::format("  x{0}: {{type: sliding, on: {{frame{0}.u: 0.5, b{0}: 0.5}}, load: 2 N, friction: {1}}}\n", i,
                          law("seven_parameter"));
    joints += fmt::format(
        "  w{0}: {{type: sliding, between: [ground, rotor{0}], arm: 0.2 m, force_arm: 0.3 m, load: 1 kN, friction: {{type: stribeck, mu_static: 0.4, mu_kinetic: 0.3, stribeck_velocity: 0.1 m/s}}}}\n",
        i);
    joints += fmt::format(
        "  h{0}: {{type: sliding, between: [ground, b{0}], load: 2 N, friction: {{type: valanis, stick_stiffness: 1e3 1/m, tangent_stiffness: 1e2 1/m, knee: 0.4}}}}\n",
        i);
    joints += fmt::format(
        "  y{0}: {{type: sliding, between: [[ground, ground], [a{0}, frame{0}.u]], load: 2 N, friction: {1}, smoothing: {{shape: tanh, velocity: 0.05 m/s}}}}\n",
        i, law("coulomb"));
  }
  return "bristle: 1\nbodies:\n" + bodies + "states:\n" + states + "forces:\n" + forces + "joints:\n" + joints +
         "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";
}

/// A state away from all corners; dry places slide, or rest where `stuck` says so.
State random_state(const System& system, Dice& dice, const std::vector<bool>& stuck) {
  State x = system.make_state();
  system.set_time(x, dice.between(0, 2));
  const Layout& layout = system.layout();
  for (int i = 0; i < layout.scalars; ++i) {
    x.q()[i] = dice.sign() * dice.between(0.1, 0.3);
    x.v()[i] = dice.sign() * dice.between(0.05, 0.4);
  }
  for (int i = 0; i < layout.sizes.z; ++i) x.z()[i] += dice.between(0.02, 0.2);
  const std::vector<DryPlace>& dry = system.dry();
  const std::vector<double> D = system.make_workspace().D;
  for (std::size_t p = 0; p < dry.size(); ++p) {
    double* mark = x.marks() + dry[p].mark;
    const bool rest = p < stuck.size() && stuck[p];
    mark[0] = static_cast<double>(rest ? Mode::stick : Mode::slip);
    double size = 0, slip[3] = {0, 0, 0};
    for (int d = 0; d < dry[p].components; ++d) {
      const RestRow& row = dry[p].rows[static_cast<std::size_t>(d)];
      slip[d] = row.arm * layout.rows.read(row.row, D.data(), x.v());
      size += slip[d] * slip[d];
    }
    for (int d = 0; d < dry[p].components; ++d) mark[1 + d] = rest ? 0 : slip[d] / std::sqrt(size);
  }
  return x;
}

struct Bench {
  Trial trial;
  const System& system;
  Workspace work;
  Multipliers kernel;
  StageMatrix matrix;
  int n;
  explicit Bench(const std::string& text)
      : trial(text), system(trial.system()), work(system.make_workspace()), n(system.layout().order_one()) {
    kernel.prepare(system);
    matrix.prepare(system);
  }
  Matrix analytic(const State& x) {
    kernel.evaluate(system, x, work);
    matrix.refresh(system, x, work);
    Matrix J(n, n);
    matrix.dense_jacobian(system, x, work, kernel, J.data());
    return J;
  }
  Matrix differences(const State& x) {
    Matrix J(n, n);
    State y = x;
    std::vector<double> step(static_cast<std::size_t>(n), 0);
    for (int c = 0; c < n; ++c) {
      const double h = 1e-6;
      Eigen::VectorXd side[2];
      for (int s = 0; s < 2; ++s) {
        std::fill(step.begin(), step.end(), 0.0);
        step[static_cast<std::size_t>(c)] = s ? h : -h;
        y = x;
        system.motion().move(x, 1, step.data(), y);
        system.set_time(y, x.t);
        kernel.evaluate(system, y, work);
        side[s] = Eigen::Map<Eigen::VectorXd>(work.rate.data(), n);
      }
      J.col(c) = (side[1] - side[0]) / (2 * h);
    }
    return J;
  }
};

TEST(Jacobian, agrees_with_differences_for_every_kind_of_block) {
  Dice dice(41);
  Bench bench(every_block(1));
  for (int k = 0; k < 30; ++k) {
    const State x = random_state(bench.system, dice, {});
    const Matrix J = bench.analytic(x), D = bench.differences(x);
    int bad = 0;
    for (int r = 0; r < bench.n; ++r) {
      const double size = J.row(r).cwiseAbs().maxCoeff() + 1;
      for (int c = 0; c < bench.n; ++c) {
        // central differences of 1e-6: third derivatives give 1e-12, round-off of rates up to 1e3 gives 1e-7
        if (std::abs(J(r, c) - D(r, c)) > 1e-6 * size && ++bad < 4) {
          ADD_FAILURE() << "state " << k << ": d(" << bench.system.layout().name_of(r) << ")/d("
                        << bench.system.layout().name_of(c) << "): " << J(r, c) << " and by differences " << D(r, c);
        }
      }
    }
  }
}

TEST(Jacobian, agrees_with_differences_for_every_registered_law) {
  Dice dice(42);
  for (const FrictionEntry& entry : friction_registry().all()) {
    for (int D : {1, 2}) {
      const std::string ends = D == 1 ? "[ground, a]" : "[[ground, ground], [a, b]]";
      Bench bench(
          "bristle: 1\nbodies: {a: {type: mass, mass: 1 kg}, b: {type: mass, mass: 2 kg}}\njoints: {p: {type: sliding, between: " +
          ends + ", load: \"2 + 0.3*b.position + 0.1*a.velocity\", friction: " + plain_law(entry) +
          "}}\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n");
      int bad = 0;
      for (int k = 0; k < 20; ++k) {
        const State x = random_state(bench.system, dice, {});
        const Matrix J = bench.analytic(x), F = bench.differences(x);
        for (int r = 0; r < bench.n; ++r) {
          const double size = J.row(r).cwiseAbs().maxCoeff() + 1;
          // second differences tell corners that lie between the two sides
          bad += (J.row(r) - F.row(r)).cwiseAbs().maxCoeff() > 1e-5 * size;
        }
      }
      EXPECT_LE(bad, 1) << entry.name << ", " << D << "-D: a corner may lie between two sides once";
    }
  }
}

template <class T>
double worst_solve(Bench& bench, const State& x, T g, Dice& dice) {
  const Matrix J = bench.analytic(x);
  typename StageMatrix::Factors<T> factors;
  factors.reserve(bench.matrix);
  if (!factors.factor(bench.matrix, g)) return 1e300;
  Eigen::Matrix<T, Eigen::Dynamic, 1> r(bench.n);
  for (int i = 0; i < bench.n; ++i) r(i) = T(dice.between(-1, 1));
  // a right-hand side as Newton has it: it does not push against places at rest
  const Layout& layout = bench.system.layout();
  std::vector<double> a(static_cast<std::size_t>(layout.sizes.v), 0);
  for (int i = 0; i < layout.free(); ++i) a[static_cast<std::size_t>(layout.v_index(i))] = std::real(r(layout.free() + i));
  bench.kernel.project(bench.system, bench.work, a.data());
  for (int i = 0; i < layout.free(); ++i) r(layout.free() + i) = T(a[static_cast<std::size_t>(layout.v_index(i))]);
  using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Square A = g * Square::Identity(bench.n, bench.n) - J.cast<T>();
  const Eigen::Matrix<T, Eigen::Dynamic, 1> dense = A.fullPivLu().solve(r);
  factors.solve(bench.matrix, r.data());
  return (r - dense).norm() / dense.norm();
}

TEST(Jacobian, stage_solves_equal_dense_solves_small_and_large_sliding_and_at_rest) {
  Dice dice(43);
  for (int copies : {1, 3}) {
    Bench bench(every_block(copies));
    EXPECT_EQ(bench.matrix.sparse(), copies > 1) << bench.matrix.unknowns() << " unknowns";
    for (int k = 0; k < 10; ++k) {
      for (bool rest : {false, true}) {
        std::vector<bool> stuck(bench.system.dry().size(), false);
        for (std::size_t i = 0; i < stuck.size(); ++i) stuck[i] = rest && (static_cast<std::size_t>(k) + i) % 2 == 0;
        const State x = random_state(bench.system, dice, stuck);
        for (double h : {1e-4, 1e-2}) {
          // condition numbers up to 1e6 or so
          EXPECT_LT(worst_solve(bench, x, 1 / h, dice), 1e-9) << copies << " copies, rest " << rest << ", h = " << h;
          EXPECT_LT(worst_solve(bench, x, std::complex<double>(2.7, 3.1) / h, dice), 1e-9)
              << copies << " copies, rest " << rest << ", h = " << h;
        }
      }
    }
  }
}

TEST(Jacobian, of_places_at_rest_agrees_with_differences_along_motions_they_allow) {
  Dice dice(44);
  Bench bench(every_block(1));
  const std::vector<bool> stuck{true, true};
  for (int k = 0; k < 10; ++k) {
    const State x = random_state(bench.system, dice, stuck);
    const Matrix J = bench.analytic(x), D = bench.differences(x);
    Eigen::Index r = 0, c = 0;
    EXPECT_LT((J - D).cwiseAbs().maxCoeff(&r, &c), 1e-6 * (1 + J.cwiseAbs().maxCoeff()))
        << "the held forces follow: d(" << bench.system.layout().name_of(static_cast<int>(r)) << ")/d("
        << bench.system.layout().name_of(static_cast<int>(c)) << ") " << J(r, c) << " and by differences " << D(r, c);
  }
}

}  // namespace
}  // namespace bristle
