#pragma once
// How the sections analysis and record of a model are read; shared by the analyses.
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/study/analysis.h"

namespace bristle {

const Node& analysis_node(const Model& model);

/// A section that must be a map with something in it; what it is called stands in messages.
const Node& map_of(const Node& node, const char* what, const char* example);

/// Its entry in the registry; unknown types, and keys that the type does not have, are refused.
const AnalysisEntry& read_analysis_type(const Model&, const AnalysisRegistry&);
/// Fills an analysis from the model.
void read_analysis(const Model&, Analysis&, const Elements& = all_elements());
/// One of a kind as the model gives it, for who needs its plan alone.
template <class T>
T read_analysis(const Model& model, const Elements& elements = all_elements()) {
  read_analysis_type(model, analysis_registry());
  T analysis;
  read_analysis(model, analysis, elements);
  return analysis;
}

/// The keys `end` and `start`.
void visit_times(Keys&, double& start, double& end);
void refuse_many_samples(const Keys&, double span, double every);
/// The section record.
void read_record(const Model& model, double span, double& every, std::vector<std::string>& channels);
/// Every pattern of the section record must fit a channel.
void check_record(const Model&, const std::vector<std::string>& patterns, const std::vector<Channel>& channels);
/// The same of any list of patterns; `what` it is called.
void check_channels(const Node& node, const std::vector<std::string>& patterns, const std::vector<Channel>& channels,
                    const char* what);

/// Rigid contact has no force of its own: whoever does not solve for it would let bodies fall through each other.
void refuse_rigid(const Model& model, const System& system, const std::string& who, const std::string& way_out);
void refuse_groups(const Model& model, const System& system, const std::string& who, const std::string& way_out);

}  // namespace bristle
