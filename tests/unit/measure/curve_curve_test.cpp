#include "bristle/measure/curve_curve.h"

#include "bristle/measure/circle_in_circle.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

const Frame<> kGround{Mat3<>::identity(), Vec3<>{}};

Vec2<> vec2(double x, double y) {
  Vec2<> v;
  v[0] = x, v[1] = y;
  return v;
}
Profile rectangle(double width, double height, double rounding = 0) {
  return Profile::polygon(
      {vec2(-width / 2, -height / 2), vec2(width / 2, -height / 2), vec2(width / 2, height / 2), vec2(-width / 2, height / 2)},
      rounding);
}
// a disk cam with a lobe; concave flanks for large lift
Profile cam(double base, double lift) {
  std::vector<Vec2<>> points;
  for (int k = 0; k < 36; ++k) {
    const double f = 2 * M_PI * k / 36, r = base + lift * std::exp(3 * (std::cos(f) - 1));
    points.push_back(vec2(r * std::cos(f), r * std::sin(f)));
  }
  return Profile::spline(points);
}
// many points of an outline
std::vector<Vec2<>> outline(const Profile& p, int count) {
  std::vector<Vec2<>> out;
  if (p.smooth()) {
    for (int k = 0; k < count; ++k) {
      Vec2<> x, t, c;
      p.at(p.period() * k / count, x, t, c);
      out.push_back(x);
    }
    return out;
  }
  const auto& q = p.corners();
  const std::size_t n = q.size();
  const auto per = static_cast<std::size_t>(count) / (2 * n);
  const auto normal = [&](std::size_t i) {
    const Vec2<> e = direction(q[(i + 1) % n] - q[i]);
    return vec2(e[1], -e[0]);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2<> a = normal((i + n - 1) % n), b = normal(i);
    const double from = std::atan2(a[1], a[0]);
    double turn = std::atan2(cross(a, b), dot(a, b));
    for (std::size_t k = 0; k <= per; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(per);
      out.push_back(q[i] + p.radius() * vec2(std::cos(from + share * turn), std::sin(from + share * turn)));
      out.push_back(q[i] + share * (q[(i + 1) % n] - q[i]) + p.radius() * b);
    }
  }
  return out;
}

struct Named {
  const char* name;
  CurveCurve g;
};
std::vector<Named> pairs() {
  const Profile circle = Profile::circle(0.01), hole = Profile::circle(0.05).hollow(), oval = Profile::ellipse(0.03, 0.012);
  const Profile block = rectangle(0.04, 0.02), soft = rectangle(0.04, 0.02, 0.003), lobe = cam(0.02, 0.012),
                line = Profile::line();
  const Profile egg = Profile::ellipse(0.04, 0.03).hollow();
  return {{"circle-circle", {circle, Profile::circle(0.02)}},
          {"circle-line", {line, circle}},
          {"line-circle", {circle, line}},
          {"circle-ellipse", {oval, circle}},
          {"cam-roller", {lobe, circle}},
          {"roller-cam", {circle, lobe}},
          {"circle-polygon", {soft, circle}},
          {"polygon-line", {line, block}},
          {"line-polygon", {soft, line}},
          {"polygon-polygon", {block, soft}},
          {"ellipse-line", {line, oval}},
          {"line-ellipse", {oval, line}},
          {"cam-flat", {lobe, line}},
          {"ellipse-ellipse", {oval, Profile::ellipse(0.015, 0.02)}},
          {"cam-ellipse", {lobe, oval}},
          {"cam-cam", {lobe, lobe}},
          {"polygon-ellipse", {block, oval}},
          {"cam-polygon", {lobe, soft}},
          {"circle-hole", {hole, circle}},
          {"ellipse-hole", {hole, oval}},
          {"polygon-hole", {hole, soft}},
          {"circle-egg", {egg, circle}},
          {"hole-on-B", {oval, hole}}};
}

