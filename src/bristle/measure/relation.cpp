#include "bristle/measure/relation.h"

namespace bristle {

namespace {

using Kind = Relation::Kind;

/// Only differences of positions matter: A stands still, B carries the displacement.
template <class T>
void moved(const Frame<>& A, const Frame<>& B, const Vec3<T>& turn_A, const Vec3<T>& turn_B, const Vec3<T>& shift, Frame<T>& a,
           Frame<T>& b) {
  a.R = turned(A.R, turn_A);
  b.R = turned(B.R, turn_B);
  for (int k = 0; k < 3; ++k) {
    a.p[k] = T(A.p[k]);
    b.p[k] = T(B.p[k]) + shift[k];
  }
}

}  // namespace

RelationSlope calc_relation_slope(const Relation& r, const Frame<>& A, const Frame<>& B) {
  using T = Dual<9>;
  Vec3<T> turn_A, turn_B, shift;
  for (int k = 0; k < 3; ++k) {
    turn_A[k] = T::variable(0, k);
    turn_B[k] = T::variable(0, 3 + k);
    shift[k] = T::variable(0, 6 + k);
  }
  Frame<T> a, b;
  moved(A, B, turn_A, turn_B, shift, a, b);
  const RelationRow<T> row = calc_relation(r, a, b);
  RelationSlope s;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      s.F_A(i, k) = row.F[i].d[at], s.F_B(i, k) = row.F[i].d[at + 3], s.F_d(i, k) = row.F[i].d[at + 6];
      s.M_A(i, k) = row.M[i].d[at], s.M_B(i, k) = row.M[i].d[at + 3], s.M_d(i, k) = row.M[i].d[at + 6];
    }
  }
  return s;
}

void calc_relation_rates(const Relation& r, const Frame<>& A, const Frame<>& B, const Vec3<>& w_A, const Vec3<>& w_B,
                         const Vec3<>& d_rate, Vec3<>& F_rate, Vec3<>& M_rate) {
  switch (r.kind) {  // by hand where mechanisms spend their time
    case Kind::along: {
      F_rate = cross(w_A, A.R.column(r.i));
      M_rate = {};
      return;
    }
    case Kind::dot: {
      const Vec3<> a = A.R.column(r.i), b = B.R.column(r.j);
      F_rate = {};
      M_rate = cross(cross(w_B, b), a) + cross(b, cross(w_A, a));
      return;
    }
    case Kind::distance: {
      const Vec3<> d = B.p - A.p;
      const double length = norm(d);
      const Vec3<> n = (1 / length) * d;
      F_rate = (1 / length) * (d_rate - dot(n, d_rate) * n);
      M_rate = {};
      return;
    }
    case Kind::angle: {
      const Vec3<> xa = A.R.column(0), ya = A.R.column(1), xb = B.R.column(0);
      const Vec3<> xa_rate = cross(w_A, xa), ya_rate = cross(w_A, ya), xb_rate = cross(w_B, xb);
      const double s = dot(ya, xb), c = dot(xa, xb), q = s * s + c * c;
      const double s_rate = dot(ya_rate, xb) + dot(ya, xb_rate), c_rate = dot(xa_rate, xb) + dot(xa, xb_rate);
      const Vec3<> g = c * ya - s * xa, g_rate = c_rate * ya + c * ya_rate - s_rate * xa - s * xa_rate;
      const double growth = 2 * (s * s_rate + c * c_rate) / q;
      F_rate = {};
      M_rate = (1 / q) * (cross(xb_rate, g) + cross(xb, g_rate) - growth * cross(xb, g));
      return;
    }
    case Kind::spin: {
      F_rate = {};
      M_rate = cross(w_A, A.R.column(r.i));
      return;
    }
    default: break;
  }
  using T = Dual<1>;
  Vec3<T> turn_A, turn_B, shift;
  for (int k = 0; k < 3; ++k) {
    turn_A[k].d[0] = w_A[k];
    turn_B[k].d[0] = w_B[k];
    shift[k].d[0] = d_rate[k];
  }
  Frame<T> a, b;
  moved(A, B, turn_A, turn_B, shift, a, b);
  const RelationRow<T> row = calc_relation(r, a, b);
  for (int k = 0; k < 3; ++k) {
    F_rate[k] = row.F[k].d[0];
    M_rate[k] = row.M[k].d[0];
  }
}

}  // namespace bristle
