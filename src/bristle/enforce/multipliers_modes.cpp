// Who sticks and who starts, where some slips are zero.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"
#include "bristle/enforce/sharing.h"

namespace bristle {

namespace {
constexpr double kEarly = 1e-6;     // of a limit: places that carry a load together let go this much before its end
constexpr double kStill = 1e-12;    // [m/s] slip that counts as none
constexpr double kSlow = 0.2;       // acceleration of a slip that starts, over what friction does to it
constexpr double kRoundOff = 1e-9;  // of what sums are made of

double size_of(const double* x, int n) {
  double sum = 0;
  for (int d = 0; d < n; ++d) sum += x[d] * x[d];
  return std::sqrt(sum);
}
void set_mode(const DryPlace& p, State& x, DryMode mode, const double* direction) {
  DryMarks marks = p.marks(x);
  marks.set_mode(mode);
  for (int d = 0; d < p.components; ++d) marks.set_direction(d, direction != nullptr ? direction[d] : 0);
}
}  // namespace

void Multipliers::evaluate_resting(const System& system, State& x, Workspace& w) {
  keep_all(system, x.marks());
  evaluate(system, x, w);
  if (resting_.empty() || mobilities_->repeats_within == 0 || w.rest != RestRule::events) return;
  for (int r : resting_) sharing_->slips[u(r)] = mobilities_->slip(system.layout(), r, w, x.v());
  if (choose_rows(system, x.marks(), sharing_->slips.data())) evaluate(system, x, w);
}

void Multipliers::resolve_modes(const System& system, State& x, Workspace& w, const std::vector<int>& candidates,
                                const std::vector<int>& released) {
  for (int i : candidates) asked_[u(i)] = 1;
  for (int i : candidates) set_mode(system.dry()[u(i)], x, DryMode::stick, nullptr);
  evaluate_resting(system, x, w);
  if (!resting_.empty()) {
    start_together(system, x, w, candidates, !released.empty());
    give_way(system, x, w, candidates, released);
    aim(system, x, w, candidates);
  }
  std::fill(asked_.begin(), asked_.end(), char{0});
}

/// All together: forces within the limits that leave the least slip acceleration. Who is at its limit and still accelerates slides, and so does
/// who carries a load with one that was just released.
void Multipliers::start_together(const System& system, State& x, Workspace& w, const std::vector<int>& candidates,
                                 bool some_released) {
  forget_limits();
  solve_limited(system, w);
  for (int i : candidates) {
    const DryPlace& p = system.dry()[u(i)];
    const int first = mobilities_->first_row[u(i)], n = p.components;
    if (mobility(i) == 0) {
      start_immobile(system, x, w, i);
      continue;
    }
    const double *F = &force_[u(first)], limit = view_[u(i)].limit, size = size_of(F, n);
    // places that carry a load together reach the end of it together: when one is released, all that are at their limit let go
    if (size < (some_released ? 1 - kEarly : 1 - kRoundOff) * limit) continue;
    double scale = 0, direction[3] = {0, 0, 0}, rest[3] = {0, 0, 0};
    for (int d = 0; d < n; ++d) {
      const auto [r, of] = left_over(first + d);
      scale += of;
      rest[d] = r;
    }
    const double left = size_of(rest, n);
    // without a limit there is no force to tell the direction: the acceleration does
    for (int d = 0; d < n; ++d) direction[d] = size > 0 ? F[d] / size : left > 0 ? rest[d] / left : 0;
    if (some_released || left > kRoundOff * scale) set_mode(p, x, DryMode::slip, direction);
  }
}

/// No force moves the slip: its acceleration decides, or what there is of it already.
void Multipliers::start_immobile(const System& system, State& x, const Workspace& w, int place) const {
  const DryPlace& p = system.dry()[u(place)];
  const int first = mobilities_->first_row[u(place)], n = p.components;
  double parts = 0, direction[3] = {0, 0, 0};
  for (int d = 0; d < n; ++d) {
    direction[d] = free_[u(first + d)];
    parts += acceleration_of(system, w, first + d).second;
  }
  double size = size_of(direction, n);
  if (!(size > kRoundOff * parts)) {
    size = size_of(view_[u(place)].slip, n);
    if (!(size > kStill)) return;
    std::copy_n(view_[u(place)].slip, n, direction);
  }
  for (int d = 0; d < n; ++d) direction[d] /= size;
  set_mode(p, x, DryMode::slip, direction);
}

/// Sliding friction may be less than what was kept at rest: others may give way too, and nobody starts against its friction.
void Multipliers::give_way(const System& system, State& x, Workspace& w, const std::vector<int>& candidates,
                           const std::vector<int>& released) {
  Sharing& s = *sharing_;
  const double nothing = released.empty() ? kRoundOff : kEarly;  // beside the forces that cancel
  std::fill(s.turned.begin(), s.turned.end(), std::size_t{0});
  const std::size_t most = 2 * candidates.size() + 2;
  for (std::size_t round = 1; round <= most; ++round) {
    evaluate_resting(system, x, w);
    bool changed = false;
    for (int i : candidates) {
      // one after the other, but for those that do not feel each other
      std::size_t& turned = s.turned[u(cluster(i))];
      if (turned == round) continue;
      const DryPlace& p = system.dry()[u(i)];
      if (!p.marks(x).rests()) {
        const auto [sum, scale] = acceleration_along(system, x, w, i);
        const bool just_released = round == 1 && std::find(released.begin(), released.end(), i) != released.end();
        if (sum >= -kRoundOff * scale || just_released || sum >= -nothing * grip(i, candidates)) continue;
        set_mode(p, x, DryMode::stick, nullptr);
      } else {
        const double *F = &w.lambda[u(p.lambda)], size = size_of(F, p.components);
        if (size * s.lever[u(i)] <= view_[u(i)].limit * (1 + kRoundOff)) continue;
        double direction[3] = {0, 0, 0};
        for (int d = 0; d < p.components; ++d) direction[d] = F[d] / size;
        set_mode(p, x, DryMode::slip, direction);
      }
      changed = true;
      turned = round;
    }
    if (!changed) return;
  }
  evaluate_resting(system, x, w);
}

/// Who starts in several directions slips along its acceleration, not along the force that held it: these are apart where masses differ by direction, and from zero
/// no method gets from one to the other. Who starts slowly beside what friction does to it stays with the kernel.
void Multipliers::aim(const System& system, State& x, Workspace& w, const std::vector<int>& candidates) {
  bool some = false, slides = false;
  for (int i : candidates) {
    const DryPlace& p = system.dry()[u(i)];
    if (p.components == 1 || p.marks(x).rests() || !(mobility(i) > 0)) continue;
    p.marks(x).set_mode(DryMode::creep);
    some = true;
  }
  if (!some) return;
  evaluate_resting(system, x, w);
  for (int i : candidates) {
    const DryPlace& p = system.dry()[u(i)];
    DryMarks marks = p.marks(x);
    if (!marks.creeps()) continue;
    const double *F = &w.lambda[u(p.lambda)], size = size_of(F, p.components), limit = limit_of(system, i, w);
    if (size > 0 && size > (1 - kEarly) * limit) marks.aim(F, size);
    if (lets_creep_ && acceleration_along(system, x, w, i).first < kSlow * mobility(i) * limit) continue;
    marks.set_mode(DryMode::slip);
    slides = true;
  }
  if (slides) evaluate_resting(system, x, w);
}

/// Slip acceleration of a row in the last evaluation, and what it is made of, added up.
std::pair<double, double> Multipliers::acceleration_of(const System& system, const Workspace& w, int row) const {
  const RestRow& r = mobilities_->rest[u(row)];
  double sum = 0, parts = 0;
  const auto add = [&](double a) { sum += r.arm * a, parts += std::abs(r.arm * a); };
  system.layout().rows.each(r.row, w.D.data(), [&](int k, double c) { add(c * w.a[u(k)]); });
  add(w.row_drift[u(r.row)]);
  return {sum, parts};
}

/// The same along the direction of a slider.
std::pair<double, double> Multipliers::acceleration_along(const System& system, const State& x, const Workspace& w,
                                                          int place) const {
  const DryPlace& p = system.dry()[u(place)];
  double sum = 0, parts = 0;
  for (int d = 0; d < p.components; ++d) {
    const double direction = p.marks(x).direction(d);
    const auto [a, of] = acceleration_of(system, w, mobilities_->first_row[u(place)] + d);
    sum += a * direction;
    parts += of * std::abs(direction);
  }
  return {sum, parts};
}

/// Slip acceleration that all candidates at their limits can make at a place, added up.
double Multipliers::grip(int place, const std::vector<int>& candidates) const {
  const std::vector<int>& first = mobilities_->first_row;
  double most = 0;
  for (int row = first[u(place)]; row < first[u(place + 1)]; ++row) {
    double sum = 0;
    for (int j : candidates) {
      for (int by = first[u(j)]; by < first[u(j + 1)]; ++by) sum += std::abs(mobilities_->mobility(row, by)) * view_[u(j)].limit;
    }
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace bristle
