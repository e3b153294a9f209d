// Links and combinations over a whole step of an energy scheme.
#include <algorithm>

#include "bristle/constraint/links.h"
#include "bristle/constraint/step_frames.h"
#include "bristle/core/step_room.h"
#include "bristle/measure/step_relation.h"

namespace bristle {

namespace {

constexpr double kUnit = 1;  // [m] measures without step rows are rotations: no length enters

using D9 = Dual<9>;

/// Rows without a closed form: the gradient half way, and for measures that have a position what it lacks.
RelationRow<> half_way(const Relation& r, const StepFrames& f, double h, double change, bool led) {
  RelationRow<> row = calc_relation(r, f.half.A, f.half.B);
  if (r.holonomic() && !led) f.complete(h, change, kUnit, row.F, row.M);
  return row;
}

}  // namespace

int Links::step_room() const { return room_for<StepFrames>() * static_cast<int>(items_.size()); }

void Links::calc_step_rows(StepEval& e) const {
  double* room = e.room + room_;
  for (const Item& it : items_) {
    auto& f = make_in_room<StepFrames>(room, it.A, it.B, frames_, e);
    room += room_for<StepFrames>();
    if (it.idle) continue;
    const Lead lead(it.course, 0.5 * (e.t_ends[0] + e.t_ends[1]), f.half);
    for (const Row& r : it.rows) {
      if (r.idle) continue;
      double moved = 0;  // of the target
      if (r.target && r.target->memory >= 0) {
        moved = e.z_ends[1][r.target->memory] - e.z_ends[0][r.target->memory];
      } else if (r.target && !r.relation.holonomic()) {  // the rule of Simpson
        double x0 = 0, x = 0, x1 = 0, v = 0, a = 0;
        r.target->position.motion(e.t_ends[0], x0, v, a);
        r.target->position.motion(0.5 * (e.t_ends[0] + e.t_ends[1]), x, v, a);
        r.target->position.motion(e.t_ends[1], x1, v, a);
        moved = (e.t_ends[1] - e.t_ends[0]) * (x0 + 4 * x + x1) / 6;
      } else if (r.target) {
        double x0 = 0, x1 = 0, v = 0, a = 0;
        r.target->position.motion(e.t_ends[0], x0, v, a);
        r.target->position.motion(e.t_ends[1], x1, v, a);
        moved = x1 - x0;
      }
      const double change = (e.value_ends[1][r.row] - e.value_ends[0][r.row] + moved) / r.scale;
      RelationRow<> row = has_step_row(r.relation) && !it.course
                              ? calc_step_relation(r.relation, f.mean.A, f.mean.B, f.start.A, f.start.B, f.end.A, f.end.B)
                              : half_way(r.relation, f, e.h, change, it.course.has_value());
      if (r.scale != 1) row.F = r.scale * row.F, row.M = r.scale * row.M;
      if (it.course) moved = e.h * f.mean.rate(row.F, row.M) - r.scale * change;  // what the course adds
      const int at = e.rows->begin(r.row)->at;
      f.mean.write_row(row.F, row.M, e.D + at);
      if (!r.relation.holonomic()) f.mean.write_row(row.F, row.M, e.by_step + at);
      e.row_value[r.row] = 0.5 * (e.value_ends[0][r.row] + e.value_ends[1][r.row]);
      e.row_partial[r.row] = -moved / e.h;
      e.row_rate[r.row] = f.mean.rate(row.F, row.M) - moved / e.h;
      e.row_drift[r.row] = 0;
    }
  }
}

void Links::calc_step_jacobian(const StepEval& e, JacobianSink& sink) const {
  double* room = e.room + room_;
  for (const Item& it : items_) {
    const auto& f = in_room<StepFrames>(room);
    room += room_for<StepFrames>();
    Frame<D9> A, B, A1, B1;
    f.vary(false, A, A1);
    f.vary(true, B, B1);
    Vec3<> F, M;
    RelationSlope s;
    for (const Row& r : it.rows) {
      const double T = e.row_force[r.row] * r.scale;
      if (T == 0) continue;
      if (has_step_row(r.relation) && !it.course) {
        const RelationRow<D9> row = calc_step_relation(r.relation, A, B, f.start.A, f.start.B, A1, B1);
        for (int i = 0; i < 3; ++i) {
          F[i] += T * row.F[i].value, M[i] += T * row.M[i].value;
          for (int j = 0; j < 3; ++j) {
            const auto at = static_cast<std::size_t>(j);
            s.F_d(i, j) += T * row.F[i].d[at], s.F_A(i, j) += T * row.F[i].d[3 + at], s.F_B(i, j) += T * row.F[i].d[6 + at];
            s.M_d(i, j) += T * row.M[i].d[at], s.M_A(i, j) += T * row.M[i].d[3 + at], s.M_B(i, j) += T * row.M[i].d[6 + at];
          }
        }
      } else {  // half way, half of the turn at the end
        const RelationRow<> row = calc_relation(r.relation, f.half.A, f.half.B);
        const RelationSlope one = calc_relation_slope(r.relation, f.half.A, f.half.B);
        F = F + T * row.F;
        M = M + T * row.M;
        for (std::size_t k = 0; k < 9; ++k) {
          const double half = 0.5 * T;
          s.F_A.m[k] += half * one.F_A.m[k], s.F_B.m[k] += half * one.F_B.m[k], s.F_d.m[k] += half * one.F_d.m[k];
          s.M_A.m[k] += half * one.M_A.m[k], s.M_B.m[k] += half * one.M_B.m[k], s.M_d.m[k] += half * one.M_d.m[k];
        }
      }
    }
    f.emit_stiffness(e, F, M, s, sink);
  }
}

/// The slopes at the means of the readings, and what they lack to give the change along the readings' own changes.
void Combinations::step_slopes(const Item& it, const StepEval& e, double* slope) {
  it.value.value(e, slope);
  if (!it.curved) return;
  Eval at = e;  // what time alone does
  at.t = e.t_ends[1];
  double by_time = it.value.value(at);
  at.t = e.t_ends[0];
  by_time -= it.value.value(at);
  const auto& readings = it.value.readings();
  double change[BoundSignal::kMaxReadings] = {}, size = 0, told = 0;
  for (std::size_t k = 0; k < readings.size(); ++k) {
    each_column(readings[k], e, [&](Signal::Input::Kind, int column, double factor) { change[k] += factor * e.v[column] * e.h; });
    size += change[k] * change[k];
    told += slope[k] * change[k];
  }
  if (!(size > 0)) return;
  const double lack = (e.value_ends[1][it.row] - e.value_ends[0][it.row] - by_time - told) / size;
  for (std::size_t k = 0; k < readings.size(); ++k) slope[k] += lack * change[k];
}

int Combinations::step_room() const {
  std::size_t n = 0;
  for (const Item& it : items_) n += it.value.readings().size();
  return static_cast<int>(n);
}

void Combinations::calc_step_rows(StepEval& e) const {
  double* slope = e.room + room_;
  for (std::size_t i = 0; i < items_.size(); ++i, slope += items_[i - 1].value.readings().size()) {
    const Item& it = items_[i];
    std::fill_n(slope, it.value.readings().size(), 0.0);
    step_slopes(it, e, slope);
    const double rate = write_row(i, slope, e);
    const double v0 = e.value_ends[0][it.row], v1 = e.value_ends[1][it.row];
    e.row_value[it.row] = 0.5 * (v0 + v1);
    e.row_rate[it.row] = (v1 - v0) / e.h;
    e.row_partial[it.row] = e.row_rate[it.row] - rate;
    e.row_drift[it.row] = 0;
  }
}

void Combinations::pass_step_forces(StepEval& e) const {
  const double* slope = e.room + room_;
  for (const Item& it : items_) {
    if (e.row_force[it.row] != 0) pass(it, slope, e);
    slope += it.value.readings().size();
  }
}

}  // namespace bristle
