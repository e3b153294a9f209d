#pragma once
#include <cmath>

#include "bristle/contact/material.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/// K depth^n, the elastic part of most laws. K is given, in a unit that follows the exponent, or comes from material and curvature.
struct PowerSpring {
  double exponent = 1.5;
  double stiffness = 0;  // [N/m^n]; 0: from the material
  Material material{.young = 0};

  void visit(Visitor& v) {
    v("exponent", exponent, unit::one, {1, 10, false, false}, "power of the depth; 1.5 where curved surfaces touch in a point");
    v("stiffness", stiffness, over_metres(unit::newton, exponent), non_negative,
      "force at a depth of 1 m, its unit following the exponent; 0: from young and the curvature of the surfaces");
    material.visit(v);
  }
  std::string problem() const {
    if (stiffness > 0 && material.given()) return "give stiffness or young, not both";
    if (!(stiffness > 0) && !material.given())
      return "missing key 'stiffness'. Write stiffness: 1e9 " + over_metres(unit::newton, exponent).text +
             ", or give young and poisson, from which it follows with the curvature of the surfaces";
    if (material.given() && exponent != 1.5) return "stiffness follows from young for an exponent of 1.5 alone; give stiffness";
    return "";
  }
  /// Hertz: K = 4/3 E* sqrt(R), 1/R being the sum of the curvatures.
  const char* bind(const ContactPair& pair) {
    if (stiffness > 0) return nullptr;
    if (pair.length > 0)
      return "the surfaces touch along a line, for which young gives no stiffness here: give stiffness, or take a law for cylinders "
             "(johnson, liu)";
    const auto curvature = [](double radius) { return radius == 0 ? 0 : 1 / radius; };
    const double sum = curvature(pair.radius_a) + curvature(pair.radius_b);
    if (!(sum > 0))
      return "stiffness does not follow from young, because the surfaces have no curvature against each other (both flat, or the "
             "hollow one no wider than the other): give stiffness";
    bound_ = 4.0 / 3.0 * material.modulus() / std::sqrt(sum);
    return nullptr;
  }
  double K() const { return stiffness > 0 ? stiffness : bound_; }

  template <class T>
  T force(const T& depth) const {
    using std::pow;
    return K() * pow(depth, exponent);
  }
  template <class T>
  T energy(const T& depth) const {
    using std::pow;
    return K() / (exponent + 1) * pow(depth, exponent + 1);
  }

  double bound_ = 0;  // [N/m^1.5] see bind
};

/// What laws share whose elastic part is such a spring.
struct PowerLaw {
  PowerSpring spring;
  std::string problem() const { return spring.problem(); }
  const char* bind(const ContactPair& pair) { return spring.bind(pair); }
  template <class T>
  T potential(const T& depth) const {
    return spring.energy(depth);
  }
  template <class T>
  T elastic(const T& depth) const {
    return spring.force(depth);
  }
};

}  // namespace bristle
