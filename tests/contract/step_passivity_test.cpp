// Which laws with memory take energy out over whole steps of any length, as the energy schemes take them. Laws without memory do by the
// mean slip; dry ones are solved together with the step. That no page says "not passive" without need is tested by FrictionPage.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "bristle/friction/registry.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/place/memory_step.h"
#include "parameter_cases.h"

namespace bristle::contract {
namespace {

std::vector<Field> fields_of(const FrictionEntry& entry) {
  FieldTable table;
  entry.describe(table);
  return table.fields;
}

/// What random steps have given, per work exchanged so far.
struct Given {
  double most = 0;     ///< beyond what was stored at the load of each step
  double by_load = 0;  ///< change of what is stored when the load changes from one step to the next
  bool remembers = false;
};

/// `swing`: the load changes from step to step, by up to this power of ten either way.
template <int D>
Given gift(const FrictionEntry& entry, const ParameterCase& parameters, double swing) {
  Given given;
  Filler filler(parameters);
  const auto law = entry.make<D>(filler);
  if (!filler.problem.empty() || law->set_valued() != nullptr || law->memory().z == 0) return given;
  given.remembers = true;
  const int nz = law->memory().z;
  std::mt19937 random(17);
  std::uniform_real_distribution<double> u(-1, 1), length(-6, 0);
  for (const double speed : {1e-5, 1e-3, 0.1, 2.0}) {
    std::vector<double> z(static_cast<std::size_t>(nz)), end = z, marks(static_cast<std::size_t>(law->memory().marks) + 1);
    std::vector<double> scratch(static_cast<std::size_t>(MemoryStep<D>::scratch(nz)) + 1024);
    law->start(z.data(), marks.data(), 1);
    Patch<D> patch;
    patch.load = 100;
    double gained = 0, exchanged = 1e-30, t = 0;
    for (int k = 0; k < 400; ++k) {
      const double h = std::pow(10, length(random)), held = law->stored(patch, z.data(), marks.data());
      if (swing > 0) patch.load = 100 * std::pow(10, swing * u(random));
      const double before = law->stored(patch, z.data(), marks.data());
      if (before != held) given.by_load = std::max(given.by_load, std::abs(before - held) / std::max(before, held));
      for (int d = 0; d < D; ++d) patch.slip[d] = speed * u(random);
      const Vec<D> from = patch.travel;
      for (int d = 0; d < D; ++d) patch.travel[d] += 0.5 * h * patch.slip[d];
      Vec<D> F;
      MemoryStep<D>::solve(*law, patch, h, z.data(), marks.data(), nz, end.data(), F, nullptr, scratch.data());
      double work = 0;
      for (int d = 0; d < D; ++d) work += F[d] * patch.slip[d] * h;
      exchanged += std::abs(work);
      t += h;
      for (int d = 0; d < D; ++d) patch.travel[d] = from[d] + h * patch.slip[d];
      z = end;
      law->accept(patch, t, z.data(), marks.data());
      gained += law->stored(patch, z.data(), marks.data()) - before - work;
      given.most = std::max(given.most, gained / exchanged);
    }
  }
  return given;
}

class StepPassivity : public testing::TestWithParam<std::string> {};

/// At constant load, and with a load that changes between the steps: what is stored then changes without work, which the page says; all
/// else stays passive.
TEST_P(StepPassivity, is_what_the_page_of_the_law_says) {
  const FrictionEntry& entry = *friction_registry().find(GetParam());
  double worst[2] = {0, 0}, by_load = 0;
  bool remembers = false;
  std::string where[2];
  for (const ParameterCase& p : parameter_cases(fields_of(entry))) {
    for (int swings : {0, 1}) {
      for (const Given& g : {gift<1>(entry, p, swings), gift<2>(entry, p, swings)}) {
        if (g.most > worst[swings]) worst[swings] = g.most, where[swings] = p.label;
        by_load = std::max(by_load, g.by_load);
        remembers = remembers || g.remembers;
      }
    }
  }
  if (!remembers) return;
  std::printf("  over steps  %-26s %.2g of the work exchanged (%s); load changes: %.2g (%s), by the load %.2g\n",
              entry.name.c_str(), worst[0], where[0].c_str(), worst[1], where[1].c_str(), by_load);
  const std::string page = friction_page(entry.name);
  const bool says = page.find("not passive") != std::string::npos;
  for (int swings : {0, 1}) {
    if (says) continue;
    EXPECT_LT(worst[swings], 1e-9) << where[swings] << (swings ? ", load changes" : "")
                                   << ": gives energy over long steps and its page does not say \"not passive\"";
  }
  std::string words;  // the page without its line ends
  for (const char c : page) words += c == '\n' ? ' ' : c;
  const bool says_load = words.find("at constant load") != std::string::npos;
  EXPECT_EQ(by_load > 1e-9, says_load) << "what it stores changes with the load; the page "
                                       << (says_load ? "says" : "does not say") << " \"at constant load\"";
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const FrictionEntry& e : friction_registry().all()) list.push_back(e.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Every, StepPassivity, testing::ValuesIn(names()), [](const auto& law) { return law.param; });

}  // namespace
}  // namespace bristle::contract
