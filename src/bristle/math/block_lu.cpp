#include "bristle/math/block_lu.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bristle/base/index.h"
#include "bristle/math/prefetch.h"
#include "bristle/math/wide.h"

namespace bristle {

namespace {

constexpr int kMostNeighbours = 3;  // more of them are left to the sparse LU
constexpr int kDense = 40;
constexpr std::size_t kLarge = 60000;  // numbers that hardly fit into the cache of a core
constexpr int kAhead = 3;              // steps whose blocks are asked for in advance

std::size_t bytes(int numbers) { return sizeof(double) * u(numbers); }

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

/// y = A x, A: m x n.
template <int N>
[[gnu::always_inline]] inline void multiply(int m, const double* A, const double* x, double* y) {
  WideRow<N> row;
  row.load(x);
  for (int i = 0; i < m; ++i) y[i] = row.dot(A + i * N);
}
BRISTLE_WIDE void multiply(int m, int n, const double* A, const double* x, double* y) {
  if (n == 12) return multiply<12>(m, A, x, y);
  if (n == 6) return multiply<6>(m, A, x, y);
  for (int i = 0; i < m; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j) y[i] += A[i * n + j] * x[j];
  }
}

template <class Visit>
void visit_entries(const SparsePattern& pattern, Visit&& visit) {
  for (int c = 0; c < pattern.columns(); ++c) {
    for (int k = pattern.begin(c); k < pattern.end(c); ++k) visit(pattern.row(k), c);
  }
}

}  // namespace

/// Groups by the order in which they are eliminated, fewest neighbours first, and who is around each by then. A group that knows somebody without a
/// group stays.
std::vector<BlockLu::Elimination> BlockLu::find_order(const SparsePattern& pattern) const {
  const int count = static_cast<int>(groups_.size());
  std::vector<std::set<int>> near(u(count));
  std::vector<char> stays(u(count), 0);
  visit_entries(pattern, [&](int r, int c) {
    const int a = group_[u(r)], b = group_[u(c)];
    if (a >= 0 && b >= 0) {
      if (a != b) near[u(a)].insert(b), near[u(b)].insert(a);
    } else if (a >= 0 || b >= 0) {
      stays[u(std::max(a, b))] = 1;
    }
  });
  std::vector<Elimination> order;
  std::set<std::pair<int, int>> queue;
  const auto candidate = [&](int g) { return std::pair{static_cast<int>(near[u(g)].size()), g}; };
  for (int g = 0; g < count; ++g) {
    if (!stays[u(g)]) queue.insert(candidate(g));
  }
  while (!queue.empty() && queue.begin()->first <= kMostNeighbours) {
    const int e = queue.begin()->second;
    queue.erase(queue.begin());
    const std::vector<int> others(near[u(e)].begin(), near[u(e)].end());
    for (int a : others) {
      if (!stays[u(a)]) queue.erase(candidate(a));
    }
    for (int a : others) {
      near[u(a)].erase(e);
      for (int b : others) {
        if (a != b) near[u(a)].insert(b);
      }
    }
    for (int a : others) {
      if (!stays[u(a)]) queue.insert(candidate(a));
    }
    order.push_back({e, others});
  }
  return order;
}

void BlockLu::number_groups() {
  groups_.clear();
  for (int g : group_) {
    if (g >= static_cast<int>(groups_.size())) groups_.resize(u(g + 1));
    if (g >= 0) ++groups_[u(g)].size;
  }
  int total = 0, largest = 0;
  for (Group& g : groups_) g.first = total, total += g.size, largest = std::max(largest, g.size), g.size = 0;
  members_.assign(u(total), 0);
  inside_.assign(u(n_), 0);
  for (int i = 0; i < n_; ++i) {
    if (group_[u(i)] < 0) continue;
    Group& g = groups_[u(group_[u(i)])];
    inside_[u(i)] = g.size;
    members_[u(g.first + g.size++)] = i;
  }
  gather_.assign(u(largest), 0);
  product_ = gather_;
}

void BlockLu::number_rest(const std::vector<Elimination>& order) {
  step_of_.assign(groups_.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) step_of_[u(order[k].group)] = static_cast<int>(k);
  rest_of_.assign(u(n_), -1);
  kept_.clear();
  for (int i = 0; i < n_; ++i) {
    if (group_[u(i)] >= 0 && step_of_[u(group_[u(i)])] >= 0) continue;
    rest_of_[u(i)] = static_cast<int>(kept_.size());
    kept_.push_back(i);
  }
  left_ = static_cast<int>(kept_.size());
}

