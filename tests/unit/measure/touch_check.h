#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "bristle/measure/touch_tools.h"

// What every touching geometry must keep, as functions of poses and motions.
namespace bristle::touch_check {

using Random = std::mt19937_64;

inline double between(Random& r, double low, double high) { return std::uniform_real_distribution<>(low, high)(r); }
inline Vec3<> random_vector(Random& r, double size) {
  Vec3<> v;
  for (int i = 0; i < 3; ++i) v[i] = between(r, -size, size);
  return v;
}
inline Mat3<> rotation(const Vec3<>& turn) {
  const double angle = norm(turn);
  Quaternion q{std::cos(0.5 * angle), 0, 0, 0};
  if (angle > 0) {
    for (int i = 0; i < 3; ++i) q[static_cast<std::size_t>(1 + i)] = std::sin(0.5 * angle) * turn[i] / angle;
  }
  return matrix_of(q);
}
inline Mat3<> random_rotation(Random& r) {
  std::normal_distribution<> n;
  return matrix_of(normalised({n(r), n(r), n(r), n(r)}));
}
inline Vec3<> vec(double x, double y, double z) {
  Vec3<> v;
  v[0] = x, v[1] = y, v[2] = z;
  return v;
}

/// Two frames, B placed by a displacement and a turn in the axes of A.
struct Stance {
  Frame<> A, B;
};
inline Stance pose(const Frame<>& A, const Vec3<>& shift, const Vec3<>& turn) {
  return {A, {A.R * rotation(turn), A.p + A.R * shift}};
}
inline Stance random_pose(Random& r, double shift, double tilt, double spin = 3) {
  const Frame<> A{random_rotation(r), random_vector(r, 0.3)};
  Stance p = pose(A, random_vector(r, shift), random_vector(r, tilt));
  p.B.R = p.B.R * rotation(vec(0, 0, between(r, -spin, spin)));
  return p;
}

/// Velocities of both bodies at their markers.
struct Motion {
  Vec3<> v_A, w_A, v_B, w_B;
};
inline Motion random_motion(Random& r, double speed, double spin) {
  return {random_vector(r, speed), random_vector(r, spin), random_vector(r, speed), random_vector(r, spin)};
}
inline Stance moved(const Stance& p, const Motion& m, double t) {
  return {{rotation(times(t, m.w_A)) * p.A.R, p.A.p + times(t, m.v_A)},
          {rotation(times(t, m.w_B)) * p.B.R, p.B.p + times(t, m.v_B)}};
}

inline std::vector<Touch<>> touches(const Geometry& g, const Stance& p, const double* marks) {
  std::vector<Touch<>> out(static_cast<std::size_t>(g.points()));
  g.touch(p.A, p.B, marks, out.data());
  return out;
}
inline std::vector<double> started(const Geometry& g, const Stance& p) {
  std::vector<double> marks(static_cast<std::size_t>(g.marks()));
  g.start(p.A, p.B, marks.data());
  return marks;
}

inline double least_gap(const Geometry& g, const Stance& p) {
  double least = 1e300;
  for (const Touch<>& t : touches(g, p, started(g, p).data())) least = std::min(least, t.gap);
  return least;
}

/// normal . (velocity of B - velocity of A) of the material points at the point of action.
inline double rate_of(const Touch<>& t, const Stance& p, const Motion& m) {
  const Vec3<> b = m.v_B + cross(m.w_B, t.point - p.B.p), a = m.v_A + cross(m.w_A, t.point - p.A.p);
  return dot(t.normal, b - a);
}

/// Does the point or the normal of a touch jump between poses at equal distances on a smooth way? It then moves far more over one of
/// the equal steps than over another.
inline bool jumps(std::initializer_list<const Touch<>*> way, double step) {
  double least = 1e300, most = 0, turn = 0;
  const Touch<>* last = nullptr;
  for (const Touch<>* t : way) {
    if (last) {
      const double moved_by = norm(t->point - last->point);
      least = std::min(least, moved_by), most = std::max(most, moved_by);
      turn = std::max(turn, norm(t->normal - last->normal));
    }
    last = t;
  }
  return turn > 0.1 || most > 5 * least + 5 * step;
}

/// Does the normal or the point turn a corner: different slopes before and after?
inline bool bends(const Touch<>& before, const Touch<>& at, const Touch<>& after, double step, double size) {
  const Vec3<> n0 = at.normal - before.normal, n1 = after.normal - at.normal, p0 = at.point - before.point,
               p1 = after.point - at.point;
  return norm(n1 - n0) > 0.05 * (norm(n0) + norm(n1)) + 1e-3 * step / size ||
         norm(p1 - p0) > 0.05 * (norm(p0) + norm(p1)) + 1e-3 * step;
}

/// The rate of the gap by differences of fourth order over steps h against the contract. Points that change valley there have no
/// derivative; they are counted and not compared.
struct RateCheck {
  double worst = 0;      // relative to the speed at which the bodies move
  double spare = 1e300;  // a gap that changes by more is that of a point that was not needed and is now, or the other way round
  int compared = 0, jumped = 0;
};
inline void check_rate(const Geometry& g, const Stance& p, const Motion& m, double h, double speed, RateCheck& check) {
  const std::vector<double> marks = started(g, p);
  const auto t = touches(g, p, marks.data());
  const auto a = touches(g, moved(p, m, -2 * h), marks.data()), b = touches(g, moved(p, m, -h), marks.data());
  const auto c = touches(g, moved(p, m, h), marks.data()), d = touches(g, moved(p, m, 2 * h), marks.data());
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(norm(t[i].normal), 1, 1e-12);
    const auto [least, most] = std::minmax({a[i].gap, b[i].gap, t[i].gap, c[i].gap, d[i].gap});
    if (most - least > check.spare || jumps({&a[i], &b[i], &t[i], &c[i], &d[i]}, h * speed)) {
      ++check.jumped;
      continue;
    }
    const double rate = (a[i].gap - d[i].gap + 8 * (c[i].gap - b[i].gap)) / (12 * h);
    check.worst = std::max(check.worst, std::abs(rate - rate_of(t[i], p, m)) / speed);
    ++check.compared;
  }
}

