// What every registered friction law promises, and that of the recipe, checked without naming any. A new law enters by its registration alone.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>

#include "bristle/friction/registry.h"
#include "bristle/interface/friction_law_of.h"
#include "hold_run.h"
#include "parameter_cases.h"
#include "slip_history.h"
#include "support/recipes.h"

namespace bristle::contract {
namespace {

constexpr double kLoad = 100;                              // [N]
constexpr double kSpeeds[] = {1.1e-5, 1.1e-3, 0.11, 2.1};  // [m/s] top speeds of the histories; odd, to miss thresholds
constexpr int kSteps = 1500;

std::vector<Field> fields_of(const FrictionEntry& entry) {
  FieldTable table;
  entry.describe(table);
  return table.fields;
}

struct Case {
  const FrictionEntry* entry = nullptr;
  ParameterCase parameters;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.entry->name << " " << c.parameters.label; }

/// All laws with all their parameter sets; sets that the law itself calls impossible are left out, but never the plain one.
std::vector<Case> cases_of(const FrictionEntry& entry, const std::vector<ParameterCase>& sets) {
  std::vector<Case> cases;
  for (const ParameterCase& p : sets) {
    Filler filler(p);
    entry.make1(filler);
    if (filler.problem.empty() || p.label == "plain") cases.push_back({&entry, p});
  }
  return cases;
}
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const FrictionEntry& entry : test::with_recipes().friction.all()) {
    for (const Case& c : cases_of(entry, parameter_cases(fields_of(entry)))) cases.push_back(c);
  }
  return cases;
}
std::vector<const FrictionEntry*> all_laws() {
  std::vector<const FrictionEntry*> laws;
  for (const FrictionEntry& entry : friction_registry().all()) laws.push_back(&entry);
  return laws;
}

template <int D>
std::unique_ptr<FrictionLaw<D>> make(const Case& c) {
  Filler filler(c.parameters);
  auto law = c.entry->make<D>(filler);
  EXPECT_EQ(filler.problem, "") << c;
  return law;
}

/// Step and frequency that fit the law: twenty steps in the shortest time constant of the memory, and slip that turns after
/// some tens to hundreds of steps, so that histories cover both pre-sliding and sliding.
template <int D>
struct Pacing {
  double step, omega;
  Pacing(const FrictionLaw<D>& law, double speed, int turns) {
    const double rate = fastest_rate(law, speed, kLoad);
    step = rate > 0 ? 0.05 / rate : 1e-3;
    omega = 2 * std::numbers::pi * turns / (kSteps * step);
  }
};

/// Blocks of steady slip of any size up to the given speed, in steps of a twentieth of the time constant at that slip.
template <int D>
SlipHistory<D> jumping_history(const FrictionLaw<D>& law, unsigned seed, double speed) {
  SlipHistory<D> history(seed, speed, 1.0);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(0, 1);
  Vec<D> e;
  for (int i = 0; i < kSteps; i += kBlockSteps) {
    // slow and fast in turn, often onwards in the same direction: the memory of the one meets the speed of the other
    const double size =
        i / kBlockSteps % 2 == 0 ? std::max(1e-6, speed * std::pow(1e-5, u(random))) : speed * std::pow(0.1, u(random));
    if (i == 0 || random() % 3 == 0) {
      for (int d = 0; d < D; ++d) e[d] = u(random) - 0.5;
      e = direction(e);
    }
    history.blocks.push_back({size * e, Pacing<D>(law, size, 1).step});
  }
  // loads swing over the whole history
  double duration = 0;
  for (const auto& block : history.blocks) duration += kBlockSteps * block.step;
  history.omega_slow = 20 / duration;
  return history;
}

template <int D, class Body>
void over_histories(const FrictionLaw<D>& law, double load_swing, Body&& body) {
  unsigned seed = 11;
  for (const double speed : kSpeeds) {
    for (const int turns : {6, 40}) {
      const Pacing<D> pacing(law, speed, turns);
      SlipHistory<D> history(++seed, speed, pacing.omega);
      history.load = kLoad;
      history.load_swing = load_swing;
      body(history, pacing.step);
    }
    SlipHistory<D> jumps = jumping_history(law, ++seed, speed);
    jumps.load = kLoad;
    jumps.load_swing = load_swing;
    body(jumps, 0);
  }
}

