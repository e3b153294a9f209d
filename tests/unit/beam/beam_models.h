#pragma once
// Models with beams: assembly, equilibrium, channels by name.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <string>

#include "bristle/analyse/statics.h"
#include "bristle/assemble/assemble.h"

namespace bristle::test {

inline std::map<std::string, double> channels_of(const System& system, const State& x) {
  Workspace w = system.make_workspace();
  std::vector<double> out(system.layout().channels.size());
  system.readings().calc_outputs(system.look(x, w), out.data());
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < out.size(); ++i) values[system.layout().channels[i].name] = out[i];
  return values;
}

inline System system_of(const std::string& body) {
  return assemble(read_model_text("bristle: 1\n" + body + "analysis: {type: statics}\n", "model"));
}

/// The equilibrium that a model asks for, near its start.
inline Equilibrium equilibrium_of(const System& system, StaticsOptions options = {}) {
  State x = system.make_state();
  options.leave = false;
  const Equilibrium e = find_equilibrium(system, x, options);
  EXPECT_TRUE(e.found) << e.message;
  return e;
}

/// A cantilever of length 1 along x that bends about z, with loads at its tip.
inline std::string cantilever(int elements, const std::string& section, const std::string& load, const std::string& more = "") {
  return "sections:\n  s: {type: general, " + section +
         "}\nbodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], up: y, elements: " + std::to_string(elements) +
         ", section: s" + more + "}\njoints:\n  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\nforces:\n  " +
         load + "\n";
}

}  // namespace bristle::test
