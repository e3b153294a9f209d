// All stages of Radau's method at once, where the tangent at one state does not serve.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/integrate/radau.h"
#include "bristle/math/newton.h"

namespace bristle {

/// All stages together, with the derivatives of each stage by differences; small systems only.
struct Radau::Whole {
  Radau& m;
  StepContext& c;
  const State& x0;
  double h;
  State& x1;
  Outcome& out;
  Tolerances newton = m.tolerances_;
  double best = 1e300, wanted = 1e300;
  int until = kPatience;
  static constexpr int kPatience = 12, kLimit = 50;  // iterations within which the changes must have fallen to a tenth

  /// Z_i - h sum A_ij F_j
  bool evaluate() {
    ++out.newton;
    if (!m.evaluate_stages(c, x0, h, x1, out)) return false;
    for (int i = 0; i < m.s_; ++i) {
      for (int k = 0; k < m.n_; ++k) {
        double sum = m.Z_[i][u(k)];
        for (int j = 0; j < m.s_; ++j) sum -= h * m.A_[i][j] * m.F_[j][u(k)];
        m.full_rhs_[u(i * m.n_ + k)] = -sum;
      }
    }
    return true;
  }
  /// 1 - h A_ij J_j with J_j one direction after the other
  bool solve() {
    const int full = m.s_ * m.n_;
    double* matrix = m.full_lu_.matrix();
    std::fill(matrix, matrix + full * full, 0.0);
    for (int j = 0; j < m.s_; ++j) {
      for (int k = 0; k < m.n_; ++k) {
        if (!calc_column(j, k)) return false;
      }
    }
    for (int i = 0; i < full; ++i) matrix[i * full + i] += 1;
    if (!m.full_lu_.factor()) return false;
    m.full_lu_.solve(m.full_rhs_.data());
    return true;
  }
  bool calc_column(int j, int k) {
    const int full = m.s_ * m.n_;
    double& z = m.Z_[j][u(k)];
    const double keep = z;
    const double d = 1e-7 * std::max(std::abs(z), 1e-6);
    z += d;
    c.system.motion().move(x0, 1, m.Z_[j].data(), x1);
    c.system.set_time(x1, x0.t + m.c_[j] * h);
    c.kernel.evaluate(c.system, x1, c.work);
    c.system.motion().chart_rate(m.Z_[j].data(), c.work.rate.data());
    ++out.evaluations;
    z = keep;
    if (!c.kernel.converged()) return false;
    for (int r = 0; r < m.n_; ++r) {
      const double slope = (c.work.rate[u(r)] - m.F_[j][u(r)]) / d;
      for (int i = 0; i < m.s_; ++i) m.full_lu_.matrix()[(i * m.n_ + r) * full + j * m.n_ + k] -= h * m.A_[i][j] * slope;
    }
    return true;
  }
  double size() {
    double size = 0;
    for (int i = 0; i < m.s_; ++i) {
      for (int k = 0; k < m.n_; ++k) m.error_[u(k)] = m.full_rhs_[u(i * m.n_ + k)];
      size = std::max(size, scaled_norm(c.system, newton, x0, x0, m.error_.data(), &out.worst));
    }
    return size;
  }
  void take(double) {
    for (int i = 0; i < m.s_; ++i) {
      for (int k = 0; k < m.n_; ++k) m.Z_[i][u(k)] += m.full_rhs_[u(i * m.n_ + k)];
    }
  }
  NewtonStep judge(const Contraction& contraction) {
    const double size = contraction.size();
    if (size <= 1) {
      m.correction_ = size;
      return NewtonStep::found;
    }
    best = std::min(best, size);
    if (contraction.count() <= until) return NewtonStep::on;
    if (best > wanted) return NewtonStep::diverges;
    wanted = 0.1 * best, until = contraction.count() - 1 + kPatience;
    return NewtonStep::on;
  }
};

bool Radau::iterate_fully(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  if (s_ * n_ > 96 || form_ != Form::index1) return false;
  Whole whole{*this, c, x0, h, x1, out};
  if (!adaptive_) whole.newton.relative = whole.newton.absolute = newton_tolerance_;
  Contraction contraction(Whole::kLimit);
  return newton(whole, contraction, Whole::kLimit) == NewtonEnd::found && evaluate_stages(c, x0, h, x1, out);
}

}  // namespace bristle
