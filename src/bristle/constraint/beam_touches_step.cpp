// Rims on beams over a whole step of an energy scheme.
#include <algorithm>
#include <cmath>

#include "bristle/constraint/beam_touch_rows.h"
#include "bristle/constraint/beam_touches.h"
#include "bristle/constraint/step_frames.h"

namespace bristle {

namespace {

/// The three bodies over a step, with their frames at its ends.
struct BeamTouchStep {
  const StepEval& e;
  int body[3];
  BeamTouchFrames<double> start = {}, end = {};

  BeamTouchStep(const StepEval& step, const BeamTouchColumns& columns, int element) : e(step) {
    for (int k = 0; k < 3; ++k) {
      body[k] = columns.pose_of(k, element);
      for (int at = 0; at < 2; ++at) {
        const Pose& p = e.pose_ends[at][body[k]];
        (at == 0 ? start : end).body[k] = {p.R, p.p};
      }
    }
  }
  /// [m] the unit of lengths in the completion of a row that acts at a point
  double unit(const Vec3<>& point) const { return 0.01 * norm(point - e.half[body[0]].p) + 1e-9; }

  /// What the row of a measure that lacks `lacks` over the step is completed by: the least change of its gradient by position and attitude of
  /// both nodes as the tube sees them, lengths counted in units of `length` (Gonzalez, "Time integration and discrete Hamiltonian systems").
  template <class T>
  BeamTouchRow<T> completion(double lacks, double length, const BeamTouchFrames<T>& last) const {
    BeamTouchRow<T> row;
    Vec3<T> dy[2];
    Mat3<T> turn[2];
    T size(0.0);
    double far = length;
    for (int k = 0; k < 2; ++k) {
      const Vec3<> y = transposed(start.body[0].R, start.body[1 + k].p - start.body[0].p);
      dy[k] = transposed(last.body[0].R, last.body[1 + k].p - last.body[0].p) - constant<T>(y);
      const Mat3<> before = transposed(start.body[0].R, start.body[1 + k].R);
      const Mat3<T> after = transposed(last.body[0].R, last.body[1 + k].R);
      for (std::size_t i = 0; i < 9; ++i) {
        turn[k].m[i] = after.m[i] - before.m[i];
        size = size + turn[k].m[i] * turn[k].m[i];
      }
      size = size + dot(dy[k], dy[k]) / (length * length);
      far = std::max({far, norm(end.body[k].p), norm(end.body[1 + k].p)});
    }
    constexpr double kRounding = 4e-15;  // where less is lacking, the division would make a wrong direction of it
    if (!(value_of(size) > 1e-24) || !(std::abs(lacks) > kRounding * far)) return row;
    const T part = lacks / size;
    const auto mean = [&](int k) {
      Frame<T> m;
      for (std::size_t i = 0; i < 9; ++i) m.R.m[i] = 0.5 * (start.body[k].R.m[i] + last.body[k].R.m[i]);
      m.p = times(0.5, constant<T>(start.body[k].p) + last.body[k].p);
      return m;
    };
    const Frame<T> tube = mean(0);
    for (int k = 0; k < 2; ++k) {
      const Frame<T> node = mean(1 + k);
      const Vec3<T> force = (part / (length * length)) * (tube.R * dy[k]);
      Vec3<T> couple;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) couple = couple + (part * turn[k](i, j)) * cross(node.R.column(j), tube.R.column(i));
      }
      row.F[1 + k] = force, row.M[1 + k] = couple;
      row.F[0] = row.F[0] - force;
      row.M[0] = row.M[0] - couple - cross(node.p - tube.p, force);
    }
    return row;
  }
};

/// A row and what completes it.
BeamTouchRow<double> completed(const BeamTouchRow<double>& a, const BeamTouchRow<double>& b) {
  BeamTouchRow<double> sum;
  for (int k = 0; k < 3; ++k) sum.F[k] = a.F[k] + b.F[k], sum.M[k] = a.M[k] + b.M[k];
  return sum;
}

}  // namespace

