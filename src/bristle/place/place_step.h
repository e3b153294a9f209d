#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/core/block.h"
#include "bristle/core/dry_marks.h"
#include "bristle/core/step_room.h"
#include "bristle/measure/form.h"
#include "bristle/place/item.h"
#include "bristle/place/memory_step.h"
#include "bristle/place/step_rest.h"

namespace bristle {

// A place over a whole step of an energy scheme.

/// Numbers of Eval::scratch that a place takes whose law has nz numbers of memory: derivatives and rates at one instant; three memories and
/// what MemoryStep takes over a whole step.
template <int D>
int scratch_of_place(int nz) {
  return std::max(rub_rows(D, nz) * rub_columns(D, nz) + nz, 3 * nz + MemoryStep<D>::scratch(nz));
}

/// What a place finds out over a step, once per iteration: calc_step leaves it in StepEval::room, all that follows reads it there.
template <int D>
struct PlaceStep {
  Patch<D> patch;     ///< mean slip, the load that goes with the impulse
  PressStep press;    ///< of a place that presses
  Vec<D> force;       ///< zero while the surfaces are apart
  StepRest<D> rest;   ///< equation of a dry place
  bool found = true;  ///< the end of the memory; its numbers follow, see MemoryStep::advance

  static constexpr int kNumbers = room_for<PlaceStep>();
  static int room(int nz) { return kNumbers + MemoryStep<D>::kKept * nz; }
};
template <class M, int D>
const PlaceStep<D>& step_of(const Place<M, D>& p, const StepEval& e) {
  return in_room<PlaceStep<D>>(e.room + p.room);
}
template <class M, int D>
double* memory_of(const Place<M, D>& p, const StepEval& e) {
  return e.room + p.room + PlaceStep<D>::kNumbers;
}

/// Force of a dry place over a whole step: one of its own, see calc_rest, beside the offset.
template <class M, int D>
Vec<D> dry_force(const Place<M, D>& p, const StepEval& e, const Patch<D>& patch, double* slope) {
  Vec<D> F = p.rest->offset_over(patch, e.h * patch.slip, slope);
  for (int d = 0; d < D; ++d) {
    F[d] += e.lambda[p.slot + d];
    for (int c = 0; c < D && slope != nullptr; ++c) slope[d * MemoryStep<D>::kColumns + c] *= e.h;
  }
  return F;
}

/// Force over a whole step where the surfaces press; the rates of the memory are its change per time.
template <class M, int D>
void find_force(const Place<M, D>& p, StepEval& e, PlaceStep<D>& s) {
  if (p.rest != nullptr) {
    s.force = dry_force(p, e, s.patch, nullptr);
    return;
  }
  const double *z = e.z_ends[0] + p.z, *marks = e.marks + p.marks;
  double *rate = e.zdot + p.z, *kept = memory_of(p, e);
  const int nz = p.memory.z;
  s.found = MemoryStep<D>::advance(*p.law, s.patch, e.h, z, marks, nz, kept, s.force, e.scratch);
  for (int m = 0; m < nz; ++m) rate[m] = (kept[nz + m] - z[m]) / e.h;
}

/// The same force with its derivatives by slip, load and travel.
template <class M, int D>
Vec<D> force_slopes(const Place<M, D>& p, const StepEval& e, const PlaceStep<D>& s, double* slope) {
  if (p.rest != nullptr) return p.memory.travel ? dry_force(p, e, s.patch, slope) : s.force;
  Vec<D> F;
  MemoryStep<D>::differentiate(*p.law, s.patch, e.h, e.z_ends[0] + p.z, e.marks + p.marks, p.memory.z, memory_of(p, e), s.found,
                               F, slope, e.scratch);
  return F;
}

/// A step sees nothing but its mean slip. Where the slip turns back inside it, the way out and the way back are taken one after the other, the slip
/// being straight in time up to `after`: how far is the memory of the step from what they leave, and where does the slip turn?
template <class M, int D>
Overrun step_turn(const Place<M, D>& p, const StepEval& e, const Patch<D>& patch, const Vec<D>& after) {
  const Vec<D> before = 2.0 * patch.slip - after, change = after - before;
  if (!(dot(before, after) < 0)) return {};
  const int nz = p.memory.z;
  const double *z = e.z_ends[0] + p.z, *marks = e.marks + p.marks;
  double *out = e.scratch, *back = out + nz, *whole = back + nz, *scratch = whole + nz;
  const double part = -dot(before, change) / dot(change, change);  // where it is slowest
  Patch<D> way = patch;
  Vec<D> F;
  way.slip = before + (0.5 * part) * change;
  MemoryStep<D>::solve(*p.law, way, part * e.h, z, marks, nz, out, F, nullptr, scratch);
  p.law->project(way, out, marks);
  way.slip = before + (0.5 + 0.5 * part) * change;
  MemoryStep<D>::solve(*p.law, way, (1 - part) * e.h, out, marks, nz, back, F, nullptr, scratch);
  p.law->project(way, back, marks);
  std::copy_n(e.z_ends[1] + p.z, nz, whole);
  p.law->project(patch, whole, marks);
  Overrun o{.part = part};
  for (int m = 0; m < nz; ++m) o.error = std::max(o.error, std::abs(back[m] - whole[m]));
  return o;
}

/// The normal force over a whole step, and its share in the jump.
template <class M, int D>
void push_step(const Place<M, D>& p, StepEval& e, const PlaceStep<D>& s) {
  const Press& press = *p.press;
  e.row_force[press.gap] += s.press.stress - s.press.load;
  e.power[press.account] = -s.press.load * s.patch.gap_rate;
  if (s.press.impulse == 0 && s.press.taken == 0) return;
  e.rows->each(press.gap, e.D_start, [&](int i, double c) { e.impulse[i] += c * s.press.impulse; });
  *e.numerical += s.press.taken;
}

/// Derivatives of what push_step does.
template <class M, int D>
void emit_press_step(const Place<M, D>& p, const StepEval& e, const PressStep& press, bool jumps, JacobianSink& sink) {
  using Part = JacobianSink::Part;
  const int gap = p.press->gap;
  e.rows->each(gap, e.D, [&](int at, double c) {
    e.rows->each(gap, e.by_step, [&](int column, double d) {
      sink.add(Part::force_step, at, column, c * (press.load_change - press.stress_change) * d);
    });
    if (jumps)
      e.rows->each(gap, e.D_start,
                   [&](int column, double d) { sink.add(Part::force_jump, at, column, -c * press.stress_rate * d); });
  });
  if (!jumps) return;
  e.rows->each(gap, e.D_start, [&](int at, double c) {
    e.rows->each(gap, e.by_step,
                 [&](int column, double d) { sink.add(Part::impulse_step, at, column, c * press.impulse_change * d); });
    e.rows->each(gap, e.D_start,
                 [&](int column, double d) { sink.add(Part::impulse_jump, at, column, c * press.impulse_rate * d); });
  });
}

/// What the force of a place depends on over a step.
template <class M, int D>
struct StepSlopes {
  static constexpr int kColumns = MemoryStep<D>::kColumns;
  const Place<M, D>& p;
  const StepEval& e;
  const PlaceStep<D>& s;
  bool open, jumps;
  double by[D * kColumns] = {};  // slip, load, travel
  Vec<D> F;
  double by_reading[BoundSignal::kMaxReadings] = {};
  Vec<D> by_input;
  double input_by_reading[BoundSignal::kMaxReadings] = {};

