#include "bristle/integrate/dormand_prince.h"

#include <algorithm>
#include <cmath>

#include "bristle/integrate/near_singular.h"

namespace bristle {

namespace {
// J. R. Dormand, P. J. Prince, A family of embedded Runge–Kutta formulae, J. Comp. Appl. Math. 6 (1980)
constexpr double kC[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kA[7][6] = {{},
                             {1.0 / 5},
                             {3.0 / 40, 9.0 / 40},
                             {44.0 / 45, -56.0 / 15, 32.0 / 9},
                             {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                             {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                             {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double kE[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// the extra combination of the dense output (E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, II.6)
constexpr double kD[7] = {-12715105075.0 / 11282082432.0,  0,
                          87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                          701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                          69997945.0 / 29380423.0};
}  // namespace

void DormandPrince::prepare(const System& system) {
  const auto n = static_cast<std::size_t>(system.layout().order_one());
  for (auto& k : k_) k.assign(n, 0);
  mix_.assign(n, 0);
  error_.assign(n, 0);
  step_.assign(n, 0);
  probe_ = system.make_state();
}

double DormandPrince::first_step(const StepContext& c, const State& x0) const {
  // Hairer, Nørsett, Wanner, II.4: compare value, rate and curvature in the scaled norm
  const int n = c.system.layout().order_one();
  const double d1 = scaled_norm(c.system, tolerances_, x0, x0, c.rate0);
  const double h0 = d1 > 1e-10 ? 0.01 / d1 : 1e-6;
  probe_ = x0;
  c.system.motion().move(x0, h0, c.rate0, probe_);
  c.system.set_time(probe_, x0.t + h0);
  c.kernel.evaluate(c.system, probe_, c.work);
  for (int i = 0; i < n; ++i) step_[static_cast<std::size_t>(i)] = (c.work.rate[static_cast<std::size_t>(i)] - c.rate0[i]) / h0;
  const double d2 = scaled_norm(c.system, tolerances_, x0, x0, step_.data());
  const double top = std::max(d1, d2);
  const double h1 = top <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / top, 1.0 / 5);
  return std::min(100 * h0, h1);
}

Outcome DormandPrince::step(StepContext& c, const State& x0, double h, State& x1) {
  Workspace& w = c.work;
  const std::size_t n = mix_.size();
  std::copy_n(c.rate0, n, k_[0].begin());
  c.ledger.add_power(c.power0, h * kA[6][0]);
  x1 = x0;
  for (std::size_t s = 1; s < 7; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < s; ++j) sum += kA[s][j] * k_[j][i];
      mix_[i] = sum;
    }
    c.system.motion().move(x0, h, mix_.data(), x1);
    c.system.set_time(x1, x0.t + kC[s] * h);
    c.kernel.held().complete(c.system, x1, w);
    c.kernel.evaluate(c.system, x1, w);
    if (!c.kernel.converged()) return {.evaluations = static_cast<int>(s)};  // the run rejects it
    if (!c.system.layout().frames.empty()) {  // attitudes in the chart of increments from x0: the method keeps its order
      for (std::size_t i = 0; i < n; ++i) step_[i] = h * mix_[i];
      c.system.motion().chart_rate(step_.data(), w.rate.data());
    }
    k_[s] = w.rate;
    if (s < 6) c.ledger.add_power(w.power.data(), h * kA[6][s]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 7; ++j) sum += kE[j] * k_[j][i];
    error_[i] = h * sum;
  }
  Outcome out{.evaluations = 6};
  out.error = scaled_norm(c.system, tolerances_at(c, x0, tolerances_), x0, x1, error_.data(), &out.worst);
  // proportional-integral step control
  const double e = std::max(out.error, 1e-10);
  if (out.error <= 1 || c.forced) {
    const double factor = 0.9 * std::pow(e, -0.17) * std::pow(previous_error_, 0.04);
    out.next = h * std::clamp(factor, 0.2, 10.0);
    previous_error_ = std::max(out.error, 1e-4);
  } else {
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::error;
    out.next = h * std::clamp(0.9 * std::pow(e, -0.2), 0.1, 0.9);
  }
  return out;
}

void DormandPrince::interpolate(const StepContext& c, const State& x0, const State& x1, const double*, double s, State& x) const {
  const std::size_t n = mix_.size();
  const double h = x1.t - x0.t;
  double* d = c.work.step.data();
  c.system.motion().difference(x0, x1, d);
  for (std::size_t i = 0; i < n; ++i) {
    const double whole = d[i], b = h * k_[0][i] - whole, e = whole - h * k_[6][i] - b;
    double extra = 0;
    for (std::size_t j = 0; j < 7; ++j) extra += kD[j] * k_[j][i];
    step_[i] = s * (whole + (1 - s) * (b + s * (e + (1 - s) * h * extra)));
  }
  x = x0;
  c.system.motion().move(x0, 1, step_.data(), x);
  c.system.set_time(x, x0.t + s * h);
}

}  // namespace bristle
