// Dry places that rest together: how they share what there is to hold.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/sharing.h"

namespace bristle {

namespace {
constexpr double kWithin = 1 - 1e-10;  // of a limit: what counts as kept, or round-off would let go of places that rest
constexpr double kNearly = 1e-9;       // relative change of limits that may be left
constexpr double kMissed = 1e-3;  // of a limit: forces that the search for a minimum may be off by, where there is one for sure
constexpr int kRounds = 30, kPatience = 1;
constexpr int kCleaned = 300;  // rows: more would take too long
constexpr int kLarge = 48;     // rows of a group that are worth a sparse matrix
}  // namespace

Multipliers::Multipliers() = default;
Multipliers::~Multipliers() = default;

void Multipliers::prepare_sharing(const System& system) {
  sharing_ = std::make_unique<Sharing>();
  const std::size_t count = system.dry().size();
  sharing_->forces.reserve(rows_);
  sharing_->point.reserve(static_cast<int>(count));
  sharing_->places.reserve(count);
  sharing_->limit.assign(count, 0);
  sharing_->image.assign(count, 0);
  sharing_->index.assign(u(rows_), -1);
  sharing_->group.reserve(u(rows_));
  sharing_->queue.reserve(u(rows_));
  sharing_->first_near.assign(1, 0);
  for (int r = 0; r < rows_ && !spatial_; ++r) {
    for (int c = 0; c < rows_; ++c) {
      if (coupling_[u(r * rows_ + c)] != 0 || r == c) sharing_->near.push_back(c);
    }
    sharing_->first_near.push_back(static_cast<int>(sharing_->near.size()));
  }
}

/// Forces that keep the slips of all held places that are not fixed, group by group: the least ones where places repeat each other.
void Multipliers::solve_held() {
  Sharing& s = *sharing_;
  constexpr int kOpen = -2;
  const auto each_near = [&](int row, const auto& visit) {
    if (spatial_) {
      for (const Entry& g : held_) {
        if (coupling_[u(row * rows_ + g.row)] != 0 || coupling_[u(g.row * rows_ + row)] != 0) visit(g.row);
      }
      return;
    }
    for (int k = s.first_near[u(row)]; k < s.first_near[u(row + 1)]; ++k) visit(s.near[u(k)]);
  };
  bool some_fixed = false;
  for (const Entry& h : held_) {
    s.index[u(h.row)] = fixed_[u(h.place)] != 0 ? -1 : kOpen;
    some_fixed = some_fixed || fixed_[u(h.place)] != 0;
  }
  for (const Entry& h : held_) {
    if (s.index[u(h.row)] != kOpen) continue;
    s.group.clear();
    s.queue.assign(1, h.row);
    s.index[u(h.row)] = 0;
    while (!s.queue.empty()) {
      const int row = s.queue.back();
      s.queue.pop_back();
      s.group.push_back(row);
      each_near(row, [&](int other) {
        if (s.index[u(other)] != kOpen) return;
        s.index[u(other)] = 0;
        s.queue.push_back(other);
      });
    }
    std::sort(s.group.begin(), s.group.end());
    const int n = static_cast<int>(s.group.size());
    for (int k = 0; k < n; ++k) {
      const int row = s.group[u(k)];
      s.index[u(row)] = k;
      rhs_[u(k)] = free_[u(row)];
      if (!some_fixed) continue;
      for (const Entry& g : held_) {
        if (fixed_[u(g.place)] != 0) rhs_[u(k)] -= coupling_[u(row * rows_ + g.row)] * force_[u(g.row)];
      }
    }
    if (!(n > kLarge && !spatial_ && s.solve_large(n, coupling_, rows_, rhs_.data(), solution_.data()))) {
      for (int k = 0; k < n; ++k) {
        for (int c = 0; c < n; ++c) sub_[u(k * n + c)] = coupling_[u(s.group[u(k)] * rows_ + s.group[u(c)])];
      }
      follow_kept(n, s.group.data(), sub_.data(), rhs_.data());
      solver_.solve(n, sub_.data(), rhs_.data(), solution_.data());
    }
    for (int k = 0; k < n; ++k) force_[u(s.group[u(k)])] = solution_[u(k)];
  }
  for (const Entry& h : held_) s.index[u(h.row)] = -1;
}

/// A large group: sparse factors with a small shift, which refinement takes out again where there is something to hold. What is in
/// nobody's reach stays zero, so that the forces are the least ones. The pattern is analysed when the group changes.
bool Multipliers::Sharing::solve_large(int n, const std::vector<double>& coupling, int rows, const double* rhs,
                                       double* solution) {
  constexpr double kShift = 1e-9;
  constexpr int kKept = 8, kPasses = 4;
  auto found = std::find_if(large.begin(), large.end(), [&](const Factors& f) { return f.rows == group; });
  if (found == large.end()) {
    if (large.size() >= kKept) large.erase(large.begin());
    large.emplace_back();
    Factors& f = large.back();
    f.rows = group;
    f.starts.assign(1, 0);
    for (int c = 0; c < n; ++c) {
      const int column = group[u(c)];
      for (int k = first_near[u(column)]; k < first_near[u(column + 1)]; ++k) {
        const int row = near[u(k)], at = index[u(row)];
        if (at < 0 || !std::binary_search(group.begin(), group.end(), row)) continue;
        f.row_of.push_back(at);
        f.values.push_back(coupling[u(row * rows + column)] * (row == column ? 1 + kShift : 1));
      }
      f.starts.push_back(static_cast<int>(f.row_of.size()));
    }
    f.x.assign(u(n), 0);
    f.r.assign(u(n), 0);
    f.lu.analyse(n, f.starts, f.row_of);
    if (!f.lu.factor(f.values.data())) {
      large.pop_back();
      return false;
    }
    found = large.end() - 1;
  }
  Factors& f = *found;
  std::fill(f.x.begin(), f.x.end(), 0.0);
  for (int pass = 0; pass < kPasses; ++pass) {
    std::copy_n(rhs, n, f.r.begin());
    for (int c = 0; c < n; ++c) {
      for (int k = f.starts[u(c)]; k < f.starts[u(c + 1)]; ++k) {
        const double w = f.row_of[u(k)] == c ? f.values[u(k)] / (1 + kShift) : f.values[u(k)];
        f.r[u(f.row_of[u(k)])] -= w * f.x[u(c)];
      }
    }
    f.lu.solve(f.r.data());
    for (int k = 0; k < n; ++k) f.x[u(k)] += f.r[u(k)];
  }
  std::copy_n(f.x.begin(), n, solution);
  return true;
}

/// Rule of events: forces that keep the slips. Where places repeat each other, those that keep within the limits if there are any; if there
/// are none, the places at their limits in the best they can do show an excess, and their guards go down.
void Multipliers::hold_whatever_it_takes(const System& system, Workspace& w) {
  const std::vector<DryPlace>& dry = system.dry();
  solve_held();
  update_limits(system, w);
  const bool any_creeps = std::any_of(held_.begin(), held_.end(), [&](const Entry& h) { return creeping_[u(h.place)] != 0; });
  const auto size_of = [&](int i) {
    double size = 0;
    for (int d = 0; d < dry[u(i)].components; ++d) size += force_[u(first_row_[u(i)] + d)] * force_[u(first_row_[u(i)] + d)];
    return std::sqrt(size);
  };
  if (!any_creeps) {
    if (held_.size() == u(dry[u(held_[0].place)].components)) return;  // alone
    bool within = true;
    for (const Entry& h : held_) within = within && size_of(h.place) <= view_[u(h.place)].limit * (1 + 1e-12);
    if (within) return;
    gather_held();
    if (sharing_->forces.regular(static_cast<int>(held_.size()), sub_.data())) return;  // there is only one answer
  }
  solve_limited(system, w);
  double missing = 0;  // largest slip acceleration that the forces leave, over what it is made of
  for (int k = 0; k < static_cast<int>(held_.size()); ++k) {
    const Entry& h = held_[u(k)];
    if (creeping_[u(h.place)] || !(coupling_[u(h.row * (rows_ + 1))] > 0)) continue;
    const auto [left, scale] = left_over(k);
    if (scale > 0) missing = std::max(missing, std::abs(left) / scale);
  }
  if (!(missing > (sharing_->reactive ? 10 : 1) * kNearly)) return;  // less may be what limits that follow reactions leave
  for (const Entry& h : held_) {
    if (creeping_[u(h.place)] || h.component > 0 || size_of(h.place) < (1 - 1e-9) * view_[u(h.place)].limit) continue;
    for (int d = 0; d < dry[u(h.place)].components; ++d) force_[u(first_row_[u(h.place)] + d)] *= 1 + missing;
  }
}

/// Coupling and free slip accelerations of the held places, and their limits.
void Multipliers::gather_held() {
  const int n = static_cast<int>(held_.size());
  std::vector<LimitedForces::Place>& places = sharing_->places;
  places.clear();
  for (int k = 0; k < n; ++k) {
    const Entry& h = held_[u(k)];
    rhs_[u(k)] = free_[u(h.row)];
    for (int c = 0; c < n; ++c) sub_[u(k * n + c)] = coupling_[u(h.row * rows_ + held_[u(c)].row)];
    if (h.component == 0) places.push_back({k, 1, 0});
    else ++places.back().count;
  }
  for (int k = 0; k < n; ++k) sharing_->rows_at[u(k)] = held_[u(k)].row;
  follow_kept(n, sharing_->rows_at.data(), sub_.data(), rhs_.data());
  // feet of one body repeat each other but for the differences of their depths: what would take forces a thousand times as large as
  // what they hold is left alone
  if (spatial_ && n <= kCleaned) solver_.clean(n, sub_.data(), rhs_.data());
}

/// Slip acceleration that the forces leave at a held entry, and what it is made of; after gather_held.
std::pair<double, double> Multipliers::left_over(int k) const {
  const auto n = held_.size();
  double left = rhs_[u(k)], scale = std::abs(left);
  for (std::size_t c = 0; c < n; ++c) {
    const double part = sub_[u(k) * n + c] * force_[u(held_[c].row)];
    left -= part;
    scale += std::abs(part);
  }
  return {left, scale};
}

/// Forces at the held places that leave the least slip acceleration, each within its limit. Limits that reactions make follow the
/// forces: a fixed point of the limits. Within one evaluation it is sought near the last one. Where there is none the evaluation has not
/// converged.
void Multipliers::solve_limited(const System& system, Workspace& w) {
  gather_held();
  Sharing& s = *sharing_;
  const int n = static_cast<int>(held_.size()), count = static_cast<int>(s.places.size());
  const auto limit = [&](int i) { return kWithin * view_[u(held_[u(s.places[u(i)].first)].place)].limit; };
  for (int k = 0; k < n; ++k) solution_[u(k)] = force_[u(held_[u(k)].row)];
  for (int i = 0; i < count && s.known != count; ++i) s.limit[u(i)] = limit(i);
  s.known = count;
  s.point.start(count);
  bool found = false;
  double change = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < count; ++i) s.places[u(i)].limit = s.limit[u(i)];
    found = s.forces.solve(n, sub_.data(), rhs_.data(), s.places, solution_.data());
    for (int k = 0; k < n; ++k) force_[u(held_[u(k)].row)] = solution_[u(k)];
    update_limits(system, w);
    change = 0;
    for (int i = 0; i < count; ++i) {
      s.image[u(i)] = limit(i);
      change = std::max(change, std::abs(s.image[u(i)] - s.limit[u(i)]) / (s.image[u(i)] + s.limit[u(i)] + 1e-300));
    }
    s.reactive = s.reactive || change > 1e-12;
    if (!(change > 1e-12)) {
      // limits that do not follow the forces have a minimum; what feet that nearly repeat each other leave of it moves nothing
      if (found || (spatial_ && !s.reactive && s.forces.missed() < kMissed)) return;
      break;
    }
    s.point.improve(s.limit.data(), s.image.data());
  }
  ++s.failed;
  if (!found || change > kNearly) converged_ = false;
}

double Multipliers::mobility(int place) const {
  const auto next = u(place) + 1;
  const int end = next < first_row_.size() ? first_row_[next] : rows_;
  double most = 0;
  for (int r = first_row_[u(place)]; r < end; ++r) most = std::max(most, coupling_[u(r * (rows_ + 1))]);
  return most;
}

double Multipliers::limit_of(const System& system, int place, const Workspace& w) const {
  const DryPlace& p = system.dry()[u(place)];
  RestView view;
  p.owner->view(w.eval, p.item, view);
  return view.limit;
}

void Multipliers::forget_limits() {
  sharing_->known = sharing_->failed = 0;
  sharing_->reactive = false;
}

bool Multipliers::limits_missing() const { return sharing_->failed > kPatience; }

}  // namespace bristle
