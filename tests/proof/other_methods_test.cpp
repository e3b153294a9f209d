// Proof 5, tests only: harmonic balance, an energy-decaying step and a turning body stand on the same types as the time integrators.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "bristle/force/pull_laws.h"
#include "bristle/math/two_point.h"
#include "support/models.h"
#include "support/numbers.h"
#include "support/rigid_body.h"

namespace bristle {
namespace {

using namespace test;

std::vector<double> zdot_of(const System& system, const State& x, Workspace& w, Multipliers& kernel) {
  kernel.evaluate(system, x, w);
  const int n = 2 * system.layout().free();
  return {w.rate.begin() + n, w.rate.end()};
}

// ---- harmonic balance

const std::string kForced = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg}}
forces:
  s: {type: spring, between: [ground, m], stiffness: 100 N/m, damping: 0.5 N s/m}
  f: {type: load, on: m, force: "4*cos(8*t)"}
joints:
  p: {type: sliding, between: [ground, m], load: 3 N, friction: {type: lugre, mu_kinetic: 0.3, mu_static: 0.35, stribeck_velocity: 0.2 m/s, sigma0: 400 1/m, sigma1: 1 s/m, sigma2: 0.02 s/m}}
analysis: {type: transient, end: 60 s, integrator: {type: radau5, tolerance: 1e-9}}
)yaml";

/// Residual of the balance in the frequency domain: coefficients of q in, of (acceleration by the forces - q'') out.
class HarmonicBalance {
 public:
  static constexpr int H = 21, N = 1024, kUnknowns = 2 * H + 1;
  HarmonicBalance(const System& system, double omega) : system_(system), omega_(omega), work_(system.make_workspace()) {
    kernel_.prepare(system);
  }

  Eigen::VectorXd residual(const Eigen::VectorXd& c) {
    State x = system_.make_state();
    const double dt = 2 * M_PI / omega_ / N;
    double z = 0, rate = 0;
    Eigen::VectorXd r(N);
    for (int k = 0; k <= 2 * N; ++k) {  // two rounds: the second has forgotten the start
      double q = c(0), v = 0, a = 0;
      for (int h = 1; h <= H; ++h) {
        const double w = h * omega_, C = std::cos(w * k * dt), S = std::sin(w * k * dt), p = c(2 * h - 1), s = c(2 * h);
        q += p * C + s * S, v += w * (s * C - p * S), a -= w * w * (p * C + s * S);
      }
      x.q()[0] = q, x.v()[0] = v;
      system_.set_time(x, k * dt);
      if (k > 0) {
        // memory from sample to sample by the trapezoidal rule; the rate is linear in z: one pass
        const auto at = [&](double value) {
          x.z()[0] = value;
          return zdot_of(system_, x, work_, kernel_)[0];
        };
        const double f0 = at(0), slope = at(1) - f0;
        z = (z + 0.5 * dt * (rate + f0)) / (1 - 0.5 * dt * slope);
      }
      x.z()[0] = z;
      kernel_.evaluate(system_, x, work_);
      rate = work_.rate[2];
      if (k > N) r(k - N - 1) = work_.rate[1] - a;
    }
    Eigen::VectorXd out = Eigen::VectorXd::Zero(kUnknowns);
    for (int k = 0; k < N; ++k) {
      out(0) += r(k) / N;
      for (int h = 1; h <= H; ++h) {
        out(2 * h - 1) += 2 * r(k) * std::cos(h * omega_ * (k + 1) * dt) / N;
        out(2 * h) += 2 * r(k) * std::sin(h * omega_ * (k + 1) * dt) / N;
      }
    }
    return out;
  }
  Eigen::VectorXd solve() {
    Eigen::VectorXd c = Eigen::VectorXd::Zero(kUnknowns);
    c(1) = 0.1, c(2) = 0.03;
    for (int k = 0; k < 40; ++k) {
      const Eigen::VectorXd r = residual(c);
      if (r.norm() < 1e-10) break;
      Eigen::MatrixXd J(kUnknowns, kUnknowns);
      for (int i = 0; i < kUnknowns; ++i) {
        Eigen::VectorXd d = c;
        d(i) += 1e-7;
        J.col(i) = (residual(d) - r) / 1e-7;
      }
      const Eigen::VectorXd step = J.partialPivLu().solve(-r);
      double share = 1;
      while (share > 1e-3 && residual(c + share * step).norm() > r.norm()) share *= 0.5;
      c += share * step;
    }
    return c;
  }

 private:
  const System& system_;
  double omega_;
  Workspace work_;
  Multipliers kernel_;
};

