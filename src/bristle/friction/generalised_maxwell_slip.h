#pragma once
#include <cmath>
#include <vector>

#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Some spring-slider pairs side by side whose sliders follow the Stribeck curve with a lag: hysteresis before sliding that
remembers every reversal, and sliding with frictional lag.

Equations ("Frictional Contacts in Multibody Dynamics", 3.60 to 3.63), per unit of load N. Element i carries the share a_i of
the force and the share k_i of the stiffness; its memory is z_i = k_i sigma0 * deflection / (a_i mu_kinetic), which is 1 in
steady fast sliding; s(v) = 1 + (mu_static/mu_kinetic - 1) exp(-(v/v_s)^2), e the direction of v:

    stick   z_i' = k_i sigma0 / (a_i mu_kinetic) v               until |z_i| >= s(v)
    slip    z_i' = k_i sigma0 C / mu_kinetic (e - z_i / s(v))     until v.z_i <= 0
    F       = N sum_i a_i (mu_kinetic z_i + sigma1 rate_i) + N sigma2 v,    rate_i = v in stick, a_i C (e - z_i/s) in slip

The slip limit carries the sign of the velocity; as printed (3.61) there would be no equilibrium for v < 0. Vectors are our
form. A slipping element whose slip turns back (v.z_i < 0) sticks at once, inside the step; one that reaches its limit slips when the
step is accepted. Steps with error control end where an element lets go; in others, which overrun that, force and memory of a
sticking element are cut at s(v), and those of a slipping one at mu_static/mu_kinetic.

Parameters: `mu_kinetic`, `mu_static` [1]; `stribeck_velocity` [m/s]; `sigma0` [1/m] stiffness, `sigma1` [s/m] damping and
`sigma2` [s/m] viscosity of all elements together, per unit of load (or N/m, N s/m, divided by `reference_load`); `attraction`
C [m/s] > 0, default 2e-3: how fast a slipping element approaches the Stribeck curve; `stiffness_shares` k_i and
`force_shares` a_i [1], up to 32 numbers each with sum 1, default 0.4, 0.3, 0.2, 0.1 and 0.25 each; four elements are reported
to suffice.

Memory: one vector z_i per element, dimensionless, 0 at the start. Marks: one flag per element, 0 sticks (start), 1 slips.

Cannot: change smoothly: the rate jumps where an element lets go or sticks again, and with the sign of v while it slips.
It does not creep: once stopped, elements stick and minor loops close. It is not passive: after a fast stop a
slipping element is drawn up to the static level within the time mu_kinetic / (k_i sigma0 C), not within a path. That is all at
constant load; what it stores is proportional to the load and changes with it without work. With mu_static = mu_kinetic and
large C it is Maxwell slip, as `parallel_series_iwan`.

