// Every dry law of the registry in one, two and three directions, with every method: along a straight line, whatever its direction, a block starts,
// slides and stops as it does in one, and as closed forms say.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;
using Direction = std::array<double, 3>;

constexpr double kLoad = 10;  // [N]

/// A block of 1 kg as D scalar coordinates, thrown and pulled along a direction.
std::string block(const std::string& law, int D, const Direction& e, double speed, double pull) {
  std::string bodies, forces, ends, ground;
  for (int d = 0; d < D; ++d) {
    const char axis = "xyz"[d];
    const double along = e[static_cast<std::size_t>(d)];
    bodies += fmt::format("  {}: {{type: mass, mass: 1 kg, velocity: {:.17g}}}\n", axis, speed * along);
    forces += fmt::format("  f{0}: {{type: load, on: {0}, force: {1:.17g}}}\n", axis, pull * along);
    ends += fmt::format("{}{}", d > 0 ? ", " : "", axis);
    ground += d > 0 ? ", ground" : "ground";
  }
  if (D > 1) ends = "[" + ends + "]", ground = "[" + ground + "]";
  return fmt::format(
      "bristle: 1\nbodies:\n{}forces:\n{}joints: {{pad: {{type: sliding, between: [{}, {}], load: {} N, friction: {}}}}}\n"
      "analysis: {{type: transient, end: 1 s, integrator: radau5}}\n",
      bodies, forces, ground, ends, kLoad, law);
}

struct Motion {
  double way = 0, speed = 0;  ///< along the direction
  double across = 0;          ///< largest way across it
  bool rests = false;
};

Motion move(const std::string& law, int D, const Direction& e, double speed, double pull, double end, const std::string& set) {
  Trial trial(block(law, D, e, speed, pull), {set});
  auto& run = trial.start();
  EXPECT_TRUE(run.advance_to(end)) << law << ", " << set << ", " << D << "-D: " << run.message();
  const State& x = run.state();
  Motion m;
  for (int d = 0; d < D; ++d)
    m.way += x.q()[d] * e[static_cast<std::size_t>(d)], m.speed += x.v()[d] * e[static_cast<std::size_t>(d)];
  for (int d = 0; d < D; ++d) m.across = std::max(m.across, std::abs(x.q()[d] - m.way * e[static_cast<std::size_t>(d)]));
  m.rests = !run.modes().empty() && run.modes()[0] == Mode::stick;
  return m;
}

Direction unit(Direction e, int D) {
  double size = 0;
  for (int d = 0; d < D; ++d) size += e[static_cast<std::size_t>(d)] * e[static_cast<std::size_t>(d)];
  for (double& x : e) x /= std::sqrt(size);
  return e;
}

const std::array<Direction, 5> kDirections{{{1, 0, 0}, {0.6, -0.8, 0.3}, {-0.1, 0.2, -0.9}, {-0.7, -0.7, 0.1}, {1e-3, 1, 0.5}}};

void compare(const std::vector<std::string>& methods, std::size_t directions) {
  struct Case {
    double speed, pull, end;
  };
  int laws = 0;
  for (const FrictionEntry& entry : friction_registry().all()) {
    Describer d;
    if (entry.make1(d)->set_valued() == nullptr) continue;
    ++laws;
    std::string law = plain_law(entry);
    if (entry.name == "wedge")
      law.insert(law.size() - 1, ", rounding: 1 mm");  // swings about a sharp bottom never end, as its page says
    for (const std::string& method : methods) {
      const std::string set = setting(method, 1e-3, 1e-7);
      // limits are 1 to 1.5 N: thrown and stopped, held, started, pulled on while it slides
      for (const Case& c :
           {Case{0.2, 0.3, 0.5}, Case{0, 0.4, 0.1}, Case{0, 12, 0.1}, Case{0.1, 2.5, 0.1}, Case{0.2, -0.8, 0.25}}) {
        const Motion line = move(law, 1, {1, 0, 0}, c.speed, c.pull, c.end, set);
        for (int D = 2; D <= 3; ++D) {
          for (std::size_t k = 0; k < directions; ++k) {
            const Motion got = move(law, D, unit(kDirections[k], D), c.speed, c.pull, c.end, set);
            const std::string what = fmt::format("{}, {}, {}-D, direction {}, thrown at {} m/s, pulled by {} N", entry.name,
                                                 method, D, k, c.speed, c.pull);
            // a tolerance of 1e-7 in each of a hundred steps, which differ where several components are weighed
            EXPECT_NEAR(got.way, line.way, 1e-6 + 1e-5 * std::abs(line.way)) << what;
            EXPECT_NEAR(got.speed, line.speed, 1e-5) << what;
            EXPECT_LT(got.across, 1e-7 + 1e-6 * std::abs(line.way)) << what;
            EXPECT_EQ(got.rests, line.rests) << what;
          }
        }
      }
    }
  }
  EXPECT_GE(laws, 10);
}

TEST(DryLaws, slide_and_stop_in_three_directions_as_closed_forms_say) {
  // constant sliding friction F: v0 t - (F - P) t^2/2 until it stops; with a viscous part c the speed falls to -F/c by exp(-c t)
  struct Law {
    const char* text;
    double friction, viscous;  // [N], [N s/m]
  };
  for (const Law& law :
       {Law{"{type: coulomb, mu_kinetic: 0.2}", 2, 0}, Law{"{type: stiction, mu_kinetic: 0.2, mu_static: 0.3}", 2, 0},
        Law{"{type: two_term_coulomb, mu_kinetic: 0.15, adhesion: 0.5 N}", 2, 0},
        Law{"{type: viscous, mu_kinetic: 0.2, viscosity: 0.3}", 2, 3}}) {
    for (const std::string& method : integrators(true)) {
      for (const Direction& e : kDirections) {
        for (double t : {0.1, 0.3}) {
          const double v0 = 0.5, c = law.viscous, F = law.friction;
          const double end = std::min(t, c > 0 ? std::log1p(c * v0 / F) / c : v0 / F);  // it stands from there on
          const double way = c > 0 ? (v0 + F / c) * (1 - std::exp(-c * end)) / c - F / c * end : (v0 - 0.5 * F * end) * end;
          const Motion m = move(law.text, 3, unit(e, 3), v0, 0, t, setting(method, 1e-3, 1e-8));
          EXPECT_NEAR(m.way, way, 2e-6) << law.text << ", " << method << ", " << t;  // methods of order two: h^2 v0 c/12
          EXPECT_LT(m.across, 1e-9) << law.text << ", " << method << ", " << t;
          EXPECT_EQ(m.rests, end < t) << law.text << ", " << method << ", " << t;
        }
      }
    }
  }
}

TEST(DryLaws, do_the_same_along_every_line) { compare({"dormand_prince", "rk4", "radau5", "energy_decaying"}, 2); }

TEST(DryLaws, LongDoTheSameAlongEveryLineWithEveryMethod) { compare(integrators(true), kDirections.size()); }

}  // namespace
}  // namespace bristle
