#pragma once
#include <cmath>

#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Friction as a function of the path alone: a fast yielding spring minus a slow one, so that the force peaks shortly after
the start of motion and then falls to its sliding value, whatever the speed.

Equations ("Frictional Contacts in Multibody Dynamics", 3.36 to 3.42), per unit of load N, path ds = |v| dt:

    z1' = (v - |v| z1) / (eta path)         z2' = (v - |v| z2) / path
    F   = N (f1 z1 - f2 z2)                 second order (default)
    z1' = (v - |v| z1) / path,  F = N mu_kinetic z1       first order: identical to `dahl` with sigma0 = mu_kinetic / path

Monotone motion from rest: F(s)/N = f1 (1 - exp(-s/(eta path))) - f2 (1 - exp(-s/path)); peak at s* = eta path / (1 - eta)
ln(f1 / (eta f2)); then f1 - f2 = mu_kinetic. By default f1 and f2 are chosen so that the peak is mu_static. Vector states are
our form; in one dimension it is the published one.

Parameters: `mu_kinetic`, `mu_static` [1]: sliding value and first peak; `path` [m], > 0, the slower length, default 1.675e-4
(first order: the only length; mu_kinetic / stiffness); `eta` [1], between 0 and 1, ratio of the two lengths, default 0.1;
`order: first` or `second`; `f1` [1], optional, the fast part as published: then f2 = f1 - mu_kinetic and mu_static is not
used.

Memory: two vectors (z1, z2), dimensionless, 0 at the start.

Cannot: depend on speed or on time at rest: the second peak of a stick-slip motion is lower than the first, since only travelled
path rebuilds it (use `gonthier` or `seven_parameter` for that), no viscosity. A reversal out of sliding peaks higher than
mu_static, at most f1 + f2. It creeps while the load vibrates. Its springs are not damped: a body held
on it rings for ever, and the errors of the steps let it walk. At default tolerances a hold of 100 s walked 1.4 to 4 times as far as it should;
take 1e-9 there, or damping beside it. Passive at constant load: the stored energy is the smaller
solution of the Kalman-Yakubovich-Popov equations of the pair, and not that of two springs; it is proportional to the load and
changes with it without work.

Reference: P.-A. Bliman, M. Sorine, Easy-to-use realistic dry friction models for automatic control, Proc. 3rd European
Control Conference, Rome, 1995.
*/
struct BlimanSorine {
  enum class Order { first, second };
  SlipCurve curve;
  double path = 1.675e-4;  // [m]
  double eta = 0.1;
  Order order = Order::second;
  double f1 = 0;  // 0: from mu_static
  static constexpr int kVectors = 2, kScalars = 0, kMarks = 0;

  // derived by prepare
  double fast = 0, slow = 0;         // f1 and f2 in use
  double p11 = 0, p12 = 0, p22 = 0;  // [m] stored energy per load: (p11 z1^2 + 2 p12 z1 z2 + p22 z2^2) / 2

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v("path", path, unit::metre, positive, "longer of the two lengths over which the force settles");
    v("eta", eta, unit::one, Range{0, 1, true, true}, "shorter length over the longer");
    v.choice_of("order", order, {"first", "second"}, "first: without a peak, as dahl");
    v("f1", f1, unit::one, non_negative, "coefficient of the fast part; 0: chosen so that the first peak is mu_static");
  }
  std::string problem() const {
    if (f1 > 0 && f1 < curve.mu_kinetic)
      return "f1 is smaller than mu_kinetic; f1 - f2 = mu_kinetic with f2 >= 0: raise f1 or lower mu_kinetic";
    return curve.problem();
  }

  /// Highest value of the coefficient in a monotone motion from rest.
  double peak(double fast_part) const {
    const double slow_part = fast_part - curve.mu_kinetic;
    if (!(slow_part > 0)) return fast_part;
    const double q = eta * slow_part / fast_part;  // exp(-s* (1/eta - 1) / path)
    return fast_part * (1 - std::pow(q, 1 / (1 - eta))) - slow_part * (1 - std::pow(q, eta / (1 - eta)));
  }
  void prepare() {
    if (order == Order::first) {
      fast = curve.mu_kinetic;
      slow = 0;
      p11 = fast * path;
      p12 = p22 = 0;
      return;
    }
    fast = f1;
    if (!(fast > 0)) {
      // the peak grows with the fast part: bracket, then halve
      double low = curve.mu_kinetic, high = 2 * curve.mu_static;
      for (int i = 0; i < 60 && peak(high) < curve.mu_static; ++i) high *= 2;
      for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (peak(middle) < curve.mu_static ? low : high) = middle;
      }
      fast = curve.mu_static > curve.mu_kinetic ? 0.5 * (low + high) : curve.mu_kinetic;
    }
    slow = fast - curve.mu_kinetic;
    const double a = 1 / (eta * path), b = 1 / path;
    const double root = std::sqrt((fast * a * a - slow * b * b) * (fast - slow));
    p12 = -2 * (fast * a - slow * b - root) / ((a - b) * (a - b));
    p11 = (fast - p12 * b) / a;
    p22 = (-slow - p12 * a) / b;
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    flat().eval(p, z, F, zdot);
  }
  template <class R>
  struct Flat {
    R fast_rate, slow_rate, fast, slow;
    template <int D, class T>
    void eval(const Patch<D, T>& p, const T* z, Vec<D, T>& F, T* zdot) const {
      const T speed = norm(p.slip);
      for (int d = 0; d < D; ++d) {
        zdot[d] = fast_rate * (p.slip[d] - speed * z[d]);
        zdot[D + d] = slow_rate * (p.slip[d] - speed * z[D + d]);
        F[d] = p.load * (fast * z[d] - slow * z[D + d]);
      }
    }
  };
  Flat<double> flat() const {
    return {1 / (order == Order::first ? path : eta * path), order == Order::first ? 0 : 1 / path, fast, slow};
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = part<D, double>(z), b = part<D, double>(z, 1);
    return 0.5 * p.load * (p11 * dot(a, a) + 2 * p12 * dot(a, b) + p22 * dot(b, b));
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return p.load * (order == Order::first ? curve.mu_kinetic : peak(fast));
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return p.load * (fast + slow);
  }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double*) const {
    return norm(part<D, double>(z)) < 0.9 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {norm(p.slip) / (order == Order::first ? path : eta * path), 0};
  }
};

}  // namespace bristle
