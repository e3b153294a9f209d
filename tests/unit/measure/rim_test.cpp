// Rims around lines and inside bores: the least distance by brute force, the pairs of surfaces that they generalise, centre lines of beams.
#include <cmath>

#include "bristle/measure/bent_line.h"
#include "bristle/measure/cylinder_in_sleeve.h"
#include "bristle/measure/sleeve.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

const CylinderInSleeve kPipe{0.0252, 0.0250, 0.0401, 0.04};

/// The rim of A about the z axis of B as a geometry of its own.
struct RimOnAxis {
  Rim rim;
  static constexpr int kPoints = 1;
  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    out[0] = touch_rim_on_axis(rim, A, B);
  }
};
const RimOnAxis kRing{{0.0126, 0.0125, 1}}, kShoe{{0.0125, 0.0126, -1}};

TEST(Rim, keeps_the_contract_of_touches) {
  keep_contract(*make_geometry(kPipe), {0.01, 1e-3, 0.05, 1e-5});
  keep_contract(*make_geometry(kRing), {0.01, 1e-3, 0.05, 1e-5});
  keep_contract(*make_geometry(kShoe), {0.01, 1e-3, 0.05, 1e-5});
}

TEST(Rim, at_large_lean_and_anywhere_gives_numbers) {
  keep_contract(*make_geometry(RimOnAxis{{0.02, 0.01, 1}}), {0.01, 8e-3, 0.7, 1e-5});
  for (const RimOnAxis& g : {kRing, kShoe}) {
    Random r(7);
    for (int k = 0; k < 2000; ++k) {
      const Stance p = random_pose(r, 0.01 * std::pow(10, between(r, -12, 3)), std::pow(10, between(r, -12, 0.1)));
      EXPECT_TRUE(finite(*make_geometry(g), p));
    }
  }
}

/// Distance of a point from the z axis of a frame.
double off_axis(const Frame<>& B, const Vec3<>& x) {
  const Vec3<> u = transposed(B.R, x - B.p);
  return std::hypot(u[0], u[1]);
}

TEST(Rim, gap_is_the_least_over_the_whole_rim) {
  Random r(5);
  for (int k = 0; k < 100; ++k) {
    const double lean = k % 2 == 0 ? 0.02 : 0.6;
    for (const RimOnAxis& g : {RimOnAxis{{0.02, 0.01, 1}}, RimOnAxis{{0.01, 0.02, -1}}}) {
      const Stance p = random_pose(r, 4e-3, lean);
      const double gap = touches(*make_geometry(g), p, nullptr)[0].gap;
      double best = 1;
      constexpr int kSteps = 20000;
      for (int i = 0; i < kSteps; ++i) {
        const double a = 2 * M_PI * i / kSteps;
        const double away = off_axis(p.B, place_of(p.A, vec(g.rim.radius * std::cos(a), g.rim.radius * std::sin(a), 0)));
        best = std::min(best, g.rim.side * (away - g.rim.line_radius));
      }
      EXPECT_LE(gap, best + 1e-16);
      EXPECT_NEAR(gap, best, 0.01 * std::pow(2 * M_PI / kSteps, 2));
    }
  }
}

TEST(Rim, inside_a_bore_is_the_disk_in_a_cylinder) {
  Random r(6);
  const DiskInCylinder disk{kShoe.rim.line_radius, kShoe.rim.radius, 0, 0, 0};
  for (int k = 0; k < 200; ++k) {
    const Stance p = random_pose(r, 1e-3, 0.3);
    const Touch<> mine = touches(*make_geometry(kShoe), p, nullptr)[0],
                  other = touches(*make_geometry(disk), {p.B, p.A}, nullptr)[0];
    EXPECT_NEAR(mine.gap, other.gap, 2e-16);  // round-off of positions of 0.3 m
    EXPECT_LT(norm(mine.normal + other.normal), 1e-12);
    EXPECT_LT(norm(mine.point - other.point), 1e-14);
  }
}

TEST(Sleeve, in_space_has_in_the_plane_the_corners_that_are_nearer) {
  Random r(7);
  const Sleeve flat{kPipe.bore, kPipe.diameter, kPipe.sleeve_length, kPipe.cylinder_length};
  for (int k = 0; k < 200; ++k) {
    const Frame<> A{random_rotation(r), random_vector(r, 0.3)};
    const Stance p = pose(A, vec(between(r, -2e-4, 2e-4), 0, between(r, -0.01, 0.01)), vec(0, between(r, -0.02, 0.02), 0));
    const auto round = touches(*make_geometry(kPipe), p, nullptr), corners = touches(*make_geometry(flat), p, nullptr);
    for (std::size_t end = 0; end < 2; ++end) {
      const Touch<>& near = corners[2 * end].gap < corners[2 * end + 1].gap ? corners[2 * end] : corners[2 * end + 1];
      EXPECT_NEAR(round[end].gap, near.gap, 1e-16);
      EXPECT_LT(norm(round[end].normal - near.normal), 1e-11);
      EXPECT_LT(norm(round[end].point - near.point), 1e-12);
    }
  }
}

