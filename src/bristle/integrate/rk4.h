#pragma once
#include "bristle/integrate/integrator.h"

namespace bristle {

/// The classical Runge–Kutta method of order four, fixed step. Stable for h * rate < 2.785 on the real axis.
class Rk4 final : public Integrator {
 public:
  void visit(Visitor&) {}
  MethodTraits traits() const override {
    return {.is_explicit = true, .starts_by_kernel = true, .takes_jumps = true, .takes_groups = true};
  }
  void prepare(const System& system) override {
    const Layout& layout = system.layout();
    sum_.assign(static_cast<std::size_t>(layout.order_one()), 0);
    step_ = sum_;
    plain_ = !system.layout().spatial();
    fused_ = plain_ && system.fused() != nullptr && system.fused()->steps() ? system.fused() : nullptr;
    copies_ = layout.sizes.marks > 0 || layout.sizes.lambda > 0 || system.layout().spatial();
  }
  Outcome step(StepContext& c, const State& x0, double h, State& x1) override {
    // a state whose every number is written anyway needs no copy
    if (copies_ || x1.t == x0.t || x1.sizes() != x0.sizes()) x1 = x0;
    if (fused_ != nullptr) {
      Workspace& w = c.work;
      fused_->step({kChain, c.system.layout(), x0, h, c.rate0, c.power0, x1, w.rate.data(), w.power.data(), w.f.data(),
                    sum_.data(), c.ledger.step_work()});
      return {.evaluations = 3, .evaluated = true};
    }
    c.work.eval = c.system.view(x1, c.work);
    if (plain_) scalar_step(c, x0, h, x1);
    else frame_step(c, x0, h, x1);
    return {.evaluations = 3};
  }

  static constexpr StageChain kChain{4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

 private:
  /// Scalar coordinates alone: everything that does not change from stage to stage is at hand.
  void scalar_step(StepContext& c, const State& x0, double h, State& x1) {
    const System& system = c.system;
    Workspace& w = c.work;
    const int n = system.layout().scalars, m = system.layout().sizes.z, all = 2 * n + m;
    const auto accounts = static_cast<int>(system.layout().accounts.size());
    const double *q0 = x0.q(), *v0 = x0.v(), *z0 = x0.z(), *rate0 = c.rate0, *power = w.power.data(), *k = w.rate.data();
    double *q1 = x1.q(), *v1 = x1.v(), *z1 = x1.z(), *sum = sum_.data(), *work = c.ledger.step_work();
    const double t0 = x0.t;
    const auto move = [=](const double* rate, double s) __attribute__((always_inline)) {
      for (int i = 0; i < n; ++i) q1[i] = q0[i] + s * rate[i], v1[i] = v0[i] + s * rate[n + i];
      for (int i = 0; i < m; ++i) z1[i] = z0[i] + s * rate[2 * n + i];
    };
    const auto evaluate = [&](double t, double weight) __attribute__((always_inline)) {
      c.kernel.evaluate_bound(system, x1, t, w);
      const double add = weight * h;
      for (int i = 0; i < accounts; ++i) work[i] += add * power[i];
      for (int i = 0; i < all; ++i) sum[i] += weight * k[i];
    };
    for (int i = 0; i < accounts; ++i) work[i] += kChain.weight[0] * h * c.power0[i];
    for (int i = 0; i < all; ++i) sum[i] = 1.0 / 6 * rate0[i];
    move(rate0, 0.5 * h);
    evaluate(t0 + 0.5 * h, 1.0 / 3);
    move(k, 0.5 * h);
    evaluate(t0 + 0.5 * h, 1.0 / 3);
    move(k, h);
    evaluate(t0 + h, 1.0 / 6);
    move(sum, h);
  }
  void frame_step(StepContext& c, const State& x0, double h, State& x1) {
    const std::size_t n = sum_.size();
    Workspace& w = c.work;
    // attitudes in the chart of increments from x0: the method keeps its order
    const auto stage = [&](const double* rate, double part, double weight) {
      for (std::size_t i = 0; i < n; ++i) step_[i] = part * h * rate[i];
      c.system.motion().move(x0, 1, step_.data(), x1);
      c.system.set_time(x1, x0.t + part * h);
      c.kernel.held().complete(c.system, x1, w);
      c.kernel.evaluate_bound(c.system, x1, w);
      c.system.motion().chart_rate(step_.data(), w.rate.data());
      c.ledger.add_power(w.power.data(), weight * h);
      for (std::size_t i = 0; i < n; ++i) sum_[i] += weight * w.rate[i];
      return c.kernel.converged();
    };
    c.ledger.add_power(c.power0, h / 6);
    for (std::size_t i = 0; i < n; ++i) sum_[i] = c.rate0[i] * (1.0 / 6);
    // where reactions and friction do not find each other the run rejects the step
    if (!stage(c.rate0, 0.5, 1.0 / 3) || !stage(w.rate.data(), 0.5, 1.0 / 3) || !stage(w.rate.data(), 1.0, 1.0 / 6)) return;
    c.system.motion().move(x0, h, sum_.data(), x1);
    c.system.set_time(x1, x0.t + h);
  }

  const FusedEvaluation* fused_ = nullptr;  // takes the whole step
  std::vector<double> sum_, step_;
  bool plain_ = true, copies_ = true;
};

}  // namespace bristle
