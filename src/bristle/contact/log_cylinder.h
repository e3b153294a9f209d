#pragma once
#include <array>
#include <cmath>

#include "bristle/contact/material.h"
#include "bristle/interface/contact_law.h"
#include "bristle/math/implicit_root.h"

namespace bristle {

/// Cylinders that touch along a line, f = F/length: depth = f/(pi E*) (ln(pi E* D/f) + kappa), where D is the difference of the radii
/// (pin in bore) or their sum. Laws differ in kappa. With f = pi E* D exp(kappa - w) it reads depth = D e^kappa w e^-w; w falls from
/// infinity at touch-down. The slope of the depth by f vanishes at w = 1; from w = 2 on, where the stiffness is pi E* length, the force goes
/// straight on.
struct LogCylinder {
  Material material;
  double dissipation = 0;  // [s/m]

  void visit(Visitor& v) {
    material.visit(v);
    v("dissipation", dissipation, unit::second_per_metre, non_negative, "the force grows by this times the rate; 0: elastic");
  }
  bool damped() const { return dissipation > 0; }

  template <class T>
  T potential(const T& depth) const {
    const double end = last_depth();
    if (depth > end) {
      const T beyond = depth - end;
      return energy(T(end), T(kLast)) + stiffness_ * beyond * (end / kLast + 0.5 * beyond);
    }
    return energy(depth, exponent_of(depth));
  }
  template <class T>
  T elastic(const T& depth) const {
    const double end = last_depth();
    if (depth > end) return stiffness_ * (end / kLast + (depth - end));
    return stiffness_ * depth / exponent_of(depth);
  }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    return dissipation * rate * elastic(depth);
  }
  /// [m] from here on the force is a straight line.
  double last_depth() const { return reach_ * kLast * std::exp(-kLast); }

 protected:
  const char* bind_cylinders(const ContactPair& pair) {
    if (!(pair.length > 0)) return "the length of the contact is missing: this law is for cylinders that touch along a line";
    if (pair.radius_a == 0 || pair.radius_b == 0)
      return "one of the surfaces is flat: this law needs two cylinders; give a stiffness to `hertz` or `linear`";
    const double sum = pair.radius_a + pair.radius_b;
    const bool inside = (pair.radius_a > 0) != (pair.radius_b > 0);
    if (inside ? !(sum < 0) : !(sum > 0))
      return inside ? "the bore must be wider than the pin: this law needs a clearance" : "both surfaces are hollow";
    distance_ = std::abs(sum);
    stiffness_ = M_PI * material.modulus() * pair.length;
    return nullptr;
  }
  void set_kappa(double kappa) { reach_ = distance_ * std::exp(kappa); }

 private:
  static constexpr double kLast = 2;
  /// w of the depth: w - ln w = -ln(depth/reach), w >= 2.
  template <class T>
  T exponent_of(const T& depth) const {
    using std::log;
    return implicit_root(
        [](const auto& w, const auto& p) {
          using std::log;
          return w - log(w) + p[0];
        },
        kLast, std::array<T, 1>{log(depth * (1 / reach_))});
  }
  template <class T>
  T energy(const T& depth, const T& w) const {
    const T f = depth / w;  // force over stiffness
    return stiffness_ * f * f * (0.5 * w - 0.25);
  }
  double distance_ = 1, reach_ = 1;  // [m]
  double stiffness_ = 0;             // [N/m] pi E* length
};

}  // namespace bristle
