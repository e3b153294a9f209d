#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A spring in stick and a Stribeck curve in slip, with two delays seen in measurements: friction follows the speed late, and
the static force grows with the time at rest.

Equations ("Frictional Contacts in Multibody Dynamics", 3.19 to 3.21), per unit of load N:

    stick   F = N sigma0 x,  x the displacement since it stuck
    slip    F = N (mu_kinetic + (level - mu_kinetic) / (1 + (|v(t - lag)|/v_s)^2)) sgn(v) + N viscosity v
    level   = level_a + (mu_static - level_a) dwell / (dwell + rise_time)

The source gives no rule for switching; ours: stick to slip when sigma0 |x| reaches level; slip to stick when |v|, having been above
switch_velocity, falls below it, or when the slip turns back, with x set so that the force goes on, dwell = 0 and level_a the factor before
sgn(v) at that moment. Both when a step is accepted; steps with error control end where they are. In stick the force is cut at level.
Vectors are our form; the delayed quantity is the speed.

Parameters: `mu_kinetic`; `mu_static` [1] after a long rest; `sigma0` [1/m] stiffness in stick, `viscosity` [s/m], per unit of
load (or N/m, N s/m, divided by `reference_load`); `stribeck_velocity` [m/s], default 1e-3; `lag` [s], >= 0, default 1e-3;
`rise_time` [s], > 0, default 1; `switch_velocity` [m/s], > 0, default 1e-4, about a tenth of stribeck_velocity: the eighth
parameter. All come from experiments.

Memory: a vector z = sigma0 x / mu_kinetic (in slip: last accepted force), 0 at the start, and a clock, time since the last
accepted step over `rise_time`. Marks: stick, slip, or slip that has been above switch_velocity (starts in stick), level_a (starts at
mu_kinetic), level, dwell, time, and a delay line of 40 speeds spread over `lag`.

Cannot: switch smoothly: the force may jump, and at a fast stop the delayed speed makes it jump visibly; a slip that turns back keeps its
force until the step is accepted. Its spring in stick has no damping. It does not creep. It is not passive: in a stop
shorter than mu/sigma0 the spring of the new stick is tightened for nothing. Otherwise it is passive at constant load: what it
stores is proportional to the load and changes with it without work. With larger steps than `lag` the delay is resolved by
linear interpolation only. Use `gonthier` for dwell and `generalised_maxwell_slip` for lag in one smooth set of rates.