class FrictionContract : public testing::TestWithParam<Case> {
 protected:
  /// The same check for one, two and three slip components.
  template <class Check>
  void in_all_dimensions(Check&& check) {
    check(*make<1>(GetParam()));
    check(*make<2>(GetParam()));
    check(*make<3>(GetParam()));
  }
};

// ---------------------------------------------------------------------------------------------------------------- energy

/// Largest energy given away on any stretch of any history, over the work exchanged on that history.
template <int D>
double worst_gift(const FrictionLaw<D>& law) {
  double worst = 0;
  over_histories(law, 0, [&](const SlipHistory<D>& history, double step) {
    Drive<D> drive(law, history, step);
    double high = 0, gift = 0;
    for (int i = 0; i < kSteps; ++i) {
      drive.step();
      const double lost = drive.work - (drive.stored() - drive.stored_at_start);
      high = std::max(high, lost);
      gift = std::max(gift, high - lost);
    }
    // a kink or jump inside a step is resolved to one step, the one with the largest work
    const double tolerance = 2 * drive.most_step_work + 1e-9 * drive.work_size;
    if (gift > tolerance && drive.work_size > 0) worst = std::max(worst, gift / drive.work_size);
  });
  return worst;
}

/// A toy that pushes along while it slides slowly, to see that the measurement sees it.
struct Giver {
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    const T speed = norm(p.slip);
    for (int d = 0; d < D; ++d) F[d] = p.load * (speed < 1e-4 ? -0.01 : 1.0) * p.slip[d];
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return 0.1 * p.load;
  }
};
TEST(FrictionContractItself, sees_a_law_that_gives_energy_away) {
  EXPECT_GT(worst_gift(FrictionLawOf<Giver, 1>(Giver{})), 0);
  EXPECT_GT(worst_gift(FrictionLawOf<Giver, 3>(Giver{})), 0);
}

class FrictionPage : public testing::TestWithParam<const FrictionEntry*> {};

TEST_P(FrictionPage, says_whether_the_law_can_give_energy_away) {
  const FrictionEntry& entry = *GetParam();
  double worst = 0;
  std::string where = "none";
  const auto note = [&](double gift, const Case& c) {
    if (gift > worst) worst = gift, where = c.parameters.label;
  };
  for (const Case& c : cases_of(entry, parameter_cases(fields_of(entry)))) {
    note(worst_gift(*make<1>(c)), c);
    note(worst_gift(*make<2>(c)), c);
    note(worst_gift(*make<3>(c)), c);
  }
  for (const Case& c : cases_of(entry, single_changes(fields_of(entry)))) note(worst_gift(*make<1>(c)), c);
  std::printf("  passivity  %-26s %s  %.2g of the work exchanged (%s)\n", entry.name.c_str(), worst > 0 ? "GIVES" : "keeps",
              worst, where.c_str());
  const bool says = friction_page(entry.name).find("not passive") != std::string::npos;
  EXPECT_EQ(worst > 0, says) << "measured gift " << worst << " of the work exchanged, parameters '" << where << "'; the page "
                             << (says ? "says" : "does not say") << " \"not passive\"";
}

TEST_P(FrictionContract, stores_no_negative_energy_and_holds_no_negative_force) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    over_histories(law, 0.5, [&](const SlipHistory<D>& history, double step) {
      Drive<D> drive(law, history, step);
      double least = 0, least_holding = 0;
      for (int i = 0; i < kSteps; ++i) {
        drive.step();
        least = std::min(least, drive.stored());
        least_holding = std::min(least_holding, law.holding(drive.patch, drive.marks.data()));
      }
      EXPECT_GE(least, 0);
      EXPECT_GE(least_holding, 0);
    });
  });
}

// ---------------------------------------------------------------------------------------------------------------- bounds

TEST_P(FrictionContract, keeps_force_and_memory_within_what_it_declares) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    over_histories(law, 0.5, [&](const SlipHistory<D>& history, double step) {
      Drive<D> drive(law, history, step);
      double excess = 0, largest = 0;
      for (int i = 0; i < kSteps; ++i) {
        drive.step();
        const double bound = law.bound(drive.patch, drive.marks.data());
        const double size = norm(drive.force());
        ASSERT_TRUE(std::isfinite(size));
        if (size > bound * (1 + 1e-9)) excess = std::max(excess, size / bound - 1);  // round-off alone
        for (int k = 0; k < law.memory().z; ++k) largest = std::max(largest, std::abs(drive.z[static_cast<std::size_t>(k)]));
      }
      EXPECT_EQ(excess, 0) << "force beyond its bound by this share, D = " << D << ", speed " << history.speed;
      EXPECT_LE(largest, law.reach() * (1 + 1e-9)) << "memory, D = " << D << ", speed " << history.speed;
    });
  });
}

