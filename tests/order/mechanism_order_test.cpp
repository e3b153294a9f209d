// Orders of every integrator, in every form, on mechanisms with joints and turning bodies. A new method enters by its line in kMethods.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "support/closed_forms.h"
#include "support/mechanisms.h"

namespace bristle {
namespace {

using namespace test;

struct Orders {
  Method method;
  int position, velocity, multiplier;
};
/// Multipliers belong to the end of the step: where the method does not solve for them they follow from position and velocity.
/// Radau IIA with three stages on index 3: Hairer, Lubich, Roche, "The Numerical Solution of Differential-Algebraic Systems by
/// Runge-Kutta Methods"; there the multipliers shown follow from position and velocity. Those of the energy schemes are means over the
/// step, half a step away from its end.
const std::vector<Orders> kMethods{{{"rk4", ""}, 4, 4, 4},
                                   {{"dormand_prince", ""}, 5, 5, 5},
                                   {{"trapezoidal", ""}, 2, 2, 2},
                                   {{"radau3", ""}, 3, 3, 3},
                                   {{"radau5", "index1"}, 5, 5, 5},
                                   {{"radau5", "index2"}, 5, 5, 5},
                                   {{"radau5", "index3"}, 3, 3, 3},
                                   {{"radau5", "ggl"}, 5, 5, 5},
                                   {{"generalized_alpha", "index3"}, 2, 2, 2},
                                   {{"generalized_alpha", "ggl"}, 2, 2, 2},
                                   {{"hht", "index3"}, 2, 2, 2},
                                   {{"hht", "ggl"}, 2, 2, 2},
                                   {{"newmark", "ggl"}, 2, 2, 2},
                                   {{"moreau_jean", ""}, 2, 2, 2},
                                   {{"energy_preserving", ""}, 2, 2, 1},
                                   {{"energy_decaying", ""}, 2, 2, 1}};

TEST(MechanismOrder, every_integrator_is_in_the_table) {
  std::set<std::string> names;
  for (const Orders& o : kMethods) names.insert(o.method.name);
  for (const std::string& name : integrators())
    EXPECT_TRUE(names.contains(name)) << name << ": add it to kMethods in " << __FILE__;
}

void check_orders(const char* problem, const System& system, const State& truth, double end, int first) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  for (const Orders& o : kMethods) {
    std::vector<Apart> error;
    const int coarsest = o.velocity >= 5 ? first / 2 : first;
    for (int n = coarsest; n <= 8 * coarsest; n *= 2) {
      error.push_back(apart(system, march(system, o.method, end, n), truth));
      if (error.size() > 2 && error.back().velocity < 1e-10) {  // Newton's tolerance and round-off are near
        error.pop_back();
        break;
      }
    }
    ASSERT_GE(error.size(), 2U) << problem << ", " << o.method.text();
    const Apart &a = error[error.size() - 2], &b = error.back();
    const double q = std::log2(a.position / b.position), v = std::log2(a.velocity / b.velocity),
                 lambda = std::log2(a.multiplier / b.multiplier);
    if (print) {
      fmt::print("{:12} {:32} position {:.2f} ({:.1e}), velocity {:.2f} ({:.1e}), multipliers {:.2f} ({:.1e})\n", problem,
                 o.method.text(), q, b.position, v, b.velocity, lambda, b.multiplier);
    }
    if (b.position > 1e-9) {
      EXPECT_GT(q, o.position - 0.35) << problem << ", " << o.method.text();
    }
    EXPECT_GT(v, o.velocity - 0.35) << problem << ", " << o.method.text();
    EXPECT_GT(lambda, o.multiplier - 0.45) << problem << ", " << o.method.text();
  }
}

TEST(MechanismOrder, of_a_pendulum_against_its_closed_form) {
  Trial trial(kSpatialPendulum);
  const System& system = trial.system();
  const double end = 1;
  const Pendulum pendulum = Pendulum::released(pendulum_frequency(), 0.5 * std::acos(-1.0));
  const State truth = march(system, {"dormand_prince", ""}, end, 2000);
  const double theta = pendulum.angle(end);
  // tolerance: round-off of two thousand steps
  EXPECT_NEAR(truth.q()[system.layout().frame_q(0)], kPendulumArm * std::sin(theta), 1e-12);
  EXPECT_NEAR(truth.q()[system.layout().frame_q(0) + 2], -kPendulumArm * std::cos(theta), 1e-12);
  check_orders("pendulum", system, truth, end, 40);
}

TEST(MechanismOrder, of_a_top) {
  Trial trial(kSpatialTop);
  check_orders("top", trial.system(), march(trial.system(), {"dormand_prince", ""}, 0.5, 3000), 0.5, 50);
}

TEST(MechanismOrder, of_the_spatial_slider_crank) {
  Trial trial(spatial_slider_crank());
  check_orders("slider crank", trial.system(), march(trial.system(), {"dormand_prince", ""}, 0.25, 3000), 0.25, 60);
}

}  // namespace
}  // namespace bristle
