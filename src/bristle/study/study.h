#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/study/analysis.h"

namespace bristle {

/// An analysis that broke off without a result, with its place in the model file.
class AnalysisError : public SolveError {
 public:
  using SolveError::SolveError;
};

/** A model and what it asks for: read, assembled and checked once, then run into a sink. The program starts here, and so does whoever
repeats runs.

    Study study(read_model("model.yaml"));
    MemorySink results;
    const std::unique_ptr<AnalysisResult> result = study.run(results);

Its System stays where it is: a Study is neither copied nor moved. */
class Study {
 public:
  /// Everything of the model is looked at, so that every mistake is found: InputError. The lists of analyses and of what models are made
  /// of must outlive it.
  explicit Study(Model model, const AnalysisRegistry& analyses = analysis_registry(), const Elements& elements = all_elements());
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  /// May be called again: every run starts anew. Throws InputError and AnalysisError.
  std::unique_ptr<AnalysisResult> run(Sink&, RunControl control = {});

  const Model& model() const { return model_; }
  const Elements& elements() const { return elements_; }    ///< what it may be made of
  const std::string& type() const { return entry_->name; }  ///< of the analysis
  const Analysis& analysis() const { return *analysis_; }
  const System& system() const { return bare_ ? *bare_ : whole_->system; }  ///< that the analysis is made with
  const Layout& layout() const { return whole_->system.layout(); }          ///< of the whole model, with friction
  const std::vector<std::string>& moved() const { return whole_->moved; }

 private:
  Assembled assembled() const { return {model_, system(), moved(), elements_}; }
  Model model_;
  const Elements& elements_;
  const AnalysisEntry* entry_ = nullptr;
  std::unique_ptr<Analysis> analysis_;
  std::optional<Assembly> whole_;
  std::optional<System> bare_;  // without friction, where there is some and the analysis leaves it out
};

}  // namespace bristle
