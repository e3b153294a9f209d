// What `bristle run` tells at its end, for people and for programs.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace bristle::test {
namespace {

/// A block that is shaken on dry ground: every start and stop is located, and steps over the jumps of its rate are rejected.
const char* const kShaken = R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, velocity: 0.3 m/s}}
forces:
  spring: {type: spring, on: block, stiffness: 40 N/m}
  push: {type: load, on: block, force: "4*sin(5*t) + 3*max(0, sin(40*t))"}
joints: {pad: {type: sliding, on: block, load: 10 N, friction: {type: stiction, mu_kinetic: 0.2, mu_static: 0.3}}}
analysis: {type: transient, end: 2 s, integrator: {type: dormand_prince, tolerance: 1e-8}}
)yaml";

TEST(ProgramSummary, names_the_cause_of_rejected_steps) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kShaken);
  const auto json = nlohmann::json::parse(bristle_in(scratch, {"run", "model.yaml", "--json", "--no-report"}).out);
  const auto& causes = json["steps"]["rejected_by"];
  const int rejected = json["steps"]["rejected"];
  ASSERT_GT(causes.value("error", 0), 0);
  int sum = 0;
  for (const auto& [cause, count] : causes.items()) sum += count.get<int>();
  EXPECT_EQ(sum, rejected) << causes;
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--no-report"});
  const std::string told =
      std::to_string(rejected) + " rejected (" + std::to_string(causes["error"].get<int>()) + ": local error";
  EXPECT_NE(ended.out.find(told), std::string::npos) << ended.out;
}

TEST(ProgramSummary, names_causes_of_rejected_steps_that_are_neither_error_nor_newton) {
  Scratch scratch;
  write_text(scratch / "model.yaml", R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg}}
forces: {push: {type: load, on: block, force: "6*sin(5*t)"}}
joints: {pad: {type: sliding, on: block, load: 10 N, friction: {type: iwan, mu_kinetic: 0.3, stiffness: 1e3}}}
analysis: {type: transient, end: 2 s, integrator: {type: dormand_prince, tolerance: 1e-6}}
)yaml");
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--no-report"});
  EXPECT_NE(ended.out.find(": the memory of a friction law changes its course inside the step"), std::string::npos) << ended.out;
  const auto json = nlohmann::json::parse(bristle_in(scratch, {"run", "model.yaml", "--json", "--no-report"}).out);
  EXPECT_GT(json["steps"]["rejected_by"].value("memory", 0), 0) << json["steps"];
}

TEST(ProgramSummary, has_the_processor_time_in_its_json) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kShaken);
  const auto json = nlohmann::json::parse(bristle_in(scratch, {"run", "model.yaml", "--json", "--no-report"}).out);
  ASSERT_TRUE(json.contains("processor_time"));
  EXPECT_GT(json["processor_time"].get<double>(), 0);
}

TEST(ProgramSummary, has_the_failed_check_in_the_message_of_its_json) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kShaken + std::string("check: {energy: 1e-18}\n"));
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--json", "--no-report"});
  EXPECT_EQ(ended.code, 4);
  const auto json = nlohmann::json::parse(ended.out);
  EXPECT_EQ(json["exit_code"], 4);
  const std::string message = json["message"];
  EXPECT_TRUE(message.starts_with("check: energy: the residual of the ledger is ")) << message;
  EXPECT_NE(ended.err.find(message), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace bristle::test
