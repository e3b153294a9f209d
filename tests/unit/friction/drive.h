#pragma once
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "bristle/friction/bliman_sorine.h"
#include "bristle/friction/busarov_ostrovskii.h"
#include "bristle/friction/dahl.h"
#include "bristle/friction/elasto_plastic.h"
#include "bristle/friction/generalised_maxwell_slip.h"
#include "bristle/friction/gonthier.h"
#include "bristle/friction/haessig_friedland.h"
#include "bristle/friction/iwan.h"
#include "bristle/friction/leuven.h"
#include "bristle/friction/liang.h"
#include "bristle/friction/lugre.h"
#include "bristle/friction/modified_lugre.h"
#include "bristle/friction/parallel_series_iwan.h"
#include "bristle/friction/reset_integrator.h"
#include "bristle/friction/seven_parameter.h"
#include "bristle/friction/valanis.h"
#include "bristle/interface/friction_law_of.h"

// A law on its own: driven by a given slip, or rubbing on one mass. Fourth-order Runge-Kutta with fixed step, marks only at the
// end of a step.

namespace bristle::test {

inline constexpr double kLoad = 9.81;                        // [N] 1 kg under gravity
inline constexpr double kCoulomb = 0.981, kStatic = 1.4715;  // [N] mu 0.1 and 0.15
inline constexpr double kSigma0 = 1e5, kSigma2 = 0.1;        // [N/m], [N s/m]
inline const double kSigma1 = std::sqrt(1e5);                // [N s/m]

/// Parameters of Table 3.2 of "Frictional Contacts in Multibody Dynamics" for any law that has such fields.
template <class L>
L table() {
  L law;
  if constexpr (requires { law.bristles; }) {
    law.bristles = table<LuGre>();
  } else {
    if constexpr (requires { law.curve; }) {
      law.curve.mu_kinetic = 0.1;
      law.curve.mu_static = 0.15;
      law.curve.stribeck_velocity = 1e-3;
    }
    if constexpr (requires { law.sigma0; }) law.sigma0 = kSigma0 / kLoad;
    if constexpr (requires { law.sigma1; }) law.sigma1 = kSigma1 / kLoad;
    if constexpr (requires { law.sigma2; }) law.sigma2 = kSigma2 / kLoad;
  }
  return law;
}
template <int D, class L>
FrictionLawOf<L, D> made(L law) {
  return FrictionLawOf<L, D>(std::move(law));
}

/// One law under a given load and slip.
template <int D>
class Rubbing {
 public:
  explicit Rubbing(const FrictionLaw<D>& law, double load = kLoad, int stream = 1)
      : law_(law), z(static_cast<std::size_t>(law.memory().z)), marks(static_cast<std::size_t>(law.memory().marks)) {
    patch.load = load;
    law.start(z.data(), marks.data(), stream);
    law.accept(patch, 0, z.data(), marks.data());
  }
  /// One step with the slip velocity given as a function of time.
  template <class Slip>
  void step(Slip&& slip, double h) {
    const std::size_t n = z.size();
    std::vector<double> sum(n, 0), at(n), rate(n);
    patch.slip = slip(t);  // it may jump between two steps
    const double before = power();
    const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    std::vector<double> last(n, 0);
    Vec<D> walked, force, travel = patch.travel;
    for (int s = 0; s < 4; ++s) {
      Patch<D> p = patch;
      p.slip = slip(t + share[s] * h);
      for (std::size_t i = 0; i < n; ++i) at[i] = z[i] + share[s] * h * last[i];
      law_.eval(p, at.data(), marks.data(), force, rate.data());
      for (std::size_t i = 0; i < n; ++i) sum[i] += weight[s] * rate[i];
      for (int d = 0; d < D; ++d) walked[d] += weight[s] * p.slip[d];
      last = rate;
    }
    for (std::size_t i = 0; i < n; ++i) z[i] += h / 6 * sum[i];
    for (int d = 0; d < D; ++d) patch.travel[d] = travel[d] + h / 6 * walked[d];
    t += h;
    patch.slip = slip(t);
    work += h / 2 * (before + power());  // before accept: a bond breaks after the step
    law_.accept(patch, t, z.data(), marks.data());
  }
  Vec<D> force() const {
    Vec<D> f;
    std::vector<double> rate(z.size());
    law_.eval(patch, z.data(), marks.data(), f, rate.data());
    return f;
  }
  double power() const { return dot(force(), patch.slip); }
  double stored() const { return law_.stored(patch, z.data(), marks.data()); }

 private:
  const FrictionLaw<D>& law_;

 public:
  Patch<D> patch;
  std::vector<double> z, marks;
  double t = 0, work = 0;  // work: by the trapezoidal rule
};

/// Moves in one dimension to each of some positions at constant speed.
inline void walk(Rubbing<1>& r, const std::vector<double>& targets, double speed, double h) {
  for (const double target : targets) {
    const double way = target - r.patch.travel[0];
    const int n = std::max(1, static_cast<int>(std::ceil(std::abs(way) / (speed * h) - 1e-6)));
    const double v = way / (n * h);
    for (int i = 0; i < n; ++i) r.step([&](double) { return Vec<1>{{v}}; }, h);
  }
}

/// Mass m on a surface of speed `belt`: m x'' = pull(t, x, x') + F, slip = belt - x'.
class Block {
 public:
  Block(const FrictionLaw<1>& law, double m, double belt, double load = kLoad)
      : law_(law),
        m_(m),
        belt_(belt),
        z(static_cast<std::size_t>(law.memory().z)),
        marks(static_cast<std::size_t>(law.memory().marks)) {
    patch.load = load;
    law.start(z.data(), marks.data(), 1);
  }
  void begin() {
    patch.slip[0] = belt_ - v;
    law_.accept(patch, t, z.data(), marks.data());
  }
  template <class Pull>
  void step(Pull&& pull, double h) {
    const std::size_t n = z.size();
    const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    sum_.assign(n, 0);
    at_.resize(n);
    rate_.assign(n, 0);
    double xs = 0, vs = 0, xdot = 0, vdot = 0;
    Vec<1> f;
    for (int s = 0; s < 4; ++s) {
      const double a = share[s] * h, xi = x + a * xdot, vi = v + a * vdot;
      for (std::size_t i = 0; i < n; ++i) at_[i] = z[i] + a * rate_[i];
      Patch<1> p = patch;
      p.slip[0] = belt_ - vi;
      law_.eval(p, at_.data(), marks.data(), f, rate_.data());
      xdot = vi;
      vdot = (pull(t + a, xi, vi) + f[0]) / m_;
      xs += weight[s] * xdot;
      vs += weight[s] * vdot;
      for (std::size_t i = 0; i < n; ++i) sum_[i] += weight[s] * rate_[i];
    }
    x += h / 6 * xs;
    v += h / 6 * vs;
    for (std::size_t i = 0; i < n; ++i) z[i] += h / 6 * sum_[i];
    t += h;
    begin();
  }
  double slip() const { return belt_ - v; }
  double force() {
    Vec<1> f;
    rate_.resize(z.size());
    law_.eval(patch, z.data(), marks.data(), f, rate_.data());
    return f[0];
  }

 private:
  const FrictionLaw<1>& law_;
  double m_, belt_;
  std::vector<double> sum_, at_, rate_;

 public:
  Patch<1> patch;
  std::vector<double> z, marks;
  double x = 0, v = 0, t = 0;
};

}  // namespace bristle::test
