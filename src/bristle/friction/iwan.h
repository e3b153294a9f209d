#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A spring in series with a dry slider: elastic up to the friction force, then sliding at constant force (Jenkins element).

Equations ("Efficient Simulation of a Dynamic System with LuGre Friction", Iwan element of the introduction), per unit of load
N, with the memory z = stiffness * stretch / mu_kinetic:

    z' = stiffness / mu_kinetic v
    F  = mu_kinetic N z min(1, 1/|z|)

and z is cut to length 1 at every accepted step. A closed loop of amplitude X loses 4 mu_kinetic N (X - mu_kinetic /
stiffness). In one dimension this is the elastic-perfectly-plastic law; in more the radial return, our form.

Parameters: `mu_kinetic` [1], 0.1 to 1; `stiffness` [1/m] of the contact over load, > 0 (or N/m, divided by `reference_load`);
mu_kinetic / stiffness is the stretch at which it slips, typically 1 to 100 um.

Memory: one vector z, dimensionless, 0 at the start.

Cannot: slip in part before it slips as a whole (use `parallel_series_iwan`), hold more at rest than in sliding
(`reset_integrator`, `liang`), fall with speed (`lugre`). It does not creep; stretch that has been pushed past the limit is cut
only on accepting a step. Passive at constant load: what it stores is proportional to the load and changes with it without work.

Reference: W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic response, Journal of Applied
Mechanics 33, 1966; G. M. Jenkins, Analysis of the stress-strain relationships in reactor grade graphite, British Journal of
Applied Physics 13, 1962.
*/
struct Iwan {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double stiffness = 1e5 / 9.81;  // [1/m]
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v.per_load("stiffness", stiffness, unit::per_metre, positive, "stiffness of the contact over load");
    v.reference_load();
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    const Vec<D, T> stretch = clipped<D, T>(part<D, T>(z), T(1));
    for (int d = 0; d < D; ++d) {
      zdot[d] = stiffness / curve.mu_kinetic * p.slip[d];
      F[d] = curve.mu_kinetic * p.load * stretch[d];
    }
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double*) const {
    clip_in_place<D>(z, 1);
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = clipped<D, double>(part<D, double>(z), 1);
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / stiffness * dot(a, a);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  double reach() const { return 1 + 1e-12; }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double*) const {
    return norm(part<D, double>(z)) < 1 - 1e-9 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {stiffness * norm(p.slip) / curve.mu_kinetic, 0};
  }
};

}  // namespace bristle
