#include "random_model.h"

#include <algorithm>
#include <cstdlib>

#include "bristle/integrate/controller.h"
#include "nodes.h"

namespace bristle::fuzz {

double Maker::rounded(double x) { return std::strtod(digits(x).c_str(), nullptr); }

/// Whole numbers, so that no rounding is in them; the reader makes them a unit vector.
Vec3<> Maker::axis(Dice& d) {
  if (d.chance(0.5)) {
    Vec3<> e{};
    e[d.whole(0, 2)] = 1;
    return e;
  }
  Vec3<> e{};
  while (dot(e, e) == 0) e = {{double(d.whole(-3, 3)), double(d.whole(-3, 3)), double(d.whole(-3, 3))}};
  return e;
}

Vec3<> Maker::offset(Dice& d, double low, double high, bool planar) {
  Vec3<> x{};
  const int along = d.whole(0, planar ? 1 : 2);
  for (int i = 0; i < (planar ? 2 : 3); ++i) {
    const double length = d.between(low, high) * d.sign();
    x[i] = std::round(1000 * (i == along ? length : d.chance(0.5) ? 0 : 0.5 * length)) / 1000;
  }
  return x;
}

Node& Maker::add(const char* section, const std::string& name, Node node) {
  if (root_.find(section) == nullptr) root_.set(section, Node::map());
  return root_.find(section)->set(name, std::move(node));
}

std::string Maker::signal(Dice d, double amplitude) {
  const std::string a = digits(amplitude), w = digits(d.between(2, 60));
  switch (d.whole(0, 5)) {
    case 0: return a;
    case 1: return a + "*sin(" + w + "*t)";
    case 2: return a + "*(1 - exp(-" + w + "*t))";
    case 3: return "if(t > 0.05, " + a + ", 0)";
    case 4: return a + "*cos(" + w + "*t)";
    default: return a + "*min(t/0.1, 1)";
  }
}

std::string Maker::feedback(Dice d, const std::string& position, const std::string& velocity, double stiffness) {
  return digits(stiffness) + "*(" + digits(d.between(-0.1, 0.1)) + " - " + position + ") - " +
         digits(d.between(0.01, 0.2) * stiffness) + "*" + velocity;
}

void Maker::add_friction(Dice d, Node& joint, LawWishes wishes) {
  Dice s = d.at("smoothing");
  const bool smooth = wishes.not_dry && s.chance(0.5);
  if (smooth) wishes.not_dry = false, wishes.only_dry = true;
  const LawChoice law = random_friction(d, wishes);
  joint.set("friction", law.node);
  const bool smoothed = smooth || (law.dry && s.chance(0.12));
  dry_ = dry_ || (law.dry && !smoothed);
  if (smoothed)
    joint.set("smoothing", map({{"shape", text(s.word({"tanh", "saturation"}))}, {"velocity", number(s.size(1e-4, 1e-2))}}));
}

void Maker::add_contact_law(Dice d, Node& owner, LawWishes wishes) {
  // rigid surfaces ask for a method of their own: one in a while, and then all of the model
  if (!wishes.only_rigid && !wishes.not_rigid) (rigid_ || d.chance(0.12) ? wishes.only_rigid : wishes.not_rigid) = true;
  const LawChoice law = random_contact(d.at("law"), wishes);
  owner.set("contact", law.node);
  rigid_ = rigid_ || law.rigid;
  touches_ = true;
}

// one-dimensional chains: masses or rotors, springs, stops, places that rub
void Maker::scalars(Dice d) {
  const bool rotary = d.chance(0.15);
  const int n = d.whole(1, 4);
  std::vector<std::string> coordinates;
  std::vector<double> masses;
  if (!rotary && d.chance(0.1)) {
    const std::string frame = name("frame");
    Node list_of = Node::list(), mass = Node::list(), stiffness = Node::list(), velocity = Node::list();
    for (int i = 0; i < n; ++i) {
      const std::string c = "c" + std::to_string(i + 1);
      const double m = rounded(d.size(0.1, 10));
      list_of.add(text(c)), mass.add(number(m)), stiffness.add(number(m * d.size(10, 3000)));
      velocity.add(number(d.between(-1, 1)));
      coordinates.push_back(frame + "." + c), masses.push_back(m);
    }
    add("bodies", frame,
        map({{"type", text("matrices")},
             {"coordinates", list_of},
             {"mass", mass},
             {"stiffness", stiffness},
             {"velocity", velocity}}));
  } else {
    for (int i = 0; i < n; ++i) {
      const std::string b = name(rotary ? "rotor" : "block");
      const double m = rounded(rotary ? d.size(1e-3, 0.1) : d.size(0.1, 10));
      Node body =
          rotary ? map({{"type", text("inertia")}, {"inertia", number(m)}}) : map({{"type", text("mass")}, {"mass", number(m)}});
      if (d.chance(0.5)) body.set(rotary ? "angle" : "position", number(d.between(-0.05, 0.05)));
      if (d.chance(0.7)) body.set(rotary ? "speed" : "velocity", number(d.sign() * d.size(0.01, rotary ? 20 : 2)));
      add("bodies", b, body);
      coordinates.push_back(b), masses.push_back(m);
    }
  }
  std::string base = "ground";
  if (d.chance(0.3)) {
    base = name("belt");
    Node body = map({{"type", text("driven")}});
    if (d.chance(0.5)) body.set(rotary ? "speed" : "velocity", number(d.sign() * d.size(0.01, 1)));
    else body.set(rotary ? "angle" : "position", text(digits(d.size(1e-3, 0.05)) + "*sin(" + digits(d.between(2, 40)) + "*t)"));
    add("bodies", base, body);
  }
  for (int i = 0; i < n; ++i) {
    Dice e = d.at("element", i);
    const std::string& c = coordinates[std::size_t(i)];
    const std::string before = i == 0 ? base : coordinates[std::size_t(i - 1)];
    const double m = masses[std::size_t(i)], k = m * e.size(10, 4000);
    const Node ends = list({before, c});
    if (e.chance(0.75)) {
      Node spring = map({{"type", text("spring")}, {"between", ends}, {"stiffness", number(k)}});
      if (e.chance(0.5)) spring.set("damping", number(e.between(0, 0.2) * std::sqrt(k * m)));
      if (e.chance(0.15)) spring.set("cubic", number(k * e.size(1, 1000)));
      add("forces", name("spring"), spring);
    }
    if (e.chance(0.15))
      add("forces", name("dash"),
          map({{"type", text("damper")},
               {"between", ends},
               {"damping", number(m * e.size(0.1, 10))},
               {"quadratic", number(m * e.size(0.1, 3))}}));
    if (e.chance(0.1))
      add("forces", name("stop"),
          map({{"type", text("dead_band")},
               {"between", ends},
               {"stiffness", number(k * e.size(10, 1000))},
               {"clearance", number(e.size(1e-3, 0.1))},
               {"damping", number(m * e.size(0.1, 10))}}));
    if (e.chance(0.1))
      add("forces", name("stop"),
          map({{"type", text("one_way")},
               {"between", ends},
               {"stiffness", number(k * e.size(10, 1000))},
               {"gap", number(e.size(0.06, 0.2))},
               {"damping", number(m * e.size(0.1, 10))}}));
    if (e.chance(0.06))
      add("forces", name("rubber"),
          map({{"type", text("table_spring")},
               {"between", ends},
               {"extension", list({"-0.1", "0", "0.02", "0.1"})},
               {"force", list({digits(-0.05 * k), "0", digits(0.02 * k), digits(0.2 * k)})}}));
    const double push = m * e.size(0.3, 30) * e.sign();
    if (e.chance(0.35)) {
      Node load = map({{"type", text("load")}, {"on", text(c)}});
      if (e.chance(0.2))
        load.set("force", text(feedback(e.at("control"), c + (rotary ? ".angle" : ".position"),
                                        c + (rotary ? ".speed" : ".velocity"), k)));
      else load.set("force", text(signal(e.at("push"), push)));
      add("forces", name("push"), load);
    }
    if (e.chance(0.65)) {
      Node joint = map({{"type", text("sliding")}});
      const int components = i == 0 && n > 1 && e.chance(0.3) ? e.whole(2, std::min(3, n)) : 1;
      if (components > 1) {
        Node a = Node::list(), b = Node::list(), both = Node::list();
        for (int k2 = 0; k2 < components; ++k2) a.add(text("ground")), b.add(text(coordinates[std::size_t(k2)]));
        both.add(a), both.add(b);
        joint.set("between", both);
      } else {
        joint.set("between", list({e.chance(0.5) ? before : "ground", c}));
      }
      const double load = m * e.size(0.5, 20) * (rotary ? 20 : 1);
      joint.set("load", e.chance(0.8) ? number(load)
                                      : text(digits(load) + "*(1 + " + digits(e.between(0.1, 1.2)) + "*sin(" +
                                             digits(e.between(3, 30)) + "*t))"));
      if (rotary) joint.set("arm", number(e.size(0.01, 0.1)));
      add_friction(e.at("friction"), joint);
      add("joints", name("pad"), joint);
    }
  }
  if (d.chance(0.1)) {
    const std::string s = name("filter");
    add("states", s,
        map({{"rate", text("5*(" + coordinates[0] + (rotary ? ".speed" : ".velocity") + " - " + s + ".value)")},
             {"start", number(d.between(-1, 1))}}));
    add("forces", name("servo"),
        map({{"type", text("load")},
             {"on", text(coordinates[0])},
             {"force", text("-" + digits(masses[0]) + "*" + s + ".value")}}));
  }
}

void Maker::add_gravity(Dice d, bool planar) {
  if (!d.chance(0.8)) return;
  root_.set("gravity", planar ? list({"0", "-9.81"}) : d.chance(0.8) ? list({"0", "0", "-9.81"}) : list({"3", "-4", "-5"}));
}

Node Maker::analysis(Dice d) {
  std::vector<MethodTraits> fit;
  for (const MethodTraits& m : methods()) {
    // one that steps over impacts takes a jump of friction from rigid contact alone
    if (rigid_ ? m.takes_impacts : crowd_ ? m.takes_groups : !(dry_ && m.takes_impacts)) fit.push_back(m);
  }
  const MethodTraits& m = d.elect(fit);
  const double end = rounded(d.size(0.05, 0.6)), step = rounded(end / d.size(50, 1000));
  KindEntry kind = kind_entry("integrator", m.name);
  // the step, the tolerance and rules for steps are chosen below; Newton's tolerance is no matter of the model
  std::erase_if(kind.fields, [](const Field& f) {
    return f.key == "step" || f.key == "adapt" || f.key.ends_with("tolerance") || f.key == "iterations" || f.key == "accept" ||
           f.key == "depth";
  });
  Node method = random_kind(kind, d.at("settings"), 0.2);
  const double tolerance = std::pow(10.0, d.whole(m.estimates_error ? -9 : -7, -4));  // of order two without
  if (m.estimates_error || (m.may_have_tolerance && d.chance(0.3))) {
    if (!m.estimates_error || d.chance(0.7)) method.set("tolerance", number(tolerance));
    if (d.chance(0.1)) method.set("step", number(end / 20));
  } else if (d.chance(0.1)) {
    const auto& rules = kind_group("controller").entries;
    Node rule = random_kind(d.elect(rules), d.at("rule"), 0.3);
    for (const char* key : {"step", "coarse"})
      if (rule.find(key)) rule.set(key, number(step));
    if (rule.find("fine")) rule.set("fine", number(step / 4));
    const bool alone = rule.find("step") || rule.find("coarse");
    Node rules_node = Node::list();
    rules_node.add(rule);
    method.set("adapt", rules_node);
    if (!alone) method.set("step", number(step));
  } else {
    method.set("step", number(step));
  }
  Node out = map({{"type", text("transient")}, {"end", number(end)}, {"integrator", method}});
  // methods that keep the joints themselves take no other way
  if (held_ && !m.enforces && !m.takes_impacts && d.chance(0.5)) {
    const KindEntry& way = d.elect(kind_group("enforcement").entries);
    out.set("enforcement", random_kind(way, d.at("enforcement"), 0.15));
  }
  if (m.takes_jumps && d.chance(0.06)) out.set("rest", text("threshold"));
  if (d.chance(0.06)) out.set("max_step", number(d.size(1e-3, 0.02)));
  root_.set("record", map({{"every", number(end / 40)}}));
  return out;
}

Node Maker::make() {
  root_ = map({{"bristle", text("1")}, {"title", text("random model")}});
  Dice d = dice_.at("family");
  const double family = d.unit();
  if (family < 0.26) scalars(d.at("scalars"));
  else if (family < 0.42) mechanism(d.at("planar"), true);
  else if (family < 0.68) mechanism(d.at("spatial"), false);
  else if (family < 0.83) touching(d.at("touching"), d.chance(0.35));
  else if (family < 0.87) crowd(d.at("crowd"));
  else if (family < 0.95) flexible(d.at("flexible"));
  else if (family < 0.975) rolling(d.at("rolling"));
  else sleeve(d.at("sleeve"));
  if (family >= 0.26 && d.chance(0.08)) scalars(d.at("beside"));
  root_.set("analysis", analysis(dice_.at("analysis")));
  return root_;
}

Node random_model(std::uint64_t seed) { return Maker(seed).make(); }

std::string model_text(const Node& model) { return model.print(); }

}  // namespace bristle::fuzz
