#pragma once
#include <cmath>

#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Bristles with a full memory of reversals: before sliding, force over displacement runs on nested hysteresis loops that
close; in sliding it follows the Stribeck curve with lag.

Equations ("Frictional Contacts in Multibody Dynamics", 3.55 to 3.59), per unit of load N, memory z = sigma0 * deflection /
mu_kinetic, m = mu_static / mu_kinetic, s(v) = 1 + (m - 1) exp(-(v/v_s)^2), e the direction of v, h = hysteresis force /
(mu_kinetic N):

    first loading     h = f(|z|) z/|z|,                f(x) = m (1 - exp(-x/m))
    after a reversal  h = h_b + 2 f(|z - z_b|/2) dir(z - z_b)                          Masing's rule
    modified          rate = v - |v| |h/s|^(n-1) h/s                                    (3.59, default)
    original          rate = |v| ((s e - h_b)/G - |h - h_b|^(n-1) (h - h_b)/G^n),  G = |s e - h_b|      (3.55)
    z' = sigma0 / mu_kinetic rate,    F = N (mu_kinetic h + sigma1 rate + sigma2 v)

The source leaves the hysteresis curve open; the exponential and Masing's doubling are our choice. In one dimension this is
the published law. Our vector form keeps points z_b and forces h_b as vectors: a reversal is a slip back towards the last
reversal point, a loop closes at the distance at which it was opened; the steady force is s(v) along the slip. All of it turns
with the axes.

Parameters: `mu_kinetic`, `mu_static` [1]; `stribeck_velocity` [m/s]; `sigma0` [1/m], `sigma1` [s/m], `sigma2` [s/m]
stiffness, damping and viscosity, each per unit of load (or N/m, N s/m, divided by `reference_load`); `shape` n [1], > 0,
default 1; `form: modified` or `original`.

Memory: one vector z, dimensionless, 0 at the start, of the order of ten in long slow sliding. Marks: a stack of 32 reversals,
empty at the start; when it is full the smallest loop is forgotten.

Cannot: close minor loops over the displacement with a low exponent: they close over z, but a share |h/s|^n of the way is slip,
also before sliding, so that with n = 1 a loop that starts at 42 % of break-away stays open by 28 % of its height (original
form: 5 %), with n = 10 not visibly. For the same reason it creeps under a vibrating load, less the higher n is;
`generalised_maxwell_slip` has neither fault. On curved paths the force may step by the size of the inner loop when a loop ends,
and there it is not passive; nor is the original form. (The modified form in one dimension with sigma1 = 0 is, at constant load:
what it stores is proportional to the load and changes with it without work.) The original form loses its meaning where a
reversal force is near the Stribeck curve; G is kept above 0.01 there, which is not physics. A reversal is booked when a step is
accepted, at most one step late.

