// Dry places that rest together: how they share what there is to hold.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"
#include "bristle/enforce/sharing.h"

namespace bristle {

namespace {
constexpr double kWithin = 1 - 1e-10;  // of a limit: what counts as kept, or round-off would let go of places that rest
constexpr double kNearly = 1e-9;       // relative change of limits that may be left
constexpr double kMissed = 1e-3;  // of a limit: forces that the search for a minimum may be off by, where there is one for sure
constexpr int kLimitRounds = 30, kPatience = 1;
}  // namespace

Multipliers::Multipliers() = default;
Multipliers::~Multipliers() = default;

void Multipliers::prepare_sharing(const System& system) {
  sharing_ = std::make_unique<Sharing>();
  const std::size_t count = system.dry().size();
  sharing_->prepare_terms(system.layout(), mobilities_->rest);
  sharing_->forces.reserve(rows_);
  sharing_->places.reserve(count);
  sharing_->limit.assign(count, 0);
  sharing_->known.assign(count, 0);
  sharing_->turned.assign(count, 0);
  sharing_->lever.clear();
  for (const DryPlace& p : system.dry()) sharing_->lever.push_back(p.rows[0].lever());
  for (auto* part : {&sharing_->image, &sharing_->trial_limit}) part->assign(count, 0);
  for (auto* part : {&sharing_->left_of, &sharing_->scale_of}) part->assign(u(rows_), 0);
  sharing_->group_of.assign(u(rows_), Sharing::kNotResting);
  sharing_->index.assign(u(rows_), -1);
  for (auto* list : {&sharing_->member, &sharing_->marked, &sharing_->queue}) list->reserve(u(rows_));
  sharing_->first_member.reserve(u(rows_ + 1));
  sharing_->first_member.assign(1, 0);
  const Mobilities& c = *mobilities_;
  sharing_->point.reserve(std::min(c.largest, c.repeats_within));
  if (c.largest <= c.repeats_within) {
    solver_.reserve(std::max(c.largest, std::min(rows_, Sharing::kLarge)));
    sub_.assign(u(c.largest * c.largest), 0);
  }
  sharing_->first_entry.reserve(u(rows_ + 1));
  sharing_->column.reserve(c.near.size());
  sharing_->entry.reserve(c.near.size());
}

void Multipliers::Sharing::prepare_terms(const Layout& layout, const std::vector<RestRow>& rows) {
  first_term.assign(1, 0);
  for (const RestRow& row : rows) {
    for (const RowPiece* p = layout.rows.begin(row.row); p != layout.rows.end(row.row); ++p) {
      for (int k = 0; k < p->count; ++k) term.push_back({p->v + k, p->at + k});
    }
    first_term.push_back(static_cast<int>(term.size()));
  }
}

/// Places at rest that move each other, over any number of others, are one group: those that may, or by value those that do.
void Multipliers::find_groups(bool by_value) {
  const Mobilities& c = *mobilities_;
  Sharing& s = *sharing_;
  s.by_value = by_value = by_value && c.changes;
  for (int row : s.marked) s.group_of[u(row)] = Sharing::kNotResting;
  s.marked.clear(), s.member.clear();
  s.first_member.assign(1, 0);
  for (int row : resting_) {
    s.group_of[u(row)] = fixed_[u(c.place_of[u(row)])] != 0 ? Sharing::kFixed : Sharing::kUnseen;
    s.marked.push_back(row);
  }
  for (int seed : resting_) {
    if (s.group_of[u(seed)] != Sharing::kUnseen) continue;
    const int group = s.groups();
    const auto visit = [&](int row) {
      if (s.group_of[u(row)] != Sharing::kUnseen) return;
      s.group_of[u(row)] = group;
      s.queue.push_back(row);
    };
    visit(seed);
    while (!s.queue.empty()) {
      const int row = s.queue.back(), place = c.place_of[u(row)];
      s.queue.pop_back();
      s.member.push_back(row);
      for (int k = c.first_near[u(row)]; k < c.first_near[u(row + 1)]; ++k) {
        if (!by_value || c.near_value[u(k)] != 0 || c.near_value[u(c.mirror[u(k)])] != 0) visit(c.near[u(k)]);
      }
      // one limit for all components of a place
      for (int r = c.first_row[u(place)]; r < c.first_row[u(place + 1)] && !by_value; ++r) visit(r);
    }
    const auto first = s.member.begin() + s.first_member.back();
    std::sort(first, s.member.end());
    for (auto at = first; at != s.member.end(); ++at) s.index[u(*at)] = static_cast<int>(at - first);
    s.first_member.push_back(static_cast<int>(s.member.size()));
  }
}

/// Of the same rows as the groups that were found last.
void Multipliers::group_by_reach() {
  if (sharing_->by_value) find_groups(false);
}

/// Forces that keep the slips of all places at rest, but for those whose forces are fixed, group by group: the least ones where places repeat each other.
void Multipliers::solve_resting() {
  const Mobilities& c = *mobilities_;
  Sharing& s = *sharing_;
  find_groups(true);
  const bool some_fixed = s.member.size() < resting_.size();
  for (int g = 0; g < s.groups(); ++g) {
    const int* group = &s.member[u(s.first_member[u(g)])];
    const int n = s.first_member[u(g + 1)] - s.first_member[u(g)];
    for (int k = 0; k < n; ++k) {
      const int row = group[k];
      rhs_[u(k)] = free_[u(row)];
      if (!some_fixed) continue;
      for (int e = c.first_near[u(row)]; e < c.first_near[u(row + 1)]; ++e) {
        if (s.group_of[u(c.near[u(e)])] == Sharing::kFixed) rhs_[u(k)] -= c.near_value[u(e)] * force_[u(c.near[u(e)])];
      }
    }
    if (n == 1) {
      const double W = c.mobility(group[0]);
      force_[u(group[0])] = W > 0 ? rhs_[0] / W : 0;
      if (!sharing_->any_loose) continue;
    }
    // factors of a large group serve as long as nothing changes
    if (c.changes || n <= Sharing::kLarge || !s.solve_large(c, g, rhs_.data(), solution_.data())) {
      gather_dense(n, group);
      follow_kept(n, group, sub_.data(), rhs_.data());
      solver_.solve(n, sub_.data(), rhs_.data(), solution_.data());
    }
    for (int k = 0; k < n; ++k) force_[u(group[k])] = solution_[u(k)];
  }
}

/// Rows and columns of one group.
void Multipliers::Sharing::gather(const Mobilities& c, int group) {
  first_entry.assign(1, 0);
  column.clear(), entry.clear();
  for (int m = first_member[u(group)]; m < first_member[u(group + 1)]; ++m) {
    const int row = member[u(m)];
    for (int k = c.first_near[u(row)]; k < c.first_near[u(row + 1)]; ++k) {
      if (group_of[u(c.near[u(k)])] != group) continue;
      column.push_back(index[u(c.near[u(k)])]);
      entry.push_back(c.near_value[u(k)]);
    }
    first_entry.push_back(static_cast<int>(column.size()));
  }
}

/// A large group: sparse factors with a small shift, which refinement takes out again where there is something to hold. What is in
/// nobody's reach stays zero, so that the forces are the least ones. The pattern is analysed when the group changes.
bool Multipliers::Sharing::solve_large(const Mobilities& c, int group, const double* rhs, double* solution) {
  constexpr double kShift = 1e-9;
  constexpr int kKept = 8, kPasses = 4;
  const auto first = member.begin() + first_member[u(group)], last = member.begin() + first_member[u(group + 1)];
  const int n = static_cast<int>(last - first);
  auto found = std::find_if(large.begin(), large.end(), [&](const Factors& f) {
    return static_cast<int>(f.rows.size()) == n && std::equal(first, last, f.rows.begin());
  });
  if (found == large.end()) {
    if (large.size() >= kKept) large.erase(large.begin());
    large.emplace_back();
    Factors& f = large.back();
    f.rows.assign(first, last);
    gather(c, group);
    // from rows to columns
    f.starts.assign(u(n + 1), 0);
    for (int to : column) ++f.starts[u(to + 1)];
    for (int k = 0; k < n; ++k) f.starts[u(k + 1)] += f.starts[u(k)];
    f.row_of.assign(column.size(), 0);
    f.values.assign(column.size(), 0);
    std::vector<int> next(f.starts.begin(), f.starts.end() - 1);
    for (int r = 0; r < n; ++r) {
      for (int k = first_entry[u(r)]; k < first_entry[u(r + 1)]; ++k) {
        const int to = column[u(k)], at = next[u(to)]++;
        f.row_of[u(at)] = r;
        f.values[u(at)] = entry[u(k)] * (r == to ? 1 + kShift : 1);
      }
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
    for (int from = 0; from < n; ++from) {
      for (int k = f.starts[u(from)]; k < f.starts[u(from + 1)]; ++k) {
        const double w = f.row_of[u(k)] == from ? f.values[u(k)] / (1 + kShift) : f.values[u(k)];
        f.r[u(f.row_of[u(k)])] -= w * f.x[u(from)];
      }
    }
    f.lu.solve(f.r.data());
    for (int k = 0; k < n; ++k) f.x[u(k)] += f.r[u(k)];
  }
  std::copy_n(f.x.begin(), n, solution);
  return true;
}

double Multipliers::size_of_force(int place) const {
  const int* first = &mobilities_->first_row[u(place)];
  if (first[1] == first[0] + 1) return std::abs(force_[u(first[0])]);
  double size = 0;
  for (int r = first[0]; r < first[1]; ++r) size += force_[u(r)] * force_[u(r)];
  return std::sqrt(size);
}

/// Rule of events: forces that keep the slips. Where places repeat each other, those that keep within the limits if there are any; if there
/// are none, the places at their limits in the best they can do show an excess, for which the run lets go of them (Switches::guard).
void Multipliers::keep_whatever_it_takes(const System& system, Workspace& w) {
  solve_resting();
  update_limits(system, w, resting_.data(), resting_.data() + resting_.size());
  group_by_reach();
  const Sharing& s = *sharing_;
  bool missed = false;
  for (int g = 0; g < s.groups(); ++g) {
    const int *first = &s.member[u(s.first_member[u(g)])], *last = first + (s.first_member[u(g + 1)] - s.first_member[u(g)]);
    bool creeps = false, within = true;
    for (const int* row = first; row != last; ++row) {
      const int i = mobilities_->place_of[u(*row)];
      creeps = creeps || creeping_[u(i)] != 0;
      within = within && size_of_force(i) <= view_[u(i)].limit * (1 + 1e-12);
    }
    const bool alone = mobilities_->place_of[u(*first)] == mobilities_->place_of[u(last[-1])];
    if (!creeps && (alone || within)) continue;
    take_group(g);
    if (!creeps && sharing_->forces.regular()) continue;  // there is only one answer
    missed = !limit_group(system, w, g) || missed;
    // less may be what limits that follow reactions leave
    show_excess(system, first, last, (s.reactive ? 10 : 1) * kNearly);
  }
  if (missed) ++sharing_->failed;
}

/// Places at their limits that still leave a slip acceleration get a force beyond the limit, for which the run lets go of them (Switches::guard).
void Multipliers::show_excess(const System& system, const int* first, const int* last, double nearly) {
  double missing = 0;  // largest slip acceleration that the forces leave, over what it is made of
  for (const int* row = first; row != last; ++row) {
    if (creeping_[u(mobilities_->place_of[u(*row)])] || !(mobilities_->mobility(*row) > 0)) continue;
    const auto [left, scale] = left_over(*row);
    if (scale > 0) missing = std::max(missing, std::abs(left) / scale);
  }
  if (!(missing > nearly)) return;
  for (const int* row = first; row != last; ++row) {
    const int i = mobilities_->place_of[u(*row)];
    if (creeping_[u(i)] || *row != mobilities_->first_row[u(i)] || size_of_force(i) < (1 - 1e-9) * view_[u(i)].limit) continue;
    for (int d = 0; d < system.dry()[u(i)].components; ++d) force_[u(*row + d)] *= 1 + missing;
  }
}

/// Mobilities and free slip accelerations of a group.
void Multipliers::take_group(int group) {
  Sharing& s = *sharing_;
  const int *rows = &s.member[u(s.first_member[u(group)])], n = s.first_member[u(group + 1)] - s.first_member[u(group)];
  for (int k = 0; k < n; ++k) rhs_[u(k)] = free_[u(rows[k])];
  if (n > mobilities_->repeats_within) {
    s.gather(*mobilities_, group);
    s.forces.take(s.first_entry, s.column, s.entry);
    return;
  }
  gather_dense(n, rows);
  follow_kept(n, rows, sub_.data(), rhs_.data());
  // feet of one body repeat each other but for the differences of their depths: what would take forces a thousand times as large as
  // what they hold is left alone
  solver_.clean(n, sub_.data(), rhs_.data());
  s.forces.take(n, sub_.data());
}

void Multipliers::gather_dense(int n, const int* rows) {
  if (sub_.size() < u(n * n)) sub_.resize(u(n * n)), solver_.reserve(n);
  for (int k = 0; k < n; ++k) {
    for (int c = 0; c < n; ++c) sub_[u(k * n + c)] = mobilities_->mobility(rows[k], rows[c]);
  }
}

/// Forces of a group that was taken: those that leave the least slip acceleration, each within its limit. Limits that reactions make follow the
/// forces: a fixed point of the limits. Within one evaluation it is sought near the last one. Where there is none the evaluation has not
/// converged, and false is returned.
bool Multipliers::limit_group(const System& system, Workspace& w, int group) {
  Sharing& s = *sharing_;
  const int *rows = &s.member[u(s.first_member[u(group)])], n = s.first_member[u(group + 1)] - s.first_member[u(group)];
  s.places.clear();
  bool known = true;
  for (int k = 0; k < n; ++k) {
    const int i = mobilities_->place_of[u(rows[k])];
    if (rows[k] == mobilities_->first_row[u(i)])
      s.places.push_back({k, system.dry()[u(i)].components, 0}), known = known && s.known[u(i)] == s.evaluation;
    solution_[u(k)] = force_[u(rows[k])];
  }
  const auto place = [&](const LimitedForces::Place& p) { return u(mobilities_->place_of[u(rows[p.first])]); };
  const auto count = s.places.size();
  const bool follows = lambdas_ > 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = place(s.places[i]);
    if (!known || !follows) s.limit[at] = kWithin * view_[at].limit;
    s.trial_limit[i] = s.limit[at];
    s.known[at] = s.evaluation;
  }
  if (follows) s.point.start(static_cast<int>(count));
  bool found = false;
  double change = 0;
  for (int round = 0; round < kLimitRounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) s.places[i].limit = s.trial_limit[i];
    found = s.forces.solve(rhs_.data(), s.places, solution_.data());
    for (int k = 0; k < n; ++k) force_[u(rows[k])] = solution_[u(k)];
    change = 0;
    if (!follows) break;
    update_limits(system, w, rows, rows + n);
    for (std::size_t i = 0; i < count; ++i) {
      s.image[i] = kWithin * view_[place(s.places[i])].limit;
      change = std::max(change, std::abs(s.image[i] - s.trial_limit[i]) / (s.image[i] + s.trial_limit[i] + 1e-300));
    }
    s.reactive = s.reactive || change > 1e-12;
    if (!(change > 1e-12)) break;
    s.point.improve(s.trial_limit.data(), s.image.data());
  }
  for (std::size_t i = 0; i < count; ++i) s.limit[place(s.places[i])] = s.trial_limit[i];
  note_left(group);
  // limits that do not follow the forces have a minimum; what feet that nearly repeat each other leave of it moves nothing
  const double missed = mobilities_->repeats_within > 0 ? kMissed : 0;
  if (!(change > 1e-12) && (found || (!s.reactive && s.forces.missed() < missed))) return true;
  if (!found || change > kNearly) converged_ = false;
  return false;
}

