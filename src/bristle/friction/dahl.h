#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A contact that gives way like a yielding metal: it starts as a spring and bends over smoothly to the Coulomb force.

Equations ("Frictional Contacts in Multibody Dynamics", 3.28 to 3.32), per unit of load N, with the memory z = F / (mu_kinetic
N) and e the direction of the slip v:

    z' = sigma0 / mu_kinetic |v| |e - z|^(exponent-1) (e - z)
    F  = mu_kinetic N z

In one dimension this is dF/dx = sigma0 |1 - F sgn(v)/F_C|^exponent sgn(1 - F sgn(v)/F_C). Motion from rest in one sense
gives, with exponent 1, F = F_C (1 - exp(-sigma0 x / F_C)). `vector_form: isotropic` (default) is the line above; `printed`
uses z' = sigma0 / mu_kinetic |1 - z.e|^exponent sgn(1 - z.e) v as in 3.31, under which a deflection normal to the slip never
relaxes: slide along x, then along y, and the force settles at sqrt(2) F_C; on a curling path it grows without limit. In one
dimension both are equal.

A stiffness that follows the speed, from sigma0 at rest to `stiffness_ratio` times that in fast slip:

    k  = r + (1 - r) exp(-(|v| / v_k)^2),      r = `stiffness_ratio`, v_k = `stiffness_velocity`
    z' = sqrt(k) sigma0 / mu_kinetic |v| |e - y|^(exponent-1) (e - y),      y = sqrt(k) z
    F  = mu_kinetic N y, its size cut at mu_kinetic N

At any one speed this is the law above with k sigma0 for its stiffness. The source writes a stiffness that follows the speed in front of
the stretch itself (3.34, for `reset_integrator`). That gives out energy: stretched where it is soft and let go where it is stiff, a
spring returns more than it took, and so does the slope of 3.28 at small forces. Here z is sqrt(2) times the root of what is stored, so
that a change of stiffness changes the force, but not the energy; out at one speed and back at another leaves a force. After fast slip z is longer than the stiffer bristles at rest carry;
that is what the cut takes.

Parameters: `mu_kinetic` [1], 0.1 to 1; `sigma0` [1/m] stiffness before sliding over load, > 0 (or N/m, divided by
`reference_load`), mu_kinetic / sigma0 being the length over which sliding sets in, typically 1 to 100 um; `exponent` [1], >
0, below 1 for brittle and above 1 for ductile materials, normally 1. `stiffness_ratio` [1], > 0, 1 by default (a constant stiffness),
below 1 where fast slip lifts the surfaces off each other; `stiffness_velocity` [m/s], 1 mm/s by default. Below an excess |e - z| of 1e-4 an exponent < 1 is
replaced by a straight line, so that derivatives stay finite.

Memory: one vector z, dimensionless, 0 at the start.

Cannot: hold more at rest than in sliding, or fall with speed (use `lugre`). It creeps while the load vibrates, more than any
other law here (use `elasto_plastic` or `iwan`), and its minor loops do not close (`generalised_maxwell_slip`, `leuven`). A mass
that is held by it rings without damping, and every swing creeps a little, under constant load too: 1 kg held with 2 N of 3 N moves
by 0.540 mm in 100 s. Ringing takes a tight tolerance: 1e-6 gives 0.65 (`dormand_prince`) and 0.58 mm (`radau5`), 1e-8 gives 0.543
and 0.540 mm. The force of steady slip does not depend on the speed. In both vector forms it is passive at constant load: what it stores is proportional to the
load and changes with it without work.

