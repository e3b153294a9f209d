#pragma once
#include <cmath>

#include "bristle/base/visitor.h"
#include "bristle/math/dual.h"

namespace bristle {

/** Spring that softens: T = F_m tanh(k u / F_m), u the extension; k near zero, never more than F_m. */
struct SofteningSpring {
  double stiffness = kRequired, limit = kRequired;
  bool damped() const { return false; }  // takes no energy out: no account in the ledger
  void visit(Visitor& v) {
    v("stiffness", stiffness, unit::newton_per_metre, positive, "force per extension near zero");
    v("limit", limit, unit::newton, positive, "force that is never exceeded");
  }
  template <class T>
  T potential(const T& u) const {
    using std::cosh;
    using std::log;
    return limit * limit / stiffness * log(cosh(stiffness / limit * u));
  }
  template <class T>
  T elastic(const T& u) const {
    using std::tanh;
    return limit * tanh(stiffness / limit * u);
  }
  template <class T>
  T damping(const T&, const T&) const {
    return T(0);
  }
};

}  // namespace bristle
