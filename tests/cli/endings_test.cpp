// How runs end: exit codes 3, 4, 5 and 6, resuming, and being killed.
#include <cstring>
#include <map>

#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

std::string example_model(const std::string& name) { return (kExamples / name / "model.yaml").string(); }

TEST(ProgramEndings, that_do_not_converge_have_code_3_and_keep_what_was_computed) {
  Scratch scratch;
  write_text(scratch / "model.yaml", R"yaml(bristle: 1
bodies:
  block: {type: mass, mass: 1 kg}
forces:
  push: {type: load, on: block, force: "sqrt(1 - t)"}      # no number after one second
analysis: {type: transient, end: 2 s, integrator: {type: dormand_prince}}
)yaml");
  const Ended ended = bristle_in(scratch, {"run", "model.yaml"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("t = "), std::string::npos) << ended.err;
  const RunFile run = read_run((scratch / "model_out").string());
  EXPECT_EQ(run.status.end, RunStatus::End::failed);
  ASSERT_FALSE(run.time.empty());
  EXPECT_GT(run.time.back(), 0.9);
  EXPECT_TRUE(fs::exists(scratch / "model_out/report.html"));
  EXPECT_EQ(bristle_in(scratch, {"resume", "model_out"}).code, 2);
}

TEST(ProgramEndings, of_a_failed_check_have_code_4) {
  Scratch scratch;
  const Ended ended = bristle_in(scratch, {"run", example_model("stick_slip"), "--set", "check.energy=1e-18"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_NE(ended.err.find("energy"), std::string::npos) << ended.err;
  EXPECT_EQ(read_run((scratch / "model_out").string(), {}).status.end, RunStatus::End::finished);
}

/// RK4 takes (omega h)^6/72 of the energy of an oscillator per step, and no account has it: 2 % and half of it here.
TEST(ProgramEndings, with_a_ledger_that_does_not_close_are_no_silent_success) {
  Scratch scratch;
  write_text(scratch / "model.yaml", R"yaml(bristle: 1
bodies:
  block: {type: mass, mass: 1 kg, position: 1 m}
forces:
  spring: {type: spring, between: [ground, block], stiffness: 1 N/m}
analysis: {type: transient, end: 50 s, integrator: {type: rk4, step: 0.5 s}}
)yaml");
  const Ended doubtful = bristle_in(scratch, {"run", "model.yaml"});
  EXPECT_EQ(doubtful.code, 6) << doubtful.err;
  EXPECT_NE(doubtful.err.find("energy ledger does not close"), std::string::npos) << doubtful.err;
  const Ended wrong = bristle_in(scratch, {"run", "model.yaml", "--set", "analysis.integrator.step=1 s"});
  EXPECT_EQ(wrong.code, 6) << wrong.err;
  EXPECT_NE(wrong.err.find("t = "), std::string::npos) << wrong.err;
  const RunFile run = read_run((scratch / "model_out").string());
  EXPECT_EQ(run.status.end, RunStatus::End::untrusted);
  EXPECT_EQ(run.time.back(), 50);
  EXPECT_EQ(bristle_in(scratch, {"resume", "model_out"}).code, 0);  // it has reached its end
  const Ended told = bristle_in(scratch, {"run", "model.yaml", "--json"});
  EXPECT_NE(told.out.find("\"trusted\": false"), std::string::npos) << told.out;
  const Ended fine = bristle_in(scratch, {"run", "model.yaml", "--set", "analysis.integrator.step=0.1 s"});
  EXPECT_EQ(fine.code, 0);
  EXPECT_TRUE(fine.err.empty()) << fine.err;
  // a check that was asked for decides alone
  write_text(scratch / "checked.yaml", read_text(scratch / "model.yaml") + "check: {energy: 0.9}\n");
  EXPECT_EQ(bristle_in(scratch, {"run", "checked.yaml", "--set", "analysis.integrator.step=1 s"}).code, 0);
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << what;
}

void expect_same_run(const RunFile& a, const RunFile& b) {
  expect_same_bits(a.time, b.time, "time");
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    EXPECT_EQ(a.channels[i].channel.name, b.channels[i].channel.name);
    expect_same_bits(a.channels[i].values, b.channels[i].values, a.channels[i].channel.name);
  }
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) EXPECT_EQ(a.events[i].t, b.events[i].t);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    ASSERT_EQ(a.steps[i].t, b.steps[i].t);
    ASSERT_EQ(a.steps[i].h, b.steps[i].h);
    ASSERT_EQ(a.steps[i].reason, b.steps[i].reason) << i;
  }
  // a set of counts; the order is not part of it
  using Counts = std::map<std::string, double>;
  EXPECT_EQ(Counts(a.status.counts.begin(), a.status.counts.end()), Counts(b.status.counts.begin(), b.status.counts.end()));
  EXPECT_EQ(Counts(a.status.reasons.begin(), a.status.reasons.end()), Counts(b.status.reasons.begin(), b.status.reasons.end()));
}

struct LongRun {
  const char* name;
  const char* example;
  std::vector<std::string> changes;
};
void PrintTo(const LongRun& r, std::ostream* out) { *out << r.name; }

