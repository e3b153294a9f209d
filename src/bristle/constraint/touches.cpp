#include "bristle/constraint/touches.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "bristle/constraint/touch_axes.h"
#include "bristle/constraint/wrench.h"

namespace bristle {

namespace {

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

void Touches::calc_rows(Eval& e) const {
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
  for (const Item& it : items_) {
    const MarkerPair pair(it.A, it.B, frames_, e.pose);
    Vec3<> F, M;
    RelationSlope slope;
    add_pushes(it, pair, e, F, M, slope);
    pair.emit_stiffness(F, M, slope, sink);
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
