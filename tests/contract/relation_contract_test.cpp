// Every relation between two markers: row, rates and slopes against differences of its value.
#include <gtest/gtest.h>

#include "bristle/measure/relation.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;
using Kind = Relation::Kind;

std::vector<Relation> all_relations() {
  std::vector<Relation> list;
  for (int i = 0; i < 3; ++i) {
    for (Kind kind : {Kind::along, Kind::turn, Kind::cardan, Kind::spin, Kind::spin_b, Kind::push_b})
      list.push_back({kind, i, 0});
    for (int j = 0; j < 3; ++j) list.push_back({Kind::dot, i, j});
  }
  for (Kind kind : {Kind::distance, Kind::angle, Kind::twist}) list.push_back({kind, 0, 0});
  return list;
}

Vec3<> vec(const Vector3d& v) { return {{v.x(), v.y(), v.z()}}; }

/// Two markers that move: each turns with a constant angular velocity, B moves along a straight line.
struct Motion {
  Eigen::Matrix3d A, B;
  Vector3d p_A, p_B, w_A, w_B, v_A, v_B;
  static Mat3<> mat(const Eigen::Matrix3d& R) {
    Mat3<> m;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) m(i, j) = R(i, j);
    }
    return m;
  }
  static Frame<> frame(const Eigen::Matrix3d& R, const Vector3d& p) { return {mat(R), vec(p)}; }
  Frame<> a(double t) const { return frame(turn(w_A, t) * A, p_A + t * v_A); }
  Frame<> b(double t) const { return frame(turn(w_B, t) * B, p_B + t * v_B); }
  static Eigen::Matrix3d turn(const Vector3d& w, double t) {
    return Eigen::AngleAxisd(t * w.norm(), w.normalized()).toRotationMatrix();
  }
};

Motion random_motion(Dice& dice) {
  Motion m;
  m.A = random_turn(dice).toRotationMatrix();
  m.B = random_turn(dice).toRotationMatrix();
  m.p_A = random_vector(dice, 1), m.p_B = random_vector(dice, 1);
  m.w_A = random_vector(dice, 2), m.w_B = random_vector(dice, 2);
  m.v_A = random_vector(dice, 1), m.v_B = random_vector(dice, 1);
  return m;
}

// central differences over 1e-4 with fourth order: truncation 1e-15, round-off 1e-12; relations have second derivatives below 1e3
// except near their singular places, which are left out
constexpr double kStep = 1e-3, kTolerance = 2e-8;

template <class F>
double slope(const F& f) {
  return (8 * (f(kStep) - f(-kStep)) - (f(2 * kStep) - f(-2 * kStep))) / (12 * kStep);
}

/// Away from where the relation is singular or its angle jumps.
bool regular(const Relation& r, const Motion& m) {
  const Frame<> A = m.a(0), B = m.b(0);
  if (r.kind == Kind::angle) {
    const Vec3<> z = A.R.column(2), x = B.R.column(0);
    return std::abs(dot(z, x)) < 0.8 && std::abs(calc_relation(r, A, B).value) < 2.9;
  }
  if (r.kind == Kind::cardan)
    return std::abs(dot(A.R.column(0), B.R.column(2))) < 0.8 && std::abs(calc_relation(r, A, B).value) < 2.9;
  if (r.kind == Kind::turn) return Eigen::AngleAxisd(Eigen::Matrix3d(m.A.transpose() * m.B)).angle() < 2.6;
  return true;
}

TEST(RelationContract, the_row_is_the_derivative_of_the_value) {
  Dice dice(11);
  for (const Relation& r : all_relations()) {
    if (!r.holonomic()) continue;
    int tried = 0;
    while (tried < 30) {
      const Motion m = random_motion(dice);
      if (!regular(r, m)) continue;
      ++tried;
      const double rate = slope([&](double t) { return calc_relation(r, m.a(t), m.b(t)).value; });
      const RelationRow<> row = calc_relation(r, m.a(0), m.b(0));
      // velocity of B's marker and angular velocity as seen from A
      const Vec3<> u = vec(m.v_B - m.v_A - m.w_A.cross(m.p_B - m.p_A)), w = vec(m.w_B - m.w_A);
      EXPECT_NEAR(dot(row.F, u) + dot(row.M, w), rate, kTolerance) << static_cast<int>(r.kind) << r.i << r.j;
    }
  }
}

TEST(RelationContract, rates_of_the_row_are_its_derivatives_along_the_motion) {
  Dice dice(12);
  for (const Relation& r : all_relations()) {
    int tried = 0;
    while (tried < 30) {
      const Motion m = random_motion(dice);
      if (!regular(r, m)) continue;
      ++tried;
      Vec3<> F, M;
      calc_relation_rates(r, m.a(0), m.b(0), vec(m.w_A), vec(m.w_B), vec(m.v_B - m.v_A), F, M);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(F[k], slope([&](double t) { return calc_relation(r, m.a(t), m.b(t)).F[k]; }), kTolerance)
            << static_cast<int>(r.kind) << r.i << r.j;
        EXPECT_NEAR(M[k], slope([&](double t) { return calc_relation(r, m.a(t), m.b(t)).M[k]; }), kTolerance)
            << static_cast<int>(r.kind) << r.i << r.j;
      }
    }
  }
}

