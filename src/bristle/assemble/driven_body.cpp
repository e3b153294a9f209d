// Bodies whose motion is given.
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/body/scalar.h"

namespace bristle {

namespace {

struct DrivenBodies {
  struct Item {
    std::string name;
    bool rotary;
    Signal position;
    std::optional<double> speed;
    double start;
  };
  std::vector<Item> items;
  std::vector<DrivenCoordinates::Item> numbered;
};

struct DrivenKeys {
  Signal position{0.0}, angle{0.0};
  std::optional<double> velocity, speed;
  void visit(Keys& keys) {
    keys.signal("position", position, unit::metre, "0 m", "expression of t; with velocity: position at t = 0");
    keys.number("velocity", velocity, unit::metre_per_second, any, "none", "constant velocity, instead of an expression");
    keys.signal("angle", angle, unit::one, "none", "the same for a body that turns");
    keys.number("speed", speed, unit::per_second, any, "none", "constant angular speed");
  }
};

KindEntry driven_kind() {
  return {"driven", "a body whose motion is given: belt, shaker, base, motor", key_fields<DrivenKeys>(),
          "bodies:\n  belt: {type: driven, velocity: 0.1 m/s}\n  shaker: {type: driven, position: \"2 mm*sin(2*pi*5 [Hz]*t)\"}\n",
          ""};
}

void read_driven(Plan& plan, Reader& reader, const std::string& name) {
  const DrivenKeys keys = read_keys<DrivenKeys>(reader, plan.scope);
  const bool rotary = reader.has("angle") || reader.has("speed");
  const char* q_key = rotary ? "angle" : "position";
  for (const char* other : {"position", "velocity"}) {
    if (rotary && reader.has(other))
      reader.fail(other, std::string("the body turns, by its angle or speed; leave ") + other + " out");
  }
  DrivenBodies::Item d{name, rotary, Signal(0.0), {}, 0};
  const Signal& q = rotary ? keys.angle : keys.position;
  d.speed = rotary ? keys.speed : keys.velocity;
  if (d.speed) {
    if (!q.is_constant())
      reader.fail(q_key, std::string("beside a constant rate, ") + q_key + " is where the body starts: a number");
    d.start = q.constant();
  } else if (reader.has(q_key)) {
    d.position = q;
    if (!d.position.depends_on_time_only()) reader.fail(q_key, "the motion of a driven body is a function of t alone");
  } else {
    reader.fail("position", "a driven body needs position (an expression of t) or velocity (a constant)");
  }
  reader.finish();
  plan.list<DrivenBodies>().items.push_back(std::move(d));
}

void make_driven(Plan& plan) {
  auto& list = plan.list<DrivenBodies>();
  if (!list.numbered.empty()) plan.blocks.push_back(std::make_unique<DrivenCoordinates>(std::move(list.numbered)));
}

}  // namespace

void number_driven(Plan& plan) {
  auto& list = plan.list<DrivenBodies>();
  plan.layout.driven = static_cast<int>(list.items.size());
  for (const DrivenBodies::Item& d : list.items) {
    DrivenCoordinates::Item item;
    item.index = plan.add_coordinate(d.name, d.rotary);
    plan.coordinates.back().driven = true;
    plan.numbers.account(d.name, Account::Kind::supplied);
    if (d.speed) {
      item.rate = true;
      item.velocity = BoundSignal(*d.speed);
      item.start = d.start;
    } else {
      item.position = plan.names.bind(d.position, d.name, "body '" + d.name + "'", Names::Gives::position);
    }
    list.numbered.push_back(std::move(item));
  }
}

ElementEntry driven_body() {
  ElementEntry entry{driven_kind()};
  entry.announce = read_driven;
  entry.make = make_driven;
  return entry;
}

}  // namespace bristle
