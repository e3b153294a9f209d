#include <fmt/format.h>

#include "bristle/assemble/assemble.h"
#include "bristle/assemble/moved_apart.h"
#include "bristle/assemble/usual_friction.h"
#include "commands.h"
#include "summary.h"

namespace bristle::app {

int check(const CheckArguments& arguments) {
  const Model model = read_model(arguments.model, arguments.overrides);
  check_model(model);
  if (arguments.quiet) return kOk;
  const System system = assemble(model);
  const Layout& layout = system.layout();
  fmt::print("{}: fine\n", arguments.model);
  fmt::print("  {:<14}{}\n", "title", title_of(model));
  fmt::print("  {:<14}{} free, {} driven\n", "coordinates", layout.free(), layout.driven);
  fmt::print("{}{}{}", mechanism_text(layout, 14), list_text("moved apart", moved_apart(model), 14),
             list_text("assumed", assumed_friction(model), 14));
  if (layout.sizes.z > 0) fmt::print("  {:<14}{} numbers\n", "memory", layout.sizes.z);
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const PlaceInfo& p = layout.places[i];
    fmt::print("  {:<14}{}: {}{}\n", i == 0 ? "friction" : "", p.name, p.law,
               p.components > 1 ? fmt::format(", {} components", p.components) : "");
  }
  const std::string type = analysis_type(model);
  if (type == "kinematics" || type == "inverse_dynamics") {
    const KinematicsPlan plan = plan_kinematics(model);
    fmt::print("  {:<14}{}, {:.6g} s to {:.6g} s\n", "analysis", type, plan.start, plan.end);
    return kOk;
  }
  if (type != "transient") {
    fmt::print("  {:<14}{}\n", "analysis", type);
    return kOk;
  }
  const TransientPlan plan = plan_transient(model);
  fmt::print("  {:<14}transient, {:.6g} s to {:.6g} s with {}\n", "analysis", plan.start, plan.end, plan.integrator);
  return kOk;
}

}  // namespace bristle::app
