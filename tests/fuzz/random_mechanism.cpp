// Bodies in space and in the plane, their joints, and what acts on them.
#include <algorithm>

#include "nodes.h"
#include "random_model.h"

namespace bristle::fuzz {

Maker::Part& Maker::add_rigid(Dice d, const Vec3<>& at, bool planar) {
  Part part;
  part.name = name("link");
  part.at = at;
  part.freedoms = planar ? 3 : 6;
  const double mass = rounded(d.size(0.05, 20)), radius = d.between(0.05, 0.3), J = mass * radius * radius;
  Node body = map({{"type", text(planar ? "planar" : "rigid")}, {"mass", number(mass)}});
  // each less than the sum of the others
  body.set("inertia", planar ? number(J) : list({digits(J), digits(J * d.between(0.6, 1)), digits(J * d.between(0.6, 1))}));
  body.set("position", vector(at, planar));
  if (!planar && d.chance(0.3)) body.set("orientation", map({{"axis", vector(axis(d))}, {"angle", number(d.between(-3, 3))}}));
  if (planar && d.chance(0.3)) body.set("angle", number(d.between(-3, 3)));
  if (d.chance(0.15)) body.set("center", planar ? list({"0.02", "-0.01"}) : list({"0.02", "-0.01", "0.03"}));
  add("bodies", part.name, body);
  parts_.push_back(part);
  freedoms_ += part.freedoms;
  return parts_.back();
}

Maker::Part& Maker::add_particle(Dice d, const Vec3<>& at) {
  Part part;
  part.name = name("bob");
  part.at = at;
  part.point = true;
  part.freedoms = 3;
  add("bodies", part.name, map({{"type", text("particle")}, {"mass", number(d.size(0.05, 10))}, {"position", vector(at)}}));
  parts_.push_back(part);
  freedoms_ += 3;
  return parts_.back();
}

int Maker::rows(const JointEntry& entry, bool planar) {
  if (planar)
    return entry.name == "fixed" ? 3 : entry.name == "revolute" || entry.name == "prismatic" ? 2 : entry.name == "free" ? 0 : 1;
  const JointPlan plan = entry.plan({});
  return static_cast<int>(plan.held.size() + plan.coupled.size());
}

void Maker::add_sizes(Dice d, Node& joint, const std::vector<std::string>& sizes) {
  for (const std::string& size : sizes) {
    const bool required = size.starts_with("!");
    const std::string key = required ? size.substr(1) : size;
    Dice e = d.at(key);
    if (!required && !e.chance(0.5)) continue;
    if (joint.find(key)) continue;
    if (key == "outer" || key == "moment_load") joint.set(key, text(e.chance(0.5) ? "true" : "false"));
    else if (key == "preload") joint.set(key, number(e.size(1, 100)));
    else if (key == "axial_clearance") joint.set(key, number(e.size(1e-5, 1e-3)));
    else joint.set(key, number(e.size(5e-3, 5e-2)));
  }
}

void Maker::add_drive_or_stops(Dice d, Node& joint, const std::vector<Motion>& motions) {
  if (motions.empty()) return;
  const Motion& m = d.pick(motions);
  const std::string own = m.name.substr(m.name.find('.') + 1);
  const double reach = m.rotary ? d.size(0.05, 2) : d.size(0.01, 0.2);
  const double choice = d.unit();
  if (choice < 0.1) {
    const std::string w = digits(d.between(2, 30));
    joint.set("drive", map({{own.c_str(), text(d.chance(0.5) ? digits(reach) + "*sin(" + w + "*t)"
                                                             : digits(reach) + "*(1 - cos(" + w + "*t))")}}));
    driven_ = true;
    --freedoms_;
  } else if (choice < 0.2) {
    const Node stops = map({{"lower", number(-reach)},
                            {"upper", number(reach * d.between(0.2, 2))},
                            {"stiffness", number(m.rotary ? d.size(10, 1e4) : d.size(1e3, 1e6))},
                            {"damping", number(m.rotary ? d.size(0.01, 1) : d.size(1, 100))}});
    joint.set("stops", motions.size() == 1 ? stops : map({{own.c_str(), stops}}));
  }
}

std::string Maker::add_joint(Dice d, const JointEntry& entry, const Part& a, const Part& b, const Vec3<>& at, const Vec3<>& axis,
                             bool planar, double worn) {
  const std::string name = this->name("joint");
  Node joint = map({{"type", text(entry.name)}, {"between", list({a.name, b.name})}, {"at", vector(at, planar)}});
  if (entry.name == "distance") {
    joint.set("at_b", vector(b.at, planar));
  } else if (!planar || entry.name == "prismatic" || entry.name == "point_on_line") {
    joint.set("axis", vector(axis));
  }
  if (entry.two_axes) {
    // square to the first; whole numbers
    const Vec3<> helper = axis[0] != 0 || axis[1] != 0 ? Vec3<>{{0, 0, 1}} : Vec3<>{{1, 0, 0}};
    joint.set("second_axis", vector(cross(axis, helper)));
  }
  if (entry.has_lead) joint.set("lead", number(d.sign() * d.size(2e-3, 5e-2)));
  JointSizes sizes;
  sizes.planar = planar;
  const bool clear = entry.worn != nullptr && d.chance(worn);
  // the play of a worn joint is a motion, what it does not hold any more is none
  const std::vector<RelationPlan> freed = clear ? std::vector<RelationPlan>{} : entry.plan(sizes).motions;
  std::vector<Motion> own;
  for (const RelationPlan& m : freed) {
    const std::string word = m.name;
    own.push_back({name + "." + word, word.find("angle") != std::string::npos || word.find("bend") != std::string::npos});
  }
  if (planar) {  // what leads out of the plane is no motion there
    std::erase_if(own, [&](const Motion& m) { return entry.name == "free" && m.name.ends_with(".z"); });
  }
  if (clear) {
    joint.set("clearance", number(d.size(1e-5, 2e-3)));
    add_sizes(d.at("sizes"), joint, entry.worn_sizes);
    const bool lines =
        joint.find("length") && (entry.name == "point_on_line" || (entry.name == "revolute" && !joint.find("axial_clearance")));
    const bool curved = entry.name == "spherical";
    add_contact_law(d.at("contact"), joint, {.lines = lines, .curved = curved});
    if (d.chance(0.5)) add_friction(d.at("friction"), joint, rigid_ ? LawWishes{.only_dry = true} : LawWishes{});
  } else {
    if (!entry.sizes.empty() && !(b.point && entry.name == "spherical") && d.chance(0.4)) {
      add_sizes(d.at("sizes"), joint, entry.sizes);
      if (d.chance(0.3)) joint.set("preload", number(d.size(1, 100)));
      add_friction(d.at("friction"), joint);
    }
    if (!b.point) add_drive_or_stops(d.at("drive"), joint, own);
    freedoms_ -= rows(entry, planar);
    held_ = held_ || rows(entry, planar) > 0;
  }
  if (!b.point) motions_.insert(motions_.end(), own.begin(), own.end());
  add("joints", name, joint);
  return name;
}

void Maker::close_loop(Dice d, bool planar) {
  const Part& last = parts_.back();
  Part ground;
  ground.name = "ground";
  const bool inside = parts_.size() > 2 && d.chance(0.3);
  const Part& other = inside ? parts_.front() : ground;
  std::vector<JointEntry> fit;
  for (const JointEntry& e : joint_list()) {
    const bool known =
        !planar || e.name == "revolute" || e.name == "prismatic" || e.name == "point_on_line" || e.name == "distance";
    const bool point =
        !last.point || e.name == "spherical" || e.name == "point_on_line" || e.name == "point_in_plane" || e.name == "distance";
    const int n = rows(e, planar);
    if (known && point && n > 0 && n < freedoms_) fit.push_back(e);
  }
  if (fit.empty()) return;
  const JointEntry& entry = d.elect(fit);
  const Vec3<> at = entry.name == "distance" ? last.at + offset(d, 0.1, 0.5, planar)
                    : last.point             ? last.at
                                             : last.at + offset(d, 0.03, 0.3, planar);
  Vec3<> along = axis(d);
  if (planar) along = d.chance(0.5) ? Vec3<>{{1, 0, 0}} : Vec3<>{{1, 2, 0}};
  add_joint(d.at("closing"), entry, other, last, at, along, planar, 0.12);
  closed_ = closed_ || !inside;
}

/// The whole tree moves as one body, as its first joint allows.
void Maker::set_moving(Dice d, const std::string& base, const Vec3<>& at, const Vec3<>& axis, bool planar) {
  Vec3<> v{}, w{};
  const auto some = [&](double most) { return rounded(d.sign() * d.size(0.05, most)); };
  if (base == "" || base == "free") {
    v = {{some(2), some(2), planar ? 0 : some(2)}};
    w = planar ? Vec3<>{{0, 0, some(10)}} : Vec3<>{{some(10), some(10), some(10)}};
  } else if (base == "revolute") {
    w = some(planar ? 10 : 4) * (planar ? Vec3<>{{0, 0, 1}} : axis);
  } else if (base == "prismatic") {
    v = some(1) * axis;
  } else if (base == "cylindrical") {
    v = some(0.5) * axis, w = some(3) * axis;
  } else if (base == "spherical") {
    w = {{some(8), some(8), some(8)}};
  } else {
    return;
  }
  for (const Part& p : parts_) {
    Node* body = root_.find("bodies")->find(p.name);
    body->set("velocity", vector(v + cross(w, p.at - at), planar));
    if (p.point) continue;
    if (planar) body->set("angular_velocity", text(exact(w[2])));
    else body->set("angular_velocity", vector(w));
  }
}

void Maker::mechanism(Dice d, bool planar) {
  add_gravity(d.at("gravity"), planar);
  Part ground;
  ground.name = "ground";
  const int n = d.whole(1, 4);
  const double worn = d.chance(0.35) ? 0.4 : 0;
  const bool floats = d.chance(0.08);
  std::string base;
  Vec3<> base_at{}, base_axis{};
  bool one_root = true;
  for (int i = 0; i < n; ++i) {
    Dice e = d.at("body", i);
    const bool on_ground = i == 0 || e.chance(0.12);
    const Part parent = on_ground ? ground : e.chance(0.8) ? parts_.back() : e.pick(parts_);
    const bool usable = !parent.point;
    const Part from = usable ? parent : ground;
    const Vec3<> at = from.at + offset(e, 0.05, 0.3, planar);
    const bool particle = !planar && e.chance(0.12);
    if (floats && i == 0) {
      planar ? add_rigid(e.at("body"), at, true) : add_rigid(e.at("body"), at, false);
      base_at = at;
      continue;
    }
    std::vector<JointEntry> fit;
    for (const JointEntry& j : joint_list()) {
      const bool known = !planar || j.name == "revolute" || j.name == "prismatic" || j.name == "fixed" ||
                         j.name == "point_on_line" || j.name == "distance" || j.name == "free";
      const bool point =
          !particle || j.name == "spherical" || j.name == "point_on_line" || j.name == "point_in_plane" || j.name == "distance";
      const bool weld = j.name == "fixed" || j.name == "free";
      if (known && point && !(weld && !e.at("weld").chance(0.3))) fit.push_back(j);
    }
    // pins are the most common of all
    const JointEntry* pin = nullptr;
    for (const JointEntry& j : joint_list()) pin = j.name == (particle ? "spherical" : "revolute") ? &j : pin;
    const JointEntry entry = e.chance(planar ? 0.5 : 0.25) ? *pin : e.elect(fit);
    Vec3<> along = axis(e);
    if (planar) along = e.word({"x", "y"})[0] == 'x' ? Vec3<>{{1, 0, 0}} : Vec3<>{{1, 2, 0}};
    const bool apart = entry.name == "distance";
    const Vec3<> where = particle && !apart ? at : at + offset(e, 0.05, 0.5, planar);
    const Part body = particle ? add_particle(e.at("body"), where) : add_rigid(e.at("body"), where, planar);
    add_joint(e.at("joint"), entry, from, body, at, along, planar, worn);
    if (from.name == "ground") {
      one_root = one_root && i == 0;
      if (i == 0) base = entry.name, base_at = at, base_axis = along;
    }
  }
  if (d.chance(0.35)) close_loop(d.at("loop"), planar);
  if (d.chance(0.04) && base == "revolute" && !planar) {  // a door on two hinges
    const Vec3<> at = base_at + base_axis;
    add("joints", name("hinge"),
        map({{"type", text("revolute")},
             {"between", list({"ground", parts_.front().name})},
             {"at", vector(at)},
             {"axis", vector(base_axis)}}));
  }
  add_couplings(d.at("couplings"));
  if (one_root && !closed_ && !driven_ && d.chance(0.7)) set_moving(d.at("moving"), base, base_at, base_axis, planar);
  add_forces(d.at("forces"), planar);
}

void Maker::add_couplings(Dice d) {
  if (motions_.empty()) return;
  const Motion m = d.pick(motions_);
  std::vector<Motion> turns, slides;
  for (const Motion& one : motions_) (one.rotary ? turns : slides).push_back(one);
  const auto worn = [&](Node& joint, bool needs_arm) {
    joint.set("clearance", number(d.size(1e-5, 1e-3)));
    if (needs_arm) joint.set("arm", number(d.size(0.01, 0.1)));
    add_contact_law(d.at("teeth"), joint);
    if (d.chance(0.3)) add_friction(d.at("tooth_friction"), joint, rigid_ ? LawWishes{.only_dry = true} : LawWishes{});
  };
  if (d.chance(0.08)) {
    Node joint = map({{"type", text("backlash")}, {"on", text(m.name)}});
    worn(joint, m.rotary);
    add("joints", name("play"), joint);
  }
  if (turns.size() > 1 && freedoms_ > 1 && d.chance(0.2)) {
    Node joint = map({{"type", text("gear")},
                      {"between", list({turns.front().name, turns.back().name})},
                      {"ratio", number(d.sign() * d.size(0.2, 5))}});
    if (d.chance(0.3)) worn(joint, true);
    else --freedoms_, held_ = true;
    add("joints", name("mesh"), joint);
    closed_ = true;
  } else if (!turns.empty() && !slides.empty() && freedoms_ > 1 && d.chance(0.2)) {
    Node joint = map({{"type", text("rack")},
                      {"between", list({turns.front().name, slides.front().name})},
                      {"radius", number(d.sign() * d.size(0.01, 0.2))}});
    if (d.chance(0.3)) worn(joint, false);
    else --freedoms_, held_ = true;
    add("joints", name("mesh"), joint);
    closed_ = true;
  } else if (motions_.size() > 1 && freedoms_ > 1 && d.chance(0.12)) {
    const std::string a = motions_.front().name, b = motions_.back().name;
    add("joints", name("cam"),
        map({{"type", text("constraint")}, {"zero", text(a + " - " + digits(d.size(0.05, 1)) + "*sin(" + b + ")")}}));
    --freedoms_;
    closed_ = held_ = true;
  }
}

void Maker::add_forces(Dice d, bool planar) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& p = parts_[i];
    Dice e = d.at("on", static_cast<int>(i));
    const Vec3<> off = p.point ? Vec3<>{} : offset(e, 0.02, 0.1, planar);
    const auto push = [&] { return e.sign() * e.size(0.1, 20); };
    if (e.chance(0.2)) {
      const Vec3<> far = p.at + offset(e, 0.3, 0.8, planar);
      Node spring = map({{"type", text(e.chance(0.75) ? "spring" : "damper")},
                         {"between", list({"ground", p.name})},
                         {"at", vector(far, planar)},
                         {"at_b", vector(p.at + off, planar)}});
      if (spring.find("type")->text == "spring") {
        spring.set("stiffness", number(e.size(10, 5000)));
        spring.set("length", number(e.between(0.1, 0.8)));
      }
      spring.set("damping", number(e.size(0.1, 20)));
      add("forces", name("coil"), spring);
    }
    if (!p.point && !planar && e.chance(0.1)) {
      Node mount = map({{"type", text("bushing")},
                        {"between", list({"ground", p.name})},
                        {"at", vector(p.at + off)},
                        {"stiffness", number(e.size(100, 1e5))}});
      if (e.chance(0.5)) mount.set("rotational_stiffness", number(e.size(1, 1000)));
      if (e.chance(0.6)) mount.set("damping", number(e.size(0.1, 100)));
      add("forces", name("mount"), mount);
    }
    if (e.chance(0.2)) {
      Node force = map({{"type", text("force")}, {"on", text(p.name)}});
      force.set("force", planar ? list({signal(e.at("x"), push()), signal(e.at("y"), push())})
                                : list({signal(e.at("x"), push()), "0", signal(e.at("z"), push())}));
      if (!p.point && e.chance(0.3)) force.set("frame", text("body"));
      add("forces", name("jet"), force);
    }
    if (!p.point && e.chance(0.1))
      add("forces", name("twist"),
          map({{"type", text("torque")},
               {"on", text(p.name)},
               {"torque", list({"0", "0", signal(e.at("torque"), 0.1 * push())})}}));
    if (e.chance(0.06))
      add("forces", name("air"),
          map({{"type", text("drag")},
               {"on", text(p.name)},
               {"area", number(e.size(1e-3, 0.1))},
               {"coefficient", number(e.between(0.2, 1.5))}}));
  }
  if (motions_.empty()) return;
  const Motion m = d.pick(motions_);
  const std::string own = m.name.substr(m.name.find('.') + 1);
  if (d.chance(0.2)) {
    Node spring = map(
        {{"type", text("spring")}, {"on", text(m.name)}, {"stiffness", number(m.rotary ? d.size(0.1, 100) : d.size(10, 1e4))}});
    if (d.chance(0.5)) spring.set("damping", number(m.rotary ? d.size(1e-3, 1) : d.size(0.1, 50)));
    add("forces", name("coil"), spring);
  }
  if (d.chance(0.2)) {
    const double size = m.rotary ? d.size(0.05, 5) : d.size(0.5, 50);
    Node load = map({{"type", text("load")}, {"on", text(m.name)}, {"force", text(signal(d.at("motor"), size))}});
    if (d.chance(0.3) && (own == "angle" || own == "displacement"))
      load.set("force",
               text(feedback(d.at("servo"), m.name,
                             m.name.substr(0, m.name.find('.')) + (own == "angle" ? ".speed" : ".velocity"), 10 * size)));
    add("forces", name("motor"), load);
  }
}

}  // namespace bristle::fuzz
