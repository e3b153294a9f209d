#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Friction in three straight lines: up to a static peak, down to the kinetic level, then constant.

Equations ("Frictional Contacts in Multibody Dynamics", 3.16; laws S7d), v0 = `static_velocity`, v1 = `kinetic_velocity`:

    |v| <= v0         F = N mu_s |v|/v0 sgn(v)
    v0 < |v| < v1     F = N (mu_s - (mu_s - mu_k) (|v| - v0)/(v1 - v0)) sgn(v)
    |v| >= v1         F = N mu_k sgn(v)

The vector form is that of the source.

Parameters: `mu_kinetic` mu_k, `mu_static` mu_s (at least mu_kinetic); `static_velocity` v0 [m/s], 1e-3 by default, not physical:
smaller is stiffer (rate mu_s N / (m v0)) and creeps less; `kinetic_velocity` v1 [m/s], larger than v0, 5e-3 by default.

Memory: none.

Cannot: stick. It creeps: a load f below mu_s N moves it for ever at v0 f / (mu_s N), 0.67 mm/s at two thirds of the peak with
the default. No true rest (use `stribeck`, `elasto_plastic`). Kinks at v0 and v1. It is passive.

Reference: Frictional Contacts in Multibody Dynamics, dissertation, University of Minho (2015).
*/
struct LinearStiction {
  SlipCurve curve;
  double static_velocity = 1e-3;   // [m/s]
  double kinetic_velocity = 5e-3;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v("static_velocity", static_velocity, unit::metre_per_second, positive, "speed of the static peak, v0");
    v("kinetic_velocity", kinetic_velocity, unit::metre_per_second, positive, "speed from which friction is kinetic, v1");
  }
  std::string problem() const {
    if (!(kinetic_velocity > static_velocity)) {
      return "kinetic_velocity is not larger than static_velocity; friction falls from the one to the other: raise kinetic_velocity or lower static_velocity";
    }
    return curve.problem();
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    resist(
        p, curve.mu_static / static_velocity, [&](const T& speed) { return coefficient(speed); }, F);
  }
  template <class T>
  T coefficient(const T& speed) const {
    if (speed <= static_velocity) return curve.mu_static / static_velocity * speed;
    if (speed >= kinetic_velocity) return T(curve.mu_kinetic);
    const double fall = (curve.mu_static - curve.mu_kinetic) / (kinetic_velocity - static_velocity);
    return curve.mu_static - fall * (speed - static_velocity);
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
