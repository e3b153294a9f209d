#pragma once
#include "bristle/base/visitor.h"

namespace bristle {

/// Elastic constants of the two surfaces of a contact.
struct Material {
  double young = kRequired, poisson = 0.3;  // [Pa], [1]
  double young_b = 0, poisson_b = 0.3;      // second surface, where it differs

  void visit(Visitor& v) {
    constexpr Range ratio{-1, 0.5, true, false};
    const bool optional = young == 0;
    v("young", young, unit::pascal, optional ? non_negative : positive,
      optional ? "elastic modulus, in place of stiffness; 0: not given" : "elastic modulus of the first surface");
    v("poisson", poisson, unit::one, ratio, "Poisson's ratio");
    v("young_b", young_b, unit::pascal, non_negative, "elastic modulus of the second surface; 0: like the first");
    v("poisson_b", poisson_b, unit::one, ratio, "Poisson's ratio of the second surface; counts with young_b");
  }
  bool given() const { return young > 0; }
  /// [Pa] of the pair in plane strain: 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b.
  double modulus() const {
    const double a = (1 - poisson * poisson) / young;
    return 1 / (a + (young_b > 0 ? (1 - poisson_b * poisson_b) / young_b : a));
  }
};

}  // namespace bristle
