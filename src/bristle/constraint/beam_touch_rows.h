#pragma once
#include "bristle/constraint/beam_touches.h"
#include "bristle/constraint/touch_axes.h"

// What the rows of rims on beams are made of, at an instant and over a step.

namespace bristle {

/// Derivatives by displacement and turn, in world axes, of the tube and of both nodes.
using BeamTouchDual = Dual<18>;

/// The body with the tube and the two nodes that carry a rim, by their centres of mass.
template <class T>
struct BeamTouchFrames {
  Frame<T> body[3];
};

/// A row: the wrench on each of the three bodies, about its centre of mass, per unit of what the row resists with the opposite sign.
template <class T>
struct BeamTouchRow {
  Vec3<T> F[3], M[3];

  /// A force on the beam at its line, and a couple; the opposite at the same point of the tube.
  BeamTouchRow() = default;
  BeamTouchRow(const BentLine& line, const BentLine::Weights& at, const T& way, const BeamTouchFrames<T>& f, const Vec3<T>& force,
               const Vec3<T>& couple) {
    T w[4];
    for (int k = 0; k < 4; ++k) w[k] = at.w[k] + at.d1[k] * way;
    const T share = at.share + at.share_d1 * way;
    Vec3<T> point;
    for (int k = 0; k < 2; ++k) {
      const BentLine::Node& node = line.nodes()[static_cast<std::size_t>(at.element + k)];
      const Frame<T>& body = f.body[1 + k];
      const Vec3<T> arm = w[2 * k] * to_world(body, node.s) + w[2 * k + 1] * to_world(body, node.t);
      F[1 + k] = w[2 * k] * force;
      M[1 + k] = cross(arm, force) + (k == 0 ? T(1.0) - share : share) * couple;
      point = point + w[2 * k] * body.p + arm;
    }
    F[0] = times(-1, force);
    M[0] = times(-1, cross(point - f.body[0].p, force) + couple);
  }
};

/// A rim on its line in a configuration.
template <class T>
struct BeamTouch {
  Touch<T> touch;
  Triad<T> axes;
  Vec3<T> arm;  ///< from the line to where forces act
  T along{}, way{};
};

/// Where the rim is: the tube's axes, shifted along z.
template <class T>
Frame<T> rim_frame(const BeamTouches::Item& it, double offset, const Frame<T>& body) {
  Frame<T> rim;
  for (int j = 0; j < 3; ++j) rim.R.set_column(j, to_world(body, it.A.R.column(j)));
  rim.p = place_of(body, it.A.s) + times(offset, rim.R.column(2));
  return rim;
}

/// Finds the rim on its line.
inline RimSpot find_spot(const BeamTouches::Item& it, const BeamTouches::Point& p, const Pose* pose, const double* marks) {
  const Pose& tube = pose[it.A.body];
  const Frame<> rim = rim_frame(it, p.offset, Frame<>{tube.R, tube.p});
  const PlacedLine line{it.line, pose, it.rim.side > 0};
  if (p.kind != BeamTouches::Point::Kind::rim) {
    const double along = p.kind == BeamTouches::Point::Kind::start ? 0 : it.line.length();
    return spot_at_end(it.rim, rim, line.at(along).p, along, -it.half_length, it.half_length);
  }
  return find_rim_spot(it.rim, rim, line, marks[it.started] != 0 ? marks[p.basis + 3] : line.nearest(rim.p));
}

inline BeamTouchFrames<double> frames_at(const BeamTouches::Item& it, const BentLine::Weights& at, const Pose* pose) {
  BeamTouchFrames<double> f;
  const auto& nodes = it.line.nodes();
  const int body[3] = {it.A.body, nodes[static_cast<std::size_t>(at.element)].body,
                       nodes[static_cast<std::size_t>(at.element) + 1].body};
  for (int k = 0; k < 3; ++k) f.body[k] = {pose[body[k]].R, pose[body[k]].p};
  return f;
}

template <class T>
BeamTouch<T> beam_touch(const BeamTouches::Item& it, const BeamTouches::Point& p, const RimSpot& spot,
                        const BentLine::Weights& at, const BeamTouchFrames<T>& f, const double* marks) {
  const Frame<T> rim = rim_frame(it, p.offset, f.body[0]);
  const LinePoint<T> line = it.line.at(at, f.body[1], f.body[2]);
  const RimTouch<T> found = touch_rim(it.rim, rim, line, spot);
  BeamTouch<T> out;
  out.touch = found.touch;
  out.along = found.along;
  out.way = found.along - spot.along;
  if (it.shift != 0) out.touch.point = out.touch.point + (it.shift * out.touch.gap) * out.touch.normal;
  Vec3<T> mark;
  for (int k = 0; k < 3; ++k) mark[k] = T(marks[p.basis + k]);
  out.axes = triad(out.touch.normal, rim.R * mark);
  out.arm = out.touch.point - line.p - out.way * line.d1;
  return out;
}

/// The rows of a point: gap, slips.
template <class T>
void beam_touch_rows(const BeamTouches::Item& it, const BentLine::Weights& at, const BeamTouch<T>& touch,
                     const BeamTouchFrames<T>& f, BeamTouchRow<T>* row) {
  for (int r = 0; r < 3; ++r) {
    const Vec3<T>& axis = touch.axes.axis[r];
    row[r] = BeamTouchRow<T>(it.line, at, touch.way, f, axis, r == 0 ? Vec3<T>{} : cross(touch.arm, axis));
  }
}

/// Writes a row into its columns, and gives its rate.
class BeamTouchColumns {
 public:
  BeamTouchColumns(const BeamTouches::Item& it, const std::vector<FrameMap>& frames) : it_(it), frames_(frames) {}
  const FrameMap& map(int body, int element) const { return frames_[static_cast<std::size_t>(pose_of(body, element))]; }
  int pose_of(int body, int element) const {
    return body == 0 ? it_.A.body : it_.line.nodes()[static_cast<std::size_t>(element + body - 1)].body;
  }
  void write(int element, const BeamTouchRow<double>& row, const Pose* pose, double* D) const {
    const FrameMap& tube = map(0, element);
    project(tube, pose[it_.A.body], 1, row.F[0], row.M[0], D);
    double* node = D + tube.count;
    std::fill_n(node, 6 * it_.line.nodes().size(), 0.0);
    for (int k = 1; k < 3; ++k)
      project(map(k, element), pose[pose_of(k, element)], 1, row.F[k], row.M[k], node + 6 * (element + k - 1));
  }
  /// Numbers of the tube and of two nodes alone.
  int count(int element) const { return map(0, element).count + 12; }
  int first_of(int body, int element) const { return body == 0 ? 0 : map(0, element).count + 6 * (body - 1); }
  int velocity(int n, int element) const {
    const int body = n < first_of(1, element) ? 0 : n < first_of(2, element) ? 1 : 2;
    return map(body, element).v + n - first_of(body, element);
  }
  void write_near(int element, const BeamTouchRow<double>& row, const Pose* pose, double* D) const {
    for (int k = 0; k < 3; ++k)
      project(map(k, element), pose[pose_of(k, element)], 1, row.F[k], row.M[k], D + first_of(k, element));
  }
  double rate(int element, const BeamTouchRow<double>& row, const Pose* pose) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Pose& p = pose[pose_of(k, element)];
      sum += dot(row.F[k], p.v) + dot(row.M[k], p.w);
    }
    return sum;
  }

 private:
  const BeamTouches::Item& it_;
  const std::vector<FrameMap>& frames_;
};

