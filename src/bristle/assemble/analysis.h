// How the sections analysis, record and check of a model are read; shared by the plans of the analyses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/assemble/kinds.h"
#include "bristle/model/reader.h"

namespace bristle {

const Node& analysis_node(const Model& model);

/// A section that must be a map; what it is called stands in messages.
const Node& map_of(const Node& node, const char* what, const char* example);

/// The section analysis, its type known.
struct AnalysisReader {
  explicit AnalysisReader(const Model& model);
  const ParameterScope scope;
  Reader reader;
  const std::string type;
};

void read_times(Reader& reader, double& start, double& end);
void read_record(const Model& model, const ParameterScope& scope, double span, double& every, std::vector<std::string>& channels);

struct IntegratorPlan {
  std::unique_ptr<Integrator> integrator;
  std::vector<std::unique_ptr<StepController>> controllers;
  std::string name;
};
/// The analysis as written; makes the integrator only when asked for.
TransientPlan read_transient(const Model& model, IntegratorPlan* integrator);

/// Rigid contact has no force of its own: whoever does not solve for it would let bodies fall through each other.
void refuse_rigid(const Model& model, const System& system, const std::string& who, const std::string& way_out);
void refuse_groups(const Model& model, const System& system, const std::string& who, const std::string& way_out);

}  // namespace bristle
