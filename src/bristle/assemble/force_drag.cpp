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

KindEntry drag_kind() {
  using enum Field::Kind;
  return {
      "drag", "drag of air or water at a point of a body",
      joined(point_fields(),
             {plain_field(number, "area", kArea, positive, "none", "A"),
              plain_field(number, "coefficient", unit::one, non_negative, "none", "C, with the area"),
              plain_field(number, "density", unit::kilogram_per_metre3, positive, "1.2 kg/m^3", "rho of the fluid"),
              plain_field(number, "linear", unit::newton_second_per_metre, non_negative, "0 N s/m", "c"),
              shaped_field("wind", "none", "velocity of the fluid [x, y, z] [m/s], expressions of t and channels", "vector")}),
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
  const Marker point = read_moving_point(plan, reader, "at");
  DragBlock::Item item;
  item.row = point_rows(plan, point, Relation::Kind::along);
  const bool quadratic = reader.has("area") || reader.has("coefficient");
  item.linear = reader.optional_number("linear", unit::newton_second_per_metre, non_negative).value_or(0);
  const double density = reader.optional_number("density", unit::kilogram_per_metre3, positive).value_or(1.2);
  if (quadratic) {
    item.quadratic = 0.5 * density * reader.number("area", kArea, positive, "area") *
                     reader.number("coefficient", unit::one, non_negative, "drag coefficient");
  } else if (!reader.has("linear")) {
    reader.fail("area", "drag needs area and coefficient, or linear");
  }
  std::array<Signal, 3> wind{Signal(0.0), Signal(0.0), Signal(0.0)};
  const bool windy = reader.has("wind");
  const bool flat = plan.layout.bodies[static_cast<std::size_t>(point.body)].flat();
  if (windy) wind = read_signals(reader, "wind", unit::metre_per_second, plan.scope, flat);
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
