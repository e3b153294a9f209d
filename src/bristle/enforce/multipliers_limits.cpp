// Dry places that rest together: how they share what there is to hold.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/fixed_point.h"
#include "bristle/enforce/limited_forces.h"
#include "bristle/enforce/multipliers.h"

namespace bristle {

namespace {
constexpr double kWithin = 1 - 1e-10;  // of a limit: what counts as kept, or round-off would let go of places that rest
constexpr double kNearly = 1e-9;       // relative change of limits that may be left
constexpr int kRounds = 30, kPatience = 1;
}  // namespace

struct Multipliers::Sharing {
  LimitedForces forces;
  FixedPoint point;
  std::vector<LimitedForces::Place> places;
  std::vector<double> limit, image;
  int known = 0;          // limits found in this evaluation
  int failed = 0;         // and how often they were not
  bool reactive = false;  // they change with the forces
};

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
  for (const Entry& h : held_) {
    if (creeping_[u(h.place)] || !(coupling_[u(h.row * (rows_ + 1))] > 0)) continue;
    double s = free_[u(h.row)], scale = std::abs(s);
    for (const Entry& g : held_) {
      const double part = coupling_[u(h.row * rows_ + g.row)] * force_[u(g.row)];
      s -= part;
      scale += std::abs(part);
    }
    if (scale > 0) missing = std::max(missing, std::abs(s) / scale);
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
      if (found) return;
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