TEST(OtherMethods, harmonic_balance_finds_the_periodic_motion_that_time_integration_settles_to) {
  Trial trial(kForced);
  HarmonicBalance balance(trial.system(), 8);
  const Eigen::VectorXd c = balance.solve();
  EXPECT_LT(balance.residual(c).norm(), 1e-9);
  EXPECT_GT(std::hypot(c(1), c(2)), 0.02) << "it moves";
  auto& run = trial.start();
  const double period = 2 * M_PI / 8, settled = std::ceil(30 / period) * period;
  ASSERT_TRUE(run.advance_to(settled));
  for (int k = 1; k <= 16; ++k) {
    const double t = settled + k * period / 16;
    ASSERT_TRUE(run.advance_to(t));
    double q = c(0);
    for (int h = 1; h <= HarmonicBalance::H; ++h) q += c(2 * h - 1) * std::cos(8 * h * t) + c(2 * h) * std::sin(8 * h * t);
    // with nine harmonics 1.2e-3 is missing: the force jumps; with 21 it is a few 1e-4
    EXPECT_NEAR(run.state().q()[0], q, 5e-4 * std::hypot(c(1), c(2))) << k;
  }
}

// ---- energy-decaying step (notes/energy-decaying.md, section 5; a = 1/6)

const std::string kFree = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, position: 0.1, velocity: 0.3 m/s}}
joints:
  p: {type: sliding, between: [ground, m], load: 1 N, friction: {type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 10 mm/s, sigma0: 1e4 1/m, sigma2: 0.1 s/m}}
analysis: {type: transient, end: 60 s, integrator: {type: radau5, tolerance: 1e-9}}
)yaml";

/// One mass on a hardening spring and a bristle. Memory by the rate of the law alone; the spring by the quotient of its potential.
struct DecayingStep {
  const System& system;
  Spring spring;
  double mass = 1, stiffness = 0;  // C0 of the jump
  bool friction = true;
  Workspace work = system.make_workspace();
  Multipliers kernel{};

  double energy(const State& x) {
    const Energy e = system.calc_energy(x, work);
    return e.kinetic + (friction ? e.stored : 0) + spring.potential(x.q()[0]);
  }
  void step(State& x, double h) {
    const double a = 1.0 / 6, q = x.q()[0], vi = x.v()[0], zi = x.z()[0];
    State mid = x;
    double zf = zi, vj = vi, vf = vi;
    const auto residual = [&](double d) {  // d: displacement over the step
      // the jump: m (vj - vi) = a h C0 (d + 2a (d - h vj)), linear in vj
      vj = (mass * vi + a * h * stiffness * (1 + 2 * a) * d) / (mass + 2 * a * a * h * h * stiffness);
      vf = 2 * d / h - vj;
      const double y = d - h * vj, n = stiffness * (d + 2 * a * y);
      const double quotient =
          apply([&](const auto& u) { return spring.potential(u); }, TwoPoint<1>::variable(q, q + d, 0)).row[0];
      double force = 0;
      if (friction) {
        // z_j - z_i = -h/6 (r_f - r_j), z_f - z_i = h/2 (r_j + r_f), r = r0 + s z at the mean slip: two linear equations
        mid.v()[0] = d / h;
        mid.q()[0] = q + 0.5 * d;
        const auto rate = [&](double z) {
          mid.z()[0] = z;
          return zdot_of(system, mid, work, kernel)[0];
        };
        const double r0 = rate(0), s = rate(1) - r0;
        Eigen::Matrix2d A;
        A << 1 - a * h * s, a * h * s, -0.5 * h * s, 1 - 0.5 * h * s;
        const Eigen::Vector2d z = A.partialPivLu().solve(Eigen::Vector2d(zi, zi + h * r0));
        zf = z(1);
        rate(0.5 * (z(0) + z(1)));
        force = -work.f[0];
      }
      return mass * (vf - vj) / h + quotient - a * stiffness * y + a * n + force;
    };
    // the residual rises with d: bracket and halve
    double lo = -1e-3, hi = 1e-3;
    while (residual(lo) > 0) lo *= 4;
    while (residual(hi) < 0) hi *= 4;
    for (int k = 0; k < 200 && hi - lo > 1e-17; ++k) {
      const double m = 0.5 * (lo + hi);
      if (m == lo || m == hi) break;
      (residual(m) > 0 ? hi : lo) = m;
    }
    const double d = 0.5 * (lo + hi);
    residual(d);
    x.q()[0] = q + d, x.v()[0] = vf, x.z()[0] = zf;
    system.set_time(x, x.t + h);
  }
};

