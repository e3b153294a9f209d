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

KindGroup kind_group(const AnalysisRegistry& registry) {
  KindGroup group{"analysis", "what to compute, in the section `analysis:`", {}};
  for (const AnalysisEntry& entry : registry.all()) {
    KeyDescriber keys;
    entry.make()->visit(keys);
    group.entries.push_back({entry.name, entry.summary, keys.fields, entry.example, entry.page, keys.shapes});
  }
  return group;
}

const std::vector<KindGroup>& all_kinds() {
  static const std::vector<KindGroup> groups = [] {
    std::vector<KindGroup> all = assembled_kinds();
    all.insert(all.end() - 1, kind_group(analysis_registry()));  // before the other sections
    return all;
  }();
  return groups;
}

}  // namespace bristle
