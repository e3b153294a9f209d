#include "bristle/constraint/touches.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "bristle/constraint/pair_frames.h"
#include "bristle/measure/round_pair.h"
#include "bristle/measure/touch_tools.h"

namespace bristle {

namespace {

/// Normal and tangents at a point: t1 is the given direction, kept square to the normal.
template <class T>
struct Triad {
  Vec3<T> axis[3];  ///< normal, t1, t2
};

template <class T>
Triad<T> triad(const Vec3<T>& normal, const Vec3<T>& along) {
  using std::sqrt;
  Triad<T> t;
  t.axis[0] = normal;
  Vec3<T> a = along - dot(along, normal) * normal;
  T square = dot(a, a);
  if (value_of(square) < 1e-6) {  // the old tangent has become the normal: any other will do
    Vec3<T> other;
    int least = 0;
    for (int k = 1; k < 3; ++k) {
      if (std::abs(value_of(normal[k])) < std::abs(value_of(normal[least]))) least = k;
    }
    other[least] = T(1);
    a = other - dot(other, normal) * normal;
    square = dot(a, a);
  }
  t.axis[1] = (1.0 / sqrt(square)) * a;
  t.axis[2] = cross(normal, t.axis[1]);
  return t;
}

template <class T>
Triad<T> triad_of(const Touches::Point& p, const Vec3<T>& normal, const Frame<T>& A, const double* marks) {
  if (p.basis < 0) {  // planar: the tangent lies in the plane, z x normal
    Triad<T> t;
    t.axis[0] = normal;
    t.axis[1][0] = -normal[1];
    t.axis[1][1] = normal[0];
    return t;
  }
  Vec3<T> mark;
  for (int k = 0; k < 3; ++k) mark[k] = T(marks[p.basis + k]);
  return triad(normal, A.R * mark);
}

/// Frames that carry their present motion as a derivative.
Frame<Dual<1>> moving(const Frame<>& F, const Vec3<>& v, const Vec3<>& w) {
  Frame<Dual<1>> out;
  for (int j = 0; j < 3; ++j) {
    const Vec3<> c = F.R.column(j), rate = cross(w, c);
    for (int i = 0; i < 3; ++i) {
      out.R(i, j) = Dual<1>(c[i]);
      out.R(i, j).d[0] = rate[i];
    }
  }
  for (int i = 0; i < 3; ++i) {
    out.p[i] = Dual<1>(F.p[i]);
    out.p[i].d[0] = v[i];
  }
  return out;
}

using D9 = Dual<kTouchDirections>;

/// The touches of an item, acting where it says.
template <class T>
void touch_at(const Touches::Item& it, const Frame<T>& A, const Frame<T>& B, const double* marks, Touch<T>* touch) {
  it.geometry->touch(A, B, marks + it.marks + 1, touch);
  if (it.shift == 0) return;
  for (std::size_t k = 0; k < it.points.size(); ++k)
    touch[k].point = touch[k].point + (it.shift * touch[k].gap) * touch[k].normal;
}

/// Rows over a whole step of a gap that is a distance of two points: that of the gap, the tangents, and where they act.
template <class T>
struct RoundStep {
  Triad<T> t;
  Vec3<T> from_B;
  bool found = false;