TEST(OtherMethods, an_energy_decaying_step_never_gains_energy_with_friction_for_steps_a_thousand_times_too_long) {
  Trial trial(kFree);
  Spring spring;
  spring.stiffness = 50, spring.cubic = 400;
  for (double h :
       {1e-3, 1e-2, 0.1, 1.0}) {  // 1 ms resolves the spring (period 0.9 s) hundredfold and the bristle (1e-4 s) not at all
    DecayingStep method{trial.system(), spring};
    method.stiffness = 50;
    method.kernel.prepare(trial.system());
    State x = trial.system().make_state();
    double before = method.energy(x);
    const double start = before;
    for (int k = 0; k < 300; ++k) {
      method.step(x, h);
      const double now = method.energy(x);
      ASSERT_LE(now, before + 1e-14 * start) << "h = " << h << ", step " << k << ": energy never grows";
      before = now;
    }
    EXPECT_LT(before, 0.7 * start) << "h = " << h << ": friction has taken its share";
  }
}

TEST(OtherMethods, an_energy_decaying_step_is_of_second_order_and_keeps_energy_with_small_losses_without_friction) {
  Trial trial(kFree);
  Spring spring;
  spring.stiffness = 50, spring.cubic = 400;
  std::vector<double> step, loss;
  for (int n : {100, 200, 400}) {
    DecayingStep method{trial.system(), spring};
    method.stiffness = 50;
    method.friction = false;
    method.kernel.prepare(trial.system());
    State x = trial.system().make_state();
    const double start = method.energy(x);
    for (int k = 0; k < n; ++k) method.step(x, 1.0 / n);
    const double lost = (start - method.energy(x)) / start;
    EXPECT_GT(lost, 0);
    step.push_back(1.0 / n), loss.push_back(lost);
  }
  EXPECT_NEAR(fitted_order(step, loss), 3, 0.3) << "the dissipation of the scheme is of third order";
}

TEST(OtherMethods, an_energy_decaying_step_follows_the_time_integrators_as_the_step_shrinks) {
  Trial trial(kFree + "forces: {s: {type: spring, between: [ground, m], stiffness: 50 N/m, cubic: 400 N/m^3}}\n");
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(0.5));
  Trial alone(kFree);
  Spring spring;
  spring.stiffness = 50, spring.cubic = 400;
  std::vector<double> step, error;
  for (int n : {500, 1000, 2000}) {
    DecayingStep method{alone.system(), spring};
    method.stiffness = 50;
    method.kernel.prepare(alone.system());
    State x = alone.system().make_state();
    for (int k = 0; k < n; ++k) method.step(x, 0.5 / n);
    step.push_back(0.5 / n), error.push_back(std::abs(x.q()[0] - run.state().q()[0]));
  }
  EXPECT_LT(error.back(), 1e-4);
  EXPECT_GT(fitted_order(step, error), 1.0) << error[0] << " " << error[2];
}

// ---- a turning body

/// Rate of the chart's increment u when the body turns with w (body axes): what makes a Runge–Kutta method on the chart exact.
Vector3 chart_rate(const Vector3& u, const Vector3& w, Chart chart) {
  const auto cross = [](const Vector3& a, const Vector3& b) {
    return Vector3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const Vector3 uw = cross(u, w), uuw = cross(u, uw);
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], along = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
  Vector3 r;
  for (std::size_t i = 0; i < 3; ++i) {
    if (chart == Chart::cayley) {
      r[i] = w[i] + 0.5 * uw[i] + 0.25 * along * u[i];
    } else {
      const double angle = std::sqrt(square);
      const double c = angle < 1e-2 ? 1.0 / 12 + square / 720 : (1 - 0.5 * angle / std::tan(0.5 * angle)) / square;
      r[i] = w[i] + 0.5 * uw[i] + c * uuw[i];
    }
  }
  return r;
}

