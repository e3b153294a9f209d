// A thousand spheres in a box: Moreau–Jean with sweeps beside Siconos and MuJoCo, in the same run, at equal penetration.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bristle/model/model.h"
#include "bristle/study/plans.h"
#include "grains.h"
#ifdef BRISTLE_HAVE_SICONOS_MECHANICS
#include "siconos_peer.h"
#endif
#ifdef BRISTLE_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#endif

namespace {

using namespace grains;

void print(const std::string& who, double step, const Figures& f) {
  fmt::print("| {} | {:.2f} ms | {:.2f} s | {:.1f} s | {} | {:.0f} | {:.2f} % | {:.3f} % | {:.2e} J |{}\n", who, 1e3 * step,
             f.seconds, f.cpu / f.seconds, f.solver > 0 ? fmt::format("{:.1f} s", f.solver / f.seconds) : "", f.contacts,
             100 * f.deepest, 100 * f.mean, f.kinetic, f.lost > 0 ? fmt::format(" contacts left out in {} steps", f.lost) : "");
}

void print_head() {
  fmt::print(
      "| engine | step | simulated | processor time per simulated second | of that its solver | overlaps at the end | deepest, of a "
      "radius | mean at the end | kinetic energy at the end |\n|---|---|---|---|---|---|---|---|---|\n");
}

Figures run_bristle(const Scene& scene, double step, int sweeps) {
  std::string text = fmt::format("bristle: 1\ngravity: [{}, 0, {}]\nbodies:\n", kGravity * std::sin(scene.tilt),
                                 -kGravity * std::cos(scene.tilt));
  int i = 0;
  for (const Grain& g : scene.start)
    text +=
        fmt::format("  g{}: {{type: rigid, position: [{}, {}, {}], shape: {{type: sphere, radius: {}, density: {} kg/m^3}}}}\n",
                    i++, g.x, g.y, g.z, kRadius, kDensity);
  text += fmt::format(
      "collisions:\n  grains:\n    bodies: g*\n    with: [{{type: plane}}, {{type: plane, at: [-{0}, 0, 0], axis: x}}, {{type: plane, at: [{0}, 0, 0], "
      "axis: -x}}, {{type: plane, at: [0, -{0}, 0], axis: y}}, {{type: plane, at: [0, {0}, 0], axis: -y}}]\n"
      "    contact: {{type: rigid, restitution: {5}}}\n    friction: {{type: coulomb, mu_kinetic: {1}}}\n"
      "analysis: {{type: transient, end: {2}, integrator: {{type: moreau_jean, step: {3}, solver: sweeps, iterations: {4}, tolerance: 1e-4}}}}\n",
      wall(scene.edge), kMu, scene.end, step, sweeps, kRestitution);
  const bristle::Model model = bristle::read_model_text(text, "grains.yaml");
  const bristle::System system = bristle::assemble(model);
  const auto run = bristle::make_run(model, system, bristle::plan_transient(model));
  run->start(system.make_state());
  Figures f;
  const long last = std::lround(scene.end / step);
  while (f.steps < last) {
    const double begin = cpu_now();
    const bool good = run->advance(scene.end);
    f.cpu += cpu_now() - begin;
    if (!good) {
      fmt::print("{}\n", run->message());
      break;
    }
    if (++f.steps % look_after(step) != 0 && f.steps != last) continue;
    f.last.clear();
    for (const auto& body : system.layout().bodies) {
      const double* q = run->state().q() + body.q;
      if (body.turns() == 3) f.last.push_back({q[0], q[1], q[2]});
    }
    look(f.last, scene, f);
  }
  f.seconds = run->state().t;
  f.kinetic = run->ledger().energy().kinetic;
  return f;
}

#ifdef BRISTLE_HAVE_MUJOCO
/// Contacts as hard as the step allows. They are critically damped and return nothing: with less damping, for the restitution of the
/// scene, energy grows at this hardness.
Figures run_mujoco(const Scene& scene, double step, int sweeps) {
  const int room = std::min(5 * static_cast<int>(scene.start.size()), 2800);  // contacts: its buffer ends at 2 GB
  std::string text = fmt::format(
      "<mujoco><option timestep=\"{}\" gravity=\"{} 0 {}\" solver=\"CG\" cone=\"elliptic\" iterations=\"{}\" tolerance=\"1e-4\"/>"
      "<size njmax=\"{}\" nconmax=\"{}\"/><default><geom friction=\"{} 0 0\" condim=\"3\" solref=\"{} 1\" solimp=\"0.99 0.99 "
      "0.001\"/></default><worldbody>",
      step, kGravity * std::sin(scene.tilt), -kGravity * std::cos(scene.tilt), sweeps, 3 * room, room, kMu, 2 * step);
  text += "<geom type=\"plane\" size=\"10 10 1\"/>";
  const char* turn[4] = {"0 1 0", "0 -1 0", "-1 0 0", "1 0 0"};
  const double w = wall(scene.edge), x[4] = {-w, w, 0, 0}, y[4] = {0, 0, -w, w};
  for (int k = 0; k < 4; ++k)
    text += fmt::format("<geom type=\"plane\" size=\"10 10 1\" pos=\"{} {} 0\" axisangle=\"{} 90\"/>", x[k], y[k], turn[k]);
  for (const Grain& g : scene.start)
    text += fmt::format("<body pos=\"{} {} {}\"><freejoint/><geom type=\"sphere\" size=\"{}\" density=\"{}\"/></body>", g.x, g.y,
                        g.z, kRadius, kDensity);
  text += "</worldbody></mujoco>";
  const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("bristle_grains_{}.xml", getpid());
  std::ofstream(file) << text;
  char error[500] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  std::filesystem::remove(file);
  if (model == nullptr) {
    fmt::print("MuJoCo: {}\n", error);
    return {};
  }
  mjData* data = mj_makeData(model);
  Figures f;
  const long last = std::lround(scene.end / step);
  while (f.steps < last) {
    const double begin = cpu_now();
    mj_step(model, data);
    f.cpu += cpu_now() - begin;
    f.lost += data->warning[mjWARN_CONTACTFULL].number + data->warning[mjWARN_CNSTRFULL].number > 0 ? 1 : 0;
    data->warning[mjWARN_CONTACTFULL].number = data->warning[mjWARN_CNSTRFULL].number = 0;
    if (++f.steps % look_after(step) != 0 && f.steps != last) continue;
    f.last.clear();
    for (int b = 0; b < model->nbody - 1; ++b) {
      const mjtNum* q = data->qpos + 7 * b;
      f.last.push_back({q[0], q[1], q[2]});
    }
    look(f.last, scene, f);
  }
  f.seconds = data->time;
  for (int b = 1; b < model->nbody; ++b) {
    const mjtNum* v = data->qvel + 6 * (b - 1);
    for (int k = 0; k < 3; ++k)
      f.kinetic += 0.5 * model->body_mass[b] * v[k] * v[k] + 0.5 * model->body_inertia[3 * b + k] * v[3 + k] * v[3 + k];
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return f;
}
#endif

struct Engine {
  std::string name;
  std::vector<Figures> runs;  ///< by falling step
};

/// Cost at a penetration, between the two runs around it, along a straight line in logarithms; -1 beyond them.
double cost_at(const Engine& e, double depth, double Figures::*measure, double Figures::*cost) {
  for (std::size_t k = 1; k < e.runs.size(); ++k) {
    const Figures &a = e.runs[k - 1], &b = e.runs[k];
    if ((a.*measure - depth) * (b.*measure - depth) > 0 || !(b.*cost > 0)) continue;
    const double part = std::log(depth / (a.*measure)) / std::log(b.*measure / (a.*measure));
    return a.*cost / a.seconds * std::pow(b.*cost / b.seconds / (a.*cost / a.seconds), part);
  }
  return -1;
}

/// All engines at equal penetration.
void compare(const std::vector<Engine>& engines) {
  const struct {
    const char* name;
    double Figures::*measure;
    std::initializer_list<double> depths;
  } measures[] = {{"deepest of the run", &Figures::deepest, {0.03, 0.02, 0.01}},
                  {"mean at the end", &Figures::mean, {0.004, 0.002, 0.001, 0.0005}}};
  const auto say = [](double cost) { return cost > 0 ? fmt::format("{:.1f} s", cost) : std::string("-"); };
  fmt::print(
      "\nProcessor time per simulated second at equal penetration\n\n| penetration, of a radius | engine | whole | solver |\n|---|---|---|---|\n");
  for (const auto& m : measures) {
    for (double depth : m.depths) {
      for (const Engine& e : engines)
        fmt::print("| {}: {:g} % | {} | {} | {} |\n", m.name, 100 * depth, e.name,
                   say(cost_at(e, depth, m.measure, &Figures::cpu)), say(cost_at(e, depth, m.measure, &Figures::solver)));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  // bodies along an edge, seconds, budget of a run of Siconos; options for the other benchmarks are not ours
  const bool given = argc > 1 && argv[1][0] != '-';
  const int n = given ? std::stoi(argv[1]) : 10;
  const double end = given && argc > 2 ? std::stod(argv[2]) : 0.1;
  [[maybe_unused]] const double budget = given && argc > 3 ? std::stod(argv[3]) : 600;  // [s] processor time
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  fmt::print("{} spheres, friction {}, restitution {}\n", n * n * n, kMu, kRestitution);

  Scene scene = falling(n, 1.5);
  const Figures settled = run_bristle(scene, 1e-3, 100);
  Figures begin;
  look(settled.last, scene, begin);
  scene.start = settled.last;
  scene.tilt = M_PI / 4;
  scene.end = end;
  fmt::print(
      "\nAt rest in a box that is tipped by 45 degrees at once, {} s; overlaps at the start: deepest {:.2f} %, mean {:.3f} %\n\n",
      end, 100 * begin.deepest, 100 * begin.mean);
  print_head();
  std::vector<Engine> engines;
  const auto all = [&](const std::string& name, std::initializer_list<double> steps, const auto& run) {
    Engine e{name, {}};
    for (double step : steps) {
      e.runs.push_back(run(step));
      print(name, step, e.runs.back());
      if (e.runs.back().seconds < 0.99 * end) e.runs.pop_back();
    }
    engines.push_back(std::move(e));
  };
  for (int sweeps : {20, 50})
    all(fmt::format("moreau_jean, at most {} sweeps", sweeps), {8e-3, 4e-3, 2e-3, 1e-3, 0.5e-3},
        [&](double step) { return run_bristle(scene, step, sweeps); });
#ifdef BRISTLE_HAVE_MUJOCO
  for (int sweeps : {20, 100})
    all(fmt::format("MuJoCo {}, CG, at most {} iterations", mj_versionString(), sweeps), {4e-3, 2e-3, 1e-3, 0.5e-3},
        [&](double step) { return run_mujoco(scene, step, sweeps); });
#else
  fmt::print("MuJoCo is not installed\n");
#endif
#ifdef BRISTLE_HAVE_SICONOS_MECHANICS
  for (int sweeps : {20, 50})
    all(fmt::format("Siconos, at most {} sweeps", sweeps), {4e-3, 2e-3, 1e-3},
        [&](double step) { return run_siconos(scene, step, sweeps, budget); });
#else
  fmt::print("Siconos' mechanics library is not installed\n");
#endif
  compare(engines);
  return 0;
}
