// Joints that are contacts: surfaces of bodies, a beam in its sleeve, play on a motion.
#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/space_contacts.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/assemble/surfaces.h"
#include "bristle/base/text.h"
#include "bristle/measure/curve_curve.h"
#include "bristle/measure/disk_on_plane.h"
#include "bristle/measure/sleeve.h"
#include "bristle/measure/surface_surface.h"

namespace bristle {

namespace {

const char* const kBall =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n  ball: {type: rigid, mass: 1 kg, inertia: [4e-4, 4e-4, 4e-4], position: [0, 0, 0.1]}\n";

std::vector<Vec2<>> pairs_of(Reader& inner, const Scope& scope, const char* key) {
  std::vector<Vec2<>> points;
  const Node& node = inner.child(key, "points of the outline, for example [[0, 0], [0.1, 0], [0, 0.1]]");
  if (!node.is_list() || node.size() < 3) inner.fail(key, "an outline needs at least three points [x, y]");
  for (std::size_t i = 0; i < node.size(); ++i) {
    Node one = Node::map();
    one.where = node[i].where;
    one.children.push_back({"point", node[i]});
    Reader point(one, scope, {inner.owner() + ": " + key, {}});
    const auto numbers = read_vector3(point, "point", unit::metre);
    points.push_back({{(*numbers)[0], (*numbers)[1]}});
  }
  return points;
}

}  // namespace

Profile read_profile(const Plan& plan, Reader& inner) {
  const std::string type = inner.text("type", "circle, line, ellipse, polygon or spline");
  const auto length = [&](const char* key, const char* text) { return inner.number(key, unit::metre, positive, text); };
  Profile p = Profile::line();
  if (type == "circle") {
    p = Profile::circle(length("radius", "of the circle"));
  } else if (type == "ellipse") {
    const double x = length("half_x", "half axis along x");
    p = Profile::ellipse(x, length("half_y", "half axis along y"));
  } else if (type == "polygon") {
    const double rounding = inner.optional_number("rounding", unit::metre, non_negative).value_or(0);
    p = Profile::polygon(pairs_of(inner, plan.scope, "corners"), rounding);
  } else if (type == "spline") {
    p = Profile::spline(pairs_of(inner, plan.scope, "points"));
  } else if (type != "line") {
    static const std::vector<std::string> known = {"circle", "line", "ellipse", "polygon", "spline"};
    inner.fail("type", "there is no outline '" + shortened(type) + "'." + did_you_mean(type, known) + known_ones(known));
  }
  bool hollow = false;
  inner.flag("hollow", hollow, "solid around the outline, not inside it");
  return hollow ? p.hollow() : p;
}

Marker read_surface_marker(const Plan& plan, Reader& inner, int body) {
  Marker m;
  m.body = body;
  m.s = read_vector3(inner, "at", unit::metre).value_or(Vec3<>{});
  if (body > 0) m.s = m.s - plan.space.bodies[static_cast<std::size_t>(body - 1)].center;
  Vec3<> z{{0, 0, 1}};
  std::optional<Vec3<>> x;
  if (const Node* axis = inner.optional_child("axis")) z = read_direction(*axis, plan.scope, inner.owner());
  if (const Node* axis = inner.optional_child("x_axis")) x = read_direction(*axis, plan.scope, inner.owner());
  m.R = frame_along(z, x);
  if (const auto angle = inner.optional_number("angle", unit::one)) {
    Mat3<> turn = Mat3<>::identity();
    turn(0, 0) = turn(1, 1) = std::cos(*angle);
    turn(1, 0) = std::sin(*angle);
    turn(0, 1) = -turn(1, 0);
    m.R = m.R * turn;
  }
  return m;
}

void add_contact(Plan& plan, Reader& reader, const std::string& name) {
  const Node& between = reader.child("between", "two bodies, for example [ground, ball]");
  if (!between.is_list() || between.size() != 2) reader.fail("between", "between takes two bodies, for example [ground, ball]");
  const SpaceEnd a = read_end(plan, between[0], reader.owner()), b = read_end(plan, between[1], reader.owner());
  if (a.frame || b.frame) reader.fail("between", "a contact takes bodies; where their surfaces are is said in `surfaces`");
  if (a.body == b.body) reader.fail("between", "both surfaces are on the same body");
  const Node& surfaces = reader.child("surfaces", "what touches, for example [{type: plane}, {type: sphere, radius: 10 mm}]");
  if (!surfaces.is_list() || surfaces.size() != 2)
    reader.fail("surfaces", "surfaces takes one surface for each of the two bodies");
  Marker marker[2];
  marker[0].body = a.body, marker[1].body = b.body;
  const bool planar = in_plane(plan, marker[0], marker[1]);
  std::vector<Solid> solids;
  std::vector<Profile> profiles;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!surfaces[k].is_map()) reader.fail("surfaces", "a surface is a map, for example {type: sphere, radius: 10 mm}");
    Reader inner(surfaces[k], plan.scope, {reader.owner() + ": surface", {}});
    if (planar) profiles.push_back(read_profile(plan, inner));
    else solids.push_back(read_surface(inner, plan.scope));
    marker[k] = read_surface_marker(plan, inner, k == 0 ? a.body : b.body);
    inner.finish();
  }
  std::unique_ptr<Geometry> geometry;
  if (planar) {
    CurveCurve g{profiles[0], profiles[1]};
    if (const char* problem = g.problem()) reader.fail("surfaces", problem);
    geometry = make_geometry(std::move(g));
  } else {
    SurfaceSurface g{solids[0], solids[1]};
    if (const char* problem = g.problem()) reader.fail("surfaces", problem);
    geometry = make_geometry(std::move(g));
  }
  add_touch(plan, reader, name, std::move(geometry), marker[0], marker[1]);
  reader.finish({"type", "smoothing", "friction", "contact"});
}

