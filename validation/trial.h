#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/study/plans.h"

namespace bristle {

/// A model text with overrides, assembled and ready to run.
class Trial {
 public:
  Trial(const std::string& text, const std::vector<std::string>& overrides = {});
  Run& start();  ///< a new run from the initial state
  Run& start(State x);
  const System& system() const { return *system_; }
  const TransientPlan& plan() const { return plan_; }
  int channel(const std::string& name) const;  ///< index into outputs
  /// Value of a channel at the present state.
  double read(int channel);
  const std::vector<double>& outputs();  ///< all channels at the present state

 private:
  Model model_;
  std::unique_ptr<System> system_;
  TransientPlan plan_;
  std::unique_ptr<Run> run_;
  std::vector<double> outputs_;
};

}  // namespace bristle