Reference: B. Armstrong-Hélouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis tools and compensation methods
for the control of machines with friction, Automatica 30 (1994).
*/
struct SevenParameter {
  SlipCurve curve;
  double sigma0 = 1e5 / 9.81;     // [1/m]
  double viscosity = 0.1 / 9.81;  // [s/m]
  double lag = 1e-3;              // [s]
  double rise_time = 1;           // [s]
  double switch_velocity = 1e-4;  // [m/s]
  static constexpr int kVectors = 1, kScalars = 1;
  static constexpr int kLine = 40;
  static constexpr double kFast = 2;  // of the mark `slipping`: it has been above switch_velocity since it broke away
  enum Mark : int { slipping, level_a, level, dwell, time, samples, newest, line };  // line: pairs of time and speed
  static constexpr int kMarks = line + 2 * kLine;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "stiffness in stick over load");
    v.per_load("viscosity", viscosity, unit::second_per_metre, non_negative, "viscosity in slip over load");
    v("stribeck_velocity", curve.stribeck_velocity, unit::metre_per_second, positive,
      "speed over which friction falls from static to kinetic");
    v("lag", lag, unit::second, non_negative, "delay of friction behind the speed");
    v("rise_time", rise_time, unit::second, positive, "time at rest after which half of the rise of static friction is done");
    v("switch_velocity", switch_velocity, unit::metre_per_second, positive, "speed below which slip turns into stick");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }
  double tick() const { return rise_time; }  ///< [s] of one unit of the clock

  template <class T>
  T static_level(const double* marks, const T& rest) const {
    return marks[level_a] + (curve.mu_static - marks[level_a]) * rest / (rest + rise_time);
  }
  /// Limit of z in stick.
  double longest(double clock, const double* marks) const {
    return static_level<double>(marks, marks[dwell] + tick() * clock) / curve.mu_kinetic;
  }
  /// Speed `lag` ago: from the line, and from the present speed for what is not in it yet.
  template <class T>
  T delayed(const T& speed, const T& clock, const double* marks) const {
    const int n = static_cast<int>(marks[samples]);
    if (!(lag > 0) || n == 0) return speed;
    const T now = marks[time] + tick() * clock, then = now - lag;
    int i = static_cast<int>(marks[newest]);
    double later = marks[line + 2 * i], fast = marks[line + 2 * i + 1];
    if (!(then < later)) return fast + (speed - fast) * ((then - later) / (now - later));
    for (int k = 1; k < n; ++k) {
      i = (i + kLine - 1) % kLine;
      const double earlier = marks[line + 2 * i], slow = marks[line + 2 * i + 1];
      if (!(then < earlier)) return slow + (fast - slow) * ((then - earlier) / (later - earlier));
      later = earlier;
      fast = slow;
    }
    return T(fast);
  }
  /// Factor before the direction in slip.
  template <class T>
  T sliding(const T& speed, const T& clock, const double* marks) const {
    const T r = delayed<T>(speed, clock, marks) / curve.stribeck_velocity;
    return curve.mu_kinetic + (marks[level] - curve.mu_kinetic) / (1.0 + r * r);
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    zdot[D] = T(1 / tick());
    if (marks[slipping] > 0) {
      const T factor = sliding<T>(norm(p.slip), z[D], marks);
      // a slip that turns back inside a step keeps its force until the step is accepted: z points to where it slid to
      const Vec<D, T> last = part<D, T>(z);
      const Vec<D, T> e = dot(p.slip, last) < 0.0 ? direction(last) : direction(p.slip);
      for (int d = 0; d < D; ++d) {
        zdot[d] = T(0);
        F[d] = p.load * (factor * e[d] + viscosity * p.slip[d]);
      }
      return;
    }
    const T most = static_level<T>(marks, marks[dwell] + tick() * z[D]) / curve.mu_kinetic;
    const Vec<D, T> bent = clipped<D, T>(part<D, T>(z), most);
    for (int d = 0; d < D; ++d) {
      zdot[d] = sigma0 / curve.mu_kinetic * p.slip[d];
      F[d] = p.load * curve.mu_kinetic * bent[d];
    }
  }
  template <int D>
  void start(double*, double* marks, int) const {
    marks[level_a] = marks[level] = curve.mu_kinetic;
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double* marks) const {
    if (!(marks[slipping] > 0)) clip_in_place<D>(z, longest(z[D], marks));
  }
  template <int D>
  void accept(const Patch<D>& p, double t, double* z, double* marks) const {
    const double speed = norm(p.slip), clock = z[D];
    if (marks[slipping] > 0) {
      const double factor = sliding<double>(speed, clock, marks);
      const bool turned = dot(p.slip, part<D, double>(z)) < 0;  // z: the force before, which points along the slip
      if (speed > 0 && !turned) {
        for (int d = 0; d < D; ++d) z[d] = (factor / speed + viscosity) * p.slip[d] / curve.mu_kinetic;
      }
      if (speed > switch_velocity) marks[slipping] = kFast;
      if (turned || (speed < switch_velocity && marks[slipping] == kFast)) {
        marks[slipping] = 0;
        marks[level_a] = std::min(factor, curve.mu_static);
        marks[dwell] = 0;
      }
    } else {
      marks[dwell] += tick() * clock;
      const double most = static_level<double>(marks, marks[dwell]);
      if (curve.mu_kinetic * norm(part<D, double>(z)) >= most * (1 - 1e-12)) {
        marks[slipping] = 1;
        marks[level] = most;
      }
    }
    // the clock starts again from here, and the line takes a speed when its spacing has passed
    z[D] = 0;
    marks[time] = t;
    int n = static_cast<int>(marks[samples]), i = static_cast<int>(marks[newest]);
    if (n > 0 && t < marks[line + 2 * i]) n = 0;
    if (n == 0 || t - marks[line + 2 * i] >= lag / (kLine - 4)) {
      i = n == 0 ? 0 : (i + 1) % kLine;
      marks[line + 2 * i] = t;
      marks[line + 2 * i + 1] = speed;
      marks[samples] = std::min(n + 1, kLine);
      marks[newest] = i;
    }
  }
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double* z0, const double* z1,
                  const double* marks) const {
    const double k = sigma0 / curve.mu_kinetic;
    if (!(marks[slipping] > 0)) return {slider_overrun<D>(before, p.slip, h, k, z0, z1, longest(z1[D], marks), 0)};
    const double start = norm(before), end = dot(before, p.slip) < 0 ? -norm(p.slip) : norm(p.slip);
    const double sticks = marks[slipping] == kFast || start > switch_velocity ? switch_velocity : 0;  // at this speed
    if (!(end < sticks && start > sticks)) return {};
    const double part = (start - sticks) / (start - end);  // the slip being straight in time
    return {.error = k * 0.5 * (sticks + std::abs(end)) * (1 - part) * h, .part = part};
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double* marks) const {
    Vec<D> a = part<D, double>(z);
    if (!(marks[slipping] > 0)) a = clipped<D, double>(a, longest(z[D], marks));
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / sigma0 * dot(a, a);
  }
  template <int D>
  double holding(const Patch<D>& p, const double* marks) const {
    return p.load * (marks[slipping] > 0 ? marks[level] : static_level<double>(marks, marks[dwell]));
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return p.load * (curve.mu_static + viscosity * norm(p.slip));
  }
  double reach() const { return 1e3; }
  template <int D>
  Mode mode(const Patch<D>&, const double*, const double* marks) const {
    return marks[slipping] > 0 ? Mode::slip : Mode::stick;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {sigma0 * norm(p.slip) / curve.mu_kinetic, switch_velocity};
  }
};

}  // namespace bristle
