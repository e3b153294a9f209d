#pragma once
#include <cmath>

#include "bristle/math/dual.h"
#include "bristle/math/pose.h"
#include "bristle/math/space.h"

namespace bristle {

/// A frame fixed on a body, in the frame of its centre of mass.
struct Marker {
  int body = 0;                   ///< 0: the ground
  Vec3<> s;                       ///< [m] from the centre of mass
  Mat3<> R = Mat3<>::identity();  ///< marker to body
};

/// A marker in the world, on any number type.
template <class T = double>
struct Frame {
  Mat3<T> R;
  Vec3<T> p;
};

/// A number that depends on how marker B stands to marker A, and nothing else: so a force that acts on it acts on B at its marker and
/// with the opposite wrench on A at the same point. Axes x, y, z are 0, 1, 2.
struct Relation {
  enum class Kind {
    along,     ///< [m] displacement of B from A along axis i of A (primitive N2; three of them make P)
    dot,       ///< [1] axis i of A times axis j of B (primitive N1)
    distance,  ///< [m] from A to B
    angle,     ///< [rad] turn of B about the z axis of A, counted on beyond a full turn
    twist,     ///< [1] twice the sine of the turn, times the share of its axis along z: zero in a constant velocity joint
    turn,      ///< [rad] component i, in A, of the rotation vector from A to B
    cardan,    ///< [rad] angle i of three turns: about x of A, then the new y, then z of B; 0 and 2 count on beyond a full turn
    spin,      ///< angular velocity of B relative to A about axis i of A; no position of its own
    spin_b,    ///< the same about axis i of B
    push_b     ///< velocity of B relative to A along axis i of B; no position of its own
  };
  Kind kind = Kind::along;
  int i = 0, j = 0;

  bool holonomic() const { return kind < Kind::spin; }
  bool counts_turns() const { return kind == Kind::angle || (kind == Kind::cardan && i != 1); }
  bool rotary() const { return kind != Kind::along && kind != Kind::distance && kind != Kind::push_b; }
};

/// Value and row of a relation: its rate is F . (velocity of B's marker, as seen from A) + M . (angular velocity of B seen from A).
template <class T = double>
struct RelationRow {
  T value{};
  Vec3<T> F, M;
};

/// Rotation vector of a rotation matrix and the inverse of its left Jacobian: d(phi) = J^-1 d(theta).
template <class T>
void rotation_vector(const Mat3<T>& Q, Vec3<T>& phi, Mat3<T>& inverse_jacobian) {
  using std::atan2;
  using std::sqrt;
  Vec3<T> axial;
  axial[0] = 0.5 * (Q(2, 1) - Q(1, 2));
  axial[1] = 0.5 * (Q(0, 2) - Q(2, 0));
  axial[2] = 0.5 * (Q(1, 0) - Q(0, 1));
  const T cosine = 0.5 * (Q(0, 0) + Q(1, 1) + Q(2, 2) - 1.0);
  const T square = dot(axial, axial);
  T scale = T(1.0), eta = T(1.0 / 12);  // angle/sin, and (1 - angle/2 cot(angle/2))/angle^2
  if (value_of(square) > 1e-3 || (value_of(cosine) < 0 && value_of(square) > 0)) {  // near half a turn the sine is small, too
    const T sine = sqrt(square);
    const T angle = atan2(sine, cosine);
    const T half_cotangent = value_of(cosine) > 0 ? 0.5 * (1.0 + cosine) / sine : 0.5 * sine / (1.0 - cosine);
    scale = angle / sine;
    eta = (1.0 - angle * half_cotangent) / (angle * angle);
  } else {
    scale = 1.0 + square * (1.0 / 6 + square * (3.0 / 40 + square * (5.0 / 112 + square * (35.0 / 1152))));
    const T angle2 = square * scale * scale;
    eta = 1.0 / 12 + angle2 * (1.0 / 720 + angle2 * (1.0 / 30240 + angle2 * (1.0 / 1209600)));
  }
  phi = scale * axial;
  // J^-1 = 1 - [phi]/2 + eta [phi]^2
  const T n2 = dot(phi, phi);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) inverse_jacobian(r, c) = eta * (phi[r] * phi[c]);
    inverse_jacobian(r, r) = inverse_jacobian(r, r) + 1.0 - eta * n2;
  }
  const T half[3] = {0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2]};
  inverse_jacobian(0, 1) = inverse_jacobian(0, 1) + half[2];
  inverse_jacobian(0, 2) = inverse_jacobian(0, 2) - half[1];
  inverse_jacobian(1, 0) = inverse_jacobian(1, 0) - half[2];
  inverse_jacobian(1, 2) = inverse_jacobian(1, 2) + half[0];
  inverse_jacobian(2, 0) = inverse_jacobian(2, 0) + half[1];
  inverse_jacobian(2, 1) = inverse_jacobian(2, 1) - half[0];
}

