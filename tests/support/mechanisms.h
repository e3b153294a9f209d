#pragma once
// Mechanisms in space as model texts, and equal steps over them with any method and form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "support/models.h"

namespace bristle::test {

/// A bar of 2 kg on a pin along y, its centre 0.5 m off, released level: theta'' = -w^2 sin(theta) from 90 degrees.
inline const std::string kSpatialPendulum = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  bar: {type: rigid, mass: 2, inertia: [0.1, 0.12, 0.03], position: [0.5, 0, 0]}
joints:
  pin: {type: revolute, between: [ground, bar], at: [0, 0, 0], axis: y}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
constexpr double kPendulumArm = 0.5;
inline double pendulum_frequency() { return std::sqrt(2 * 9.81 * 0.5 / (0.12 + 2 * 0.25)); }

/// A top on a ball: turns about all axes.
inline const std::string kSpatialTop = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  top: {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.02], position: [0, 0.12, 0.16], orientation: [0.948683298, -0.316227766, 0, 0], velocity: [0.1, -0.16, 0.12], angular_velocity: [1, 9, 12]}
joints:
  ball: {type: spherical, between: [ground, top], at: [0, 0, 0]}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}
)yaml";

/// Spatial slider-crank of Frictional Contacts in Multibody Dynamics, tables 2.1 and 2.2; GUIDE takes more of the guide joint.
inline std::string spatial_slider_crank(const std::string& guide = "") {
  return R"yaml(bristle: 1
gravity: [0, 0, -9.81]
parameters: {y3: "sqrt(0.29^2-0.25^2)"}
bodies:
  crank: {type: rigid, mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 0.05], angular_velocity: [0, "-2*pi", 0], velocity: ["-0.1*pi", 0, 0]}
  rod: {type: rigid, mass: 0.5, inertia: [0.004, 0.0004, 0.004], position: [0, y3/2, -0.025], orientation: [0.8679836, -0.4965929, 0, 0]}
  slider: {type: rigid, mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], position: [0, y3, -0.15]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: y}
  pin: {type: spherical, between: [crank, rod], at: [0, 0, 0.1]}
  wrist: {type: universal, between: [rod, slider], at: [0, y3, -0.15], axis: x, second_axis: [0, 0.697, 0.717072]}
  guide: {type: prismatic, between: [ground, slider], at: [0, y3, -0.15], axis: y)yaml" +
         guide + R"yaml(}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
}
inline const std::string kGuideLuGre =
    ", width: 10 mm, friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s, sigma0: 1e5 N/m, sigma1: 316.2278 N s/m, "
    "reference_load: 10 N}";
inline const std::string kGuideCoulomb = ", width: 10 mm, friction: {type: coulomb, mu_kinetic: 0.1}";

/// A method and what it keeps of joints; "" where it has no choice.
struct Method {
  std::string name, form;
  std::string text() const { return form.empty() ? name : name + ", form: " + form; }
};

/// As made for orders: equations solved to round-off.
inline std::unique_ptr<Integrator> make_exact(const Method& m) {
  class Exact final : public Visitor {
   public:
    std::string form;
    void operator()(const char* key, double& value, const Unit&, const Range&, const char*) override {
      if (std::strcmp(key, "newton_tolerance") == 0) value = 1e-13;
      if (std::strcmp(key, "tolerance") == 0 && value > 0) value = 1e-10;
    }
    void per_load(const char*, double&, const Unit&, const Range&, const char*) override {}
    void integer(const char*, int&, int, int, const char*) override {}
    void flag(const char*, bool&, const char*) override {}
    void choice(const char* key, int& value, std::initializer_list<const char*> words, const char*) override {
      if (std::strcmp(key, "form") != 0 || form.empty()) return;
      value = static_cast<int>(std::find(words.begin(), words.end(), form) - words.begin());
    }
    void list(const char*, std::vector<double>&, const Unit&, const Range&, const char*) override {}
    void signal(const char*, Signal&, const Unit&, const char*) override {}
    void reference_load() override {}
  };
  Exact v;
  v.form = m.form;
  return integrator_registry().find(m.name)->make(v);
}

/// Equal steps over a system without dry places; positions and velocities are corrected after each where the method does not do that.
inline State march(const System& system, const Method& m, double end, int steps) {
  auto method = make_exact(m);
  method->prepare(system);
  Enforcement projection;
  projection.corrects = true;
  Multipliers kernel;
  kernel.prepare(system, projection);
  Workspace work = system.make_workspace();
  Ledger ledger;
  ledger.prepare(system.layout());
  State x0 = system.make_state(), x1 = x0;
  method->restart();
  kernel.evaluate(system, x0, work);
  std::copy(work.lambda.begin(), work.lambda.end(), x0.lambda());
  std::vector<double> rate = work.rate, power = work.power;
  const double h = end / steps;
  for (int k = 0; k < steps; ++k) {
    StepContext c{system, kernel, work, ledger, rate.data(), power.data(), true};
    const Outcome o = method->step(c, x0, h, x1);
    if (o.verdict != Outcome::Verdict::ok) {
      ADD_FAILURE() << m.text() << ", step " << k << " of " << steps << ": " << text_of(o.cause);
      return x0;
    }
    system.set_time(x1, (k + 1) * h);
    if (!method->traits().enforces) kernel.held().finish_step(system, x1, work);
    if (!(method->traits().enforces && o.evaluated)) {
      kernel.evaluate(system, x1, work);
      std::copy(work.lambda.begin(), work.lambda.end(), x1.lambda());
    }
    rate = work.rate, power = work.power;
    std::swap(x0, x1);
  }
  return x0;
}

/// Largest difference of positions (with attitudes), of velocities, and of multipliers of held rows.
struct Apart {
  double position = 0, velocity = 0, multiplier = 0;
};
inline Apart apart(const System& system, const State& a, const State& b) {
  const Layout& layout = system.layout();
  std::vector<double> d(static_cast<std::size_t>(layout.order_one()), 0);
  system.motion().difference(a, b, d.data());
  const auto n = static_cast<std::size_t>(layout.free());
  Apart out;
  for (std::size_t i = 0; i < n; ++i) {
    out.position = std::max(out.position, std::abs(d[i]));
    out.velocity = std::max(out.velocity, std::abs(d[n + i]));
  }
  for (int k = 0; k < system.layout().held_count(); ++k)
    out.multiplier = std::max(out.multiplier, std::abs(a.lambda()[k] - b.lambda()[k]));
  return out;
}

/// How far the held rows are off at a state, and their rates.
struct Violation {
  double position = 0, velocity = 0;
};
inline Violation violation(const System& system, const State& x, Workspace& work) {
  system.look(x, work);
  Violation v;
  for (const HeldRow& h : system.layout().held) {
    v.position = std::max(v.position, std::abs(work.row_value[static_cast<std::size_t>(h.row)]));
    v.velocity = std::max(v.velocity, std::abs(work.row_rate[static_cast<std::size_t>(h.row)]));
  }
  return v;
}

}  // namespace bristle::test