Reference: J. Swevers, F. Al-Bender, C. G. Ganseman, T. Prajogo, An integrated friction model structure with improved
presliding behavior for accurate friction compensation, IEEE Trans. Automatic Control 45 (2000); V. Lampaert, J. Swevers, F.
Al-Bender, Modification of the Leuven integrated friction model structure, IEEE Trans. Automatic Control 47 (2002).
*/
struct Leuven {
  enum class Form { modified, original };
  static constexpr int kDepth = 32;
  SlipCurve curve;
  double sigma0 = 1e5 / 9.81;  // [1/m]
  double sigma1 = 0;           // [s/m]
  double sigma2 = 0;           // [s/m]
  double shape = 1;
  Form form = Form::modified;
  static constexpr int kVectors = 1, kScalars = 0;
  int marks(int D) const { return 1 + 2 * D * kDepth; }  // number of reversals, then (z_b, h_b) of each

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    curve.visit_stribeck(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "stiffness before sliding over load");
    v.per_load("sigma1", sigma1, unit::second_per_metre, non_negative, "bristle damping over load");
    v.per_load("sigma2", sigma2, unit::second_per_metre, non_negative, "viscosity over load");
    v("shape", shape, unit::one, positive, "exponent n of the approach to sliding");
    v.choice_of("form", form, {"modified", "original"}, "modified: continuous; original: as first published");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }
  double most() const { return curve.mu_static / curve.mu_kinetic; }

  template <int D>
  static Vec<D> point(const double* marks, int i) {
    return part<D, double>(marks + 1, 2 * i);
  }
  template <int D>
  static Vec<D> force_at(const double* marks, int i) {
    return part<D, double>(marks + 1, 2 * i + 1);
  }
  /// Reversal on whose branch z lies; -1: first loading. Walks outwards over loops that z has left.
  template <int D>
  static int branch(const Vec<D>& z, const double* marks) {
    int k = static_cast<int>(marks[0]) - 1;
    while (k >= 0) {
      const Vec<D> here = point<D>(marks, k), before = k > 0 ? point<D>(marks, k - 1) : -1.0 * here;
      const Vec<D> gone = z - here, loop = before - here;
      if (dot(gone, loop) < 0) k -= 1;                             // the reversal was taken back
      else if (norm(gone) >= norm(loop)) k = std::max(k - 2, -1);  // the loop has closed
      else break;
    }
    return k;
  }
  /// h on branch k.
  template <int D, class T>
  Vec<D, T> hysteresis(const Vec<D, T>& z, const double* marks, int k) const {
    using std::exp;
    Vec<D, T> from = z, h;
    double twice = 1;
    if (k >= 0) {
      const Vec<D> here = point<D>(marks, k), force = force_at<D>(marks, k);
      for (int d = 0; d < D; ++d) from[d] = z[d] - here[d], h[d] = T(force[d]);
      twice = 2;
    }
    const T y = norm(from) / (twice * most());
    const T secant = y > 1e-3 ? (1.0 - exp(-y)) / y : 1.0 - 0.5 * y + y * y / 6.0;
    for (int d = 0; d < D; ++d) h[d] = h[d] + secant * from[d];
    return clipped<D, T>(h, T(most()));
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    Vec<D> at;
    for (int d = 0; d < D; ++d) at[d] = value_of(z[d]);
    const int k = branch<D>(at, marks);
    const Vec<D, T> h = hysteresis<D, T>(part<D, T>(z), marks, k);
    const T speed = norm(p.slip), s = curve.shape(speed);
    Vec<D, T> rate;
    if (form == Form::modified) {
      const T pull = speed * power_less_one<T>(norm(h) / s, shape) / s;
      for (int d = 0; d < D; ++d) rate[d] = p.slip[d] - pull * h[d];
    } else {
      const Vec<D, T> e = direction(p.slip);
      Vec<D, T> base, target, rise;
      if (k >= 0) {
        const Vec<D> force = force_at<D>(marks, k);
        for (int d = 0; d < D; ++d) base[d] = T(force[d]);
      }
      for (int d = 0; d < D; ++d) target[d] = s * e[d] - base[d], rise[d] = h[d] - base[d];
      const T G = larger<T>(norm(target), T(0.01));
      const T power = power_less_one<T>(norm(rise) / G, shape);
      for (int d = 0; d < D; ++d) rate[d] = (s * p.slip[d] - speed * base[d] - speed * power * rise[d]) / G;
    }
    for (int d = 0; d < D; ++d) {
      zdot[d] = sigma0 / curve.mu_kinetic * rate[d];
      F[d] = p.load * (curve.mu_kinetic * h[d] + sigma1 * rate[d] + sigma2 * p.slip[d]);
    }
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double*) const {
    clip_in_place<D>(z, reach());  // first loading is then flat to 1e-13
  }
  template <int D>
  void accept(const Patch<D>& p, double, double* z, double* marks) const {
    const Vec<D> at = part<D, double>(z);
    int count = branch<D>(at, marks) + 1;
    const Vec<D> from = count > 0 ? at - point<D>(marks, count - 1) : at;
    if (dot(p.slip, from) < 0) {
      const Vec<D> h = hysteresis<D, double>(at, marks, count - 1);
      if (count == kDepth) count = forget_smallest<D>(marks, count);
      for (int d = 0; d < D; ++d) {
        marks[1 + 2 * count * D + d] = at[d];
        marks[1 + (2 * count + 1) * D + d] = h[d];
      }
      ++count;
    }
    marks[0] = count;
  }
  /// A reversal is booked where the step ends that contains it: how far that is from where the slip turned, the slip being straight in time.
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double*, const double*, const double*) const {
    const double turned = dot(before, p.slip);
    if (!(turned < 0)) return {};
    const double a = norm(before), b = -turned / a;
    return {.error = 0.5 * sigma0 / curve.mu_kinetic * h * b * b / (a + b), .part = a / (a + b)};
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double* marks) const {
    const double per = p.load * curve.mu_kinetic * curve.mu_kinetic / sigma0, m = most();
    const Vec<D> at = part<D, double>(z);
    // energy of spring-slider pairs of which exp(-x/m) dx/m slip between x and x + dx: they give the same loops
    const auto integral = [&](double low, double high, double c, double s) {  // of (c + s x)^2
      const auto primitive = [&](double x) {
        const double y = c + s * x;
        return -std::exp(-x / m) * (y * y + 2 * s * m * y + 2 * m * m);
      };
      return primitive(high) - (low < high ? primitive(low) : primitive(high));
    };
    if constexpr (D > 1) {  // as if loaded straight from rest
      const double x = norm(at);
      return 0.5 * per * (integral(0, x, 0, 1) + x * x * std::exp(-x / m));
    } else {
      const int k = branch<D>(at, marks);
      double low = 0, sum = 0, c = 0, last = at[0];
      // sense of the motion: from the last reversal back towards the one before it
      double s = sign(at[0]);
      if (k == 0) s = -sign(point<D>(marks, 0)[0]);
      if (k > 0) s = sign(point<D>(marks, k - 1)[0] - point<D>(marks, k)[0]);
      for (int i = k; i >= 0; --i) {  // pairs that have slipped since reversal i, but not since the one after it
        const double here = point<D>(marks, i)[0], high = 0.5 * std::abs(last - here);
        sum += integral(low, high, c, s);
        c = at[0] - here;
        s = -s;
        last = here;
        low = std::max(low, high);
      }
      const double high = k >= 0 ? std::abs(point<D>(marks, 0)[0]) : std::abs(at[0]);
      sum += integral(low, high, c, s);
      sum += at[0] * at[0] * std::exp(-std::max(low, high) / m);  // pairs that never slipped
      return 0.5 * per * sum;
    }
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    const double relax = form == Form::modified ? std::pow(most(), shape) : std::pow(4 * most() / 0.01, std::max(shape, 1.0));
    return p.load * (curve.mu_static + norm(p.slip) * (sigma1 * (1 + relax) + sigma2));
  }
  double reach() const { return 30 * most(); }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < curve.stribeck_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    const double speed = norm(p.slip);
    return {sigma0 * speed / curve.dry(speed), curve.stribeck_velocity};
  }

 private:
  /// Takes the two neighbouring reversals that are nearest to each other out of a full stack.
  template <int D>
  static int forget_smallest(double* marks, int count) {
    int smallest = 0;
    double size = kInfinity;
    for (int i = 0; i + 1 < count; ++i) {
      const double loop = norm(point<D>(marks, i + 1) - point<D>(marks, i));
      if (loop < size) size = loop, smallest = i;
    }
    for (int j = 1 + 2 * smallest * D; j < 1 + 2 * (count - 2) * D; ++j) marks[j] = marks[j + 4 * D];
    return count - 2;
  }
};

}  // namespace bristle