  RoundStep() = default;
  RoundStep(const Touches::Item& it, const PairFrames& f, const Frame<T>& A, const Frame<T>& B, const Frame<T>& A1,
            const Frame<T>& B1, const double* marks) {
    StepTouch<T> touch;
    found = it.round && touch_over_step(*it.round, it.shift, A, B, f.start.A, f.start.B, A1, B1, touch);
    if (!found) return;
    t = triad_of(it.points[0], touch.normal, A, marks);
    t.axis[0] = touch.row;
    from_B = touch.point - B.p;
  }
};
RoundStep<double> round_step(const Touches::Item& it, const PairFrames& f, const double* marks) {
  return {it, f, f.mean.A, f.mean.B, f.end.A, f.end.B, marks};
}
RoundStep<D9> round_slopes(const Touches::Item& it, const PairFrames& f, const double* marks) {
  Frame<D9> A, B, A1, B1;
  f.vary(false, A, A1);
  f.vary(true, B, B1);
  return {it, f, A, B, A1, B1, marks};
}

/// Adds a force f and its moment m to a wrench and its slopes.
void add_wrench(const Vec3<D9>& f, const Vec3<D9>& m, Vec3<>& F, Vec3<>& M, RelationSlope& slope) {
  for (int i = 0; i < 3; ++i) {
    F[i] += f[i].value, M[i] += m[i].value;
    for (int j = 0; j < 3; ++j) {
      const auto at = static_cast<std::size_t>(j);
      slope.F_d(i, j) += f[i].d[at], slope.F_A(i, j) += f[i].d[3 + at], slope.F_B(i, j) += f[i].d[6 + at];
      slope.M_d(i, j) += m[i].d[at], slope.M_A(i, j) += m[i].d[3 + at], slope.M_B(i, j) += m[i].d[6 + at];
    }
  }
}

Frame<D9> varied(const Frame<>& F, bool shifts, int first_turn) {
  Frame<D9> out;
  Vec3<D9> turn;
  for (int i = 0; i < 3; ++i) {
    turn[i] = D9::variable(0, first_turn + i);
    out.p[i] = shifts ? D9::variable(F.p[i], i) : D9(F.p[i]);
  }
  out.R = turned(F.R, turn);
  return out;
}

}  // namespace

Touches::Touches(std::vector<Item> items, const std::vector<BodyInfo>& bodies)
    : items_(std::move(items)), frames_(frame_maps(bodies)) {
  for (Item& it : items_) {
    if (it.geometry->points() > kMostPoints)
      throw std::logic_error(it.name + " touches in " + std::to_string(it.geometry->points()) + " points; Touches has room for " +
                             std::to_string(kMostPoints));
    it.round = it.geometry->round();
  }
}

void Touches::start(State& x) const {
  for (const Item& it : items_) {
    for (const Point& p : it.points) {
      if (p.basis < 0) continue;
      double* mark = x.marks() + p.basis;
      mark[0] = 1, mark[1] = mark[2] = 0;
    }
    for (int k = 0; k < marks_needed(*it.geometry); ++k) x.marks()[it.marks + k] = 0;
  }
}

/// Over a whole step: a distance of two points has its row in closed form. For others normal and tangents half way, completed for the
/// gap so that its row gives the change of the gap.
void Touches::calc_pair_rows(Eval& e) const {
  const Pair& p = *e.pair;
  Touch<> touch[kMostPoints];
  const auto write = [&](const PairFrames& f, int row, bool slips, const Vec3<>& F, const Vec3<>& M) {
    const int at = e.rows->begin(row)->at;
    f.mean.write_row(F, M, e.D + at);
    if (slips) f.mean.write_row(F, M, p.by_step + at);
    e.row_value[row] = slips ? 0.0 : 0.5 * (p.row_value[0][row] + p.row_value[1][row]);
    e.row_rate[row] = f.mean.rate(F, M);
    e.row_partial[row] = e.row_drift[row] = 0;
  };
  for (const Item& it : items_) {
    const PairFrames f(it.A, it.B, frames_, e);
    if (const RoundStep<double> step = round_step(it, f, e.marks); step.found) {
      const Point& point = it.points[0];
      write(f, point.gap, false, step.t.axis[0], cross(step.from_B, step.t.axis[0]));
      const bool open = p.row_value[0][point.gap] > 0 && p.row_value[1][point.gap] > 0;
      const RoundStep<D9> slopes = open ? RoundStep<D9>() : round_slopes(it, f, e.marks);
      for (int r = 1; r < 3 && point.slip[r - 1] >= 0; ++r) {
        const int row = point.slip[r - 1];
        write(f, row, true, step.t.axis[r], cross(step.from_B, step.t.axis[r]));
        if (open) continue;
        Vec3<> F, M;
        RelationSlope slope;
        add_wrench(slopes.t.axis[r], cross(slopes.from_B, slopes.t.axis[r]), F, M, slope);
        f.add_turn(p.h, F, M, slope, p.by_step + e.rows->begin(row)->at);
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
          f.complete(p.h, p.row_value[1][rows[0]] - p.row_value[0][rows[0]], 0.01 * norm(arm) + 1e-9, F, M);
        }
        write(f, rows[r], r > 0, F, M);
      }
    }
  }
}

void Touches::calc_rows(Eval& e) const {
  if (e.pair != nullptr) return calc_pair_rows(e);
  Touch<> touch[kMostPoints];
  Touch<Dual<1>> turning[kMostPoints];
  for (const Item& it : items_) {
    const MarkerPair pair(it.A, it.B, frames_, e.pose);
    touch_at(it, pair.A, pair.B, e.marks, touch);
    Frame<Dual<1>> A1;
    if (it.held && !e.looks) {
      A1 = moving(pair.A, pair.vA, pair.pose_A.w);
      const Frame<Dual<1>> B1 = moving(pair.B, pair.vB, pair.pose_B.w);
      touch_at(it, A1, B1, e.marks, turning);
    }
    for (std::size_t k = 0; k < it.points.size(); ++k) {
      const Point& p = it.points[k];
      const Triad<double> t = triad_of(p, touch[k].normal, pair.A, e.marks);
      const Vec3<> from_B = touch[k].point - pair.B.p;
      Vec3<> F_rate[3], M_rate[3];
      if (it.held && !e.looks) {
        const Triad<Dual<1>> t1 = triad_of(p, turning[k].normal, A1, e.marks);
        Vec3<Dual<1>> B1;
        for (int i = 0; i < 3; ++i) {
          B1[i] = Dual<1>(pair.B.p[i]);
          B1[i].d[0] = pair.vB[i];
        }
        for (int r = 0; r < 3; ++r) {
          const Vec3<Dual<1>> M = cross(turning[k].point - B1, t1.axis[r]);
          for (int i = 0; i < 3; ++i) F_rate[r][i] = t1.axis[r][i].d[0], M_rate[r][i] = M[i].d[0];
        }
      }
      const int rows[3] = {p.gap, p.slip[0], p.slip[1]};
      for (int r = 0; r < 3; ++r) {
        if (rows[r] < 0) continue;
        const Vec3<> M = cross(from_B, t.axis[r]);
        pair.write_row(t.axis[r], M, e.D + e.rows->begin(rows[r])->at);
        e.row_value[rows[r]] = r == 0 ? touch[k].gap : 0.0;
        e.row_rate[rows[r]] = pair.rate(t.axis[r], M);
        e.row_partial[rows[r]] = 0;
        e.row_drift[rows[r]] = it.held ? pair.drift(t.axis[r], M, F_rate[r], M_rate[r]) : 0.0;
      }
    }
  }
}

