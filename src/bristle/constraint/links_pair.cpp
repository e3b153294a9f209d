// Links over a whole step of an energy scheme.
#include "bristle/constraint/links.h"
#include "bristle/constraint/pair_frames.h"
#include "bristle/measure/pair_relation.h"

namespace bristle {

namespace {

constexpr double kUnit = 1;  // [m] measures without pair rows are rotations: no length enters

using D9 = Dual<9>;

/// Rows without a closed form: the gradient half way, and for measures that have a position what it lacks.
RelationRow<> half_way(const Relation& r, const PairFrames& f, double h, double change, bool led) {
  RelationRow<> row = calc_relation(r, f.half.A, f.half.B);
  if (r.holonomic() && !led) f.complete(h, change, kUnit, row.F, row.M);
  return row;
}

}  // namespace

void Links::calc_pair_rows(Eval& e) const {
  const Pair& p = *e.pair;
  for (const Item& it : items_) {
    if (it.idle) continue;
    PairFrames f(it.A, it.B, frames_, e);
    const Lead lead(it.course, 0.5 * (p.t[0] + p.t[1]), f.half);
    for (const Row& r : it.rows) {
      if (r.idle) continue;
      double moved = 0;  // of the target
      if (r.target && r.target->memory >= 0) {
        moved = p.z[1][r.target->memory] - p.z[0][r.target->memory];
      } else if (r.target && !r.relation.holonomic()) {  // the rule of Simpson
        double x0 = 0, x = 0, x1 = 0, v = 0, a = 0;
        r.target->position.motion(p.t[0], x0, v, a);
        r.target->position.motion(0.5 * (p.t[0] + p.t[1]), x, v, a);
        r.target->position.motion(p.t[1], x1, v, a);
        moved = (p.t[1] - p.t[0]) * (x0 + 4 * x + x1) / 6;
      } else if (r.target) {
        double x0 = 0, x1 = 0, v = 0, a = 0;
        r.target->position.motion(p.t[0], x0, v, a);
        r.target->position.motion(p.t[1], x1, v, a);
        moved = x1 - x0;
      }
      const double change = (p.row_value[1][r.row] - p.row_value[0][r.row] + moved) / r.scale;
      RelationRow<> row = has_pair_row(r.relation) && !it.course
                              ? calc_pair_relation(r.relation, f.mean.A, f.mean.B, f.start.A, f.start.B, f.end.A, f.end.B)
                              : half_way(r.relation, f, p.h, change, it.course.has_value());
      if (r.scale != 1) row.F = r.scale * row.F, row.M = r.scale * row.M;
      if (it.course) moved = p.h * f.mean.rate(row.F, row.M) - r.scale * change;  // what the course adds
      const int at = e.rows->begin(r.row)->at;
      f.mean.write_row(row.F, row.M, e.D + at);
      if (!r.relation.holonomic()) f.mean.write_row(row.F, row.M, p.by_step + at);
      e.row_value[r.row] = 0.5 * (p.row_value[0][r.row] + p.row_value[1][r.row]);
      e.row_partial[r.row] = -moved / p.h;
      e.row_rate[r.row] = f.mean.rate(row.F, row.M) - moved / p.h;
      e.row_drift[r.row] = 0;
    }
  }
}

void Links::calc_pair_jacobian(const Eval& e, JacobianSink& sink) const {
  for (const Item& it : items_) {
    PairFrames f(it.A, it.B, frames_, e);
    const Lead lead(it.course, 0.5 * (e.pair->t[0] + e.pair->t[1]), f.half);
    Frame<D9> A, B, A1, B1;
    f.vary(false, A, A1);
    f.vary(true, B, B1);
    Vec3<> F, M;
    RelationSlope s;
    for (const Row& r : it.rows) {
      const double T = e.row_force[r.row] * r.scale;
      if (T == 0) continue;
      if (has_pair_row(r.relation) && !it.course) {
        const RelationRow<D9> row = calc_pair_relation(r.relation, A, B, f.start.A, f.start.B, A1, B1);
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

}  // namespace bristle
