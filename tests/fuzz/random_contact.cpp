// Bodies that touch, roll or bend.
#include <algorithm>

#include "nodes.h"
#include "random_model.h"

namespace bristle::fuzz {

/// A surface around the origin of its body, and how far it reaches below it, whatever its attitude.
Node Maker::surface(Dice d, bool planar, double& below) {
  const double r = rounded(d.size(0.02, 0.15));
  below = r;
  if (planar) {
    switch (d.whole(0, 2)) {
      case 0: return map({{"type", text("circle")}, {"radius", number(r)}});
      case 1: return map({{"type", text("ellipse")}, {"half_x", number(r)}, {"half_y", number(0.6 * r)}});
      default: {
        const double a = rounded(0.6 * r);
        Node corners = Node::list();
        for (const auto& [x, y] : {std::pair{-a, -a}, {a, -a}, {a, a}, {-a, a}}) corners.add(list({digits(x), digits(y)}));
        return map({{"type", text("polygon")}, {"corners", corners}, {"rounding", number(0.05 * a)}});
      }
    }
  }
  const double a = rounded(0.55 * r);
  switch (d.whole(0, 6)) {
    case 0:
    case 1: return map({{"type", text("sphere")}, {"radius", number(r)}});
    case 2: return map({{"type", text("box")}, {"size", list({digits(2 * a), digits(2 * a), digits(2 * a)})}});
    case 3: return map({{"type", text("cylinder")}, {"radius", number(a)}, {"length", number(a)}});
    case 4: return map({{"type", text("capsule")}, {"radius", number(0.4 * r)}, {"length", number(0.8 * r)}});
    case 5: return map({{"type", text("ellipsoid")}, {"half_axes", list({digits(r), digits(0.7 * r), digits(0.8 * r)})}});
    default:
      return map({{"type", text("superquadric")},
                  {"half_axes", list({digits(a), digits(a), digits(0.8 * a)})},
                  {"exponents", list({"2", "4"})}});
  }
}

void Maker::touching(Dice d, bool planar) {
  root_.set("gravity", planar ? list({d.chance(0.7) ? "0" : "2", "-9.81"}) : list({d.chance(0.7) ? "0" : "2", "0", "-9.81"}));
  const int n = d.whole(1, 3);
  struct Thing {
    std::string name;
    Node surface;
  };
  std::vector<Thing> things;
  for (int i = 0; i < n; ++i) {
    Dice e = d.at("thing", i);
    double below = 0;
    const Node shape = surface(e.at("surface"), planar, below);
    // polygons and boxes that lie flat: half of them start at rest on the floor
    const std::string type = shape.find("type")->text;
    const bool flat = type == "box" || type == "polygon" || type == "sphere" || type == "circle" || type == "cylinder";
    const bool rests = flat && e.chance(0.35);
    double height = rounded(below + e.size(1e-4, 0.05));
    if (rests) {
      if (type == "box") height = 0.5 * std::strtod(shape.find("size")->children[2].second.text.c_str(), nullptr);
      else if (type == "cylinder") height = 0.5 * std::strtod(shape.find("length")->text.c_str(), nullptr);
      else if (type == "polygon")
        height = std::abs(std::strtod(shape.find("corners")->children[0].second.children[1].second.text.c_str(), nullptr));
      else height = below;
    }
    Vec3<> at{};
    at[planar ? 1 : 2] = height;
    at[0] = 0.5 * i;
    const Part part = add_rigid(e.at("body"), at, planar);
    Node& body = *root_.find("bodies")->find(part.name);
    std::erase_if(body.children, [&](const auto& c) {
      return c.first == "center" || (rests && (c.first == "orientation" || c.first == "angle"));
    });
    body.key_where.resize(body.children.size());
    if (e.chance(0.7)) {
      const double speed = e.sign() * e.size(0.01, 2), down = rests ? 0 : -e.size(0.01, 1);
      body.set("velocity",
               planar ? list({digits(speed), digits(down)}) : list({digits(speed), digits(e.between(-0.5, 0.5)), digits(down)}));
      if (!rests && e.chance(0.5))
        body.set("angular_velocity",
                 planar ? number(e.between(-10, 10)) : list({digits(e.between(-10, 10)), "0", digits(e.between(-10, 10))}));
    }
    Node joint = map({{"type", text("contact")}, {"between", list({"ground", part.name})}});
    Node both = Node::list();
    both.add(planar ? map({{"type", text("line")}}) : map({{"type", text("plane")}, {"axis", text("z")}}));
    both.add(shape);
    joint.set("surfaces", both);
    add_contact_law(e.at("contact"), joint,
                    {.curved = type == "sphere" || type == "circle" || type == "ellipse" || type == "ellipsoid"});
    if (e.chance(0.7)) add_friction(e.at("friction"), joint, rigid_ ? LawWishes{.only_dry = true} : LawWishes{});
    if (e.chance(0.1)) joint.set("acts_on", text(e.word({"first", "second"})));
    add("joints", name("floor"), joint);
    things.push_back({part.name, shape});
    if (e.chance(0.25)) {
      Node push = map({{"type", text("force")}, {"on", text(part.name)}});
      push.set("force", planar ? list({signal(e.at("push"), e.size(0.1, 20)), "0"})
                               : list({signal(e.at("push"), e.size(0.1, 20)), "0", "0"}));
      add("forces", name("push"), push);
    }
  }
  if (n > 1 && d.chance(0.4)) {
    Node joint = map({{"type", text("contact")}, {"between", list({things[0].name, things[1].name})}});
    Node both = Node::list();
    both.add(things[0].surface), both.add(things[1].surface);
    joint.set("surfaces", both);
    add_contact_law(d.at("pair"), joint);
    if (d.chance(0.5)) add_friction(d.at("pair_friction"), joint, rigid_ ? LawWishes{.only_dry = true} : LawWishes{});
    add("joints", name("bump"), joint);
  }
  if (d.chance(0.15)) {  // a pendulum beside them
    const JointEntry* pin = nullptr;
    for (const JointEntry& j : joint_list()) pin = j.name == "revolute" ? &j : pin;
    Part ground;
    ground.name = "ground";
    const Vec3<> at = planar ? Vec3<>{{-1, 1, 0}} : Vec3<>{{-1, 0, 1}}, off{{0.3, 0, 0}};
    const Part arm = add_rigid(d.at("arm"), at + off, planar);
    add_joint(d.at("pin"), *pin, ground, arm, at, {{0, 1, 0}}, planar, 0);
  }
}

void Maker::crowd(Dice d) {
  root_.set("gravity", list({"0", "0", "-9.81"}));
  const int n = d.whole(2, 6);
  const double r = rounded(d.size(0.02, 0.1));
  const bool boxes = d.chance(0.3);
  for (int i = 0; i < n; ++i) {
    Dice e = d.at("grain", i);
    const double x = 0.4 * r * e.between(-1, 1), z = r * (1.05 + 2.1 * i) * (boxes ? 1.1 : 1);
    Node shape = boxes && e.chance(0.6)
                     ? map({{"type", text("box")}, {"size", list({digits(1.2 * r), digits(1.2 * r), digits(1.2 * r)})}})
                     : map({{"type", text("sphere")}, {"radius", number(r)}});
    add("bodies", "grain" + std::to_string(i + 1),
        map({{"type", text("rigid")},
             {"mass", number(e.size(0.1, 3))},
             {"position", list({digits(x), digits(0.5 * x), digits(z)})},
             {"shape", shape}}));
  }
  Node group = map({{"bodies", text("grain*")}});
  Node planes = Node::list();
  planes.add(map({{"type", text("plane")}}));
  group.set("with", planes);
  rigid_ = d.chance(0.6);
  add_contact_law(d.at("contact"), group,
                  rigid_ ? LawWishes{.only_rigid = true} : LawWishes{.no_memory = true, .not_rigid = true});
  if (d.chance(0.7))
    add_friction(d.at("friction"), group,
                 rigid_ ? LawWishes{.no_memory = true, .only_dry = true} : LawWishes{.no_memory = true, .not_dry = true});
  add("collisions", "heap", group);
  crowd_ = true;
}

void Maker::flexible(Dice d) {
  add_gravity(d.at("gravity"), false);
  const bool bar = d.chance(0.3);
  const int elements = d.whole(1, 4);
  const double length = rounded(d.between(0.3, 1.5));
  const std::string rod = name("rod");
  const Vec3<> start{}, tip{{length, 0, 0}};
  Part ground, root, end;
  ground.name = "ground";
  if (bar) {
    Node body = map({{"type", text("bar")},
                     {"from", vector(start)},
                     {"to", vector(tip)},
                     {"elements", text(std::to_string(elements))},
                     {"EA", number(d.size(1e3, 1e6))},
                     {"mass_per_length", number(d.size(0.05, 2))}});
    if (d.chance(0.4)) body.set("tension_only", text("true"));
    if (d.chance(0.5)) body.set("damping", number(d.size(1e-5, 1e-3)));
    add("bodies", rod, body);
  } else {
    KindEntry kind = d.elect(kind_group("cross_section").entries);
    const std::string s = name("profile");
    Node section = map({{"type", text("circle")},
                        {"radius", number(d.size(2e-3, 1e-2))},
                        {"young", number(d.size(1e9, 2e11))},
                        {"density", number(d.size(1000, 8000))}});
    if (kind.name == "rectangle")
      section = map({{"type", text("rectangle")},
                     {"height", number(d.size(2e-3, 2e-2))},
                     {"width", number(d.size(2e-3, 2e-2))},
                     {"young", number(d.size(1e9, 2e11))},
                     {"density", number(d.size(1000, 8000))}});
    if (kind.name == "general")
      section = map({{"type", text("general")},
                     {"EA", number(d.size(1e4, 1e6))},
                     {"GA2", number(d.size(1e4, 1e6))},
                     {"GJ", number(d.size(1, 100))},
                     {"EI2", number(d.size(1, 100))},
                     {"mass_per_length", number(d.size(0.05, 1))}});
    add("sections", s, section);
    Node body = map({{"type", text("beam")},
                     {"from", vector(start)},
                     {"to", vector(tip)},
                     {"elements", text(std::to_string(elements))},
                     {"section", text(s)}});
    if (d.chance(0.5)) body.set("damping", number(d.size(1e-5, 1e-3)));
    add("bodies", rod, body);
  }
  root = {rod + ".start", start, bar, bar ? 3 : 6};
  end = {rod + ".tip", tip, bar, bar ? 3 : 6};
  freedoms_ += (bar ? 3 : 6) * (elements + 1);
  std::vector<JointEntry> fit;
  for (const JointEntry& j : joint_list()) {
    const bool known = bar ? j.name == "spherical" : j.name != "free" && j.name != "distance" && j.name != "screw";
    if (known) fit.push_back(j);
  }
  add_joint(d.at("root"), d.elect(fit), ground, root, start, axis(d), false, bar ? 0 : 0.3);
  if (d.chance(0.5)) {
    Dice e = d.at("tip");
    const Part weight = bar ? add_particle(e, tip) : add_rigid(e, tip + offset(e, 0, 0.1, false), false);
    const JointEntry* kind = nullptr;
    for (const JointEntry& j : joint_list())
      kind = j.name == (bar ? "spherical" : e.at("kind").chance(0.5) ? "fixed" : "revolute") ? &j : kind;
    add_joint(e.at("joint"), *kind, end, weight, tip, axis(e), false, bar ? 0 : 0.2);
  }
  if (d.chance(0.5)) {
    Node force = map({{"type", text("force")}, {"on", text(end.name)}});
    force.set("force", list({"0", signal(d.at("y"), d.between(-5, 5)), signal(d.at("z"), d.between(-5, 5))}));
    add("forces", name("pull"), force);
  }
  if (d.chance(0.3))
    add("forces", name("wind"),
        map({{"type", text("line_load")},
             {"on", text(rod)},
             {"force", list({"0", signal(d.at("wind"), d.between(-5, 5)), "0"})}}));
  if (!bar && d.chance(0.2)) {
    Node joint = map({{"type", text("contact")}, {"between", list({"ground", end.name})}});
    Node both = Node::list();
    both.add(map({{"type", text("plane")}, {"axis", text("z")}, {"at", list({"0", "0", digits(-d.between(0.03, 0.1))})}}));
    both.add(map({{"type", text("sphere")}, {"radius", text("0.02")}}));
    joint.set("surfaces", both);
    add_contact_law(d.at("floor"), joint);
    if (d.chance(0.6)) add_friction(d.at("friction"), joint, rigid_ ? LawWishes{.only_dry = true} : LawWishes{});
    add("joints", name("floor"), joint);
  }
}

void Maker::rolling(Dice d) {
  root_.set("gravity", d.chance(0.5) ? list({"0", "0", "-9.81"}) : list({"1", "0", "-9.81"}));
  const double r = rounded(d.size(0.03, 0.3));
  const Part wheel = add_rigid(d.at("wheel"), {{0, 0, r}}, false);
  Node& body = *root_.find("bodies")->find(wheel.name);
  std::erase_if(body.children, [](const auto& c) { return c.first == "center" || c.first == "orientation"; });
  body.key_where.resize(body.children.size());
  const double speed = rounded(d.between(-5, 5));
  Node joint = map({{"type", text("rolling")}, {"between", list({"ground", wheel.name})}, {"radius", number(r)}});
  if (d.chance(0.6)) joint.set("second_axis", text("y"));
  if (d.chance(0.7))
    body.set("velocity", list({exact(speed * r), "0", "0"})), body.set("angular_velocity", list({"0", exact(speed), "0"}));
  add("joints", name("road"), joint);
  held_ = rate_rows_ = true;
  add_forces(d.at("forces"), false);
}

void Maker::sleeve(Dice d) {
  const double diameter = rounded(d.size(0.01, 0.05)), gap = rounded(d.size(1e-5, 1e-3)),
               length = rounded(d.size(1, 4) * diameter);
  const Part beam = add_rigid(d.at("beam"), {{0.4, 0, 0}}, true);
  Node& body = *root_.find("bodies")->find(beam.name);
  std::erase_if(body.children, [](const auto& c) { return c.first == "center" || c.first == "angle"; });
  body.key_where.resize(body.children.size());
  if (d.chance(0.7)) body.set("velocity", list({digits(d.between(-0.05, 0.05)), digits(d.between(-0.5, 0.5))}));
  Node joint = map({{"type", text("sleeve")},
                    {"between", list({"ground", beam.name})},
                    {"at", list({"0", "0"})},
                    {"axis", text("x")},
                    {"x_axis", text("y")},
                    {"bore", text(exact(diameter + gap))},
                    {"diameter", number(diameter)},
                    {"sleeve_length", number(1.02 * length)},
                    {"length", number(length)}});
  add_contact_law(d.at("contact"), joint);
  if (d.chance(0.7)) add_friction(d.at("friction"), joint, rigid_ ? LawWishes{.only_dry = true} : LawWishes{});
  add("joints", name("mouth"), joint);
  add_forces(d.at("forces"), true);
}

}  // namespace bristle::fuzz
