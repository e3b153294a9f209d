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
constexpr int kRounds = 30, kPatience = 1;
constexpr int kCleaned = 300;  // rows: more would take too long
}  // namespace

Multipliers::Multipliers() = default;
Multipliers::~Multipliers() = default;

void Multipliers::prepare_sharing(const System& system) {
  sharing_ = std::make_unique<Sharing>();
  const std::size_t count = system.dry().size();
  sharing_->forces.reserve(rows_);
  sharing_->places.reserve(count);
  sharing_->limit.assign(count, 0);
  sharing_->known.assign(count, 0);
  sharing_->turned.assign(count, 0);
  sharing_->lever.clear();
  for (const DryPlace& p : system.dry()) sharing_->lever.push_back(p.rows[0].lever());
  for (auto* part : {&sharing_->image, &sharing_->trial_limit}) part->assign(count, 0);
  for (auto* part : {&sharing_->left_of, &sharing_->scale_of}) part->assign(u(rows_), 0);
  sharing_->group_of.assign(u(rows_), Sharing::kNotHeld);
  sharing_->index.assign(u(rows_), -1);
  for (auto* list : {&sharing_->member, &sharing_->marked, &sharing_->queue, &sharing_->open}) list->reserve(u(rows_));
  sharing_->first_member.reserve(u(rows_ + 1));
  sharing_->first_member.assign(1, 0);
  sharing_->place_of.clear();
  for (std::size_t i = 0; i < count; ++i)
    sharing_->place_of.insert(sharing_->place_of.end(), u(system.dry()[i].components), static_cast<int>(i));
  if (spatial_) sharing_->prepare_islands(system, lambdas_);
  else sharing_->prepare_rows(system, rows_);
  const int most = sharing_->prepare_clusters(count);
  sharing_->point.reserve(std::min(most, kCleaned));
  if (spatial_ && most <= kCleaned) {
    solver_.reserve(std::max(most, std::min(rows_, Sharing::kLarge)));
    sub_.assign(u(most * most), 0);
  }
  sharing_->first_entry.reserve(u(rows_ + 1));
  sharing_->column.reserve(sharing_->near.size());
  sharing_->entry.reserve(sharing_->near.size());
}

/// What each row moves, and which rows move each other.
void Multipliers::Sharing::prepare_rows(const System& system, int rows) {
  const Layout& layout = system.layout();
  const int nv = layout.sizes.v;
  const State x = system.make_state();
  std::vector<double> f(u(nv)), a(u(nv));
  std::vector<std::vector<std::pair<int, double>>> moved_by(u(nv));  // per velocity: rows
  first_response.assign(1, 0);
  int r = 0;
  for (const DryPlace& p : system.dry()) {
    for (const RestRow& row : p.rows) {
      std::fill(f.begin(), f.end(), 0.0);
      std::fill(a.begin(), a.end(), 0.0);
      for (std::size_t i = 0; i < row.index.size(); ++i) {
        if (layout.unknown(row.index[i]) >= 0) f[u(row.index[i])] += row.slip[i];
      }
      system.solve_mass(x.q(), f.data(), a.data());
      for (int k = 0; k < nv; ++k) {
        if (a[u(k)] == 0) continue;
        response.push_back({k, a[u(k)]});
        moved_by[u(k)].push_back({r, a[u(k)]});
      }
      first_response.push_back(static_cast<int>(response.size()));
      ++r;
    }
  }
  // W by rows, with the pattern of W + W'
  std::vector<std::vector<std::pair<int, double>>> list(u(rows));
  std::vector<double> sum(u(rows));
  std::vector<char> met(u(rows));
  r = 0;
  for (const DryPlace& p : system.dry()) {
    for (const RestRow& row : p.rows) {
      std::vector<std::pair<int, double>>& own_list = list[u(r)];
      const auto meet = [&](int s) {
        if (!std::exchange(met[u(s)], char{1})) own_list.push_back({s, 0});
      };
      meet(r);
      for (std::size_t i = 0; i < row.index.size(); ++i) {
        for (const auto& [s, value] : moved_by[u(row.index[i])]) meet(s), sum[u(s)] += row.slip[i] * value;
      }
      for (auto& [s, value] : own_list) value = std::exchange(sum[u(s)], 0.0), met[u(s)] = 0;
      ++r;
    }
  }
  for (int k = 0; k < rows; ++k) std::sort(list[u(k)].begin(), list[u(k)].end());
  for (int k = 0; k < rows; ++k) {
    const std::size_t count = list[u(k)].size();
    for (std::size_t i = 0; i < count; ++i) {
      auto& back = list[u(list[u(k)][i].first)];
      const auto at = std::lower_bound(back.begin(), back.end(), k, [](const auto& e, int key) { return e.first < key; });
      if (at == back.end() || at->first != k) back.insert(at, {k, 0});
    }
  }
  first_near.assign(1, 0);
  for (int k = 0; k < rows; ++k) {
    for (const auto& [s, value] : list[u(k)]) {
      near.push_back(s), near_value.push_back(value);
      if (s == k) own.push_back(value);
    }
    first_near.push_back(static_cast<int>(near.size()));
  }
}

