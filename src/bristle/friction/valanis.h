#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** The hysteresis loop of a bolted lap joint: stiff while it sticks, a smaller stiffness while it slips, and a knee between
that may be sharp or soft.

Equations ("Modeling of Frictional Contact Conditions in Structures", 2.1 and 2.2), per unit of load, X travel, V slip, F
force:

    F' = e0 V (1 + (lambda/e0) sgn(V) (e_t X - F)) / (1 + kappa (lambda/e0) sgn(V) (e_t X - F))
    lambda = e0 / (a0 (1 - kappa e_t/e0))

With z = (F - e_t X) / (a0 (1 - e_t/e0)), which tends to +-1 in slip, the same law reads, and so it is computed,

    z' = e0/a0 (v - |v| z) / (1 - c e.z),    c = kappa (1 - e_t/e0) / (1 - kappa e_t/e0)
    F  = N (a0 (1 - e_t/e0) z + e_t x)

with e the direction of v; vectors are our form. It starts with slope e0; in slip F - e_t X = +-a0 (1 - e_t/e0) for every
kappa; the two straight lines meet at X = a0/e0, F = a0. The law does not depend on the rate.

Parameters: `stick_stiffness` e0 [1/m], > 0, and `tangent_stiffness` e_t [1/m], >= 0 and below e0, per unit of load (or N/m,
divided by `reference_load`); `knee` a0 [1], > 0, force at the knee over load; `kappa` [1], 0 to below 1: 0.01 soft, 0.99
sharp. Read the first three from a measured closed loop. Defaults: 1e5, 1e4, 1, 0.01.

Memory: one vector z, dimensionless, 0 at the start. The spring e_t is relaxed where X is zero: X is the reading of the place itself (a position, an
angle), in contacts the way since they touched. A pad whose coordinate reads 0.5 m at the start begins with e_t 0.5 m N.

Cannot: fall with speed, hold more at rest than in slip (use `lugre`), or slip without limit at constant force
(tangent_stiffness 0 does). It creeps under a vibrating load until the spring e_t carries it; minor loops do not close. Passive
at constant load: what it stores is proportional to the load and changes with it without work.

Reference: K. C. Valanis, Fundamental consequences of a new intrinsic time measure: plasticity as a limit of the endochronic
theory, Archives of Mechanics 32, 1980; for joints: L. Gaul, J. Lenz, Nonlinear dynamics of structures assembled by bolted
joints, Acta Mechanica 125, 1997.
*/
struct Valanis {
  double stick_stiffness = 1e5;    // [1/m]
  double tangent_stiffness = 1e4;  // [1/m]
  double knee = 1;
  double kappa = 0.01;
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;
  static constexpr bool kTravel = true;

  void visit(Visitor& v) {
    v.per_load("stick_stiffness", stick_stiffness, unit::per_metre, positive, "slope of the loop in stick over load");
    v.per_load("tangent_stiffness", tangent_stiffness, unit::per_metre, non_negative, "slope of the loop in slip over load");
    v.per_load("knee", knee, unit::one, positive, "force at the knee over load");
    v("kappa", kappa, unit::one, Range{0, 1, false, true}, "sharpness of the knee: 0.01 soft, 0.99 sharp");
    v.reference_load();
  }
  std::string problem() const {
    if (!(tangent_stiffness < stick_stiffness))
      return "tangent_stiffness must be smaller than stick_stiffness; give a smaller one";
    return {};
  }
  double ratio() const { return tangent_stiffness / stick_stiffness; }
  double level() const { return knee * (1 - ratio()); }  ///< force over load in slip, beside the spring

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    const double c = kappa * (1 - ratio()) / (1 - kappa * ratio());
    const T speed = norm(p.slip);
    // z.e is above 1 only by round-off; cut, it keeps the quotient positive
    const T along = smaller<T>(dot(direction(p.slip), part<D, T>(z)), T(1));
    const T factor = stick_stiffness / knee / (1.0 - c * along);
    for (int d = 0; d < D; ++d) {
      zdot[d] = factor * (p.slip[d] - speed * z[d]);
      F[d] = p.load * level() * z[d];
    }
  }
  template <int D, class T>
  Vec<D, T> elastic(const Patch<D, T>& p) const {
    return T(tangent_stiffness * p.load) * p.travel;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = part<D, double>(z);
    return 0.5 * p.load * (level() * knee / stick_stiffness * dot(a, a) + tangent_stiffness * dot(p.travel, p.travel));
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return p.load * level();
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return p.load * (level() + tangent_stiffness * norm(p.travel));
  }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double*) const {
    return norm(part<D, double>(z)) < 0.9 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    const double c = kappa * (1 - ratio()) / (1 - kappa * ratio());
    return {stick_stiffness / knee * norm(p.slip) / (1 - c), 0};
  }
};

}  // namespace bristle
