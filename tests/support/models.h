#pragma once
// Model texts and settings that several tests share.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bristle/friction/registry.h"
#include "bristle/integrate/integrator.h"
#include "bristle/model/describe.h"
#include "bristle/signal/signal.h"
#include "validation/trial.h"

namespace bristle::test {

/// A mass dragged by a spring over a surface with LuGre friction ("Efficient Simulation of a Dynamic System with LuGre Friction", benchmark).
inline const std::string kLuGre = R"(bristle: 1
bodies:
  mass: {type: mass, mass: 1 kg}
  end: {type: driven, velocity: 0.1 m/s}
forces:
  spring: {type: spring, between: [mass, end], stiffness: 2 N/m}
joints:
  shoe:
    type: sliding
    between: [ground, mass]
    load: 1 N
    friction: {type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 1 mm/s, sigma0: 1e5 N/m, sigma1: 316.227766016837933 N s/m, sigma2: 0.4 N s/m}
analysis: {type: transient, end: 20 s, integrator: {type: rk4, step: 1 ms}}
)";

/// A chain of n masses, each rubbing on the ground by a law, shaken at its first mass.
inline std::string chain(int n, const std::string& law, const std::string& load = "1 N", double stiffness = 100,
                         double damping = 0.2) {
  std::string bodies, forces, joints;
  for (int i = 1; i <= n; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: 1 kg, velocity: {} m/s}}\n", i, i % 2 ? 0.02 : 0.0);
    const std::string before = i == 1 ? "ground" : fmt::format("m{}", i - 1);
    forces += fmt::format("  s{}: {{type: spring, between: [{}, m{}], stiffness: {} N/m, damping: {} N s/m}}\n", i, before, i,
                          stiffness, damping);
    joints += fmt::format("  p{}: {{type: sliding, between: [ground, m{}], load: {}, friction: {}}}\n", i, i, load, law);
  }
  return "bristle: 1\nbodies:\n" + bodies + "forces:\n  shake: {type: load, on: m1, force: \"2*sin(5*t)\"}\n" + forces +
         (law.empty() ? "" : "joints:\n" + joints) +
         "analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}\n";
}

/// An override of the integrator: a fixed step, or a tolerance where the error is controlled.
inline bool controls_error(const std::string& integrator) {
  Describer d;
  return integrator_registry().find(integrator)->make(d)->traits().estimates_error;
}
inline std::string setting(const std::string& integrator, double step, double tolerance) {
  return controls_error(integrator) ? fmt::format("analysis.integrator={{type: {}, tolerance: {:.17g}}}", integrator, tolerance)
                                    : fmt::format("analysis.integrator={{type: {}, step: {:.17g}}}", integrator, step);
}
/// Methods of order two: their errors are those of the trapezoidal rule, or a little more where they damp.
inline bool second_order(const std::string& integrator) {
  return integrator == "energy_preserving" || integrator == "energy_decaying" || integrator == "trapezoidal" ||
         integrator == "generalized_alpha" || integrator == "hht" || integrator == "newmark";
}
inline std::vector<std::string> integrators(bool with_foreign = false) {
  std::vector<std::string> names;
  for (const IntegratorEntry& e : integrator_registry().all()) {
    Describer d;
    if (e.make(d)->traits().takes_impacts) continue;  // refuses dry friction without rigid contact: has tests of its own
    if (with_foreign || e.name != "cvode") names.push_back(e.name);  // CVODE keeps a history of its own
  }
  return names;
}

/// Does it find the times at which dry places stick and slip? Otherwise a switch falls within its step.
inline bool locates(const std::string& integrator) {
  Describer d;
  return !integrator_registry().find(integrator)->make(d)->traits().owns_forces;
}
inline std::vector<std::string> locating_integrators(bool with_foreign = false) {
  std::vector<std::string> names = integrators(with_foreign);
  std::erase_if(names, [](const std::string& name) { return !locates(name); });
  return names;
}

