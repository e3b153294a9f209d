// Buffers of a fixed size: what is larger is given room, or refused in a sentence.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "bristle/friction/register.h"
#include "bristle/input/yaml.h"
#include "bristle/integrate/integrator.h"
#include "bristle/model/reader.h"
#include "bristle/model/scope.h"
#include "bristle/place/random_stream.h"
#include "bristle/signal/bound_signal.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

TEST(FixedRoom, twelve_thousand_bodies_are_interpolated_inside_a_step) {
  // 144 000 numbers of the first-order form
  constexpr int n = 12000;
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  b{}: {{type: rigid, mass: 1 kg, inertia: [1, 1, 1], position: [{}, 0, 0], velocity: [0, {}, 0]}}\n",
                          i, i, 1 + i % 7);
  }
  Trial trial("bristle: 1\nbodies:\n" + bodies + "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}\n");
  auto& run = trial.start();
  ASSERT_TRUE(run.advance(1)) << run.message();
  State inside = run.state();
  run.interpolate(0.004, inside);
  const Layout& layout = trial.system().layout();
  for (int i = 0; i < n; ++i) ASSERT_NEAR(inside.q()[layout.frame_q(i) + 1], 0.004 * (1 + i % 7), 1e-15) << i;  // round-off
}

TEST(FixedRoom, laws_with_the_largest_memory_take_a_step_with_every_method) {
  for (const std::string law : {"{type: haessig_friedland, mu_kinetic: 0.3, sigma0: 1e3 1/m, bonds: 40}",
                                "{type: parallel_series_iwan, mu_kinetic: 0.3, stiffness: 1e3 1/m, elements: 40}"}) {
    const std::string text = fmt::format(
        "bristle: 1\nbodies:\n  x: {{type: mass, mass: 1 kg, velocity: 0.3 m/s}}\n  y: {{type: mass, mass: 1 kg}}\n  z: {{type: "
        "mass, mass: 1 kg, velocity: -0.1 m/s}}\njoints:\n  pad: {{type: sliding, between: [[ground, ground, ground], [x, y, z]], load: 3 "
        "N, friction: {}}}\nanalysis: {{type: transient, end: 1 s, integrator: {{type: rk4, step: 0.1 ms}}}}\n",
        law);
    for (const std::string& name : integrators()) {
      Trial trial(text, {setting(name, 1e-4, 1e-6)});
      auto& run = trial.start();
      EXPECT_TRUE(run.advance_to(5e-4)) << name << ": " << run.message();
      EXPECT_LT(run.state().v()[0], 0.3) << name;  // it rubs
    }
  }
}

/// Asks for as many vectors of memory as its parameter says.
struct Hoard {
  int vectors_asked = 1;
  static constexpr int kMarks = 0;
  void visit(Visitor& v) { v.integer("count", vectors_asked, 1, 1000, "vectors of memory"); }
  int vectors() const { return vectors_asked; }
  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T* zdot) const {
    F = p.slip;
    for (int i = 0; i < D * vectors_asked; ++i) zdot[i] = T(0);
  }
  template <int D>
  double holding(const Patch<D>&, const double*) const {
    return 0;
  }
};

TEST(FixedRoom, a_law_that_asks_for_more_memory_than_there_is_room_for_is_refused_with_both_numbers) {
  FrictionRegistry registry("friction");
  add_law<Hoard>(registry, "hoard", "for this test");
  const auto refusal = [&](int count, bool three) -> std::string {
    const Node node = read_yaml_text(fmt::format("count: {}\n", count), "m.yaml");
    const ParameterScope none;
    Reader reader(node, none, {"joint 'pad': friction 'hoard'", {}});
    try {
      if (three) registry.find("hoard")->make3(reader);
      else registry.find("hoard")->make1(reader);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(128, false), "");
  EXPECT_EQ(refusal(42, true), "");
  const std::string said = refusal(43, true);
  for (const char* part : {"m.yaml:1:", "joint 'pad': friction 'hoard'", "129", "3 components", "128", "fewer"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
}

TEST(FixedRoom, an_expression_bound_to_too_many_readings_is_refused) {
  std::vector<Signal::Op> tape;
  std::vector<Signal::Input> inputs;
  std::vector<BoundSignal::Reading> readings;
  for (int i = 0; i <= BoundSignal::kMaxReadings; ++i) {
    Signal::Op op;
    op.code = Signal::Op::Code::input;
    op.a = i;
    tape.push_back(op);
    inputs.emplace_back();
    readings.emplace_back();
  }
  EXPECT_THROW(BoundSignal(Signal(tape, inputs, ""), readings), std::length_error);
}

TEST(RandomStreams, of_two_places_are_never_the_same) {
  std::set<int> seen;
  for (int components = 1; components <= 3; ++components) {
    for (const bool in_space : {false, true}) {
      for (int number = 0; number < 20000; ++number)
        ASSERT_TRUE(seen.insert(random_stream(components, in_space, number)).second)
            << components << (in_space ? " components in space, number " : " components, number ") << number;
    }
  }
}

TEST(RandomStreams, of_the_first_places_are_those_that_published_figures_were_made_with) {
  EXPECT_EQ(random_stream(1, false, 7), 1007);
  EXPECT_EQ(random_stream(2, true, 499), 2999);
}

TEST(RandomStreams, differ_from_place_to_place_in_a_model_of_many) {
  // 501 blocks on scalar coordinates and one in space: the number of the stream is the first mark of the law
  const std::string law = "{type: haessig_friedland, mu_kinetic: 0.3, sigma0: 1e3 1/m, bonds: 1}";
  std::string bodies = "  stone: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}\n",
              joints =
                  "  guide: {type: prismatic, between: [ground, stone], at: [0, 0, 0], width: 0.1 m, preload: 1 N, friction: " +
                  law + "}\n";
  for (int i = 0; i < 501; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: 1 kg}}\n", i);
    joints += fmt::format("  p{0}: {{type: sliding, between: [ground, m{0}], load: 1 N, friction: {1}}}\n", i, law);
  }
  Trial trial("bristle: 1\nbodies:\n" + bodies + "joints:\n" + joints +
              "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}\n");
  const State x = trial.system().make_state();
  std::multiset<double> streams;
  for (int k = 0; k < x.sizes().marks; ++k) {
    if (x.marks()[k] >= 1000) streams.insert(x.marks()[k]);
  }
  ASSERT_EQ(streams.size(), 502U);
  EXPECT_EQ(std::set<double>(streams.begin(), streams.end()).size(), 502U);
}

}  // namespace
}  // namespace bristle
