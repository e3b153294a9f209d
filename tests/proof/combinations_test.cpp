// Proof 4: every integrator runs every kind of law, at one place and at several, along a line and in the plane.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/models.h"
#include "support/numbers.h"
#include "support/sanitized.h"

namespace bristle {
namespace {

using namespace test;

/// n places, each under a mass on springs that a force drives to and fro (and round, in the plane).
std::string machine(int n, int D, const std::string& law) {
  std::string bodies, forces, joints;
  for (int i = 1; i <= n; ++i) {
    std::string ends;
    for (int d = 0; d < D; ++d) {
      const char axis = "xyz"[d];
      const std::string name = fmt::format("{}{}", axis, i);
      bodies += fmt::format("  {}: {{type: mass, mass: 1 kg, velocity: {} m/s}}\n", name, d == 0 ? 0.1 : 0.05);
      const std::string before = i == 1 ? "ground" : fmt::format("{}{}", axis, i - 1);
      forces +=
          fmt::format("  s{}: {{type: spring, between: [{}, {}], stiffness: 50 N/m, damping: 0.1 N s/m}}\n", name, before, name);
      if (i == 1)
        forces += fmt::format("  f{}: {{type: load, on: {}, force: \"1.5*{}(8*t)\"}}\n", name, name, d == 0 ? "sin" : "cos");
      ends += (d ? ", " : "") + name;
    }
    const std::string ground = D == 1 ? "ground" : D == 2 ? "[ground, ground]" : "[ground, ground, ground]";
    joints += fmt::format("  p{}: {{type: sliding, between: [{}, {}], load: 1 N, friction: {}}}\n", i, ground,
                          D == 1 ? ends : "[" + ends + "]", law);
  }
  return "bristle: 1\nbodies:\n" + bodies + "forces:\n" + forces + "joints:\n" + joints +
         "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";
}

struct End {
  std::vector<double> position;
  double residual = 0;  ///< of the ledger, over the energy involved
  double mean_speed = 0;
};

End run_to(const std::string& text, const std::string& integrator, double end, const std::string& what) {
  Trial trial(text, {integrator});
  auto& run = trial.start();
  End out;
  while (run.state().t < end) {
    if (!run.advance(end)) {
      ADD_FAILURE() << what << ": " << run.message();
      break;
    }
  }
  const Layout& layout = trial.system().layout();
  for (double x : run.state().numbers()) EXPECT_TRUE(std::isfinite(x)) << what;
  out.position.assign(run.state().q(), run.state().q() + layout.scalars);
  out.residual = run.ledger().worst_residual() / run.ledger().scale();
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(Combinations, every_integrator_runs_the_five_spanning_laws_at_one_and_three_places_in_one_and_two_dimensions) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  const double until = kSanitized ? 0.25 : 1;  // [s]
  for (const auto& [name, law] : spanning_laws()) {
    // flags, clips in the plane and delay lines change at the ends of steps: half a millisecond at 0.1 m/s is 50 um, and all such
    // laws are good to a few of these; the others to the order of the method
    const bool steps = name != "coulomb" && name != "lugre";
    for (int places : {1, 3}) {
      for (int D : {1, 2}) {
        const std::string text = machine(places, D, law);
        // no step longer than half a millisecond: flags and clips change between steps only
        const End reference =
            run_to(text, "analysis.integrator={type: radau5, tolerance: 1e-9, step: 0.05 ms}", until, name + " reference");
        std::vector<std::string> methods = integrators(true);
        if (name != "coulomb") methods.push_back("moreau_jean");  // which takes jumps at rest from rigid contacts alone
        for (const std::string& integrator : methods) {
          const std::string what = fmt::format("{}, {}, {} places, {}-D", integrator, name, places, D);
          const std::string set = fmt::format("analysis.integrator={{type: {}, step: 0.5 ms{}}}", integrator,
                                              controls_error(integrator) ? ", tolerance: 1e-7" : "");
          const End end = run_to(text, set, until, what);
          const double off = distance(end.position, reference.position);
          if (print) fmt::print("{:60} off {:.2e} residual {:.2e}\n", what, off, end.residual);
          // a delayed law lets go one step earlier or later
          const bool second = second_order(integrator) || integrator == "moreau_jean";
          // where nothing locates a switch of a dry place it falls within its step, too
          const bool within = steps || (name == "coulomb" && !locates(integrator));
          EXPECT_LT(off, name == "seven_parameter" ? 1e-3 : within ? 2.5e-4 : 1e-6) << what;
          // a delay line moves in every step, after which CVODE starts anew with its first order
          const double cvode = name == "seven_parameter" ? 1e-3 : 2e-4;
          EXPECT_LT(end.residual, integrator == "cvode" ? cvode : second ? 1e-5 : 5e-6) << what;
        }
      }
    }
  }
}

TEST(Combinations, every_registered_law_runs_with_an_explicit_and_an_implicit_integrator) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  for (const FrictionEntry& entry : friction_registry().all()) {
    for (int D : {1, 2, 3}) {
      const std::string text = machine(1, D, plain_law(entry));
      for (const char* integrator : {"rk4", "radau5"}) {
        const std::string what = fmt::format("{}, {}, {}-D", integrator, entry.name, D);
        // bristles of 1e5 1/m at 0.1 m/s have rates of 1e5 1/s: explicit steps must be below 2.8e-5 s
        const End end = run_to(text, setting(integrator, 1e-5, 1e-6), 0.1, what);
        if (print) fmt::print("{:60} x {:.6f} residual {:.2e}\n", what, end.position[0], end.residual);
        for (double x : end.position) EXPECT_LT(std::abs(x), 0.2) << what << ": a driven oscillator does not run away";
        // round-off and the order of rk4 at a tenth of what the bristles need; a tenth of the tolerance
        EXPECT_LT(end.residual, std::string(integrator) == "rk4" ? 1e-8 : 1e-7) << what;
      }
    }
  }
}

}  // namespace
}  // namespace bristle