TEST_P(FrictionContract, exerts_nothing_where_nothing_presses) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    const Pacing<D> pacing(law, 0.01, 10);
    SlipHistory<D> history(3, 0.01, pacing.omega);
    history.load = kLoad;
    Drive<D> drive(law, history, pacing.step);
    for (int i = 0; i < 200; ++i) drive.step();
    drive.patch.load = 0;
    const Vec<D> F = drive.force();
    for (int d = 0; d < D; ++d) EXPECT_EQ(F[d], 0);
    EXPECT_EQ(law.holding(drive.patch, drive.marks.data()), 0);
  });
}

// ------------------------------------------------------------------------------------------------------------ symmetries

TEST_P(FrictionContract, turns_and_mirrors_with_its_history) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    over_histories(law, 0.3, [&](const SlipHistory<D>& history, double step) {
      for (const Matrix3& R : {minus_identity(), some_rotation<D>(1.1)}) {
        if (D == 1 && R == identity()) continue;
        SlipHistory<D> turned = history;
        turned.R = R;
        Drive<D> a(law, history, step), b(law, turned, step);
        double worst = 0, scale = 0;
        for (int i = 0; i < kSteps; ++i) {
          a.step(), b.step();
          const Vec<D> expected = turn(R, a.force()), difference = b.force() - expected;
          worst = std::max(worst, norm(difference));
          scale = std::max(scale, norm(expected));
        }
        // round-off grows through many steps, and a branch may be taken one step apart
        EXPECT_LE(worst, 1e-7 * scale) << "D = " << D << ", speed " << history.speed;
      }
    });
  });
}

template <int D>
void expect_straight_path_equals_one_dimension(const Case& c) {
  const auto law1 = make<1>(c);
  const auto law = make<D>(c);
  Vec<D> e;
  e[0] = 0.6, e[D - 1] = 0.8;
  over_histories<1>(*law1, 0.3, [&](const SlipHistory<1>& history, double step) {
    SlipHistory<D> straight(1, history.speed, 1.0);
    straight.omega_slow = history.omega_slow;
    straight.load = history.load, straight.load_swing = history.load_swing;
    for (int d = 0; d < D; ++d) {
      straight.waves[static_cast<std::size_t>(d)] = history.waves[0];
      for (auto& w : straight.waves[static_cast<std::size_t>(d)]) w.size *= e[d];
    }
    for (const Block<1>& block : history.blocks) straight.blocks.push_back({block.slip[0] * e, block.step});
    Drive<1> a(*law1, history, step);
    Drive<D> b(*law, straight, step);
    double worst = 0, scale = 0;
    for (int i = 0; i < kSteps; ++i) {
      a.step(), b.step();
      const double f = a.force()[0];
      const Vec<D> F = b.force();
      Vec<D> difference;
      for (int d = 0; d < D; ++d) difference[d] = F[d] - f * e[d];
      worst = std::max(worst, norm(difference));
      scale = std::max(scale, std::abs(f));
    }
    EXPECT_LE(worst, 1e-7 * scale) << "D = " << D << ", speed " << history.speed;  // as for rotations
  });
}
TEST_P(FrictionContract, on_a_straight_path_is_the_one_dimensional_law) {
  expect_straight_path_equals_one_dimension<2>(GetParam());
  expect_straight_path_equals_one_dimension<3>(GetParam());
}

// ------------------------------------------------------------------------------------------------- functions, derivatives

/// A random state the law may find itself in: marks and memory from a history, the memory then scattered.
template <int D>
struct RandomState {
  Patch<D> patch;
  std::vector<double> z, marks;
  RandomState(const FrictionLaw<D>& law, std::mt19937& random) {
    std::uniform_real_distribution<double> u(-1, 1);
    const double speed = std::pow(10, -3 + 2.5 * u(random));
    const Pacing<D> pacing(law, speed, 10);
    SlipHistory<D> history(static_cast<unsigned>(random()), speed, pacing.omega);
    history.load = kLoad * (1 + 0.5 * u(random));
    Drive<D> drive(law, history, pacing.step);
    const int steps = 5 + static_cast<int>(random() % 60);
    for (int i = 0; i < steps; ++i) drive.step();
    patch = drive.patch, z = drive.z, marks = drive.marks;
    for (int d = 0; d < D; ++d) patch.travel[d] = 1e-3 * u(random);
    for (int k = 0; k < law.memory().z; ++k) z[static_cast<std::size_t>(k)] *= 0.6 + 0.3 * u(random);  // away from every limit
    law.project(patch, z.data(), marks.data());
  }
};