Reference: F. Al-Bender, V. Lampaert, J. Swevers, The generalized Maxwell-slip model: a novel model for friction simulation
and compensation, IEEE Trans. Automatic Control 50 (2005).
*/
struct GeneralisedMaxwellSlip {
  static constexpr int kMost = 32;
  SlipCurve curve;
  double sigma0 = 1e5 / 9.81;  // [1/m]
  double sigma1 = 0;           // [s/m]
  double sigma2 = 0;           // [s/m]
  double attraction = 2e-3;    // [m/s]
  std::vector<double> stiffness_shares{0.4, 0.3, 0.2, 0.1};
  std::vector<double> force_shares{0.25, 0.25, 0.25, 0.25};

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    curve.visit_stribeck(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "stiffness of all elements together over load");
    v.per_load("sigma1", sigma1, unit::second_per_metre, non_negative, "damping of all elements together over load");
    v.per_load("sigma2", sigma2, unit::second_per_metre, non_negative, "viscosity over load");
    v("attraction", attraction, unit::metre_per_second, positive, "how fast slipping elements approach the Stribeck curve");
    v.list("stiffness_shares", stiffness_shares, unit::one, positive, "share of each element in the stiffness; sum 1");
    v.list("force_shares", force_shares, unit::one, positive, "share of each element in the force; sum 1");
    v.reference_load();
  }
  std::string problem() const {
    if (stiffness_shares.size() != force_shares.size()) return "stiffness_shares and force_shares must have equally many numbers";
    if (force_shares.empty() || force_shares.size() > kMost) return "between 1 and 32 elements are possible";
    double k = 0, a = 0;
    for (const double x : stiffness_shares) k += x;
    for (const double x : force_shares) a += x;
    if (std::abs(k - 1) > 1e-6) return "the sum of stiffness_shares must be 1";
    if (std::abs(a - 1) > 1e-6) return "the sum of force_shares must be 1";
    return curve.problem();
  }
  int vectors() const { return static_cast<int>(force_shares.size()); }
  int marks(int) const { return vectors(); }
  double stiffness(int i) const { return stiffness_shares[static_cast<std::size_t>(i)] * sigma0; }
  double share(int i) const { return force_shares[static_cast<std::size_t>(i)]; }
  double most() const { return curve.mu_static / curve.mu_kinetic; }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    const T s = curve.shape(norm(p.slip));
    const Vec<D, T> e = direction(p.slip);
    for (int d = 0; d < D; ++d) F[d] = sigma2 * p.slip[d];
    for (int i = 0; i < vectors(); ++i) {
      const Vec<D, T> bent = clipped<D, T>(part<D, T>(z, i), marks[i] > 0 ? T(most()) : s);
      const double scale = stiffness(i) / (share(i) * curve.mu_kinetic);
      const bool slips = marks[i] > 0 && !(dot(p.slip, bent) < 0.0);
      for (int d = 0; d < D; ++d) {
        const T rate = slips ? share(i) * attraction * (e[d] - bent[d] / s) : p.slip[d];
        zdot[i * D + d] = scale * rate;
        F[d] += share(i) * (curve.mu_kinetic * bent[d] + sigma1 * rate);
      }
    }
    for (int d = 0; d < D; ++d) F[d] = p.load * F[d];
  }
  template <int D>
  void project(const Patch<D>& p, double* z, const double* marks) const {
    const double s = curve.shape(norm(p.slip));
    for (int i = 0; i < vectors(); ++i) clip_in_place<D>(z + i * D, marks[i] > 0 ? most() : s);
  }
  template <int D>
  void accept(const Patch<D>& p, double, double* z, double* marks) const {
    const double s = curve.shape(norm(p.slip));
    for (int i = 0; i < vectors(); ++i) {
      const Vec<D> bent = part<D, double>(z, i);
      const bool onward = dot(p.slip, bent) > 0;
      if (marks[i] > 0) {
        if (!onward) marks[i] = 0;
      } else if (onward && norm(bent) >= s * (1 - 1e-12)) {
        marks[i] = 1;
      }
    }
  }
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double* z0, const double* z1,
                  const double* marks) const {
    Overrun out;
    const double s = curve.shape(norm(p.slip)), turned = dot(before, p.slip);
    for (int i = 0; i < vectors(); ++i) {
      if (marks[i] > 0 && turned < 0) {
        // it was drawn on until the slip turned, and sticks since: stages before and behind have other rates, whatever part of the step is which
        constexpr double kBefore = 1 - 1e-4;
        out.part = kBefore * dot(before, before) / (dot(before, before) - turned);
        out.jump = std::max(out.jump, share(i) * stiffness(i) / curve.mu_kinetic * attraction * h);
      }
      const double end = norm(part<D, double>(z1, i)), beyond = end - s;
      if (marks[i] > 0 || !(beyond > 0) || !(dot(p.slip, part<D, double>(z1, i)) > 0)) continue;
      const double start = norm(part<D, double>(z0, i));
      out.error = std::max(out.error, share(i) * beyond);
      out.jump = std::max(out.jump, out.error);
      const double at = end > start ? std::clamp((s - start) / (end - start), 0.0, 1.0) : 0;
      if (out.part == 0 || at < out.part) out.part = std::max(at, 1e-300);
    }
    return out;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double* marks) const {
    const double s = curve.shape(norm(p.slip));
    double sum = 0;
    for (int i = 0; i < vectors(); ++i) {
      const Vec<D> a = clipped<D, double>(part<D, double>(z, i), marks[i] > 0 ? most() : s);
      sum += share(i) * share(i) / stiffness(i) * dot(a, a);
    }
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic * sum;
  }
  double largest_stretch() const { return most(); }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    const double rate = std::max(norm(p.slip), attraction * (1 + most()));
    return p.load * (curve.mu_static * (1 + 1e-12) + sigma1 * rate + sigma2 * norm(p.slip));
  }
  double reach() const { return most() * (1 + 1e-12); }
  template <int D>
  Mode mode(const Patch<D>&, const double*, const double* marks) const {
    for (int i = 0; i < vectors(); ++i) {
      if (!(marks[i] > 0)) return Mode::stick;
    }
    return Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    double rate = 0;
    for (int i = 0; i < vectors(); ++i) {
      rate = std::max(rate, stiffness(i) / curve.mu_kinetic * std::max(attraction, norm(p.slip) / share(i)));
    }
    return {rate, curve.stribeck_velocity};
  }
};

}  // namespace bristle
