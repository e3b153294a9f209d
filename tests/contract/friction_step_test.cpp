// Every friction law over steps of the energy schemes, much longer than what bristles need: Newton's method finds the step.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

/// A block that swings and comes to rest on its pad, with a light mass that rattles on it at 1000 rad/s.
std::string block(const std::string& law) {
  return R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 2 kg, position: 0.1 m, velocity: 0.3 m/s}, rider: {type: mass, mass: 0.1 kg, position: 0.15 m}}
forces: {s: {type: spring, on: block, stiffness: 300 N/m}, r: {type: spring, between: [block, rider], stiffness: 1e5 N/m}}
joints: {pad: {type: sliding, between: [ground, block], load: 10 N, friction: )yaml" +
         law + "}}\nanalysis: {type: transient, end: 2 s, integrator: {type: rk4, step: 1 ms}}\n";
}

/// The law with what it needs beyond its plain parameters: a refusal names a length that makes it one that steps can follow.
std::string followed(const std::string& name) {
  const std::string plain = plain_law(*friction_registry().find(name));
  try {
    Trial(block(plain), {"analysis.integrator={type: energy_decaying, step: 1 ms}"}).start();
  } catch (const InputError& e) {
    const std::string why = e.what();
    const std::size_t from = why.find('`'), to = why.find('`', from + 1);
    EXPECT_LT(to, why.size()) << why << ": no way out";
    return plain.substr(0, plain.size() - 1) + ", " + why.substr(from + 1, to - from - 1) + ": 0.1 mm}";
  }
  return plain;
}

class FrictionStep : public testing::TestWithParam<std::string> {};

TEST_P(FrictionStep, is_seldom_rejected) {
  const std::string law = followed(GetParam());
  for (const char* scheme : {"energy_decaying", "energy_preserving"}) {
    for (const double h : {1e-3, 1e-2}) {
      const std::string what = fmt::format("{} with {}, {} s", GetParam(), scheme, h);
      Trial trial(block(law), {fmt::format("analysis.integrator={{type: {}, step: {}, newton_tolerance: 1e-12}}", scheme, h)});
      bristle::Run& run = trial.start();
      ASSERT_TRUE(run.advance_to(2)) << what << ": " << run.message();
      const auto& counts = run.counts();
      std::printf("  steps  %-60s %5d, rejected %4d, iterations %6d, residual %.1e\n", what.c_str(),
                  static_cast<int>(counts.accepted), static_cast<int>(counts.rejected), static_cast<int>(counts.newton),
                  run.ledger().worst_residual() / run.ledger().scale());
      EXPECT_LE(counts.rejected, 0.05 * 2 / h) << what;
      EXPECT_LE(run.ledger().worst_residual(), 1e-9 * run.ledger().scale()) << what;
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const FrictionEntry& e : friction_registry().all()) list.push_back(e.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Every, FrictionStep, testing::ValuesIn(names()), [](const auto& law) { return law.param; });

}  // namespace
}  // namespace bristle
