#include "bristle/integrate/integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {

void Integrator::interpolate(const StepContext& c, const State& x0, const State& x1, const double* rate1, double s,
                             State& x) const {
  // the increment from x0 as a cubic with the right rates at both ends
  const int n = c.system.layout().order_one();
  const double h = x1.t - x0.t;
  double* step = c.work.step.data();
  c.system.motion().difference(x0, x1, step);
  const double b = s * s * (3 - 2 * s), r0 = h * s * (1 - s) * (1 - s), r1 = -h * s * s * (1 - s);
  for (int i = 0; i < n; ++i) step[i] = b * step[i] + r0 * c.rate0[i] + r1 * rate1[i];
  x = x0;
  c.system.motion().move(x0, 1, step, x);
  c.system.set_time(x, x0.t + s * h);
}

double scaled_norm(const System& system, const Tolerances& tol, const State& a, const State& b, const double* e, int* worst,
                   double h) {
  constexpr double kRounding = 10 * std::numeric_limits<double>::epsilon();  // of a position, and of an attitude: of order one
  const Layout& layout = system.layout();
  const int n = layout.free(), nz = layout.sizes.z;
  const double floor = tol.floor();
  double sum = 0, largest = -1;
  const auto add = [&](int i, double x, double y, double rounding = 0) {
    const double r = e[i] / (std::max(floor, rounding) + tol.relative * std::max(std::abs(x), std::abs(y)));
    sum += r * r;
    if (r * r > largest || (std::isnan(r) && std::isfinite(largest))) {
      largest = std::isnan(r) ? std::numeric_limits<double>::infinity() : r * r;  // an undefined number is the worst
      if (worst) *worst = i;
    }
  };
  for (int i = 0; i < n; ++i) {
    const int k = layout.v_index(i);
    if (i < layout.scalars) add(i, a.q()[k], b.q()[k]);
    else add(i, 1, 1);
  }
  for (int i = 0; i < n; ++i) {
    const int k = layout.v_index(i);
    const double place = i < layout.scalars ? std::abs(a.q()[k]) : 1;
    add(n + i, a.v()[k], b.v()[k], h > 0 ? kRounding * place / h : 0);
  }
  for (int i = 0; i < nz; ++i) add(2 * n + i, a.z()[i], b.z()[i]);
  const int count = std::max(1, 2 * n + nz);
  const double result = std::sqrt(sum / count);
  return std::isfinite(result) ? result : 1e300;
}

}  // namespace bristle
