#pragma once
#include <cstdint>

#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"
#include "bristle/math/random_counter.h"

namespace bristle {

/** A handful of bonds that are stretched, break and form again at random: friction with a noise of its own.

Equations ("Frictional Contacts in Multibody Dynamics", 3.33), per unit of load N: n bonds of stiffness sigma0/n, stretch of
bond i over its largest one delta as memory z_i:

    z_i' = v / delta,    F = N sigma0 delta / n  sum_i clip(z_i, 1),    delta = 18/11 mu_kinetic / sigma0

A bond at |z_i| = 1 breaks when a step is accepted, and a new one forms a random share u of the way, u between 1/2 and 1 (our
rule; the source gives none): z_i becomes (1 - u) z_i, and what the step has stretched it beyond 1 stretches the new one. Steps
that stretch a bond by more than 0.02 beyond 1 are made shorter, with every method. In sliding a bond is then stretched by 11/18 delta on average, so the
mean force is mu_kinetic N.

Parameters: `mu_kinetic` [1] mean in sliding; `sigma0` [1/m] stiffness of all bonds over load, > 0 (or N/m, divided by
`reference_load`); `bonds` 1 to 40, default 20; the authors advise fewer than 50.

Memory: one vector z_i per bond, dimensionless, 0 at the start. Marks: number of the random stream (one per place) and a
counter; the same run draws the same numbers, also after stop and resume.

Cannot: give a smooth force: it jumps where a bond breaks, and two step sizes give two different noises with equal mean. All
bonds start relaxed and break together at the first slip, a peak of 18/11 mu_kinetic. No Stribeck curve, no viscosity. Fast
sliding is dear: steps are a small part of the time in which the slip covers delta; the mean force is right to about 1 %. It does
not creep. Passive at
constant load: what it stores is proportional to the load and changes with it without work. For the mean without the noise use
`dahl` or `iwan`.

Reference: D. A. Haessig, B. Friedland, On the modeling and simulation of friction, Journal of Dynamic Systems, Measurement,
and Control 113, 1991.
*/
struct HaessigFriedland {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double sigma0 = 1e5 / 9.81;  // [1/m]
  int bonds = 20;
  static constexpr int kMarks = 2;
  static constexpr double kPeak = 18.0 / 11.0;  // largest over mean stretch in sliding
  // non-physical: stretch beyond breaking that a step may have; smaller is nearer to the law and slower
  static constexpr double kLost = 0.02;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "stiffness of all bonds together over load");
    v.integer("bonds", bonds, 1, 40, "number of bonds");
    v.reference_load();
  }
  int vectors() const { return bonds; }
  double delta() const { return kPeak * curve.mu_kinetic / sigma0; }  ///< [m] stretch at which a bond breaks

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    Vec<D, T> sum;
    for (int i = 0; i < bonds; ++i) {
      sum = sum + clipped<D, T>(part<D, T>(z, i), T(1));
      for (int d = 0; d < D; ++d) zdot[i * D + d] = p.slip[d] / delta();
    }
    for (int d = 0; d < D; ++d) F[d] = p.load * (kPeak * curve.mu_kinetic / bonds) * sum[d];
  }
  template <int D>
  void start(double*, double* marks, int stream) const {
    marks[0] = stream;
  }
  template <int D>
  void accept(const Patch<D>&, double, double* z, double* marks) const {
    for (int i = 0; i < bonds; ++i) {
      const double length = norm(part<D, double>(z, i));
      if (length < 1 - 1e-12) continue;
      const double rest = 0.5 * random_uniform(static_cast<std::uint64_t>(marks[0]), static_cast<std::uint64_t>(marks[1]));
      marks[1] += 1;
      const double left = std::min(rest + std::max(0.0, length - 1), 1.0);
      for (int d = 0; d < D; ++d) z[i * D + d] = left * (z[i * D + d] / length);
    }
  }
  template <int D>
  Overrun overrun(const Vec<D>&, const Patch<D>& p, double h, const double* z0, const double* z1, const double*) const {
    Overrun out;
    double nearest = 1;  // bonds that hold: how far to where they break
    for (int i = 0; i < bonds; ++i) {
      const double end = norm(part<D, double>(z1, i));
      if (end < 1) nearest = std::min(nearest, 1 + 0.5 * kLost - end);
      if (!(end > 1 + kLost)) continue;
      const double start = norm(part<D, double>(z0, i)), at = (1 + 0.5 * kLost - start) / (end - start);
      if (out.part == 0 || at < out.part) out.part = at;
      out.error = std::max(out.error, end - 1);
      out.always = true;
    }
    const double way = h * norm(p.slip) / delta();
    if (!out.always && way > 0) out.part = nearest / way;
    return out;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    double sum = 0;
    for (int i = 0; i < bonds; ++i) {
      const Vec<D> a = clipped<D, double>(part<D, double>(z, i), 1);
      sum += dot(a, a);
    }
    return 0.5 * p.load * sigma0 / bonds * delta() * delta() * sum;
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return kPeak * curve.mu_kinetic * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return kPeak * curve.mu_kinetic * p.load * (1 + 1e-12);  // a sum of bonds: round-off
  }
  double reach() const { return 1 + 1e-12; }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) > 0 ? Mode::slip : Mode::stick;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {norm(p.slip) / delta(), 0};
  }
};

}  // namespace bristle
