#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A spring in series with a dry slider: elastic up to the friction force, then sliding at constant force (Jenkins element).

Equations ("Efficient Simulation of a Dynamic System with LuGre Friction", Iwan element of the introduction), per unit of load
N, with the memory z = stiffness * stretch / mu_kinetic:

    z' = stiffness / mu_kinetic v,   at |z| = 1 without the outward part of v along z
    F  = mu_kinetic N z min(1, 1/|z|)

A slider that reaches its limit inside a step is cut to length 1 when the step is accepted, and slides from then on; a reversal is
felt inside the step. Error control sees both. A closed loop of amplitude X loses 4 mu_kinetic N (X - mu_kinetic /
stiffness). In one dimension this is the elastic-perfectly-plastic law; in more the radial return, our form.

Parameters: `mu_kinetic` [1], 0.1 to 1; `stiffness` [1/m] of the contact over load, > 0 (or N/m, divided by `reference_load`);
mu_kinetic / stiffness is the stretch at which it slips, typically 1 to 100 um.

Memory: one vector z, dimensionless, 0 at the start. Marks: a flag, 1 while it slides.

Cannot: slip in part before it slips as a whole (use `parallel_series_iwan`), hold more at rest than in sliding
(`reset_integrator`, `liang`), fall with speed (`lugre`). It does not creep. In two and three dimensions its direction follows
the slip as fast as the memory of `lugre` does: explicit methods need steps below 2.8 mu_kinetic / (stiffness |v|). Passive at constant load: what it stores is proportional to the load and changes with it without work.

Reference: W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic response, Journal of Applied
Mechanics 33, 1966; G. M. Jenkins, Analysis of the stress-strain relationships in reactor grade graphite, British Journal of
Applied Physics 13, 1962.
*/
struct Iwan {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double stiffness = 1e5 / 9.81;  // [1/m]
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 1;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v.per_load("stiffness", stiffness, unit::per_metre, positive, "stiffness of the contact over load");
    v.reference_load();
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    const Vec<D, T> raw = part<D, T>(z), stretch = clipped<D, T>(raw, T(1)), rate = slider_rate<D, T>(p.slip, raw, 1, marks[0]);
    for (int d = 0; d < D; ++d) {
      zdot[d] = stiffness / curve.mu_kinetic * rate[d];
      F[d] = curve.mu_kinetic * p.load * stretch[d];
    }
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double*) const {
    clip_in_place<D>(z, 1);
  }
  template <int D>
  void accept(const Patch<D>& p, double, double* z, double* marks) const {
    slider_accept<D>(z, 1, p.slip, marks[0]);
  }
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double* z0, const double* z1,
                  const double* marks) const {
    const double k = stiffness / curve.mu_kinetic;
    Overrun out{slider_overrun<D>(before, p.slip, h, k, z0, z1, 1, marks[0])};
    if (D > 1 && marks[0] > 0) out.longest = stable_step(k * norm(p.slip));
    return out;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = clipped<D, double>(part<D, double>(z), 1);
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / stiffness * dot(a, a);
  }
  double largest_stretch() const { return 1; }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  double reach() const { return 1 + 1e-12; }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double* marks) const {
    return !(marks[0] > 0) && norm(part<D, double>(z)) < 1 - 1e-9 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {stiffness * norm(p.slip) / curve.mu_kinetic, 0};
  }
};

}  // namespace bristle
