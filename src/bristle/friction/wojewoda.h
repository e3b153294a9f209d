#pragma once
#include <algorithm>
#include <cstdint>

#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"
#include "bristle/math/random_counter.h"

namespace bristle {

/** Hysteretic dry friction: larger while the speed grows, smaller while it falls, with an elastic rise out of rest and, if wanted,
a random part from the roughness of the surface.

Equations ("Frictional Contacts in Multibody Dynamics", 3.23 to 3.27; laws S11), a the slip acceleration, per unit of load:

    v.a >= 0     F = N min(f_st, f_plus) sgn(v)
    v.a <  0     F = N f_minus sgn(v)
    f_st    = k_s v^2 / (2 |a|) - f_0
    f_plus  = mu_k + (m(v) - mu_k) (g + f_R),      m(v) = mu_s + d_s / (1 + |v|/v_s)
    f_minus = mu_k - (mu_s - mu_k) (g + f_R),      g = exp(-|v|/v_s)

The source names g and f_R without giving them; both are ours. f_R is a random line over the path slipped, piecewise linear
between independent values at multiples of `grain`, each uniform between -`roughness` and +`roughness`; it does not depend on
the steps taken. Also ours: a is the mean over the last accepted step; below 1e-9 m/s^2 the branch f_plus is used; no branch is
allowed below zero; f_plus and f_minus are multiplied by tanh(|v|/zero_velocity), because sgn(v) jumps at zero.

Parameters: `mu_kinetic` mu_k, `mu_static` mu_s (at least mu_kinetic); `contact_stiffness` k_s [1/m] per unit of load, 1e5 by
default, or [N/m] divided by `reference_load`; `sticking_force` f_0 [1] per unit of load, 0 by default, or in [N];
`static_variation` d_s [1], 0 by default, 0.1 mu_s is usual; `stribeck_velocity` v_s [m/s], 1e-4 to 1e-1; `roughness` [1], 0 (off)
to 0.5; `grain` [m], 1e-5 by default, correlation length of the surface; `zero_velocity` [m/s], 1e-5 by default, not physical:
smaller is stiffer and creeps less.

Memory: marks alone: slip, acceleration and time of the last accepted step, path slipped (it is the counter of the random
numbers), number of the stream; all zero at the start, where the acceleration counts as zero.

Cannot: stick. It creeps, and worse: every deceleration lowers friction to f_minus, so a pull well below break-away does not
come to rest but wavers along (millimetres per second at two thirds of the largest force, with the defaults) or, with a large
static_variation, runs away. Use `elasto_plastic` where rest matters. The acceleration is one step late, so hysteresis is right
only with steps much shorter than the time in which the slip turns. The force jumps where the acceleration changes sign against
the slip, and has a kink where f_st meets f_plus. It is passive: force and slip never point apart.

Reference: J. Wojewoda, A. Stefański, M. Wiercigroch, T. Kapitaniak, Hysteretic effects of dry friction: modelling and
experimental studies, Philosophical Transactions of the Royal Society A 366 (2008), doi:10.1098/rsta.2007.2125.
*/
struct Wojewoda {
  SlipCurve curve;
  double contact_stiffness = 1e5;  // [1/m]
  double sticking_force = 0;       // [1]
  double static_variation = 0;     // [1]
  double roughness = 0;            // [1]
  double grain = 1e-5;             // [m]
  double zero_velocity = 1e-5;     // [m/s]
  static constexpr int kVectors = 0, kScalars = 0;
  static constexpr double kSteady = 1e-9;  // [m/s^2] accelerations below it count as none

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v("stribeck_velocity", curve.stribeck_velocity, unit::metre_per_second, positive, "speed over which hysteresis fades");
    v.per_load("contact_stiffness", contact_stiffness, unit::per_metre, positive, "stiffness of the rise out of rest, over load");
    v.per_load("sticking_force", sticking_force, unit::one, non_negative, "initial sticking force, over load");
    v("static_variation", static_variation, unit::one, non_negative, "range of the static coefficient with speed");
    v("roughness", roughness, unit::one, fraction, "half width of the random part; 0: none");
    v("grain", grain, unit::metre, positive, "path over which the random part changes");
    v("zero_velocity", zero_velocity, unit::metre_per_second, positive, "speed over which the jump at rest is smoothed");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }

  // marks: slip (D), acceleration (D), time, path, stream, whether a step was seen
  int marks(int D) const { return 2 * D + 4; }
  template <int D>
  void start(double*, double* marks, int stream) const {
    marks[2 * D + 2] = stream;
  }
  template <int D>
  void accept(const Patch<D>& p, double t, double*, double* marks) const {
    double *slip = marks, *acceleration = marks + D, *rest = marks + 2 * D;
    const double h = t - rest[0];
    if (rest[3] > 0 && h > 0) {
      Vec<D> mean;
      for (int d = 0; d < D; ++d) {
        acceleration[d] = (p.slip[d] - slip[d]) / h;
        mean[d] = 0.5 * (p.slip[d] + slip[d]);
      }
      rest[1] += h * norm(mean);
    }
    for (int d = 0; d < D; ++d) slip[d] = p.slip[d];
    rest[0] = t;
    rest[3] = 1;
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double* marks, Vec<D, T>& F, T*) const {
    using std::exp;
    using std::tanh;
    Vec<D> a;
    double along = 0;
    for (int d = 0; d < D; ++d) {
      a[d] = marks[D + d];
      along += a[d] * value_of(p.slip[d]);
    }
    const double size = norm(a), noise = random_part(marks + 2 * D);
    const bool steady = size < kSteady, growing = steady || along >= 0;
    const double at_zero = growing ? plus(0.0, noise) : minus(0.0, noise);
    const double slope = growing && !steady ? 0 : larger(at_zero, 0.0) / zero_velocity;
    resist(
        p, slope,
        [&](const T& speed) {
          const T smooth = tanh(speed / zero_velocity);
          if (!growing) return larger(minus(speed, noise) * smooth, T(0));
          const T friction = plus(speed, noise) * smooth;
          if (steady) return larger(friction, T(0));
          const T rise = 0.5 * contact_stiffness / size * speed * speed - sticking_force;
          return larger(smaller(rise, friction), T(0));
        },
        F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return (curve.mu_static + static_variation) * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return (curve.mu_kinetic + (curve.mu_static + static_variation - curve.mu_kinetic) * (1 + roughness)) * p.load;
  }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < zero_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, zero_velocity};
  }

 private:
  template <class T>
  T plus(const T& speed, double noise) const {
    using std::exp;
    const T level = curve.mu_static + static_variation / (1.0 + speed / curve.stribeck_velocity);
    return curve.mu_kinetic + (level - curve.mu_kinetic) * (exp(-speed / curve.stribeck_velocity) + noise);
  }
  template <class T>
  T minus(const T& speed, double noise) const {
    using std::exp;
    return curve.mu_kinetic - (curve.mu_static - curve.mu_kinetic) * (exp(-speed / curve.stribeck_velocity) + noise);
  }
  double random_part(const double* rest) const {
    if (!(roughness > 0)) return 0;
    const double place = rest[1] / grain, cell = std::floor(place), share = place - cell;
    const auto stream = static_cast<std::uint64_t>(rest[2]), counter = static_cast<std::uint64_t>(cell);
    const double left = random_uniform(stream, counter), right = random_uniform(stream, counter + 1);
    return roughness * (2 * (left + share * (right - left)) - 1);
  }
};

}  // namespace bristle
