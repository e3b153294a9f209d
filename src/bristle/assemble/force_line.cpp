// Forces along beams and bars.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/base/text.h"
#include "bristle/force/line_load.h"

namespace bristle {

namespace {

struct LineItems {
  std::vector<LineLoads::Item> items;
  std::vector<std::string> names;
};

struct LineKeys {
  std::string on;
  const Node* force = nullptr;
  Axes axes = Axes::world;
  void visit(Keys& keys) {
    keys.word("on", on, "", "the beam or bar");
    keys.node("force", "vector", force, "", "components [x, y, z] [N/m]");
    visit_axes(keys, axes, "axes of the components: they stay, or turn with the sections (1, 2, 3) of a beam");
  }
};

KindEntry line_kind() {
  return {
      "line_load", "a force per length along a beam, a bar or a cable, by expressions of time and channels",
      key_fields<LineKeys>(),
      "sections:\n  s: {type: circle, radius: 5 mm, young: 70 GPa, density: 2700 kg/m^3}\n"
      "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 8, section: s}\n"
      "forces:\n  wind: {type: line_load, on: rod, force: [0, \"5*sin(3*t)\", 0]}\n",
      "The length is that at rest. Every node carries what acts on the halves of its elements. It supplies energy. Channels: force.x|y|z as they are given.\n"};
}

void add_line_load(Plan& plan, Reader& reader, const std::string& name) {
  const LineKeys keys = read_keys<LineKeys>(reader, plan.scope);
  const std::string& on = keys.on;
  const BeamPlan* beam = find_beam(plan, on);
  if (beam == nullptr) {
    std::vector<std::string> known;
    for (const BeamPlan& b : plan.beams) known.push_back(b.name);
    reader.fail("on", "there is no beam or bar '" + shortened(on) + "'." + known_names(on, known) +
                          " A line load acts on a body of type beam or bar; on other bodies use type force");
  }
  if (keys.axes == Axes::body && beam->bar)
    reader.fail("frame", "'" + on + "' is a bar: its nodes are particles without axes. Leave frame out, or make it a beam");
  const std::array<Signal, 3> signals = read_signals(reader, "force", *keys.force, unit::newton_per_metre, plan.scope, false);
  reader.finish({"type"});
  LineLoads::Item item;
  for (int k = 0; k < beam->nodes(); ++k) {
    const SpaceBodyPlan& node = plan.space.bodies[static_cast<std::size_t>(beam->first + k)];
    LineLoads::Node n{node.body.body, node.body.v, Vec3<>{} - node.center, 0, !beam->bar};
    for (int element : {k - 1, k}) {
      if (element >= 0 && element + 1 < beam->nodes()) n.length += 0.5 * beam->length_of(element);
    }
    item.nodes.push_back(n);
  }
  for (std::size_t k = 0; k < 3; ++k) item.force[k] = plan.names.bind(signals[k], name, reader.owner());
  item.follows = keys.axes == Axes::body;
  item.account = plan.numbers.account(name, Account::Kind::supplied);
  auto& list = plan.list<LineItems>();
  list.items.push_back(std::move(item));
  list.names.push_back(name);
}

void make_lines(Plan& plan) {
  auto& list = plan.list<LineItems>();
  if (list.items.empty()) return;
  for (const std::string& name : list.names) vector_channels(plan, name + ".force", "N/m", "component as it is given");
  plan.blocks.push_back(std::make_unique<LineLoads>(std::move(list.items)));
}

}  // namespace

ElementEntry line_load_force() {
  ElementEntry entry{line_kind()};
  entry.announce = [](Plan& plan, Reader&, const std::string& name) { offer_vector(plan, name, "force"); };
  entry.add = add_line_load;
  entry.make = make_lines;
  return entry;
}

}  // namespace bristle
