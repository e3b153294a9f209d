#pragma once
#include <vector>

#include "bristle/analyse/run_context.h"

namespace bristle {

/** The largest rate |lambda| of motions about a state [1/s], by powers of the Jacobian on one direction, as differences of rates. A direction that is kept from
state to state needs one or two powers at each. Positions count as fast as they move, so that a motion that is damped as fast as it swings is not taken for a faster one;
memory has a part in the direction and none in its size: how fast it fades by itself is known from its law. */
class FastestRate {
 public:
  explicit FastestRate(RunContext&);

  /// The rates at the state are known.
  double look(const State& at, const double* rates, Workspace&, int powers);
  double look(const State& at, Workspace&, int powers);  ///< they are not
  /// Number of the first-order form that moves most; -1: nothing has moved.
  int who() const { return who_; }
  void forget();  ///< the direction

  void save(Archive& a) const { a.put(way_), a.put(rate_); }
  void load(Archive& a) { a.get(way_), a.get(rate_); }

 private:
  RunContext& run_;
  State moved_, at_;
  std::vector<double> way_, next_, here_;
  double rate_ = 0;
  int who_ = -1;
};

}  // namespace bristle
