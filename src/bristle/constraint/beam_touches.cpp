#include "bristle/constraint/beam_touches.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "bristle/constraint/beam_touch_rows.h"

namespace bristle {

namespace {

constexpr double kLeans = 0.9;   // cosine between the axes of tube and beam, of that at which a rim meets the beam on both sides
constexpr double kAcross = 0.1;  // the same for a disk in the bore, which stands across there

/// The three bodies with their present motion as a derivative.
BeamTouchFrames<Dual<1>> moving_bodies(const BeamTouchColumns& columns, int element, const Pose* pose) {
  BeamTouchFrames<Dual<1>> f;
  for (int k = 0; k < 3; ++k) {
    const Pose& p = pose[columns.pose_of(k, element)];
    for (int j = 0; j < 3; ++j) {
      const Vec3<> c = p.R.column(j), rate = cross(p.w, c);
      for (int i = 0; i < 3; ++i) f.body[k].R(i, j) = Dual<1>(c[i]), f.body[k].R(i, j).d[0] = rate[i];
      f.body[k].p[j] = Dual<1>(p.p[j]), f.body[k].p[j].d[0] = p.v[j];
    }
  }
  return f;
}

}  // namespace

BeamTouches::BeamTouches(std::vector<Item> items, const std::vector<BodyInfo>& bodies)
    : items_(std::move(items)), frames_(frame_maps(bodies)) {
  for (const Item& it : items_) {
    if (it.points.size() > static_cast<std::size_t>(kMostPoints))
      throw std::logic_error(it.name + " touches in " + std::to_string(it.points.size()) + " points; BeamTouches has room for " +
                             std::to_string(kMostPoints));
  }
}

int BeamTouches::scratch_needed() const {
  int most = 0;
  for (const Item& it : items_) most = std::max(most, frames_[static_cast<std::size_t>(it.A.body)].count + 12);
  return 2 * most * (most + 1);  // a block, and over a step another one and two rows
}

void BeamTouches::start(State& x) const {
  for (const Item& it : items_) {
    x.marks()[it.started] = 0;
    for (const Point& p : it.points) {
      double* mark = x.marks() + p.basis;
      mark[0] = 1, mark[1] = mark[2] = mark[3] = 0;
    }
  }
}

void BeamTouches::calc_rows(Eval& e) const {
  for (const Item& it : items_) {
    const BeamTouchColumns columns(it, frames_);
    for (const Point& p : it.points) {
      const RimSpot spot = find_spot(it, p, e.pose, e.marks);
      const BentLine::Weights at = it.line.weights(spot.along);
      const BeamTouchFrames<double> f = frames_at(it, at, e.pose);
      const BeamTouch<double> touch = beam_touch(it, p, spot, at, f, e.marks);
      BeamTouchRow<double> row[3];
      beam_touch_rows(it, at, touch, f, row);
      BeamTouchRow<Dual<1>> turning[3];
      const bool drifts = it.held && !e.looks;
      if (drifts) {
        const BeamTouchFrames<Dual<1>> f1 = moving_bodies(columns, at.element, e.pose);
        beam_touch_rows(it, at, beam_touch(it, p, spot, at, f1, e.marks), f1, turning);
      }
      const int rows[3] = {p.gap, p.slip[0], p.slip[1]};
      for (int r = 0; r < 3; ++r) {
        columns.write(at.element, row[r], e.pose, e.D + e.rows->begin(rows[r])->at);
        e.row_value[rows[r]] = r == 0 ? touch.touch.gap : 0.0;
        e.row_rate[rows[r]] = columns.rate(at.element, row[r], e.pose);
        e.row_partial[rows[r]] = e.row_drift[rows[r]] = 0;
        for (int k = 0; k < 3 && drifts; ++k) {
          const int body = columns.pose_of(k, at.element);
          const Pose& pose = e.pose[body];
          double& drift = e.row_drift[rows[r]];
          for (int i = 0; i < 3; ++i) drift += turning[r].F[k][i].d[0] * pose.v[i] + turning[r].M[k][i].d[0] * pose.w[i];
          const FrameMap& map = frames_[static_cast<std::size_t>(body)];
          if (map.is_matrix()) drift += dot(row[r].F[k], vec3(map.drift(pose))) + dot(row[r].M[k], vec3(map.drift(pose) + 3));
        }
      }
    }
  }
}

void BeamTouches::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    BeamTouchLoad loads[kMostPoints];
    const FrameMap& tube = frames_[static_cast<std::size_t>(it.A.body)];
    for (std::size_t i = 0; i < it.points.size(); ++i) {
      loads[i] = load_of(it, it.points[i], e, e.pose);
      // of a matrix: while it stands still; the block that owns it knows how it turns
      if (loads[i].element >= 0 && tube.is_matrix())
        tube.add_load(e.pose[it.A.body], -1, value_of(loads[i].F[0]), value_of(loads[i].M[0]));
    }
    const BeamTouchColumns columns(it, frames_);
    const auto motion = [&](int body, int c, Vec3<>& shift, Vec3<>& turn) {
      frames_[static_cast<std::size_t>(body)].column(e.pose[body], c, shift, turn);
    };
    const auto change = [&](const FrameMap& map, int body, const Vec3<>& m, const Vec3<>& dF, const Vec3<>& dM,
                            const Vec3<>& turn, const auto& add) {
      if (map.is_matrix()) {
        for (int k = 0; k < map.count; ++k) add(k, -map.along(e.pose[body], k, dF, dM));
        return;
      }
      double D[6] = {};
      project(map, e.pose[body], -1, dF, map.turns() == 3 ? dM - cross(turn, m) : dM, D);
      for (int k = 0; k < map.count; ++k) add(k, D[k]);
    };
    emit_blocks(it, columns, loads, e.scratch, JacobianSink::Part::force_q, sink,
                [&](std::size_t i, double* K) { add_load(columns, loads[i], K, motion, change); });
  }
}