template <int D>
struct Evaluation {
  std::vector<double> y;  // force, then rates
  Evaluation(const FrictionLaw<D>& law, const Patch<D>& p, const std::vector<double>& z, const std::vector<double>& marks) {
    Vec<D> F;
    std::vector<double> zdot(z.size());
    law.eval(p, z.data(), marks.data(), F, zdot.data());
    for (int d = 0; d < D; ++d) y.push_back(F[d]);
    for (int k = 0; k < law.memory().z; ++k) y.push_back(zdot[static_cast<std::size_t>(k)]);
  }
};

TEST_P(FrictionContract, has_the_partial_derivatives_of_its_formula) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    std::mt19937 random(5);
    const int nz = law.memory().z, columns = rub_columns(D, nz), rows = rub_rows(D, nz);
    int smooth = 0, all = 0, wrong = 0;  // of the entries that are not zero
    std::string first_wrong;
    for (int point = 0; point < 60; ++point) {
      const RandomState<D> s(law, random);
      std::vector<double> data(static_cast<std::size_t>(rows * columns));
      RubPartials partials{data.data(), columns};
      Vec<D> F;
      std::vector<double> zdot(s.z.size());
      law.eval(s.patch, s.z.data(), s.marks.data(), F, zdot.data(), partials);
      const Evaluation<D> middle(law, s.patch, s.z, s.marks);
      double force_scale = 0, rate_scale = 0;
      for (int r = 0; r < rows; ++r) {
        double& scale = r < D ? force_scale : rate_scale;
        scale = std::max(scale, std::abs(middle.y[static_cast<std::size_t>(r)]));
      }
      for (int c = 0; c < columns; ++c) {
        const auto moved = [&](double h) {
          Patch<D> p = s.patch;
          std::vector<double> z = s.z;
          if (c < D) p.slip[c] += h;
          else if (c == D) p.load += h;
          else if (c <= 2 * D) p.travel[c - D - 1] += h;
          else z[static_cast<std::size_t>(c - 2 * D - 1)] += h;
          return Evaluation<D>(law, p, z, s.marks).y;
        };
        const double size = c < D ? norm(s.patch.slip) : c == D ? s.patch.load : c <= 2 * D ? norm(s.patch.travel) : 1.0;
        const double h = 1e-5 * size;
        const std::vector<double> up = moved(h), down = moved(-h);
        for (int r = 0; r < rows; ++r) {
          const auto i = static_cast<std::size_t>(r);
          const double right = (up[i] - middle.y[i]) / h, left = (middle.y[i] - down[i]) / h;
          const double scale = (r < D ? force_scale : rate_scale) / size + std::abs(right) + std::abs(left) + 1e-300;
          if (right == 0 && left == 0 && partials(r, c) == 0) continue;
          ++all;
          if (std::abs(right - left) > 1e-3 * scale) continue;  // one-sided slopes differ: not differentiable here
          ++smooth;
          // central difference with h = 1e-5 of the size: truncation about 1e-10 times curvature, round-off about 1e-10; where
          // one of many elements has a kink, its small share of the slope lies between the one-sided ones
          const double error = std::abs(partials(r, c) - (up[i] - down[i]) / (2 * h));
          if (!(error <= 2e-5 * scale + std::abs(right - left))) {
            if (wrong++ == 0) {
              first_wrong = "row " + std::to_string(r) + " column " + std::to_string(c) + ": " + std::to_string(partials(r, c)) +
                            " against " + std::to_string((up[i] - down[i]) / (2 * h));
            }
          }
        }
      }
    }
    // two kinks within one difference step hide each other; that is rare
    EXPECT_LE(wrong, 0.01 * all) << "D = " << D << ", " << first_wrong;
    EXPECT_GE(smooth, 0.9 * all) << "D = " << D << ": too many entries are at kinks for the check to mean much";
  });
}