TEST(CurveCurve, keeps_the_contract_of_touches) {
  for (const Named& p : pairs()) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.g.problem(), nullptr);
    if (std::getenv("TOUCH_FIGURES")) std::printf("%-16s ", p.name);
    Contract c{0.03, 0.06, 0.05, 1e-4};
    if (p.g.a.is_hollow() || p.g.b.is_hollow()) c.shift = 0.012;
    c.deepest = -2e-3;  // beside radii of curvature from 5 mm: deeper, a common normal may end in a fold
    keep_contract(*make_geometry(p.g), c);
  }
}

TEST(CurveCurve, gap_is_the_least_distance_of_the_outlines) {
  for (const Named& p : pairs()) {
    if (p.g.a.kind() == Profile::Kind::line || p.g.b.kind() == Profile::Kind::line) continue;
    const auto as = outline(p.g.a, 1500), bs = outline(p.g.b, 1500);
    const bool inside = p.g.a.is_hollow() || p.g.b.is_hollow();
    Random r(5);
    const auto g = make_geometry(p.g);
    for (int k = 0; k < 8; ++k) {
      const double way = between(r, 0, 2 * M_PI), far = inside ? between(r, 0.001, 0.008) : between(r, 0.075, 0.1);
      const Stance x = pose(kGround, vec(far * std::cos(way), far * std::sin(way), 0), vec(0, 0, between(r, -3, 3)));
      double least = 1e9;
      const auto across = [&](const Vec2<>& q) { return x.B.p + q[0] * x.B.R.column(0) + q[1] * x.B.R.column(1); };
      for (const Vec2<>& q : bs) {
        const Vec3<> w = across(q);
        for (const Vec2<>& s : as) least = std::min(least, (w[0] - s[0]) * (w[0] - s[0]) + (w[1] - s[1]) * (w[1] - s[1]));
      }
      const double gap = least_gap(*g, x);
      // two grids of 1500 points on outlines of 0.3 m: half a step each, square over the gap
      EXPECT_NEAR(gap, std::sqrt(least), 4e-8 / std::max(gap, 1e-3)) << p.name << " pose " << k;
      EXPECT_LE(gap, std::sqrt(least) + 1e-12) << p.name;
    }
  }
}

TEST(CurveCurve, circle_in_circle_is_the_planar_clearance_joint) {
  const auto g = make_geometry(CurveCurve{Profile::circle(0.01).hollow(), Profile::circle(0.0095)});
  const auto e3 = make_geometry(CircleInCircle{0.01, 0.0095, 0});
  Random r(3);
  for (int k = 0; k < 1000; ++k) {
    const Stance p = random_pose(r, 1e-3, 0.1);
    const auto a = touches(*g, p, started(*g, p).data()), b = touches(*e3, p, nullptr);
    EXPECT_NEAR(a[0].gap, b[0].gap, 1e-16);
    EXPECT_LT(norm(a[0].normal - b[0].normal), 1e-13);
    EXPECT_LT(norm(a[0].point - b[0].point), 1e-15);
  }
  EXPECT_EQ(g->pair(0).radius_a, -0.01);
}

TEST(CurveCurve, ellipse_on_a_line_has_its_support_height) {
  const double a = 0.03, b = 0.012, f = 0.7, h = 0.05;
  const auto g = make_geometry(CurveCurve{Profile::line(), Profile::ellipse(a, b)});
  const Stance p = pose(kGround, vec(0.2, h, 0), vec(0, 0, f));
  EXPECT_NEAR(touches(*g, p, started(*g, p).data())[0].gap, h - std::hypot(a * std::sin(f), b * std::cos(f)), 1e-16);
}

