#pragma once
#include <algorithm>
#include <cmath>

#include "bristle/interface/patch.h"
#include "bristle/math/dual.h"
#include "bristle/math/vec.h"

namespace bristle {

/// A spring that gives way smoothly until it carries the Coulomb force. R: number type of the parameters.
template <class R>
struct YieldingSpring {
  R mu_kinetic, stiffness;  ///< stiffness over mu_kinetic [1/m]
  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, Vec<D, T>& F, T* zdot) const {
    const T speed = norm(p.slip);
    for (int d = 0; d < D; ++d) {
      zdot[d] = stiffness * (p.slip[d] - speed * z[d]);
      F[d] = mu_kinetic * p.load * z[d];
    }
  }
};

/// Part `i` of a memory made of vectors.
template <int D, class T>
Vec<D, T> part(const T* z, int i = 0) {
  Vec<D, T> a;
  for (int d = 0; d < D; ++d) a[d] = z[i * D + d];
  return a;
}

/// A stretch cut at its limit: the radial return of plasticity, which no rotation of the axes can tell apart.
template <int D, class T>
Vec<D, T> clipped(const Vec<D, T>& stretch, const T& limit) {
  const T length = norm(stretch);
  if (!(length > limit)) return stretch;
  Vec<D, T> cut;
  for (int d = 0; d < D; ++d) cut[d] = limit * (stretch[d] / length);  // in one dimension the limit to the bit
  return cut;
}
template <int D>
void clip_in_place(double* z, double limit) {
  const Vec<D> cut = clipped<D, double>(part<D, double>(z), limit);
  for (int d = 0; d < D; ++d) z[d] = cut[d];
}

/// Rate of the stretch of a slider. One that stood at its limit at the last accepted step (`sliding` > 0) does not stretch outward;
/// when the slip turns back, it follows at once, inside the step. In several dimensions its direction follows the slip, and what
/// integration is off by in its length decays.
template <int D, class T>
Vec<D, T> slider_rate(const Vec<D, T>& rate, const Vec<D, T>& stretch, double limit, double sliding) {
  if (!(sliding > 0)) return rate;
  const T outward = dot(rate, direction(stretch));
  if (!(outward > 0.0)) return rate;
  return rate - (outward / limit) * stretch;
}

/// Is the slider at its limit? One that slides on may fall short by what integration and iteration are off by.
template <int D, class T>
bool at_limit(const Vec<D, T>& slip, const Vec<D, T>& stretch, double limit, double sliding) {
  const double length = value_of(norm(stretch));
  if (!(length < limit * (1 - 1e-12))) return true;
  return sliding > 0 && length >= limit * (1 - 1e-3) && !(dot(slip, stretch) < 0.0);
}

/// Of a slider whose force depends on whether it slides: does it, at this instant of a step? It stood at its limit when the last one was accepted, and its
/// slip has not turned back. What reaches the limit inside a step holds to its end: a force that jumped between two stages would be felt over a whole
/// step, and steps end there.
template <int D, class T>
bool slides_on(const Vec<D, T>& slip, const Vec<D, T>& stretch, double limit, double sliding) {
  return sliding > 0 && !(dot(slip, stretch) < 0.0) && value_of(norm(stretch)) >= limit * (1 - 1e-3);
}

/// After an accepted step, when the stretch has been cut: does the slider slide from here on?
template <int D>
void slider_accept(double* z, double limit, const Vec<D>& slip, double& sliding) {
  const Vec<D> stretch = part<D, double>(z);
  const double length = norm(stretch);
  sliding = dot(slip, stretch) > 0 && at_limit<D, double>(slip, stretch, limit, sliding) ? 1 : 0;
  // in one dimension nothing but round-off and iteration keeps a sliding stretch from its limit, and there it stays
  if (D == 1 && length < (1 - 1e-6) * limit) sliding = 0;
  if (!(sliding > 0) || (D > 1 && length < (1 - 1e-9) * limit)) return;
  for (int d = 0; d < D; ++d) z[d] = limit * (stretch[d] / length);
}

/// What a step may be off by at one slider: stretch at the end that a reversal beyond the limit has left too large, or the work of a
/// force that bends inside the step. `stiffness` [1/m] is stretch per travel.
template <int D>
double slider_overrun(const Vec<D>& before, const Vec<D>& after, double h, double stiffness, const double* z0, const double* z1,
                      double limit, double sliding) {
  const Vec<D> start = part<D, double>(z0), end = part<D, double>(z1), way = end - start;
  const double length = norm(end), beyond = length - limit;
  double error = 0;
  if (beyond > 0) {
    const double inside = std::max(0.0, norm(way) - beyond);
    error = 0.1 * std::min(inside, beyond) * (inside + beyond);  // quadrature of a force with a corner
    if constexpr (D > 1) {  // the cut turns the stretch as it turns on its way, to first order
      const Vec<D> n = direction(end);
      const Vec<D> across = way - dot(way, n) * n;
      if (!(sliding > 0)) error = std::max(error, 0.5 * std::min(1.0, beyond) * norm(across));
    }
  }
  const double turned = dot(before, after);
  if (turned < 0 && !(sliding > 0)) {  // with the slip straight in time: how far out, how far back
    const double a = norm(before), b = -turned / a, far = 0.5 * stiffness * h / (a + b);
    const double peak = norm(start + (far * a) * before) - limit;
    error = std::max(error, std::min(peak, far * b * b));
  }
  return error;
}

/// The same, where the force of the slider jumps as it reaches its limit, and where it leaves it (`both`).
template <int D>
Overrun jumping_overrun(const Vec<D>& before, const Vec<D>& after, double h, double stiffness, const double* z0, const double* z1,
                        double limit, double sliding, bool both) {
  Overrun out{slider_overrun<D>(before, after, h, stiffness, z0, z1, limit, sliding)};
  const double start = norm(part<D, double>(z0)), end = norm(part<D, double>(z1)), turned = dot(before, after);
  constexpr double kSomewhere = 1e-300;  // parts are above zero
  if (!(sliding > 0) && end > limit) {
    out.jump = end - limit;
    out.part = std::max(kSomewhere, end > start ? std::clamp((limit - start) / (end - start), 0.0, 1.0) : 0.0);
  } else if (sliding > 0 && both && turned < 0) {
    const double a = norm(before), b = -turned / a;
    out.jump = 0.5 * stiffness * h * b * b / (a + b);
    out.part = std::max(kSomewhere, a / (a + b));
  }
  out.error = std::max(out.error, out.jump);
  return out;
}

/// [s] The longest step with which an explicit method follows a memory that decays at this rate (classical Runge and Kutta: 2.785).
inline double stable_step(double rate) { return rate > 0 ? 2.7 / rate : 0; }

/// |x|^(n-1) for x >= 0, straight below kSmallBase where n < 1 would give an infinite slope. The straight piece is not physics:
/// it makes derivatives finite; a smaller kSmallBase is nearer to the power and stiffer.
inline constexpr double kSmallBase = 1e-4;
template <class T>
T power_less_one(const T& x, double n) {
  using std::pow;
  if (n == 1) return T(1);
  if (n < 1 && !(x > kSmallBase)) return T(std::pow(kSmallBase, n - 1));
  if (!(x > 0.0)) return T(0);
  return pow(x, n - 1);
}

}  // namespace bristle