TEST_P(FrictionContract, is_finite_at_rest_without_load_and_at_extremes) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    const MemorySize size = law.memory();
    std::vector<double> z(static_cast<std::size_t>(size.z) + 1), marks(static_cast<std::size_t>(size.marks) + 1), zdot(z.size());
    const int columns = rub_columns(D, size.z), rows = rub_rows(D, size.z);
    for (const double speed : {0.0, 1e-300, 1e-160, 1e-100, 1e-20, 1e-8, 1.0, 1e4}) {
      for (const double load : {0.0, 1e-300, 1.0, 1e9}) {
        for (const double travel : {0.0, 1e-200, 1.0}) {
          law.start(z.data(), marks.data(), 0);
          Patch<D> p;
          p.slip[D - 1] = -speed;
          p.travel[0] = travel;
          p.load = load;
          std::vector<double> data(static_cast<std::size_t>(rows * columns), 0.0);
          Vec<D> F;
          law.eval(p, z.data(), marks.data(), F, zdot.data(), RubPartials{data.data(), columns});
          bool finite = std::isfinite(norm(F));
          for (const double x : data) finite = finite && std::isfinite(x);
          for (int k = 0; k < size.z; ++k) finite = finite && std::isfinite(zdot[static_cast<std::size_t>(k)]);
          ASSERT_TRUE(finite) << "D = " << D << ", speed " << speed << ", load " << load << ", travel " << travel;
          law.accept(p, 1.0, z.data(), marks.data());
          ASSERT_TRUE(std::isfinite(law.stored(p, z.data(), marks.data())));
          const Pace pace = law.pace(p, z.data(), marks.data());
          ASSERT_TRUE(std::isfinite(pace.rate) && std::isfinite(pace.speed));
        }
      }
    }
  });
}

TEST_P(FrictionContract, gives_the_same_bits_twice) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    std::mt19937 random(9);
    for (int point = 0; point < 10; ++point) {
      const RandomState<D> s(law, random);
      const Evaluation<D> a(law, s.patch, s.z, s.marks), b(law, s.patch, s.z, s.marks);
      EXPECT_EQ(std::memcmp(a.y.data(), b.y.data(), a.y.size() * sizeof(double)), 0);
    }
  });
}

TEST_P(FrictionContract, projection_is_idempotent_and_leaves_force_and_energy_alone) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    over_histories(law, 0.3, [&](const SlipHistory<D>& history, double step) {
      Drive<D> drive(law, history, step);
      double force_change = 0, energy_change = 0, force_scale = 0, energy_scale = 0;
      bool same = true;
      for (int i = 0; i < kSteps / 5; ++i) {
        drive.step([&] {
          const Vec<D> before = drive.force();
          const double stored = drive.stored();
          std::vector<double> raw = drive.z;
          law.project(drive.patch, drive.z.data(), drive.marks.data());
          const Vec<D> change = drive.force() - before;
          force_change = std::max(force_change, norm(change));
          energy_change = std::max(energy_change, std::abs(drive.stored() - stored));
          force_scale = std::max(force_scale, norm(before));
          energy_scale = std::max(energy_scale, stored);
          const std::vector<double> once = drive.z;
          law.project(drive.patch, drive.z.data(), drive.marks.data());
          // the same to the bit, or to a few roundings where a length is rescaled
          for (std::size_t k = 0; k < once.size(); ++k)
            same = same && std::abs(once[k] - drive.z[k]) <= 1e-15 * std::abs(once[k]);
          drive.z = raw;
        });
      }
      EXPECT_TRUE(same) << "projecting twice differs from once, D = " << D;
      EXPECT_LE(force_change, 1e-9 * force_scale) << "D = " << D << ", speed " << history.speed;
      EXPECT_LE(energy_change, 1e-9 * energy_scale) << "D = " << D << ", speed " << history.speed;
    });
  });
}

// ------------------------------------------------------------------------------------------------------------------ rest