void add_sleeve(Plan& plan, Reader& reader, const std::string& name) {
  const auto [A, B] = read_markers(plan, reader, false);
  Sleeve g;
  g.bore = reader.number("bore", unit::metre, positive, "inner height of the sleeve");
  g.diameter = reader.number("diameter", unit::metre, positive, "height of what sits in it");
  g.sleeve_length = reader.number("sleeve_length", unit::metre, positive, "of the sleeve, from its mouth");
  g.cylinder_length = reader.number("length", unit::metre, positive, "of what sits in it");
  if (!(g.bore > g.diameter)) reader.fail("bore", "the bore must be larger than the diameter");
  if (!in_plane(plan, A, B))
    reader.fail("between", "a sleeve connects planar bodies; in space use a prismatic joint with clearance");
  if (std::abs(start_frame(plan, A).R(2, 0)) > 1e-9)
    reader.fail("axis", "the axis of a sleeve lies in the plane x, y and points out of its mouth");
  add_touch(plan, reader, name, make_geometry(g), A, B);
  reader.finish({"type", "smoothing", "friction", "contact"});
}

/// The ideal version of a contact: the gap stays closed and nothing slips. Slips have no position of their own: only their rates are held.
void add_rolling(Plan& plan, Reader& reader, const std::string& name) {
  const Node& between = reader.child("between", "what rolls on what: [ground, wheel]");
  if (!between.is_list() || between.size() != 2) reader.fail("between", "between takes two bodies, for example [ground, wheel]");
  const SpaceEnd a = read_end(plan, between[0], reader.owner()), b = read_end(plan, between[1], reader.owner());
  if (a.frame || b.frame)
    reader.fail("between", "rolling takes bodies; at, axis, at_b and second_axis say where the surfaces are");
  if (a.body == b.body) reader.fail("between", "both ends are on the same body");
  const double radius = reader.number("radius", unit::metre, positive, "of the wheel or ball");
  const auto at = read_vector3(reader, "at", unit::metre);
  Vec3<> normal{{0, 0, 1}};
  if (const Node* axis = reader.optional_child("axis")) normal = read_direction(*axis, plan.scope, reader.owner());
  const Marker A = marker_at(plan, a.body, at.value_or(Vec3<>{}), frame_along(normal, {}));
  const Vec3<> centre =
      read_vector3(reader, "at_b", unit::metre).value_or(start_frame(plan, Marker{b.body, {}, Mat3<>::identity()}).p);
  std::optional<Vec3<>> wheel;
  if (const Node* axis = reader.optional_child("second_axis")) wheel = read_direction(*axis, plan.scope, reader.owner());
  const Marker B = marker_at(plan, b.body, centre, frame_along(wheel.value_or(normal), {}));
  if (in_plane(plan, A, B))
    reader.fail("between", "rolling needs a rigid body; in the plane use a rack: displacement = radius * angle");
  reader.finish({"type"});
  Touches::Item item;
  item.name = reader.owner();
  item.A = A;
  item.B = B;
  item.held = true;
  if (wheel) item.geometry = make_geometry(DiskOnPlane{radius});
  else item.geometry = make_geometry(SurfaceSurface{Solid::plane(), Solid::sphere(radius)});
  item.marks = plan.numbers.marks(Touches::marks_needed(*item.geometry));
  Touches::Point p;
  p.gap = plan.numbers.row(A, B);
  for (int& slip : p.slip) slip = plan.numbers.row(A, B);
  p.basis = plan.numbers.marks(3);
  const auto hold = [&](int row, const char* what, const std::string& quantity, const char* text) {
    plan.drive_channels.push_back({name + "." + quantity, "N", text});
    plan.drive_slots.push_back(static_cast<int>(plan.layout.held.size()));
    plan.names.offer_samples(name, {quantity});
    hold_row(plan, row, item.name, what);
  };
  hold(p.gap, "touch", "normal_force", "force on the wheel along the normal; negative: it is held down");
  for (int d = 0; d < 2; ++d) {
    hold(p.slip[d], "slip", "friction_force." + std::to_string(d + 1), "force on the wheel along a tangent");
    plan.layout.held.back().holonomic = false;
  }
  item.points.push_back(p);
  plan.space.touches.push_back(std::move(item));
}

