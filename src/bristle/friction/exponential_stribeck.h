#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Dry friction that falls exponentially from its static to its sliding value, written with drop and steepness.

Equations ("Energy Transfer and Dissipation in a Three-Degree-of-Freedom System with Stribeck Friction", friction law and flow
chart; "Modeling of Frictional Contact Conditions in Structures", chapter 3):

    sliding   F = mu(|v|) N sgn(v),   mu = mu_star + gamma (exp(-beta |v|) - 1) + alpha |v|
    rest      |F| <= mu_star N, whatever equilibrium asks for

The source gives one dimension; the vector form, along the slip, is ours.

Parameters: `mu_star`, static coefficient (source 0.5); `gamma`, static minus sliding coefficient, at most mu_star (source 0.3);
`beta` [s/m], steepness of the fall (source 20); `alpha` [s/m], viscous slope (source 0). `stick_velocity` [m/s], 0 by default,
is not physical: in threshold mode speeds up to it count as rest, where the place holds up to mu_star N and slides beyond it
(source 0.001). An explicit step changes the slip by mu N h / m; a band narrower than that chatters.

Memory: none.

Cannot: deform before sliding (use `lugre`). The force jumps at zero speed. It holds without creep and is passive. It equals
`stribeck` with shape gaussian, exponent 1, stribeck_velocity 1/beta, mu_static mu_star, mu_kinetic mu_star - gamma and
viscosity alpha.

Reference: Energy Transfer and Dissipation in a Three-Degree-of-Freedom System with Stribeck Friction, ASME International
Mechanical Engineering Congress, IMECE2005-81369 (2005).
*/
struct ExponentialStribeck {
  double mu_star = kRequired;
  double gamma = kRequired;
  double beta = 20;           // [s/m]
  double alpha = 0;           // [s/m]
  double stick_velocity = 0;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) {
    v("mu_star", mu_star, unit::one, positive, "static coefficient");
    v("gamma", gamma, unit::one, non_negative, "static minus sliding coefficient, at most mu_star");
    v("beta", beta, unit::second_per_metre, positive, "steepness of the fall with speed");
    v("alpha", alpha, unit::second_per_metre, non_negative, "viscous slope of the coefficient");
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
  }
  std::string problem() const {
    if (gamma > mu_star)
      return "gamma is larger than mu_star; the sliding coefficient mu_star - gamma would be negative: lower gamma or raise mu_star";
    return {};
  }
  template <class T>
  T mu(const T& speed) const {
    using std::exp;
    return mu_star + gamma * (exp(-beta * speed) - 1.0) + alpha * speed;
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, mu(norm(p.slip)), F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return mu_star * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return (mu_star + alpha * norm(p.slip)) * p.load;
  }
  double band() const { return stick_velocity; }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, 1 / beta};
  }
};

}  // namespace bristle
