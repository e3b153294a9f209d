#include "bristle/math/cone_problem.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {

/// Sliding along the direction (c, s): normal impulse from u_n = 0 (or the floor), what is then left of the slip across it.
struct Slide {
  double pn = 0, pt[2] = {0, 0}, ut[2] = {0, 0}, across = 0, along = 0;
};

Slide slide(const double* W, const double* b, double mu, double floor, double c, double s) {
  Slide r;
  const double slope = W[0] - mu * (W[1] * c + W[2] * s);
  r.pn = slope > 0 ? -b[0] / slope : floor;
  r.pn = std::max(r.pn, floor);
  r.pt[0] = -mu * r.pn * c, r.pt[1] = -mu * r.pn * s;
  for (int i = 0; i < 2; ++i)
    r.ut[i] = b[1 + i] + W[3 * (1 + i)] * r.pn + W[3 * (1 + i) + 1] * r.pt[0] + W[3 * (1 + i) + 2] * r.pt[1];
  r.across = c * r.ut[1] - s * r.ut[0];
  r.along = c * r.ut[0] + s * r.ut[1];
  return r;
}

void solve_plane(const double* W, const double* b, double mu, double floor, double* p) {
  // bodies as round as spheres: nothing couples the directions
  const double coupling =
      std::abs(W[1]) + std::abs(W[2]) + std::abs(W[3]) + std::abs(W[6]) + std::abs(W[5]) + std::abs(W[4] - W[8]);
  if (coupling <= 1e-12 * W[0]) {
    p[0] = std::max(floor, -b[0] / W[0]);
    p[1] = -b[1] / W[4], p[2] = -b[2] / W[4];
    const double size = std::sqrt(p[1] * p[1] + p[2] * p[2]), most = mu * p[0];
    if (size > most) p[1] *= most / size, p[2] *= most / size;
    return;
  }
  // stick
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> M(W);
  const Eigen::Map<const Eigen::Vector3d> rhs(b);
  Eigen::Vector3d x = M.partialPivLu().solve(-rhs);
  if (!(x[0] >= floor)) {  // the impulse is at its floor, the surfaces part
    const Eigen::Matrix2d T = M.bottomRightCorner<2, 2>();
    const Eigen::Vector2d t = T.partialPivLu().solve(-(rhs.tail<2>() + M.block<2, 1>(1, 0) * floor));
    x << floor, t;
  }
  if (x.allFinite() && std::hypot(x[1], x[2]) <= mu * x[0]) {
    for (int i = 0; i < 3; ++i) p[i] = x[i];
    return;
  }
  // slip: the direction in which what is left of the slip points along itself
  const auto take = [&](const Slide& r) { p[0] = r.pn, p[1] = r.pt[0], p[2] = r.pt[1]; };
  double angle = std::atan2(b[2] + W[6] * p[0], b[1] + W[3] * p[0]);
  if (std::hypot(p[1], p[2]) > 0) angle = std::atan2(-p[2], -p[1]);
  const double size = std::abs(b[1]) + std::abs(b[2]) + std::abs(b[0]) + W[0] * floor;
  const auto misses = [&](const Slide& r) {
    const double q[3] = {r.pn, r.pt[0], r.pt[1]}, v[3] = {b[0] + W[0] * q[0] + W[1] * q[1] + W[2] * q[2], r.ut[0], r.ut[1]};
    return contact_residual(W, v, 2, mu, floor, q);
  };
  for (int k = 0; k < 30; ++k) {
    const Slide r = slide(W, b, mu, floor, std::cos(angle), std::sin(angle));
    if (std::abs(r.across) <= 1e-14 * size) {
      if (misses(r) > 1e-12 * size) break;
      return take(r);
    }
    constexpr double kTurn = 1e-6;
    const Slide near = slide(W, b, mu, floor, std::cos(angle + kTurn), std::sin(angle + kTurn));
    const double slope = (near.across - r.across) / kTurn;
    if (!(slope < 0)) break;  // Newton would run to the opposite direction
    const double step = std::clamp(-r.across / slope, -0.5, 0.5);
    angle += step;
    if (std::abs(step) < 1e-14) break;
  }
  // all around, then halving; of all directions that fit, the one that fits best
  constexpr double kFull = 6.283185307179586;
  Slide best = slide(W, b, mu, floor, std::cos(angle), std::sin(angle));
  double least = misses(best);
  for (int around : {64, 4096}) {
    if (!(least > 1e-10 * size)) break;
    Slide before = slide(W, b, mu, floor, 1, 0);
    for (int k = 1; k <= around; ++k) {
      double low = kFull * (k - 1) / around, high = kFull * k / around;
      const Slide now = slide(W, b, mu, floor, std::cos(high), std::sin(high));
      if ((before.across >= 0) != (now.across >= 0)) {
        for (int i = 0; i < 52; ++i) {
          const double middle = 0.5 * (low + high);
          const bool first = slide(W, b, mu, floor, std::cos(middle), std::sin(middle)).across >= 0;
          (first == (before.across >= 0) ? low : high) = middle;
        }
        for (double end : {low, high}) {
          const Slide r = slide(W, b, mu, floor, std::cos(end), std::sin(end));
          if (const double off = misses(r); off < least) best = r, least = off;
        }
      }
      before = now;
    }
  }
  take(best);
}

}  // namespace

