// What every registered contact law promises, checked without naming any. A new law enters by its registration alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "bristle/interface/contact_step.h"
#include "contact_cases.h"
#include "parameter_cases.h"

namespace bristle::contract {
namespace {

constexpr double kRates[] = {-2.0, -0.3, -1e-3, 1e-3, 0.3, 2.0};  // [m/s]

class ContactContract : public testing::TestWithParam<ContactCase> {
 protected:
  void SetUp() override {
    law = make_law(GetParam());
    rigid = law->rigid() != nullptr;
    marks.assign(static_cast<std::size_t>(law->marks()), 0);
    law->start(marks.data());
  }
  bool says(const char* words) const { return contact_page(GetParam().entry->name).find(words) != std::string::npos; }
  /// Apart, then touched down at this speed.
  void touch_down(double speed) {
    law->accept(-1e-6, speed, marks.data());
    law->accept(1e-9, speed, marks.data());
  }
  double elastic(double depth) const { return law->force(depth, 0, marks.data()); }

  std::unique_ptr<ContactLaw> law;
  std::vector<double> marks;
  bool rigid = false;
};

TEST_P(ContactContract, is_nothing_while_open) {
  touch_down(0.5);
  for (const double depth : {0.0, -1e-12, -1e-3}) {
    EXPECT_EQ(law->potential(depth, marks.data()), 0);
    EXPECT_EQ(law->stored(depth, marks.data()), 0);
    for (const double rate : kRates) {
      double slope[2] = {1, 1};
      EXPECT_EQ(law->force(depth, rate, marks.data(), slope), 0);
      EXPECT_EQ(slope[0], 0);
      EXPECT_EQ(slope[1], 0);
    }
  }
}

TEST_P(ContactContract, never_pulls) {
  for (const double speed : {0.0, 1e-5, 0.1, 3.0}) {
    law->start(marks.data());
    if (speed > 0) touch_down(speed);
    for (const double depth : kDepths) {
      for (const double rate : kRates) {
        double slope[2];
        const double force = law->force(depth, rate, marks.data());
        EXPECT_GE(force, 0);
        EXPECT_EQ(force, law->force(depth, rate, marks.data(), slope)) << "with and without slopes";
      }
      if (!rigid) {
        EXPECT_GT(elastic(depth), 0);
      }
    }
  }
}

TEST_P(ContactContract, has_a_force_that_grows_with_the_depth) {
  if (rigid) return;  // no depth
  double last = 0;
  for (double depth = 1e-9; depth < 1e-3; depth *= 1.5) {
    const double force = elastic(depth);
    EXPECT_GT(force, last) << depth;
    last = force;
  }
}

/// A law that jumps has to say so, and one that says so has to jump.
TEST_P(ContactContract, is_continuous_at_touch_down_or_says_that_it_jumps) {
  if (rigid) return;  // no depth
  touch_down(1.0);
  const double there = law->force(1e-5, 1.0, marks.data()), near = law->force(1e-17, 1.0, marks.data());
  if (says("jumps at touch-down") && law->damped()) EXPECT_GT(near, 1e-3 * there);
  else EXPECT_LT(near, 1e-9 * there);
}

/// Work of the surfaces on the law over open - contact - open, depth = size (sin^2 - share); marks as in a run.
TEST_P(ContactContract, takes_energy_out_over_a_cycle_or_none_where_it_is_elastic) {
  if (rigid) return;  // no depth
  constexpr int kSteps = 40000;
  for (const double omega : {10.0, 1e3, 1e5}) {
    law->start(marks.data());
    const double size = 2e-5, share = 0.2;
    double work = 0, most = 0, last = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double t = i * std::numbers::pi / omega / kSteps, s = std::sin(omega * t);
      const double depth = size * (s * s - share), rate = size * omega * std::sin(2 * omega * t);
      const double power = law->force(depth, rate, marks.data()) * rate;
      law->accept(depth, rate, marks.data());
      if (i > 0) work += 0.5 * (power + last) * std::numbers::pi / omega / kSteps;
      last = power;
      most = std::max(most, law->stored(depth, marks.data()));
    }
    // the trapezoidal rule is exact for smooth periodic integrands; at touch-down ours bends: two bends of (1/steps)^2 each
    if (law->damped()) EXPECT_GT(work, 1e-7 * most) << omega;
    else EXPECT_NEAR(work, 0, 1e-7 * most) << omega;
  }
}

TEST_P(ContactContract, has_an_elastic_force_that_is_the_slope_of_its_potential) {
  for (const double depth : kDepths) {
    // central difference, fourth order: the error is (1e-3)^4 of the value, and round-off 1e-16/1e-3
    const double h = 1e-3 * depth;
    const auto V = [&](double x) { return law->potential(x, marks.data()); };
    const double slope = (8 * (V(depth + h) - V(depth - h)) - (V(depth + 2 * h) - V(depth - 2 * h))) / (12 * h);
    EXPECT_NEAR(slope, elastic(depth), 1e-11 * elastic(depth)) << depth;
  }
}

TEST_P(ContactContract, has_the_slopes_of_its_force) {
  for (const double speed : {0.0, 0.2}) {  // without a mark, and with one
    law->start(marks.data());
    if (speed > 0) touch_down(speed);
    for (const double depth : kDepths) {
      for (const double rate : kRates) {
        double slope[2];
        const double force = law->force(depth, rate, marks.data(), slope);
        const double hd = 1e-4 * depth, hr = 1e-4 * std::abs(rate);
        const auto F = [&](double d, double r) { return law->force(d, r, marks.data()); };
        if (force == 0 || F(depth - 2 * hd, rate) == 0 || F(depth, rate - 2 * hr) == 0) continue;  // cut off
        const double by_depth =
            (8 * (F(depth + hd, rate) - F(depth - hd, rate)) - (F(depth + 2 * hd, rate) - F(depth - 2 * hd, rate))) / (12 * hd);
        const double by_rate =
            (8 * (F(depth, rate + hr) - F(depth, rate - hr)) - (F(depth, rate + 2 * hr) - F(depth, rate - 2 * hr))) / (12 * hr);
        // round-off of the differences: 1e-16 / 1e-4, with room for inner solves
        EXPECT_NEAR(slope[0], by_depth, 1e-10 * force / depth) << depth << " " << rate;
        EXPECT_NEAR(slope[1], by_rate, 1e-10 * force / std::abs(rate)) << depth << " " << rate;
      }
    }
  }
}

TEST_P(ContactContract, does_exactly_the_work_of_its_potential_over_any_step) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1e-5, 3e-5);
  for (int i = 0; i < 2000; ++i) {
    const double start = u(random);
    // long steps, short steps, and very short ones
    const double end = i % 3 == 0 ? u(random) : start + u(random) * (i % 3 == 1 ? 1e-3 : 1e-8);
    const TwoPoint<1> V = potential_over(*law, TwoPoint<1>::variable(start, end, 0), marks.data());
    EXPECT_EQ(V.start, law->potential(start, marks.data()));
    EXPECT_EQ(V.end, law->potential(end, marks.data()));
    // up to the round-off of the potentials themselves
    EXPECT_NEAR(V.row[0] * (end - start), V.end - V.start, 1e-14 * std::max(V.start, V.end));
    EXPECT_GE(V.row[0], 0);
    // a mean of the force between the ends
    const double low = elastic(std::min(start, end)), high = elastic(std::max(start, end));
    EXPECT_GE(V.row[0], low - 1e-10 * high);
    EXPECT_LE(V.row[0], high + 1e-10 * high);
  }
}

