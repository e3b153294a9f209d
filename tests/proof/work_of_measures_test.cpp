// Proof 1: a force along the row of a TwoPoint does exactly the work by which its potential changes, for any measure and any step.
#include <gtest/gtest.h>

#include "bristle/force/pull_laws.h"
#include "bristle/math/implicit_root.h"
#include "bristle/math/rotation.h"
#include "bristle/math/two_point.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;
using T = TwoPoint<12>;  // increments: displacement and Cayley vector (world) of body A, then of body B
using V3 = Vec<3, T>;
constexpr double kEps = 2.2e-16;

template <class S>
Vec<3, S> cross(const Vec<3, S>& a, const Vec<3, S>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

/// A body over a step: position and attitude at both ends.
struct Pose {
  Vector3 p0, p1;
  Quaternion q0, q1;
  Vector3 r;  // Cayley vector of the step, world

  static Pose random(Dice& dice, double step) {
    Pose b;
    const auto u = dice.direction(), d = dice.direction(), e = dice.direction();
    b.q0 = rotation_of({3 * u[0], 3 * u[1], 3 * u[2]}, Chart::exponential);
    const Vector3 rho = {step * d[0], step * d[1], step * d[2]};
    b.q1 = product(b.q0, rotation_of(rho, Chart::cayley));
    b.r = rotate(b.q0, rho);
    for (std::size_t i = 0; i < 3; ++i) b.p0[i] = dice.between(-1, 1), b.p1[i] = b.p0[i] + step * e[i];
    return b;
  }
  /// A body-fixed direction: its difference is r x mean.
  V3 turned(const Vector3& a, int first) const {
    const Vector3 u = rotate(q0, a), w = rotate(q1, a);
    const double m[3] = {0.5 * (u[0] + w[0]), 0.5 * (u[1] + w[1]), 0.5 * (u[2] + w[2])};
    V3 v;
    for (int i = 0; i < 3; ++i) v[i].start = u[static_cast<std::size_t>(i)], v[i].end = w[static_cast<std::size_t>(i)];
    const auto at = [&](int i, int k) -> double& { return v[i].row[static_cast<std::size_t>(first + 3 + k)]; };
    at(0, 1) = m[2], at(0, 2) = -m[1];
    at(1, 2) = m[0], at(1, 0) = -m[2];
    at(2, 0) = m[1], at(2, 1) = -m[0];
    return v;
  }
  V3 origin(int first) const {
    V3 v;
    for (int i = 0; i < 3; ++i) v[i] = T::variable(p0[static_cast<std::size_t>(i)], p1[static_cast<std::size_t>(i)], first + i);
    return v;
  }
  V3 point(const Vector3& s, int first) const { return origin(first) + turned(s, first); }
};

std::array<double, 12> increments(const Pose& a, const Pose& b) {
  std::array<double, 12> x{};
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = a.p1[i] - a.p0[i], x[3 + i] = a.r[i];
    x[6 + i] = b.p1[i] - b.p0[i], x[9 + i] = b.r[i];
  }
  return x;
}

template <class Measure>
double worst_work(unsigned seed, double step, const Measure& measure) {
  Dice dice(seed);
  double worst = 0;
  for (int k = 0; k < 2000; ++k) {
    const Pose a = Pose::random(dice, step), b = Pose::random(dice, step);
    const T m = measure(dice, a, b);
    worst = std::max(worst, std::abs(m.change(increments(a, b)) - m.change()));
  }
  return worst;
}

TEST(WorkOfMeasures, distance_of_two_points) {
  for (double step : {1e-9, 1e-3, 0.17, 1.5}) {
    const double worst = worst_work(21, step, [](Dice& dice, const Pose& a, const Pose& b) {
      return norm(b.point(dice.direction(), 6) - a.point(dice.direction(), 0));
    });
    EXPECT_LT(worst, 40 * kEps) << "distances of order two, some ten roundings; step " << step;
  }
}

TEST(WorkOfMeasures, dot_product_of_vectors_fixed_to_two_bodies) {
  for (double step : {1e-9, 1e-3, 0.17, 1.5}) {
    const double worst = worst_work(22, step, [](Dice& dice, const Pose& a, const Pose& b) {
      return dot(a.turned(dice.direction(), 0), b.turned(dice.direction(), 6));
    });
    EXPECT_LT(worst, 20 * kEps) << "values up to one; step " << step;
  }
}

TEST(WorkOfMeasures, angle_between_two_bodies_about_an_axis) {
  const double worst = worst_work(23, 0.1, [](Dice& dice, const Pose& a, const Pose& b) {
    const V3 x = a.turned({1, 0, 0}, 0), y = a.turned({0, 1, 0}, 0), u = b.turned(dice.direction(), 6);
    return atan2(dot(y, u), dot(x, u));
  });
  // where the vector is nearly along the axis the angle is round-off over its small projection
  EXPECT_LT(worst, 1e-11);
}

/// The rim of a disk (radius a, centre c, axes e, f) in a cylinder about the axis n through o: squared distance of the rim point at an
/// angle from the axis, and the condition for the farthest one.
struct Rim {
  double radius;
  template <class S>
  Vec<3, S> point(const S& angle, const std::array<S, 12>& p) const {
    using std::cos, std::sin;
    const S c = radius * cos(angle), s = radius * sin(angle);
    return {{p[0] + c * p[3] + s * p[6], p[1] + c * p[4] + s * p[7], p[2] + c * p[5] + s * p[8]}};
  }
  template <class S>
  S operator()(const S& angle, const std::array<S, 12>& p) const {
    using std::cos, std::sin;
    const S c = radius * cos(angle), s = radius * sin(angle);
    const Vec<3, S> x = point(angle, p), n{{p[9], p[10], p[11]}};
    const Vec<3, S> t{{c * p[6] - s * p[3], c * p[7] - s * p[4], c * p[8] - s * p[5]}};
    return dot(x, t) - dot(x, n) * dot(t, n);
  }
};

