#include "bristle/study/describe.h"

#include <fmt/format.h>

#include <set>

#include "bristle/assemble/elements.h"
#include "bristle/assemble/usual_friction.h"
#include "bristle/study/plans.h"

namespace bristle {

namespace {

/// Joints between bodies, and those between motions of other joints, which have no place in space.
std::size_t count_joints(const Layout& layout) {
  std::set<std::string> names;
  for (const JointInfo& j : layout.joints) names.insert("joint '" + j.name + "'");
  for (const HeldRow& h : layout.held) names.insert(h.owner);
  return names.size();
}

}  // namespace

std::string list_text(const char* name, const std::vector<std::string>& list, int column) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) out += fmt::format("  {:<{}}{}\n", i == 0 ? name : "", column, list[i]);
  return out;
}

std::string mechanism_text(const Layout& layout, int column) {
  if (layout.bodies.empty()) return "";
  std::string out;
  const auto line = [&](const char* what, const std::string& value) { out += fmt::format("  {:<{}}{}\n", what, column, value); };
  line("bodies", fmt::format("{} in space", layout.bodies.size() - 1));
  if (!layout.held.empty()) line("joints", fmt::format("{} with {} rows held", count_joints(layout), layout.held.size()));
  line("freedoms", fmt::format("{}", layout.freedoms));
  if (layout.redundant.empty()) return out;
  constexpr std::size_t kShown = 8;
  std::string names;
  for (std::size_t i = 0; i < layout.redundant.size() && i < kShown; ++i) names += (i ? ", " : "") + layout.redundant[i];
  if (layout.redundant.size() > kShown) names += fmt::format(" and {} more", layout.redundant.size() - kShown);
  line("redundant", fmt::format("{} {}: {}", layout.redundant.size(), layout.redundant.size() == 1 ? "row" : "rows", names));
  line("", "reactions of such joints are not unique, nor is friction that they load: the least ones are used");
  return out;
}

std::string describe(const Study& study) {
  constexpr int kColumn = 14;
  const Layout& layout = study.layout();
  std::string out;
  const auto line = [&](const char* what, const std::string& value) { out += fmt::format("  {:<{}}{}\n", what, kColumn, value); };
  line("title", title_of(study.model()));
  line("coordinates", fmt::format("{} free, {} driven", layout.free(), layout.driven));
  out += mechanism_text(layout, kColumn) + list_text("moved apart", study.moved(), kColumn) +
         list_text("assumed", assumed_friction(study.model(), study.elements().friction), kColumn);
  if (layout.sizes.z > 0) line("memory", fmt::format("{} numbers", layout.sizes.z));
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const PlaceInfo& p = layout.places[i];
    line(i == 0 ? "friction" : "",
         fmt::format("{}: {}{}", p.name, p.law, p.components > 1 ? fmt::format(", {} components", p.components) : ""));
  }
  const std::string outline = study.analysis().outline();
  line("analysis", study.type() + (outline.empty() ? "" : ", " + outline));
  return out;
}

}  // namespace bristle
