#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A linear spring in the tangent plane with two limits: the static one at low speed, the sliding one above a threshold
speed.

Equations ("Frictional Contacts in Multibody Dynamics", 3.72 to 3.75), per unit of load N, with the memory z = k_b * stretch /
mu_kinetic:

    z'    = k_b / mu_kinetic v,   at the limit without the outward part of v along z
    limit = mu_static / mu_kinetic for |v| <= v_d,   1 above
    F     = N (mu_kinetic clip(z, limit) + c_b w)
    w     = v while |z| < limit;  at the limit v without its outward part along z

and z is cut to the limit, which drops at v_d, at every accepted step. In one dimension w is the published rate of the stretch (zero at the limit
unless the slip turns back); the radial cut, instead of turning z at once into the direction of v, is our form.

Parameters: `mu_kinetic`, `mu_static` [1]; `stiffness` k_b [1/m] > 0 and `damping` c_b [s/m] >= 0, per unit of load (or N/m, N
s/m, divided by `reference_load`); `threshold_velocity` v_d [m/s] > 0, default 1e-3. Damping 0 leaves the spring ringing in
stick.

Memory: one vector z, dimensionless, 0 at the start. Marks: two flags, 1 while it slides, and while it is faster than v_d.

Cannot: pass smoothly from stick to slip: the limit drops at v_d and jerks the force (steps with error control are cut there); no Stribeck curve, no
viscosity (use `lugre`). Steps end where it yields and where it passes v_d; energy schemes take steps that are given as they are,
and the damper then acts over the whole step: 1 kg that starts to slide at v under 10 N loses 4 % of v at 1 ms, c_b N h/2 (use a tolerance). It does not creep. Passive at constant load: what it stores is proportional to the load and changes
with it without work.

Reference: J. Liang, S. Fillmore, O. Ma, An extended bristle friction force model with experimental validation, Mechanism and
Machine Theory 56, 2012.
*/
struct Liang {
  SlipCurve curve;
  double stiffness = 5e4 / 9.81;                                // [1/m]
  double damping = 80 / 9.81;                                   // [s/m]
  double threshold_velocity = 1e-3;                             // [m/s]
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 2;  // it slides; it was faster than the threshold

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v.per_load("stiffness", stiffness, unit::per_metre, positive, "stiffness of the bristle over load");
    v.per_load("damping", damping, unit::second_per_metre, non_negative, "damping of the bristle over load");
    v("threshold_velocity", threshold_velocity, unit::metre_per_second, positive, "speed above which the sliding limit holds");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }
  double limit(const double* marks) const { return marks[1] > 0 ? 1 : curve.mu_static / curve.mu_kinetic; }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    const double most = limit(marks);
    const Vec<D, T> stretch = part<D, T>(z), bent = clipped<D, T>(stretch, T(most));
    Vec<D, T> w = p.slip;
    if (slides_on<D, T>(p.slip, stretch, most, marks[0])) {
      const Vec<D, T> n = direction(stretch);
      const T outward = dot(p.slip, n);
      if (outward > 0.0) w = w - outward * n;
    }
    const Vec<D, T> rate = slider_rate<D, T>(p.slip, stretch, most, marks[0]);
    for (int d = 0; d < D; ++d) {
      zdot[d] = stiffness / curve.mu_kinetic * rate[d];
      F[d] = p.load * (curve.mu_kinetic * bent[d] + damping * w[d]);
    }
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double* marks) const {
    clip_in_place<D>(z, limit(marks));
  }
  template <int D>
  void accept(const Patch<D>& p, double, double* z, double* marks) const {
    marks[1] = norm(p.slip) > threshold_velocity ? 1 : 0;
    clip_in_place<D>(z, limit(marks));
    slider_accept<D>(z, limit(marks), p.slip, marks[0]);
  }
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double* z0, const double* z1,
                  const double* marks) const {
    const double k = stiffness / curve.mu_kinetic;
    Overrun out = jumping_overrun<D>(before, p.slip, h, k, z0, z1, limit(marks), marks[0], false);
    out.merge(passing(before, p.slip, h, marks));
    if (D > 1 && marks[0] > 0) out.longest = stable_step(k * norm(p.slip));
    return out;
  }
  /// The threshold in a step, the slip being straight in time: the limit jumps there.
  template <int D>
  Overrun passing(const Vec<D>& before, const Vec<D>& after, double h, const double* marks) const {
    const double start = norm(before), end = start > 0 ? dot(before, after) / start : norm(after);
    const bool fast = marks[1] > 0, slows = fast && end < threshold_velocity;
    if (fast != (start > threshold_velocity)) return {};  // it has not been looked at yet
    if (!slows && (fast || !(std::abs(end) > threshold_velocity))) return {};
    const double at = end < -threshold_velocity && !fast ? -threshold_velocity : threshold_velocity;
    const double part = std::max((at - start) / (end - start), 1e-300);
    const double way = stiffness / curve.mu_kinetic * threshold_velocity * (1 - part) * h;
    return {.error = way, .part = part, .jump = way};
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double* marks) const {
    const Vec<D> a = clipped<D, double>(part<D, double>(z), limit(marks));
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / stiffness * dot(a, a);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return p.load * (curve.mu_static + damping * norm(p.slip));
  }
  double reach() const { return curve.mu_static / curve.mu_kinetic * (1 + 1e-12); }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double* marks) const {
    return norm(part<D, double>(z)) < limit(marks) * (1 - 1e-9) ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {stiffness * norm(p.slip) / curve.mu_kinetic, threshold_velocity};
  }
};

}  // namespace bristle
