#include "bristle/friction/wedge.h"

#include <gtest/gtest.h>

#include <random>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

Wedge sample() {
  Wedge law;
  law.curve.mu_kinetic = 0.2, law.angle = std::atan(0.5), law.spring = 4;  // N_P = N (1 + 2 |x|)
  return law;
}
TEST(Wedge, has_friction_and_push_from_the_same_pressing_force) {
  // x = 0.25: N_P = 15 N; friction 3 N along the slip, push 7.5 N along the travel
  EXPECT_NEAR(force(sample(), 1.0, 10, 0.25), 3 + 7.5, 1e-13);
  EXPECT_NEAR(force(sample(), -1.0, 10, 0.25), -3 + 7.5, 1e-13);
  EXPECT_NEAR(force(sample(), -1.0, 10, -0.25), -3 - 7.5, 1e-13);
}
TEST(Wedge, stores_what_its_push_takes) {
  const FrictionLawOf<Wedge, 1> made(sample());
  const FrictionLaw<1>& law = made;
  double work = 0;
  const int n = 1000;
  for (int i = 0; i < n; ++i) work += 0.3 / n * force(sample(), 0.0, 10, 0.3 * (i + 0.5) / n);  // at zero slip: the push alone
  Patch<1> p;
  p.load = 10, p.travel[0] = 0.3;
  EXPECT_NEAR(law.stored(p, nullptr, nullptr), work, 1e-12);  // the midpoint rule is exact for a straight line
  EXPECT_NEAR(work, 10 * (0.5 * 0.3 + 0.5 * 4 * 0.25 * 0.09), 1e-12);
}
TEST(Wedge, has_a_round_bottom_on_request) {
  Wedge round = sample();
  round.rounding = 0.1;
  // x = 0.05: height 0.05^2/0.2, N_P = 10 (1 + 2*0.0125) N; push 0.5 N_P times x/r
  EXPECT_NEAR(force(round, 0.0, 10, 0.05), 0.5 * 10.25 * 0.5, 1e-13);
  EXPECT_NEAR(force(round, 0.0, 10, -0.05), -0.5 * 10.25 * 0.5, 1e-13);
  EXPECT_NEAR(force(round, 0.0, 10, 0.0), 0, kRoundOff);
  // beyond: the slope itself, lower by half the rounding
  EXPECT_NEAR(force(round, 0.0, 10, 0.25), 0.5 * 10 * (1 + 2 * 0.2), 1e-13);
  const FrictionLawOf<Wedge, 1> made(round);
  const FrictionLaw<1>& law = made;
  double work = 0;
  const int n = 30000;
  for (int i = 0; i < n; ++i) work += 0.3 / n * force(round, 0.0, 10, 0.3 * (i + 0.5) / n);
  Patch<1> p;
  p.load = 10, p.travel[0] = 0.3;
  EXPECT_NEAR(law.stored(p, nullptr, nullptr), work, 1e-8);  // the midpoint rule, 1e-5 m apart
}
TEST(Wedge, offers_its_push_at_rest_as_offset) {
  const FrictionLawOf<Wedge, 1> made(sample());
  const FrictionLaw<1>& law = made;
  Patch<1> p;
  p.load = 10, p.travel[0] = -0.25;
  EXPECT_NEAR(law.set_valued()->offset(p)[0], -7.5, 1e-13);
  EXPECT_NEAR(law.set_valued()->limit(p, nullptr), 3, 1e-13);
}
/// Over any step, within the rounding, out of it or across the middle, in one and two dimensions.
template <int D>
void expect_work_over_steps(double rounding) {
  Wedge wedge = sample();
  wedge.rounding = rounding;
  const FrictionLawOf<Wedge, D> made(wedge);
  const FrictionLaw<D>& law = made;
  constexpr int kColumns = 2 * D + 1;
  std::mt19937 random(23);
  std::uniform_real_distribution<double> u(-1, 1), size(-3, 0);
  for (int k = 0; k < 2000; ++k) {
    Patch<D> from, to, middle;
    Vec<D> way;
    for (int d = 0; d < D; ++d)
      from.travel[d] = std::pow(10, size(random)) * u(random), way[d] = std::pow(10, size(random)) * u(random);
    for (int d = 0; d < D; ++d) to.travel[d] = from.travel[d] + way[d], middle.travel[d] = from.travel[d] + 0.5 * way[d];
    from.load = to.load = middle.load = 10;
    double slope[D * kColumns];
    const Vec<D> F = law.set_valued()->offset_over(middle, way, slope);
    EXPECT_NEAR(dot(F, way), law.stored(to, nullptr, nullptr) - law.stored(from, nullptr, nullptr), 1e-13);
    for (int c = 0; c < kColumns; ++c) {  // central differences, away from where the profile changes
      const double h = c == D ? 1e-4 : 1e-9;
      Vec<D> sides[2];
      for (int s : {0, 1}) {
        Patch<D> q = middle;
        Vec<D> w = way;
        (c < D ? w[c] : c == D ? q.load : q.travel[c - D - 1]) += s == 0 ? -h : h;
        sides[s] = law.set_valued()->offset_over(q, w, nullptr);
      }
      for (int d = 0; d < D; ++d) {
        const double found = (sides[1][d] - sides[0][d]) / (2 * h);
        EXPECT_NEAR(slope[d * kColumns + c], found, 1e-4 * (1 + std::abs(found))) << "column " << c;
      }
    }
  }
}
TEST(Wedge, pushes_over_a_step_with_the_work_that_it_stores) {
  for (const double rounding : {0.0, 0.1}) {
    expect_work_over_steps<1>(rounding);
    expect_work_over_steps<2>(rounding);
  }
}
TEST(Wedge, cannot_be_followed_over_steps_where_swings_never_end) {
  Wedge wedge = sample();  // slope 0.5, mu 0.2
  EXPECT_NE(wedge.step_problem().find("`rounding`"), std::string::npos);
  wedge.rounding = 1e-6;
  EXPECT_EQ(wedge.step_problem(), "");
  wedge.rounding = 0, wedge.curve.mu_kinetic = 0.6;
  EXPECT_EQ(wedge.step_problem(), "");
}

}  // namespace
}  // namespace bristle::unit_test
