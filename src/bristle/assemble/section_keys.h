#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/keys.h"

namespace bristle {

// Keys of sections that are no lists of types, and those that all integrators have.

struct StepKeys {
  std::optional<double> step;  ///< [s]
  const Node* adapt = nullptr;
  void visit(Keys& keys) {
    keys.number("step", step, unit::second, positive, "none", "the step; with error control the largest one");
    keys.node("adapt", "adapt", adapt, "none", "list of step rules; see `bristle list controller`");
  }
};

/// An entry of the section `states`.
struct StateKeys {
  Signal rate;
  double start = 0;
  void visit(Keys& keys) {
    keys.need("rate", "a state needs a rate, an expression of t and channels");
    keys.signal("rate", rate, unit::per_second, "", "rate of change, an expression of t and channels");
    keys.number("start", start, unit::one, any, "0", "value at the start");
  }
};

/// The section `record`.
struct RecordKeys {
  std::optional<double> every;  ///< [s] 0: every step
  std::vector<std::string> channels;
  void visit(Keys& keys);
};

/// The section `check`.
struct CheckKeys {
  std::optional<double> energy;
  void visit(Keys& keys) {
    keys.number("energy", energy, unit::one, positive, "not checked",
                "largest residual of the energy ledger, relative to the energy involved");
  }
};

}  // namespace bristle