TEST(Sleeve, in_space_tells_when_the_cylinder_has_left) {
  const auto g = make_geometry(kPipe);
  const Frame<> A{Mat3<>::identity(), {}};
  for (const double z : {-0.01, 0.039}) EXPECT_EQ(g->trouble(A, pose(A, vec(0, 0, z), vec(0, 0, 0)).B, nullptr), nullptr);
  EXPECT_NE(g->trouble(A, pose(A, vec(0, 0, 0.041), vec(0, 0, 0)).B, nullptr), nullptr);
}

/// An arc of radius 1 in the plane x, z, from the bottom: nodes whose frames are at the line, x along it.
struct Arc {
  std::vector<Pose> pose;
  BentLine line;
  explicit Arc(int elements, double angle) {
    std::vector<BentLine::Node> nodes;
    for (int k = 0; k <= elements; ++k) {
      const double a = angle * k / elements;
      Pose p;
      p.R = rotation(vec(0, -a, 0));
      p.p = vec(std::sin(a), 0, 1 - std::cos(a));
      pose.push_back(p);
      nodes.push_back({k, {}, vec(1, 0, 0), a});
    }
    line = BentLine(std::move(nodes));
  }
  LinePoint<> at(double along) const { return PlacedLine{line, pose.data()}.at(along); }
};

TEST(BentLine, is_smooth_and_nears_an_arc_with_the_fourth_power) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const Arc arc(i == 0 ? 4 : 8, 1.2);
    error[i] = 0;
    for (int k = 0; k <= 1000; ++k) error[i] = std::max(error[i], std::abs(norm(arc.at(1.2 * k / 1000).p - vec(0, 0, 1)) - 1));
  }
  EXPECT_GT(error[0] / error[1], 15);
  EXPECT_LT(error[0] / error[1], 17);
  EXPECT_LT(error[1], 1e-5);  // L^4/384
  const Arc arc(4, 1.2);
  for (int k = 1; k < 4; ++k) {
    const LinePoint<> before = arc.at(0.3 * k - 1e-9), after = arc.at(0.3 * k + 1e-9);
    EXPECT_LT(norm(before.p - after.p), 3e-9);
    EXPECT_LT(norm(before.d1 - after.d1), 1e-8);
  }
}

TEST(BentLine, is_found_by_a_rim_wherever_the_search_starts) {
  const Arc arc(5, 1.2);
  Random r(9);
  const PlacedLine line{arc.line, arc.pose.data()};
  const Rim ring{0.0126, 0.0125, 1};
  for (int k = 0; k < 200; ++k) {
    const double along = between(r, 0.05, 1.15);
    const LinePoint<> at = arc.at(along);
    Frame<> rim;
    rim.p = at.p + random_vector(r, 2e-4);
    const Vec3<> z = direction(at.d1 + random_vector(r, 0.02)), x = direction(cross(vec(0, 1, 0), z));
    rim.R.set_column(2, z), rim.R.set_column(0, x), rim.R.set_column(1, cross(z, x));
    const RimSpot one = find_rim_spot(ring, rim, line, along), other = find_rim_spot(ring, rim, line, between(r, 0, 1.2));
    EXPECT_NEAR(one.along, other.along, 1e-13);
    EXPECT_FALSE(one.at_end);
    if (k >= 20) continue;
    const Touch<> touch = touch_rim(ring, rim, line.at(one.along), one).touch;
    double best = 1;
    for (int i = 0; i < 400; ++i) {
      const double a = 2 * M_PI * i / 400;
      for (int j = -25; j <= 25; ++j) {
        const LinePoint<> c = line.at(one.along + 4e-5 * j);
        best = std::min(
            best, norm(place_of(rim, vec(ring.radius * std::cos(a), ring.radius * std::sin(a), 0)) - c.p) - ring.line_radius);
      }
    }
    EXPECT_LT(touch.gap, best + 1e-15);
    EXPECT_NEAR(touch.gap, best, 2e-7);
  }
}

TEST(BentLine, ends_in_a_half_ball_that_a_rim_slides_off_and_on) {
  const Arc arc(3, 0.9);
  const PlacedLine line{arc.line, arc.pose.data()};
  const LinePoint<> tip = arc.at(0.9);
  const Vec3<> along = direction(tip.d1), up = vec(-std::sin(0.9), 0, std::cos(0.9));
  const Rim ring{0.0126, 0.0125, 1};
  double last = 0;
  for (const double past : {-1e-3, -1e-6, 0.0, 1e-6, 1e-3, 2e-3, 5e-3}) {
    Frame<> rim;
    rim.R.set_column(2, along), rim.R.set_column(0, up), rim.R.set_column(1, cross(along, up));
    rim.p = tip.p + past * along - 2e-4 * up;  // the beam stands 0.2 mm above the middle
    const RimSpot spot = find_rim_spot(ring, rim, line, 0.85);
    EXPECT_EQ(spot.at_end, past > 0) << past;
    const double gap = touch_rim(ring, rim, line.at(spot.along), spot).touch.gap;
    if (past >= 0) {
      EXPECT_NEAR(gap, std::hypot(0.0124, past) - 0.0125, 1e-15) << past;
    } else {
      EXPECT_NEAR(gap, -1e-4, 1e-6) << past;  // the line bends away a little
    }
    if (past > 0) {
      EXPECT_GE(gap, last);
    }
    last = gap;
  }
}

}  // namespace
}  // namespace bristle
