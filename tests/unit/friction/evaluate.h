#pragma once
// Short ways to ask a law for a number.
#include "bristle/interface/friction_law_of.h"

namespace bristle::unit_test {

inline constexpr double kLoad = 9.81;                                    // [N] block of 1 kg, as in the belt benchmark
inline constexpr double kCoulomb = 0.1 * kLoad, kStatic = 0.15 * kLoad;  // [N] its two levels

/// Force of a law without memory.
template <int D, class L>
Vec<D> force(const L& law, const Vec<D>& slip, double load = kLoad, const Vec<D>& travel = {}) {
  const FrictionLawOf<L, D> made(law);
  Patch<D> p;
  p.slip = slip, p.travel = travel, p.load = load;
  Vec<D> F;
  double z[1] = {0}, marks[16] = {0};
  made.start(z, marks, 0);
  static_cast<const FrictionLaw<D>&>(made).eval(p, z, marks, F, z);
  return F;
}
template <class L>
double force(const L& law, double slip, double load = kLoad, double travel = 0) {
  return force<1>(law, Vec<1>{{slip}}, load, Vec<1>{{travel}})[0];
}

/// Force of a dry law inside its band, given the force that would keep the slip.
template <int D, class L>
Vec<D> rest(const L& law, const Vec<D>& holding, const Vec<D>& slip, double mobility = 1, double load = kLoad) {
  const FrictionLawOf<L, D> made(law);
  const FrictionLaw<D>& base = made;
  Patch<D> p;
  p.slip = slip, p.load = load;
  return base.set_valued()->at_rest(holding, p, mobility, nullptr);
}
template <class L>
double rest(const L& law, double holding, double slip = 0, double mobility = 1, double load = kLoad) {
  return rest<1>(law, Vec<1>{{holding}}, Vec<1>{{slip}}, mobility, load)[0];
}

/// A law with the coefficients of the belt benchmark.
template <class L>
L with_levels() {
  L law;
  law.curve.mu_kinetic = 0.1;
  law.curve.mu_static = 0.15;
  return law;
}

}  // namespace bristle::unit_test
