// The folder of a run holds one run: nothing is mixed with results of another one, and nothing of the user's is lost.
#include <csignal>

#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

constexpr const char* kOscillator = R"yaml(bristle: 1
title: oscillator
bodies:
  block: {type: mass, mass: 1 kg, position: 1 m}
forces:
  spring: {type: spring, between: [ground, block], stiffness: 1 N/m}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}
)yaml";

/// Takes minutes.
const std::vector<std::string> kLong = {"--set", "analysis.integrator.step=2 us", "--set", "analysis.end=500 s", "--quiet"};

std::vector<std::string> long_run(const std::string& model, const std::string& out) {
  std::vector<std::string> arguments = {"run", model, "--out", out};
  arguments.insert(arguments.end(), kLong.begin(), kLong.end());
  return arguments;
}

void wait_for(Process& process, const fs::path& file) {
  while (process.running() && !fs::exists(file)) sleep_for(0.005);
}

/// A run in `out` that was stopped and can be resumed.
void stop_a_run(const Scratch& scratch, const std::string& model, const std::string& out, int signal = SIGINT) {
  Process process(with_program(long_run(model, out)), scratch.path());
  wait_for(process, scratch / (out + "/run.h5"));
  sleep_for(0.1);
  process.signal(signal);
  const Ended ended = process.wait();
  ASSERT_EQ(ended.code, 5) << ended.err;
  ASSERT_TRUE(fs::exists(scratch / (out + "/checkpoint.bin")));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "'");
  return text.replace(at, from.size(), to);
}

void expect_refused(const Ended& ended, const char* why) {
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_NE(ended.err.find(why), std::string::npos) << ended.err;
}

TEST(RunFolder, that_is_busy_is_refused_before_anything_changes) {
  Scratch scratch;
  write_text(scratch / "one.yaml", kOscillator);
  write_text(scratch / "two.yaml", replaced(kOscillator, "1 N/m", "2 N/m"));
  Process first(with_program(long_run("one.yaml", "out")), scratch.path());
  wait_for(first, scratch / "out/run.h5");
  const std::string kept = read_text(scratch / "out/model.yaml");
  expect_refused(bristle_in(scratch, {"run", "two.yaml", "--out", "out"}), "another run is writing");
  expect_refused(bristle_in(scratch, {"run", "two.yaml", "--out", "out", "--set", "analysis={type: modes}"}),
                 "another run is writing");
  EXPECT_EQ(read_text(scratch / "out/model.yaml"), kept);
  EXPECT_FALSE(fs::exists(scratch / "out/modes.json"));
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().code, 5);
  EXPECT_TRUE(fs::exists(scratch / "out/checkpoint.bin"));
  // of two that resume, one goes on and the other is refused, whichever comes first
  Process one(with_program({"resume", "out", "--quiet"}), scratch.path());
  Process other(with_program({"resume", "out", "--quiet"}), scratch.path());
  for (int i = 0; i < 6000 && one.running() && other.running(); ++i) sleep_for(0.01);
  Process& refused = one.running() ? other : one;
  Process& going = one.running() ? one : other;
  ASSERT_FALSE(refused.running());
  expect_refused(refused.wait(), "another run is writing");
  EXPECT_TRUE(going.running());
  going.signal(SIGINT);
  going.wait();
}

TEST(RunFolder, is_resumed_with_its_own_model_only) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kOscillator);
  stop_a_run(scratch, "model.yaml", "out");
  const std::string kept = read_text(scratch / "out/model.yaml"), result = read_text(scratch / "out/run.h5");
  write_text(scratch / "out/model.yaml", replaced(kept, "1 N/m", "2 N/m"));
  expect_refused(bristle_in(scratch, {"resume", "out"}), "not the model that out/run.h5 was run with");
  write_text(scratch / "out/model.yaml",
             replaced(kept, "forces:\n", "  other: {type: mass, mass: 1 kg}\nforces:\n"));  // more channels
  expect_refused(bristle_in(scratch, {"resume", "out"}), "not the model that out/run.h5 was run with");
  EXPECT_EQ(read_text(scratch / "out/run.h5"), result);
  write_text(scratch / "out/model.yaml", kept);
  Process resumed(with_program({"resume", "out", "--quiet"}), scratch.path());
  sleep_for(0.5);
  EXPECT_TRUE(resumed.running());
  resumed.signal(SIGINT);
  resumed.wait();
}

