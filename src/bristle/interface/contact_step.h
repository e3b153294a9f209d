#pragma once
#include "bristle/interface/contact_law.h"
#include "bristle/math/two_point.h"

namespace bristle {

/// The potential of a law over a step, also one with touch-down or separation in it. Its row is the mean elastic force times the row of
/// the depth: this force does exactly the work by which the potential grows.
template <int N>
TwoPoint<N> potential_over(const ContactLaw& law, const TwoPoint<N>& depth, const double* marks) {
  struct Potential {
    const ContactLaw& law;
    const double* marks;
    double operator()(double d) const { return law.potential(d, marks); }
    Dual<1> operator()(const Dual<1>& d) const {
      return detail::chain(d, law.potential(d.value, marks), law.force(d.value, 0, marks));
    }
  };
  return apply(Potential{law, marks}, depth);
}

}  // namespace bristle