TEST(CurveCurve, overlap_of_smooth_outlines_is_continuous_through_contact) {
  // along a straight way through the surface the gap of the same valley goes on smoothly: second differences stay small
  for (const Named& p : pairs()) {
    if (!p.g.a.smooth() || !p.g.b.smooth()) continue;
    const auto g = make_geometry(p.g);
    const bool inside = p.g.a.is_hollow() || p.g.b.is_hollow();
    Stance x = pose(kGround, vec(0.003, 0.07, 0), vec(0, 0, 0.3));
    if (inside) x = pose(kGround, vec(0.003, 0.002, 0), vec(0, 0, 0.3));
    const Touch<> t = touches(*g, x, started(*g, x).data())[0];
    double last[3] = {0, 0, 0};
    for (int k = 0; k < 41; ++k) {
      Stance y = x;  // along the normal: from 1e-4 outside to 3e-4 inside
      y.B.p = x.B.p - (t.gap - 1e-4 + 1e-5 * k) * t.normal;
      last[k % 3] = touches(*g, y, started(*g, y).data())[0].gap;
      EXPECT_NEAR(last[k % 3], 1e-4 - 1e-5 * k, 1e-12) << p.name;
    }
  }
}

TEST(CurveCurve, a_flat_side_rests_on_two_corners) {
  const auto g = make_geometry(CurveCurve{Profile::line(), rectangle(0.04, 0.02, 0.002)});
  ASSERT_EQ(g->points(), 2);
  for (const double tilt : {-1e-3, 0.0, 1e-3}) {
    const auto t = touches(*g, pose(kGround, vec(0.1, 0.0099, 0), vec(0, 0, tilt)), nullptr);
    EXPECT_NEAR(t[0].gap, -1e-4 - 0.018 * std::sin(tilt), 1e-8);
    EXPECT_NEAR(t[1].gap, -1e-4 + 0.018 * std::sin(tilt), 1e-8);
    EXPECT_NEAR(t[0].point[0], 0.082, 1e-4);
    EXPECT_NEAR(t[1].point[0], 0.118, 1e-4);
  }
  // flat on flat: the corners of the smaller block
  const auto two = make_geometry(CurveCurve{rectangle(0.1, 0.02), rectangle(0.04, 0.02)});
  const auto t = touches(*two, pose(kGround, vec(0.01, 0.0199, 0), vec(0, 0, 0)), nullptr);
  EXPECT_NEAR(t[0].gap, -1e-4, 1e-15);
  EXPECT_NEAR(t[1].gap, -1e-4, 1e-15);
  EXPECT_NEAR(std::abs(t[0].point[0] - t[1].point[0]), 0.04, 1e-12);
}

TEST(CurveCurve, spline_goes_through_its_points_with_continuous_curvature) {
  const Profile p = cam(0.02, 0.012);
  Vec2<> a, ta, ca, b, tb, cb;
  p.at(0.0, a, ta, ca);
  p.at(p.period() - 1e-12, b, tb, cb);
  EXPECT_NEAR(a[0], 0.032, 1e-15);
  EXPECT_LT(norm(a - b), 2e-12);
  EXPECT_LT(norm(ta - tb), 1e-9);
  EXPECT_LT(norm(ca - cb), 1e-6 * norm(ca));
  // a circle through 24 points: closer than the fourth power of the step
  std::vector<Vec2<>> points;
  for (int k = 0; k < 24; ++k) points.push_back(vec2(std::cos(2 * M_PI * k / 24), -std::sin(2 * M_PI * k / 24)));
  const Profile c = Profile::spline(points);
  Vec2<> g;
  EXPECT_NEAR(c.distance(vec2(2 * std::cos(0.1), 2 * std::sin(0.1)), g), 1, std::pow(2 * M_PI / 24, 4) / 100);
}

void fuzz_curves(int times) {
  for (const Named& p : pairs()) {
    SCOPED_TRACE(p.name);
    fuzz(*make_geometry(p.g), 0.03, times * 500);
  }
}
TEST(CurveCurve, fuzz_of_poses_gives_numbers) { fuzz_curves(1); }
TEST(CurveCurve, Long_fuzz_of_poses_gives_numbers) { fuzz_curves(10); }

}  // namespace
}  // namespace bristle