void solve_contact(const double* W, const double* b, int slips, double mu, double floor, double* p) {
  if (!(W[0] > 0)) return;  // nothing moves
  if (b[0] >= 0 && floor == 0) {
    for (int i = 0; i <= slips; ++i) p[i] = 0;
    return;
  }
  if (slips == 0 || !(mu > 0)) {
    for (int i = 1; i <= slips; ++i) p[i] = 0;
    p[0] = std::max(floor, -b[0] / W[0]);
    return;
  }
  if (slips == 2) return solve_plane(W, b, mu, floor, p);
  // one tangent: stick, or one of two directions
  const double det = W[0] * W[3] - W[1] * W[2];
  double pn = det > 0 ? (-b[0] * W[3] + b[1] * W[1]) / det : -1, pt = det > 0 ? (-b[1] * W[0] + b[0] * W[2]) / det : 0;
  if (!(pn >= floor) && W[3] > 0) pn = floor, pt = -(b[1] + W[2] * floor) / W[3];
  if (pn >= floor && std::abs(pt) <= mu * pn) {
    p[0] = pn, p[1] = pt;
    return;
  }
  double least = 1e300;
  for (double side : {1.0, -1.0}) {
    const double slope = W[0] - side * mu * W[1], n = std::max(floor, slope > 0 ? -b[0] / slope : floor), t = -side * mu * n;
    const double wrong = -side * (b[1] + W[2] * n + W[3] * t);  // the slip must point along `side`
    if (wrong < least) least = wrong, p[0] = n, p[1] = t;
  }
}

double contact_residual(const double* W, const double* v, int slips, double mu, double floor, const double* p) {
  if (!(W[0] > 0)) return 0;
  const int n = 1 + slips;
  double worst = std::abs(std::min(v[0], W[0] * (p[0] - floor)));
  double rho = 0, y[2] = {0, 0}, size = 0, off = 0;
  for (int i = 1; i < n; ++i) rho = std::max(rho, W[i * n + i]);
  if (slips == 0 || !(rho > 0)) return worst;
  for (int i = 0; i < slips; ++i) y[i] = p[1 + i] * rho - v[1 + i], size += y[i] * y[i];
  size = std::sqrt(size);
  const double radius = mu * std::max(0.0, p[0]) * rho, cut = size > radius ? radius / size : 1;
  for (int i = 0; i < slips; ++i) off += (p[1 + i] * rho - cut * y[i]) * (p[1 + i] * rho - cut * y[i]);
  return std::max(worst, std::sqrt(off));
}

void ConeProblem::resize(int n) {
  n_ = n;
  W.assign(u(n) * u(n), 0);
  b.assign(u(n), 0);
  blocks.clear();
}

void ConeProblem::reserve(int n) {
  for (auto* square : {&W, &J_}) square->reserve(u(n) * u(n));
  for (auto* line : {&b, &F_, &step_, &trial_, &best_, &keep_, &ahead_, &before_}) line->reserve(u(n));
  blocks.reserve(u(n));
  factors_.reserve(n);
}