/// The same with derivatives by displacements and turns.
inline BeamTouchFrames<BeamTouchDual> varied_frames(const BeamTouchFrames<double>& f) {
  BeamTouchFrames<BeamTouchDual> varied;
  for (int k = 0; k < 3; ++k) {
    Vec3<BeamTouchDual> turn;
    for (int i = 0; i < 3; ++i) {
      varied.body[k].p[i] = BeamTouchDual::variable(f.body[k].p[i], 6 * k + i);
      turn[i] = BeamTouchDual::variable(0, 6 * k + 3 + i);
    }
    varied.body[k].R = turned(f.body[k].R, turn);
  }
  return varied;
}

/// What pushes at a point with the forces T on its rows, and how it turns with the three bodies.
struct BeamTouchLoad {
  int element = -1;  ///< nothing pushes
  Vec3<BeamTouchDual> F[3], M[3];
};
inline BeamTouchLoad load_of(const BeamTouches::Item& it, const BeamTouches::Point& p, const Eval& e, const Pose* pose,
                             const double (&T)[3]) {
  BeamTouchLoad load;
  if (T[0] == 0 && T[1] == 0 && T[2] == 0) return load;
  const RimSpot spot = find_spot(it, p, pose, e.marks);
  const BentLine::Weights at = it.line.weights(spot.along);
  const BeamTouchFrames<double> f = frames_at(it, at, pose);
  const BeamTouchFrames<BeamTouchDual> varied = varied_frames(f);
  BeamTouchRow<BeamTouchDual> row[3];
  beam_touch_rows(it, at, beam_touch(it, p, spot, at, varied, e.marks), varied, row);
  load.element = at.element;
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k)
      load.F[k] = load.F[k] + times(T[r], row[r].F[k]), load.M[k] = load.M[k] + times(T[r], row[r].M[k]);
  }
  return load;
}
inline BeamTouchLoad load_of(const BeamTouches::Item& it, const BeamTouches::Point& p, const Eval& e, const Pose* pose) {
  return load_of(it, p, e, pose, {e.row_force[p.gap], e.row_force[p.slip[0]], e.row_force[p.slip[1]]});
}

