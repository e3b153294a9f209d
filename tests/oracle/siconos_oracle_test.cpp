// Contacts with Coulomb friction against Siconos: a slider, a stack of blocks, chains of bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bristle/math/cone_problem.h"
#include "support/tools.h"
#ifdef BRISTLE_HAVE_SICONOS
#include "oracle/siconos_oracle.h"
constexpr bool kHave = true;
#else
constexpr bool kHave = false;
#endif

namespace bristle {
namespace {

#ifdef BRISTLE_HAVE_SICONOS
using Matrix = std::vector<std::vector<double>>;  // rows by body velocity

/// Both solve u = D M^-1 D' p + D v; the velocities after it are compared, since impulses of redundant contacts are not unique.
void compare(const Matrix& D, const std::vector<double>& mass, const std::vector<double>& v, double mu, const char* what) {
  const std::size_t n = D.size();
  ConeProblem problem;
  problem.resize(static_cast<int>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < v.size(); ++k) problem.b[i] += D[i][k] * v[k];
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < v.size(); ++k) problem.W[i * n + j] += D[i][k] * D[j][k] / mass[k];
    }
    if (i % 3 == 0) problem.blocks.push_back({static_cast<int>(i), 2, mu, 0, false});
  }
  std::vector<double> p(n, 0);
  const ConeAnswer ours = problem.solve(p.data());
  const test::SiconosAnswer theirs = test::siconos_contacts(problem.W, problem.b, std::vector<double>(n / 3, mu), 1e-12);
  ASSERT_TRUE(theirs.solved) << what;
  EXPECT_LT(ours.residual, 1e-12) << what;
  EXPECT_LT(problem.residual(theirs.impulse.data()), 1e-9) << what;  // its answer obeys our laws
  for (std::size_t i = 0; i < n; ++i) {
    double u = problem.b[i];
    for (std::size_t j = 0; j < n; ++j) u += problem.W[i * n + j] * p[j];
    EXPECT_NEAR(u, theirs.velocity[i], 1e-8) << what << ", row " << i;
  }
}

/// Rows of a point between body a (-1: ground) and body b, arms from their centres: normal z, tangents x and y.
void add_point(Matrix& D, int bodies, int a, const double* arm_a, int b, const double* arm_b) {
  for (int axis : {2, 0, 1}) {
    std::vector<double> row(static_cast<std::size_t>(6 * bodies), 0);
    const auto put = [&](int body, const double* r, double sign) {
      if (body < 0) return;
      double e[3] = {0, 0, 0};
      e[axis] = sign;
      const auto at = static_cast<std::size_t>(6 * body);
      row[at + static_cast<std::size_t>(axis)] = sign;
      row[at + 3] = r[1] * e[2] - r[2] * e[1];
      row[at + 4] = r[2] * e[0] - r[0] * e[2];
      row[at + 5] = r[0] * e[1] - r[1] * e[0];
    };
    put(a, arm_a, -1);
    put(b, arm_b, 1);
    D.push_back(row);
  }
}

void stack(int blocks, double push, double mu, const char* what) {
  Matrix D;
  std::vector<double> mass, v;
  for (int i = 0; i < blocks; ++i) {
    for (double x : {1.0, -1.0}) {
      for (double y : {1.0, -1.0}) {
        const double low[3] = {0.1 * x, 0.1 * y, -0.05}, high[3] = {0.1 * x, 0.1 * y, 0.05};
        add_point(D, blocks, i - 1, high, i, low);
      }
    }
    for (double m : {1.0, 1.0, 1.0, 0.004, 0.004, 0.0067}) mass.push_back((1 + i) * m);
    for (double w : {i == blocks - 1 ? push : 0.0, 0.0, -9.81e-3, 0.0, 0.0, 0.0}) v.push_back(w);
  }
  compare(D, mass, v, mu, what);
}
#endif

TEST(SiconosOracle, a_slider_slides_and_sticks_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  for (double push : {0.001, 0.0049, 0.02, 0.5}) stack(1, push, 0.5, "slider");
#endif
}

TEST(SiconosOracle, a_stack_of_blocks_is_held_and_dragged_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  for (int blocks : {2, 3, 5}) {
    for (double push : {0.0, 0.002, 0.01}) stack(blocks, push, 0.4, "stack");
  }
#endif
}

TEST(SiconosOracle, chains_of_bodies_answer_alike) {
  BRISTLE_NEEDS(kHave, "Siconos");
#ifdef BRISTLE_HAVE_SICONOS
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 30; ++trial) {
    const int bodies = 2 + trial % 6;
    Matrix D;
    std::vector<double> mass, v;
    for (int i = 0; i < bodies; ++i) {
      double a[3], b[3];
      for (int k = 0; k < 3; ++k) a[k] = 0.3 * normal(random), b[k] = 0.3 * normal(random);
      add_point(D, bodies, i - 1, a, i, b);
      for (int k = 0; k < 6; ++k)
        mass.push_back(1 + std::abs(normal(random))), v.push_back(normal(random) - (k == 2 ? 1 + i : 0));
    }
    compare(D, mass, v, 0.2, "chain");
  }
#endif
}

}  // namespace
}  // namespace bristle
