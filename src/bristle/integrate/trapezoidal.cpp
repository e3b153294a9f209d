#include "bristle/integrate/trapezoidal.h"

#include <algorithm>

#include "bristle/math/newton.h"

namespace bristle {

void Trapezoidal::prepare(const System& system) {
  matrix_.prepare(system);
  factors_.reserve(matrix_);
  const auto n = static_cast<std::size_t>(system.layout().order_one());
  step_.assign(n, 0);
  residual_.assign(n, 0);
  power_.assign(system.layout().accounts.size(), 0);
}

/// y1 - F(y1) h/2 = y0 + F(y0) h/2, the unknown being the increment from y0.
struct Trapezoidal::Rule {
  Trapezoidal& m;
  StepContext& c;
  const State& x0;
  double h;
  State& x1;
  Outcome& out;

  bool evaluate() {
    Workspace& w = c.work;
    c.system.motion().move(x0, 1, m.step_.data(), x1);
    c.system.set_time(x1, x0.t + h);
    c.kernel.held().complete(c.system, x1, w);
    c.kernel.evaluate(c.system, x1, w);
    if (!c.kernel.converged()) return false;
    c.system.motion().chart_rate(m.step_.data(), w.rate.data());
    ++out.evaluations;
    ++out.newton;
    m.power_ = w.power;
    std::copy(w.lambda.begin(), w.lambda.end(), x1.lambda());
    return true;
  }
  /// (2/h - J) d = F(y1) + F(y0) - 2/h (y1 - y0)
  bool solve() {
    const Enforcement& held = c.kernel.enforcement();
    for (std::size_t i = 0; i < m.step_.size(); ++i) m.residual_[i] = c.work.rate[i] + c.rate0[i] - 2 / h * m.step_[i];
    m.matrix_.refresh(c.system, x1, c.work, {held.damping(h), held.stiffness(h)});
    if (!m.factors_.factor(m.matrix_, 2 / h)) return false;
    m.factors_.solve(m.matrix_, m.residual_.data());
    return true;
  }
  double size() {
    return scaled_norm(c.system, {m.newton_tolerance_, m.newton_tolerance_}, x0, x1, m.residual_.data(), &out.worst);
  }
  void take(double part) {
    for (std::size_t i = 0; i < m.step_.size(); ++i) m.step_[i] += part * m.residual_[i];
  }
  NewtonStep judge(const Contraction& contraction) const { return contraction.size() <= 1 ? NewtonStep::found : NewtonStep::on; }
};

Outcome Trapezoidal::step(StepContext& c, const State& x0, double h, State& x1) {
  constexpr int kPatience = 11, kLimit = 50;
  Outcome out;
  x1 = x0;
  for (std::size_t i = 0; i < step_.size(); ++i) step_[i] = h * c.rate0[i];  // explicit start
  Rule rule{*this, c, x0, h, x1, out};
  Contraction contraction(kPatience);
  const NewtonEnd end = newton(rule, contraction, kLimit);
  if (end == NewtonEnd::singular) return {.verdict = Outcome::Verdict::reject, .cause = Cause::singular_matrix, .next = 0.5 * h};
  if (end != NewtonEnd::found) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::newton;
    out.next = 0.5 * h;
    return out;
  }
  c.system.motion().move(x0, 1, step_.data(), x1);
  c.system.set_time(x1, x0.t + h);
  c.ledger.add_power(c.power0, 0.5 * h);
  c.ledger.add_power(power_.data(), 0.5 * h);
  return out;
}

}  // namespace bristle
