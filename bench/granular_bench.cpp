// A thousand spheres fall into a box: Moreau–Jean with sweeps beside Siconos and MuJoCo, in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/model/model.h"
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
  fmt::print("| {} | {:.1f} ms | {:.2f} s | {:.1f} s | {} | {:.0f} | {:.1f} % | {:.2e} J |\n", who, 1e3 * step, f.seconds,
             f.cpu / f.seconds, f.solver > 0 ? fmt::format("{:.1f} s", f.solver / f.seconds) : "", f.contacts,
             100 * f.deepest / kRadius, f.kinetic);
}

Figures run_bristle(int n, double end, double step, int iterations) {
  std::string text = "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n";
  int i = 0;
  for (const Grain& g : start(n))
    text +=
        fmt::format("  g{}: {{type: rigid, position: [{}, {}, {}], shape: {{type: sphere, radius: {}, density: 2500 kg/m^3}}}}\n",
                    i++, g.x, g.y, g.z, kRadius);
  text += fmt::format(
      "collisions:\n  grains:\n    bodies: g*\n    with: [{{type: plane}}, {{type: plane, at: [-{0}, 0, 0], axis: x}}, {{type: plane, at: [{0}, 0, 0], "
      "axis: -x}}, {{type: plane, at: [0, -{0}, 0], axis: y}}, {{type: plane, at: [0, {0}, 0], axis: -y}}]\n"
      "    contact: {{type: rigid, restitution: {5}}}\n    friction: {{type: coulomb, mu_kinetic: {1}}}\n"
      "analysis: {{type: transient, end: {2}, integrator: {{type: moreau_jean, step: {3}, solver: sweeps, iterations: {4}, tolerance: 1e-4}}}}\n",
      wall(n), kMu, end, step, iterations, kRestitution);
  const bristle::Model model = bristle::read_model_text(text, "grains.yaml");
  const bristle::System system = bristle::assemble(model);
  const auto run = bristle::make_run(model, system, bristle::plan_transient(model));
  run->start(system.make_state());
  Figures f;
  std::vector<double> out(system.layout().channels.size());
  std::size_t depth = 0, contacts = 0;
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (system.layout().channels[c].name == "grains.penetration") depth = c;
    if (system.layout().channels[c].name == "grains.contacts") contacts = c;
  }
  while (run->state().t < end) {
    const double begin = cpu_now();
    const bool good = run->advance(end);
    f.cpu += cpu_now() - begin;
    if (!good) {
      fmt::print("{}\n", run->message());
      break;
    }
    if (++f.steps % kLook != 0) continue;
    run->calc_outputs(run->state(), out.data());
    f.deepest = std::max(f.deepest, out[depth]);
    f.contacts = out[contacts];
  }
  f.seconds = run->state().t;
  f.kinetic = run->ledger().energy().kinetic;
  return f;
}

#ifdef BRISTLE_HAVE_MUJOCO
/// `stiff`: contacts as hard as the step allows. They are critically damped and return nothing: with less damping, for the restitution of
/// the scene, energy grows at this hardness.
Figures run_mujoco(int n, double end, double step, bool stiff) {
  const int room = std::min(5 * n * n * n, 2800);  // contacts: its buffer ends at 2 GB
  std::string text = fmt::format(
      "<mujoco><option timestep=\"{}\" gravity=\"0 0 -{}\" solver=\"CG\" cone=\"elliptic\"/><size njmax=\"{}\" nconmax=\"{}\"/>"
      "<default><geom friction=\"{} 0 0\" condim=\"3\"{}/></default><worldbody>",
      step, kGravity, 3 * room, room, kMu, stiff ? fmt::format(" solref=\"{} 1\" solimp=\"0.99 0.99 0.001\"", 2 * step) : "");
  text += "<geom type=\"plane\" size=\"10 10 1\"/>";
  const char* turn[4] = {"0 1 0", "0 -1 0", "-1 0 0", "1 0 0"};
  const double w = wall(n), x[4] = {-w, w, 0, 0}, y[4] = {0, 0, -w, w};
  for (int k = 0; k < 4; ++k)
    text += fmt::format("<geom type=\"plane\" size=\"10 10 1\" pos=\"{} {} 0\" axisangle=\"{} 90\"/>", x[k], y[k], turn[k]);
  for (const Grain& g : start(n))
    text += fmt::format("<body pos=\"{} {} {}\"><freejoint/><geom type=\"sphere\" size=\"{}\" density=\"2500\"/></body>", g.x,
                        g.y, g.z, kRadius);
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
  const long last = std::lround(end / step);
  while (f.steps < last) {
    const double begin = cpu_now();
    mj_step(model, data);
    f.cpu += cpu_now() - begin;
    if (++f.steps % kLook != 0) continue;
    for (int c = 0; c < data->ncon; ++c) f.deepest = std::max(f.deepest, -data->contact[c].dist);
  }
  f.seconds = data->time;
  f.contacts = data->ncon;
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

}  // namespace

int main(int argc, char** argv) {
  // bodies along an edge, seconds, budget of Siconos; options for the other benchmarks are not ours
  const bool given = argc > 1 && argv[1][0] != '-';
  const int n = given ? std::stoi(argv[1]) : 10;
  const double end = given && argc > 2 ? std::stod(argv[2]) : 1;
  const double budget = given && argc > 3 ? std::stod(argv[3]) : 60;  // [s] processor time that Siconos may take
  constexpr double kStep = 2e-3;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  fmt::print("{} spheres fall into a box, friction {}, restitution {}\n\n", n * n * n, kMu, kRestitution);
  fmt::print(
      "| engine | step | simulated | processor time per simulated second | of that its solver | contacts at the end | deepest "
      "penetration, of a radius | kinetic energy at the end |\n|---|---|---|---|---|---|---|---|\n");
  for (int sweeps : {20, 50, 200})
    print(fmt::format("moreau_jean, at most {} sweeps", sweeps), kStep, run_bristle(n, end, kStep, sweeps));
#ifdef BRISTLE_HAVE_SICONOS_MECHANICS
  for (int sweeps : {20, 50}) {
    const Figures f = run_siconos(n, end, kStep, sweeps, budget);
    print(fmt::format("Siconos, at most {} sweeps", sweeps), kStep, f);
    if (f.seconds < 0.99 * end)  // out of budget: ours over the same time
      print(fmt::format("moreau_jean, at most {} sweeps", sweeps), kStep, run_bristle(n, f.seconds, kStep, sweeps));
  }
#else
  fmt::print("Siconos' mechanics library is not installed\n");
#endif
#ifdef BRISTLE_HAVE_MUJOCO
  print(fmt::format("MuJoCo {}, CG, as it comes", mj_versionString()), kStep, run_mujoco(n, end, kStep, false));
  for (double step : {kStep, 0.5 * kStep, 0.25 * kStep})
    print(fmt::format("MuJoCo {}, CG, as hard as the step allows", mj_versionString()), step, run_mujoco(n, end, step, true));
#else
  fmt::print("MuJoCo is not installed\n");
#endif
  return 0;
}
