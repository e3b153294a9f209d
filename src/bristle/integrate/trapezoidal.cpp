#include "bristle/integrate/trapezoidal.h"

#include <algorithm>
#include <cmath>

namespace bristle {

void Trapezoidal::prepare(const System& system) {
  matrix_.prepare(system);
  factors_.reserve(matrix_);
  const auto n = static_cast<std::size_t>(system.layout().order_one());
  step_.assign(n, 0);
  residual_.assign(n, 0);
  power_.assign(system.layout().accounts.size(), 0);
}

Outcome Trapezoidal::step(StepContext& c, const State& x0, double h, State& x1) {
  Outcome out;
  Workspace& w = c.work;
  const std::size_t n = step_.size();
  const Tolerances newton{newton_tolerance_, newton_tolerance_};
  x1 = x0;
  for (std::size_t i = 0; i < n; ++i) step_[i] = h * c.rate0[i];  // explicit start
  constexpr int kLimit = 50;
  double last = 0;
  for (int k = 0; k < kLimit; ++k) {
    c.system.move(x0, 1, step_.data(), x1);
    c.system.set_time(x1, x0.t + h);
    c.kernel.complete(c.system, x1, w);
    c.kernel.evaluate(c.system, x1, w);
    if (!c.kernel.converged()) break;
    c.system.chart_rate(step_.data(), w.rate.data());
    ++out.evaluations;
    ++out.newton;
    power_ = w.power;
    std::copy(w.lambda.begin(), w.lambda.end(), x1.lambda());
    const Enforcement& held = c.kernel.enforcement();
    // (2/h - J) d = F(y1) + F(y0) - 2/h (y1 - y0)
    for (std::size_t i = 0; i < n; ++i) residual_[i] = w.rate[i] + c.rate0[i] - 2 / h * step_[i];
    matrix_.refresh(c.system, x1, w, {held.damping(h), held.stiffness(h)});
    if (!factors_.factor(matrix_, 2 / h))
      return {.verdict = Outcome::Verdict::reject, .cause = Cause::singular_matrix, .next = 0.5 * h};
    factors_.solve(matrix_, residual_.data());
    const double size = scaled_norm(c.system, newton, x0, x1, residual_.data(), &out.worst);
    if (!std::isfinite(size) || size >= 1e299) break;
    // a cycle between two branches of a law: go half way
    const double damp = k > 10 && size > 0.5 * last ? 0.5 : 1.0;
    last = size;
    for (std::size_t i = 0; i < n; ++i) step_[i] += damp * residual_[i];
    if (size <= 1) {
      c.system.move(x0, 1, step_.data(), x1);
      c.system.set_time(x1, x0.t + h);
      c.ledger.add_power(c.power0, 0.5 * h);
      c.ledger.add_power(power_.data(), 0.5 * h);
      return out;
    }
  }
  out.verdict = Outcome::Verdict::reject;
  out.cause = Cause::newton;
  out.next = 0.5 * h;
  return out;
}

}  // namespace bristle
