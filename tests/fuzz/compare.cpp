#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>

#include "bristle/base/error.h"
#include "bristle/model/model.h"
#include "bristle/study/plans.h"
#include "nodes.h"
#include "random_model.h"

namespace bristle::fuzz {

namespace {

struct Motion {
  State end;
  double reach = 0;  // farthest from the start
};

/// Largest difference of positions and attitudes.
double distance(const System& system, const State& a, const State& b) {
  std::vector<double> d(static_cast<std::size_t>(system.layout().order_one()), 0);
  system.motion().difference(a, b, d.data());
  double most = 0;
  for (int i = 0; i < system.layout().free(); ++i) most = std::max(most, std::abs(d[static_cast<std::size_t>(i)]));
  return most;
}

std::optional<Motion> run_with(Node tree, const Node& integrator, bool usual_enforcement) {
  Node& analysis = *tree.find("analysis");
  analysis.set("integrator", integrator);
  if (usual_enforcement) {
    std::erase_if(analysis.children, [](const auto& c) { return c.first == "enforcement" || c.first == "rest"; });
    analysis.key_where.resize(analysis.children.size());
  }
  try {
    const Model model = read_model_text(model_text(tree), "reference.yaml");
    const System system = assemble(model);
    const TransientPlan plan = plan_transient(model);
    const std::unique_ptr<Run> run = make_run(model, system, plan);
    State x = system.make_state();
    system.set_time(x, plan.start);
    const State start = x;
    run->start(std::move(x));
    Motion out;
    while (run->state().t < plan.end) {
      if (!run->advance(plan.end)) return std::nullopt;
      out.reach = std::max(out.reach, distance(system, run->state(), start));
    }
    out.end = run->state();
    return out;
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const SolveError&) {
    return std::nullopt;
  }
}

bool mentions(const Node& node, const std::string& key) {
  for (const auto& [k, child] : node.children) {
    if (k == key || (child.is_scalar() && k == "type" && child.text == key) || mentions(child, key)) return true;
  }
  return false;
}

}  // namespace

bool is_regular(const Node& model) {
  // haessig_friedland's bonds break by chance: another method has other steps
  for (const char* word :
       {"contact", "stops", "one_way", "dead_band", "collisions", "roughness", "haessig_friedland", "adapt", "backlash"}) {
    if (mentions(model, word)) return false;
  }
  const Node* analysis = model.find("analysis");
  return analysis != nullptr && analysis->find("rest") == nullptr;
}

std::string compare_methods(const Node& model, const System& system, const State& end) {
  const Node fine = number(1e-9);
  const auto a = run_with(model, map({{"type", text("dormand_prince")}, {"tolerance", fine}}), true);
  if (!a) return kNoReference;
  const auto b = run_with(model, map({{"type", text("radau5")}, {"tolerance", fine}}), true);
  if (!b) return kNoReference;
  const double reach = std::max(a->reach, 1e-6);
  if (!(distance(system, a->end, b->end) <= 1e-5 * reach)) return kNoReference;
  const double off = distance(system, end, a->end) / reach;
  const Node& method = *model.find("analysis")->find("integrator");
  double allowed = std::max(1e-3, 3e-7 / reach);  // some hundred of the usual absolute tolerances
  if (const Node* tolerance = method.find("tolerance"); tolerance != nullptr && method.find("type")->text != "moreau_jean") {
    const double asked = std::strtod(tolerance->text.c_str(), nullptr);
    allowed = std::max({1e-4, 300 * asked, 0.3 * asked / reach});
    if (off > allowed) {  // motions that part fast, and many steps: then a tenth of the tolerance comes much nearer
      Node finer = method;
      finer.set("tolerance", text(exact(0.1 * asked)));
      const auto c = run_with(model, finer, false);
      if (c && 3 * distance(system, c->end, a->end) / reach < off) allowed = off;
    }
  } else if (const Node* step = method.find("step"); step != nullptr) {
    // A method that converges comes at least half as near with half the step. Where a load jumps inside a step it may take two or three halvings to show
    const bool far = off > allowed;
    State coarse = end;
    for (double share : {0.5, 0.25, 0.125}) {
      if (!far) break;
      Node shorter = model;
      Node& analysis = *shorter.find("analysis");
      Node finer = method;
      finer.set("step", text(exact(share * std::strtod(step->text.c_str(), nullptr))));
      if (const Node* limit = analysis.find("max_step"))
        analysis.set("max_step", text(exact(share * std::strtod(limit->text.c_str(), nullptr))));
      const auto c = run_with(shorter, finer, false);
      if (!c) break;
      allowed = std::max(allowed, 4 * distance(system, coarse, c->end) / reach);
      coarse = c->end;
    }
  }
  if (off <= allowed) return "";
  return fmt::format("ends {:.3g} of its reach of {:.3g} from where dormand_prince and radau5 end; {:.1g} would be right", off,
                     reach, allowed);
}

}  // namespace bristle::fuzz