  StepSlopes(const Place<M, D>& place, const StepEval& step)
      : p(place),
        e(step),
        s(step_of(place, step)),
        open(!(s.patch.load > 0)),
        jumps(place.press && place.press->jumps(step)),
        F(open ? Vec<D>{} : force_slopes(place, step, s, by)) {
    if (!p.press && !p.bearing) p.load.value(e, by_reading);
    if (!p.input || open || p.rest != nullptr) return;
    const double value = p.input->signal.value(e, input_by_reading);
    if (value >= p.input->low && value <= p.input->high) by_input = p.law->by_input(s.patch, e.marks + p.marks);
  }

  /// Force component d, pushed along a row at `at` with a coefficient.
  void emit(int d, int at, double scale, JacobianSink& sink) const {
    using Part = JacobianSink::Part;
    const double* own = by + d * kColumns;
    for (int c = 0; c < D; ++c) {
      const double travel = p.travel < 0 ? 0.5 * own[D + 1 + c] : 0;
      each_step(p.measure[c], e, [&](int column, double k) {
        sink.add(Part::force_step, at, column, scale * (own[c] / e.h + travel) * p.arm * k);
      });
    }
    for (std::size_t k = 0; p.input && k < p.input->signal.readings().size(); ++k)
      emit_reading(p.input->signal.readings()[k], at, scale * by_input[d] * input_by_reading[k], sink);
    const double by_load = scale * own[D];
    if (p.bearing) {
      p.bearing->each(e.lambda, [&](int slot, double c) { sink.add(Part::force_lambda, at, slot, by_load * (open ? 0.0 : c)); });
    } else if (p.press) {
      e.rows->each(p.press->gap, e.by_step,
                   [&](int column, double c) { sink.add(Part::force_step, at, column, by_load * s.press.mean_change * c); });
      if (jumps)
        e.rows->each(p.press->gap, e.D_start,
                     [&](int column, double c) { sink.add(Part::force_jump, at, column, by_load * s.press.mean_rate * c); });
    } else {
      const auto& readings = p.load.readings();
      for (std::size_t k = 0; k < readings.size(); ++k) emit_reading(readings[k], at, by_load * by_reading[k], sink);
    }
  }