/// What the solution reads on its way forth, on its way back, and what is left; each in the order of the groups.
void BlockLu::place_blocks(const std::vector<Elimination>& order, const BlockSet& fills) {
  block_at_.clear();
  blocks_ = 0;
  const auto put = [&](int a, int b) {
    block_at_.push_back({{a, b}, blocks_});
    blocks_ += size_of(a) * size_of(b);
  };
  const int count = static_cast<int>(groups_.size());
  for (int g = 0; g < count; ++g) {
    if (step_of_[u(g)] < 0) continue;
    put(g, g);
    for (int a : order[u(step_of_[u(g)])].around) put(a, g);
  }
  for (int g = 0; g < count; ++g) {
    if (step_of_[u(g)] < 0) continue;
    for (int a : order[u(step_of_[u(g)])].around) put(g, a);
  }
  rest_ = blocks_;
  for (const auto& [a, b] : fills) put(a, b);
  std::sort(block_at_.begin(), block_at_.end());
}

int BlockLu::block(int a, int b) const {
  return std::lower_bound(block_at_.begin(), block_at_.end(), std::pair{std::pair{a, b}, 0})->second;
}

/// Columns of what is left: entries of the matrix, and blocks that fill in.
void BlockLu::place_rest(const SparsePattern& pattern, const BlockSet& fills) {
  const auto each_entry = [&](int a, int b, const auto& visit) {
    for (int i = 0; i < size_of(a); ++i) {
      for (int j = 0; j < size_of(b); ++j) {
        visit(rest_of_[u(members_[u(groups_[u(a)].first + i)])], rest_of_[u(members_[u(groups_[u(b)].first + j)])]);
      }
    }
  };
  left_pattern_.clear();
  visit_entries(pattern, [&](int r, int c) {
    if (rest_of_[u(c)] >= 0 && rest_of_[u(r)] >= 0) left_pattern_.add(rest_of_[u(r)], rest_of_[u(c)]);
  });
  for (const auto& [a, b] : fills) each_entry(a, b, [&](int r, int c) { left_pattern_.add(r, c); });
  left_pattern_.compress(left_);

  fills_.clear();
  fill_to_.clear();
  for (const auto& [a, b] : fills) {
    fills_.push_back({block(a, b), size_of(a) * size_of(b), static_cast<int>(fill_to_.size())});
    each_entry(a, b, [&](int r, int c) { fill_to_.push_back(blocks_ + left_pattern_.at(r, c)); });
  }
}

void BlockLu::make_steps(const std::vector<Elimination>& order) {
  steps_.clear();
  neighbours_.clear();
  updates_.clear();
  int pivots = 0;
  for (const Elimination& e : order) {
    Step s;
    s.group = e.group, s.size = size_of(e.group), s.diagonal = block(e.group, e.group), s.pivot = pivots;
    s.first = static_cast<int>(neighbours_.size()), s.update = static_cast<int>(updates_.size());
    for (int a : e.around) {
      if (s.wide == 0) s.upper = block(e.group, a);
      s.wide += size_of(a);
      neighbours_.push_back({a, block(e.group, a), block(a, e.group)});
      for (int b : e.around) updates_.push_back(block(a, b));
    }
    s.last = static_cast<int>(neighbours_.size());
    pivots += s.size;
    steps_.push_back(s);
  }
  pivot_.assign(u(pivots), 0);
}

void BlockLu::analyse(const SparsePattern& pattern, const std::vector<int>& group) {
  const int n = n_ = pattern.columns();
  group_ = group;
  number_groups();
  const std::vector<Elimination> order = find_order(pattern);
  number_rest(order);
  BlockSet fills;
  for (const Elimination& e : order) {
    for (int a : e.around) {
      for (int b : e.around) {
        if (step_of_[u(a)] < 0 && step_of_[u(b)] < 0) fills.insert({a, b});
      }
    }
  }
  place_blocks(order, fills);
  place_rest(pattern, fills);
  make_steps(order);
  values_.assign(u(blocks_ + left_pattern_.count()), 0);
  round_ = 0;
  work_.assign(u(n), 0);
  large_ = values_.size() > kLarge;
  rhs_.assign(u(left_), 0);
  if (left_ == 0) return;
  if (left_ <= kDense) dense_.reserve(left_);
  else sparse_.analyse(left_pattern_);
}

int BlockLu::index(int row, int column) const {
  const int a = group_[u(row)], b = group_[u(column)];
  if (a >= 0 && b >= 0) {
    const auto it = std::lower_bound(block_at_.begin(), block_at_.end(), std::pair{std::pair{a, b}, 0});
    if (it != block_at_.end() && it->first == std::pair{a, b})
      return it->second + inside_[u(row)] * groups_[u(b)].size + inside_[u(column)];
  }
  return blocks_ + left_pattern_.at(rest_of_[u(row)], rest_of_[u(column)]);
}

int BlockLu::step_of(int row, int column) const {
  const int a = group_[u(row)], b = group_[u(column)];
  const int i = a < 0 ? -1 : step_of_[u(a)], j = b < 0 ? -1 : step_of_[u(b)];
  return i < 0 || j < 0 ? std::max(i, j) : std::min(i, j);
}

