// What a machine or a file can do to the program: no room, no memory, no permission, things that are no files. It ends in a sentence.
#include <sys/stat.h>

#include <cmath>
#include <csignal>
#include <numbers>

#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

constexpr const char* kModel = R"yaml(bristle: 1
bodies:
  block: {type: mass, mass: 1 kg, position: 1 m}
forces:
  spring: {type: spring, between: [ground, block], stiffness: 1 N/m}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}
)yaml";

/// `bristle <arguments>` behind commands of the shell.
Ended shell_in(const Scratch& scratch, const std::string& before, const std::string& arguments) {
  return command_in(scratch, {"/bin/sh", "-c", before + " exec " BRISTLE_PROGRAM " " + arguments});
}

void expect_sentence(const Ended& ended, int code, const std::string& fragment) {
  EXPECT_EQ(ended.code, code) << ended.err;
  EXPECT_NE(ended.err.find(fragment), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("HDF5-DIAG"), std::string::npos) << ended.err;
}

TEST(Program, says_that_the_disk_is_full) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kModel);
  // a limit of the length of a file fails in the same place as a full disk does
  for (const char* blocks : {"1", "4", "16", "40"}) {
    const Ended ended =
        shell_in(scratch, std::string("ulimit -f ") + blocks + ";", "run model.yaml --out out --quiet --no-report");
    expect_sentence(ended, 1, "cannot write");
  }
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--quiet"}).code, 0);
  expect_sentence(shell_in(scratch, "ulimit -f 40;", "report out"), 1, "cannot write");
}

TEST(Program, says_that_its_output_cannot_be_written) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kModel);
  expect_sentence(shell_in(scratch, "exec > /dev/full;", "list"), 1, "output cannot be written");
  expect_sentence(shell_in(scratch, "exec > /dev/full;", "--help"), 1, "output cannot be written");
  expect_sentence(shell_in(scratch, "exec > /dev/full;", "run model.yaml --json"), 1, "output cannot be written");
  expect_sentence(shell_in(scratch, "exec > /dev/full;", "run none.yaml"), 2, "does not exist");
}

TEST(Program, says_that_memory_is_short) {
  Scratch scratch;
  write_text(scratch / "model.yaml", std::string(kModel) + "record: {every: 2 us}\n");  // half a million samples
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--quiet", "--no-report"}).code, 0);
  int told = 0;
  for (const char* kilobytes : {"40000", "50000", "60000", "70000", "80000", "90000", "110000"}) {
    const Ended ended = shell_in(scratch, std::string("ulimit -v ") + kilobytes + ";", "report out");
    if (ended.code == 127 || ended.code == 0) continue;  // too little for the loader already, or enough
    expect_sentence(ended, 1, "memory");
    ++told;
  }
  EXPECT_GT(told, 0) << "no limit lies between what the loader and what the report needs";
}

TEST(Program, does_not_call_a_file_damaged_that_it_may_not_read) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kModel);
  ASSERT_EQ(bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--quiet", "--no-report"}).code, 0);
  fs::permissions(scratch.path(), fs::perms::all);
  fs::permissions(scratch / "out/run.h5", fs::perms::none);
  const std::string as_nobody =
      "import os, sys\nif os.geteuid() == 0: os.setgid(65534); os.setuid(65534)\nos.execv(sys.argv[1], sys.argv[1:])\n";
  const Ended ended =
      command_in(scratch, {"/usr/bin/python3", "-c", as_nobody, BRISTLE_PROGRAM, "report", "out", "-o", "r.html"});
  expect_sentence(ended, 2, "Permission denied");
  EXPECT_EQ(ended.err.find("damaged"), std::string::npos) << ended.err;
}

