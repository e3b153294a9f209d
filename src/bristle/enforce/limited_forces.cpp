#include "bristle/enforce/limited_forces.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kShare = 1e-2;  // delta over the accelerations at hand: what decides who shares how much stays above round-off
constexpr double kLeast = 1e-4;  // and the least of it; where no place repeats others there is nothing to share: kOne
constexpr double kOne = 1e-10;
constexpr double kRegular = 1e-6;   // of a diagonal: with less, forces at rest are more round-off of geometry than answer
constexpr double kSettled = 1e-13;  // distance from the next forces, over the limits
constexpr double kEnough = 1e-9;    // the same: with more there is no answer
constexpr int kRounds = 200, kBold = 12, kSweeps = 20, kPasses = 40;
double length(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}
}  // namespace

void LimitedForces::reserve(int rows) {
  next_.assign(u(rows), 0);
  before_.assign(u(rows), 0);
  soft_.assign(u(rows), 0);
  best_.assign(u(rows), 0);
  copy_.assign(u(rows * rows), 0);
  lu_.reserve(rows);
}

bool LimitedForces::regular(int n, const double* W) {
  std::copy_n(W, n * n, copy_.begin());
  double* L = copy_.data();
  for (int j = 0; j < n; ++j) {
    const double whole = W[j * n + j];
    double s = whole;
    for (int k = 0; k < j; ++k) s -= L[j * n + k] * L[j * n + k];
    if (!(s > kRegular * whole)) return false;
    L[j * n + j] = std::sqrt(s);
    for (int i = j + 1; i < n; ++i) {
      double t = W[i * n + j];
      for (int k = 0; k < j; ++k) t -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = t / L[j * n + j];
    }
  }
  return true;
}

double LimitedForces::left(int row, const double* F) const {
  double r = b_[row];
  for (int k = 0; k < n_; ++k) r -= W_[row * n_ + k] * F[k];
  return r;
}

void LimitedForces::project(double* F) const {
  for (const Place& p : *places_) {
    const double size = length(F + p.first, p.count);
    if (!(size > p.limit)) continue;
    for (int d = 0; d < p.count; ++d) F[p.first + d] *= p.limit / size;
  }
}

/// No less than the largest eigenvalue of the rows of a place.
double LimitedForces::mobility(const Place& p) const {
  double steepest = 0;
  for (int d = 0; d < p.count; ++d) {
    double sum = 0;
    for (int k = 0; k < p.count; ++k) sum += std::abs(W_[(p.first + d) * n_ + p.first + k]);
    steepest = std::max(steepest, sum);
  }
  return steepest;
}

/// What a place would give next, as far as the others let it.
void LimitedForces::improve(const Place& p, const double* F, double* next) const {
  const double steepest = mobility(p);
  if (!(steepest > 0) || !(p.limit > 0)) {
    std::fill_n(next, p.count, 0.0);
    return;
  }
  const double soft = soft_[u(p.first)];
  for (int d = 0; d < p.count; ++d)
    next[d] = F[p.first + d] + (left(p.first + d, F) - soft * (F[p.first + d] - before_[u(p.first + d)])) / (steepest + soft);
  const double size = length(next, p.count), cut = size > p.limit ? p.limit / size : 1;
  for (int d = 0; d < p.count; ++d) next[d] *= cut;
}

/// How far each place is from what it would give next, over its limit, beyond round-off: the largest.
double LimitedForces::distance(const double* F) const {
  double most = 0, next[3];
  for (const Place& p : *places_) {
    if (!(p.limit > 0)) continue;
    improve(p, F, next);
    const double moves = mobility(p);
    for (int d = 0; d < p.count; ++d) {
      const int i = p.first + d;
      double parts = std::abs(b_[i]);
      for (int k = 0; k < n_; ++k) parts += std::abs(W_[i * n_ + k] * F[k]);
      const double noise = moves > 0 ? 1e-15 * parts / moves : 0;
      most = std::max(most, (std::abs(next[d] - F[i]) - noise) / p.limit);
    }
  }
  return most;
}

void LimitedForces::sweep() {
  double next[3];
  for (const Place& p : *places_) {
    improve(p, F_, next);
    std::copy_n(next, p.count, F_ + p.first);
  }
}

