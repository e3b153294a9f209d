#pragma once
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/** Who varies the load on a memory that stores energy in proportion to it, as bristles per load do, changes what is stored with no motion
that would do work: N e(z), e being what is stored per load, has the rate N e' + N' e, and friction takes the first part alone. The second
one, here (N1 - N0) (e0 + e1) / 2 per accepted step, goes to an account of its own, `<place>.load`: without it the energy of a closed
system could grow, and friction would seem to give back. */
class LoadWork {
 public:
  void prepare(const System&);
  /// At a state that has been evaluated.
  void start(const System&, const State&, Workspace&);
  /// After an accepted step: adds to the work of the step, by account.
  void step(const System&, const State&, Workspace&, double* work);
  void save(Archive& a) const { a.put(before_); }
  void load(Archive& a) { a.get(before_); }

 private:
  std::vector<int> friction_, load_;  // accounts
  std::vector<LoadedMemory> before_, now_;
};

}  // namespace bristle
