#include "bristle/study/study.h"

#include <algorithm>

#include "bristle/base/text.h"
#include "bristle/model/sections.h"
#include "bristle/study/plans.h"
#include "bristle/study/section.h"

namespace bristle {

namespace {

/// Unknown sections, and a file that does not say what it is.
void check_sections(const Node& root) {
  std::vector<std::string> known;
  for (const ModelSection& section : model_sections()) known.push_back(section.name);
  for (const auto& [key, unused] : root.children) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError(root.where_of_key(key), "unknown section '" + key + "'." + did_you_mean(key, known));
  }
  if (root.find("bristle") == nullptr)
    throw InputError(root.where, "missing key 'bristle' (version of the file format). Write bristle: 1");
}

/// What is said about the model must be a text.
void check_texts(const Node& root) {
  for (const char* key : {"title", "description"}) {
    const Node* said = root.find(key);
    if (said == nullptr) continue;
    const std::string name = key;
    if (said->kind == Node::Kind::null) throw InputError(said->where, name + " has no text. Give one, or delete the key");
    if (!said->is_scalar())
      throw InputError(said->where, name + " must be a text, found " + (said->is_list() ? "a list" : "a map") + ". Write " +
                                        name + ": \"...\"");
    if (!said->quoted && is_number(said->text))
      throw InputError(said->where,
                       name + " must be a text, got the number " + said->text + ". Write " + name + ": \"" + said->text + "\"");
  }
}

}  // namespace

Study::Study(Model model, const AnalysisRegistry& analyses, const Elements& elements)
    : model_(std::move(model)), elements_(elements) {
  check_sections(model_.root);
  check_texts(model_.root);
  entry_ = &read_analysis_type(model_, analyses);
  analysis_ = entry_->make();
  // with friction, whoever leaves it out: mistakes in it are mistakes all the same
  whole_.emplace(assemble_and_tell(model_, {.elements = &elements}));
  if (!analysis_->friction() && !layout().places.empty())
    bare_.emplace(assemble(model_, {.friction = false, .elements = &elements}));
  if (!analysis_->rigid_contact()) {
    const std::string who = "analysis '" + type() + "'";
    refuse_rigid(model_, system(), who, "Use a transient analysis, or a contact law with stiffness such as flores");
    refuse_groups(model_, system(), who, "Use a transient analysis");
  }
  read_analysis(model_, *analysis_, elements_);
  analysis_->check(assembled());
}

std::unique_ptr<AnalysisResult> Study::run(Sink& sink, RunControl control) {
  RunHeader& header = control.header;
  header.title = title_of(model_);
  header.program = "bristle " BRISTLE_VERSION;
  header.model_file = model_.file;
  if (header.model_text.empty()) header.model_text = model_.source_text;
  // what an analysis has to say about the model gets the place of the analysis
  const Where& where = analysis_node(model_).where;
  try {
    std::unique_ptr<AnalysisResult> result = analysis_->run(assembled(), sink, control);
    result->title = header.title;
    return result;
  } catch (const InputError& error) {
    if (!error.where().text().empty()) throw;
    throw InputError(where, "analysis: " + error.sentence());
  } catch (const SolveError& error) {
    throw AnalysisError(where.text() + "  analysis: " + error.what());
  }
}

void check_model(const Model& model) { Study{model}; }

}  // namespace bristle
