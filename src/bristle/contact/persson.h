#pragma once
#include <cmath>

#include "bristle/contact/material.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/** A pin in its bore, from a narrow patch to one that goes half around the pin: the elastic solution after Persson.

Equations: a disk in a hole of a plate, both of one material and without friction. The load at the half angle eps of the patch is
Persson's, E_1* D/Q = (2 - ln(b^2 + 1) - 2 b^4)/(pi b^2 (b^2 + 1)), b = tan(eps/2), with E_1* = 2 E* and Q = F/L. With u = b^2 and
N = 2 - ln(1 + u) - 2 u^2,

    F = 2 pi L E* D u (1 + u)/N (1 + mu_c d'),      never less than 0
    d = D [2 u (1 + u) (ln((1 + u)/u) + k) - 2 u + 2 u^2 + u/(1 + u) + ln(1 + u)]/N
    D = R_bore - R_pin,   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b

The depth follows from the load and the sum of the pressures by the symmetry of elastic energy, and is exact as they are; u is found
from it by Newton's method. k is what pin and housing yield beside the patch: the pin is loaded by its own inertia, the housing is held at
its rim, `housing` times as wide as the bore (c = 3 - 4 nu, h for the housing, p for the pin):

    k = E* [(1 + nu_p)(1 - 2 nu_p)/(2 E_p) + (1 + nu_h)/E_h H]
    H = 1/4 + c ln(h)/(c + 1) - (2 h^2 + c - 1)^2/(4 (c + 1)(c h^4 + 1))

Light loads give d = F/(pi E* L) (ln(pi E* L D/F) + k), the form of the logarithmic laws; heavy ones a straight line, at which the patch
ends 85 degrees to both sides. The potential is exact: V = F D/2 [d/D + (u - ln(1 + u) - u^2)/(u (1 + u))], F without its damping.

Parameters: `young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs; `housing`, outer radius of the
housing over that of the bore, 3 by default; `dissipation` mu_c [s/m], 0 by default. Radii and length come from the geometry.

Memory: none.

Cannot: see the ends of the pin, nor how else the housing is held; tilted axes have no line of contact. Two materials enter as the one
that has their E*: exact for equal ones.

Reference: A. Persson, On the stress distribution of cylindrical elastic bodies in contact, dissertation, Chalmers (1964); M.
Ciavarella, P. Decuzzi, The state of stress induced by the plane frictionless cylindrical contact, part I, Int. J. Solids and Structures
38 (2001). A test holds load and depth against a numerical solution of the elastic problem.
*/
struct Persson {
  Material material;
  double housing = 3;      // [1]
  double dissipation = 0;  // [s/m]

  void visit(Visitor& v) {
    material.visit(v);
    v("housing", housing, unit::one, Range{1, kInfinity, false, true}, "outer radius of the housing over that of the bore");
    v("dissipation", dissipation, unit::second_per_metre, non_negative, "the force grows by this times the rate; 0: elastic");
  }
  const char* bind(const ContactPair& pair) {
    if (!(pair.length > 0)) return "the length of the contact is missing: this law is for a pin in a bore";
    if (!((pair.radius_a > 0 && pair.radius_b < 0) || (pair.radius_a < 0 && pair.radius_b > 0)))
      return "one surface must be a pin and the other a bore; `johnson` also takes cylinders side by side";
    clearance_ = -(pair.radius_a + pair.radius_b);
    if (!(clearance_ > 0)) return "the bore must be wider than the pin: this law needs a clearance";
    stiffness_ = pair.length * material.modulus();
    support_ = calc_support(pair.radius_a < 0);
    return nullptr;
  }
  bool damped() const { return dissipation > 0; }

  double potential(double depth) const {
    const double x = depth / clearance_, s = spread(x);
    // s - ln(1 + s), which loses digits while s is small
    double rest = s - std::log1p(s);
    if (s < 0.02) {
      rest = 0;
      double term = s * s;
      for (int k = 2; std::abs(term) > 1e-18 * s * s; ++k, term *= -s) rest += term / k;
    }
    return 0.5 * stiffness_ * clearance_ * clearance_ * load(x, s) * (x + (rest - s * s) / (s * (1 + s)));
  }
  double elastic(double depth) const {
    const double x = depth / clearance_;
    return stiffness_ * clearance_ * load(x, spread(x));
  }
  /// With its derivatives.
  template <class T>
  T elastic(const T& depth) const {
    const double x = depth.value / clearance_, s = spread(x);
    const Curve c(s, support_);
    const double slope = 2 * M_PI * ((1 + 2 * s) * c.N - s * (1 + s) * c.N_slope) / (c.G_slope * c.N - c.G * c.N_slope);
    T F(stiffness_ * clearance_ * load(x, s));
    for (std::size_t k = 0; k < std::size(F.d); ++k) F.d[k] = stiffness_ * slope * depth.d[k];
    return F;
  }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    return dissipation * rate * elastic(depth);
  }
  double support() const { return support_; }  ///< k

 private:
  static constexpr double kWidest = 0.8346152454776573;  // u where N vanishes

  /// depth/clearance = G/N, with slopes by u.
  struct Curve {
    Curve(double u, double k) {
      const double way = std::log1p(1 / u) + k;
      G = 2 * u * (1 + u) * way - 2 * u + 2 * u * u + u / (1 + u) + std::log1p(u);
      N = 2 - std::log1p(u) - 2 * u * u;
      G_slope = 2 * (1 + 2 * u) * way - 4 + 4 * u + 1 / ((1 + u) * (1 + u)) + 1 / (1 + u);
      N_slope = -1 / (1 + u) - 4 * u;
    }
    double G, N, G_slope, N_slope;
  };

  double calc_support(bool bore_first) const {
    const double E_a = material.young, E_b = material.young_b > 0 ? material.young_b : E_a;
    const double nu_a = material.poisson, nu_b = material.young_b > 0 ? material.poisson_b : nu_a;
    const double E_h = bore_first ? E_a : E_b, nu_h = bore_first ? nu_a : nu_b;
    const double E_p = bore_first ? E_b : E_a, nu_p = bore_first ? nu_b : nu_a;
    const double c = 3 - 4 * nu_h, h = housing * housing;
    const double H = 0.25 + 0.5 * c * std::log(h) / (c + 1) - std::pow(2 * h + c - 1, 2) / (4 * (c + 1) * (c * h * h + 1));
    return material.modulus() * (0.5 * (1 + nu_p) * (1 - 2 * nu_p) / E_p + (1 + nu_h) / E_h * H);
  }

  /// u at a depth of x clearances: Newton on the logarithms of both sides, which are nearly a straight line at light loads.
  double spread(double x) const {
    double low = -745, high = std::log(kWidest);
    double y = std::log(kWidest * x / (x + 1 + std::log1p(1 / x)));
    for (int k = 0; k < 80; ++k) {
      const double u = std::exp(y);
      const Curve c(u, support_);
      if (!(c.N > 0)) {
        high = y;
        y = 0.5 * (low + high);
        continue;
      }
      const double off = std::log(c.G / (c.N * x));
      if (off > 0) high = y;
      else low = y;
      const double next = y - off / (u * (c.G_slope / c.G - c.N_slope / c.N));
      if (std::abs(next - y) <= 1e-8) return std::exp(next);  // what the next one would be is below round-off
      y = next > low && next < high ? next : 0.5 * (low + high);
    }
    return std::exp(y);
  }
  /// Load over E* length clearance. Nothing cancels, neither where u is small nor where N is.
  double load(double x, double u) const {
    const double v = 1 + u;
    return M_PI * (1 + x) / (1 / u + std::log1p(1 / u) - 2 / v + 0.5 / (v * v) + support_);
  }

  double clearance_ = 1;  // [m]
  double stiffness_ = 0;  // [Pa m] E* times the length
  double support_ = 0;    // [1]
};

}  // namespace bristle