/// Normal and tangents half way, arms at the mean; the row of the gap is completed so that it gives the change of the gap.
void BeamTouches::calc_step_rows(StepEval& e) const {
  for (const Item& it : items_) {
    const BeamTouchColumns columns(it, frames_);
    for (const Point& p : it.points) {
      const RimSpot spot = find_spot(it, p, e.half, e.marks);
      const BentLine::Weights at = it.line.weights(spot.along);
      const BeamTouch<double> touch = beam_touch(it, p, spot, at, frames_at(it, at, e.half), e.marks);
      BeamTouchRow<double> row[3];
      beam_touch_rows(it, at, touch, frames_at(it, at, e.pose), row);
      const BeamTouchStep step(e, columns, at.element);
      const double lacks = e.value_ends[1][p.gap] - e.value_ends[0][p.gap] - e.h * columns.rate(at.element, row[0], e.pose);
      row[0] = completed(row[0], step.completion(lacks, step.unit(touch.touch.point), step.end));
      const int rows[3] = {p.gap, p.slip[0], p.slip[1]};
      for (int r = 0; r < 3; ++r) {
        const int from = e.rows->begin(rows[r])->at;
        columns.write(at.element, row[r], e.pose, e.D + from);
        if (r > 0) columns.write(at.element, row[r], e.pose, e.by_step + from);
        e.row_value[rows[r]] = r > 0 ? 0.0 : 0.5 * (e.value_ends[0][rows[r]] + e.value_ends[1][rows[r]]);
        e.row_rate[rows[r]] = columns.rate(at.element, row[r], e.pose);
        e.row_partial[rows[r]] = e.row_drift[rows[r]] = 0;
      }
    }
  }
}

void BeamTouches::calc_step_jacobian(const StepEval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    BeamTouchLoad loads[kMostPoints];
    for (std::size_t i = 0; i < it.points.size(); ++i) loads[i] = load_of(it, it.points[i], e, e.half);
    const BeamTouchColumns columns(it, frames_);
    const auto changes_at = [&](double share) {  // of a turn, in the mean of the rotation matrices
      return [&, share](const FrameMap& map, int body, const Vec3<>& m, const Vec3<>& dF, const Vec3<>& dM, const Vec3<>& turn,
                        const auto& add) {
        double D[6] = {}, D_turn[6] = {};
        project(map, e.pose[body], -1, dF, dM, D);
        if (map.turns() == 3) project(map, e.pose_ends[1][body], share, {}, cross(turn, m), D_turn);
        for (int k = 0; k < map.count; ++k) add(k, D[k] + D_turn[k]);
      };
    };
    const auto at_end = [&](int body, int c, Vec3<>& shift, Vec3<>& turn) {
      end_motion(frames_[static_cast<std::size_t>(body)], e.pose_ends[0][body], e.pose[body], e.h, c, shift, turn);
    };
    const auto half_way = [&](int body, int c, Vec3<>& shift, Vec3<>& turn) {  // half of the motion at the end
      at_end(body, c, shift, turn);
      shift = 0.5 * shift, turn = 0.5 * turn;
    };
    emit_blocks(it, columns, loads, e.scratch, JacobianSink::Part::force_step, sink, [&](std::size_t i, double* K) {
      add_load(columns, loads[i], K, half_way, changes_at(1));
      const Point& p = it.points[i];
      const double push = e.row_force[p.gap];
      if (push == 0) return;
      // the completion: it turns, and grows with what the row lacks, the change of the gap less the row times the increments
      const BeamTouchLoad gap = load_of(it, p, e, e.half, {1, 0, 0});
      const int element = gap.element, count = columns.count(element);
      double *turning = K + count * count, *row = turning + count * count, *part = row + count;
      std::fill_n(turning, count * count, 0.0);
      add_load(columns, gap, turning, half_way, changes_at(1));
      const RimSpot spot = find_spot(it, p, e.half, e.marks);
      const BentLine::Weights at = it.line.weights(spot.along);
      const BeamTouch<double> touch = beam_touch(it, p, spot, at, frames_at(it, at, e.half), e.marks);
      BeamTouchRow<double> rows[3];
      beam_touch_rows(it, at, touch, frames_at(it, at, e.pose), rows);
      const BeamTouchStep step(e, columns, element);
      const double unit = step.unit(touch.touch.point), change = e.value_ends[1][p.gap] - e.value_ends[0][p.gap];
      const double lacks = change - e.h * columns.rate(element, rows[0], e.pose);
      const BeamTouchRow<BeamTouchDual> turns = step.completion(lacks, unit, varied_frames(step.end));
      BeamTouchLoad completing;
      completing.element = element;
      for (int k = 0; k < 3; ++k) completing.F[k] = times(push, turns.F[k]), completing.M[k] = times(push, turns.M[k]);
      add_load(columns, completing, K, at_end, changes_at(0.5));
      columns.write_near(element, rows[0], e.pose, row);
      columns.write_near(element, step.completion(1, unit, step.end), e.pose, part);
      const double* by_step = e.by_step + e.rows->begin(p.gap)->at;
      for (int j = 0; j < count; ++j) {
        double grows = (j < columns.first_of(1, element) ? by_step[j] : by_step[j + 6 * element]) - row[j];
        for (int k = 0; k < count; ++k) grows += e.h * e.v[columns.velocity(k, element)] * turning[count * k + j];
        for (int k = 0; k < count; ++k) K[count * k + j] -= push * part[k] * grows;
      }
    });
  }
}

}  // namespace bristle