void BeamTouches::accept(const Eval& e, State& x) const {
  for (const Item& it : items_) {
    for (const Point& p : it.points) {
      const RimSpot spot = find_spot(it, p, e.pose, x.marks());
      const BentLine::Weights at = it.line.weights(spot.along);
      const BeamTouchFrames<double> f = frames_at(it, at, e.pose);
      const BeamTouch<double> touch = beam_touch(it, p, spot, at, f, x.marks());
      const Vec3<> local = transposed(rim_frame(it, p.offset, f.body[0]).R, touch.axes.axis[1]);
      for (int i = 0; i < 3; ++i) x.marks()[p.basis + i] = local[i];
      x.marks()[p.basis + 3] = spot.along;
    }
    x.marks()[it.started] = 1;
  }
}

std::string BeamTouches::trouble(const Eval& e) const {
  for (const Item& it : items_) {
    const bool around = it.rim.side > 0;
    for (const Point& p : it.points) {
      const RimSpot spot = find_spot(it, p, e.pose, e.marks);
      const Pose& tube = e.pose[it.A.body];
      const Frame<> rim = rim_frame(it, p.offset, Frame<>{tube.R, tube.p});
      const LinePoint<> at = PlacedLine{it.line, e.pose, around}.at(spot.along);
      const double upright = around ? kLeans * it.rim.line_radius / it.rim.radius : kAcross;
      if (!spot.at_end && std::abs(dot(rim.R.column(2), at.d1)) < upright * norm(at.d1))
        return it.name + ": " +
               (around
                    ? "the tube leans so far that its rim would have to meet both sides of the beam at once, which it cannot. Keep it from "
                      "turning: a longer tube, less play, or ends: true where the beam ends inside"
                    : "the disk stands across the bore. Keep it from turning so far, by a second one or a sleeve");
      const Vec3<> u = transposed(rim.R, at.p - rim.p);
      if (around && !spot.at_end && std::hypot(u[0], u[1]) > it.rim.radius)
        return it.name + ": the beam has left the tube through its wall. Use a stiffer contact or shorter steps";
      if (!around && (spot.along < 0 || spot.along > it.line.length()))
        return it.name + ": the disk has left the hollow beam. Use a longer one, put a stop on its way, or end the run before";
    }
  }
  return {};
}

int BeamTouches::output_count() const {
  std::size_t points = 0;
  for (const Item& it : items_) points += it.points.size();
  return 7 * static_cast<int>(points);
}

void BeamTouches::calc_outputs(const Eval& e, double* out) const {
  for (const Item& it : items_) {
    for (const Point& p : it.points) {
      const RimSpot spot = find_spot(it, p, e.pose, e.marks);
      const BentLine::Weights at = it.line.weights(spot.along);
      const BeamTouch<double> touch = beam_touch(it, p, spot, at, frames_at(it, at, e.pose), e.marks);
      for (int axis = 0; axis < 2; ++axis) {
        for (int k = 0; k < 3; ++k) *out++ = touch.axes.axis[axis][k];
      }
      *out++ = spot.along;
    }
  }
}

}  // namespace bristle
