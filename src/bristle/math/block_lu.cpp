#include "bristle/math/block_lu.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "bristle/base/index.h"
#include "bristle/math/wide.h"

namespace bristle {

namespace {

constexpr int kMostNeighbours = 3;  // more of them are left to the sparse LU
constexpr int kDense = 40;

/// C -= A B, A: m x k, B: k x n.
template <int N>
[[gnu::always_inline]] inline void subtract_product(int m, int k, const double* A, const double* B, double* C) {
  int i = 0;
  for (; i + 1 < m; i += 2) {  // two rows at once: the sums do not wait for each other
    WideRow<N> c0, c1;
    c0.load(C + i * N), c1.load(C + (i + 1) * N);
    for (int l = 0; l < k; ++l) c0.take(A[i * k + l], B + l * N), c1.take(A[(i + 1) * k + l], B + l * N);
    c0.store(C + i * N), c1.store(C + (i + 1) * N);
  }
  for (; i < m; ++i) {
    WideRow<N> c;
    c.load(C + i * N);
    for (int l = 0; l < k; ++l) c.take(A[i * k + l], B + l * N);
    c.store(C + i * N);
  }
}
BRISTLE_WIDE void subtract_product(int m, int k, int n, const double* A, const double* B, double* C) {
  if (n == 12) return subtract_product<12>(m, k, A, B, C);
  if (n == 6) return subtract_product<6>(m, k, A, B, C);
  for (int i = 0; i < m; ++i) {
    for (int l = 0; l < k; ++l) {
      const double a = A[i * k + l];
      for (int j = 0; j < n; ++j) C[i * n + j] -= a * B[l * n + j];
    }
  }
}

/// LU of a block of n rows with pivots; the diagonal of U is left inverted.
template <int N>
[[gnu::always_inline]] inline bool factor_block(int n, double* a, int* pivot) {
  if constexpr (N > 0) n = N;
  for (int k = 0; k < n; ++k) {
    int p = k;
    double best = std::abs(a[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
      if (const double size = std::abs(a[i * n + k]); size > best) best = size, p = i;
    }
    if (!(best > 0) || !std::isfinite(best)) return false;
    pivot[k] = p;
    if (p != k) std::swap_ranges(a + k * n, a + (k + 1) * n, a + p * n);
    const double inverse = 1 / a[k * n + k];
    a[k * n + k] = inverse;
    if constexpr (N > 0) {
      // whole rows: what stands left of the diagonal is taken times zero
      double right[N] = {};
      for (int j = k + 1; j < N; ++j) right[j] = a[k * N + j];
      for (int i = k + 1; i < N; ++i) {
        const double l = a[i * N + k] * inverse;
        WideRow<N> row;
        row.load(a + i * N);
        row.take(l, right);
        row.store(a + i * N);
        a[i * N + k] = l;
      }
      continue;
    }
    for (int i = k + 1; i < n; ++i) {
      const double l = a[i * n + k] * inverse;
      a[i * n + k] = l;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= l * a[k * n + j];
    }
  }
  return true;
}
BRISTLE_WIDE bool factor_block(int n, double* a, int* pivot) {
  if (n == 12) return factor_block<12>(n, a, pivot);
  if (n == 6) return factor_block<6>(n, a, pivot);
  return factor_block<0>(n, a, pivot);
}

/// B = A^-1 B by the factors of A, B: n x m.
/// M: even, or 0 for any number of columns.
template <int M>
[[gnu::always_inline]] inline void solve_block(int n, int m, const double* a, const int* pivot, double* B) {
  if constexpr (M > 0) m = M;
  for (int k = 0; k < n; ++k) {
    if (pivot[k] != k) std::swap_ranges(B + k * m, B + (k + 1) * m, B + pivot[k] * m);
  }
  // row - sum of a_l times other rows, times scale
  const auto reduce = [&](int i, int from, int to, double scale) __attribute__((always_inline)) {
    double* row = B + i * m;
    if constexpr (M > 0) {
      WideRow<M> r;
      r.load(row);
      for (int l = from; l < to; ++l) r.take(a[i * n + l], B + l * M);
      r.scale(scale);
      r.store(row);
    } else {
      for (int l = from; l < to; ++l) {
        for (int j = 0; j < m; ++j) row[j] -= a[i * n + l] * B[l * m + j];
      }
      for (int j = 0; j < m; ++j) row[j] *= scale;
    }
  };
  for (int i = 1; i < n; ++i) reduce(i, 0, i, 1);
  for (int i = n; i-- > 0;) reduce(i, i + 1, n, a[i * n + i]);
}
BRISTLE_WIDE void solve_block(int n, int m, const double* a, const int* pivot, double* B) {
  if (m == 12) return n == 12 ? solve_block<12>(12, m, a, pivot, B) : solve_block<12>(n, m, a, pivot, B);
  if (m == 6) return solve_block<6>(n, m, a, pivot, B);
  solve_block<0>(n, m, a, pivot, B);
}

/// The same for one column.
void solve_block(int n, const double* a, const int* pivot, double* x) {
  for (int k = 0; k < n; ++k) {
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
  }
  // column by column: no sum waits for another
  for (int l = 0; l < n; ++l) {
    for (int i = l + 1; i < n; ++i) x[i] -= a[i * n + l] * x[l];
  }
  for (int l = n; l-- > 0;) {
    x[l] *= a[l * n + l];
    for (int i = 0; i < l; ++i) x[i] -= a[i * n + l] * x[l];
  }
}

/// y -= A x, A: m x n.
template <class Y>
void subtract_product(int m, int n, const double* A, const double* x, Y y) {
  int r = 0;
  for (; r + 4 <= m; r += 4, A += 4 * n) {  // four sums at once
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int j = 0; j < n; ++j) s0 += A[j] * x[j], s1 += A[n + j] * x[j], s2 += A[2 * n + j] * x[j], s3 += A[3 * n + j] * x[j];
    y(r) -= s0, y(r + 1) -= s1, y(r + 2) -= s2, y(r + 3) -= s3;
  }
  for (; r < m; ++r, A += n) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += A[j] * x[j];
    y(r) -= sum;
  }
}

}  // namespace