 private:
  void emit_reading(const BoundSignal::Reading& reading, int at, double slope, JacobianSink& sink) const {
    using Part = JacobianSink::Part;
    using Kind = Signal::Input::Kind;
    each_column(reading, e, [&](Kind kind, int column, double factor) {
      const Part part = kind == Kind::position ? Part::force_q : kind == Kind::velocity ? Part::force_v : Part::force_z;
      sink.add(part, at, column, slope * factor);
    });
  }
};

/// Derivatives over a whole step: by its increments, and by multipliers and signals that load the place.
template <class M, int D>
void emit_step(const Place<M, D>& p, const StepEval& e, JacobianSink& sink) {
  using Part = JacobianSink::Part;
  const StepSlopes<M, D> slopes(p, e);
  const bool open = slopes.open, own = p.rest == nullptr || p.memory.travel;  // a force beside the multipliers
  for (int d = 0; d < D; ++d) {
    p.measure[d].each(e, [&](int at, double c) {
      if (p.rest != nullptr) sink.add(Part::force_lambda, at, p.slot + d, open ? 0.0 : -c * p.force_arm);
      if (own) slopes.emit(d, at, -c * p.force_arm, sink);
    });
  }
  if (p.press) emit_press_step(p, e, slopes.s.press, slopes.jumps, sink);
  if (!p.bearing) return;
  for (const BearingMoment& m : p.bearing->moments) {  // T = F/N * factor * lambda, on another row
    const double load = slopes.s.patch.load, F = slopes.F[0];
    const double per_load = open ? 0 : m.factor / load, by_force = per_load * e.lambda[m.slot];
    e.rows->each(m.row, e.D, [&](int at, double c) {
      if (p.rest != nullptr) sink.add(Part::force_lambda, at, p.slot, -c * by_force);
      if (own) slopes.emit(0, at, -c * by_force, sink);
      sink.add(Part::force_lambda, at, m.slot, -c * per_load * F);
      const double by_load = open ? 0 : c * by_force * F / load;
      p.bearing->each(e.lambda, [&](int slot, double by) { sink.add(Part::force_lambda, at, slot, by_load * by); });
    });
  }
}

/// Equation of a dry place over a whole step. What it slides with: size of the force at this speed along the trial force.
template <class M, int D>
StepRest<D> calc_rest(const Place<M, D>& p, const StepEval& e, const Patch<D>& patch) {
  Vec<D> T;
  for (int d = 0; d < D; ++d) T[d] = e.lambda[p.slot + d];
  const double h = e.h, W = e.mobility[p.slot];
  const double* marks = e.marks + p.marks + 1 + D;
  if (!(patch.load > 0)) {  // apart: no force
    StepRest<D> none(T, {}, h, W);
    none.slide(T, {}, h, W, 0, 0, 0);
    return none;
  }
  // at rest over the whole step, whatever it takes: the method sees to the limit
  const ConstDryMarks own(e.marks + p.marks, D);
  const bool kept = own.rests(), yields = own.yields();
  StepRest<D> rest(T, patch.slip, h, W);
  if (kept && rest.hold(patch.slip, h, W, std::numeric_limits<double>::infinity())) return rest;
  const double limit = p.rest->limit(patch, marks);
  if (yields) {
    if (rest.hold(patch.slip, h, W, limit)) return rest;
    Patch<D> more = patch;
    more.load *= 1.001;
    rest.slide(T, patch.slip, h, W, limit, 0, (p.rest->limit(more, marks) - limit) / (more.load - patch.load));
    return rest;
  }
  Patch<D> sliding = patch;
  const double speed = std::max(norm(patch.slip), 1e-100);
  for (int d = 0; d < D; ++d) sliding.slip[d] = speed * rest.along[d];
  RubPartials J{e.scratch, rub_columns(D, p.memory.z)};
  Vec<D> F;
  p.law->eval(sliding, e.z + p.z, marks, F, e.scratch + rub_rows(D, p.memory.z) * J.columns, J);
  const Vec<D> offset = p.rest->offset(patch);
  double K = 0, K_speed = 0, K_load = 0;
  for (int d = 0; d < D; ++d) {
    K += (F[d] - offset[d]) * rest.along[d];
    K_load += (J(d, D) - offset[d] / patch.load) * rest.along[d];  // the offset is proportional to the load
    for (int c = 0; c < D; ++c) K_speed += rest.along[d] * J(d, c) * rest.along[c];
  }
  // not held: no slip over the step is a slip that turns or stops, with a force that sliding can have
  if (rest.hold(patch.slip, h, W, std::min(K, limit))) return rest;
  rest.slide(T, patch.slip, h, W, K, speed > 1e-50 ? K_speed : 0, K_load);
  return rest;
}

/// Its derivatives.
template <class M, int D>
void emit_rest(const Place<M, D>& p, const StepEval& e, JacobianSink& sink) {
  using Part = JacobianSink::Part;
  const PlaceStep<D>& s = step_of(p, e);
  const Patch<D>& patch = s.patch;
  const PressStep& press = s.press;
  const StepRest<D>& rest = s.rest;
  const double h = e.h;
  for (int d = 0; d < D; ++d) {
    const int row = p.slot + d;
    for (int c = 0; c < D; ++c) {
      sink.add(Part::rest_lambda, row, p.slot + c, rest.by_force[d][c]);
      each_step(p.measure[c], e,
                [&](int column, double k) { sink.add(Part::rest_step, row, column, rest.by_slip[d][c] * p.arm * k / h); });
    }
    const double by_load = patch.load > 0 ? rest.by_load[d] : 0;
    if (p.bearing) p.bearing->each(e.lambda, [&](int slot, double c) { sink.add(Part::rest_lambda, row, slot, by_load * c); });
    if (!p.press) continue;
    e.rows->each(p.press->gap, e.by_step,
                 [&](int column, double c) { sink.add(Part::rest_step, row, column, by_load * press.mean_change * c); });
    if (p.press->jumps(e))
      e.rows->each(p.press->gap, e.D_start,
                   [&](int column, double c) { sink.add(Part::rest_jump, row, column, by_load * press.mean_rate * c); });
  }
}

}  // namespace bristle
