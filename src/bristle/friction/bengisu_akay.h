#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Friction that rises along a parabola to a static peak and then falls exponentially to the kinetic level.

Equations ("Frictional Contacts in Multibody Dynamics", 3.17; laws S7e), v0 = `static_velocity`, xi = `steepness`:

    |v| <  v0    F = N mu_s (1 - (|v|/v0 - 1)^2) sgn(v)
    |v| >= v0    F = N (mu_k + (mu_s - mu_k) exp(-xi (|v| - v0))) sgn(v)

The vector form is that of the source.

Parameters: `mu_kinetic` mu_k, `mu_static` mu_s (at least mu_kinetic); `static_velocity` v0 [m/s], 1e-3 by default, not physical:
smaller is stiffer (rate 2 mu_s N / (m v0)) and creeps less; `steepness` xi [s/m], 50 by default, sets the falling slope.

Memory: none.

Cannot: stick. It creeps: a load f below mu_s N moves it for ever at v0 (1 - sqrt(1 - f/(mu_s N))), 0.42 mm/s at two thirds of
the peak with the default. No true rest (use `stribeck`, `elasto_plastic`), no viscosity. Continuous; kink at v0, where the slope
is zero on the left and -xi (mu_s - mu_k) N on the right. It is passive.

Reference: M. T. Bengisu, A. Akay, Stability of friction-induced vibrations in multi-degree-of-freedom systems, Journal of Sound
and Vibration 171 (1994).
*/
struct BengisuAkay {
  SlipCurve curve;
  double static_velocity = 1e-3;  // [m/s]
  double steepness = 50;          // [s/m]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v("static_velocity", static_velocity, unit::metre_per_second, positive, "speed of the static peak, v0");
    v("steepness", steepness, unit::second_per_metre, positive, "steepness of the fall beyond the peak, xi");
  }
  std::string problem() const { return curve.problem(); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    resist(
        p, 2 * curve.mu_static / static_velocity, [&](const T& speed) { return coefficient(speed); }, F);
  }
  template <class T>
  T coefficient(const T& speed) const {
    using std::exp;
    if (speed < static_velocity) {
      const T r = speed / static_velocity;
      return curve.mu_static * r * (2.0 - r);  // the parabola, without its cancellation near zero
    }
    return curve.mu_kinetic + (curve.mu_static - curve.mu_kinetic) * exp(-steepness * (speed - static_velocity));
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < static_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, static_velocity};
  }
};

}  // namespace bristle