/// What a model file must say about a law: `{type: lugre, mu_kinetic: 0.1, ...}`, moderate values for all that is required.
inline std::string plain_law(const FrictionEntry& entry) {
  class Writer final : public Visitor {
   public:
    std::string text;
    void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char*) override {
      if (!std::isnan(value)) return;
      static const std::map<std::string, double> moderate{{"1", 0.1},    {"m", 1e-4},  {"s", 0.1},   {"1/s", 10.0},
                                                          {"m/s", 1e-2}, {"1/m", 1e3}, {"s/m", 1.0}, {"N", 0.5}};
      const auto it = moderate.find(unit.text);
      value = it == moderate.end() ? 1.0 : it->second;
      if (std::strcmp(key, "mu_static") == 0) value = 0.15;
      else if (std::strcmp(key, "mu_kinetic") != 0 && std::strcmp(unit.text, "1") == 0) value = 0.3 / (1 + 0.5 * plain_++);
      if (!range.contains(value) && std::isfinite(range.high)) value = 0.5 * (range.low + range.high);
      text += fmt::format(", {}: {:.17g}{}", key, value, std::strcmp(unit.text, "1") == 0 ? "" : std::string(" ") + unit.text);
    }
    void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* t) override {
      (*this)(key, value, unit, range, t);
    }
    void integer(const char*, int&, int, int, const char*) override {}
    void flag(const char*, bool&, const char*) override {}
    void choice(const char*, int&, std::initializer_list<const char*>, const char*) override {}
    void list(const char*, std::vector<double>&, const Unit&, const Range&, const char*) override {}
    void signal(const char*, Signal&, const Unit&, const char*) override {}
    void reference_load() override {}

   private:
    int plain_ = 0;
  };
  Writer w;
  entry.describe(w);
  return "{type: " + entry.name + w.text + "}";
}

/// Laws that span what a law can be: dry, with a rate, clipped, flagged, delayed.
inline const std::map<std::string, std::string>& spanning_laws() {
  static const std::map<std::string, std::string> laws{
      {"coulomb", "{type: coulomb, mu_kinetic: 0.3}"},
      {"lugre",
       "{type: lugre, mu_kinetic: 0.3, mu_static: 0.4, stribeck_velocity: 10 mm/s, sigma0: 1e3 1/m, sigma1: 10 s/m, sigma2: 0.01 s/m}"},
      {"iwan", "{type: iwan, mu_kinetic: 0.3, stiffness: 1e3 1/m}"},
      {"generalised_maxwell_slip",
       "{type: generalised_maxwell_slip, mu_kinetic: 0.3, mu_static: 0.4, stribeck_velocity: 10 mm/s, sigma0: 1e3 1/m, attraction: 0.1 m/s}"},
      {"seven_parameter",
       "{type: seven_parameter, mu_kinetic: 0.3, mu_static: 0.4, stribeck_velocity: 10 mm/s, sigma0: 1e3 1/m, lag: 5 ms, rise_time: 0.2 s, switch_velocity: 1 mm/s}"}};
  return laws;
}

/// Everything that remembers, in one model: bristles, located stick and slip, random bonds, a delay line, flags, a user's state.
inline const std::string kMemories = R"yaml(bristle: 1
bodies:
  a: {type: mass, mass: 1 kg, velocity: 0.3 m/s}
  b: {type: mass, mass: 2 kg}
  c: {type: mass, mass: 1 kg}
  d: {type: mass, mass: 1 kg}
  e: {type: mass, mass: 1 kg}
  f: {type: mass, mass: 1 kg, velocity: 0.2 m/s}
  g: {type: mass, mass: 1 kg, velocity: 0.1 m/s}
  belt: {type: driven, position: "0.02*sin(3*t)"}
states:
  filter: {rate: "5*(a.velocity - filter.value)", start: 0.1}
forces:
  ab: {type: spring, between: [a, b], stiffness: 60 N/m}
  bc: {type: spring, between: [b, c], stiffness: 60 N/m}
  cd: {type: spring, between: [c, d], stiffness: 60 N/m}
  de: {type: spring, between: [d, e], stiffness: 60 N/m, damping: 0.1 N s/m}
  ef: {type: spring, between: [e, f], stiffness: 60 N/m}
  gg: {type: spring, between: [ground, g], stiffness: 90 N/m}
  push: {type: load, on: c, force: "3*sin(4*t) - 0.5*filter.value"}
joints:
  p1: {type: sliding, between: [belt, a], load: 2 N, friction: LUGRE}
  p2: {type: sliding, between: [ground, b], load: 4 N, friction: COULOMB}
  p3: {type: sliding, between: [ground, c], load: "3 + 0.5*sin(t)", friction: {type: haessig_friedland, mu_kinetic: 0.3, sigma0: 1e3 1/m, bonds: 7}}
  p4: {type: sliding, between: [ground, d], load: 2 N, friction: SEVEN}
  p5: {type: sliding, between: [ground, e], load: 2 N, friction: GMS}
  p6: {type: sliding, between: [[ground, ground], [f, g]], load: 3 N, friction: {type: stribeck, mu_static: 0.3, mu_kinetic: 0.2, stribeck_velocity: 0.1 m/s}}
analysis: {type: transient, end: 2 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
inline std::string memories() {
  std::string text = kMemories;
  const auto put = [&](const char* word, const char* law) {
    text.replace(text.find(word), std::strlen(word), spanning_laws().at(law));
  };
  put("LUGRE", "lugre"), put("COULOMB", "coulomb"), put("SEVEN", "seven_parameter"), put("GMS", "generalised_maxwell_slip");
  return text;
}

}  // namespace bristle::test
