// Rows of resting places that nearly repeat each other, as those of the feet of a box whose depths differ a little: to keep all of them
// takes forces over lever arms as short as the differences. What no friction can hold is not kept; the row is loose.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/sharing.h"

namespace bristle {

namespace {
constexpr double kNothing = 1e-10;  // of a mobility: what is left of a row that follows from others exactly
constexpr double kAtOnce = 1e-3;    // of a step: slip that friction takes away in that time is stopped
constexpr double kRelief = 0.5;     // overload that must go with the weak rows, or they are not the reason for it
}  // namespace

void Multipliers::prepare_loose(const System& system) {
  sharing_->loose.assign(u(rows_), 0);
  sharing_->loosened.assign(system.dry().size(), 0);
  sharing_->any_loose = false;
  sharing_->order.reserve(u(rows_));
  sharing_->kept.reserve(u(rows_));
  const int most = std::min(rows_, mobilities_->repeats_within);
  for (auto* part : {&sharing_->left, &sharing_->trial}) part->assign(u(most), 0);
  sharing_->slips.assign(u(rows_), 0);
  sharing_->factor.assign(u(most * most), 0);
  sharing_->part.assign(u(most * most), 0);
  sharing_->small.reserve(most);
}

double Multipliers::looseness(int place) const { return sharing_->any_loose ? sharing_->loosened[u(place)] : 0; }

void Multipliers::keep_all(const System& system, double* marks) const {
  for (const DryPlace& p : system.dry()) {
    DryMarks own = p.marks(marks);
    for (int d = 0; d < p.components; ++d) {
      if (own.is_loose(d)) own.set_direction(d, 0);
    }
  }
}

void Multipliers::read_loose(const System& system, const double* marks, int place) {
  if (mobilities_->repeats_within == 0) return;
  const DryPlace& p = system.dry()[u(place)];
  sharing_->loosened[u(place)] = 0;
  for (int d = 0; d < p.components; ++d) {
    const bool loose = p.marks(marks).is_loose(d);
    sharing_->loose[u(mobilities_->first_row[u(place)] + d)] = loose;
    sharing_->any_loose = sharing_->any_loose || loose;
  }
}

/// Loose rows follow the kept ones: their part of W and of what is asked of them is what these make of it.
void Multipliers::follow_kept(int n, const int* rows, double* W, double* b) {
  if (!sharing_->any_loose || n > static_cast<int>(sharing_->left.size())) return;
  sharing_->kept.clear();
  bool some = false;
  for (int k = 0; k < n; ++k) {
    if (sharing_->loose[u(rows[k])] != 0) some = true;
    else if (creeping_[u(mobilities_->place_of[u(rows[k])])] == 0) sharing_->kept.push_back(k);
  }
  const int m = static_cast<int>(sharing_->kept.size());
  if (!some) return;
  sharing_->small.reserve(m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) sharing_->small.matrix()[i * m + j] = W[sharing_->kept[u(i)] * n + sharing_->kept[u(j)]];
  }
  if (m > 0 && !sharing_->small.factor()) return;
  double* by = sharing_->trial.data();
  for (int k = 0; k < n; ++k) {
    const int row = rows[k];
    if (sharing_->loose[u(row)] == 0) continue;
    for (int i = 0; i < m; ++i) by[i] = W[sharing_->kept[u(i)] * n + k];
    if (m > 0) sharing_->small.solve(by);
    const double whole = W[k * n + k];
    b[k] = 0;
    for (int i = 0; i < m; ++i) b[k] += by[i] * b[sharing_->kept[u(i)]];
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int i = 0; i < m; ++i) sum += by[i] * W[sharing_->kept[u(i)] * n + j];
      W[k * n + j] = sum;
    }
    double& left = sharing_->loosened[u(mobilities_->place_of[u(row)])];
    if (whole > 0) left = std::max(left, 1 - W[k * n + k] / whole);
  }
}

/// Which rows of the places at rest are kept? All, unless some that nearly follow from others ask for more than friction can give, to hold
/// them from now on or to stop within a step what slip they have. After an evaluation with none of them loose, or after respond; `free_`: what
/// is to be kept from changing, `slips`: what is to be stopped, by row. Writes the marks; true: some are loose.
bool Multipliers::choose_rows(const System& system, double* marks, const double* slips) {
  for (int r : resting_) {
    const int i = mobilities_->place_of[u(r)];
    if (creeping_[u(i)] == 0) system.dry()[u(i)].marks(marks).set_direction(r - mobilities_->first_row[u(i)], 0);
  }
  find_groups(false);
  const Sharing& s = *sharing_;
  bool some = false;
  for (int g = 0; g < s.groups(); ++g) {
    const int* first = &s.member[u(s.first_member[u(g)])];
    some = choose_among(system, marks, slips, first, first + (s.first_member[u(g + 1)] - s.first_member[u(g)])) || some;
  }
  return some;
}

