#include "bristle/study/study.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bristle/record/hdf_sink.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/describe.h"
#include "bristle/study/plans.h"
#include "bristle/study/run_study.h"
#include "bristle/study/section.h"

namespace bristle {
namespace {

/// A block on a spring that is shaken, sticks and slips.
const std::string kBlock = R"yaml(bristle: 1
title: a block
bodies: {block: {type: mass, mass: 1 kg, velocity: 0.3 m/s}}
forces:
  spring: {type: spring, on: block, stiffness: 40 N/m}
  push: {type: load, on: block, force: "4*sin(5*t)"
}
joints: {pad: {type: sliding, on: block, load: 10 N, friction: {type: stiction, mu_kinetic: 0.2, mu_static: 0.3}}}
)yaml";
std::string transient(const std::string& more = "") {
  return kBlock + "analysis: {type: transient, end: 2 s, integrator: {type: dormand_prince, tolerance: 1e-8}}\n" + more;
}
Model model_of(const std::string& text) { return read_model_text(text, "block.yaml"); }

std::string refusal_of(const std::string& text, const AnalysisRegistry& registry = analysis_registry()) {
  try {
    Study{model_of(text), registry};
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "bristle_study_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

TEST(Study, refuses_what_says_nothing) {
  const auto problem = [](const std::string& line) -> std::string {
    try {
      Study study(read_model_text("bristle: 1\n" + line + "\nbodies: {m: {type: mass, mass: 1}}\n" +
                                      "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n",
                                  "m.yaml"));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  for (const char* fine : {"title: Three", "title: \"3\"", "title: 3 masses", "record: {every: step}", "check: {energy: 1e-3}"})
    EXPECT_EQ(problem(fine), "") << fine;
  const std::pair<const char*, const char*> wrong[] = {
      {"title: [a]", "m.yaml:2:8  title must be a text, found a list"},
      {"title: 3", "m.yaml:2:8  title must be a text, got the number 3. Write title: \"3\""},
      {"description: {a: b}", "description must be a text, found a map"},
      {"title:", "title has no text"},
      {"record:", "the section record is empty. Write for example record: {every: 1 ms"},
      {"record: {}", "m.yaml:2:9  the section record is empty"},
      {"check:", "the section check is empty"},
      {"check: {}", "the section check is empty. Write for example check: {energy: 1e-6}, or delete it"}};
  for (const auto& [line, sentence] : wrong)
    EXPECT_NE(problem(line).find(sentence), std::string::npos) << line << "\n" << problem(line);
}

TEST(Study, offers_a_tolerance_only_where_it_leads_the_steps) {
  const auto problem = [](const std::string& integrator) -> std::string {
    try {
      Study study(
          read_model_text("bristle: 1\nbodies: {m: {type: particle, mass: 1}}\n"
                          "analysis: {type: transient, end: 1 s, integrator: {type: " +
                              integrator + "}}\n",
                          "m.yaml"));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  // its tolerance is one of contacts
  EXPECT_NE(problem("moreau_jean").find("give it a step, for example step: 1 ms, or step rules"), std::string::npos)
      << problem("moreau_jean");
  EXPECT_NE(problem("generalized_alpha").find("a tolerance, which then leads the step"), std::string::npos);
}

/// Friction on a shaker takes mu N times the way, 4 * 10 mm in a period. The trapezoidal rule makes it (omega h)^2/12 less.
TEST(WorkOfAGivenMotion, has_the_order_of_the_method) {
  const auto missing = [](const std::string& integrator) {
    Study study(read_model_text(
        "bristle: 1\nbodies: {shaker: {type: driven, position: \"10 mm*sin(2*pi*t)\"}}\n"
        "joints: {pad: {type: sliding, between: [ground, shaker], load: 10, friction: {type: coulomb, mu_kinetic: 0.3}}}\n"
        "analysis: {type: transient, end: 1 s, integrator: {type: " +
            integrator + "}}\n",
        "m.yaml"));
    MemorySink results;
    study.run(results);
    return 1 - results.channel("energy.dissipated").back() / 0.12;
  };
  for (const char* method : {"newmark", "generalized_alpha", "hht", "trapezoidal"}) {
    for (const double h : {0.01, 0.005}) {
      const double phase = 2 * std::numbers::pi * h;
      EXPECT_NEAR(missing(fmt::format("{}, step: {}", method, h)), phase * phase / 12,
                  1e-3 * phase * phase)  // next: fourth order
          << method;
    }
  }
  EXPECT_NEAR(missing("radau5, tolerance: 1e-6"), 0, 1e-6);
}

TEST(Study, gives_memory_the_bits_of_the_file) {
  const Scratch scratch;
  RunFolder folder(scratch / "run");
  HdfSink file(folder);
  MemorySink memory;
  Tee both(file, memory);
  Study study(model_of(transient()));
  EXPECT_EQ(study.run(both)->exit_code(), kOk);
  const RunFile there = read_run(scratch / "run");
  ASSERT_EQ(there.time, memory.time());
  ASSERT_FALSE(there.events.empty());
  EXPECT_EQ(there.events.size(), memory.events().size());
  for (const RunChannel& c : there.channels) EXPECT_EQ(c.values, memory.channel(c.channel.name)) << c.channel.name;
  EXPECT_EQ(there.status.counts, memory.status().counts);
}

TEST(Study, may_be_run_again_and_gives_the_same_bits) {
  Study study(model_of(transient()));
  MemorySink first, second;
  study.run(first);
  study.run(second);
  ASSERT_FALSE(first.time().empty());
  EXPECT_EQ(first.channel("block.position"), second.channel("block.position"));
  EXPECT_EQ(first.time(), second.time());
}

TEST(Study, that_is_stopped_in_memory_promises_no_way_to_go_on) {
  const std::atomic<bool> stop = true;
  RunControl control;
  control.stop = &stop;
  MemorySink memory;
  const auto result = Study(model_of(transient())).run(memory, control);
  EXPECT_EQ(result->exit_code(), kInterrupted);
  EXPECT_EQ(result->message, "stopped at t = 0 s of 2 s");
  EXPECT_EQ(memory.status().end, RunStatus::End::interrupted);
}

TEST(Study, refuses_an_analysis_that_is_not_registered) {
  EXPECT_NE(refusal_of(kBlock + "analysis: {type: kinematic, end: 1 s}\n").find("Did you mean 'kinematics'?"), std::string::npos);
  AnalysisRegistry few("analysis");
  few.add(*analysis_registry().find("statics"));
  EXPECT_NE(refusal_of(transient(), few).find("unknown type 'transient'. Known: statics"), std::string::npos)
      << refusal_of(transient(), few);
}

TEST(Study, leaves_friction_out_where_the_analysis_does_and_still_finds_mistakes_in_it) {
  Study study(model_of(kBlock + "analysis: {type: modes}\n"));
  EXPECT_TRUE(study.system().layout().places.empty());
  EXPECT_EQ(study.layout().places.size(), 1u);
  EXPECT_NE(describe(study).find("pad: stiction"), std::string::npos) << describe(study);
  std::string wrong = kBlock;
  wrong.replace(wrong.find("load: 10 N"), 10, "load: \"block.speed\"");
  EXPECT_NE(refusal_of(wrong + "analysis: {type: modes}\n").find("block.speed"), std::string::npos);
}

TEST(Study, of_modes_gives_no_samples_but_files) {
  Study study(model_of(kBlock + "analysis: {type: modes}\n"));
  MemorySink sink;
  const auto result = study.run(sink);
  EXPECT_FALSE(sink.begun());
  ASSERT_EQ(result->files().size(), 1u);
  EXPECT_EQ(result->files()[0].name, "modes.json");
  EXPECT_NEAR(nlohmann::json::parse(result->json())["modes"][0]["angular_frequency"].get<double>(), std::sqrt(40.0), 1e-12);
}

TEST(Study, whose_analysis_breaks_off_names_its_place_in_the_model) {
  // nothing holds the block against the push
  Study study(model_of(R"(bristle: 1
bodies: {block: {type: mass, mass: 1 kg}}
forces: {push: {type: load, on: block, force: 1 N}}
analysis: {type: modes, about: equilibrium}
)"));
  NoSink sink;
  try {
    study.run(sink);
    FAIL();
  } catch (const AnalysisError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("block.yaml:4:11  analysis: ")) << error.what();
  }
}

TEST(Study, of_every_registered_analysis_has_a_summary_and_an_example) {
  for (const AnalysisEntry& entry : analysis_registry().all()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_NE(entry.example.find("type: " + entry.name), std::string::npos) << entry.name;
    EXPECT_NE(entry.make(), nullptr);
  }
}

TEST(Study, asks_for_exactly_the_keys_that_are_described_as_required) {
  const KindGroup kinds = kind_group(analysis_registry());
  int asking = 0;
  for (const AnalysisEntry& entry : analysis_registry().all()) {
    std::string first;  // required key
    for (const Field& f : kinds.find(entry.name)->fields) {
      if (f.required && first.empty()) first = f.key;
    }
    std::string sentence;
    try {
      read_analysis(model_of("bristle: 1\nanalysis: {type: " + entry.name + "}\n"), *entry.make());
    } catch (const InputError& error) {
      sentence = error.what();
    }
    EXPECT_EQ(sentence.empty(), first.empty()) << entry.name << ": " << sentence;
    if (first.empty()) continue;
    EXPECT_NE(sentence.find("missing key '" + first + "'"), std::string::npos) << sentence;
    ++asking;
  }
  EXPECT_GT(asking, 2);
}

TEST(StudyResult, tells_a_failed_check_in_its_message) {
  Study study(model_of(transient("check: {energy: 1e-18}\n")));
  MemorySink memory;
  const auto result = study.run(memory);
  EXPECT_EQ(result->exit_code(), kCheckFailed);
  EXPECT_TRUE(result->message.starts_with("check: energy: the residual of the ledger is ")) << result->message;
  EXPECT_TRUE(memory.status().message.starts_with(result->message));
  int told = 0;
  for (const std::string& complaint : result->complaints()) told += complaint.starts_with("check: energy");
  EXPECT_EQ(told, 1);
}

TEST(StudyResult, tells_the_processor_time) {
  Study study(model_of(transient()));
  NoSink sink;
  const auto json = nlohmann::json::parse(study.run(sink)->json());
  EXPECT_GT(json["processor_time"].get<double>(), 0);
}

TEST(StudyResult, says_why_steps_were_rejected) {
  RunCounts counts;
  counts.accepted = 10;
  EXPECT_EQ(steps_text(counts), "10 accepted, 0 rejected");
  const auto reject = [&](Cause why, int count) {
    counts.rejected += count;
    counts.rejected_by[static_cast<int>(why)] += count;
  };
  reject(Cause::error, 2);
  EXPECT_EQ(steps_text(counts), "10 accepted, 2 rejected (2: local error)");
  reject(Cause::newton, 1);
  reject(Cause::meeting, 3);
  EXPECT_EQ(steps_text(counts),
            "10 accepted, 6 rejected (2: local error; 1: Newton did not converge; 3: surfaces meet inside the step)");
}

TEST(StudyFolder, keeps_a_former_run_when_the_analysis_breaks_off) {
  const Scratch scratch;
  const FolderOptions options{scratch / "run", false, false, ""};
  Study good(model_of(transient()));
  run_into_folder(good, transient(), options);
  Study bad(model_of(R"(bristle: 1
bodies: {block: {type: mass, mass: 1 kg}}
forces: {push: {type: load, on: block, force: 1 N}}
analysis: {type: modes, about: equilibrium}
)"));
  EXPECT_THROW(run_into_folder(bad, "other", options), AnalysisError);
  EXPECT_EQ(read_run(scratch / "run").header.model_text, transient());
}

}  // namespace
}  // namespace bristle
