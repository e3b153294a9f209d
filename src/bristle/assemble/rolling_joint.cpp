// A wheel or a ball that rolls on a plane.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/measure/disk_on_plane.h"
#include "bristle/measure/surface_surface.h"

namespace bristle {

namespace {

struct RollingKeys {
  const Node* between = nullptr;
  std::optional<Vec3<>> at, axis, at_b, second_axis;
  double radius = 0;
  void visit(Keys& keys) {
    keys.node("between", "bodies", between, "", "[what it rolls on, wheel]");
    keys.vector("at", at, unit::metre, "[0, 0, 0]", "a point of the plane at the start");
    keys.direction("axis", axis, "z", "normal of the plane at the start");
    keys.vector("at_b", at_b, unit::metre, "the body's position", "centre of the wheel at the start");
    keys.direction("second_axis", second_axis, "none", "axis of the wheel at the start; none: a ball");
    keys.required("radius", radius, unit::metre, positive, "of the wheel or ball");
  }
};

/// The ideal version of a contact: the gap stays closed and nothing slips. Slips have no position of their own: only their rates are held.
void add_rolling(Plan& plan, Reader& reader, const std::string& name) {
  const RollingKeys keys = read_keys<RollingKeys>(reader, plan.scope);
  const Node& between = *keys.between;
  if (!between.is_list() || between.size() != 2) reader.fail("between", "between takes two bodies, for example [ground, wheel]");
  const SpaceEnd a = read_end(plan, between[0], reader.owner()), b = read_end(plan, between[1], reader.owner());
  if (a.frame || b.frame)
    reader.fail("between", "rolling takes bodies; at, axis, at_b and second_axis say where the surfaces are");
  if (a.body == b.body) reader.fail("between", "both ends are on the same body");
  const Vec3<> normal = keys.axis.value_or(Vec3<>{{0, 0, 1}});
  const Marker A = marker_at(plan, a.body, keys.at.value_or(Vec3<>{}), frame_along(normal, {}));
  const Vec3<> centre = keys.at_b.value_or(start_frame(plan, Marker{b.body, {}, Mat3<>::identity()}).p);
  const std::optional<Vec3<>>& wheel = keys.second_axis;
  const Marker B = marker_at(plan, b.body, centre, frame_along(wheel.value_or(normal), {}));
  if (in_plane(plan, A, B))
    reader.fail("between", "rolling needs a rigid body; in the plane use a rack: displacement = radius * angle");
  reader.finish({"type"});
  Touches::Item item;
  item.name = reader.owner();
  item.A = A;
  item.B = B;
  item.held = true;
  if (wheel) item.geometry = make_geometry(DiskOnPlane{keys.radius});
  else item.geometry = make_geometry(SurfaceSurface{Solid::plane(), Solid::sphere(keys.radius)});
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

KindEntry rolling_kind() {
  KindEntry kind{
      "rolling", "a wheel or a ball that rolls on a plane without slipping or lifting (1 row, and 2 rates)",
      key_fields<RollingKeys>(),
      "bodies:\n  coin: {type: rigid, mass: 1 kg, inertia: [0.0025, 0.0025, 0.005], position: [0, 0, 0.1],\n"
      "    velocity: [1, 0, 0], angular_velocity: [0, 10, 0]}\n"
      "joints:\n  road: {type: rolling, between: [ground, coin], second_axis: y, radius: 0.1 m}\n",
      "Rows: the lowest point of the rim stays on the plane; its slip is zero in both directions. Slip has no position of its own, so\n"
      "that methods which hold positions alone (index3, ggl) refuse it. It carries any force: for wheels that slip or lift use contact.\n"};
  return kind;
}

}  // namespace

ElementEntry rolling_joint() {
  ElementEntry entry{rolling_kind()};
  entry.acts_on = ElementEntry::ActsOn::bodies;
  entry.announce = add_rolling;
  return entry;
}

}  // namespace bristle