void BlockLu::begin() {
  std::fill(values_.begin() + rest_, values_.end(), 0.0);
  ++round_;
}

void BlockLu::touch(int step) {
  Step& s = steps_[u(step)];
  if (s.round == round_) return;
  s.round = round_;
  std::memset(values_.data() + s.diagonal, 0, bytes(s.low_count()));
  std::memset(values_.data() + s.upper, 0, bytes(s.up_count()));
}

const BlockLu::Step* BlockLu::soon(int step, int by) const {
  const int k = step + by;
  return large_ && k >= 0 && k < steps() ? &steps_[u(k)] : nullptr;
}

bool BlockLu::eliminate(int step) {
  const Step& s = steps_[u(step)];
  double *x = values_.data(), *a = x + s.diagonal;
  int* pivot = pivot_.data() + s.pivot;
  const Step* next = soon(step, kAhead);
  if (next != nullptr) prefetch<true>(x + next->diagonal, bytes(next->low_count()));
  if (!factor_block(s.size, a, pivot)) return false;
  if (next != nullptr) prefetch<true>(x + next->upper, bytes(next->up_count()));
  const int *to = updates_.data() + s.update, count = s.last - s.first;
  const Neighbour* near = neighbours_.data() + s.first;
  for (int k = 0; k < count; ++k) {
    solve_block(s.size, groups_[u(near[k].group)].size, a, pivot, x + near[k].upper);
    if (const int other = step_of_[u(near[k].group)]; other >= 0) touch(other);
  }
  for (int i = 0; i < count; ++i) {
    const int m = groups_[u(near[i].group)].size;
    for (int j = 0; j < count; ++j) {
      subtract_product(m, s.size, groups_[u(near[j].group)].size, x + near[i].lower, x + near[j].upper, x + *to++);
    }
  }
  return true;
}

bool BlockLu::factor_rest() {
  if (left_ == 0) return true;
  for (const Fill& f : fills_) {
    for (int k = 0; k < f.count; ++k) values_[u(fill_to_[u(f.first + k)])] += values_[u(f.from + k)];
  }
  const double* rest = values_.data() + blocks_;
  if (left_ > kDense) return sparse_.factor(rest);
  double* a = dense_.matrix();
  std::fill_n(a, left_ * left_, 0.0);
  for (int c = 0; c < left_; ++c) {
    for (int k = left_pattern_.begin(c); k < left_pattern_.end(c); ++k) a[left_pattern_.row(k) * left_ + c] = rest[k];
  }
  return dense_.factor();
}

void BlockLu::forward(int step, double* b) const {
  const Step& s = steps_[u(step)];
  const double* x = values_.data();
  const int* at = members_.data() + groups_[u(s.group)].first;
  double* own = work_.data() + s.pivot;
  for (int i = 0; i < s.size; ++i) own[i] = b[at[i]];
  solve_block(s.size, x + s.diagonal, pivot_.data() + s.pivot, own);
  for (int k = s.first; k < s.last; ++k) {
    const Group& other = groups_[u(neighbours_[u(k)].group)];
    const int* to = members_.data() + other.first;
    multiply(other.size, s.size, x + neighbours_[u(k)].lower, own, product_.data());
    for (int i = 0; i < other.size; ++i) b[to[i]] -= product_[u(i)];
  }
}

void BlockLu::back(double* b) const {
  if (left_ > 0) {
    for (int i = 0; i < left_; ++i) rhs_[u(i)] = b[kept_[u(i)]];
    if (left_ <= kDense) dense_.solve(rhs_.data());
    else sparse_.solve(rhs_.data());
    for (int i = 0; i < left_; ++i) b[kept_[u(i)]] = rhs_[u(i)];
  }
  const double* x = values_.data();
  for (int step = steps(); step-- > 0;) {
    if (const Step* next = soon(step, -kAhead); next != nullptr) prefetch(x + next->upper, bytes(next->up_count()));
    const Step* s = &steps_[u(step)];
    double* own = work_.data() + s->pivot;
    for (int k = s->first; k < s->last; ++k) {
      const Group& other = groups_[u(neighbours_[u(k)].group)];
      const int* from = members_.data() + other.first;
      for (int i = 0; i < other.size; ++i) gather_[u(i)] = b[from[i]];
      multiply(s->size, other.size, x + neighbours_[u(k)].upper, gather_.data(), product_.data());
      for (int i = 0; i < s->size; ++i) own[i] -= product_[u(i)];
    }
    const int* at = members_.data() + groups_[u(s->group)].first;
    for (int i = 0; i < s->size; ++i) b[at[i]] = own[i];
  }
}

void BlockLu::solve(double* b) const {
  for (int k = 0; k < steps(); ++k) {
    if (const Step* next = soon(k, kAhead); next != nullptr) prefetch(values_.data() + next->diagonal, bytes(next->low_count()));
    forward(k, b);
  }
  back(b);
}

}  // namespace bristle
