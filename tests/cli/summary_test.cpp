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
  const int rejected = json["steps"]["rejected"], by_error = json["steps"]["rejected_by_error"];
  ASSERT_GT(by_error, 0);
  ASSERT_EQ(json["steps"]["rejected_by_newton"], 0);
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--no-report"});
  std::string told = std::to_string(rejected) + " rejected (" + std::to_string(by_error) + " by the error";
  told += rejected > by_error ? ", " + std::to_string(rejected - by_error) + " for other causes)" : ")";
  EXPECT_NE(ended.out.find(told), std::string::npos) << ended.out;
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
