#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A smooth hysteresis loop for damping by dry friction: the corners of Coulomb's rectangle are rounded over a length 1/b,
and the loss per cycle falls with the cube of the amplitude where the motion is smaller than that.

Equations ("Study of Characteristics of Dry Friction Damping", smooth hysteresis after Busarov and Ostrovskii), with alpha = F /
(mu_kinetic N), x the motion, conditions by the direction of motion:

    d alpha / dx = b (1 - alpha)  for v > 0,      b (1 + alpha)  for v < 0
    closed loop of amplitude X:   alpha = +-1 -+ exp(-+b x) / cosh(b X),  tips  alpha(+-X) = +-tanh(b X)
    loss per cycle                W = 4 mu_kinetic N (X - tanh(b X) / b)

Our vector form: z' = b (v - |v| z), F = mu_kinetic N z, equal to the above in one dimension.

Parameters: `mu_kinetic` [1], 0.1 to 1; `sharpness` b [1/m], > 0, from a measured loss: solve 1 - tanh(u)/u = W / (4
mu_kinetic N X) for u = b X. Typically 1e4 to 1e6 for machined surfaces.

Memory: one vector z = alpha, 0 at the start. The first cycle starts from there and joins the closed loop within a few cycles.

Cannot: hold more at rest than in sliding, or fall with speed (use `lugre`). It creeps while the load vibrates. It is `dahl`
with exponent 1 and sigma0 = b mu_kinetic; it is kept under its own name because tests of damping give b. Passive at constant
load: what it stores is proportional to the load and changes with it without work.

Reference: Busarov and Ostrovskii, as quoted by A. V. Srinivasan, B. N. Cassenti, D. G. Cutts, Study of Characteristics of Dry
Friction Damping, AFOSR-TR-85-1074, 1984.
*/
struct BusarovOstrovskii {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double sharpness = 1e5;  // [1/m]
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("sharpness", sharpness, unit::per_metre, positive, "b: 1 over the length on which the loop's corners are rounded");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    flat().eval(p, z, F, zdot);
  }
  template <class R>
  using Flat = YieldingSpring<R>;
  Flat<double> flat() const { return {curve.mu_kinetic, sharpness}; }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = part<D, double>(z);
    return 0.5 * p.load * curve.mu_kinetic / sharpness * dot(a, a);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double*) const {
    return norm(part<D, double>(z)) < 0.9 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {sharpness * norm(p.slip), 0};
  }
};

}  // namespace bristle