/// Adds -d(D' T) of a load to the block K of the tube and two nodes. `motion(body, column, shift, turn)`: how a body moves as a column of it
/// grows. `change(map, body, m, dF, dM, turn, add)`: the entries of a body; `turn`: its own.
template <class Motion, class Change>
void add_load(const BeamTouchColumns& columns, const BeamTouchLoad& load, double* K, const Motion& motion, const Change& change) {
  const int element = load.element, count = columns.count(element);
  for (int by = 0; by < 3; ++by) {
    for (int c = 0; c < columns.map(by, element).count; ++c) {
      Vec3<> shift, turn;
      motion(columns.pose_of(by, element), c, shift, turn);
      for (int k = 0; k < 3; ++k) {
        Vec3<> dF, dM;
        for (int x = 0; x < 3; ++x) {
          for (int d = 0; d < 3; ++d) {
            const auto at = static_cast<std::size_t>(6 * by + d);
            dF[x] += load.F[k][x].d[at] * shift[d] + load.F[k][x].d[at + 3] * turn[d];
            dM[x] += load.M[k][x].d[at] * shift[d] + load.M[k][x].d[at + 3] * turn[d];
          }
        }
        double* const column = K + columns.first_of(by, element) + c;
        change(columns.map(k, element), columns.pose_of(k, element), value_of(load.M[k]), dF, dM, k == by ? turn : Vec3<>{},
               [&](int row, double value) { column[count * (columns.first_of(k, element) + row)] += value; });
      }
    }
  }
}

/// Emits blocks of the tube and two neighbouring nodes, element by element: always the same entries. `fill(point, K)` adds those of a point.
template <class Fill>
void emit_blocks(const BeamTouches::Item& it, const BeamTouchColumns& columns, const BeamTouchLoad* loads, double* K,
                 JacobianSink::Part part, JacobianSink& sink, const Fill& fill) {
  for (int element = 0; element < it.line.elements(); ++element) {
    const int count = columns.count(element);
    std::fill_n(K, count * count, 0.0);
    for (std::size_t i = 0; i < it.points.size(); ++i) {
      if (loads[i].element == element) fill(i, K);
    }
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j)
        sink.add(part, columns.velocity(i, element), columns.velocity(j, element), K[count * i + j]);
    }
  }
}

}  // namespace bristle
