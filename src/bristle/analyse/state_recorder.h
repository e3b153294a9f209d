#pragma once
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/record/sink.h"

namespace bristle {

/// All channels that a state alone has: those of the system, kinetic and stored energy.
std::vector<Channel> state_channels(const Layout&);

/// Gives a sink the samples of analyses that have no ledger: chosen channels and poses of states.
class StateRecorder {
 public:
  /// Puts channels, bodies and joints into the header. Patterns as in TransientPlan::channels.
  StateRecorder(const System&, const std::vector<std::string>& patterns, RunHeader&);
  void put(Sink& sink, const State& x) { put(sink, x, x.t, 1); }
  void put(Sink&, const State&, double at, double share);      ///< `at`: in the place of the time; share of the loads
  const std::vector<double>& outputs() const { return all_; }  ///< of the last state, all channels

 private:
  const System& system_;
  Workspace work_;
  std::vector<int> chosen_;
  std::vector<double> all_, values_, poses_;
};

}  // namespace bristle