/// The classical method, every stage moved from the start of the step by `move`.
void classical_step(const System& system, State& x0, double h, Chart chart, Workspace& w, Multipliers& kernel) {
  const std::size_t n = w.rate.size();
  std::vector<double> k[4], move(n, 0.0);
  const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  State x = x0;
  for (int s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < n; ++i) move[i] = s ? part[s] * h * k[s - 1][i] : 0;
    system.motion().move(x0, 1, move.data(), x, chart);
    system.set_time(x, x0.t + part[s] * h);
    kernel.evaluate(system, x, w);
    k[s] = w.rate;
    const Vector3 r = chart_rate({move[3], move[4], move[5]}, {k[s][3], k[s][4], k[s][5]}, chart);
    for (std::size_t i = 0; i < 3; ++i) k[s][3 + i] = r[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    move[i] = h * (weight[0] * k[0][i] + weight[1] * k[1][i] + weight[2] * k[2][i] + weight[3] * k[3][i]);
  system.motion().move(x0, 1, move.data(), x, chart);
  system.set_time(x, x0.t + h);
  x0 = x;
}

struct Top {
  const RigidBody* body;
  System system;
  static Top make() {
    auto made = std::make_unique<RigidBody>(2.0, Vector3{1, 2, 3}, Vector3{0.5, 2, 0.4}, Vector3{0.1, 0.2, 0.3});
    const RigidBody* body = made.get();
    std::vector<std::unique_ptr<Block>> blocks;
    blocks.push_back(std::move(made));
    return {body, System(frame_layout(), std::move(blocks))};
  }
};

TEST(OtherMethods, a_free_body_keeps_energy_and_angular_momentum_to_fourth_order_in_both_charts) {
  Top top = Top::make();
  for (Chart chart : {Chart::exponential, Chart::cayley}) {
    std::vector<double> step, energy, momentum;
    for (int n : {100, 200, 400}) {
      Workspace w = top.system.make_workspace();
      Multipliers kernel;
      kernel.prepare(top.system);
      State x = top.system.make_state();
      const double e0 = top.system.calc_energy(x, w).kinetic;
      const Vector3 l0 = top.body->momentum(x);
      double worst = 0, drift = 0;
      for (int k = 0; k < n; ++k) {
        classical_step(top.system, x, 10.0 / n, chart, w, kernel);
        worst = std::max(worst, std::abs(top.system.calc_energy(x, w).kinetic - e0) / e0);
        const Vector3 l = top.body->momentum(x);
        for (std::size_t i = 0; i < 3; ++i) drift = std::max(drift, std::abs(l[i] - l0[i]));
      }
      EXPECT_NEAR(x.q()[1], 1.0, 1e-12) << "the centre moves on straight";
      step.push_back(10.0 / n), energy.push_back(worst), momentum.push_back(drift);
    }
    EXPECT_GT(fitted_order(step, energy), 3.7) << energy[0] << " " << energy[2];
    EXPECT_GT(fitted_order(step, momentum), 3.7) << momentum[0] << " " << momentum[2];
    EXPECT_LT(momentum.back(), 1e-5);
  }
}

TEST(OtherMethods, both_charts_find_the_same_attitude) {
  Top top = Top::make();
  State end[2];
  int i = 0;
  for (Chart chart : {Chart::exponential, Chart::cayley}) {
    Workspace w = top.system.make_workspace();
    Multipliers kernel;
    kernel.prepare(top.system);
    State x = top.system.make_state();
    for (int k = 0; k < 2000; ++k) classical_step(top.system, x, 10.0 / 2000, chart, w, kernel);
    end[i++] = x;
  }
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(end[0].q()[1 + k], end[1].q()[1 + k], 1e-7);
  // and difference undoes move
  std::vector<double> step(12), back(12);
  Workspace w = top.system.make_workspace();
  for (std::size_t k = 0; k < 12; ++k) step[k] = 0.1 * static_cast<double>(k) - 0.3;
  for (Chart chart : {Chart::exponential, Chart::cayley}) {
    State y = end[0];
    top.system.motion().move(end[0], 1, step.data(), y, chart);
    top.system.motion().difference(end[0], y, back.data(), chart);
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(back[k], step[k], 1e-13);
  }
}

TEST(OtherMethods, the_rk4_integrator_moves_a_frame) {
  // it adds body rates of the stages as if the chart were flat: the rates themselves keep fourth order, the attitude second
  Top top = Top::make();
  std::vector<double> step, energy, momentum;
  for (int n : {200, 400, 800}) {
    std::vector<std::unique_ptr<StepController>> rules;
    auto constant = std::make_unique<ConstantStep>();
    constant->step = 10.0 / n;
    rules.push_back(std::move(constant));
    Describer d;
    bristle::Run run(top.system, integrator_registry().find("rk4")->make(d), std::move(rules));
    run.start(top.system.make_state());
    const Vector3 l0 = top.body->momentum(run.state());
    const double e0 = run.ledger().energy().kinetic;
    ASSERT_TRUE(run.advance_to(10));
    const Vector3 l = top.body->momentum(run.state());
    double drift = 0;
    for (std::size_t i = 0; i < 3; ++i) drift = std::max(drift, std::abs(l[i] - l0[i]));
    step.push_back(10.0 / n), momentum.push_back(drift), energy.push_back(std::abs(run.ledger().energy().kinetic - e0));
  }
  EXPECT_GT(fitted_order(step, energy), 3.7);
  EXPECT_GT(fitted_order(step, momentum), 1.9) << momentum[0] << " " << momentum[2];
  RecordProperty("attitude_order", std::to_string(fitted_order(step, momentum)));
}

}  // namespace
}  // namespace bristle