/// The formulas, once for all number types.
template <class T>
RelationRow<T> calc_relation(const Relation& r, const Frame<T>& A, const Frame<T>& B) {
  using Kind = Relation::Kind;
  using std::atan2;
  using std::sqrt;
  RelationRow<T> row;
  switch (r.kind) {
    case Kind::along: {
      row.F = A.R.column(r.i);
      row.value = dot(row.F, B.p - A.p);
      break;
    }
    case Kind::dot: {
      const Vec3<T> a = A.R.column(r.i), b = B.R.column(r.j);
      row.value = dot(a, b);
      row.M = cross(b, a);
      break;
    }
    case Kind::distance: {
      const Vec3<T> d = B.p - A.p;
      row.value = sqrt(dot(d, d));
      row.F = (1.0 / row.value) * d;
      break;
    }
    case Kind::angle: {
      const Vec3<T> xa = A.R.column(0), ya = A.R.column(1), xb = B.R.column(0);
      const T s = dot(ya, xb), c = dot(xa, xb), q = s * s + c * c;
      row.value = atan2(s, c);
      row.M = (1.0 / q) * cross(xb, c * ya - s * xa);
      break;
    }
    case Kind::twist: {
      const Vec3<T> xa = A.R.column(0), ya = A.R.column(1), xb = B.R.column(0), yb = B.R.column(1);
      row.value = dot(ya, xb) - dot(xa, yb);
      row.M = cross(xb, ya) - cross(yb, xa);
      break;
    }
    case Kind::turn: {
      Vec3<T> phi;
      Mat3<T> J;
      rotation_vector(transposed(A.R, B.R), phi, J);
      row.value = phi[r.i];
      Vec3<T> e;
      for (int k = 0; k < 3; ++k) e[k] = J(r.i, k);
      row.M = A.R * e;
      break;
    }
    case Kind::cardan: {  // the axes e1 = x of A, e2, e3 = z of B; the row of each angle is square to the axes of the others
      const Vec3<T> e1 = A.R.column(0), e3 = B.R.column(2), n = cross(e3, e1);  // n = cos(second angle) e2
      const T q = dot(n, n), inverse = value_of(q) > 0 ? 1.0 / q : T(0.0);      // none where e1 and e3 are parallel
      if (r.i == 0) {
        row.value = atan2(-dot(A.R.column(1), e3), dot(A.R.column(2), e3));
        row.M = inverse * cross(n, e3);
      } else if (r.i == 1) {
        const T cosine = value_of(q) > 0 ? sqrt(q) : T(0.0);
        row.value = atan2(dot(e1, e3), cosine);
        row.M = (cosine * inverse) * n;
      } else {
        row.value = atan2(-dot(e1, B.R.column(1)), dot(e1, B.R.column(0)));
        row.M = inverse * cross(e1, n);
      }
      break;
    }
    case Kind::spin: row.M = A.R.column(r.i); break;
    case Kind::spin_b: row.M = B.R.column(r.i); break;
    case Kind::push_b: row.F = B.R.column(r.i); break;
  }
  return row;
}

/// How F and M change with the marker frames: by the turn of A, the turn of B (world axes) and the displacement of B from A.
struct RelationSlope {
  Mat3<> F_A, F_B, F_d, M_A, M_B, M_d;
};
RelationSlope calc_relation_slope(const Relation&, const Frame<>& A, const Frame<>& B);

/// Rates of F and M while the bodies move.
void calc_relation_rates(const Relation&, const Frame<>& A, const Frame<>& B, const Vec3<>& w_A, const Vec3<>& w_B,
                         const Vec3<>& d_rate, Vec3<>& F_rate, Vec3<>& M_rate);

}  // namespace bristle
