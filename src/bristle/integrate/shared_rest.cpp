#include "bristle/integrate/shared_rest.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/multipliers.h"

namespace bristle {

namespace {
constexpr int kMost = 64;        // rows of a group: more would cost more than the rest of a step
constexpr double kLeast = 1e-3;  // of the largest limit in a group: what a place that barely touches counts as

/// The bodies that a place moves against each other, by where their velocities start. What never changes has no differences of depth.
std::vector<int> bodies_of(const Layout& layout, const DryPlace& p) {
  std::vector<int> bodies;
  if (p.constant) return bodies;
  for (const RestRow& row : p.rows) {
    for (const RowPiece* piece = layout.rows.begin(row.row); piece != layout.rows.end(row.row); ++piece) {
      if (layout.unknown(piece->v) >= 0) bodies.push_back(piece->v);
    }
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}
}  // namespace

void SharedRest::prepare(const System& system) {
  groups_.clear();
  std::vector<std::vector<int>> bodies;
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    const DryPlace& p = system.dry()[i];
    std::vector<int> own = bodies_of(system.layout(), p);
    if (own.empty()) continue;
    const auto at = static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), own) - bodies.begin());
    if (at == bodies.size()) bodies.push_back(std::move(own)), groups_.emplace_back();
    Group& g = groups_[at];
    for (int d = 0; d < p.components; ++d) {
      g.place.push_back(static_cast<int>(i));
      g.component.push_back(d);
      g.slot.push_back(p.lambda + d);
    }
  }
  std::erase_if(groups_, [](const Group& g) { return g.slot.size() < 2 || g.slot.size() > kMost; });
  std::size_t most = 0;
  for (Group& g : groups_) {
    g.C.assign(g.slot.size() * g.slot.size(), 0);
    most = std::max(most, g.slot.size());
  }
  order_.reserve(most);
  for (auto* part : {&W_, &L_, &normal_}) part->assign(most * most, 0);
  for (auto* part : {&left_, &weight_}) part->assign(most, 0);
}

void SharedRest::choose(const System& system, const double* D, const double* lightness, const std::vector<char>& kept,
                        const std::vector<double>& limit) {
  for (Group& g : groups_) share(system, g, D, lightness, kept, limit);
}

void SharedRest::share(const System& system, Group& g, const double* D, const double* lightness, const std::vector<char>& kept,
                       const std::vector<double>& limit) {
  const Layout& layout = system.layout();
  const int all = static_cast<int>(g.slot.size());
  std::fill(g.C.begin(), g.C.end(), 0.0);
  order_.clear();
  double largest = 0, mobility = 0;
  for (int i = 0; i < all; ++i) {
    if (kept[u(g.place[u(i)])] == 0) continue;
    order_.push_back(i);
    largest = std::max(largest, limit[u(g.place[u(i)])]);
  }
  const int n = static_cast<int>(order_.size());
  if (n < 2 || !(largest > 0)) return;

  // W = L L', the row that adds most first
  const auto coupling = [&](int i, int j) {
    const RestRow &a = system.dry()[u(g.place[u(i)])].rows[u(g.component[u(i)])],
                  &b = system.dry()[u(g.place[u(j)])].rows[u(g.component[u(j)])];
    // rows between the same bodies have the same pieces
    double sum = 0;
    const RowPiece* q = layout.rows.begin(b.row);
    for (const RowPiece* p = layout.rows.begin(a.row); p != layout.rows.end(a.row); ++p, ++q) {
      for (int k = 0; k < p->count; ++k) {
        if (const int x = layout.unknown(p->v + k); x >= 0) sum += D[p->at + k] * D[q->at + k] * lightness[x];
      }
    }
    return sum * a.arm * b.arm;
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) W_[u(i * n + j)] = W_[u(j * n + i)] = coupling(order_[u(i)], order_[u(j)]);
    left_[u(i)] = W_[u(i * n + i)];
    weight_[u(i)] = std::max(limit[u(g.place[u(order_[u(i)])])] / largest, kLeast);
    mobility = std::max(mobility, left_[u(i)]);
  }
  std::fill_n(L_.begin(), n * n, 0.0);
  int rank = 0;
  for (; rank < n; ++rank) {
    int best = -1;
    for (int i = 0; i < n; ++i) {
      const double own = W_[u(i * n + i)];
      if (!(left_[u(i)] > Multipliers::kWeak * own)) continue;
      if (best < 0 || left_[u(i)] * weight_[u(i)] > left_[u(best)] * weight_[u(best)]) best = i;
    }
    if (best < 0) break;
    const double root = std::sqrt(left_[u(best)]);
    for (int i = 0; i < n; ++i) {
      double s = W_[u(i * n + best)];
      for (int c = 0; c < rank; ++c) s -= L_[u(i * n + c)] * L_[u(best * n + c)];
      L_[u(i * n + rank)] = s / root;
      left_[u(i)] -= L_[u(i * n + rank)] * L_[u(i * n + rank)];
    }
    left_[u(best)] = 0;
  }
  if (rank == 0 || rank == n) return;

  // R'K R = G G'; columns of R G'^-1 in place of R
  for (int a = 0; a < rank; ++a) {
    for (int b = 0; b <= a; ++b) {
      double s = 0;
      for (int i = 0; i < n; ++i) s += weight_[u(i)] * L_[u(i * n + a)] * L_[u(i * n + b)];
      for (int c = 0; c < b; ++c) s -= normal_[u(a * n + c)] * normal_[u(b * n + c)];
      normal_[u(a * n + b)] = a == b ? std::sqrt(std::max(s, 1e-300)) : s / normal_[u(b * n + b)];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < rank; ++a) {
      double s = L_[u(i * n + a)];
      for (int c = 0; c < a; ++c) s -= normal_[u(a * n + c)] * L_[u(i * n + c)];
      L_[u(i * n + a)] = s / normal_[u(a * n + a)];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double s = i == j ? 1 / weight_[u(i)] : 0.0;
      for (int a = 0; a < rank; ++a) s -= L_[u(i * n + a)] * L_[u(j * n + a)];
      g.C[u(order_[u(i)] * all + order_[u(j)])] = mobility * s;
    }
  }
}

}  // namespace bristle