double Multipliers::coupling(int row, int by) const {
  const int from = sharing_->first_near[u(row)], to = sharing_->first_near[u(row + 1)];
  if (to - from == rows_) return sharing_->near_value[u(from + by)];
  const auto first = sharing_->near.begin() + from, last = sharing_->near.begin() + to;
  const auto at = std::lower_bound(first, last, by);
  return at != last && *at == by ? sharing_->near_value[static_cast<std::size_t>(at - sharing_->near.begin())] : 0;
}

double Multipliers::coupling(int row) const { return sharing_->own[u(row)]; }

void Multipliers::push_held(int row, double force, double* a) const {
  for (int k = sharing_->first_response[u(row)]; k < sharing_->first_response[u(row + 1)]; ++k) {
    const Sharing::Response& r = sharing_->response[u(k)];
    a[r.v] -= r.value * force;
  }
}

/// Places at rest that move each other, over any number of others, are one group. In space those that may, or by value those that do.
void Multipliers::find_groups(bool by_value) {
  by_value = by_value && spatial_;
  Sharing& s = *sharing_;
  for (int row : s.marked) s.group_of[u(row)] = Sharing::kNotHeld;
  s.marked.clear(), s.member.clear();
  s.first_member.assign(1, 0);
  for (const Entry& h : held_) {
    s.group_of[u(h.row)] = fixed_[u(h.place)] != 0 ? Sharing::kFixed : Sharing::kUnseen;
    s.marked.push_back(h.row);
  }
  const auto close = [&] { s.first_member.push_back(static_cast<int>(s.member.size())); };
  for (const Entry& h : held_) {
    if (s.group_of[u(h.row)] != Sharing::kUnseen) continue;
    const int group = s.groups();
    const auto visit = [&](int row) {
      if (s.group_of[u(row)] != Sharing::kUnseen) return;
      s.group_of[u(row)] = group;
      s.queue.push_back(row);
    };
    visit(h.row);
    while (!s.queue.empty()) {
      const int row = s.queue.back();
      s.queue.pop_back();
      s.member.push_back(row);
      for (int k = s.first_near[u(row)]; k < s.first_near[u(row + 1)]; ++k) {
        if (!by_value || s.near_value[u(k)] != 0 || s.near_value[u(s.mirror[u(k)])] != 0) visit(s.near[u(k)]);
      }
      if (by_value) continue;
      // one limit for all components of a place
      for (int r = row; r > 0 && s.place_of[u(r - 1)] == s.place_of[u(row)];) visit(--r);
      for (int r = row; u(r + 1) < s.place_of.size() && s.place_of[u(r + 1)] == s.place_of[u(row)];) visit(++r);
    }
    const auto first = s.member.begin() + s.first_member.back();
    std::sort(first, s.member.end());
    for (auto at = first; at != s.member.end(); ++at) s.index[u(*at)] = static_cast<int>(at - first);
    close();
  }
}

/// Forces that keep the slips of all held places that are not fixed, group by group: the least ones where places repeat each other.
void Multipliers::solve_held() {
  Sharing& s = *sharing_;
  find_groups(true);
  const bool some_fixed = s.member.size() < held_.size();
  for (int g = 0; g < s.groups(); ++g) {
    const int* group = &s.member[u(s.first_member[u(g)])];
    const int n = s.first_member[u(g + 1)] - s.first_member[u(g)];
    for (int k = 0; k < n; ++k) {
      const int row = group[k];
      rhs_[u(k)] = free_[u(row)];
      if (!some_fixed) continue;
      for (int e = s.first_near[u(row)]; e < s.first_near[u(row + 1)]; ++e) {
        if (s.group_of[u(s.near[u(e)])] == Sharing::kFixed) rhs_[u(k)] -= s.near_value[u(e)] * force_[u(s.near[u(e)])];
      }
    }
    if (n == 1) {
      const double W = coupling(group[0]);
      force_[u(group[0])] = W > 0 ? rhs_[0] / W : 0;
      if (!sharing_->any_loose) continue;
    }
    if (!(n > Sharing::kLarge && !spatial_ && s.solve_large(g, rhs_.data(), solution_.data()))) {
      gather_dense(n, group);
      follow_kept(n, group, sub_.data(), rhs_.data());
      solver_.solve(n, sub_.data(), rhs_.data(), solution_.data());
    }
    for (int k = 0; k < n; ++k) force_[u(group[k])] = solution_[u(k)];
  }
}