TEST_P(ContactContract, remembers_a_touch_down_until_separation) {
  if (law->marks() == 0 || law->dents()) return;
  const std::vector<double> apart = marks;
  law->accept(-1e-6, 0.4, marks.data());
  EXPECT_EQ(marks, apart);
  law->accept(1e-9, 0.4, marks.data());
  const std::vector<double> touched = marks;
  EXPECT_NE(touched, apart);
  law->accept(1e-6, 0.2, marks.data());
  law->accept(1e-6, -0.2, marks.data());
  EXPECT_EQ(marks, touched);
  law->accept(-1e-9, -0.2, marks.data());
  EXPECT_EQ(marks, apart);
}

/// Surfaces that yield, on a random way in and out: what they remember changes nothing at the instant at which it changes, only grows, and what
/// the work on them is more than they store is gone for good.
TEST_P(ContactContract, keeps_a_dent_for_which_the_energy_was_spent) {
  if (!law->dents()) return;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  double depth = -1e-6, work = 0, lost = 0, dent = 0, deepest = 0;
  for (int i = 0; i < 5000; ++i) {
    const double next = std::clamp(depth + 4e-6 * u(random), -2e-6, 1e-9 * (i + 10000));
    const double *m = marks.data(), before = law->potential(depth, m), behind = law->potential(next, m);
    const double size = law->force(3e-5, 0, m) * 3e-5;
    work += behind - before;
    const double force = law->force(next, 0, m), stored = law->stored(next, m);
    EXPECT_LE(stored, behind + 1e-14 * size);
    EXPECT_EQ(force > 0, next > law->dent(m));
    law->accept(next, (next - depth) / 1e-4, marks.data());
    depth = next;
    deepest = std::max(deepest, depth);
    EXPECT_NEAR(law->force(depth, 0, m), force, 1e-12 * size / 3e-5);
    EXPECT_NEAR(law->stored(depth, m), stored, 1e-14 * size);
    EXPECT_NEAR(law->potential(depth, m), stored, 1e-14 * size);
    EXPECT_GE(work - stored, lost - 1e-13 * size);
    EXPECT_GE(law->dent(m), dent);
    EXPECT_LE(law->dent(m), deepest);
    lost = std::max(lost, work - stored), dent = law->dent(m);
  }
  EXPECT_GT(dent, 1e-7);
  EXPECT_GT(lost, 0);
  // an elastic spring from here on, until it is pressed deeper
  for (const double part : {0.1, 0.5, 0.9}) {
    const double d = dent + part * (deepest - dent), h = 1e-3 * (d - dent);
    const auto V = [&](double x) { return law->potential(x, marks.data()); };
    const double force = law->force(d, 0, marks.data());
    EXPECT_NEAR((8 * (V(d + h) - V(d - h)) - (V(d + 2 * h) - V(d - 2 * h))) / (12 * h), force, 1e-10 * force);
    EXPECT_EQ(law->stored(d, marks.data()), law->potential(d, marks.data()));
    double slope[2];
    law->force(d, 0, marks.data(), slope);
    EXPECT_NEAR((law->force(d + h, 0, marks.data()) - law->force(d - h, 0, marks.data())) / (2 * h), slope[0], 1e-5 * slope[0]);
    EXPECT_EQ(slope[1], 0);
  }
}