TEST(RunFolder, is_resumed_with_its_own_checkpoint_only) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kOscillator);
  stop_a_run(scratch, "model.yaml", "one");
  stop_a_run(scratch, "model.yaml", "two");
  fs::copy_file(scratch / "two/checkpoint.bin", scratch / "one/checkpoint.bin", fs::copy_options::overwrite_existing);
  expect_refused(bristle_in(scratch, {"resume", "one"}), "another run");
}

TEST(RunFolder, has_the_results_of_its_model_alone) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kOscillator);
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out"}).code, 0);
  const std::string kept = read_text(scratch / "out/model.yaml"), result = read_text(scratch / "out/run.h5");
  EXPECT_EQ(kept, kOscillator);
  EXPECT_EQ(command_in(scratch, {"/bin/sh", "-c", "cd out && sha256sum -c model.sha256"}).code, 0);
  // what is refused, also by what is put together behind the reader, and what fails before it writes, leaves it as it was
  const auto unchanged = [&] {
    EXPECT_EQ(read_text(scratch / "out/model.yaml"), kept);
    EXPECT_EQ(read_text(scratch / "out/run.h5"), result);
    EXPECT_TRUE(fs::exists(scratch / "out/report.html"));
  };
  EXPECT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--set", "bodies.block.mass=-1 kg"}).code, 2);
  unchanged();
  EXPECT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--set", "analysis={type: kinematics, end: 1 s}"}).code, 2);
  // an analysis of another kind
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--set", "analysis={type: modes}"}).code, 0);
  EXPECT_FALSE(fs::exists(scratch / "out/run.h5"));
  EXPECT_FALSE(fs::exists(scratch / "out/report.html"));
  EXPECT_TRUE(fs::exists(scratch / "out/modes.json"));
  // a run that fails
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out"}).code, 0);
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--no-report", "--set",
                                 "forces.push={type: load, on: block, force: \"sqrt(0.5 - t)\"}"})
                .code,
            3);
  EXPECT_FALSE(fs::exists(scratch / "out/modes.json"));
  EXPECT_FALSE(fs::exists(scratch / "out/report.html"));
  const RunFile failed = read_run((scratch / "out").string(), {});
  EXPECT_EQ(failed.status.end, RunStatus::End::failed);
  EXPECT_EQ(failed.header.model_text, read_text(scratch / "out/model.yaml"));
}

TEST(RunFolder, of_a_model_with_includes_stands_alone) {
  Scratch scratch;
  fs::create_directories(scratch / "models/parts");
  write_text(scratch / "models/parts/spring.yaml",
             "forces:\n  spring: {type: spring, between: [ground, block], stiffness: 1 N/m}\n");
  write_text(scratch / "models/model.yaml", R"yaml(bristle: 1
include: parts/spring.yaml
bodies:
  block: {type: mass, mass: 1 kg, position: 1 m}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}
)yaml");
  const Ended ended = bristle_in(scratch, {"run", "models/model.yaml", "--out", "out", "--quiet"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  stop_a_run(scratch, "models/model.yaml", "stopped");
  fs::remove_all(scratch / "models");
  Process resumed(with_program({"resume", "stopped", "--quiet"}), scratch.path());
  sleep_for(0.5);
  EXPECT_TRUE(resumed.running());
  resumed.signal(SIGINT);
  EXPECT_EQ(resumed.wait().code, 5);
}

TEST(RunFolder, is_tied_to_the_meshes_of_its_model) {
  Scratch scratch;
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  write_text(scratch / "part.obj", tetrahedron);
  write_text(scratch / "model.yaml", R"yaml(bristle: 1
bodies:
  part: {type: rigid, density: 1000 kg/m^3, shape: {type: mesh, file: part.obj}}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}
)yaml");
  stop_a_run(scratch, "model.yaml", "out");
  write_text(scratch / "part.obj", replaced(tetrahedron, "v 0 0 1", "v 0 0 2"));
  expect_refused(bristle_in(scratch, {"resume", "out"}), "part.obj");
}

