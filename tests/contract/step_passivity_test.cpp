// Which laws with memory take energy out over whole steps of any length, as the energy schemes take them. Laws without memory do by the
// mean slip; dry ones are solved together with the step.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "bristle/friction/registry.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/place/memory_step.h"
#include "parameter_cases.h"

namespace bristle::contract {
namespace {

constexpr double kLoad = 100;  // [N]

std::vector<Field> fields_of(const FrictionEntry& entry) {
  FieldTable table;
  entry.describe(table);
  return table.fields;
}

/// Largest share of the work exchanged so far that random steps have given back beyond what was stored.
template <int D>
double gift(const FrictionEntry& entry, const ParameterCase& parameters) {
  Filler filler(parameters);
  const auto law = entry.make<D>(filler);
  if (!filler.problem.empty() || law->set_valued() != nullptr || law->memory().z == 0) return 0;
  const int nz = law->memory().z;
  double worst = 0;
  std::mt19937 random(17);
  std::uniform_real_distribution<double> u(-1, 1), length(-6, 0);
  for (const double speed : {1e-5, 1e-3, 0.1, 2.0}) {
    std::vector<double> z(static_cast<std::size_t>(nz)), end = z, marks(static_cast<std::size_t>(law->memory().marks) + 1);
    std::vector<double> scratch(static_cast<std::size_t>(MemoryStep<D>::scratch(nz)) + 1024);
    law->start(z.data(), marks.data(), 1);
    Patch<D> patch;
    patch.load = kLoad;
    double work = 0, exchanged = 1e-30, t = 0;
    const double start = law->stored(patch, z.data(), marks.data());
    for (int k = 0; k < 400; ++k) {
      const double h = std::pow(10, length(random));
      for (int d = 0; d < D; ++d) patch.slip[d] = speed * u(random);
      const Vec<D> from = patch.travel;
      for (int d = 0; d < D; ++d) patch.travel[d] += 0.5 * h * patch.slip[d];
      Vec<D> F;
      MemoryStep<D>::solve(*law, patch, h, z.data(), marks.data(), nz, end.data(), F, nullptr, scratch.data());
      double step = 0;
      for (int d = 0; d < D; ++d) step += F[d] * patch.slip[d] * h;
      work += step;
      exchanged += std::abs(step);
      t += h;
      for (int d = 0; d < D; ++d) patch.travel[d] = from[d] + h * patch.slip[d];
      z = end;
      law->accept(patch, t, z.data(), marks.data());
      const double kept = law->stored(patch, z.data(), marks.data()) - start;
      worst = std::max(worst, (kept - work) / exchanged);
    }
  }
  return worst;
}

class StepPassivity : public testing::TestWithParam<std::string> {};

TEST_P(StepPassivity, is_what_the_page_of_the_law_says) {
  const FrictionEntry& entry = *friction_registry().find(GetParam());
  double worst = 0;
  std::string where;
  for (const ParameterCase& p : parameter_cases(fields_of(entry))) {
    for (const double found : {gift<1>(entry, p), gift<2>(entry, p)}) {
      if (found > worst) worst = found, where = p.label;
    }
  }
  std::printf("  over steps  %-26s %.2g of the work exchanged (%s)\n", entry.name.c_str(), worst, where.c_str());
  const std::string page = friction_page(entry.name);
  const bool says = page.find("not passive") != std::string::npos;
  if (!says) {
    EXPECT_LT(worst, 1e-9) << where << ": gives energy over long steps and its page does not say \"not passive\"";
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const FrictionEntry& e : friction_registry().all()) list.push_back(e.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Every, StepPassivity, testing::ValuesIn(names()), [](const auto& law) { return law.param; });

}  // namespace
}  // namespace bristle::contract
