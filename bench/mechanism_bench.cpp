// Mechanisms: time per simulated second at a given error against Simbody, steps per second of an implicit method, and growth with the
// number of links.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/reference_mechanisms.h"
#include "validation/slider_crank.h"
#include "validation/trial.h"
#ifdef BRISTLE_HAVE_SIMBODY
#include "simbody_peer.h"
#endif

namespace {

double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Timed {
  double cpu_per_second = 0, error = 0;
  long long steps = 0;
};

/// The best of a few runs to `end`; `error` looks at the end state.
Timed timed(const std::string& model, double end, const std::function<double(bristle::Trial&)>& error, int repeats = 3) {
  bristle::Trial trial(model);
  Timed best;
  for (int k = 0; k < repeats; ++k) {
    bristle::Run& run = trial.start();
    const double begin = cpu();
    if (!run.advance_to(end)) return {-1, NAN, 0};
    const double spent = (cpu() - begin) / end;
    if (k == 0 || spent < best.cpu_per_second) best.cpu_per_second = spent;
    best.steps = run.counts().accepted;
  }
  best.error = error(trial);
  return best;
}

std::string with_analysis(const std::string& model, const std::string& integrator, const std::string& more = "") {
  const std::size_t at = model.find("analysis:");
  return model.substr(0, at) + "analysis: {type: transient, end: 1e3, integrator: " + integrator + more + "}\n";
}

/// Rods of 1 m and 1 kg, pinned in a row, released from the horizontal: bodies of the plane.
std::string chain(int links) {
  std::string bodies = "bristle: 1\ngravity: [0, -9.81]\nbodies:\n", joints = "joints:\n";
  for (int i = 0; i < links; ++i) {
    bodies += fmt::format("  l{}: {{type: planar, mass: 1, inertia: {:.17g}, position: [{:.17g}, 0]}}\n", i, 1.0 / 12, i + 0.5);
    joints += fmt::format("  j{}: {{type: revolute, between: [{}, l{}], at: [{}, 0]}}\n", i,
                          i == 0 ? "ground" : fmt::format("l{}", i - 1), i, i);
  }
  return bodies + joints + "analysis: {}\n";
}

void print(const char* name, const std::string& method, const Timed& t) {
  fmt::print("| {} | {} | {:.3f} ms | {:.1e} | {} |\n", name, method, 1e3 * t.cpu_per_second, t.error, t.steps);
}

#ifdef BRISTLE_HAVE_SIMBODY
Timed peer(const SimbodyResult& r) { return {r.cpu_per_second, r.error, r.steps}; }
#endif

/// The cheapest of some settings whose error is within the goal.
struct Best {
  Timed t;
  std::string name;
  void offer(const std::string& method, const Timed& made, double goal) {
    if (!(made.error <= goal) || made.cpu_per_second <= 0) return;
    if (name.empty() || made.cpu_per_second < t.cpu_per_second) t = made, name = method;
  }
};

void compare(const char* name, double goal, const Best& ours, const Best& theirs) {
  if (ours.name.empty()) {
    fmt::print("{}: none of our settings reached {:.0e}\n\n", name, goal);
    return;
  }
  if (theirs.name.empty()) {
    fmt::print("{}: {} {:.3f} ms per simulated second at {:.0e}; Simbody did not reach it or is not installed\n\n", name,
               ours.name, 1e3 * ours.t.cpu_per_second, goal);
    return;
  }
  fmt::print("**{} at an error of {:.0e}: {} {:.3f} ms against {} {:.3f} ms: {:.2f} times faster**\n\n", name, goal, ours.name,
             1e3 * ours.t.cpu_per_second, theirs.name, 1e3 * theirs.t.cpu_per_second,
             theirs.t.cpu_per_second / ours.t.cpu_per_second);
}

void slider_crank() {
  const double end = 5, goal = 1e-6;
  const bristle::test::SpatialSliderCrank reference;
  const double truth = reference.run({0, end}).back().angle;
  const std::string model = bristle::SliderCrank{}.text();
  const auto error = [&](bristle::Trial& trial) { return std::abs(trial.read(trial.channel("main.angle")) - truth); };
  fmt::print("| problem | method | per simulated second | error | steps |\n|---|---|---|---|---|\n");
  Best ours, theirs;
  for (const char* method : {"{type: dormand_prince, tolerance: 1e-5}", "{type: dormand_prince, tolerance: 1e-6}",
                             "{type: dormand_prince, tolerance: 1e-7}", "{type: dormand_prince, tolerance: 1e-8}",
                             "{type: dormand_prince, tolerance: 1e-9}", "{type: rk4, step: 2 ms}", "{type: rk4, step: 1 ms}",
                             "{type: rk4, step: 0.5 ms}"}) {
    const Timed t = timed(with_analysis(model, method), end, error);
    print("spatial slider-crank", method, t);
    ours.offer(method, t, goal);
  }
#ifdef BRISTLE_HAVE_SIMBODY
  // CPodes needs more time and leaves larger errors on this problem (see simbody_bench); here its vectors clash with those of SUNDIALS
  for (double accuracy : {1e-7, 1e-8, 1e-9, 1e-10}) {
    const Timed t = peer(run_simbody_slider_crank(accuracy, SimbodyMethod::runge_kutta_merson, end));
    print("spatial slider-crank", fmt::format("Simbody Runge-Kutta-Merson {:.0e}", accuracy), t);
    theirs.offer("Simbody Runge-Kutta-Merson", t, goal);
  }
#endif
  fmt::print("\n");
  compare("Spatial slider-crank", goal, ours, theirs);
}

void rubbing_slider_crank() {
  const auto none = [](bristle::Trial&) { return 0.0; };
  const std::string law =
      "friction: {type: lugre, mu_kinetic: 0.1, mu_static: 0.2, stribeck_velocity: 1 mm/s, sigma0: 1e4, sigma1: 31.6}";
  std::string model = bristle::SliderCrank{.guide = "width: 10 mm, " + law}.text();
  for (const char* joint : {"main", "pin", "wrist"}) {
    const std::size_t at = model.find(std::string("  ") + joint + ":");
    model.insert(model.find("]}\n", at) + 1, ", pin_radius: 5 mm, " + law);
  }
  const Timed t = timed(with_analysis(model, "{type: rk4, step: 0.02 ms}"), 0.5, none, 2);
  fmt::print("Spatial slider-crank, LuGre friction in all joints, RK4 with steps of 20 us: real-time factor {:.2f}\n\n",
             1 / t.cpu_per_second);
}

void implicit_steps() {
  const std::string model = bristle::SliderCrank{}.text();
  fmt::print(
      "| generalized-alpha, spatial slider-crank | steps per second (goal 1e5) | Newton iterations per step | largest constraint error |\n|---|---|---|---|\n");
  const std::vector<std::string> settings{"step: 1 ms", "step: 1 ms, newton_tolerance: 1e-7", "step: 0.2 ms",
                                          "step: 0.2 ms, newton_tolerance: 1e-7"};
  std::vector<std::unique_ptr<bristle::Trial>> trials;
  for (const std::string& setting : settings)
    trials.push_back(
        std::make_unique<bristle::Trial>(with_analysis(model, fmt::format("{{type: generalized_alpha, {}}}", setting))));
  std::vector<double> best(settings.size(), 0), newton = best;
  for (int round = 0; round < 15; ++round) {  // in turns: a round takes 20 to 50 ms, and others may use the machine
    for (std::size_t i = 0; i < settings.size(); ++i) {
      bristle::Run& run = trials[i]->start();
      const double begin = cpu();
      run.advance_to(1);
      best[i] = std::max(best[i], static_cast<double>(run.counts().accepted) / (cpu() - begin));
      newton[i] = static_cast<double>(run.counts().newton) / static_cast<double>(run.counts().accepted);
    }
  }
  for (std::size_t i = 0; i < settings.size(); ++i) {
    bristle::Trial& trial = *trials[i];
    // once more, looking at the joints after every step
    double worst = 0;
    bristle::Run& run = trial.start();
    bristle::Workspace w = trial.system().make_workspace();
    while (run.state().t < 1 && run.advance(1)) {
      trial.system().look(run.state(), w);
      for (const bristle::HeldRow& h : trial.system().layout().held)
        worst = std::max(worst, std::abs(w.row_value[static_cast<std::size_t>(h.row)]));
    }
    fmt::print("| {} | {:.0f} | {:.2f} | {:.1e} |\n", settings[i], best[i], newton[i], worst);
  }
  fmt::print("\n");
}

void chains() {
  fmt::print("| links | ours, per step | per simulated second at 1e-5 | Simbody | ratio |\n|---|---|---|---|---|\n");
  std::vector<double> size, cost;
  for (int links : {10, 32, 100, 1000}) {
    const double end = links > 100 ? 0.2 : 1, goal = 1e-5;
    const bristle::test::Chain reference{links};
    const std::string model = chain(links);
    std::vector<double> truth;
    if (links <= 100) {
      const auto state = reference.advance(reference.horizontal(), end);
      truth = state.angle;
    } else {
      bristle::Trial fine(with_analysis(model, "{type: dormand_prince, tolerance: 1e-10}"));
      fine.start().advance_to(end);
      for (int i = 0; i < links; ++i) truth.push_back(fine.read(fine.channel(fmt::format("l{}.angle", i))));
    }
    const auto error = [&](bristle::Trial& trial) {
      double worst = 0;
      for (int i = 0; i < links; ++i)
        worst = std::max(worst,
                         std::abs(trial.read(trial.channel(fmt::format("l{}.angle", i))) - truth[static_cast<std::size_t>(i)]));
      return worst;
    };
    Best ours, theirs;
    double per_step = 0;
    for (const char* method : {"{type: dormand_prince, tolerance: 1e-4}", "{type: dormand_prince, tolerance: 1e-5}",
                               "{type: dormand_prince, tolerance: 1e-6}", "{type: dormand_prince, tolerance: 1e-7}"}) {
      const Timed t = timed(with_analysis(model, method), end, error, links > 100 ? 1 : 2);
      ours.offer(method, t, goal);
      per_step = t.cpu_per_second * end / static_cast<double>(t.steps);
    }
#ifdef BRISTLE_HAVE_SIMBODY
    for (double accuracy : {1e-5, 3e-6, 1e-6, 1e-7})
      theirs.offer("Runge-Kutta-Merson", peer(run_simbody_chain(links, accuracy, SimbodyMethod::runge_kutta_merson, end)), goal);
#endif
    size.push_back(std::log(links));
    cost.push_back(std::log(per_step));
    fmt::print("| {} | {:.1f} us | {:.2f} ms ({}) | {:.2f} ms ({}) | {:.2f} |\n", links, 1e6 * per_step,
               1e3 * ours.t.cpu_per_second, ours.name, 1e3 * theirs.t.cpu_per_second, theirs.name,
               theirs.t.cpu_per_second / ours.t.cpu_per_second);
  }
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(size.size());
  for (std::size_t i = 0; i < size.size(); ++i) sx += size[i], sy += cost[i], sxx += size[i] * size[i], sxy += size[i] * cost[i];
  fmt::print("\nCost per step grows as links^{:.2f} (goal 1.15)\n", (n * sxy - sx * sy) / (n * sxx - sx * sx));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string only = argc > 1 ? argv[1] : "";
  if (only.empty() || only == "slider") slider_crank();
  if (only.empty() || only == "friction") rubbing_slider_crank();
  if (only.empty() || only == "implicit") implicit_steps();
  if (only.empty() || only == "chain") chains();
  return 0;
}
