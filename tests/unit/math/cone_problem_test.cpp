// Contacts with friction: one contact against cases solved by hand, many against their own laws.
#include "bristle/math/cone_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle {
namespace {

constexpr double kRound = 1e-13;

TEST(SolveContact, parts_sticks_and_slides_as_by_hand) {
  const double W[9] = {2, 0, 0, 0, 3.5, 0, 0, 0, 3.5};  // a ball of 1/2 kg
  double p[3] = {0, 0, 0};
  const double apart[3] = {0.1, 1, 1};
  solve_contact(W, apart, 2, 0.5, 0, p);
  EXPECT_EQ(p[0], 0);
  EXPECT_EQ(p[1], 0);
  // stick: p = -b / W inside the cone
  const double slow[3] = {-1, 0.3, -0.4};
  solve_contact(W, slow, 2, 0.5, 0, p);
  EXPECT_NEAR(p[0], 0.5, kRound);
  EXPECT_NEAR(p[1], -0.3 / 3.5, kRound);
  EXPECT_NEAR(p[2], 0.4 / 3.5, kRound);
  // slide: against the slip, mu times the normal impulse
  const double fast[3] = {-1, 3, -4};
  solve_contact(W, fast, 2, 0.5, 0, p);
  EXPECT_NEAR(p[0], 0.5, kRound);
  EXPECT_NEAR(p[1], -0.25 * 0.6, kRound);
  EXPECT_NEAR(p[2], 0.25 * 0.8, kRound);
}

TEST(SolveContact, obeys_its_law_whatever_the_body_is) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20000; ++trial) {
    const int slips = 1 + trial % 2, n = 1 + slips;
    double L[9], W[9], b[3], p[3] = {0, 0, 0}, u[3];
    for (double& x : L) x = normal(random);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        W[i * n + j] = i == j ? 0.2 : 0;
        for (int k = 0; k < n; ++k) W[i * n + j] += L[i * n + k] * L[j * n + k];
      }
      b[i] = normal(random);
    }
    const double mu = std::abs(0.3 * normal(random)), floor = trial % 3 == 0 ? std::abs(normal(random)) : 0;
    solve_contact(W, b, slips, mu, floor, p);
    for (int i = 0; i < n; ++i) {
      u[i] = b[i];
      for (int j = 0; j < n; ++j) u[i] += W[i * n + j] * p[j];
    }
    EXPECT_LT(contact_residual(W, u, slips, mu, floor, p), 1e-9) << "trial " << trial << ", mu " << mu << ", floor " << floor;
  }
}

/// A chain of bodies of different mass, each in contact with the next: n contacts with two tangents.
ConeProblem chain(int contacts, double ratio, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const int bodies = contacts + 1, n = 3 * contacts;
  ConeProblem problem;
  problem.resize(n);
  std::vector<double> D(static_cast<std::size_t>(n) * static_cast<std::size_t>(6 * bodies), 0);
  const auto at = [&](int row, int column) -> double& {
    return D[static_cast<std::size_t>(row) * static_cast<std::size_t>(6 * bodies) + static_cast<std::size_t>(column)];
  };
  for (int c = 0; c < contacts; ++c) {
    for (int d = 0; d < 3; ++d) {
      at(3 * c + d, 6 * c + d) = -1;
      at(3 * c + d, 6 * c + 6 + d) = 1;
      for (int k = 0; k < 3; ++k)
        at(3 * c + d, 6 * c + 3 + k) = 0.3 * normal(random), at(3 * c + d, 6 * c + 9 + k) = 0.3 * normal(random);
    }
    problem.blocks.push_back({3 * c, 2, 0.4, 0, false});
  }
  for (int i = 0; i < n; ++i) {
    problem.b[static_cast<std::size_t>(i)] = normal(random) - (i % 3 == 0 ? 0.5 : 0);
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < 6 * bodies; ++k) sum += at(i, k) * at(j, k) / ((k / 6) % 2 == 0 ? 1 : ratio);
      problem.W[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  problem.tolerance = 1e-12;
  return problem;
}

TEST(ConeProblem, newton_solves_chains_to_round_off_and_sweeps_agree) {
  std::mt19937 random(11);
  int solved = 0, together = 0;
  for (int trial = 0; trial < 50; ++trial) {
    ConeProblem problem = chain(1 + trial % 12, 1, random);
    std::vector<double> p(static_cast<std::size_t>(problem.size()), 0), q = p;
    const ConeAnswer a = problem.solve(p.data());
    EXPECT_TRUE(a.converged) << "trial " << trial << ", residual " << a.residual;
    EXPECT_NEAR(a.residual, problem.residual(p.data()), 1e-15);
    solved += a.converged;
    problem.tolerance = 1e-11;
    if (problem.solve_sweeps(q.data(), 20000).converged) {
      double off = 0;
      for (std::size_t i = 0; i < p.size(); ++i) off = std::max(off, std::abs(p[i] - q[i]));
      together += off < 1e-7;
    }
  }
  EXPECT_EQ(solved, 50);
  EXPECT_GE(together, 45);  // with friction a problem may have more than one solution
}

TEST(ConeProblem, takes_masses_a_million_times_apart) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    ConeProblem problem = chain(2 + trial % 6, 1e6, random);
    problem.tolerance = 1e-10;
    std::vector<double> p(static_cast<std::size_t>(problem.size()), 0);
    EXPECT_LT(problem.solve(p.data()).residual, 1e-10) << trial;
  }
}

