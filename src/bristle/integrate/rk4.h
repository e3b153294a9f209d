#pragma once
#include "bristle/integrate/integrator.h"

namespace bristle {

/// The classical Runge–Kutta method of order four, fixed step. Stable for h * rate < 2.785 on the real axis.
class Rk4 final : public Integrator {
 public:
  void visit(Visitor&) {}
  bool takes_jumps() const override { return true; }
  void prepare(const System& system) override {
    const auto n = static_cast<std::size_t>(system.layout().order_one());
    sum_.assign(n, 0);
  }
  Outcome step(StepContext& c, const State& x0, double h, State& x1) override {
    const std::size_t n = sum_.size();
    Workspace& w = c.work;
    double *sum = sum_.data(), *k = w.rate.data();
    x1 = x0;
    c.system.bind(x1, w);
    const auto stage = [&](const double* rate, double part, double weight) __attribute__((always_inline)) {
      c.system.move(x0, part * h, rate, x1);
      c.system.set_time(x1, x0.t + part * h);
      c.kernel.evaluate_bound(c.system, x1, w);
      c.ledger.add_power(w.power.data(), weight * h);
      for (std::size_t i = 0; i < n; ++i) sum[i] += weight * k[i];
    };
    c.ledger.add_power(c.power0, h / 6);
    for (std::size_t i = 0; i < n; ++i) sum[i] = c.rate0[i] * (1.0 / 6);
    stage(c.rate0, 0.5, 1.0 / 3);
    stage(k, 0.5, 1.0 / 3);
    stage(k, 1.0, 1.0 / 6);
    c.system.move(x0, h, sum, x1);
    c.system.set_time(x1, x0.t + h);
    return {.evaluations = 3};
  }

 private:
  std::vector<double> sum_;
};

}  // namespace bristle
