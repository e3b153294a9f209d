// Energy under loads that vary: what a law stores in proportion to its load is put in by who varies the load, and nothing else is; in its
// force form a law stores what it stores, whatever the load does.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "bristle/friction/registry.h"
#include "bristle/interface/force_form.h"
#include "bristle/interface/viscous_share.h"
#include "parameter_cases.h"
#include "slip_history.h"
#include "support/recipes.h"

namespace bristle::contract {
namespace {

constexpr double kMeanLoad = 100;  // [N]
constexpr int kMoments = 1500;

template <int D>
std::unique_ptr<FrictionLaw<D>> plain(const FrictionEntry& entry) {
  FieldTable table;
  entry.describe(table);
  Filler filler(parameter_cases(table.fields).front());
  auto law = entry.make<D>(filler);
  EXPECT_EQ(filler.problem, "") << entry.name;
  return law;
}

/// Largest energy given away on any stretch, over the work exchanged, with the work of the load where the law stores by load.
template <int D>
double gift_under_load(const FrictionLaw<D>& law, double swing) {
  double worst = 0;
  unsigned seed = 3;
  for (const double speed : {1.1e-5, 1.1e-3, 0.11}) {
    const double rate = fastest_rate(law, speed, (1 - swing) * kMeanLoad);
    const double step = rate > 0 ? 0.05 / rate : 1e-3;
    for (const double pace : {0.3, 2.0, 7.1}) {  // of the load beside that of the slip: twice is where bristles are pumped
      SlipHistory<D> history(++seed, speed, 2 * std::numbers::pi * 12 / (kMoments * step));
      history.load = kMeanLoad, history.load_swing = swing;
      history.load_omega = pace * 2 * std::numbers::pi * 12 / (kMoments * step);
      Drive<D> drive(law, history, step);
      const auto by_load = [&] {
        Patch<D> one = drive.patch;
        one.load = 1;
        return law.stores_by_load() ? law.stored(one, drive.z.data(), drive.marks.data()) : 0.0;
      };
      double high = 0, gift = 0, from_load = 0, load = drive.patch.load, stored = by_load();
      for (int i = 0; i < kMoments; ++i) {
        drive.step();
        const double now = by_load();
        from_load += 0.5 * (drive.patch.load - load) * (stored + now);
        load = drive.patch.load, stored = now;
        const double lost = drive.work + from_load - (drive.stored() - drive.stored_at_start);
        high = std::max(high, lost);
        gift = std::max(gift, high - lost);
      }
      const double tolerance = 2 * drive.most_step_work + 1e-6 * drive.work_size;
      if (gift > tolerance && drive.work_size > 0) worst = std::max(worst, gift / drive.work_size);
    }
  }
  return worst;
}

class LoadHistory : public testing::TestWithParam<const FrictionEntry*> {};

TEST_P(LoadHistory, varies_and_puts_in_no_more_than_it_is_booked_for) {
  const FrictionEntry& entry = *GetParam();
  // gonthier's static limit grows with the time at rest, whatever the load was then
  const bool passive =
      entry.name != "gonthier" && gift_under_load(*plain<1>(entry), 0) == 0 && gift_under_load(*plain<2>(entry), 0) == 0;
  if (passive) {
    EXPECT_EQ(gift_under_load(*plain<1>(entry), 0.6), 0);
    EXPECT_EQ(gift_under_load(*plain<2>(entry), 0.6), 0);
  } else {
    EXPECT_NE(friction_page(entry.name).find("not passive"), std::string::npos);
  }
}

/// Laws that have a force form.
class LoadHistoryInForceForm : public LoadHistory {};

TEST_P(LoadHistoryInForceForm, varies_and_the_law_stores_what_it_stores) {
  const FrictionEntry& entry = *GetParam();
  ASSERT_EQ(gift_under_load(*plain<2>(entry), 0), 0) << "passive under a constant load";
  const ForceForm<1> one(plain<1>(entry), kMeanLoad);
  const ForceForm<2> two(plain<2>(entry), kMeanLoad);
  EXPECT_FALSE(one.stores_by_load());
  EXPECT_EQ(gift_under_load(one, 0.6), 0);
  EXPECT_EQ(gift_under_load(two, 0.6), 0);
}

/// At the reference load nothing tells the two forms apart.
TEST_P(LoadHistoryInForceForm, of_the_reference_load_gives_the_force_of_the_law) {
  const FrictionEntry& entry = *GetParam();
  const auto law = plain<2>(entry);
  const ForceForm<2> form(plain<2>(entry), kMeanLoad);
  const double rate = fastest_rate(*law, 1e-3, kMeanLoad), step = 0.05 / rate;
  SlipHistory<2> history(5, 1e-3, 2 * std::numbers::pi * 12 / (kMoments * step));
  history.load = kMeanLoad;
  Drive<2> a(*law, history, step), b(form, history, step);
  for (int i = 0; i < kMoments; ++i) {
    a.step(), b.step();
    ASSERT_NEAR(norm(a.force() - b.force()), 0, 1e-9 * kMeanLoad) << "step " << i;
    ASSERT_NEAR(a.stored(), b.stored(), 1e-7 * std::abs(a.stored()) + 1e-18) << "step " << i;
  }
}

std::vector<const FrictionEntry*> laws_where(bool in_force_form) {
  std::vector<const FrictionEntry*> laws;
  for (const FrictionEntry& entry : friction_registry().all()) {
    if (!in_force_form || plain<1>(entry)->largest_stretch() > 0) laws.push_back(&entry);
  }
  return laws;
}
const auto kName = [](const auto& law) { return law.param->name; };
INSTANTIATE_TEST_SUITE_P(Laws, LoadHistory, testing::ValuesIn(laws_where(false)), kName);
INSTANTIATE_TEST_SUITE_P(Laws, LoadHistoryInForceForm, testing::ValuesIn(laws_where(true)), kName);

/// Derivatives of the wrappers against differences, where the memory is cut and where it is not.
TEST(ForceForm, has_the_derivatives_of_its_force_and_its_rates) {
  for (const char* name : {"lugre", "dahl", "elasto_plastic", "parallel_series_iwan"}) {
    const FrictionEntry& entry = *friction_registry().find(name);
    const ViscousShare<2> law(std::make_unique<ForceForm<2>>(plain<2>(entry), 70), 30);
    const int nz = law.memory().z, columns = rub_columns(2, nz), rows = rub_rows(2, nz);
    std::vector<double> marks(static_cast<std::size_t>(law.memory().marks) + 1), start(static_cast<std::size_t>(nz));
    law.start(start.data(), marks.data(), 1);
    for (const double size : {0.2, 3.0}) {
      Patch<2> p;
      p.slip[0] = 2e-3, p.slip[1] = -1e-3, p.load = 55;
      std::vector<double> Z(static_cast<std::size_t>(nz)), J(static_cast<std::size_t>(rows * columns)), rate(Z.size());
      for (int i = 0; i < nz; ++i) Z[static_cast<std::size_t>(i)] = size * std::cos(1.0 + i);
      Vec<2> F;
      law.eval(p, Z.data(), marks.data(), F, rate.data(), RubPartials{J.data(), columns});
      for (int c = 0; c < columns; ++c) {
        if (c == 3 || c == 4) continue;  // travel
        std::vector<double> ends[2];
        const double h = c == 2 ? 1e-4 : c < 2 ? 1e-8 : 1e-6;
        for (int side = 0; side < 2; ++side) {
          Patch<2> q = p;
          std::vector<double> Y = Z, zdot(Z.size());
          const double by = side == 0 ? -h : h;
          if (c < 2) q.slip[c] += by;
          else if (c == 2) q.load += by;
          else Y[static_cast<std::size_t>(c - 5)] += by;
          Vec<2> G;
          law.eval(q, Y.data(), marks.data(), G, zdot.data());
          ends[side] = {G[0], G[1]};
          ends[side].insert(ends[side].end(), zdot.begin(), zdot.end());
        }
        for (int r = 0; r < rows; ++r) {
          const double slope = (ends[1][static_cast<std::size_t>(r)] - ends[0][static_cast<std::size_t>(r)]) / (2 * h);
          const double ours = J[static_cast<std::size_t>(r * columns + c)];
          EXPECT_NEAR(ours, slope, 1e-5 * (std::abs(slope) + 1)) << name << " size " << size << " row " << r << " column " << c;
        }
      }
    }
  }
}

/// A place that sticks does not move while its load vibrates above what it holds; per load it is pumped.
TEST(ForceForm, holds_while_the_load_varies) {
  const FrictionEntry& entry = *friction_registry().find("dahl");
  const ForceForm<1> law(plain<1>(entry), kMeanLoad);
  Patch<1> p;
  p.load = kMeanLoad;
  const double Z0 = 0.3;
  std::vector<double> marks(static_cast<std::size_t>(law.memory().marks) + 1);
  Vec<1> first, F;
  double rate = 0;
  law.eval(p, &Z0, marks.data(), first, &rate);
  for (const double load : {45.0, 150.0, 60.0, 100.0}) {
    p.load = load;
    double Z = Z0;
    law.accept(p, 0, &Z, marks.data());
    EXPECT_NEAR(Z, Z0, 1e-15);
    law.eval(p, &Z, marks.data(), F, &rate);
    EXPECT_NEAR(F[0], first[0], 1e-12 * first[0]);
    EXPECT_EQ(rate, 0);
  }
  p.load = 20;  // carries less: the spring is cut, and what it loses is gone
  double Z = Z0;
  law.accept(p, 0, &Z, marks.data());
  EXPECT_NEAR(Z, 0.2, 1e-15);
}

}  // namespace
}  // namespace bristle::contract
