#pragma once
// Systems of model texts and their channels, for tests of analyses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "bristle/analyse/modes.h"
#include "bristle/base/error.h"
#include "bristle/study/plans.h"

namespace bristle::test {

inline Model model_of(const std::string& text) { return read_model_text(text, "test.yaml"); }
inline System plain_system(const std::string& text) { return assemble(model_of(text), {.friction = false}); }

/// Channels of a state whose multipliers and accelerations are filled in.
class Channels {
 public:
  explicit Channels(const System& system)
      : system_(system), work_(system.make_workspace()), out_(system.layout().channels.size()) {}
  Channels& at(const State& x) {
    system_.readings().calc_outputs(system_.look(x, work_), out_.data());
    return *this;
  }
  double operator[](const std::string& name) const {
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (system_.layout().channels[i].name == name) return out_[i];
    }
    ADD_FAILURE() << "no channel " << name;
    return 0;
  }

 private:
  const System& system_;
  Workspace work_;
  std::vector<double> out_;
};

/// The sentence an input is refused with.
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

}  // namespace bristle::test
