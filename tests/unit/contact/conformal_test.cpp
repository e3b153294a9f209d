// Laws for a pin in its bore against the elastic problem itself, solved numerically: a disk in a hole of nearly its own size, of one
// material, without friction. Lengths in clearances and radii, E* = 1.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "bristle/contact/esdu_78035.h"
#include "bristle/contact/johnson.h"
#include "bristle/contact/liu.h"
#include "bristle/contact/persson.h"
#include "bristle/contact/radzimovsky.h"

namespace bristle {
namespace {

constexpr double kPi = std::numbers::pi;

struct Elastic {
  double load, depth;  ///< over E* length clearance; over the clearance, without what pin and housing yield as a whole
};

/// Pressures p on the arc up to the half angle eps with 1 - e cos(t) + integral K(t - s) p(s) ds = 0 there and p = 0 at its ends. K is what a
/// line load does to both surfaces, from the series of Michell without its first harmonic, which moves them as a whole:
/// pi K(t) = 1/2 + sum over n > 1 of 2 n/(n^2 - 1) cos(n t) = -2 cos(t) ln(2 sin(t/2)) - 1/2 - cos(t)/2.
Elastic solve(double eps) {
  constexpr int n = 240;
  const auto edge = [&](int i) { return eps * std::sin(0.5 * kPi * i / n); };  // finer towards the end
  const auto integral = [](double t) {
    if (t == 0) return 0.0;
    return -2 * std::sin(t) * std::log(2 * std::sin(0.5 * std::abs(t))) + 0.5 * t + 0.5 * std::sin(t);
  };
  Eigen::MatrixXd K(n, n);
  Eigen::MatrixXd b(n, 2);
  Eigen::VectorXd width(n), middle(n);
  for (int i = 0; i < n; ++i) middle[i] = 0.5 * (edge(i) + edge(i + 1)), width[i] = edge(i + 1) - edge(i);
  for (int i = 0; i < n; ++i) {
    const double t = middle[i];
    b(i, 0) = -1, b(i, 1) = std::cos(t);
    for (int j = 0; j < n; ++j)
      K(i, j) = (integral(t - edge(j)) - integral(t - edge(j + 1)) + integral(t + edge(j + 1)) - integral(t + edge(j))) / kPi;
  }
  const Eigen::MatrixXd p = K.partialPivLu().solve(b);
  const double e = -p(n - 1, 0) / p(n - 1, 1);
  double load = 0;
  for (int i = 0; i < n; ++i) load += 2 * width[i] * std::cos(middle[i]) * (p(i, 0) + e * p(i, 1));
  return {load, e - 1};
}

constexpr double kBore = 0.01, kClearance = 1e-5, kLength = 0.02, kYoung = 210e9, kPoisson = 0.3;
constexpr double kModulus = kYoung / (2 * (1 - kPoisson * kPoisson));
template <class L>
L bound(double housing = 3) {
  L law;
  law.material.young = kYoung, law.material.poisson = kPoisson;
  if constexpr (requires { law.housing; }) law.housing = housing;
  EXPECT_EQ(law.bind({-kBore, kBore - kClearance, kLength}), nullptr);
  return law;
}

TEST(Persson, is_the_numerical_solution) {
  const Persson law = bound<Persson>();
  for (const double eps : {0.01, 0.1, 0.3, 0.6, 0.9, 1.2, 1.4}) {
    const Elastic truth = solve(eps);
    const double depth = kClearance * (truth.depth + law.support() * truth.load / kPi);
    const double force = kModulus * kLength * kClearance * truth.load;
    EXPECT_NEAR(law.elastic(depth) / force, 1, 3e-4) << eps;  // what 240 pieces leave open
    // the patch that Hertz has, where it is narrow
    if (eps == 0.01) {
      EXPECT_NEAR(truth.load / (kPi / 4 * eps * eps), 1, 3e-4);
    }
  }
}

TEST(Persson, has_the_slope_and_the_potential_of_its_force) {
  const Persson law = bound<Persson>();
  for (const double x : {1e-12, 1e-8, 1e-4, 0.1, 1.0, 30.0, 1e4}) {
    const double depth = x * kClearance, h = 1e-4 * depth;
    const double by_difference = (law.elastic(depth + h) - law.elastic(depth - h)) / (2 * h);
    const Dual<1> F = law.elastic(Dual<1>::variable(depth, 0));
    EXPECT_DOUBLE_EQ(F.value, law.elastic(depth));
    EXPECT_NEAR(F.d[0] / by_difference, 1, 1e-7) << x;
    EXPECT_NEAR((law.potential(depth + h) - law.potential(depth - h)) / (2 * h) / F.value, 1, 1e-7) << x;
  }
}

TEST(Persson, yields_as_its_pin_and_its_housing_do) {
  // first harmonic of the housing: what holds at its bore (pressure, no shear) and at its rim (held), for the five displacements of
  // Michell's solution that have it; R = 1, displacements times twice the shear modulus
  const double nu = kPoisson, c = 3 - 4 * nu;
  for (const double h : {1.2, 2.0, 3.0, 10.0}) {
    const auto radial = [&](double r) {
      return Eigen::RowVectorXd{
          {0.5 * ((c + 1) * std::log(r) - 1), 0.5 * ((c - 1) * std::log(r) - 1), (c - 2) * r * r, 1 / (r * r), 1}};
    };
    Eigen::MatrixXd M(5, 5);
    M.row(0) << c - 1, c + 1, 0, 0, 0;  // single-valued
    M.row(1) = radial(h);
    M.row(2) << 0.5 * (-(c + 1) * std::log(h) - 1), 0.5 * (-(c - 1) * std::log(h) - 1), (c + 2) * h * h, 1 / (h * h), -1;
    M.row(3) << 2, 1, 2, -2, 0;  // radial stress
    M.row(4) << 0, 1, 2, -2, 0;  // shear
    const Eigen::VectorXd x = M.partialPivLu().solve(Eigen::VectorXd{{0, 0, 0, -1, 0}});
    const double shear = kYoung / (2 * (1 + nu)), housing = radial(1).dot(x) / (2 * shear);
    const double pin = (1 - 2 * nu) / (4 * shear);
    EXPECT_NEAR(bound<Persson>(h).support(), kModulus * (pin + housing), 1e-12) << h;
  }
}

TEST(CylinderLaws, have_the_depths_of_the_table_in_the_manual) {
  // depth over that of the elastic problem, housing three times as wide as the bore
  const struct {
    double eps, johnson, radzimovsky, esdu, liu;
  } table[] = {{0.03, 0.97, 1.00, 1.19, 3.63}, {0.1, 0.96, 1.00, 1.26, 2.23}, {0.3, 0.92, 0.99, 1.37, 1.64},
               {0.6, 0.82, 0.91, 1.46, 1.53},  {0.9, 0.66, 0.74, 1.44, 1.56}, {1.4, 0.59, 0.59, 0.72, 1.65}};
  const double support = bound<Persson>().support();
  const auto ratio = [](const auto& law, double force, double depth) {  // by halving
    double low = 0, high = 100 * depth;
    for (int k = 0; k < 100; ++k) (law.elastic(0.5 * (low + high)) < force ? low : high) = 0.5 * (low + high);
    return low / depth;
  };
  for (const auto& row : table) {
    const Elastic truth = solve(row.eps);
    const double depth = kClearance * (truth.depth + support * truth.load / kPi);
    const double force = kModulus * kLength * kClearance * truth.load;
    EXPECT_NEAR(ratio(bound<Johnson>(), force, depth), row.johnson, 0.006) << row.eps;
    EXPECT_NEAR(ratio(bound<Radzimovsky>(), force, depth), row.radzimovsky, 0.006) << row.eps;
    EXPECT_NEAR(ratio(bound<Esdu78035>(), force, depth), row.esdu, 0.006) << row.eps;
    EXPECT_NEAR(ratio(bound<Liu>(), force, depth), row.liu, 0.006) << row.eps;
  }
}

TEST(Johnson, is_a_disk_squeezed_between_two_points_of_its_rim) {
  // Compression from rim to centre of a disk under two opposite loads, each with the pressure of Hertz over the half angle a: the even
  // harmonics of Michell's solution. Johnson: 2 ln(4/a) - 1, in load (1 - nu^2)/(pi E), up to terms of the order of a.
  const double nu = 0.3, c = 3 - 4 * nu;
  for (const double a : {0.03, 0.01}) {
    double sum = (c - 1) / 2;  // harmonic 0, twice the load over the rim
    for (int n = 2; n * a < 200; n += 2) {
      const double x = n * a, share = 2 * std::cyl_bessel_j(1, x) / x;  // of Hertz's pressure in this harmonic
      sum += share * (1.0 / (n - 1) + c / (n + 1));
    }
    // displacement = load/(pi 4 G) 2 sum, and load (1 - nu^2)/(pi E) = load (1 - nu)/(pi 2 G)
    EXPECT_NEAR(sum / (1 - nu), 2 * std::log(4 / a) - 1, 0.5 * a);
  }
}

}  // namespace
}  // namespace bristle
