// Bodies of one coordinate: masses that move, inertias that turn.
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/plan.h"
#include "bristle/body/scalar.h"

namespace bristle {

namespace {

struct MassFields {
  double mass = kRequired, position = 0, velocity = 0;
  void visit(Visitor& v) {
    v("mass", mass, unit::kilogram, positive, "mass");
    v("position", position, unit::metre, any, "position at the start");
    v("velocity", velocity, unit::metre_per_second, any, "velocity at the start");
  }
};

struct InertiaFields {
  double inertia = kRequired, angle = 0, speed = 0;
  void visit(Visitor& v) {
    v("inertia", inertia, unit::kilogram_metre2, positive, "moment of inertia");
    v("angle", angle, unit::one, any, "angle at the start");
    v("speed", speed, unit::per_second, any, "angular speed at the start");
  }
};

/// Masses and inertias, in the order of the model.
struct ScalarBodies {
  struct Item {
    std::string name;
    bool rotary;
    double mass, q, v;
  };
  std::vector<Item> items;
  std::vector<ScalarMasses::Item> numbered;
};

void number_scalars(Plan& plan) {
  auto& list = plan.list<ScalarBodies>();
  for (const ScalarBodies::Item& s : list.items)
    list.numbered.push_back({plan.add_coordinate(s.name, s.rotary), s.mass, s.q, s.v});
  list.items.clear();
}

void make_scalars(Plan& plan) {
  auto& list = plan.list<ScalarBodies>();
  if (!list.numbered.empty()) plan.blocks.push_back(std::make_unique<ScalarMasses>(std::move(list.numbered)));
  list = {};
}

}  // namespace

ElementEntry mass_body() {
  ElementEntry entry{{"mass", "a mass that moves along one coordinate", fields_of<MassFields>(),
                      "bodies:\n  block: {type: mass, mass: 2 kg, velocity: 0.1 m/s}\n", ""}};
  entry.announce = [](Plan& plan, Reader& reader, const std::string& name) {
    MassFields m;
    m.visit(reader);
    reader.finish();
    plan.list<ScalarBodies>().items.push_back({name, false, m.mass, m.position, m.velocity});
  };
  entry.number = number_scalars;
  entry.make = make_scalars;
  return entry;
}

ElementEntry inertia_body() {
  ElementEntry entry{{"inertia", "a body that turns about one axis", fields_of<InertiaFields>(),
                      "bodies:\n  rotor: {type: inertia, inertia: 0.02 kg m^2, speed: 300 rpm}\n", ""}};
  entry.announce = [](Plan& plan, Reader& reader, const std::string& name) {
    InertiaFields m;
    m.visit(reader);
    reader.finish();
    plan.list<ScalarBodies>().items.push_back({name, true, m.inertia, m.angle, m.speed});
  };
  entry.number = number_scalars;
  entry.make = make_scalars;
  return entry;
}

}  // namespace bristle
