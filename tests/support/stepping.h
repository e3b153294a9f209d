#pragma once
// Steps of equal length with any integrator, whatever it thinks of its error: for orders.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/models.h"

namespace bristle::test {

/// What equal steps gave: the end, the ledger, and states inside the steps.
struct Walk {
  State end;
  Ledger ledger;
  std::vector<State> inside;  ///< at the given part of every step
};

inline std::unique_ptr<Integrator> make_tight(const std::string& name) {
  // implicit ones solve their equations to round-off
  class Tight final : public Visitor {
   public:
    void operator()(const char* key, double& value, const Unit&, const Range&, const char*) override {
      if (std::strcmp(key, "newton_tolerance") == 0) value = 1e-14;
      if (std::strcmp(key, "tolerance") == 0) value = 1e-13;
    }
    void per_load(const char*, double&, const Unit&, const Range&, const char*) override {}
    void integer(const char*, int&, int, int, const char*) override {}
    void flag(const char*, bool&, const char*) override {}
    void choice(const char*, int&, std::initializer_list<const char*>, const char*) override {}
    void list(const char*, std::vector<double>&, const Unit&, const Range&, const char*) override {}
    void signal(const char*, Signal&, const Unit&, const char*) override {}
    void reference_load() override {}
  };
  Tight v;
  return integrator_registry().find(name)->make(v);
}

inline Walk walk(const System& system, const std::string& integrator, double end, int steps, double part = -1, State start = {}) {
  auto method = make_tight(integrator);
  method->prepare(system);
  Multipliers kernel;
  kernel.prepare(system);
  Workspace work = system.make_workspace();
  Walk out;
  State x0 = start.numbers().empty() ? system.make_state() : std::move(start), x1 = x0, inside = x0;
  out.ledger.prepare(system.layout());
  system.accept(x0, work);
  const Energy energy = system.calc_energy(x0, work);
  out.ledger.start(energy, work.stored.data());
  method->restart();
  kernel.evaluate(system, x0, work);
  std::vector<double> rate0 = work.rate, power0 = work.power, rate1 = rate0, power1 = power0;
  const double first = x0.t, h = (end - first) / steps;
  for (int k = 0; k < steps; ++k) {
    StepContext c{system, kernel, work, out.ledger, rate0.data(), power0.data(), true};
    const Outcome o = method->step(c, x0, h, x1);
    if (o.verdict != Outcome::Verdict::ok) {
      ADD_FAILURE() << integrator << ", step " << k << " of " << steps << ": " << text_of(o.cause);
      break;
    }
    system.set_time(x1, first + (k + 1) * h);
    kernel.evaluate(system, x1, work);
    rate1 = work.rate, power1 = work.power;
    if (part >= 0) {
      method->interpolate(c, x0, x1, rate1.data(), part, inside);
      out.inside.push_back(inside);
    }
    std::swap(x0, x1);
    system.accept(x0, work);
    std::swap(rate0, rate1);
    std::swap(power0, power1);
    const Energy now = system.calc_energy(x0, work);
    out.ledger.close_step();
    out.ledger.balance(now, work.stored.data());
  }
  out.end = x0;
  return out;
}

/// Largest values of positions, velocities and memory: what errors are measured by.
struct Scale {
  double q = 0, v = 0, z = 0;
  void add(const Layout& layout, const State& x) {
    for (int i = 0; i < layout.scalars; ++i) q = std::max(q, std::abs(x.q()[i])), v = std::max(v, std::abs(x.v()[i]));
    for (int i = 0; i < layout.sizes.z; ++i) z = std::max(z, std::abs(x.z()[i]));
  }
};

/// Largest difference of the free positions, velocities and memory, over their scale; by default that of the second state.
inline double difference(const Layout& layout, const State& a, const State& b, Scale scale = {}) {
  if (scale.q == 0 && scale.v == 0) scale.add(layout, b);
  double worst = 0;
  const auto part = [&](const double* x, const double* y, int n, double size) {
    for (int i = 0; i < n && size > 0; ++i) worst = std::max(worst, std::abs(x[i] - y[i]) / size);
  };
  part(a.q(), b.q(), layout.scalars, scale.q), part(a.v(), b.v(), layout.scalars, scale.v),
      part(a.z(), b.z(), layout.sizes.z, scale.z);
  return worst;
}

}  // namespace bristle::test
