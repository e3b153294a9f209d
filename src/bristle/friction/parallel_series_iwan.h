#pragma once
#include <array>

#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Many spring-slider pairs side by side that let go one after the other: a joint that slips in part long before it slips as
a whole (Maxwell slip, Masing hysteresis).

Equations ("Efficient Simulation of a Dynamic System with LuGre Friction", several Iwan elements; distributions of Iwan and of
Segalman), per unit of load N: n elements of equal stiffness; element i slips at the stretch c_i mu_kinetic / stiffness with
mean(c_i) = 1; z_i = stretch / largest slip stretch:

    z_i' = v / (c_max mu_kinetic / stiffness),   at |z_i| = c_i / c_max without the outward part of v along z_i
    F    = mu_kinetic N c_max / n  sum_i clip(z_i, c_i / c_max)

    uniform     c between 1 - spread and 1 + spread
    power_law   density proportional to c^exponent from 0 on: the loss of a small cycle grows as amplitude^(3 + exponent)

c_i are the quantiles at (i - 1/2)/n. First loading of the uniform law with spread 1 and many elements: F = k (x - x^2 / (4
x_s)), x_s = mu_kinetic N / k, up to x = 2 x_s. Radial return of each element in more than one dimension is our form.

Parameters: `mu_kinetic` [1]; `stiffness` [1/m] of all elements together over load, > 0 (or N/m, divided by `reference_load`);
`elements` 1 to 40, default 10; `distribution: uniform` or `power_law`; `spread` [1], 0 to 1, default 1; `exponent` [1], above
-1, default -0.5 (measured lap joints: -0.2 to -0.8).

Memory: one vector z_i per element, dimensionless, 0 at the start. Marks: one flag per element, 1 while it slides.

Cannot: hold more at rest than in sliding, fall with speed (use `generalised_maxwell_slip`, whose elements also relax). It does
not creep and its minor loops close; the curve has corners, the fewer elements the larger. Passive at constant load: what it
stores is proportional to the load and changes with it without work. With spread 0 it is `iwan`. Explicit methods in two and three
dimensions need short steps, as `iwan` says.

Reference: W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic response, Journal of Applied
Mechanics 33, 1966; D. J. Segalman, A four-parameter Iwan model for lap-type joints, Journal of Applied Mechanics 72, 2005.
*/
struct ParallelSeriesIwan {
  enum class Distribution { uniform, power_law };
  static constexpr int kMost = 40;
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double stiffness = 1e5 / 9.81;  // [1/m]
  int elements = 10;
  Distribution distribution = Distribution::uniform;
  double spread = 1;
  double exponent = -0.5;

  // derived by prepare
  std::array<double, kMost> limit{};  // c_i / c_max
  double largest = 1;                 // c_max

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v.per_load("stiffness", stiffness, unit::per_metre, positive, "stiffness of all elements together over load");
    v.integer("elements", elements, 1, kMost, "number of spring-slider pairs");
    v.choice_of("distribution", distribution, {"uniform", "power_law"}, "how the slip stretches are spread");
    v("spread", spread, unit::one, fraction, "uniform: half width of the slip stretches over their mean");
    v("exponent", exponent, unit::one, Range{-1, kInfinity, true, true}, "power_law: exponent of the density of slip stretches");
    v.reference_load();
  }
  void prepare() {
    double sum = 0;
    largest = 0;
    for (int i = 0; i < elements; ++i) {
      const double u = (i + 0.5) / elements;
      const double c = distribution == Distribution::uniform ? 1 + spread * (2 * u - 1) : std::pow(u, 1 / (exponent + 1));
      limit[static_cast<std::size_t>(i)] = c;
      sum += c;
      largest = std::max(largest, c);
    }
    for (int i = 0; i < elements; ++i) limit[static_cast<std::size_t>(i)] /= largest;
    largest *= elements / sum;  // mean of c is 1
  }
  int vectors() const { return elements; }
  int marks(int) const { return elements; }
  double scale() const { return largest * curve.mu_kinetic / stiffness; }  ///< [m] stretch of z = 1

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    Vec<D, T> sum;
    for (int i = 0; i < elements; ++i) {
      const double most = limit[static_cast<std::size_t>(i)];
      const Vec<D, T> raw = part<D, T>(z, i), rate = slider_rate<D, T>(p.slip, raw, most, marks[i]);
      sum = sum + clipped<D, T>(raw, T(most));
      for (int d = 0; d < D; ++d) zdot[i * D + d] = rate[d] / scale();
    }
    for (int d = 0; d < D; ++d) F[d] = p.load * (curve.mu_kinetic * largest / elements) * sum[d];
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double*) const {
    for (int i = 0; i < elements; ++i) clip_in_place<D>(z + i * D, limit[static_cast<std::size_t>(i)]);
  }
  template <int D>
  void accept(const Patch<D>& p, double, double* z, double* marks) const {
    for (int i = 0; i < elements; ++i) slider_accept<D>(z + i * D, limit[static_cast<std::size_t>(i)], p.slip, marks[i]);
  }
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double* z0, const double* z1,
                  const double* marks) const {
    Overrun out;
    double fastest = 0;
    for (int i = 0; i < elements; ++i) {
      const double most = limit[static_cast<std::size_t>(i)];
      out.error += slider_overrun<D>(before, p.slip, h, 1 / scale(), z0 + i * D, z1 + i * D, most, marks[i]) / elements;
      if (D > 1 && marks[i] > 0) fastest = std::max(fastest, norm(p.slip) / (scale() * most));
    }
    out.longest = stable_step(fastest);
    return out;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    double sum = 0;
    for (int i = 0; i < elements; ++i) {
      const Vec<D> a = clipped<D, double>(part<D, double>(z, i), limit[static_cast<std::size_t>(i)]);
      sum += dot(a, a);
    }
    return 0.5 * p.load * stiffness / elements * scale() * scale() * sum;
  }
  double largest_stretch() const { return 1; }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load * (1 + 1e-12);  // a sum of elements: round-off
  }
  double reach() const { return 1 + 1e-12; }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double* marks) const {
    for (int i = 0; i < elements; ++i) {
      if (!(marks[i] > 0) && norm(part<D, double>(z, i)) < limit[static_cast<std::size_t>(i)] * (1 - 1e-9)) return Mode::stick;
    }
    return Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {norm(p.slip) / (scale() * limit[0]), 0};  // the element that slides first
  }
};

}  // namespace bristle
