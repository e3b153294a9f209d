#pragma once
#include <string>

#include "bristle/base/visitor.h"
#include "bristle/math/dual.h"

namespace bristle {

/// The Gaussian fall with the exponent 2, over its value at high speed, by derived numbers that spare divisions. R: number type of the
/// parameters.
template <class R>
struct GaussianFall {
  R rise, inverse_velocity;
  template <class T>
  T operator()(const T& speed) const {
    using std::exp;
    const T r = speed * inverse_velocity;
    return 1.0 + rise * exp(-(r * r));
  }
};

/// Friction coefficient against slip speed: what a dozen laws share.
///   constant      mu = mu_kinetic
///   gaussian      mu = mu_k + (mu_s - mu_k) exp(-(v/v_s)^n)          Bo and Pavelescu
///   hess_soom     mu = mu_k + (mu_s - mu_k) / (1 + (v/v_s)^2)        Hess and Soom
/// and with each of them the viscous part  viscosity * v^viscous_exponent.  Coefficients are per unit of load.
struct SlipCurve {
  enum class Shape { constant, gaussian, hess_soom };
  Shape shape_kind = Shape::gaussian;
  double mu_kinetic = kRequired;
  double mu_static = kRequired;
  double stribeck_velocity = 1e-3;  // [m/s]
  double stribeck_exponent = 2;
  double viscosity = 0;  // [s/m] per unit of load
  double viscous_exponent = 1;

  // fields by group, so that each law shows only what it uses
  void visit_kinetic(Visitor& v) { v("mu_kinetic", mu_kinetic, unit::one, positive, "coefficient of sliding friction"); }
  void visit_static(Visitor& v) {
    v("mu_static", mu_static, unit::one, positive, "coefficient of static friction, at least mu_kinetic");
  }
  void visit_stribeck(Visitor& v) {
    v("stribeck_velocity", stribeck_velocity, unit::metre_per_second, positive,
      "speed over which friction falls from static to kinetic");
    v("stribeck_exponent", stribeck_exponent, unit::one, positive, "exponent of the Gaussian fall");
  }
  void visit_viscous(Visitor& v) {
    v.per_load("viscosity", viscosity, unit::second_per_metre, non_negative, "viscous coefficient over load; speed in m/s");
    v("viscous_exponent", viscous_exponent, unit::one, positive, "power of the speed in the viscous part; 1: linear");
    v.reference_load();
  }
  void visit_shape(Visitor& v, const char* key) {
    v.choice_of(key, shape_kind, {"constant", "gaussian", "hess_soom"}, "how friction falls from static to kinetic with speed");
  }
  std::string problem() const {
    if (mu_static < mu_kinetic)
      return "mu_static is smaller than mu_kinetic; the static coefficient is the larger one: raise it or lower mu_kinetic";
    return {};
  }

  /// 1 at high speed, mu_static / mu_kinetic at rest.
  template <class T>
  T shape(const T& speed) const {
    if (falls_simply()) return fall_(speed);
    return dry(speed) / mu_kinetic;
  }
  /// Derived numbers that spare divisions; optional, after the parameters are read.
  void prepare() {
    if (shape_kind != Shape::gaussian || stribeck_exponent != 2) return;
    fall_ = {mu_static / mu_kinetic - 1, 1 / stribeck_velocity};
  }
  /// Is `fall()` the shape? Once prepared.
  bool falls_simply() const { return fall_.inverse_velocity > 0; }
  const GaussianFall<double>& fall() const { return fall_; }
  /// Coefficient without the viscous part.
  template <class T>
  T dry(const T& speed) const {
    using std::exp;
    using std::pow;
    switch (shape_kind) {
      case Shape::constant: return T(mu_kinetic);
      case Shape::hess_soom: {
        const T r = speed / stribeck_velocity;
        return mu_kinetic + (mu_static - mu_kinetic) / (1.0 + r * r);
      }
      case Shape::gaussian: break;
    }
    if (!(speed > 0.0)) return T(mu_static);
    const T r = speed / stribeck_velocity;
    if (stribeck_exponent == 2) return mu_kinetic + (mu_static - mu_kinetic) * exp(-(r * r));
    return mu_kinetic + (mu_static - mu_kinetic) * exp(-pow(r, stribeck_exponent));
  }
  /// Viscous share of the coefficient.
  template <class T>
  T viscous(const T& speed) const {
    using std::pow;
    if (viscous_exponent == 1) return viscosity * speed;
    if (!(speed > 0.0)) return T(0);
    return viscosity * pow(speed, viscous_exponent);
  }
  template <class T>
  T mu(const T& speed) const {
    return dry(speed) + viscous(speed);
  }

  GaussianFall<double> fall_{0, 0};  // see prepare
};

}  // namespace bristle
