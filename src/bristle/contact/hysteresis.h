#pragma once
#include "bristle/contact/power_spring.h"

namespace bristle {

/// Laws of the form K depth^n (1 + factor rate/approach), which differ in how the factor follows from the restitution: derived laws
/// set it in prepare().
struct Hysteresis : PowerLaw {
  double restitution = kRequired;
  double minimum_approach = 1e-4;  // [m/s]

  void visit(Visitor& v, const Range& restitutions) {
    spring.visit(v);
    v("restitution", restitution, unit::one, restitutions, "speed after the impact over speed before, as the law understands it");
    v("minimum_approach", minimum_approach, unit::metre_per_second, positive,
      "slower approaches count as this one (non-physical; larger: less damping in slow contacts)");
  }
  bool damped() const { return factor_ > 0; }
  double factor() const { return factor_; }
  template <class T>
  T damping(const T& depth, const T& rate, const T& approach) const {
    return spring.force(depth) * (factor_ * rate / approach);
  }

 protected:
  static constexpr Range kAboveZero{0, 1, true, false};
  double factor_ = 0;
};

}  // namespace bristle