/// The same of one group.
bool Multipliers::choose_among(const System& system, double* marks, const double* slips, const int* first, const int* last) {
  Sharing& s = *sharing_;
  s.order.clear();
  for (const int* row = first; row != last; ++row) {
    if (creeping_[u(mobilities_->place_of[u(*row)])] == 0) s.order.push_back(*row);
  }
  const int n = static_cast<int>(s.order.size());
  if (n < 2 || n > static_cast<int>(s.left.size())) return false;
  const auto [strong, rank] = order_rows();
  if (strong == 0) return false;
  const auto loosen = [&](int kept) {
    for (int k = kept; k < n; ++k) {
      const int row = s.order[u(k)], place = mobilities_->place_of[u(row)];
      system.dry()[u(place)].marks(marks).loosen(row - mobilities_->first_row[u(place)]);
    }
    return kept < n;
  };
  if (strong == rank) return loosen(rank);

  const auto overload = [&](int kept) {
    double most = overload_of(kept, free_.data(), 1);
    if (slips != nullptr && step_ > 0) most = std::max(most, overload_of(kept, slips, kAtOnce * step_));
    return most;
  };
  const double all = overload(rank);
  if (!(all > 1)) return loosen(rank);
  const double without = overload(strong);
  if (!(without < kRelief * all)) return loosen(rank);
  const double allowed = std::max(1.0, without / kRelief);
  int kept = rank - 1;
  while (kept > strong && overload(kept) > allowed) --kept;
  return loosen(kept);
}

/// Puts rows into the order of what they add, W = L L'; row k of `factor` belongs to order[k]. Returns how many there are before the first weak one, and how
/// many add anything.
std::pair<int, int> Multipliers::order_rows() {
  Sharing& s = *sharing_;
  const int n = static_cast<int>(s.order.size());
  double *L = s.factor.data(), *left = s.left.data();
  const auto whole = [&](int i) { return mobilities_->mobility(s.order[u(i)]); };
  const auto is_strong = [&](int i) { return left[i] > kWeak * whole(i); };
  const auto worth = [&](int i) {
    const double F = view_[u(mobilities_->place_of[u(s.order[u(i)])])].limit;
    return left[i] * std::max(F * F, 1e-300);
  };
  for (int i = 0; i < n; ++i) left[i] = whole(i);
  int rank = 0, strong = 0;
  for (; rank < n; ++rank) {
    int best = -1;
    for (int i = rank; i < n; ++i) {
      if (!(left[i] > kNothing * whole(i))) continue;
      const bool better = best < 0 || (is_strong(i) == is_strong(best) ? worth(i) > worth(best) : is_strong(i));
      if (better) best = i;
    }
    if (best < 0) break;
    std::swap(s.order[u(rank)], s.order[u(best)]);
    std::swap(left[rank], left[best]);
    for (int c = 0; c < rank; ++c) std::swap(L[rank * n + c], L[best * n + c]);
    if (is_strong(rank)) strong = rank + 1;
    const double root = std::sqrt(left[rank]);
    L[rank * n + rank] = root;
    for (int i = rank + 1; i < n; ++i) {
      double sum = mobilities_->mobility(s.order[u(i)], s.order[u(rank)]);
      for (int c = 0; c < rank; ++c) sum -= L[i * n + c] * L[rank * n + c];
      L[i * n + rank] = sum / root;
      left[i] -= L[i * n + rank] * L[i * n + rank];
    }
  }
  return {strong, rank};
}

/// The largest force over its limit in a time, with the least forces that do what is asked of the first rows.
double Multipliers::overload_of(int kept, const double* asked, double time) {
  Sharing& s = *sharing_;
  const int n = static_cast<int>(s.order.size());
  const double* L = s.factor.data();
  double *G = s.part.data(), *y = s.trial.data();
  for (int i = 0; i < kept; ++i) {  // L y = b
    y[i] = asked[s.order[u(i)]];
    for (int c = 0; c < i; ++c) y[i] -= L[i * n + c] * y[c];
    y[i] /= L[i * n + i];
  }
  // of all n rows: f = L (L'L)^-1 y
  for (int i = 0; i < kept; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = i; k < n; ++k) sum += L[k * n + i] * L[k * n + j];
      for (int k = 0; k < j; ++k) sum -= G[i * kept + k] * G[j * kept + k];
      G[i * kept + j] = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / G[j * kept + j];
    }
  }
  for (int i = 0; i < kept; ++i) {
    for (int c = 0; c < i; ++c) y[i] -= G[i * kept + c] * y[c];
    y[i] /= G[i * kept + i];
  }
  for (int i = kept - 1; i >= 0; --i) {
    for (int c = i + 1; c < kept; ++c) y[i] -= G[c * kept + i] * y[c];
    y[i] /= G[i * kept + i];
  }
  double most = 0;
  for (int k = 0; k < n; ++k) {
    double f = 0;
    for (int c = 0; c < kept && c <= k; ++c) f += L[k * n + c] * y[c];
    const double F = time * view_[u(mobilities_->place_of[u(s.order[u(k)])])].limit;
    if (F > 0) most = std::max(most, std::abs(f) / F);
  }
  return most;
}

}  // namespace bristle