std::vector<std::string> command_of(const LongRun& run, const std::string& out) {
  std::vector<std::string> arguments{"run", example_model(run.example), "--out", out, "--quiet", "--no-report"};
  for (const std::string& c : run.changes) {
    arguments.push_back("--set");
    arguments.push_back(c);
  }
  return arguments;
}

class ProgramResume : public testing::TestWithParam<LongRun> {};

TEST_P(ProgramResume, gives_the_bits_of_an_unbroken_run) {
  Scratch scratch;
  ASSERT_EQ(bristle_in(scratch, command_of(GetParam(), "whole")).code, 0);

  Process broken(with_program(command_of(GetParam(), "broken")), scratch.path());
  while (broken.running() && !fs::exists(scratch / "broken/run.h5")) sleep_for(0.005);
  sleep_for(0.15);
  broken.signal(SIGINT);
  const Ended stopped = broken.wait();
  ASSERT_EQ(stopped.code, 5) << stopped.err << "a run that ends with 0 was over before it was stopped: make it longer";
  EXPECT_NE(stopped.err.find("bristle resume broken"), std::string::npos) << stopped.err;
  {
    const RunFile part = read_run((scratch / "broken").string());
    EXPECT_EQ(part.status.end, RunStatus::End::interrupted);
    EXPECT_FALSE(part.time.empty());
  }
  // a second stop on the way, if the run is long enough for it
  Process again(with_program({"resume", "broken", "--quiet", "--no-report"}), scratch.path());
  sleep_for(0.15);
  again.signal(SIGTERM);
  Ended ended = again.wait();
  // on a busy machine the signal may come before the program listens: then nothing has changed, and it resumes all the same
  if (ended.code == 5 || ended.code == -SIGTERM) ended = bristle_in(scratch, {"resume", "broken", "--quiet"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  expect_same_run(read_run((scratch / "whole").string()), read_run((scratch / "broken").string()));
  EXPECT_EQ(read_run((scratch / "broken").string(), {}).status.end, RunStatus::End::finished);
  EXPECT_EQ(bristle_in(scratch, {"resume", "broken"}).code, 0);  // nothing left to do
}

INSTANTIATE_TEST_SUITE_P(
    all, ProgramResume,
    testing::Values(
        LongRun{"rk4", "stick_slip", {"analysis.integrator={type: rk4, step: 20 us}", "analysis.end=20 s", "check.energy=1"}},
        LongRun{"radau5",
                "stick_slip",
                {"analysis.integrator.tolerance=1e-9", "analysis.end=6000 s", "record.every=1 s", "check.energy=1"}},
        LongRun{"events",
                "belt",
                {"analysis.integrator.tolerance=1e-10", "analysis.end=20000 s", "record.every=1 s", "check.energy=1"}},
        LongRun{
            "step_rules",
            "stick_slip",
            {"analysis.integrator={type: rk4, adapt: [{type: velocity, fine: 10 us, coarse: 20 us}, {type: time_constant, threshold: 1 s, fraction: 0.4, coarse: 20 us}]}",
             "analysis.end=20 s", "check.energy=1"}}),
    [](const auto& i) { return i.param.name; });

TEST(ProgramEndings, by_kill_leave_a_file_that_opens) {
  Scratch scratch;
  const LongRun run{"long", "stick_slip", {"analysis.integrator={type: rk4, step: 2 us}", "analysis.end=500 s"}};
  Process process(with_program(command_of(run, "out")), scratch.path());
  while (process.running() && !fs::exists(scratch / "out/run.h5")) sleep_for(0.005);
  sleep_for(2.5);  // flushed about once per second
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait().code, -SIGKILL);
  const RunFile file = read_run((scratch / "out").string());
  EXPECT_EQ(file.status.end, RunStatus::End::running);
  EXPECT_GT(file.time.size(), 10u);
  for (const RunChannel& c : file.channels) EXPECT_EQ(c.values.size(), file.time.size());
  // killed before its first checkpoint: says so
  const Ended ended = bristle_in(scratch, {"resume", "out"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("checkpoint"), std::string::npos) << ended.err;
  // and other programs read it too
  const Ended python =
      command_in(scratch, {"/usr/bin/python3", "-c", "import h5py; f = h5py.File('out/run.h5'); print(len(f['time']))"});
  EXPECT_EQ(python.code, 0) << python.err;
  EXPECT_GT(std::stoi("0" + python.out), 10);
}

TEST(ProgramEndings, by_the_second_interrupt_come_at_once) {
  Scratch scratch;
  const LongRun run{"long", "stick_slip", {"analysis.integrator={type: rk4, step: 2 us}", "analysis.end=500 s"}};
  Process process(with_program(command_of(run, "out")), scratch.path());
  while (process.running() && !fs::exists(scratch / "out/run.h5")) sleep_for(0.005);
  process.signal(SIGINT);
  process.signal(SIGINT);
  const int code = process.wait().code;
  EXPECT_TRUE(code == 5 || code == -SIGINT) << code;
}

}  // namespace
}  // namespace bristle::test