using Nine = Dual<kTouchDirections>;
inline std::vector<Touch<Nine>> slopes(const Geometry& g, const Stance& p, const double* marks) {
  Frame<Nine> A, B;
  Vec3<Nine> turn_a, turn_b;
  for (int i = 0; i < 3; ++i) {
    A.p[i] = p.A.p[i];
    B.p[i] = Nine::variable(p.B.p[i], i);
    turn_a[i] = Nine::variable(0, 3 + i);
    turn_b[i] = Nine::variable(0, 6 + i);
  }
  A.R = turned(p.A.R, turn_a), B.R = turned(p.B.R, turn_b);
  std::vector<Touch<Nine>> out(static_cast<std::size_t>(g.points()));
  g.touch(A, B, marks, out.data());
  return out;
}

/// Largest difference of Dual<9> from central differences: gap [relative to `size` per unit], normal, point [over `size`].
struct SlopeCheck {
  double gap = 0, normal = 0, point = 0;
  int compared = 0, jumped = 0;
};
inline void check_slopes(const Geometry& g, const Stance& p, double h, double turn_h, double size, SlopeCheck& check) {
  const std::vector<double> marks = started(g, p);
  const auto duals = slopes(g, p, marks.data());
  const auto plain = touches(g, p, marks.data());
  for (int k = 0; k < kTouchDirections; ++k) {
    Motion m;
    Vec3<> e;
    e[k % 3] = 1;
    double step = turn_h;
    if (k < 3) m.v_B = e, step = h;
    else if (k < 6) m.w_A = e;
    else m.w_B = e;
    std::vector<Touch<>> at[4];
    const double times_of[4] = {-2 * step, -step, step, 2 * step};
    for (int j = 0; j < 4; ++j) at[j] = touches(g, moved(p, m, times_of[j]), marks.data());
    const auto slope = [&](double a, double b, double c, double d) { return (a - d + 8 * (c - b)) / (12 * step); };
    const double unit = k < 3 ? 1 : size;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const auto ks = static_cast<std::size_t>(k);
      EXPECT_NEAR(value_of(duals[i].gap), plain[i].gap, 1e-14 + 1e-12 * std::abs(plain[i].gap));
      if (jumps({&at[0][i], &at[1][i], &plain[i], &at[2][i], &at[3][i]}, step * unit) ||
          bends(at[0][i], plain[i], at[3][i], step * unit, size)) {
        ++check.jumped;
        continue;
      }
      ++check.compared;
      const double by = slope(at[0][i].gap, at[1][i].gap, at[2][i].gap, at[3][i].gap);
      check.gap = std::max(check.gap, std::abs(by - duals[i].gap.d[ks]) / unit);
      Vec3<> dn, dp;
      for (int q = 0; q < 3; ++q) {
        dn[q] = slope(at[0][i].normal[q], at[1][i].normal[q], at[2][i].normal[q], at[3][i].normal[q]) - duals[i].normal[q].d[ks];
        dp[q] = slope(at[0][i].point[q], at[1][i].point[q], at[2][i].point[q], at[3][i].point[q]) - duals[i].point[q].d[ks];
        EXPECT_NEAR(value_of(duals[i].point[q]), plain[i].point[q], 1e-13);
      }
      check.normal = std::max(check.normal, norm(dn) * size / unit);
      check.point = std::max(check.point, norm(dp) / unit);
    }
  }
}

/// Is everything a number, values and derivatives?
inline bool finite(const Geometry& g, const Stance& p) {
  const std::vector<double> marks = started(g, p);
  bool good = true;
  for (const Touch<Nine>& t : slopes(g, p, marks.data())) {
    const auto look = [&](const Nine& x) {
      good = good && std::isfinite(x.value);
      for (const double d : x.d) good = good && std::isfinite(d);
    };
    look(t.gap);
    for (int i = 0; i < 3; ++i) look(t.normal[i]), look(t.point[i]);
    good = good && std::abs(norm(value_of(t.normal)) - 1) < 1e-9;
  }
  for (const Touch<>& t : touches(g, p, marks.data())) good = good && std::isfinite(t.gap) && std::isfinite(norm(t.point));
  return good;
}

