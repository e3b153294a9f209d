#pragma once
// What methods and results read of places, beside their forces: parts of place.h, which includes it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "bristle/place/place.h"

namespace bristle {

template <class M, int D, class Law>
Overrun PlaceBlock<M, D, Law>::calc_overrun(const Eval& e, double h, const double* watched, const double* z) const {
  Overrun worst;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& p = items_[i];
    const bool yields = dents(p);
    if (!p.law->overruns() && !yields) continue;
    Vec<D> before;
    for (int d = 0; d < D && p.law->overruns(); ++d) before[d] = *watched++;
    const Patch<D> patch = read(i, e);
    if (patch.load > 0 && p.law->overruns())
      worst.merge(p.law->overrun(before, patch, h, z + p.z, e.z + p.z, e.marks + p.marks + own_marks(i)));
    if (!yields) continue;
    const Depth pressed{watched[0], watched[1]};
    watched += 2;
    worst.merge(p.press->law->overrun(pressed, {-patch.gap, -patch.gap_rate}, h, e.marks + p.press->marks));
  }
  return worst;
}

template <class M, int D, class Law>
Overrun PlaceBlock<M, D, Law>::calc_turn(const StepEval& e, const Eval& end) const {
  Overrun worst;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& p = items_[i];
    if (p.rest != nullptr || p.memory.z == 0) continue;
    const Patch<D>& patch = step_of(p, e).patch;
    if (!(patch.load > 0)) continue;
    Vec<D> after;
    for (int d = 0; d < D; ++d) after[d] = p.measure[d].rate(end) * p.arm;
    const Overrun o = step_turn(p, e, patch, after);
    if (o.error > worst.error) worst = o;
  }
  return worst;
}

template <class M, int D, class Law>
std::string PlaceBlock<M, D, Law>::trouble(const Eval& e) const {
  for (const Item& p : items_) {
    if (!p.input) continue;
    const double value = p.input->signal.value(e);
    if (value >= p.input->low && value <= p.input->high) continue;
    char number[32];
    std::snprintf(number, sizeof number, "%.6g", value);
    return "'" + p.name + "': " + p.input->key + " is " + number + " here, and its law of friction takes what is " +
           p.input->range + ". Keep the expression within that, for example by min(max(..., a), b)";
  }
  return {};
}

template <class M, int D, class Law>
void PlaceBlock<M, D, Law>::calc_paces(const Eval& e, Pace* pace, double* speed) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& p = items_[i];
    Patch<D> patch = read(i, e);
    const double* marks = e.marks + p.marks + own_marks(i);
    speed[i] = norm(patch.slip);
    pace[i] = {};
    if (patch.load > 0) {
      pace[i] = p.law->pace(patch, e.z + p.z, marks);
      if (pace[i].speed > 0 && !(pace[i].rate_at_speed > 0)) {
        patch.slip = {};
        patch.slip[0] = pace[i].speed;
        pace[i].rate_at_speed = p.law->pace(patch, e.z + p.z, marks).rate;
      }
    }
    pace[i].opens = p.press.has_value();
    if (p.press) {  // from the bottom of the dent
      pace[i].gap = patch.gap + p.press->law->dent(e.marks + p.press->marks);
      pace[i].gap_rate = e.row_rate[p.press->gap];
    }
  }
}

template <class M, int D, class Law>
double PlaceBlock<M, D, Law>::calc_excess(const double* z) const {
  double worst = 0;
  for (const Item& p : items_) {
    if (p.law->remembers()) continue;  // is cut when the step is accepted
    const double reach = p.memory.z > 0 ? p.law->reach() : std::numeric_limits<double>::infinity();
    if (!std::isfinite(reach)) continue;
    for (int m = 0; m < p.memory.z; ++m) worst = std::max(worst, std::abs(z[p.z + m]) / reach);
  }
  return worst;
}

template <class M, int D, class Law>
void PlaceBlock<M, D, Law>::loaded_accounts(int* friction, int* load) const {
  for (const Item& p : items_) {
    if (p.load_account >= 0) *friction++ = p.account, *load++ = p.load_account;
  }
}

template <class M, int D, class Law>
void PlaceBlock<M, D, Law>::calc_loaded(const Eval& e, LoadedMemory* at) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& p = items_[i];
    if (p.load_account < 0) continue;
    Patch<D> patch = read(i, e);
    at->load = patch.load;
    patch.load = 1;
    at->stored = law(p).stored(patch, e.z + p.z, e.marks + p.marks + own_marks(i)) * p.lever;
    ++at;
  }
}

template <class M, int D, class Law>
void PlaceBlock<M, D, Law>::calc_outputs(const Eval& e, double* out) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& p = items_[i];
    Patch<D> patch = read(i, e);
    for (int d = 0; d < D; ++d) *out++ = patch.slip[d];
    for (int d = 0; d < D; ++d) *out++ = travel(p, e, d);
    *out++ = patch.load;
    const double* marks = e.marks + p.marks + own_marks(i);
    Vec<D> F;
    const Mode mode = mode_of(i, e, patch);
    if (p.press && p.press->slot >= 0) {
      for (int d = 0; d < D; ++d) F[d] = e.lambda[p.press->slot + 1 + d];
    } else if (!(patch.load > 0)) {
      F = {};
    } else if (items_[i].rest && rests(i, e, patch)) {
      F = items_[i].rest->offset(patch);
      for (int d = 0; d < D; ++d) F[d] += e.lambda[p.slot + d];
    } else {
      if (items_[i].rest) steer(i, e, patch);
      p.law->eval(patch, e.z + p.z, marks, F, e.zdot + p.z);
    }
    for (int d = 0; d < D; ++d) *out++ = F[d];
    if (p.press) {  // for those who report what a joint carries
      e.row_force[p.press->gap] = -patch.load;
      for (int d = 0; d < D; ++d) e.row_force[row_of(p.measure[d])] = F[d] * p.force_arm;
    }
    *out++ = static_cast<double>(mode);
    if (p.press) *out++ = patch.gap;
    if (dents(p)) *out++ = p.press->law->dent(e.marks + p.press->marks);
    for (int m = 0; m < bristle_count(*p.law); ++m) *out++ = e.z[p.z + m];
  }
}

template <class M, int D, class Law>
void PlaceBlock<M, D, Law>::accept(const Eval& e, State& x) const {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& p = items_[i];
    if (!p.press && !p.law->remembers() && (p.constant_load >= 0 || p.memory.z == 0)) continue;
    const Patch<D> patch = read(i, e);
    double *z = x.z() + p.z, *marks = x.marks() + p.marks + own_marks(i);
    if (p.press) p.press->law->accept(-patch.gap, -patch.gap_rate, x.marks() + p.press->marks);
    if (p.way >= 0) {
      double* way = x.marks() + p.way;
      const double step = way[2 * D] == kNever ? 0 : x.t - way[2 * D];
      for (int d = 0; d < D; ++d) {
        const double now = patch.load > 0 ? patch.slip[d] : 0;
        way[d] += 0.5 * step * (way[D + d] + now);
        way[D + d] = now;
      }
      way[2 * D] = x.t;
    }
    // apart, a place forgets: the next contact starts afresh. Surfaces that overlap without pressing are not apart yet
    if (patch.load > 0) {
      p.law->accept(patch, x.t, z, marks);
    } else if (!p.press || patch.gap + p.press->law->dent(x.marks() + p.press->marks) > 0) {
      p.law->start(z, marks, p.stream);
      if (p.press && p.travel >= 0) std::fill_n(x.z() + p.travel, D, 0.0);
    }
  }
}

}  // namespace bristle
