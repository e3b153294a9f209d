#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Bristles that are truly elastic up to a share of the break-away force: as `lugre` in sliding, without its drift at rest.

Equations ("Frictional Contacts in Multibody Dynamics", 3.51 to 3.54), per unit of load N, with the memory z = sigma0 *
deflection / mu_kinetic, e the direction of the slip v, s(v) = 1 + (mu_static/mu_kinetic - 1) exp(-(v/v_s)^2):

    rate = v - a |v| max(0, z.e) z / (|z| s)         isotropic (default, our form)
    rate = v - a |v| max(0, z.e) e / s               printed, 3.52
    z'   = sigma0 / mu_kinetic * rate
    F    = N (mu_kinetic z + sigma1 rate + sigma2 v)
    a    = 0                                          |z| <= ratio s
         = (1 + sin(pi (|z|/s - (1+ratio)/2) / (1-ratio))) / 2
         = 1                                          |z| >= s

The largest elastic deflection follows the speed, z_max = s(v); with a constant one the force would not settle at the Stribeck
curve. In one dimension both vector forms are equal and, with a = 1, `lugre`. The isotropic form lets a deflection across the
slip relax and does not jump where the slip is normal to z; |z| never exceeds s.

Parameters: `mu_kinetic`, `mu_static` [1]; `stribeck_velocity` [m/s]; `sigma0` [1/m], `sigma1` [s/m], `sigma2` [s/m]
stiffness, damping and viscosity, each per unit of load (or N/m, N s/m, divided by `reference_load`); `breakaway_ratio` [1], 0
to 1, share of the deflection that is elastic, default 0.7. Typical sigma1: sqrt(sigma0 m / N) for a mass m.

Memory: one vector z, dimensionless, 0 at the start.

Cannot: close minor loops beyond the elastic share (use `generalised_maxwell_slip`). It creeps only above breakaway_ratio times
mu_static. With sigma1 > 0 and mu_static > mu_kinetic it is not passive: in a fast acceleration out of rest the damping term
pushes along while the bristles shorten. Otherwise it is passive at constant load: what it stores is proportional to the load
and changes with it without work. The printed form keeps a deflection normal to the slip for ever.

Reference: P. Dupont, V. Hayward, B. Armstrong, F. Altpeter, Single state elastoplastic friction models, IEEE Trans. Automatic
Control 47 (2002).
*/
struct ElastoPlastic {
  enum class VectorForm { isotropic, printed };
  SlipCurve curve;
  double sigma0 = 1e5 / 9.81;  // [1/m]
  double sigma1 = 0;           // [s/m]
  double sigma2 = 0;           // [s/m]
  double breakaway_ratio = 0.7;
  VectorForm vector_form = VectorForm::isotropic;
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    curve.visit_stribeck(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "bristle stiffness over load");
    v.per_load("sigma1", sigma1, unit::second_per_metre, non_negative, "bristle damping over load");
    v.per_load("sigma2", sigma2, unit::second_per_metre, non_negative, "viscosity over load");
    v("breakaway_ratio", breakaway_ratio, unit::one, Range{0, 1, false, true}, "elastic share of the largest deflection");
    v.choice_of("vector_form", vector_form, {"isotropic", "printed"}, "how a deflection across the slip relaxes");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }

  /// Share of the slip that is plastic, by deflection over the largest elastic one.
  template <class T>
  T plastic(const T& deflection) const {
    using std::sin;
    if (!(deflection > breakaway_ratio)) return T(0);
    if (!(deflection < 1.0)) return T(1);
    constexpr double pi = 3.14159265358979323846;
    return 0.5 + 0.5 * sin(pi * (deflection - 0.5 * (1 + breakaway_ratio)) / (1 - breakaway_ratio));
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    const T speed = norm(p.slip), largest = curve.shape(speed);
    const Vec<D, T> e = direction(p.slip), bent = part<D, T>(z);
    const T along = dot(bent, e);
    Vec<D, T> yield;  // a |v| max(0, z.e) (z/|z| or e) / s
    if (along > 0.0) {
      const T length = norm(bent);
      const T share = plastic<T>(length / largest);
      const bool printed = vector_form == VectorForm::printed;
      for (int d = 0; d < D; ++d) yield[d] = share * along * speed / largest * (printed ? e[d] : bent[d] / length);
    }
    for (int d = 0; d < D; ++d) {
      const T rate = p.slip[d] - yield[d];
      zdot[d] = sigma0 / curve.mu_kinetic * rate;
      F[d] = p.load * (curve.mu_kinetic * z[d] + sigma1 * rate + sigma2 * p.slip[d]);
    }
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = part<D, double>(z);
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / sigma0 * dot(a, a);
  }
  double largest_stretch() const { return vector_form == VectorForm::isotropic ? curve.mu_static / curve.mu_kinetic : 0; }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    if (D > 1 && vector_form == VectorForm::printed) return kInfinity;
    const double most = curve.mu_static / curve.mu_kinetic;
    return p.load * (curve.mu_static + norm(p.slip) * (sigma1 * (1 + most) + sigma2));
  }
  double reach() const { return vector_form == VectorForm::printed ? kInfinity : 1 + curve.mu_static / curve.mu_kinetic; }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < curve.stribeck_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    const double speed = norm(p.slip);
    return {sigma0 * speed / curve.dry(speed), curve.stribeck_velocity};
  }
};

}  // namespace bristle