class ContactPage : public testing::TestWithParam<const ContactEntry*> {};

TEST_P(ContactPage, has_its_six_parts) {
  const std::string page = contact_page(GetParam()->name);
  ASSERT_FALSE(page.empty());
  for (const char* part : {"Equations", "Parameters", "Memory", "Cannot", "Reference"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST_P(ContactPage, names_every_parameter) {
  const std::string page = contact_page(GetParam()->name);
  FieldTable table;
  GetParam()->describe(table);
  std::vector<std::string> keys;
  for (const Field& f : table.fields) {
    EXPECT_FALSE(f.text.empty()) << f.key;
    EXPECT_FALSE(f.unit.empty()) << f.key;
    EXPECT_NE(page.find("`" + f.key + "`"), std::string::npos) << f.key;
    EXPECT_EQ(std::count(keys.begin(), keys.end(), f.key), 0) << f.key << " appears twice";
    keys.push_back(f.key);
  }
}

std::vector<const ContactEntry*> all_laws() {
  std::vector<const ContactEntry*> laws;
  for (const ContactEntry& entry : contact_registry().all()) laws.push_back(&entry);
  return laws;
}

INSTANTIATE_TEST_SUITE_P(Every, ContactContract, testing::ValuesIn(all_contact_cases()),
                         [](const auto& i) { return name_of(i.param); });
INSTANTIATE_TEST_SUITE_P(Every, ContactPage, testing::ValuesIn(all_laws()), [](const auto& i) { return i.param->name; });

}  // namespace
}  // namespace bristle::contract