Reference: P. R. Dahl, A solid friction model, Aerospace Corporation report, 1968; vector form: H.
Dankowicz, On the modeling of dynamic friction phenomena, Zeitschrift für angewandte Mathematik und Mechanik 79, 1999.
*/
struct Dahl {
  enum class VectorForm { isotropic, printed };
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double sigma0 = 1e5 / 9.81;  // [1/m]
  double exponent = 1;
  double stiffness_ratio = 1;
  double stiffness_velocity = 1e-3;  // [m/s]
  VectorForm vector_form = VectorForm::isotropic;
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "stiffness before sliding over load");
    v("exponent", exponent, unit::one, positive, "shape of the bend: below 1 brittle, above 1 ductile");
    v("stiffness_ratio", stiffness_ratio, unit::one, positive, "stiffness in fast slip over that at rest; 1: it is constant");
    v("stiffness_velocity", stiffness_velocity, unit::metre_per_second, positive, "speed over which the stiffness changes");
    v.choice_of("vector_form", vector_form, {"isotropic", "printed"}, "how a deflection across the slip relaxes");
    v.reference_load();
  }
  std::string problem() const {
    if (vector_form == VectorForm::printed && varies())
      return "vector_form: printed has no bound at which a stiffness that follows the speed could be cut: leave stiffness_ratio out, or take "
             "isotropic";
    return {};
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    if (is_flat()) {
      flat().eval(p, z, F, zdot);
      return;
    }
    if (varies()) {
      follow_speed(p, z, F, zdot);
      return;
    }
    const double stiffness = sigma0 / curve.mu_kinetic;
    const T speed = norm(p.slip);
    const Vec<D, T> e = direction(p.slip);
    if (D > 1 && vector_form == VectorForm::printed) {
      const T excess = 1.0 - dot(e, part<D, T>(z));
      const T factor = stiffness * power_less_one<T>(excess < 0.0 ? -excess : excess, exponent) * excess;
      for (int d = 0; d < D; ++d) zdot[d] = factor * p.slip[d];
    } else {
      // |v| (e - z) is written as v - |v| z: exact and differentiable at rest
      T factor = T(stiffness);
      if (exponent != 1) factor = stiffness * power_less_one<T>(norm(e - part<D, T>(z)), exponent);
      for (int d = 0; d < D; ++d) zdot[d] = factor * (p.slip[d] - speed * z[d]);
    }
    for (int d = 0; d < D; ++d) F[d] = curve.mu_kinetic * p.load * z[d];
  }
  template <class R>
  using Flat = YieldingSpring<R>;
  bool is_flat() const { return vector_form == VectorForm::isotropic && exponent == 1 && !varies(); }
  Flat<double> flat() const { return {curve.mu_kinetic, sigma0 / curve.mu_kinetic}; }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = part<D, double>(z);
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / sigma0 * dot(a, a);
  }
  double largest_stretch() const { return vector_form == VectorForm::isotropic && !varies() ? 1 : 0; }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return D > 1 && vector_form == VectorForm::printed ? kInfinity : curve.mu_kinetic * p.load;
  }
  double reach() const { return vector_form == VectorForm::printed ? kInfinity : 2 / std::sqrt(std::min(1.0, stiffness_ratio)); }
  template <int D>
  Mode mode(const Patch<D>& p, const double* z, const double*) const {
    const double root = varies() ? std::sqrt(relative_stiffness(norm(p.slip))) : 1;
    return root * norm(part<D, double>(z)) < 0.9 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    const double speed = norm(p.slip), relative = varies() ? relative_stiffness(speed) : 1;
    return {relative * sigma0 * speed / curve.mu_kinetic, varies() ? stiffness_velocity : 0};
  }

 private:
  bool varies() const { return stiffness_ratio != 1; }
  /// Stiffness over that at rest.
  template <class T>
  T relative_stiffness(const T& speed) const {
    using std::exp;
    const T r = speed / stiffness_velocity;
    return stiffness_ratio + (1 - stiffness_ratio) * exp(-(r * r));
  }
  template <int D, class T>
  void follow_speed(const Patch<D, T>& p, const T* z, Vec<D, T>& F, T* zdot) const {
    using std::sqrt;
    const T speed = norm(p.slip), root = sqrt(relative_stiffness(speed));
    Vec<D, T> y;
    for (int d = 0; d < D; ++d) y[d] = root * z[d];
    T factor = root * (sigma0 / curve.mu_kinetic);
    if (exponent != 1) factor = factor * power_less_one<T>(norm(direction(p.slip) - y), exponent);
    for (int d = 0; d < D; ++d) zdot[d] = factor * (p.slip[d] - speed * y[d]);
    const Vec<D, T> carried = clipped<D, T>(y, T(1));
    for (int d = 0; d < D; ++d) F[d] = curve.mu_kinetic * p.load * carried[d];
  }
};

}  // namespace bristle
