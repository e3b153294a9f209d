// Joints with clearance: contact points in place of the rows that an ideal joint holds, on the same frames. A is the outer part.
#include "bristle/joint/worn.h"

#include "bristle/joint/plan_parts.h"
#include "bristle/measure/box_in_guide.h"
#include "bristle/measure/circle_in_circle.h"
#include "bristle/measure/journal_in_bearing.h"
#include "bristle/measure/plate_between_planes.h"
#include "bristle/measure/point_on_plane.h"
#include "bristle/measure/sphere_in_sphere.h"

namespace bristle {

namespace {

using namespace plan_parts;

}  // namespace

/// Without a length the pin is a circle in a hole and stays upright; with one it may tilt and touches at its two ends; with axial
/// clearance it also touches the walls in front of its ends.
JointPlan worn_revolute(const JointSizes& s) {
  JointPlan p;
  p.motions = {angle(), along(0, "x"), along(1, "y")};
  const double hole = s.pin_radius + s.clearance;
  if (!(s.length > 0)) {
    p.held = axis();
    p.held.push_back(along(2, kAlong[2]));
    p.touches.push_back(make_geometry(CircleInCircle{hole, s.pin_radius}));
    return p;
  }
  const bool walls = s.axial_clearance > 0;
  if (walls) p.motions.push_back(along(2, "z"));
  else p.held = {along(2, kAlong[2])};
  p.touches.push_back(
      make_geometry(JournalInBearing{hole, s.pin_radius, walls ? s.length + s.axial_clearance : 0.0, s.length, walls}));
  return p;
}

JointPlan worn_cylindrical(const JointSizes& s) {
  JointPlan p;
  p.motions = {displacement(), angle(), along(0, "x"), along(1, "y")};
  JournalInBearing g{s.pin_radius + s.clearance, s.pin_radius, 0, s.length, false};
  p.touches.push_back(make_geometry(g));
  return p;
}

/// A thin disk in a bore, free to tilt; between planar bodies, whose axis lies in the plane, a round pin in a slot.
JointPlan worn_point_on_line(const JointSizes& s) {
  JointPlan p;
  p.motions = {displacement(), along(0, "x"), along(1, "y")};
  const double hole = s.pin_radius + s.clearance;
  if (s.planar) p.touches.push_back(make_geometry(CircleInCircle{hole, s.pin_radius, s.length}));
  else p.touches.push_back(make_geometry(DiskInCylinder{hole, s.pin_radius, 0, 0, s.length}));
  return p;
}

JointPlan worn_spherical(const JointSizes& s) {
  JointPlan p;
  p.motions = {along(0, "x"), along(1, "y"), along(2, "z")};
  p.touches.push_back(make_geometry(SphereInSphere{s.pin_radius + s.clearance, s.pin_radius}));
  return p;
}

/// A box in a guide: it may shift and tilt in all directions as far as its corners let it.
JointPlan worn_prismatic(const JointSizes& s) {
  JointPlan p;
  p.motions = {displacement(), along(0, "x"), along(1, "y")};
  const double height = s.height > 0 ? s.height : s.width;
  BoxInGuide g;
  g.guide_width = s.width + 2 * s.clearance;
  g.guide_height = height + 2 * s.clearance;
  g.box_width = s.width;
  g.box_height = height;
  g.box_length = s.length;
  g.planar = s.planar;
  p.touches.push_back(make_geometry(g));
  return p;
}

/// A round plate between two planes; without a radius it stays parallel to them and touches at its middle.
JointPlan worn_planar(const JointSizes& s) {
  JointPlan p;
  p.motions = {along(0, "x"), along(1, "y"), along(2, "z"), angle()};
  if (s.plate_radius > 0) {
    PlateBetweenPlanes g;
    g.radius = s.plate_radius;
    g.clearance = 2 * s.clearance;
    p.touches.push_back(make_geometry(g));
    return p;
  }
  p.held = axis();
  for (double side : {1.0, -1.0}) {
    PointOnPlane g;
    g.face.axis = 2;
    g.face.side = -side;
    g.face.offset = side * s.clearance;
    p.touches.push_back(make_geometry(g));
  }
  return p;
}

}  // namespace bristle