void add_backlash(Plan& plan, Reader& reader, const std::string& name) {
  const std::string on = reader.text("on", "motion of a joint, for example hinge.angle");
  const RowOf& motion = find_motion(plan, reader, "on", on);
  const double center = reader.optional_number("center", motion.rotary ? unit::one : unit::metre).value_or(0);
  add_play(plan, reader, name, {motion.row}, {1}, center, motion.rotary);
}

Field acts_on_field() {
  Field f = shaped_field("acts_on", "middle",
                         "where in the overlap the forces act: in its middle, or on the surface of the first or second body");
  f.kind = Field::Kind::choice;
  f.words = {"middle", "first", "second"};
  return f;
}

Field overlap_field() {
  Field f =
      shaped_field("overlap", "refuse", "what to do with surfaces that overlap at the start; resolve moves the bodies apart");
  f.kind = Field::Kind::choice;
  f.words = {"refuse", "keep", "resolve"};
  return f;
}

std::vector<KindEntry> contact_joint_kinds() {
  using enum Field::Kind;
  const std::vector<Field> laws = {shaped_field("contact", "", "law of contact: a name, or a map with type and parameters"),
                                   shaped_field("friction", "none", "law of friction, loaded by the contact"),
                                   shaped_field("smoothing", "none", "replaces the jump of a dry law"), overlap_field(),
                                   acts_on_field()};
  const std::map<std::string, std::string> shapes = {
      {"between", "bodies"},   {"at", "vector"},         {"axis", "direction"},
      {"x_axis", "direction"}, {"friction", "friction"}, {"smoothing", "smoothing"},
      {"contact", "contact"},  {"surfaces", "surfaces"}, {"on", "names"}};
  const auto with_shapes = [&](KindEntry kind) {
    for (const Field& f : kind.fields) {
      const auto at = shapes.find(f.key);
      if (at != shapes.end()) kind.shapes.insert(*at);
    }
    return kind;
  };
  std::vector<KindEntry> kinds;
  KindEntry contact{
      "contact",
      "surfaces of two bodies that may touch; outlines where the bodies are planar",
      joined(
          {shaped_field("between", "", "two bodies [A, B]"),
           shaped_field(
               "surfaces", "",
               "one for each body, at, axis and x_axis in its frame. In space: {type: plane} (solid below, axis: normal), sphere, "
               "hollow_sphere (radius), capsule, cylinder (radius, length), box (size), ellipsoid (half_axes), superquadric (half_axes, "
               "exponents), mesh (file, or points and triangles; convex). In the plane, with angle: line (solid below y = 0), circle (radius), ellipse (half_x, half_y), polygon (corners, "
               "rounding), spline (points); hollow: true")},
          laws),
      std::string(kBall) +
          "joints:\n  floor:\n    type: contact\n    between: [ground, ball]\n"
          "    surfaces: [{type: plane, axis: z}, {type: sphere, radius: 20 mm}]\n"
          "    contact: {type: flores, stiffness: 10 MN/m^1.5, restitution: 0.7}\n",
      "Rows: none. Each point where the surfaces may touch is a place: `<joint>` or `<joint>.1`, `<joint>.2`, ... with gap, normal_force,\n"
      "slip, friction_force and mode. A plane under a box, a cylinder or a mesh has four points, two boxes have four, other pairs one.\n",
      {}};
  kinds.push_back(with_shapes(contact));
  KindEntry sleeve{
      "sleeve",
      "a beam's end in an open sleeve, in the plane: four contact points",
      joined({shaped_field("between", "", "[sleeve, beam]: two planar bodies, or frames of them"),
              shaped_field("at", "none", "middle of the mouth at the start; at_b: where the beam leaves its cylinder"),
              shaped_field("at_b", "at", "where the beam leaves its cylinder at the start"),
              shaped_field("axis", "z", "out of the mouth, in the plane"), shaped_field("x_axis", "any", "across, in the plane"),
              plain_field(number, "bore", unit::metre, positive, "", "inner height of the sleeve"),
              plain_field(number, "diameter", unit::metre, positive, "", "height of what sits in it"),
              plain_field(number, "sleeve_length", unit::metre, positive, "", "of the sleeve, from its mouth"),
              plain_field(number, "length", unit::metre, positive, "", "of what sits in it")},
             laws),
      "bodies:\n  beam: {type: planar, mass: 1.35 kg, inertia: 0.1217 kg m^2, position: [0.48, 0]}\n"
      "joints:\n  mouth: {type: sleeve, between: [ground, beam], at: [0, 0], axis: x, x_axis: y, bore: 25.2 mm, diameter: 25 mm,\n"
      "    sleeve_length: 40.1 mm, length: 40 mm, contact: {type: one_way, stiffness: 100 N/m}}\n",
      "Points: `<joint>.E`, `.F` corners of the cylinder on the walls, `.C`, `.D` lips of the sleeve on the cylinder (sleeve joints of\n"
      "large space structures, eqs. 1 to 12). Forces act at the corners and lips themselves.\n",
      {}};
  sleeve.shapes["at_b"] = "vector";
  kinds.push_back(with_shapes(sleeve));
  KindEntry rolling{
      "rolling",
      "a wheel or a ball that rolls on a plane without slipping or lifting (1 row, and 2 rates)",
      {shaped_field("between", "", "[what it rolls on, wheel]"),
       shaped_field("at", "[0, 0, 0]", "a point of the plane at the start"),
       shaped_field("axis", "z", "normal of the plane at the start"),
       shaped_field("at_b", "the body's position", "centre of the wheel at the start"),
       shaped_field("second_axis", "none", "axis of the wheel at the start; none: a ball"),
       plain_field(number, "radius", unit::metre, positive, "", "of the wheel or ball")},
      "bodies:\n  coin: {type: rigid, mass: 1 kg, inertia: [0.0025, 0.0025, 0.005], position: [0, 0, 0.1],\n"
      "    velocity: [1, 0, 0], angular_velocity: [0, 10, 0]}\n"
      "joints:\n  road: {type: rolling, between: [ground, coin], second_axis: y, radius: 0.1 m}\n",
      "Rows: the lowest point of the rim stays on the plane; its slip is zero in both directions. Slip has no position of its own, so\n"
      "that methods which hold positions alone (index3, ggl) refuse it. It carries any force: for wheels that slip or lift use contact.\n",
      {}};
  rolling.shapes["at_b"] = "vector";
  rolling.shapes["second_axis"] = "direction";
  kinds.push_back(with_shapes(rolling));
  KindEntry backlash{
      "backlash",
      "play on a motion of a joint: free between two stops that follow laws of contact",
      joined({shaped_field("on", "", "motion of a joint: hinge.angle"),
              plain_field(number, "clearance", unit::metre, non_negative, "", "play to each side; of a turn at the radius `arm`"),
              plain_field(number, "center", unit::one, any, "0", "value of the motion in the middle of the play"),
              plain_field(number, "arm", unit::metre, positive, "none",
                          "radius at which a turn is stopped; rotary motions need it")},
             {laws.begin(), laws.end() - 1}),
      "bodies:\n  flap: {type: planar, mass: 1 kg, inertia: 0.01 kg m^2}\n"
      "joints:\n  hinge: {type: revolute, between: [ground, flap], at: [0, 0]}\n"
      "  play: {type: backlash, on: hinge.angle, clearance: 0.1 mm, arm: 50 mm, contact: {type: linear, stiffness: 1 MN/m}}\n",
      "Gaps: clearance - arm (motion - center) at `<joint>.upper`, clearance + arm (motion - center) at `<joint>.lower`; arm = 1 for a\n"
      "displacement (backlash elements E1 and E2 of flexible multibody dynamics with contact). With friction the load is that of the\n"
      "stop and the slip is that of the motion.\n",
      {}};
  kinds.push_back(with_shapes(backlash));
  return kinds;
}

}  // namespace bristle
