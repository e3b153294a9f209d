#pragma once
#include <cmath>

#include "bristle/contact/material.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/** A pin in a bore of nearly its own size: the patch may be wide, as in journal bearings and hinges.

Equations ("The FEM Analysis and Approximate Model for Cylindrical Joints with Clearances"), at a depth d > 0 that grows with the
rate d':

    F = pi/2 L E* d sqrt(d / (2 (D + d))) (1 + mu_c d'),      never less than 0
    D = R_bore - R_pin,   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b

Small depths give the power 1.5 of the depth, large ones a straight line; in between the patch grows around the pin.

Parameters: `young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs; `dissipation` mu_c [s/m],
0 by default. Radii and length come from the geometry.

Memory: none.

Cannot: be exact. Against the elastic solution of a pin in a thick housing it is 1.5 to 1.7 times as deep at the same load when the patch
is wide, and more at light loads, where line contact is logarithmic and not a power (2.2 times at a half angle of 0.1): `persson` has
that solution. Neither sees the ends of the pin; tilted axes have no line of contact.

Reference: C.-S. Liu, K. Zhang, R. Yang, The FEM analysis and approximate model for cylindrical joints with clearances, Mechanism
and Machine Theory 42 (2007).
*/
struct Liu {
  Material material;
  double dissipation = 0;  // [s/m]

  void visit(Visitor& v) {
    material.visit(v);
    v("dissipation", dissipation, unit::second_per_metre, non_negative, "the force grows by this times the rate; 0: elastic");
  }
  const char* bind(const ContactPair& pair) {
    if (!(pair.length > 0)) return "the length of the contact is missing: this law is for a pin in a bore";
    if (!((pair.radius_a > 0 && pair.radius_b < 0) || (pair.radius_a < 0 && pair.radius_b > 0)))
      return "one surface must be a pin and the other a bore; `johnson` also takes cylinders side by side";
    clearance_ = -(pair.radius_a + pair.radius_b);
    if (!(clearance_ > 0)) return "the bore must be wider than the pin: this law needs a clearance";
    stiffness_ = 0.5 * M_PI * pair.length * material.modulus() / std::sqrt(2);
    return nullptr;
  }
  bool damped() const { return dissipation > 0; }

  /// The integral of the force, with x = d/D: D^2 (sqrt(x (1 + x)) (x - 3/2)/2 + 3/4 asinh sqrt(x)).
  double potential(double depth) const {
    const double x = depth / clearance_, root = std::sqrt(x);
    double sum = 0;
    if (x < 1) {  // the difference loses digits: the series of the integrand y^(3/2) (1 - y)^-3 in y = x/(1 + x)
      const double y = x / (1 + x);
      double term = y * y * std::sqrt(y);
      for (int k = 0; term > 1e-17 * sum; ++k, term *= y * (k + 2) / k) sum += term / (k + 2.5);
    } else {
      sum = 0.5 * root * std::sqrt(1 + x) * (x - 1.5) + 0.75 * std::asinh(root);
    }
    return stiffness_ * clearance_ * clearance_ * sum;
  }
  template <class T>
  T elastic(const T& depth) const {
    using std::sqrt;
    return stiffness_ * depth * sqrt(depth / (clearance_ + depth));
  }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    return dissipation * rate * elastic(depth);
  }

  double clearance_ = 1;  // [m]
  double stiffness_ = 0;  // [N/m] at large depths
};

}  // namespace bristle
