#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bristle/analyse/transient.h"
#include "bristle/assemble/assemble.h"
#include "bristle/assemble/keys.h"
#include "bristle/base/registry.h"
#include "bristle/model/model.h"
#include "bristle/record/sink.h"
#include "bristle/study/exit_code.h"

namespace bristle {

/// Where results lie, for what is said about them; empty: in memory alone.
struct ResultPlace {
  std::string folder, report;  ///< report: path, empty when none was written
};

/// A file that belongs to a result, beside `run.h5`.
struct ResultFile {
  std::string name;
  std::function<void(const std::string& path)> write;
};
ResultFile text_file(const std::string& name, std::string text);

/// What an analysis has found. It knows its System no more: it may outlive it.
class AnalysisResult {
 public:
  virtual ~AnalysisResult() = default;
  std::string title;  ///< of the model
  RunStatus::End end = RunStatus::End::finished;
  std::string message;              ///< why it ended as it did, doubts and failed checks included
  std::vector<std::string> doubts;  ///< why the end is `untrusted`
  std::vector<std::string> notes;   ///< worth knowing, nothing wrong
  std::string failed_check;         ///< that the model asked for: a sentence
  int exit_code() const;
  /// Sentences that a user must not miss.
  std::vector<std::string> complaints() const;

  virtual std::string text(const ResultPlace& = {}) const = 0;  ///< for people: some lines and tables
  virtual std::string json(const ResultPlace& = {}) const = 0;  ///< the same for programs
  virtual std::vector<ResultFile> files() const { return {}; }

 protected:
  /// The last lines of the text: where the report and the files are.
  static std::string place_text(const ResultPlace&, const char* files);
};

/// A model and what was assembled of it, once.
struct Assembled {
  const Model& model;
  const System& system;
  const std::vector<std::string>& moved;      ///< bodies that `overlap: resolve` has moved apart
  const Elements& elements = all_elements();  ///< what it was made of
};

/// How an analysis is led.
struct RunControl {
  const std::atomic<bool>* stop = nullptr;  ///< looked at often; ends what can_stop
  std::function<void(const Progress&)> progress = {};
  RunHeader header = {};  ///< what results are to say of where they come from; title, program, file and text are filled in
};

/** One kind of analysis, made anew for every study. It also has, for lists and pages,

    static constexpr const char *kName, *kSummary, *kExample, *kPage;  // type in the model file, a line, YAML, more to read or ""

and is a line of the registry. The order of calls: visit, read, check, run. */
class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual void visit(Keys&) = 0;  ///< its keys in the section `analysis`
  /// Other sections of the model that it takes part of: record, check.
  virtual void read(const Model&) {}
  virtual bool friction() const { return false; }       ///< what rubs belongs to the system; otherwise it is left out
  virtual bool rigid_contact() const { return false; }  ///< it looks itself whether it can follow impacts and collision groups
  virtual bool can_stop() const { return false; }       ///< heeds RunControl::stop
  virtual bool can_go_on() const { return false; }      ///< a stopped run goes on where it was; otherwise it starts again
  virtual std::string outline() const { return ""; }    ///< "0 s to 1 s with rk4", for `bristle check`
  /// Refuses what it cannot compute: InputError. What it makes for that may be kept for `run`.
  virtual void check(const Assembled&) {}
  virtual std::unique_ptr<AnalysisResult> run(const Assembled&, Sink&, const RunControl&) = 0;
};

struct AnalysisEntry {
  std::string name, summary, example, page;
  std::unique_ptr<Analysis> (*make)() = nullptr;
};
using AnalysisRegistry = Registry<AnalysisEntry>;
template <class T>
void add_analysis(AnalysisRegistry& r) {
  r.add({T::kName, T::kSummary, T::kExample, T::kPage, [] { return std::unique_ptr<Analysis>(std::make_unique<T>()); }});
}
/// All that Bristle has.
const AnalysisRegistry& analysis_registry();

KindGroup kind_group(const AnalysisRegistry&, const Elements& = all_elements());
/// friction, contact, ..., analysis, section: all that the model file knows.
const std::vector<KindGroup>& all_kinds();
/// The same of a program that has types of its own.
std::vector<KindGroup> all_kinds(const AnalysisRegistry&, const Elements&);
/// JSON Schema (draft 2020-12) of the model file.
std::string model_schema(const AnalysisRegistry& = analysis_registry(), const Elements& = all_elements());

}  // namespace bristle
