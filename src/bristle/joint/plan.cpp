#include "bristle/joint/plan.h"

#include <cmath>
#include <numbers>

#include "bristle/joint/pages.h"
#include "bristle/joint/plan_parts.h"
#include "bristle/joint/worn.h"

namespace bristle {

std::string rate_name(const RelationPlan& motion) {
  if (*motion.rate != 0) return motion.rate;
  return (motion.relation.rotary() ? "speed_" : "velocity_") + std::string(motion.name);
}

namespace {

using namespace plan_parts;

JointPlan plan_fixed(const JointSizes&) {
  JointPlan p;
  p.held = joined(joined(point(), axis()), {dot(0, 1, "turn about z")});
  return p;
}

JointPlan plan_revolute(const JointSizes& s) {
  JointPlan p;
  p.held = joined(point(), axis());
  p.motions = {angle()};
  p.bearings = {pin(s, p.motions[0], {0, 1}, {2}, {3, 4})};
  return p;
}

/// The friction matrix of the translational joint: lateral forces rub on the faces at half the width beside the axis, moments press on
/// two opposite faces (Frictional Contacts in Multibody Dynamics, section 4.1; the explicit form is ours).
JointPlan plan_prismatic(const JointSizes& s) {
  JointPlan p;
  p.held = joined(joined({along(0, kAlong[0]), along(1, kAlong[1])}, axis()), {dot(0, 1, "turn about z")});
  p.motions = {displacement()};
  BearingPlan b;
  b.preload = s.preload;
  b.slip = {p.motions[0]};
  const double length = s.length > 0 ? s.length : s.width, half = (s.outer ? -0.5 : 0.5) * s.width;
  b.load = {{{0}, 1}, {{1}, 1}};
  if (s.moment_load) b.load.insert(b.load.end(), {{{2}, 2 / length}, {{3}, 2 / length}, {{4}, 2 / s.width}});
  // (t_k x z): x x z = -y, y x z = x
  b.moments = {{{{Kind::spin, 1, 0}, "turn about y"}, 0, -half}, {{{Kind::spin, 0, 0}, "turn about x"}, 1, half}};
  p.bearings = {b};
  return p;
}

JointPlan plan_cylindrical(const JointSizes& s) {
  JointPlan p;
  p.held = joined({along(0, kAlong[0]), along(1, kAlong[1])}, axis());
  p.motions = {displacement(), angle()};
  BearingPlan b;
  b.preload = s.preload;
  b.slip = {p.motions[0], scaled(p.motions[1], s.pin_radius)};
  b.load = {{{0, 1}, 1}};
  if (s.bending_arm > 0) b.load.push_back({{2, 3}, 1 / s.bending_arm});
  p.bearings = {b};
  return p;
}

JointPlan plan_universal(const JointSizes& s) {
  JointPlan p;
  p.held = joined(point(), {dot(2, 2, "angle between the cross axes")});
  RelationPlan first = angle(), second = with_rate({{Kind::angle, 0, 0}, "second_angle"}, "second_speed");
  first.turn_b = 2;  // the second axis, seen in the frame of the first
  second.turn_b = 2;
  second.swap = true;
  p.motions = {first, second};
  BearingPlan a = pin(s, first, {0, 1, 2}, {}, {3}), b = pin(s, second, {0, 1, 2}, {}, {3});
  a.name = "first";
  b.name = "second";
  p.bearings = {a, b};
  return p;
}

JointPlan plan_spherical(const JointSizes& s) {
  JointPlan p;
  p.held = point();
  p.motions = cardan();
  p.rates = spins();
  BearingPlan b;
  b.preload = s.preload;
  for (int k = 0; k < 3; ++k) b.slip.push_back(scaled({{Kind::spin, k, 0}, kAxis[k]}, s.pin_radius));
  b.load = {{{0, 1, 2}, 1}};
  p.bearings = {b};
  return p;
}

JointPlan plan_planar(const JointSizes& s) {
  JointPlan p;
  p.held = joined({along(2, kAlong[2])}, axis());
  p.motions = {along(0, "x"), along(1, "y"), angle()};
  BearingPlan b;
  b.preload = s.preload;
  b.slip = {p.motions[0], p.motions[1]};
  b.load = {{{0}, 1}};
  if (s.bending_arm > 0) b.load.push_back({{1, 2}, 1 / s.bending_arm});
  p.bearings = {b};
  if (s.friction_arm > 0) {  // turning on the spot
    BearingPlan drill = b;
    drill.name = "drill";
    drill.slip = {scaled(p.motions[2], s.friction_arm)};
    p.bearings.push_back(drill);
  }
  return p;
}

JointPlan plan_point_on_line(const JointSizes& s) {
  JointPlan p;
  p.held = {along(0, kAlong[0]), along(1, kAlong[1])};
  p.motions = {displacement()};
  p.rates = spins();
  BearingPlan b;
  b.preload = s.preload;
  b.slip = {p.motions[0]};
  b.load = {{{0, 1}, 1}};
  p.bearings = {b};
  return p;
}

JointPlan plan_point_in_plane(const JointSizes& s) {
  JointPlan p;
  p.held = {along(2, kAlong[2])};
  p.motions = {along(0, "x"), along(1, "y")};
  p.rates = spins();
  BearingPlan b;
  b.preload = s.preload;
  b.slip = {p.motions[0], p.motions[1]};
  b.load = {{{0}, 1}};
  p.bearings = {b};
  return p;
}

JointPlan plan_distance(const JointSizes&) {
  JointPlan p;
  p.held = {with_rate({{Kind::distance, 0, 0}, "distance"}, "velocity")};
  p.rates = spins();
  p.needs_length = true;
  return p;
}

/// Holds nothing: a name for how two bodies move relative to each other, to measure it, to pull on it, to stop it.
JointPlan plan_free(const JointSizes&) {
  JointPlan p;
  p.motions = {along(0, "x"), along(1, "y"), along(2, "z"), angle()};
  p.rates = spins();
  return p;
}

JointPlan plan_constant_velocity(const JointSizes&) {
  JointPlan p;
  p.held = joined(point(), {{{Kind::twist, 0, 0}, "twist"}});
  p.motions = {with_rate({{Kind::turn, 0, 0}, "bend_x"}, "bend_speed_x"),
               with_rate({{Kind::turn, 1, 0}, "bend_y"}, "bend_speed_y")};  // without twist the rotation vector has no z
  return p;
}

/// A thread at the radius r with the lead angle b: tan b = lead / (2 pi r). It carries the axial force N cos b, so N = |lambda| / cos b, and
/// rubs along itself: by sin b of the advance and r cos b of the turn.
JointPlan plan_screw(const JointSizes& s) {
  JointPlan p = plan_cylindrical(s);
  p.motions = {angle(), displacement()};
  const double per_turn = s.lead / (2 * std::numbers::pi), slope = std::atan(per_turn / s.pin_radius);
  p.coupled = {{{{1, 1}, {0, -per_turn}}, "advance of the thread"}};
  const int thread = static_cast<int>(p.held.size());
  BearingPlan b;
  b.preload = s.preload;
  b.path = {{{1, std::sin(slope)}, {0, s.pin_radius * std::cos(slope)}}, "path along the thread"};
  b.load = {{{thread}, 1 / std::cos(slope)}, {{0, 1}, 1}};
  p.bearings = {b};
  return p;
}

}  // namespace

namespace {

/// Joints that hold three rows or more at one place.
void add_pairs(JointRegistry& r) {
  r.add({.name = "fixed", .summary = "no relative motion (6 rows)", .plan = plan_fixed, .page = joint_page(kFixedPage)});
  r.add({.name = "revolute",
         .summary = "turns about its axis (5 rows)",
         .plan = plan_revolute,
         .sizes = {"!pin_radius", "friction_arm", "bending_arm"},
         .page = joint_page(kRevolutePage),
         .worn = worn_revolute,
         .worn_sizes = {"!pin_radius", "length", "axial_clearance"}});
  r.add({.name = "prismatic",
         .summary = "slides along its axis without turning (5 rows)",
         .plan = plan_prismatic,
         .sizes = {"!width", "length", "outer", "moment_load"},
         .page = joint_page(kPrismaticPage),
         .worn = worn_prismatic,
         .worn_sizes = {"!width", "!length", "height"}});
  r.add({.name = "cylindrical",
         .summary = "turns about and slides along its axis (4 rows)",
         .plan = plan_cylindrical,
         .sizes = {"!pin_radius", "bending_arm"},
         .page = joint_page(kCylindricalPage),
         .worn = worn_cylindrical,
         .worn_sizes = {"!pin_radius", "!length"}});
  r.add({.name = "screw",
         .summary = "turns about its axis and advances by its lead (5 rows)",
         .plan = plan_screw,
         .sizes = {"!pin_radius"},
         .has_lead = true,
         .page = joint_page(kScrewPage)});
  r.add({.name = "universal",
         .summary = "turns about two crossed axes, one on each body (4 rows)",
         .plan = plan_universal,
         .sizes = {"!pin_radius", "bending_arm"},
         .two_axes = true,
         .page = joint_page(kUniversalPage)});
  r.add({.name = "spherical",
         .summary = "turns about a point (3 rows)",
         .plan = plan_spherical,
         .sizes = {"!pin_radius"},
         .between_points = true,
         .page = joint_page(kSphericalPage),
         .worn = worn_spherical,
         .worn_sizes = {"!pin_radius"}});
  r.add({.name = "planar",
         .summary = "slides and turns in a plane; the axis is its normal (3 rows)",
         .plan = plan_planar,
         .sizes = {"friction_arm", "bending_arm"},
         .page = joint_page(kPlanarPage),
         .worn = worn_planar,
         .worn_sizes = {"plate_radius"}});
}

/// Joints of points and of shafts, and the one that holds nothing.
void add_others(JointRegistry& r) {
  r.add({.name = "point_on_line",
         .summary = "a point of B stays on the axis of A (2 rows)",
         .plan = plan_point_on_line,
         .sizes = {"preload"},
         .page = joint_page(kPointOnLinePage),
         .worn = worn_point_on_line,
         .worn_sizes = {"!pin_radius", "length"}});
  r.add({.name = "point_in_plane",
         .summary = "a point of B stays in the plane of A whose normal is the axis (1 row)",
         .plan = plan_point_in_plane,
         .sizes = {"preload"},
         .page = joint_page(kPointInPlanePage)});
  r.add({.name = "distance",
         .summary = "keeps the distance of two points (1 row)",
         .plan = plan_distance,
         .between_points = true,
         .page = joint_page(kDistancePage)});
  r.add({.name = "free",
         .summary = "holds nothing: its motions are measured, sprung, stopped or given play (0 rows)",
         .plan = plan_free,
         .page = joint_page(kFreePage)});
  r.add({.name = "constant_velocity",
         .summary = "transmits rotation evenly between inclined shafts along the axis (4 rows)",
         .plan = plan_constant_velocity,
         .page = joint_page(kConstantVelocityPage)});
}

}  // namespace

const JointRegistry& joint_registry() {
  static const JointRegistry registry = [] {
    JointRegistry r("joint");
    add_pairs(r);
    add_others(r);
    return r;
  }();
  return registry;
}

}  // namespace bristle