void ConeProblem::local(const ConeBlock& c, const double* p, double* w, double* v) const {
  const int k = c.size();
  for (int i = 0; i < k; ++i) {
    const double* row = W.data() + u(c.at + i) * u(n_);
    double sum = b[u(c.at + i)];
    for (int j = 0; j < n_; ++j) sum += row[j] * p[j];
    v[i] = sum;
    for (int j = 0; j < k; ++j) w[i * k + j] = row[c.at + j];
  }
}

double ConeProblem::residual(const double* p) const {
  double worst = 0, w[9], v[3];
  for (const ConeBlock& c : blocks) {
    local(c, p, w, v);
    const double r = c.held ? std::abs(v[0]) : contact_residual(w, v, c.slips, c.friction, c.floor, p + c.at);
    if (!(r <= worst)) worst = r;
  }
  return worst;
}

ConeAnswer ConeProblem::solve_sweeps(double* p, int most) {
  ConeAnswer answer;
  double w[9], v[3], shifted[3], size = 0;
  ahead_.assign(u(n_), 0);
  for (answer.iterations = 0; answer.iterations < most;) {
    ++answer.iterations;
    double change = 0;
    before_.assign(p, p + n_);
    for (const ConeBlock& c : blocks) {
      local(c, p, w, v);
      const int k = c.size();
      double last[3] = {0, 0, 0};
      if (!(w[0] > 0)) continue;
      for (int i = 0; i < k; ++i) last[i] = p[c.at + i];
      if (c.held) {
        p[c.at] -= v[0] / w[0];
      } else {
        for (int i = 0; i < k; ++i) {
          shifted[i] = v[i];
          for (int j = 0; j < k; ++j) shifted[i] -= w[i * k + j] * last[j];
        }
        solve_contact(w, shifted, c.slips, c.friction, c.floor, p + c.at);
      }
      for (int i = 0; i < k; ++i) change = std::max(change, std::abs(p[c.at + i] - last[i]) * w[i * k + i]);
    }
    if (change <= 0.1 * tolerance || answer.iterations == most) break;
    // conjugate gradients on top of the sweeps (M. Silcowitz, S. Niebe, K. Erleben, "A nonsmooth nonlinear conjugate gradient method for
    // interactive contact force problems", 2010): what a sweep changes is the gradient
    double now = 0;
    for (int i = 0; i < n_; ++i) {
      const double step = p[i] - before_[u(i)];
      now += W[u(i) * u(n_) + u(i)] * step * step;
    }
    const double share = size > 0 ? now / size : 2;
    size = now;
    for (int i = 0; i < n_; ++i) {
      const double step = p[i] - before_[u(i)];
      if (share <= 1) p[i] += share * ahead_[u(i)];
      ahead_[u(i)] = share <= 1 ? share * ahead_[u(i)] + step : 0;
    }
  }
  answer.sweeps = answer.iterations;
  answer.residual = residual(p);
  answer.converged = answer.residual <= tolerance;
  return answer;
}