TEST(ConeProblem, holds_bilateral_rows_beside_contacts) {
  // a block of 1 kg held along x, pressed on the floor along z, pushed along y beyond friction
  ConeProblem problem;
  problem.resize(4);
  for (std::size_t i = 0; i < 4; ++i) problem.W[i * 5] = 1;
  problem.W[1] = problem.W[4] = 0.5;  // the joint also lifts
  problem.b = {0.7, -1, 2, 0};
  problem.blocks = {{0, 0, 0, 0, true}, {1, 2, 0.5, 0, false}};
  std::vector<double> p(4, 0);
  const ConeAnswer a = problem.solve(p.data());
  ASSERT_TRUE(a.converged) << a.residual;
  // p0 + p1/2 = -0.7, p0/2 + p1 = 1
  EXPECT_NEAR(p[1], (1 + 0.35) / 0.75, 1e-12);
  EXPECT_NEAR(p[0], -0.7 - 0.5 * p[1], 1e-12);
  EXPECT_NEAR(p[2], -0.5 * p[1], 1e-12);
}

TEST(ConeProblem, redundant_contacts_share_and_stop_the_body_exactly) {
  // four feet under one block: the impulses are not unique, the velocity is
  ConeProblem problem;
  problem.resize(12);
  const double x[4] = {1, 1, -1, -1}, y[4] = {1, -1, 1, -1};
  double D[12][6] = {};
  for (int f = 0; f < 4; ++f) {
    D[3 * f][2] = 1, D[3 * f][3] = y[f], D[3 * f][4] = -x[f];
    D[3 * f + 1][0] = 1, D[3 * f + 1][4] = -0.5, D[3 * f + 1][5] = -y[f];
    D[3 * f + 2][1] = 1, D[3 * f + 2][3] = 0.5, D[3 * f + 2][5] = x[f];
    problem.blocks.push_back({3 * f, 2, 0.6, 0, false});
  }
  const double v[6] = {0.1, 0.05, -0.3, 0, 0, 0};
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t k = 0; k < 6; ++k) problem.b[i] += D[i][k] * v[k];
    for (std::size_t j = 0; j < 12; ++j) {
      for (std::size_t k = 0; k < 6; ++k) problem.W[i * 12 + j] += D[i][k] * D[j][k];
    }
  }
  std::vector<double> p(12, 0);
  const ConeAnswer a = problem.solve(p.data());
  EXPECT_TRUE(a.converged) << a.residual;
  double up = 0;
  for (std::size_t f = 0; f < 4; ++f) up += p[3 * f];
  EXPECT_NEAR(up, 0.3, 1e-11);
}

}  // namespace
}  // namespace bristle
