// Many variants of one small model side by side, against as many runs of their own: rk4, LuGre friction, ledger on in both.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bristle/ensemble/ensemble.h"
#include "timing.h"
#include "validation/trial.h"

namespace {

/// Masses in a row, each pulled by a spring from its neighbour and rubbing on the ground; the first one is pulled.
std::string row(int masses, int variant) {
  const double part = variant / 16.0;
  std::string bodies = "bristle: 1\nbodies:\n  end: {type: driven, velocity: 0.1 m/s}\n", forces = "forces:\n",
              joints = "joints:\n";
  for (int i = 0; i < masses; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: {} kg}}\n", i, 1 + 0.1 * part);
    forces += fmt::format("  s{}: {{type: spring, between: [m{}, {}], stiffness: {} N/m}}\n", i, i,
                          i == 0 ? "end" : fmt::format("m{}", i - 1), 2000 + 50 * part);
    joints += fmt::format(
        "  f{}: {{type: sliding, between: [ground, m{}], load: {} N, friction: {{type: lugre, mu_kinetic: 1, mu_static: {}, stribeck_velocity: 1 mm/s, "
        "sigma0: 1e5, sigma1: 316, sigma2: 0.4}}}}\n",
        i, i, 1 + 0.2 * part, 1.5 - 0.3 * part);
  }
  return bodies + forces + joints + "analysis: {type: transient, end: 1e6, integrator: {type: rk4, step: 70 us}}\n";
}

void report(int masses, int variants, long steps) {
  using namespace bristle;
  std::vector<std::unique_ptr<Trial>> single;
  Ensemble ensemble;
  for (int i = 0; i < variants; ++i) {
    single.push_back(std::make_unique<Trial>(row(masses, i)));
    ensemble.add(assemble(read_model_text(row(masses, i), "bench.yaml", {})));
  }
  const double step = 70e-6;
  std::vector<double> ends(static_cast<std::size_t>(variants));
  const auto alone = [&] {
    for (int i = 0; i < variants; ++i) {
      Run& run = single[static_cast<std::size_t>(i)]->start();
      for (long k = 0; k < steps; ++k) run.advance(1e6);
      ends[static_cast<std::size_t>(i)] = run.state().q()[0];
    }
  };
  EnsemblePlan plan{.end = step * static_cast<double>(steps), .step = step};
  double worst = 0;
  const auto together = [&](int lanes) {
    return [&, lanes] {
      EnsemblePlan of = plan;
      of.same_bits = lanes == 1;
      of.lanes = lanes == 1 ? 0 : lanes;
      const EnsembleResult result = ensemble.run(of);
      for (int i = 0; i < variants; ++i) {
        worst = std::max(worst,
                         std::abs(result.variants[static_cast<std::size_t>(i)].state.q()[0] - ends[static_cast<std::size_t>(i)]));
      }
    };
  };
  std::vector<std::function<void()>> sides{alone, together(1)};
  std::vector<std::string> names{"single runs", "ensemble, one by one (same bits)"};
  for (int lanes = 2; lanes <= widest_lanes(); lanes *= 2) {
    sides.push_back(together(lanes));
    names.push_back(fmt::format("ensemble, {} side by side", lanes));
  }
  const std::vector<double> t = best_of(150, sides);
  const double all = static_cast<double>(variants) * static_cast<double>(steps);
  for (std::size_t i = 0; i < t.size(); ++i) {
    fmt::print("| {} masses, {} variants | {} | {:.1f} ns | {:.2f} million | {:.1f} |\n", masses, variants, names[i],
               t[i] / all * 1e9, all / t[i] * 1e-6, t[0] / t[i]);
  }
  fmt::print("largest difference of a position: {:.1e} m\n", worst);
}

}  // namespace

int main() {
  fmt::print(
      "| model | how | per step of a variant | steps per second, all variants together | times as fast |\n|---|---|---|---|---|\n");
  report(1, 16, 1000);
  report(10, 16, 300);
  return 0;
}