double ConeProblem::map(const double* p, double* F, bool slopes) {
  double sum = 0, w[9], v[3];
  if (slopes) std::fill(J_.begin(), J_.end(), 0.0);
  for (const ConeBlock& c : blocks) {
    local(c, p, w, v);
    const int k = c.size();
    const double *Wn = W.data() + u(c.at) * u(n_), *q = p + c.at;
    double* Jn = J_.data() + u(c.at) * u(n_);
    const double rho = w[0] > 0 ? 1 / w[0] : 0;
    const auto moves = [&](const double* row, double factor, double* out) {
      for (int j = 0; j < n_; ++j) out[j] += factor * row[j];
    };
    if (!(w[0] > 0)) {
      for (int i = 0; i < k; ++i) {
        F[c.at + i] = 0;
        if (slopes) Jn[i * n_ + c.at + i] = 1;
      }
      continue;
    }
    constexpr double kSoft = 1e-11;  // redundant contacts: of all solutions one near the last iterate
    if (c.held) {
      F[c.at] = v[0];
      sum += v[0] * v[0];
      if (slopes) moves(Wn, 1, Jn), Jn[c.at] += kSoft * w[0];
      continue;
    }
    // everything in the unit of u
    const double reach = w[0] * (q[0] - c.floor) - v[0];
    const bool closed = reach > 0;
    F[c.at] = closed ? v[0] : w[0] * (q[0] - c.floor);
    sum += F[c.at] * F[c.at];
    if (slopes) {
      if (closed) moves(Wn, 1, Jn), Jn[c.at] += kSoft * w[0];
      else Jn[c.at] = w[0];
    }
    if (c.slips == 0) continue;
    double stiff = 0, y[2] = {0, 0}, size = 0;
    for (int i = 1; i < k; ++i) stiff = std::max(stiff, w[i * k + i]);
    for (int i = 0; i < c.slips; ++i) y[i] = q[1 + i] - v[1 + i] / stiff, size += y[i] * y[i];
    size = std::sqrt(size);
    const double pn = c.floor + (closed ? rho * reach : 0), radius = c.friction * pn;
    for (int i = 0; i < c.slips; ++i) {
      double *Ft = F + c.at + 1 + i, *Jt = Jn + (1 + i) * n_;
      const double* Wt = Wn + (1 + i) * n_;
      if (size <= radius) {
        *Ft = v[1 + i];
        if (slopes) moves(Wt, 1, Jt), Jt[c.at + 1 + i] += kSoft * w[0];
      } else {
        const double e = y[i] / size;
        *Ft = stiff * (q[1 + i] - radius * e);
        if (slopes) {
          Jt[c.at + 1 + i] += stiff;
          for (int j = 0; j < c.slips; ++j) {
            const double turn = radius / size * ((i == j ? 1 : 0) - e * y[j] / size);
            Jt[c.at + 1 + j] -= stiff * turn;
            moves(Wn + (1 + j) * n_, turn, Jt);
          }
          if (closed) {
            Jt[c.at] -= stiff * c.friction * e;
            moves(Wn, stiff * c.friction * e * rho, Jt);
          }
        }
      }
      sum += *Ft * *Ft;
    }
  }
  return sum;
}

ConeAnswer ConeProblem::solve_newton(double* p) {
  ConeAnswer answer;
  const auto n = u(n_);
  for (auto* part : {&F_, &step_, &trial_, &best_}) part->assign(n, 0);
  J_.assign(n * n, 0);
  factors_.reserve(n_);
  std::copy_n(p, n_, best_.begin());
  double best = residual(p), merit = map(p, F_.data(), true);
  for (int k = 0; k < newton && best > tolerance && std::isfinite(merit); ++k) {
    ++answer.iterations;
    std::copy(J_.begin(), J_.end(), factors_.matrix());
    for (std::size_t i = 0; i < n; ++i) step_[i] = -F_[i];
    if (!factors_.factor()) break;
    factors_.solve(step_.data());
    if (!std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); })) break;
    double part = 1, next = merit;
    for (int halving = 0; halving < 12; ++halving, part *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) trial_[i] = p[i] + part * step_[i];
      next = map(trial_.data(), F_.data(), false);
      if (next < (1 - 1e-4 * part) * merit) break;
    }
    std::copy_n(trial_.begin(), n_, p);
    const double now = residual(p);
    if (now < best) {
      best = now;
      std::copy_n(p, n_, best_.begin());
    } else if (!(next < merit)) {
      break;  // neither the map nor the residual gets smaller
    }
    merit = map(p, F_.data(), true);
  }
  std::copy_n(best_.begin(), n_, p);
  answer.residual = best;
  answer.converged = best <= tolerance;
  return answer;
}

ConeAnswer ConeProblem::solve(double* p) {
  if (n_ == 0) return {0, 0, true};
  constexpr int kFirst = 8;
  ConeAnswer answer = solve_sweeps(p, std::min(kFirst, sweeps));
  int spent = answer.iterations, swept = answer.sweeps;
  for (int round = 0; round < 3 && !answer.converged; ++round) {
    keep_.assign(p, p + n_);
    answer = solve_newton(p);
    spent += answer.iterations;
    if (answer.converged) break;
    // sweeps from where Newton stood, or from where it began when it made nothing better
    if (!(answer.residual < residual(keep_.data()))) std::copy(keep_.begin(), keep_.end(), p);
    answer = solve_sweeps(p, sweeps / 3);
    spent += answer.iterations, swept += answer.sweeps;
  }
  answer.iterations = spent;
  answer.sweeps = swept;
  return answer;
}

}  // namespace bristle