TEST(RelationContract, slopes_of_the_row_are_its_derivatives_by_every_motion) {
  Dice dice(13);
  for (const Relation& r : all_relations()) {
    int tried = 0;
    while (tried < 10) {
      Motion m = random_motion(dice);
      if (!regular(r, m)) continue;
      ++tried;
      const RelationSlope s = calc_relation_slope(r, m.a(0), m.b(0));
      const Mat3<>* by[2][3] = {{&s.F_A, &s.F_B, &s.F_d}, {&s.M_A, &s.M_B, &s.M_d}};
      for (int c = 0; c < 9; ++c) {
        const Vector3d unit = Vector3d::Unit(c % 3), none = Vector3d::Zero();
        const Vector3d still = 1e-300 * Vector3d::UnitX();  // an axis, but no turn
        m.w_A = c < 3 ? unit : still, m.w_B = c >= 3 && c < 6 ? unit : still;
        m.v_A = none, m.v_B = c >= 6 ? unit : none;
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR((*by[0][c / 3])(k, c % 3), slope([&](double t) { return calc_relation(r, m.a(t), m.b(t)).F[k]; }),
                      kTolerance);
          EXPECT_NEAR((*by[1][c / 3])(k, c % 3), slope([&](double t) { return calc_relation(r, m.a(t), m.b(t)).M[k]; }),
                      kTolerance);
        }
      }
    }
  }
}

TEST(RelationContract, cardan_angles_are_those_of_turns_one_after_the_other) {
  Dice dice(15);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector3d angle(dice.between(-3, 3), dice.between(-1.5, 1.5), dice.between(-3, 3));
    const Eigen::Matrix3d A = random_turn(dice).toRotationMatrix();
    const Eigen::Matrix3d B =
        A * (Eigen::AngleAxisd(angle[0], Vector3d::UnitX()) * Eigen::AngleAxisd(angle[1], Vector3d::UnitY()) *
             Eigen::AngleAxisd(angle[2], Vector3d::UnitZ()))
                .toRotationMatrix();
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(
          calc_relation({Kind::cardan, i, 0}, Motion::frame(A, Vector3d::Zero()), Motion::frame(B, Vector3d::Zero())).value,
          angle[i], 1e-12);
  }
}

TEST(RelationContract, rotation_vectors_are_right_near_no_turn_and_near_half_a_turn) {
  Dice dice(14);
  for (double angle : {0.0, 1e-12, 1e-8, 1e-5, 0.99e-4, 1.01e-4, 1e-3, 0.1, 1.0, 2.0, 3.0, 3.1, 3.14, 3.1415}) {
    for (int k = 0; k < 20; ++k) {
      const auto u = dice.direction();
      const Vector3d phi = angle * Vector3d(u[0], u[1], u[2]);
      Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Vector3d(u[0], u[1], u[2])).toRotationMatrix();
      Vec3<> found;
      Mat3<> J;
      rotation_vector(Motion::mat(R), found, J);
      // the axis comes from the sine: near half a turn it loses digits
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(found[i], phi[i], 1e-15 + 8e-15 / (angle > 1 ? std::abs(std::sin(angle)) : 1.0)) << angle;
    }
  }
}

TEST(RelationContract, inverse_jacobians_of_rotation_vectors_lose_no_digits_at_small_angles) {
  Dice dice(15);
  for (double angle : {1e-6, 0.99e-4, 1.01e-4, 1e-3, 3e-3, 0.01, 0.02, 0.0316, 0.0317, 0.05, 0.1, 0.5, 1.5}) {
    const auto u = dice.direction();
    const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Vector3d(u[0], u[1], u[2])).toRotationMatrix();
    Vec3<> found;
    Mat3<> J;
    rotation_vector(Motion::mat(R), found, J);
    // 1 - [phi]/2 + eta [phi]^2, eta = (1 - (x/2) cot(x/2))/x^2, with more digits
    const long double x = angle, half = x / 2,
                      eta = x < 1e-2L ? 1 / 12.0L + x * x / 720 + x * x * x * x / 30240 + x * x * x * x * x * x / 1209600
                                      : (1 - half * cosl(half) / sinl(half)) / (x * x);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int k = 3 - i - j;
        const long double turn = i == j ? 0 : ((j - i + 3) % 3 == 1 ? 1 : -1) * x * u[static_cast<std::size_t>(k)] / 2;
        const long double square =
            x * x *
            (static_cast<long double>(u[static_cast<std::size_t>(i)]) * u[static_cast<std::size_t>(j)] - (i == j ? 1 : 0));
        EXPECT_NEAR(J(i, j), static_cast<double>((i == j ? 1 : 0) + turn + eta * square), 2e-15) << angle;
      }
    }
  }
}

}  // namespace
}  // namespace bristle