/// Slip accelerations that the forces leave at the rows of a group that was taken, and what they are made of.
void Multipliers::note_left(int group) {
  Sharing& s = *sharing_;
  const int *rows = &s.member[u(s.first_member[u(group)])], n = s.first_member[u(group + 1)] - s.first_member[u(group)];
  for (int k = 0; k < n; ++k) {
    double left = rhs_[u(k)], scale = std::abs(left);
    if (n <= mobilities_->repeats_within) {
      for (int c = 0; c < n; ++c) {
        const double part = sub_[u(k * n + c)] * force_[u(rows[c])];
        left -= part;
        scale += std::abs(part);
      }
    } else {
      for (int e = s.first_entry[u(k)]; e < s.first_entry[u(k + 1)]; ++e) {
        const double part = s.entry[u(e)] * force_[u(rows[s.column[u(e)]])];
        left -= part;
        scale += std::abs(part);
      }
    }
    s.left_of[u(rows[k])] = left;
    s.scale_of[u(rows[k])] = scale;
  }
}

/// Slip acceleration that the forces leave at a row at rest, and what it is made of; after solve_limited or within a group that was limited.
std::pair<double, double> Multipliers::left_over(int row) const {
  return {sharing_->left_of[u(row)], sharing_->scale_of[u(row)]};
}