TEST(WorkOfMeasures, gap_of_a_disk_in_a_cylinder_with_an_inner_solve) {
  const Rim rim{0.1};
  double largest = 0;
  for (double step : {1e-9, 1e-3, 0.17}) {
    Dice dice(24);
    double worst = 0;
    for (int k = 0; k < 500; ++k) {
      // the disk sits inside the cylinder, tilted by up to half a radian and off centre, and moves
      Pose a = Pose::random(dice, step), b = Pose::random(dice, step);
      const auto tilt = dice.direction();
      b.q0 = product(a.q0, rotation_of({0.5 * tilt[0], 0.5 * tilt[1], 0.5 * tilt[2]}, Chart::exponential));
      const Vector3 rho = rotate(conjugate(b.q0), b.r);
      b.q1 = product(b.q0, rotation_of(rho, Chart::cayley));
      const Vector3 off = rotate(a.q0, {0.02 + 0.02 * std::abs(tilt[0]), 0.02 * tilt[1], tilt[2]});
      for (std::size_t i = 0; i < 3; ++i) {
        const double d = 0.05 * (b.p1[i] - b.p0[i]) + (a.p1[i] - a.p0[i]);
        b.p0[i] = a.p0[i] + off[i];
        b.p1[i] = b.p0[i] + d;
      }
      const V3 c = b.origin(6) - a.origin(0), e = b.turned({1, 0, 0}, 6), f = b.turned({0, 1, 0}, 6), n = a.turned({0, 0, 1}, 0);
      const std::array<T, 12> p = {c[0], c[1], c[2], e[0], e[1], e[2], f[0], f[1], f[2], n[0], n[1], n[2]};
      // start from the best of some angles, as a mark would remember it
      double guess = 0, best = -1;
      std::array<double, 12> at;
      for (std::size_t i = 0; i < 12; ++i) at[i] = p[i].start;
      for (int j = 0; j < 24; ++j) {
        const double angle = j * M_PI / 12;
        const Vec<3> x = rim.point(angle, at), axis{{at[9], at[10], at[11]}};
        const double far = dot(x, x) - dot(x, axis) * dot(x, axis);
        if (far > best) best = far, guess = angle;
      }
      const T angle = implicit_root(rim, guess, p);
      const V3 x = rim.point(angle, p);
      const T along = dot(x, n);
      const T gap = 0.2 - sqrt(dot(x, x) - along * along);
      worst = std::max(worst, std::abs(gap.change(increments(a, b)) - gap.change()));
      largest = std::max(largest, std::abs(gap.change()));
    }
    // the angle is known to round-off over the curvature of the distance, and the gap is flat in it
    EXPECT_LT(worst, 1e-12) << "step " << step;
  }
  EXPECT_GT(largest, 5e-3) << "the gaps really change";
}

template <class Law>
void check_pull(const Law& law, unsigned seed, const char* name) {
  Dice dice(seed);
  for (int k = 0; k < 2000; ++k) {
    const double u0 = dice.between(-1, 1), size = std::pow(10.0, dice.between(-12, 0)), u1 = u0 + size * dice.between(-1, 1);
    const auto potential = apply([&](const auto& u) { return law.potential(u); }, TwoPoint<1>::variable(u0, u1, 0));
    EXPECT_EQ(potential.start, law.potential(u0));
    EXPECT_EQ(potential.end, law.potential(u1));
    const double scale = std::max(law.potential(u0), law.potential(u1)) + 1;
    EXPECT_NEAR(potential.change({u1 - u0}), law.potential(u1) - law.potential(u0), 20 * kEps * scale) << name;
    // the force of the pair is the force between the ends
    if (size < 1e-6) {
      EXPECT_NEAR(potential.row[0], law.elastic(0.5 * (u0 + u1)), 1e-4) << name;
    }
  }
}

TEST(WorkOfMeasures, potentials_of_all_pulls_also_across_their_corners) {
  Spring spring;
  spring.stiffness = 3, spring.cubic = 5, spring.length = 0.1;
  check_pull(spring, 31, "spring");
  DeadBand band;
  band.stiffness = 4, band.clearance = 0.2, band.cubic = 2;
  check_pull(band, 32, "dead_band");
  OneWay stop;
  stop.stiffness = 4, stop.cubic = 1, stop.gap = 0.1;
  check_pull(stop, 33, "one_way");
  TableSpring table;
  table.extension = {-0.5, 0, 0.3}, table.force = {-2, 0, 1};
  check_pull(table, 34, "table_spring");
}

TEST(WorkOfMeasures, spring_between_two_turning_bodies_does_the_work_of_its_potential) {
  Spring spring;
  spring.stiffness = 100, spring.cubic = 30, spring.length = 0.7;
  const double worst = worst_work(25, 0.5, [&](Dice& dice, const Pose& a, const Pose& b) {
    return spring.potential(norm(b.point(dice.direction(), 6) - a.point(dice.direction(), 0)));
  });
  EXPECT_LT(worst, 1e-11) << "energies up to 1e4 J";
}

}  // namespace
}  // namespace bristle
