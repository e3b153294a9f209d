// Drag of air or water.
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/plan.h"
#include "bristle/force/drag.h"

namespace bristle {

namespace {

constexpr Unit kArea{"m^2", {2, 0, 0, 0}};

struct DragItems {
  std::vector<DragBlock::Item> items;
  std::vector<std::string> names;
};

struct DragKeys {
  PointKeys where;
  std::optional<double> area, coefficient, linear;
  double density = 1.2;
  const Node* wind = nullptr;
  void visit(Keys& keys) {
    where.visit(keys);
    keys.number("area", area, kArea, positive, "none", "A");
    keys.number("coefficient", coefficient, unit::one, non_negative, "none", "C, with the area");
    keys.number("density", density, unit::kilogram_per_metre3, positive, "1.2 kg/m^3", "rho of the fluid");
    keys.number("linear", linear, unit::newton_second_per_metre, non_negative, "0 N s/m", "c");
    keys.node("wind", "vector", wind, "none", "velocity of the fluid [x, y, z] [m/s], expressions of t and channels");
  }
};

KindEntry drag_kind() {
  return {
      "drag", "drag of air or water at a point of a body", key_fields<DragKeys>(),
      std::string(kPushedArm) + "forces:\n  air: {type: drag, on: arm.tip, area: 0.01 m^2, coefficient: 1.1, wind: [3, 0, 0]}\n",
      R"(F = -(c + rho C A |u| / 2) u with u = velocity of the point less the wind. -F.u is dissipated; the wind supplies F.wind, in an
account of its own, `<name>.wind`.

Channels: speed of the point in the fluid, force.x|y|z on the body.
)"};
}

void announce_drag(Plan& plan, Reader&, const std::string& name) {
  offer_vector(plan, name, "force");
  plan.names.offer_samples(name, {"speed"});
}

void add_drag(Plan& plan, Reader& reader, const std::string& name) {
  const DragKeys keys = read_keys<DragKeys>(reader, plan.scope);
  const Marker point = keys.where.point(plan, reader);
  DragBlock::Item item;
  item.row = point_rows(plan, point, Relation::Kind::along);
  item.linear = keys.linear.value_or(0);
  if (keys.area || keys.coefficient) {
    if (!keys.area) reader.fail("area", "missing key 'area' (of the body, [m^2]): coefficient needs it");
    if (!keys.coefficient) reader.fail("coefficient", "missing key 'coefficient' (drag coefficient): area needs it");
    item.quadratic = 0.5 * keys.density * *keys.area * *keys.coefficient;
  } else if (!keys.linear) {
    reader.fail("area", "drag needs area and coefficient, or linear");
  }
  std::array<Signal, 3> wind{Signal(0.0), Signal(0.0), Signal(0.0)};
  const bool windy = keys.wind != nullptr, flat = plan.layout.bodies[static_cast<std::size_t>(point.body)].flat();
  if (windy) wind = read_signals(reader, "wind", *keys.wind, unit::metre_per_second, plan.scope, flat);
  reader.finish({"type"});
  check_flat(plan, reader, point, false, "wind", wind);
  for (std::size_t k = 0; k < 3; ++k) item.wind[k] = plan.names.bind(wind[k], name, reader.owner());
  item.account = plan.numbers.account(name, Account::Kind::dissipated);
  if (windy) item.wind_account = plan.numbers.account(name + ".wind", Account::Kind::supplied);
  auto& list = plan.list<DragItems>();
  list.items.push_back(std::move(item));
  list.names.push_back(name);
}

void make_drags(Plan& plan) {
  auto& list = plan.list<DragItems>();
  if (list.items.empty()) return;
  for (const std::string& name : list.names) {
    plan.channel(name + ".speed", "m/s", "speed of the point in the fluid");
    vector_channels(plan, name + ".force", "N", "on the body, world axes");
  }
  plan.blocks.push_back(std::make_unique<DragBlock>(std::move(list.items)));
}

}  // namespace

ElementEntry drag_force() {
  ElementEntry entry{drag_kind()};
  entry.announce = announce_drag;
  entry.add = add_drag;
  entry.make = make_drags;
  return entry;
}

}  // namespace bristle
