// Forces that drive back to their own jump: no motion goes on from there but along the jump, which an expression cannot hold.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/record/memory_sink.h"
#include "bristle/signal/decisions.h"
#include "bristle/signal/parse.h"
#include "bristle/study/study.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

std::vector<std::string> locating_methods(double tolerance) {
  std::vector<std::string> list;
  for (const char* type :
       {"dormand_prince", "radau5", "radau5, form: index2", "generalized_alpha", "energy_preserving", "energy_decaying"})
    list.push_back(fmt::format("{{type: {}, tolerance: {}}}", type, tolerance));
  if (integrator_registry().find("cvode") != nullptr) list.push_back(fmt::format("{{type: cvode, tolerance: {}}}", tolerance));
  return list;
}

std::string driven_mass(const std::string& force, const std::string& start, const std::string& more = "") {
  return fmt::format(
      "bristle: 1\nbodies: {{m: {{type: mass, mass: 1 kg, {}}}}}\nforces: {{f: {{type: load, on: m, force: \"{}\"}}}}\n{}"
      "analysis: {{type: transient, end: 10 s, integrator: dormand_prince}}\n",
      start, force, more);
}

TEST(DecisionText, is_the_number_that_tells) {
  const auto text = [](const char* expression, std::size_t which = 0) {
    const Scope scope;
    return describe_decision(parse_signal(expression, scope, {}), which).number;
  };
  EXPECT_EQ(text("-5*sign(x.velocity)"), "x.velocity");
  EXPECT_EQ(text("if(x.velocity > 0, 1, 2)"), "x.velocity");
  EXPECT_EQ(text("if(0.2 < x.velocity, 1, 2)"), "0.2 - x.velocity");
  EXPECT_EQ(text("sign(x.position + 0.2*(x.velocity - 3))"), "x.position + 0.2*(x.velocity - 3)");
  EXPECT_EQ(text("max(x.position - 1, -(x.velocity + t))"), "x.position - 1 - (-(x.velocity + t))");
  EXPECT_EQ(text("floor(x.position/0.1)"), "x.position/0.1");
  EXPECT_EQ(text("abs(sin(x.position)^2)"), "sin(x.position)^2");
}

TEST(Chatter, of_a_force_that_comes_to_rest_on_its_jump_ends_in_a_sentence_that_names_it) {
  struct Case {
    const char *force, *start;
    double t;  // [s] from when on
    const char *place, *way_out;
  };
  const Case cases[] = {
      {"3 - 5*sign(m.velocity)", "velocity: 1 m/s", 0.5, "about zero of m.velocity:", "friction: coulomb"},
      {"-5*sign(m.velocity)", "velocity: 1 m/s", 0.2, "about zero of m.velocity:", "friction: coulomb"},
      {"2 - 4*if(m.velocity > 0.1, 1, -1)", "velocity: 0.5 m/s", 0.2, "about zero of m.velocity - 0.1:", "friction: coulomb"},
      {"7.5 - 5*floor(m.velocity*10)", "velocity: 0.25 m/s", 0.02, "about m.velocity*10 = 2:", "over a finite width"},
      // x + v = 0 from 1 m, 0 m/s under -4 N: x = 1 - 2 t^2, v = -4 t
      {"-4*sign(m.position + m.velocity)", "position: 1 m", 0.5 * (std::sqrt(6.0) - 2),
       "about zero of m.position + m.velocity:", "tanh((m.position + m.velocity)/eps)"},
  };
  for (const Case& c : cases) {
    for (double tolerance : {1e-4, 1e-6, 1e-9}) {
      for (const std::string& method : locating_methods(tolerance)) {
        Trial trial(driven_mass(c.force, c.start), {"analysis.integrator=" + method});
        auto& run = trial.start();
        ASSERT_FALSE(run.advance_to(10)) << method << " " << c.force;
        const std::string& said = run.message();
        EXPECT_NE(said.find("force 'f' ("), std::string::npos) << method << " " << c.force << ": " << said;
        EXPECT_NE(said.find(c.place), std::string::npos) << method << ": " << said;
        EXPECT_NE(said.find(c.way_out), std::string::npos) << method << ": " << said;
        EXPECT_NEAR(run.state().t, c.t, 30 * std::pow(tolerance, 2.0 / 3)) << method << " " << c.force;
        EXPECT_LT(run.counts().accepted, 20000) << method << " " << c.force;
      }
    }
  }
}

TEST(Chatter, that_dies_down_about_a_jump_ends_in_rest_or_a_sentence) {
  for (const std::string& method : locating_methods(1e-6)) {
    Trial trial(driven_mass("-4*sign(m.position) - 8*m.velocity", "position: 1 m"), {"analysis.integrator=" + method});
    auto& run = trial.start();
    // by then its speed is some millionths of a metre per second, or so small that nobody tells
    if (run.advance_to(8)) EXPECT_NEAR(run.state().q()[0], 0, 1e-5) << method;
    else EXPECT_NE(run.message().find("about zero of m.position"), std::string::npos) << method << ": " << run.message();
    EXPECT_GT(run.state().t, 4) << method;
  }
}

TEST(Chatter, is_not_seen_in_a_spring_with_a_corner) {
  for (const std::string& method : locating_methods(1e-6)) {
    Trial trial(driven_mass("-if(m.position > 0, 100, 50)*m.position - 2*m.velocity", "position: 1 m"),
                {"analysis.integrator=" + method});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(60)) << method << ": " << run.message();
    EXPECT_NEAR(run.state().q()[0], 0, 1e-8) << method;
  }
}

TEST(Chatter, of_fixed_steps_is_told) {
  const auto notes = [](const std::string& force, const std::string& method) {
    Study study(read_model_text(driven_mass(force, "velocity: 1 m/s"), "m.yaml",
                                std::vector<std::string>{"analysis.integrator=" + method, "analysis.end=2"}));
    MemorySink results;
    std::string all;
    const auto result = study.run(results);
    for (const std::string& note : result->notes) all += note + "\n";
    return all;
  };
  for (const char* method : {"rk4", "trapezoidal", "radau3", "generalized_alpha", "moreau_jean"}) {
    const std::string with = fmt::format("{{type: {}, step: 1 ms}}", method);
    EXPECT_NE(notes("3 - 5*sign(m.velocity)", with).find("chatters about zero of m.velocity"), std::string::npos)
        << method << ": " << notes("3 - 5*sign(m.velocity)", with);
    EXPECT_EQ(notes("-100*m.position - 5*sign(m.position)", with).find("chatters"), std::string::npos) << method;
  }
}

}  // namespace
}  // namespace bristle
