#include "bristle/assemble/elements.h"
#include "bristle/study/analysis.h"
#include "bristle/study/campbell.h"
#include "bristle/study/kinematics.h"
#include "bristle/study/linearise.h"
#include "bristle/study/modes.h"
#include "bristle/study/statics.h"
#include "bristle/study/transient.h"

namespace bristle {

const AnalysisRegistry& analysis_registry() {
  static const AnalysisRegistry registry = [] {
    AnalysisRegistry r("analysis");
    add_analysis<TransientAnalysis>(r);
    add_analysis<KinematicsAnalysis>(r);
    add_analysis<InverseDynamicsAnalysis>(r);
    add_analysis<StaticsAnalysis>(r);
    add_analysis<ModesAnalysis>(r);
    add_analysis<CampbellAnalysis>(r);
    add_analysis<LineariseAnalysis>(r);
    return r;
  }();
  return registry;
}

KindGroup kind_group(const AnalysisRegistry& registry, const Elements& elements) {
  KindGroup group{"analysis", "what to compute, in the section `analysis:`", {}};
  for (const AnalysisEntry& entry : registry.all()) {
    KeyDescriber keys(elements);
    entry.make()->visit(keys);
    group.entries.push_back({entry.name, entry.summary, keys.fields, entry.example, entry.page});
  }
  return group;
}

std::vector<KindGroup> all_kinds(const AnalysisRegistry& analyses, const Elements& elements) {
  std::vector<KindGroup> all = assembled_kinds(elements);
  all.insert(all.end() - 1, kind_group(analyses, elements));  // before the other sections
  return all;
}

const std::vector<KindGroup>& all_kinds() {
  static const std::vector<KindGroup> groups = all_kinds(analysis_registry(), all_elements());
  return groups;
}

}  // namespace bristle
