#pragma once
#include <cmath>

#include "bristle/contact/power_spring.h"

namespace bristle {

/** Curved bodies of metal that yield under a hard impact and keep a dent.

Equations (C. Thornton's elastic, perfectly plastic spheres), at a depth d, of which D is the largest so far, K, E* and R as for
`hertz`, p_y the yield pressure:

    d_y = R (pi p_y / (2 E*))^2                      where the pressure in the middle of the patch reaches p_y; F_y = K d_y^1.5
    F = K d^1.5                                      while D <= d_y
    F = F_y + pi p_y R (d - d_y)                     deeper than ever, d = D > d_y
    F = F_D ((d - d_p) / (D - d_p))^1.5              d_p < d < D: unloading, and loading again
    d_p = D (1 - F_D / (K D^1.5)),  F_D = F(D)       the dent; no force above it

Unloading is elastic, as of spheres whose radius has grown to R_p = R K D^1.5 / F_D, the patch staying as it was. A mass m that
arrives at a speed v above v_y, m v_y^2 = 4/5 F_y d_y, leaves a bare surface with the restitution

    e^2 = (6 sqrt(3)/5) (1 - s/6) sqrt(u / (u + 2 sqrt((6 - s)/5))),      u = v_y / v,  s = u^2

which falls as v^(-1/4) at high speeds. The next impact yields again only where it presses harder than the hardest one before.

Parameters: `young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs; `yield_pressure` p_y [Pa],
of the softer surface: 1.6 times its yield stress where yielding begins (von Mises, poisson 0.3), up to 2.8 times, its hardness,
in impacts far beyond that. The radii come from the geometry.

Memory: the largest depth, from which the dent follows (channel `indentation`). It is a mark: it changes when a step is accepted.
Steps with error control end where the depth turns; others pass over the turn, which leaves the dent short by the square of the step.

Cannot: tell where on a surface the dent is: there is one per place, and it meets whatever touches there. Harden, flow with
the rate of strain, or pile up, so that F stays below experiments on soft metals; one of the surfaces must be curved. Surfaces
that overlap at the start count as pressed in so far. Nothing else takes energy out: impacts below v_y are elastic.

Reference: C. Thornton, Coefficient of restitution for collinear collisions of elastic-perfectly plastic spheres, J. Applied
Mechanics 64 (1997), doi:10.1115/1.2787319.
*/
struct Thornton {
  Material material;
  double yield_pressure = kRequired;  // [Pa]

  void visit(Visitor& v) {
    material.visit(v);
    v("yield_pressure", yield_pressure, unit::pascal, positive,
      "pressure in the middle of the patch at which the softer surface yields");
  }
  const char* bind(const ContactPair& pair) {
    spring_.material = material;
    if (spring_.bind(pair) != nullptr)
      return "the surfaces must touch in a point and be curved against each other, which these are not: take walton_braun, whose stiffness is given";
    const double root = 0.5 * M_PI * yield_pressure / material.modulus();        // sqrt(d_y / R)
    const double radius = std::pow(0.75 * spring_.K() / material.modulus(), 2);  // [m]
    yield_depth_ = radius * root * root;
    yield_force_ = spring_.force(yield_depth_);
    slope_ = 1.5 * yield_force_ / yield_depth_;  // pi p_y R
    return nullptr;
  }
  bool damped() const { return true; }
  double yield_depth() const { return yield_depth_; }

  template <class T>
  T loading(const T& depth) const {
    return yield_force_ + slope_ * (depth - yield_depth_);
  }
  double loading_work(double depth) const {
    const double more = depth - yield_depth_;
    return (yield_force_ + 0.5 * slope_ * more) * more;
  }
  double dent(double deepest) const { return deepest * (1 - softening(deepest)); }
  template <class T>
  T unloading(const T& depth, double deepest) const {
    using std::sqrt;
    const double s = softening(deepest), width = deepest * s;
    const T part = (depth - (deepest - width)) * (1 / width);
    return spring_.force(deepest) * s * (part * sqrt(part));
  }
  double unloading_work(double depth, double deepest) const {
    const double s = softening(deepest), width = deepest * s, part = (depth - (deepest - width)) / width;
    return 0.4 * spring_.force(deepest) * s * width * part * part * std::sqrt(part);
  }

 private:
  /// Largest force over that of elastic spheres: how far the patch springs back of the largest depth.
  double softening(double deepest) const { return loading(deepest) / spring_.force(deepest); }
  PowerSpring spring_;
  double yield_depth_ = 0;  // [m]
  double yield_force_ = 0;  // [N]
  double slope_ = 0;        // [N/m]
};

}  // namespace bristle