/// Rows and columns of one group.
void Multipliers::Sharing::gather(int group) {
  first_entry.assign(1, 0);
  column.clear(), entry.clear();
  for (int m = first_member[u(group)]; m < first_member[u(group + 1)]; ++m) {
    const int row = member[u(m)];
    for (int k = first_near[u(row)]; k < first_near[u(row + 1)]; ++k) {
      if (group_of[u(near[u(k)])] != group) continue;
      column.push_back(index[u(near[u(k)])]);
      entry.push_back(near_value[u(k)]);
    }
    first_entry.push_back(static_cast<int>(column.size()));
  }
}

/// A large group: sparse factors with a small shift, which refinement takes out again where there is something to hold. What is in
/// nobody's reach stays zero, so that the forces are the least ones. The pattern is analysed when the group changes.
bool Multipliers::Sharing::solve_large(int group, const double* rhs, double* solution) {
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
    gather(group);
    // from rows to columns
    f.starts.assign(u(n + 1), 0);
    for (int c : column) ++f.starts[u(c + 1)];
    for (int c = 0; c < n; ++c) f.starts[u(c + 1)] += f.starts[u(c)];
    f.row_of.assign(column.size(), 0);
    f.values.assign(column.size(), 0);
    std::vector<int> next(f.starts.begin(), f.starts.end() - 1);
    for (int r = 0; r < n; ++r) {
      for (int k = first_entry[u(r)]; k < first_entry[u(r + 1)]; ++k) {
        const int c = column[u(k)], at = next[u(c)]++;
        f.row_of[u(at)] = r;
        f.values[u(at)] = entry[u(k)] * (r == c ? 1 + kShift : 1);
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

double Multipliers::size_of_held(const System& system, int place) const {
  double size = 0;
  for (int d = 0; d < system.dry()[u(place)].components; ++d) {
    const double F = force_[u(first_row_[u(place)] + d)];
    size += F * F;
  }
  return std::sqrt(size);
}

/// Rule of events: forces that keep the slips. Where places repeat each other, those that keep within the limits if there are any; if there
/// are none, the places at their limits in the best they can do show an excess, for which the run lets go of them (Switches::guard).
void Multipliers::hold_whatever_it_takes(const System& system, Workspace& w) {
  solve_held();
  update_held_limits(system, w);
  if (spatial_) find_groups(false);
  const Sharing& s = *sharing_;
  bool missed = false;
  for (int g = 0; g < s.groups(); ++g) {
    const int *first = &s.member[u(s.first_member[u(g)])], *last = first + (s.first_member[u(g + 1)] - s.first_member[u(g)]);
    bool creeps = false, within = true;
    for (const int* row = first; row != last; ++row) {
      const int i = s.place_of[u(*row)];
      creeps = creeps || creeping_[u(i)] != 0;
      within = within && size_of_held(system, i) <= view_[u(i)].limit * (1 + 1e-12);
    }
    const bool alone = s.place_of[u(*first)] == s.place_of[u(last[-1])];
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
  const Sharing& s = *sharing_;
  double missing = 0;  // largest slip acceleration that the forces leave, over what it is made of
  for (const int* row = first; row != last; ++row) {
    if (creeping_[u(s.place_of[u(*row)])] || !(coupling(*row) > 0)) continue;
    const auto [left, scale] = left_over(*row);
    if (scale > 0) missing = std::max(missing, std::abs(left) / scale);
  }
  if (!(missing > nearly)) return;
  for (const int* row = first; row != last; ++row) {
    const int i = s.place_of[u(*row)];
    if (creeping_[u(i)] || *row != first_row_[u(i)] || size_of_held(system, i) < (1 - 1e-9) * view_[u(i)].limit) continue;
    for (int d = 0; d < system.dry()[u(i)].components; ++d) force_[u(*row + d)] *= 1 + missing;
  }
}

/// Coupling and free slip accelerations of a group.
void Multipliers::take_group(int group) {
  Sharing& s = *sharing_;
  const int *rows = &s.member[u(s.first_member[u(group)])], n = s.first_member[u(group + 1)] - s.first_member[u(group)];
  for (int k = 0; k < n; ++k) rhs_[u(k)] = free_[u(rows[k])];
  if (!spatial_ || n > kCleaned) {
    s.gather(group);
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
    for (int c = 0; c < n; ++c) sub_[u(k * n + c)] = coupling(rows[k], rows[c]);
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
    const int i = s.place_of[u(rows[k])];
    if (rows[k] == first_row_[u(i)])
      s.places.push_back({k, system.dry()[u(i)].components, 0}), known = known && s.known[u(i)] != 0;
    solution_[u(k)] = force_[u(rows[k])];
  }
  const auto place = [&](const LimitedForces::Place& p) { return u(s.place_of[u(rows[p.first])]); };
  const auto count = s.places.size();
  const bool follows = spatial_ && lambdas_ > 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = place(s.places[i]);
    if (!known || !follows) s.limit[at] = kWithin * view_[at].limit;
    s.trial_limit[i] = s.limit[at];
    s.known[at] = 1;
  }
  if (follows) s.point.start(static_cast<int>(count));
  bool found = false;
  double change = 0;
  for (int round = 0; round < kRounds; ++round) {
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
  if (!(change > 1e-12) && (found || (spatial_ && !s.reactive && s.forces.missed() < kMissed))) return true;
  if (!found || change > kNearly) converged_ = false;
  return false;
}

/// Slip accelerations that the forces leave at the rows of a group that was taken, and what they are made of.
void Multipliers::note_left(int group) {
  Sharing& s = *sharing_;
  const int *rows = &s.member[u(s.first_member[u(group)])], n = s.first_member[u(group + 1)] - s.first_member[u(group)];
  for (int k = 0; k < n; ++k) {
    double left = rhs_[u(k)], scale = std::abs(left);
    if (spatial_ && n <= kCleaned) {
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

/// Slip acceleration that the forces leave at a held row, and what it is made of; after solve_limited or within a group that was limited.
std::pair<double, double> Multipliers::left_over(int row) const {
  return {sharing_->left_of[u(row)], sharing_->scale_of[u(row)]};
}

/// Forces at the held places that leave the least slip acceleration, each within its limit. Groups that keep within their limits, in the one
/// way there is, are as they should be.
void Multipliers::solve_limited(const System& system, Workspace& w) {
  if (spatial_) find_groups(false);
  const Sharing& s = *sharing_;
  bool missed = false;
  for (int g = 0; g < s.groups(); ++g) {
    const int *first = &s.member[u(s.first_member[u(g)])], *last = first + (s.first_member[u(g + 1)] - s.first_member[u(g)]);
    take_group(g);
    if (last == first + 1 && !spatial_) {
      const double most = kWithin * view_[u(s.place_of[u(*first)])].limit;
      force_[u(*first)] = std::clamp(force_[u(*first)], -most, most);
      note_left(g);
      continue;
    }
    const bool within = std::all_of(first, last, [&](int row) {
      const int i = s.place_of[u(row)];
      return creeping_[u(i)] == 0 && size_of_held(system, i) <= kWithin * view_[u(i)].limit &&
             (!spatial_ || view_[u(i)].limit > 0);
    });
    if (within && sharing_->forces.regular()) note_left(g);
    else missed = !limit_group(system, w, g) || missed;
  }
  if (missed) ++sharing_->failed;
}

int Multipliers::cluster(int place) const { return sharing_->cluster[u(place)]; }

std::size_t Multipliers::entries() const { return sharing_->near.size() + sharing_->response.size(); }

double Multipliers::mobility(int place) const {
  const auto next = u(place) + 1;
  const int end = next < first_row_.size() ? first_row_[next] : static_cast<int>(sharing_->place_of.size());
  double most = 0;
  for (int r = first_row_[u(place)]; r < end; ++r) most = std::max(most, coupling(r));
  return most * sharing_->lever[u(place)];  // per force of the law
}

double Multipliers::limit_of(const System& system, int place, const Workspace& w) const {
  const DryPlace& p = system.dry()[u(place)];
  RestView view;
  p.owner->view(w.eval, p.item, view);
  return view.limit;
}

void Multipliers::forget_limits() {
  sharing_->failed = 0;
  std::fill(sharing_->known.begin(), sharing_->known.end(), char{0});
  sharing_->reactive = false;
}

bool Multipliers::limits_missing() const { return sharing_->failed > kPatience; }

}  // namespace bristle