/// Forces of the places at rest that leave the least slip acceleration, each within its limit. Groups that keep within their limits, in the one
/// way there is, are as they should be.
void Multipliers::solve_limited(const System& system, Workspace& w) {
  group_by_reach();
  const Sharing& s = *sharing_;
  bool missed = false;
  for (int g = 0; g < s.groups(); ++g) {
    const int *first = &s.member[u(s.first_member[u(g)])], *last = first + (s.first_member[u(g + 1)] - s.first_member[u(g)]);
    take_group(g);
    if (last == first + 1 && lambdas_ == 0) {
      const double most = kWithin * view_[u(mobilities_->place_of[u(*first)])].limit;
      force_[u(*first)] = std::clamp(force_[u(*first)], -most, most);
      note_left(g);
      continue;
    }
    const bool within = std::all_of(first, last, [&](int row) {
      const int i = mobilities_->place_of[u(row)];
      return creeping_[u(i)] == 0 && size_of_force(i) <= kWithin * view_[u(i)].limit && view_[u(i)].limit > 0;
    });
    if (within && sharing_->forces.regular()) note_left(g);
    else missed = !limit_group(system, w, g) || missed;
  }
  if (missed) ++sharing_->failed;
}

int Multipliers::cluster(int place) const { return mobilities_->cluster[u(place)]; }