/// Newton with the places that are at their limits now: these keep to it, in the plane by turning; the others rest.
void LimitedForces::newton(bool boldly) {
  lu_.reserve(n_);
  double *A = lu_.matrix(), *dF = next_.data();
  for (const Place& p : *places_) {
    double r[3] = {0, 0, 0};
    const double soft = soft_[u(p.first)];
    for (int d = 0; d < p.count; ++d) r[d] = left(p.first + d, F_) + soft * before_[u(p.first + d)];
    double outward = 0;
    for (int d = 0; d < p.count; ++d) outward += r[d] * F_[p.first + d];
    const double speed = length(r, p.count), size = length(F_ + p.first, p.count);
    const bool none = !(mobility(p) > 0) || !(p.limit > 0),
               limited = size > 0.999999 * p.limit && outward > soft * p.limit * size;
    for (int d = 0; d < p.count; ++d) {
      const int i = p.first + d;
      double* row = A + i * n_;
      if (none) {
        std::fill_n(row, n_, 0.0);
        row[i] = 1, dF[i] = -F_[i];
      } else if (limited) {
        const double stretch = p.count > 1 ? p.limit / speed : 0;
        for (int k = 0; k < n_; ++k) {
          double turned = 0;
          for (int c = 0; c < p.count && stretch > 0; ++c)
            turned += ((c == d ? 1.0 : 0.0) - r[d] * r[c] / (speed * speed)) * W_[(p.first + c) * n_ + k];
          row[k] = stretch * turned + (k == i ? 1 : 0);
        }
        dF[i] = p.limit * r[d] / speed - F_[i];
      } else {
        std::copy_n(W_ + i * n_, n_, row);
        row[i] += soft;
        dF[i] = r[d] - soft * F_[i];
      }
    }
  }
  if (!lu_.factor()) return;
  lu_.solve(dF);
  const double before = distance(F_);
  for (double part : {1.0, 0.25, 0.05}) {
    for (int i = 0; i < n_; ++i) copy_[u(i)] = F_[i] + part * dF[i];
    project(copy_.data());
    if (!boldly && !(distance(copy_.data()) < before)) continue;
    std::copy_n(copy_.begin(), n_, F_);
    return;
  }
}

bool LimitedForces::solve(int n, const double* W, const double* b, const std::vector<Place>& places, double* F) {
  n_ = n, W_ = W, b_ = b, places_ = &places, F_ = F;
  double scale = 0;
  for (const Place& p : places) {
    for (int d = 0; d < p.count; ++d) {
      const double moves = W[(p.first + d) * (n + 1)];
      if (moves > 0) scale = std::max({scale, std::abs(b[p.first + d]), moves * p.limit});
    }
  }
  double share = kShare;
  const auto soften = [&] {
    for (const Place& p : places) soft_[u(p.first)] = p.limit > 0 ? share * scale / p.limit : 0;
  };
  soften();
  project(F);
  // the last term is taken out again, pass by pass, by measuring it from the forces of the pass before
  std::fill_n(before_.begin(), n, 0.0);
  const double least = regular(n, W) ? kOne : kLeast;
  bool settled = false;
  double left = 0;  // distance
  for (int pass = 0; pass < kPasses; ++pass) {
    settled = false;
    double least_distance = 1e300;
    for (int round = 0; round < kRounds && !settled; ++round) {
      // boldly at first; from the best of that on with more sweeps, and Newton only where it helps
      if (round == kBold) std::copy_n(best_.begin(), n, F);
      for (int k = 0; k < (round < kBold ? 1 : kSweeps); ++k) sweep();
      newton(round < kBold);
      const double now = distance(F);
      settled = now <= kSettled;
      if (now < least_distance) std::copy_n(F, n, best_.begin()), least_distance = now;
    }
    left = least_distance;
    if (!settled) std::copy_n(best_.begin(), n, F);
    double change = 0;
    for (const Place& p : places) {
      for (int d = p.first; d < p.first + p.count && p.limit > 0; ++d)
        change = std::max(change, std::abs(F[d] - before_[u(d)]) / p.limit);
    }
    if (!settled || !(change > kSettled)) break;
    std::copy_n(F, n, before_.begin());
    share = std::max(least, 0.1 * share);
    soften();
  }
  return left <= kEnough;
}

}  // namespace bristle
