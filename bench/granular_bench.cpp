// A thousand spheres fall into a box: Moreau–Jean with sweeps beside MuJoCo, in the same run and at the same step.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/model/model.h"
#ifdef BRISTLE_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#endif

namespace {

constexpr double kRadius = 0.02, kSpacing = 0.045, kStep = 2e-3, kMu = 0.5;

struct Grain {
  double x, y, z;
};

std::vector<Grain> grains(int n) {
  std::vector<Grain> list;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        // a little off the grid, or columns would stand on each other for ever
        const double shift = 0.002 * std::sin(12.9898 * i + 78.233 * j + 37.719 * k);
        list.push_back({kSpacing * (i - 0.5 * (n - 1)) + shift, kSpacing * (j - 0.5 * (n - 1)) - shift, 0.03 + kSpacing * k});
      }
    }
  }
  return list;
}

double clock_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Figures {
  double steps_per_second = 0, contacts = 0, deepest = 0, kinetic = 0;
};

void print(const char* who, int count, const Figures& f) {
  fmt::print("| {} | {} | {:.1f} | {:.0f} | {:.2e} m ({:.2f} % of a radius) | {:.2e} J |\n", who, count, f.steps_per_second,
             f.contacts, f.deepest, 100 * f.deepest / kRadius, f.kinetic);
}

Figures run_bristle(int n, double end, int iterations) {
  std::string text = "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n";
  int i = 0;
  for (const Grain& g : grains(n))
    text +=
        fmt::format("  g{}: {{type: rigid, position: [{}, {}, {}], shape: {{type: sphere, radius: {}, density: 2500 kg/m^3}}}}\n",
                    i++, g.x, g.y, g.z, kRadius);
  const double wall = 0.5 * kSpacing * n + 0.01;
  text += fmt::format(
      "collisions:\n  grains:\n    bodies: g*\n    with: [{{type: plane}}, {{type: plane, at: [-{0}, 0, 0], axis: x}}, {{type: plane, at: [{0}, 0, 0], "
      "axis: -x}}, {{type: plane, at: [0, -{0}, 0], axis: y}}, {{type: plane, at: [0, {0}, 0], axis: -y}}]\n"
      "    contact: {{type: rigid, restitution: 0.3}}\n    friction: {{type: coulomb, mu_kinetic: {1}}}\n"
      "analysis: {{type: transient, end: {2}, integrator: {{type: moreau_jean, step: {3}, solver: sweeps, iterations: {4}, tolerance: 1e-4}}}}\n",
      wall, kMu, end, kStep, iterations);
  const bristle::Model model = bristle::read_model_text(text, "grains.yaml");
  const bristle::System system = bristle::assemble(model);
  const auto run = bristle::make_run(model, system, bristle::plan_transient(model));
  run->start(system.make_state());
  const double begin = clock_now();
  long steps = 0;
  Figures f;
  std::vector<double> out(system.layout().channels.size());
  std::size_t depth = 0, contacts = 0;
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (system.layout().channels[c].name == "grains.penetration") depth = c;
    if (system.layout().channels[c].name == "grains.contacts") contacts = c;
  }
  double spent = 0;
  while (run->state().t < end) {
    if (!run->advance(end)) {
      fmt::print("{}\n", run->message());
      break;
    }
    ++steps;
    if (steps % 25 == 0) {
      const double pause = clock_now();
      run->calc_outputs(run->state(), out.data());
      f.deepest = std::max(f.deepest, out[depth]);
      f.contacts = out[contacts];
      spent += clock_now() - pause;
    }
  }
  f.steps_per_second = static_cast<double>(steps) / (clock_now() - begin - spent);
  f.kinetic = run->ledger().energy().kinetic;
  return f;
}

#ifdef BRISTLE_HAVE_MUJOCO
Figures run_mujoco(int n, double end, const char* solver) {
  const double wall = 0.5 * kSpacing * n + 0.01;
  const int room = std::min(5 * n * n * n, 2800);  // contacts: its buffer ends at 2 GB
  std::string text = fmt::format(
      "<mujoco><option timestep=\"{}\" gravity=\"0 0 -9.81\" solver=\"{}\" cone=\"elliptic\"/><size njmax=\"{}\" nconmax=\"{}\"/>"
      "<default><geom friction=\"{} 0 0\" condim=\"3\"/></default><worldbody>",
      kStep, solver, 3 * room, room, kMu);
  text += "<geom type=\"plane\" size=\"10 10 1\"/>";
  const char* turn[4] = {"0 1 0", "0 -1 0", "-1 0 0", "1 0 0"};
  const double x[4] = {-wall, wall, 0, 0}, y[4] = {0, 0, -wall, wall};
  for (int k = 0; k < 4; ++k)
    text += fmt::format("<geom type=\"plane\" size=\"10 10 1\" pos=\"{} {} 0\" axisangle=\"{} 90\"/>", x[k], y[k], turn[k]);
  for (const Grain& g : grains(n))
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
  long steps = 0;
  const double begin = clock_now();
  for (; data->time < end - 0.5 * kStep; ++steps) {
    mj_step(model, data);
    if (steps % 25 != 0) continue;
    for (int c = 0; c < data->ncon; ++c) f.deepest = std::max(f.deepest, -data->contact[c].dist);
  }
  f.steps_per_second = static_cast<double>(steps) / (clock_now() - begin);
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
  // bodies along an edge, seconds; options for the other benchmarks are not ours
  const bool given = argc > 1 && argv[1][0] != '-';
  const int n = given ? std::stoi(argv[1]) : 10;
  const double end = given && argc > 2 ? std::stod(argv[2]) : 1;
  const int count = n * n * n;
  fmt::print("Spheres fall into a box, {} s at a step of {} ms, friction {}\n\n", end, 1e3 * kStep, kMu);
  fmt::print("| engine | spheres | steps per second | contacts at the end | deepest penetration | kinetic energy at the end |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (int iterations : {20, 50, 200})
    print(fmt::format("moreau_jean, at most {} sweeps", iterations).c_str(), count, run_bristle(n, end, iterations));
#ifdef BRISTLE_HAVE_MUJOCO
  for (const char* solver : {"CG", "PGS"}) {
    if (std::string(solver) == "PGS" && n > 6) continue;  // it makes a dense matrix of all contacts
    print(fmt::format("MuJoCo {}, {}", mj_versionString(), solver).c_str(), count, run_mujoco(n, end, solver));
  }
#else
  fmt::print("MuJoCo is not installed: nothing to compare with\n");
#endif
  return 0;
}