void BlockLu::analyse(int n, const std::vector<std::pair<int, int>>& pattern, const std::vector<int>& group) {
  n_ = n;
  group_ = group;
  groups_.clear();
  inside_.assign(u(n), 0);
  for (int i = 0; i < n; ++i) {
    const int g = group[u(i)];
    if (g < 0) continue;
    if (g >= static_cast<int>(groups_.size())) groups_.resize(u(g + 1));
    inside_[u(i)] = static_cast<int>(groups_[u(g)].unknowns.size());
    groups_[u(g)].unknowns.push_back(i);
  }
  const int count = static_cast<int>(groups_.size());

  // who knows whom; a group that knows somebody without a group stays
  std::vector<std::set<int>> near(u(count));
  std::vector<char> stays(u(count), 0);
  for (const auto& [c, r] : pattern) {
    const int a = group[u(r)], b = group[u(c)];
    if (a >= 0 && b >= 0) {
      if (a != b) near[u(a)].insert(b), near[u(b)].insert(a);
    } else if (a >= 0 || b >= 0) {
      stays[u(std::max(a, b))] = 1;
    }
  }

  // fewest neighbours first
  std::vector<std::pair<int, int>> blocks;  // that elimination reads or writes
  std::vector<int> order;
  std::vector<std::vector<int>> around;
  std::set<std::pair<int, int>> queue;
  for (int g = 0; g < count; ++g) {
    if (!stays[u(g)]) queue.insert({static_cast<int>(near[u(g)].size()), g});
  }
  while (!queue.empty() && queue.begin()->first <= kMostNeighbours) {
    const int e = queue.begin()->second;
    queue.erase(queue.begin());
    const std::vector<int> others(near[u(e)].begin(), near[u(e)].end());
    blocks.push_back({e, e});
    for (int a : others) {
      blocks.push_back({e, a}), blocks.push_back({a, e});
      for (int b : others) blocks.push_back({a, b});
      if (!stays[u(a)]) queue.erase({static_cast<int>(near[u(a)].size()), a});
    }
    for (int a : others) {
      near[u(a)].erase(e);
      for (int b : others) {
        if (a != b) near[u(a)].insert(b);
      }
    }
    for (int a : others) {
      if (!stays[u(a)]) queue.insert({static_cast<int>(near[u(a)].size()), a});
    }
    order.push_back(e);
    around.push_back(others);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());

  // what is left
  std::vector<char> gone(u(count), 0);
  for (int e : order) gone[u(e)] = 1;
  rest_of_.assign(u(n), -1);
  kept_.clear();
  for (int i = 0; i < n; ++i) {
    if (group[u(i)] >= 0 && gone[u(group[u(i)])]) continue;
    rest_of_[u(i)] = static_cast<int>(kept_.size());
    kept_.push_back(i);
  }
  left_ = static_cast<int>(kept_.size());

  const auto size_of = [&](int g) { return static_cast<int>(groups_[u(g)].unknowns.size()); };
  block_at_.clear();
  blocks_ = 0;
  for (const auto& b : blocks) {
    block_at_.push_back({b, blocks_});
    blocks_ += size_of(b.first) * size_of(b.second);
  }
  const auto block = [&](int a, int b) {
    return std::lower_bound(block_at_.begin(), block_at_.end(), std::pair{std::pair{a, b}, 0})->second;
  };
  std::vector<std::pair<int, int>> places;  // (column, row) of what is left
  for (const auto& [c, r] : pattern) {
    if (rest_of_[u(c)] >= 0 && rest_of_[u(r)] >= 0) places.push_back({rest_of_[u(c)], rest_of_[u(r)]});
  }
  for (const auto& b : blocks) {
    if (gone[u(b.first)] || gone[u(b.second)]) continue;
    for (int r : groups_[u(b.first)].unknowns) {
      for (int c : groups_[u(b.second)].unknowns) places.push_back({rest_of_[u(c)], rest_of_[u(r)]});
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  starts_.assign(u(left_ + 1), 0);
  rows_.clear();
  for (const auto& [c, r] : places) ++starts_[u(c + 1)], rows_.push_back(r);
  for (int c = 0; c < left_; ++c) starts_[u(c + 1)] += starts_[u(c)];
  values_.assign(u(blocks_) + rows_.size(), 0);

  fills_.clear();
  fill_to_.clear();
  for (const auto& [b, at] : block_at_) {
    if (gone[u(b.first)] || gone[u(b.second)]) continue;
    fills_.push_back({at, size_of(b.first) * size_of(b.second), static_cast<int>(fill_to_.size())});
    for (int r : groups_[u(b.first)].unknowns) {
      for (int c : groups_[u(b.second)].unknowns) {
        const auto it = std::lower_bound(places.begin(), places.end(), std::pair{rest_of_[u(c)], rest_of_[u(r)]});
        fill_to_.push_back(blocks_ + static_cast<int>(it - places.begin()));
      }
    }
  }
  steps_.clear();
  neighbours_.clear();
  updates_.clear();
  unknowns_.clear();
  int pivots = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int e = order[k];
    Step s{e, size_of(e), block(e, e), pivots, static_cast<int>(neighbours_.size()), 0, static_cast<int>(updates_.size())};
    for (int a : around[k]) {
      neighbours_.push_back({a, block(e, a), block(a, e)});
      for (int b : around[k]) updates_.push_back(block(a, b));
    }
    s.last = static_cast<int>(neighbours_.size());
    pivots += s.size;
    unknowns_.insert(unknowns_.end(), groups_[u(e)].unknowns.begin(), groups_[u(e)].unknowns.end());
    steps_.push_back(s);
  }
  pivot_.assign(u(pivots), 0);
  work_.assign(u(n), 0);
  std::size_t largest = 0;
  for (const Group& g : groups_) largest = std::max(largest, g.unknowns.size());
  gather_.assign(largest, 0);
  rhs_.assign(u(left_), 0);
  if (left_ == 0) return;
  if (left_ <= kDense) dense_.reserve(left_);
  else sparse_.analyse(left_, starts_, rows_);
}

int BlockLu::place(int row, int column) const {
  const int a = group_[u(row)], b = group_[u(column)];
  if (a >= 0 && b >= 0) {
    const auto it = std::lower_bound(block_at_.begin(), block_at_.end(), std::pair{std::pair{a, b}, 0});
    if (it != block_at_.end() && it->first == std::pair{a, b})
      return it->second + inside_[u(row)] * static_cast<int>(groups_[u(b)].unknowns.size()) + inside_[u(column)];
  }
  const int r = rest_of_[u(row)], c = rest_of_[u(column)];
  const auto from = rows_.begin() + starts_[u(c)], to = rows_.begin() + starts_[u(c + 1)];
  return blocks_ + static_cast<int>(std::lower_bound(from, to, r) - rows_.begin());
}

void BlockLu::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

bool BlockLu::factor() {
  double* x = values_.data();
  for (const Step& s : steps_) {
    double* a = x + s.diagonal;
    int* pivot = pivot_.data() + s.pivot;
    if (!factor_block(s.size, a, pivot)) return false;
    const int *to = updates_.data() + s.update, count = s.last - s.first;
    const Neighbour* near = neighbours_.data() + s.first;
    for (int k = 0; k < count; ++k) {
      const int m = static_cast<int>(groups_[u(near[k].group)].unknowns.size());
      solve_block(s.size, m, a, pivot, x + near[k].upper);
    }
    for (int i = 0; i < count; ++i) {
      const int m = static_cast<int>(groups_[u(near[i].group)].unknowns.size());
      for (int j = 0; j < count; ++j) {
        const int w = static_cast<int>(groups_[u(near[j].group)].unknowns.size());
        subtract_product(m, s.size, w, x + near[i].lower, x + near[j].upper, x + *to++);
      }
    }
  }
  return left_ == 0 || factor_rest();
}

bool BlockLu::factor_rest() {
  for (const Fill& f : fills_) {
    for (int k = 0; k < f.count; ++k) values_[u(fill_to_[u(f.first + k)])] += values_[u(f.from + k)];
  }
  const double* rest = values_.data() + blocks_;
  if (left_ > kDense) return sparse_.factor(rest);
  double* a = dense_.matrix();
  std::fill_n(a, left_ * left_, 0.0);
  for (int c = 0; c < left_; ++c) {
    for (int k = starts_[u(c)]; k < starts_[u(c + 1)]; ++k) a[rows_[u(k)] * left_ + c] = rest[k];
  }
  return dense_.factor();
}

void BlockLu::solve(double* b) const {
  const double* x = values_.data();
  double* y = work_.data();
  for (const Step& s : steps_) {
    const int* at = unknowns_.data() + s.pivot;
    const double* a = x + s.diagonal;
    double* own = y + s.pivot;
    for (int i = 0; i < s.size; ++i) own[i] = b[at[i]];
    solve_block(s.size, a, pivot_.data() + s.pivot, own);
    for (int k = s.first; k < s.last; ++k) {
      const std::vector<int>& others = groups_[u(neighbours_[u(k)].group)].unknowns;
      subtract_product(static_cast<int>(others.size()), s.size, x + neighbours_[u(k)].lower, own,
                       [&](int i) -> double& { return b[others[u(i)]]; });
    }
  }
  if (left_ > 0) {
    for (int i = 0; i < left_; ++i) rhs_[u(i)] = b[kept_[u(i)]];
    if (left_ <= kDense) dense_.solve(rhs_.data());
    else sparse_.solve(rhs_.data());
    for (int i = 0; i < left_; ++i) b[kept_[u(i)]] = rhs_[u(i)];
  }
  for (auto s = steps_.rbegin(); s != steps_.rend(); ++s) {
    const int* at = unknowns_.data() + s->pivot;
    double* own = y + s->pivot;
    for (int k = s->first; k < s->last; ++k) {
      const std::vector<int>& others = groups_[u(neighbours_[u(k)].group)].unknowns;
      for (std::size_t i = 0; i < others.size(); ++i) gather_[i] = b[others[i]];
      subtract_product(s->size, static_cast<int>(others.size()), x + neighbours_[u(k)].upper, gather_.data(),
                       [&](int i) -> double& { return own[i]; });
    }
    for (int i = 0; i < s->size; ++i) b[at[i]] = own[i];
  }
}

}  // namespace bristle
