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
  envelope_.assign(u(rows), 0);
  const int dense = std::min(rows, kDense);
  copy_.assign(u(std::max(rows, dense * dense)), 0);
  row_at_ = envelope_;
  lu_.reserve(dense);
  first_.reserve(u(rows + 1));
  column_.reserve(u(dense * dense));
  value_.reserve(u(dense * dense));
}

void LimitedForces::take(int n, const double* W) {
  n_ = n;
  first_.assign(1, 0);
  column_.clear(), value_.clear();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      if (W[i * n + k] != 0 || k == i) column_.push_back(k), value_.push_back(W[i * n + k]);
    }
    first_.push_back(static_cast<int>(column_.size()));
  }
}

void LimitedForces::take(const std::vector<int>& first, const std::vector<int>& column, const std::vector<double>& value) {
  n_ = static_cast<int>(first.size()) - 1;
  first_ = first, column_ = column, value_ = value;
}

double LimitedForces::W(int row, int column) const {
  const auto first = column_.begin() + first_[u(row)], last = column_.begin() + first_[u(row + 1)];
  const auto at = std::lower_bound(first, last, column);
  return at != last && *at == column ? value_[static_cast<std::size_t>(at - column_.begin())] : 0;
}

bool LimitedForces::regular() {
  // Cholesky row by row, from the first entry of each that is not zero: nothing fills in before it
  int next = 0;
  for (int i = 0; i < n_; ++i) {
    const int from = std::min(column_[u(first_[u(i)])], i);
    envelope_[u(i)] = from;
    row_at_[u(i)] = next - from;
    next += i - from + 1;
    if (copy_.size() < u(next)) copy_.resize(2 * u(next));
    double* Li = copy_.data() + row_at_[u(i)];
    std::fill(Li + from, Li + i + 1, 0.0);
    for (int e = first_[u(i)]; e < first_[u(i + 1)] && column_[u(e)] <= i; ++e) Li[column_[u(e)]] = value_[u(e)];
    for (int j = from; j < i; ++j) {
      const double* Lj = copy_.data() + row_at_[u(j)];
      double t = Li[j];
      for (int k = std::max(from, envelope_[u(j)]); k < j; ++k) t -= Li[k] * Lj[k];
      Li[j] = t / Lj[j];
    }
    const double whole = Li[i];
    double s = whole;
    for (int k = from; k < i; ++k) s -= Li[k] * Li[k];
    if (!(s > kRegular * whole)) return false;
    Li[i] = std::sqrt(s);
  }
  return true;
}

void LimitedForces::find_pattern() {
  if (n_ <= kDense) return;
  // rows of one place mix: each has the columns of all of them
  union_first_.assign(u(n_ + 1), 0);
  union_column_.clear();
  std::vector<std::vector<int>> by_column(u(n_));
  for (const Place& p : *places_) {
    std::vector<int> columns(column_.begin() + first_[u(p.first)], column_.begin() + first_[u(p.first + p.count)]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (int d = p.first; d < p.first + p.count; ++d) {
      union_column_.insert(union_column_.end(), columns.begin(), columns.end());
      union_first_[u(d + 1)] = static_cast<int>(union_column_.size());
      for (int c : columns) by_column[u(c)].push_back(d);
    }
  }
  starts_.assign(1, 0);
  rows_.clear();
  std::vector<int> next(u(n_));
  at_.assign(union_column_.size(), 0);
  for (int i = 0; i < n_; ++i) next[u(i)] = union_first_[u(i)];
  for (int c = 0; c < n_; ++c) {
    for (int r : by_column[u(c)]) {
      at_[u(next[u(r)]++)] = static_cast<int>(rows_.size());  // the columns of a row are met in their order
      rows_.push_back(r);
    }
    starts_.push_back(static_cast<int>(rows_.size()));
  }
  values_.assign(rows_.size(), 0);
  sparse_.analyse(n_, starts_, rows_);
}

double LimitedForces::left(int row, const double* F) const {
  double r = b_[row];
  for (int e = first_[u(row)]; e < first_[u(row + 1)]; ++e) r -= value_[u(e)] * F[column_[u(e)]];
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
    for (int k = 0; k < p.count; ++k) sum += std::abs(W(p.first + d, p.first + k));
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
      for (int e = first_[u(i)]; e < first_[u(i + 1)]; ++e) parts += std::abs(value_[u(e)] * F[column_[u(e)]]);
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
  const bool dense = n_ <= kDense;
  if (dense) lu_.reserve(n_), std::fill_n(lu_.matrix(), n_ * n_, 0.0);
  else std::fill(values_.begin(), values_.end(), 0.0);
  double* dF = next_.data();
  for (const Place& p : *places_) {
    double r[3] = {0, 0, 0};
    const double soft = soft_[u(p.first)];
    for (int d = 0; d < p.count; ++d) r[d] = left(p.first + d, F_) + soft * before_[u(p.first + d)];
    double outward = 0;
    for (int d = 0; d < p.count; ++d) outward += r[d] * F_[p.first + d];
    const double speed = length(r, p.count), size = length(F_ + p.first, p.count);
    const bool none = !(mobility(p) > 0) || !(p.limit > 0),
               limited = size > 0.999999 * p.limit && outward > soft * p.limit * size;
    const double stretch = p.count > 1 ? p.limit / speed : 0;
    for (int d = 0; d < p.count; ++d) {
      const int i = p.first + d;
      dF[i] = none ? -F_[i] : limited ? p.limit * r[d] / speed - F_[i] : r[d] - soft * F_[i];
      const auto add = [&](int k, double value) {
        if (dense) {
          lu_.matrix()[i * n_ + k] += value;
          return;
        }
        const auto first = union_column_.begin() + union_first_[u(i)], last = union_column_.begin() + union_first_[u(i + 1)];
        values_[u(at_[static_cast<std::size_t>(std::lower_bound(first, last, k) - union_column_.begin())])] += value;
      };
      if (none || limited) add(i, 1);
      if (none) continue;
      if (!limited) {
        for (int e = first_[u(i)]; e < first_[u(i + 1)]; ++e) add(column_[u(e)], value_[u(e)] + (column_[u(e)] == i ? soft : 0));
        continue;
      }
      for (int c = 0; c < p.count && stretch > 0; ++c) {
        const double turned = stretch * ((c == d ? 1.0 : 0.0) - r[d] * r[c] / (speed * speed));
        for (int e = first_[u(p.first + c)]; e < first_[u(p.first + c + 1)]; ++e) add(column_[u(e)], turned * value_[u(e)]);
      }
    }
  }
  if (dense) {
    if (!lu_.factor()) return;
    lu_.solve(dF);
  } else {
    if (!sparse_.factor(values_.data())) return;
    sparse_.solve(dF);
  }
  const double before = distance(F_);
  for (double part : {1.0, 0.25, 0.05}) {
    for (int i = 0; i < n_; ++i) copy_[u(i)] = F_[i] + part * dF[i];
    project(copy_.data());
    if (!boldly && !(distance(copy_.data()) < before)) continue;
    std::copy_n(copy_.begin(), n_, F_);
    return;
  }
}

bool LimitedForces::solve(const double* b, const std::vector<Place>& places, double* F) {
  const int n = n_;
  b_ = b, places_ = &places, F_ = F;
  find_pattern();
  double scale = 0;
  for (const Place& p : places) {
    for (int d = 0; d < p.count; ++d) {
      const double moves = W(p.first + d, p.first + d);
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
  const double least = regular() ? kOne : kLeast;
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
  missed_ = left;
  return left <= kEnough;
}

}  // namespace bristle