void Touches::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  Touch<D9> touch[kMostPoints];
  for (const Item& it : items_) {
    const MarkerPair pair(it.A, it.B, frames_, e.pair != nullptr ? e.pair->half : e.pose);
    // what pushes at a point, summed over its rows
    const auto pushed = [&](const Point& p, const Triad<D9>& t) {
      const int rows[3] = {p.gap, p.slip[0], p.slip[1]};
      Vec3<D9> f;
      for (int r = 0; r < 3; ++r) {
        if (rows[r] >= 0) f = f + times(e.row_force[rows[r]], t.axis[r]);
      }
      return f;
    };
    const auto is_loaded = [&](const Point& p) {
      return e.row_force[p.gap] != 0 || (p.slip[0] >= 0 && e.row_force[p.slip[0]] != 0) ||
             (p.slip[1] >= 0 && e.row_force[p.slip[1]] != 0);
    };
    bool loaded = false;
    for (const Point& p : it.points) loaded = loaded || is_loaded(p);
    Vec3<> F, M;
    RelationSlope slope;
    if (e.pair != nullptr && loaded && it.round) {
      const PairFrames frames(it.A, it.B, frames_, e);
      if (const RoundStep<D9> step = round_slopes(it, frames, e.marks); step.found) {
        const Vec3<D9> f = pushed(it.points[0], step.t);
        add_wrench(f, cross(step.from_B, f), F, M, slope);
        frames.emit_stiffness(e, F, M, slope, sink);
        continue;
      }
    }
    if (loaded) {
      const Frame<D9> A = varied(pair.A, false, 3), B = varied(pair.B, true, 6);
      touch_at(it, A, B, e.marks, touch);
      for (std::size_t k = 0; k < it.points.size(); ++k) {
        const Point& p = it.points[k];
        if (!is_loaded(p)) continue;
        const Vec3<D9> f = pushed(p, triad_of(p, touch[k].normal, A, e.marks));
        add_wrench(f, cross(touch[k].point - B.p, f), F, M, slope);
      }
    }
    if (e.pair == nullptr) {
      pair.emit_stiffness(F, M, slope, sink);
      continue;
    }
    for (Mat3<>* part : {&slope.F_d, &slope.F_A, &slope.F_B, &slope.M_d, &slope.M_A, &slope.M_B}) {
      for (double& x : part->m) x *= 0.5;  // half way, half of the turn at the end
    }
    PairFrames(it.A, it.B, frames_, e).emit_stiffness(e, F, M, slope, sink);
  }
}

void Touches::accept(const Eval& e, State& x) const {
  Touch<> touch[kMostPoints];
  for (const Item& it : items_) {
    const MarkerPair pair(it.A, it.B, frames_, e.pose);
    double *started = x.marks() + it.marks, *own = started + 1;
    if (*started == 0) it.geometry->start(pair.A, pair.B, own);
    *started = 1;
    it.geometry->accept(pair.A, pair.B, own);
    it.geometry->touch(pair.A, pair.B, own, touch);
    for (std::size_t k = 0; k < it.points.size(); ++k) {
      if (it.points[k].basis < 0) continue;
      const Triad<double> t = triad_of(it.points[k], touch[k].normal, pair.A, x.marks());
      const Vec3<> local = transposed(pair.A.R, t.axis[1]);
      for (int i = 0; i < 3; ++i) x.marks()[it.points[k].basis + i] = local[i];
    }
  }
}

std::string Touches::trouble(const Eval& e) const {
  for (const Item& it : items_) {
    const MarkerPair pair(it.A, it.B, frames_, e.pose);
    if (const char* why = it.geometry->trouble(pair.A, pair.B, e.marks + it.marks + 1)) return it.name + ": " + why;
  }
  return {};
}

}  // namespace bristle
