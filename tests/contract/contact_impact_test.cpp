// A mass that runs into a fixed wall: what comes back, how deep and how long.
#include <gtest/gtest.h>

#include <sstream>

#include "contact_cases.h"

namespace bristle::contract {
namespace {

struct Impact {
  double restitution, depth, duration;
};

/// Classical Runge-Kutta with some 2e4 steps; the touch-down is at time zero, and the separation lies between two steps, in which the
/// force is negligible, so that the time follows from the speed.
Impact impact(const ContactLaw& law, double mass, double speed, double expected_duration) {
  std::vector<double> marks(static_cast<std::size_t>(law.marks()));
  law.start(marks.data());
  law.accept(-1, speed, marks.data());
  law.accept(1e-300, speed, marks.data());
  const double h = expected_duration / 2e4;
  double x = 0, v = speed, t = 0, deepest = 0;
  const auto a = [&](double d, double r) { return -law.force(d, r, marks.data()) / mass; };
  while (x >= 0) {
    const double k1 = a(x, v), v2 = v + h / 2 * k1, k2 = a(x + h / 2 * v, v2), v3 = v + h / 2 * k2;
    const double k3 = a(x + h / 2 * v2, v3), v4 = v + h * k3, k4 = a(x + h * v3, v4);
    const double before = v;
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
    if (before > 0 && v <= 0) {  // the turn, with the acceleration at hand
      const double tau = v / a(x, v);
      deepest = x - 0.5 * v * tau;
    }
    if (t > 100 * expected_duration) return {NAN, NAN, NAN};
  }
  return {-v / speed, deepest, t - x / v};
}

struct Row {
  const char* law;
  double delivered[4];  // for 0.9, 0.7, 0.5, 0.3
};
constexpr double kAsked[4] = {0.9, 0.7, 0.5, 0.3};
/// Computed independently of this program, for a single impact on a wall.
constexpr Row kTable[] = {
    {"hunt_crossley", {0.9090, 0.7680, 0.6630, 0.5813}}, {"herbert_mcwhannell", {0.9009, 0.7227, 0.5936, 0.5200}},
    {"lee_wang", {0.9524, 0.8693, 0.7992, 0.7390}},      {"lankarani_nikravesh", {0.9132, 0.7960, 0.7252, 0.6842}},
    {"gonthier", {0.8764, 0.6696, 0.4877, 0.3042}},      {"zhiying_qishao", {0.8959, 0.6796, 0.4826, 0.3267}},
    {"flores", {0.8939, 0.6832, 0.4704, 0.2562}}};

std::unique_ptr<ContactLaw> law_of(const char* name, double restitution, ContactFiller::Set set = ContactFiller::Set::plain) {
  return make_law({contact_registry().find(name), set}, restitution);
}
double duration(double mass, double speed, double K = 1e3 / std::pow(1e-5, 1.5)) {
  return 2.943 * std::pow(1.25 * mass * speed * speed / K, 0.4) / speed;
}

TEST(ContactImpact, delivers_the_restitution_of_the_table) {
  for (const Row& row : kTable) {
    for (int i = 0; i < 4; ++i) {
      const double e = impact(*law_of(row.law, kAsked[i]), 2.0, 0.5, duration(2.0, 0.5)).restitution;
      EXPECT_NEAR(e, row.delivered[i], 0.5e-4) << row.law << " " << kAsked[i];  // half a unit of the last digit
    }
  }
}

/// The page of each law repeats the table; it must be the same.
TEST(ContactImpact, is_on_the_page_of_the_law) {
  for (const Row& row : kTable) {
    const std::string page = contact_page(row.law);
    std::istringstream line(page.substr(page.find("delivered") + 9));
    for (const double expected : row.delivered) {
      double printed = 0;
      line >> printed;
      EXPECT_EQ(printed, expected) << row.law;
    }
  }
}

/// ln((1 + f)/(1 - f e)) = f (1 + e): the equation of motion integrated, free of mass, stiffness, speed and exponent.
TEST(ContactImpact, delivers_the_same_whatever_the_mass_the_speed_and_the_exponent) {
  using Set = ContactFiller::Set;
  for (const Row& row : kTable) {
    const double e = impact(*law_of(row.law, 0.7), 2.0, 0.5, duration(2.0, 0.5)).restitution;
    EXPECT_NEAR(impact(*law_of(row.law, 0.7), 0.03, 0.02, duration(0.03, 0.02)).restitution, e, 1e-8) << row.law;
    const double K = 1e3 / std::pow(1e-5, 1.3), longer = std::pow(1.15 * 2 * 0.25 / K, 1 / 2.3) * 3 / 0.5;
    EXPECT_NEAR(impact(*law_of(row.law, 0.7, Set::other_exponent), 2.0, 0.5, longer).restitution, e, 1e-8) << row.law;
    // the force is K d^n at the turn and K d^n (1 + f) at the rate of touch-down
    const auto law = law_of(row.law, 0.7);
    double marks[1] = {0.5};
    const double f = law->force(1e-5, 0.5, marks) / law->force(1e-5, 0, marks) - 1;
    EXPECT_NEAR(std::log((1 + f) / (1 - f * e)), f * (1 + e), 1e-7) << row.law;
  }
}

TEST(ContactImpact, is_elastic_at_a_restitution_of_one) {
  for (const Row& row : kTable) EXPECT_FALSE(law_of(row.law, 1)->damped()) << row.law;
}

/// What the pages say about validity.
TEST(ContactImpact, serves_the_whole_range_with_gonthier_and_flores_alone) {
  const auto worst = [](const char* name, double from) {
    double error = 0;
    for (double e = from; e < 0.96; e += 0.1) {
      const auto law = law_of(name, e);
      error = std::max(error, std::abs(impact(*law, 2.0, 0.5, 3 * duration(2.0, 0.5)).restitution - e));
    }
    return error;
  };
  EXPECT_LT(worst("gonthier", 0.15), 0.04);
  EXPECT_LT(worst("flores", 0.15), 0.05);
  EXPECT_LT(worst("herbert_mcwhannell", 0.65), 0.05);
  EXPECT_LT(worst("zhiying_qishao", 0.35), 0.03);
  for (const char* name : {"hunt_crossley", "herbert_mcwhannell", "lee_wang", "lankarani_nikravesh"})
    EXPECT_GT(worst(name, 0.15), 0.3);
  // the least that they return, asked for nothing
  EXPECT_NEAR(impact(*law_of("lankarani_nikravesh", 0), 2.0, 0.5, duration(2.0, 0.5)).restitution, 0.66, 0.005);
  EXPECT_NEAR(impact(*law_of("zhiying_qishao", 0), 2.0, 0.5, duration(2.0, 0.5)).restitution, 0.18, 0.005);
  EXPECT_GT(impact(*law_of("herbert_mcwhannell", 0), 2.0, 0.5, duration(2.0, 0.5)).restitution, 0.48);
}

TEST(ContactImpact, has_the_depth_and_duration_of_hertz) {
  const double mass = 2, speed = 0.5, K = 1e3 / std::pow(1e-5, 1.5);
  const Impact i = impact(*law_of("hertz", 1), mass, speed, duration(mass, speed));
  const double depth = std::pow(5 * mass * speed * speed / (4 * K), 0.4);
  EXPECT_NEAR(i.depth, depth, 1e-7 * depth);
  EXPECT_NEAR(i.duration, 2.943 * depth / speed, 0.0005 * depth / speed);  // the last digit of 2.943
  EXPECT_NEAR(i.restitution, 1, 1e-8);
}

TEST(ContactImpact, of_a_linear_spring_with_dissipation_returns_what_its_page_says) {
  const auto law = law_of("linear", 1, ContactFiller::Set::damped);  // 0.4 s/m
  const double speed = 0.5, a = 0.4 * speed, k = 1e8, mass = 2;
  const double e = impact(*law, mass, speed, M_PI * std::sqrt(mass / k)).restitution;
  EXPECT_NEAR(std::log((1 + a) / (1 - a * e)), a * (1 + e), 1e-7);
}

}  // namespace
}  // namespace bristle::contract