/// Turning and shifting everything turns and shifts the touches.
inline double check_invariance(const Geometry& g, const Stance& p, Random& r) {
  const Mat3<> Q = random_rotation(r);
  const Vec3<> s = random_vector(r, 1);
  const Stance q{{Q * p.A.R, Q * p.A.p + s}, {Q * p.B.R, Q * p.B.p + s}};
  const auto a = touches(g, p, started(g, p).data()), b = touches(g, q, started(g, q).data());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(
        {worst, std::abs(a[i].gap - b[i].gap), norm(Q * a[i].normal - b[i].normal), norm(Q * a[i].point + s - b[i].point)});
  }
  return worst;
}

/// Poses with exact zeros: coinciding, aligned, a quarter and half turn, very far.
inline std::vector<Stance> singular_poses() {
  const Frame<> A{Mat3<>::identity(), vec(0, 0, 0)};
  std::vector<Stance> all;
  for (const Vec3<>& shift : {vec(0, 0, 0), vec(1e-3, 0, 0), vec(0, -1e-3, 0), vec(0, 0, 1e-3), vec(0, 0, 0.5), vec(1e-300, 0, 0),
                              vec(0, 1e-13, 0), vec(1e8, 0, 0), vec(0, 1e8, 1e8), vec(1e-170, 1e-170, 0)}) {
    for (const Vec3<>& turn : {vec(0, 0, 0), vec(1e-9, 0, 0), vec(0, 1e-3, 0), vec(0, 0, 1), vec(M_PI / 2, 0, 0),
                               vec(0, M_PI / 2, 0), vec(M_PI, 0, 0), vec(0, M_PI, 0), vec(1e-200, 0, 0), vec(0, 0, M_PI / 2)}) {
      all.push_back(pose(A, shift, turn));
    }
  }
  return all;
}

/// The whole list, for one geometry. `size`: of the bodies [m]; `shift`, `tilt`: range of poses; `near`: smallest radius of curvature of
/// the motion of the point, which sets the steps of the differences.
struct Contract {
  double size = 0.01, shift = 1e-3, tilt = 0.05, near = 1e-4;
  int poses = 200;
  double rate_limit = 1e-6, slope_limit = 1e-5;
  bool slopes = true;
  bool invariance = true;
  double turned_limit = 1e-9;
  double deepest = -1e300;  // poses with a smaller gap are left out
  double spare = 1e300;     // of RateCheck
};
inline void keep_contract(const Geometry& g, const Contract& c, unsigned seed = 1) {
  Random r(seed);
  RateCheck rate;
  rate.spare = c.spare;
  SlopeCheck slope;
  double turned = 0;
  for (int k = 0; k < c.poses; ++k) {
    const Stance p = random_pose(r, c.shift, c.tilt);
    if (least_gap(g, p) < c.deepest) continue;
    check_rate(g, p, random_motion(r, c.size, 1), 1e-3 * c.near / c.size, c.size, rate);
    if (c.slopes) check_slopes(g, p, 1e-2 * c.near, 1e-2 * c.near / c.size, c.size, slope);
    if (c.invariance) turned = std::max(turned, check_invariance(g, p, r));
  }
  EXPECT_LT(rate.worst, c.rate_limit);
  EXPECT_GT(rate.compared, 9 * rate.jumped);
  if (c.slopes) {
    EXPECT_LT(slope.gap, c.slope_limit);
    EXPECT_LT(slope.normal, c.slope_limit * c.size / c.near);
    EXPECT_LT(slope.point, c.slope_limit * c.size / c.near);
    EXPECT_GT(slope.compared, 9 * slope.jumped);
  }
  EXPECT_LT(turned, c.turned_limit);
  for (const Stance& p : singular_poses()) {
    EXPECT_TRUE(finite(g, p)) << "shift " << p.B.p[0] << ' ' << p.B.p[1] << ' ' << p.B.p[2] << " R " << p.B.R(0, 0) << ' '
                              << p.B.R(2, 2);
  }
  ::testing::Test::RecordProperty("rate", std::to_string(rate.worst));
  if (std::getenv("TOUCH_FIGURES")) {
    std::printf("rate %.1e (%d, jumped %d) gap slope %.1e normal %.1e point %.1e (%d, jumped %d) invariance %.1e\n", rate.worst,
                rate.compared, rate.jumped, slope.gap, slope.normal, slope.point, slope.compared, slope.jumped, turned);
  }
}

/// Random poses of all sizes: every number finite.
inline void fuzz(const Geometry& g, double size, int poses, unsigned seed = 7) {
  Random r(seed);
  int bad = 0;
  for (int k = 0; k < poses; ++k) {
    const double scale = size * std::pow(10, between(r, -12, 3));
    Stance p = random_pose(r, scale, std::pow(10, between(r, -12, 0.5)));
    bad += !finite(g, p);
  }
  EXPECT_EQ(bad, 0);
}

}  // namespace bristle::touch_check