std::size_t Multipliers::entries() const { return mobilities_->near.size() + mobilities_->response.size(); }

double Multipliers::mobility(int place) const {
  double most = 0;
  for (int r = mobilities_->first_row[u(place)]; r < mobilities_->first_row[u(place + 1)]; ++r)
    most = std::max(most, mobilities_->mobility(r));
  return most * sharing_->lever[u(place)];  // per force of the law
}

/// Of all rows that act on what these do.
void Multipliers::update_limits(const System& system, Workspace& w, const int* first, const int* last) {
  if (lambdas_ == 0) return;
  const Mobilities& c = *mobilities_;
  for (const int* row = first; row != last; ++row) {
    for (int k = c.first_slot[u(*row)]; k < c.first_slot[u(*row + 1)]; ++k) w.lambda[u(c.slot[u(k)])] = lambda0_[u(c.slot[u(k)])];
  }
  for (const int* row = first; row != last; ++row) {
    for (int k = c.first_slot[u(*row)]; k < c.first_slot[u(*row + 1)]; ++k)
      w.lambda[u(c.slot[u(k)])] -= force_[u(*row)] * c.by_force[u(k)];
  }
  for (const int* row = first; row != last; ++row) {
    const int i = c.place_of[u(*row)];
    if (*row == c.first_row[u(i)]) look_at(system.dry()[u(i)], w.eval, view_[u(i)]);
  }
}

double Multipliers::limit_of(const System& system, int place, const Workspace& w) const {
  const DryPlace& p = system.dry()[u(place)];
  RestView view;
  p.owner->view(w.eval, p.item, view);
  return view.limit;
}

void Multipliers::forget_limits() {
  sharing_->failed = 0;
  ++sharing_->evaluation;
  sharing_->reactive = false;
}

bool Multipliers::limits_missing() const { return sharing_->failed > kPatience; }

}  // namespace bristle