TEST(RunFolder, never_costs_the_user_a_file) {
  Scratch scratch;
  write_text(scratch / "x.yaml", kOscillator);
  write_text(scratch / "model.yaml", "# mine\n");
  expect_refused(bristle_in(scratch, {"run", "x.yaml", "-o", "."}), "model.yaml");
  EXPECT_EQ(read_text(scratch / "model.yaml"), "# mine\n");
  EXPECT_FALSE(fs::exists(scratch / "run.h5"));
  write_text(scratch / "model.yaml", kOscillator);
  expect_refused(bristle_in(scratch, {"run", "model.yaml", "-o", "."}), "overwrite the model itself");
  EXPECT_EQ(read_text(scratch / "model.yaml"), kOscillator);
  // a kept model that was edited is the user's
  ASSERT_EQ(bristle_in(scratch, {"run", "x.yaml", "--out", "out"}).code, 0);
  const std::string edited = read_text(scratch / "out/model.yaml") + "# edited\n";
  write_text(scratch / "out/model.yaml", edited);
  expect_refused(bristle_in(scratch, {"run", "x.yaml", "--out", "out"}), "changed");
  EXPECT_EQ(read_text(scratch / "out/model.yaml"), edited);
  EXPECT_EQ(read_run((scratch / "out").string(), {}).status.end, RunStatus::End::finished);
  // a report that no run has written
  fs::create_directory(scratch / "papers");
  write_text(scratch / "papers/report.html", "mine");
  expect_refused(bristle_in(scratch, {"run", "x.yaml", "--out", "papers"}), "report.html");
  EXPECT_EQ(read_text(scratch / "papers/report.html"), "mine");
}

TEST(RunFolder, of_results_without_a_mark_is_known_by_the_result_file) {
  Scratch scratch;
  write_text(scratch / "x.yaml", kOscillator);
  ASSERT_EQ(bristle_in(scratch, {"run", "x.yaml", "--out", "out", "--quiet"}).code, 0);
  fs::remove(scratch / "out/model.sha256");  // as before there was one
  EXPECT_EQ(bristle_in(scratch, {"run", "x.yaml", "--out", "out", "--quiet"}).code, 0);
}

TEST(RunFolder, is_not_damaged_by_what_is_made_of_it) {
  Scratch scratch;
  write_text(scratch / "x.yaml", kOscillator);
  ASSERT_EQ(bristle_in(scratch, {"run", "x.yaml", "--out", "out", "--quiet"}).code, 0);
  const std::string run = read_text(scratch / "out/run.h5"), model = read_text(scratch / "x.yaml");
  EXPECT_EQ(bristle_in(scratch, {"convert", "out", "--to", "csv", "-o", "out/run.h5"}).code, 2);
  EXPECT_EQ(bristle_in(scratch, {"report", "out", "-o", "out/run.h5"}).code, 2);
  EXPECT_EQ(bristle_in(scratch, {"convert", "out", "--to", "npz", "-o", "x.yaml"}).code, 2);
  EXPECT_EQ(read_text(scratch / "out/run.h5"), run);
  EXPECT_EQ(read_text(scratch / "x.yaml"), model);
  EXPECT_EQ(bristle_in(scratch, {"convert", "out", "--to", "csv", "-o", "out/run.csv"}).code, 0);
  EXPECT_EQ(bristle_in(scratch, {"convert", "out", "--to", "csv", "-o", "out/run.csv"}).code, 0);
}

TEST(RunFolder, does_not_lead_through_symbolic_links) {
  Scratch scratch;
  write_text(scratch / "x.yaml", kOscillator);
  ASSERT_EQ(bristle_in(scratch, {"run", "x.yaml", "--out", "out", "--quiet"}).code, 0);
  write_text(scratch / "mine", "precious");
  for (const char* name : {"run.h5.spare", "run.h5.old", "run.h5.part", "report.html.part", "model.yaml.part",
                           "checkpoint.bin.part", "run.csv.part"})
    fs::create_symlink(scratch / "mine", scratch / (std::string("out/") + name));
  EXPECT_EQ(bristle_in(scratch, {"run", "x.yaml", "--out", "out", "--quiet"}).code, 0);
  EXPECT_EQ(read_text(scratch / "mine"), "precious");
  ASSERT_EQ(bristle_in(scratch, {"convert", "out", "--to", "csv", "-o", "out/run.csv"}).code, 0);
  EXPECT_EQ(read_text(scratch / "mine"), "precious");
}

TEST(RunFolder, of_a_run_whose_terminal_is_closed_or_that_is_told_to_end_is_resumable) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kOscillator);
  stop_a_run(scratch, "model.yaml", "hung_up", SIGHUP);
  stop_a_run(scratch, "model.yaml", "told", SIGTERM);
}

}  // namespace
}  // namespace bristle::test
