// Touches over a whole step of an energy scheme.
#include "bristle/constraint/step_frames.h"
#include "bristle/constraint/touch_axes.h"
#include "bristle/constraint/touches.h"
#include "bristle/core/step_room.h"
#include "bristle/measure/round_pair.h"

namespace bristle {

namespace {

/// Rows over a whole step of a gap that is a distance of two points: that of the gap, the tangents, and where they act.
template <class T>
struct RoundStep {
  Triad<T> t;
  Vec3<T> from_B;
  bool found = false;

  RoundStep() = default;
  RoundStep(const Touches::Item& it, const StepFrames& f, const Frame<T>& A, const Frame<T>& B, const Frame<T>& A1,
            const Frame<T>& B1, const double* marks) {
    StepTouch<T> touch;
    found = it.round && touch_over_step(*it.round, it.shift, A, B, f.start.A, f.start.B, A1, B1, touch);
    if (!found) return;
    t = triad_of(it.points[0], touch.normal, A, marks);
    t.axis[0] = touch.row;
    from_B = touch.point - B.p;
  }
};
RoundStep<double> round_step(const Touches::Item& it, const StepFrames& f, const double* marks) {
  return {it, f, f.mean.A, f.mean.B, f.end.A, f.end.B, marks};
}
RoundStep<TouchDual> round_slopes(const Touches::Item& it, const StepFrames& f, const double* marks) {
  Frame<TouchDual> A, B, A1, B1;
  f.vary(false, A, A1);
  f.vary(true, B, B1);
  return {it, f, A, B, A1, B1, marks};
}

/// What both parts of a step know: the frames, and behind them of a distance of two points how it turns.
constexpr int kFrames = room_for<StepFrames>(), kRound = room_for<RoundStep<TouchDual>>();

}  // namespace

int Touches::step_room() const {
  int n = 0;
  for (const Item& it : items_) n += kFrames + (it.round ? kRound : 0);
  return n;
}

void Touches::set_step_room(int first) {
  for (Item& it : items_) {
    it.room = first;
    first += kFrames + (it.round ? kRound : 0);
  }
}

/// Over a whole step: a distance of two points has its row in closed form. For others normal and tangents half way, completed for the
/// gap so that its row gives the change of the gap.
void Touches::calc_step_rows(StepEval& e) const {
  Touch<> touch[kMostPoints];
  const auto write = [&](const StepFrames& f, int row, bool slips, const Vec3<>& F, const Vec3<>& M) {
    const int at = e.rows->begin(row)->at;
    f.mean.write_row(F, M, e.D + at);
    if (slips) f.mean.write_row(F, M, e.by_step + at);
    e.row_value[row] = slips ? 0.0 : 0.5 * (e.value_ends[0][row] + e.value_ends[1][row]);
    e.row_rate[row] = f.mean.rate(F, M);
    e.row_partial[row] = e.row_drift[row] = 0;
  };
  for (const Item& it : items_) {
    const auto& f = make_in_room<StepFrames>(e.room + it.room, it.A, it.B, frames_, e);
    double* const round = e.room + it.room + kFrames;
    if (it.round) make_in_room<RoundStep<TouchDual>>(round);
    if (const RoundStep<double> step = round_step(it, f, e.marks); step.found) {
      const Point& point = it.points[0];
      write(f, point.gap, false, step.t.axis[0], cross(step.from_B, step.t.axis[0]));
      const bool open = e.value_ends[0][point.gap] > 0 && e.value_ends[1][point.gap] > 0;
      const bool turns = !open && e.tangent;
      if (turns) make_in_room<RoundStep<TouchDual>>(round) = round_slopes(it, f, e.marks);
      const RoundStep<TouchDual>& slopes = in_room<RoundStep<TouchDual>>(round);
      for (int r = 1; r < 3 && point.slip[r - 1] >= 0; ++r) {
        const int row = point.slip[r - 1];
        write(f, row, true, step.t.axis[r], cross(step.from_B, step.t.axis[r]));
        if (!turns) continue;
        Vec3<> F, M;
        RelationSlope slope;
        add_wrench(slopes.t.axis[r], cross(slopes.from_B, slopes.t.axis[r]), F, M, slope);
        f.add_turn(e.h, F, M, slope, e.by_step + e.rows->begin(row)->at);
      }
      continue;
    }
    touch_at(it, f.half.A, f.half.B, e.marks, touch);
    for (std::size_t k = 0; k < it.points.size(); ++k) {
      const Point& point = it.points[k];
      const Triad<double> t = triad_of(point, touch[k].normal, f.half.A, e.marks);
      const Vec3<> from_B = touch[k].point - f.half.B.p;
      const int rows[3] = {point.gap, point.slip[0], point.slip[1]};
      for (int r = 0; r < 3; ++r) {
        if (rows[r] < 0) continue;
        Vec3<> F = t.axis[r], M = cross(from_B, F);
        if (r == 0) {
          const Vec3<> arm = touch[k].point - f.half.A.p;
          f.complete(e.h, e.value_ends[1][rows[0]] - e.value_ends[0][rows[0]], 0.01 * norm(arm) + 1e-9, F, M);
        }
        write(f, rows[r], r > 0, F, M);
      }
    }
  }
}

void Touches::calc_step_jacobian(const StepEval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    const auto& frames = in_room<StepFrames>(e.room + it.room);
    Vec3<> F, M;
    RelationSlope slope;
    if (it.round && is_loaded(it.points[0], e)) {
      RoundStep<TouchDual> step = in_room<RoundStep<TouchDual>>(e.room + it.room + kFrames);
      if (!step.found) step = round_slopes(it, frames, e.marks);  // apart, and yet somebody pushes
      if (step.found) {
        const Vec3<TouchDual> f = pushed(it.points[0], step.t, e);
        add_wrench(f, cross(step.from_B, f), F, M, slope);
        frames.emit_stiffness(e, F, M, slope, sink);
        continue;
      }
    }
    add_pushes(it, frames.half, e, F, M, slope);
    for (Mat3<>* part : {&slope.F_d, &slope.F_A, &slope.F_B, &slope.M_d, &slope.M_A, &slope.M_B}) {
      for (double& x : part->m) x *= 0.5;  // half way, half of the turn at the end
    }
    frames.emit_stiffness(e, F, M, slope, sink);
  }
}

}  // namespace bristle