TEST(Program, reads_files_only) {
  Scratch scratch;
  fs::create_symlink("/dev/zero", scratch / "zero.stl");
  ASSERT_EQ(::mkfifo((scratch / "pipe.stl").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((scratch / "pipe.yaml").c_str(), 0600), 0);
  fs::create_directory(scratch / "out");
  ASSERT_EQ(::mkfifo((scratch / "out/run.h5").c_str(), 0600), 0);
  const auto with_mesh = [](const std::string& file) {
    return "bristle: 1\nbodies:\n  part: {type: rigid, density: 1000 kg/m^3, shape: {type: mesh, file: " + file +
           "}}\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}\n";
  };
  write_text(scratch / "zero.yaml", with_mesh("zero.stl"));
  write_text(scratch / "waits.yaml", with_mesh("pipe.stl"));
  write_text(scratch / "includes.yaml", "include: pipe.yaml\n" + std::string(kModel));
  for (const char* command : {"run", "check"}) {
    expect_sentence(bristle_in(scratch, {command, "zero.yaml"}), 2, "zero.yaml:3:");
    expect_sentence(bristle_in(scratch, {command, "waits.yaml"}), 2, "not a regular file");
    expect_sentence(bristle_in(scratch, {command, "includes.yaml"}), 2, "not a regular file");
    expect_sentence(bristle_in(scratch, {command, "pipe.yaml"}), 2, "not a regular file");
  }
  expect_sentence(bristle_in(scratch, {"report", "out"}), 2, "not a regular file");
  expect_sentence(bristle_in(scratch, {"convert", "/dev/zero", "--to", "csv"}), 2, "not a regular file");
}

TEST(Program, bounds_the_number_of_samples) {
  Scratch scratch;
  write_text(scratch / "model.yaml", std::string(kModel) + "record: {every: 1e-12}\n");
  expect_sentence(bristle_in(scratch, {"run", "model.yaml"}), 2, "model.yaml:7:17  record: a sample every 1e-12 s makes");
  expect_sentence(bristle_in(scratch, {"check", "model.yaml"}), 2, "limit is 1e8");
}

TEST(Program, listens_among_the_samples_of_a_long_step) {
  Scratch scratch;
  write_text(scratch / "model.yaml", R"yaml(bristle: 1
bodies:
  block: {type: mass, mass: 1 kg, velocity: 1 m/s}      # no force: one step to the end
analysis: {type: transient, end: 100 s, integrator: {type: dormand_prince}}
record: {every: 1.1 us}
)yaml");
  Process process(with_program({"run", "model.yaml", "--out", "out", "--quiet", "--no-report"}), scratch.path());
  while (process.running() && !fs::exists(scratch / "out/run.h5")) sleep_for(0.005);
  sleep_for(0.3);
  process.signal(SIGINT);
  for (int i = 0; i < 500 && process.running(); ++i) sleep_for(0.01);
  if (process.running()) process.signal(SIGKILL);
  const Ended ended = process.wait();
  EXPECT_EQ(ended.code, 5) << ended.err;
}

/// A chain of equal masses and springs between two walls in its fundamental mode: x_i = a sin(i pi/(N + 1)) cos(w t) with
/// w = 2 sqrt(k/m) sin(pi/(2(N + 1))). A dense matrix of its 4000 unknowns has 128 MB, and CVODE holds three of them.
TEST(Program, runs_cvode_in_the_memory_of_a_sparse_matrix) {
  Scratch scratch;
  constexpr int kMasses = 2000;
  const double angle = std::numbers::pi / (kMasses + 1), w = 2 * std::sin(angle / 2);
  std::string bodies = "bodies:\n", forces = "forces:\n";
  char line[200];
  for (int i = 1; i <= kMasses; ++i) {
    std::snprintf(line, sizeof line, "  m%d: {type: mass, mass: 1 kg, position: %.17g m}\n", i, std::sin(i * angle));
    bodies += line;
  }
  for (int i = 0; i <= kMasses; ++i) {
    const std::string from = i == 0 ? "ground" : "m" + std::to_string(i),
                      to = i == kMasses ? "ground" : "m" + std::to_string(i + 1);
    forces += "  s" + std::to_string(i) + ": {type: spring, between: [" + from + ", " + to + "], stiffness: 1 N/m}\n";
  }
  std::snprintf(line, sizeof line, "analysis: {type: transient, end: %.17g s, integrator: {type: cvode, tolerance: 1e-8}}\n",
                std::numbers::pi / w / 3);
  write_text(scratch / "model.yaml",
             "bristle: 1\n" + bodies + forces + line + "record: {every: 100 s, channels: [m1000.position]}\n");
  const Ended ended = shell_in(scratch, "ulimit -v 250000;", "run model.yaml --out out --quiet --no-report");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const RunFile run = read_run((scratch / "out").string());
  EXPECT_NEAR(run.find("m1000.position")->values.back(), std::sin(1000 * angle) * 0.5, 1e-5);  // cos(pi/3)
}

TEST(Program, writes_no_formulas_into_tables) {
  Scratch scratch;
  std::string model = kModel;
  for (std::size_t at; (at = model.find("block")) != std::string::npos;) model.replace(at, 5, "\"=1+1\"");
  write_text(scratch / "model.yaml", model);
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--out", "out", "--quiet"});
  if (ended.code == 2) return;  // no such name
  ASSERT_EQ(bristle_in(scratch, {"convert", "out", "--to", "csv", "-o", "run.csv"}).code, 0);
  const std::string table = read_text(scratch / "run.csv");
  EXPECT_EQ(table.find(",=1+1"), std::string::npos) << table.substr(0, 300);
  EXPECT_NE(table.find(",'=1+1.position [m]"), std::string::npos) << table.substr(0, 300);
}

}  // namespace
}  // namespace bristle::test