TEST_P(FrictionContract, a_dry_law_at_rest_returns_the_pull_up_to_its_limit) {
  in_all_dimensions([]<int D>(const FrictionLaw<D>& law) {
    const SetValued<D>* dry = law.set_valued();
    if (dry == nullptr) return;
    const MemorySize size = law.memory();
    std::vector<double> z(static_cast<std::size_t>(size.z) + 1), marks(static_cast<std::size_t>(size.marks) + 1);
    law.start(z.data(), marks.data(), 0);
    Patch<D> p;
    p.load = kLoad;
    p.travel[0] = 1e-3;
    const double limit = dry->limit(p, marks.data());
    EXPECT_GE(limit, 0);
    EXPECT_GE(dry->band(), 0);
    for (const double share : {0.0, 2.0 / 3.0, 0.999, 1.5, 10.0}) {
      Vec<D> pull;
      pull[0] = -0.6 * share * limit;
      pull[D - 1] = (D == 1 ? -1.0 : 0.8) * share * limit;
      const Vec<D> F = dry->at_rest(pull, p, 0.3, marks.data());
      if (share < 1) {
        const Vec<D> difference = F - pull;
        EXPECT_LE(norm(difference), 1e-12 * limit) << "share " << share;
      } else {
        EXPECT_LE(norm(F), limit * (1 + 1e-9)) << "share " << share;  // a place that breaks away is not held by more
        EXPECT_GE(dot(F, pull), 0);
      }
      // turned pull and slip, turned force; inside the band too
      const Matrix3 R = some_rotation<D>(0.9);
      Patch<D> q = p;
      q.slip[0] = 0.4 * dry->band();
      Patch<D> turned = q;
      turned.slip = turn(R, q.slip), turned.travel = turn(R, q.travel);
      const Vec<D> there = turn(R, dry->at_rest(pull, q, 0.3, marks.data()));
      const Vec<D> here = dry->at_rest(turn(R, pull), turned, 0.3, marks.data()), gap = here - there;
      EXPECT_LE(norm(gap), 1e-9 * (norm(there) + limit));
    }
    Vec<D> F;
    double none[1] = {0};
    Patch<D> still = p;
    still.travel = Vec<D>{};
    law.eval(still, z.data(), marks.data(), F, none);
    EXPECT_EQ(norm(F), 0) << "the sliding force of a dry law is zero at zero slip";
  });
}

TEST_P(FrictionPage, says_whether_the_law_creeps_under_a_steady_load) {
  const FrictionEntry& entry = *GetParam();
  double drift = 0, speed = 0;
  std::string where = "none";
  for (const Case& c : cases_of(entry, parameter_cases(fields_of(entry)))) {
    const auto law = make<1>(c);
    if (law->set_valued() != nullptr) continue;  // holds by definition; checked above
    Patch<1> pressed;
    pressed.load = kLoad;
    const std::vector<double> marks(static_cast<std::size_t>(law->memory().marks) + 1);
    if (law->holding(pressed, marks.data()) == 0) continue;  // holds nothing, and says so: no rest to look at
    const HoldRun run = hold_two_thirds(*law, kLoad);
    ASSERT_TRUE(run.finished) << c << ": the quasi-static run came to no end at t = " << run.time << " s";
    if (std::abs(run.drift) > std::abs(drift)) drift = run.drift, speed = run.speed, where = c.parameters.label;
  }
  const bool creeps = std::abs(drift) > 1e-9;
  std::printf("  rest       %-26s %s  drift %.3g m in 900 s, at last %.3g m/s (%s)\n", entry.name.c_str(),
              creeps ? "CREEPS" : "holds ", drift, speed, where.c_str());
  const bool says = friction_page(entry.name).find("creeps") != std::string::npos;
  EXPECT_TRUE(!creeps || says) << "it drifts by " << drift << " m, and its page does not say that it creeps";
}

// --------------------------------------------------------------------------------------------------------- documentation

TEST_P(FrictionPage, parameter_table_is_complete) {
  std::vector<std::string> keys;
  for (const Field& f : fields_of(*GetParam())) {
    EXPECT_FALSE(f.key.empty());
    EXPECT_FALSE(f.unit.empty()) << f.key;
    EXPECT_GE(f.text.size(), 10u) << f.key << ": a text an engineer can use";
    EXPECT_LT(f.low, f.high) << f.key;
    if (f.kind == Field::Kind::choice) {
      EXPECT_GE(f.words.size(), 2u) << f.key;
    }
    EXPECT_EQ(std::count(keys.begin(), keys.end(), f.key), 0) << f.key << " appears twice";
    keys.push_back(f.key);
  }
}

TEST_P(FrictionPage, has_its_six_parts) {
  const std::string page = friction_page(GetParam()->name);
  ASSERT_FALSE(page.empty());
  for (const char* part : {"Equations", "Parameters", "Memory", "Cannot", "Reference"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, FrictionContract, testing::ValuesIn(all_cases()),
                         [](const auto& i) { return i.param.entry->name + "_" + i.param.parameters.label; });
INSTANTIATE_TEST_SUITE_P(Every, FrictionPage, testing::ValuesIn(all_laws()), [](const auto& i) { return i.param->name; });

}  // namespace
}  // namespace bristle::contract
