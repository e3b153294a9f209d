#include "siconos_peer.h"

#include <MechanicsFwd.hpp>
#undef SICONOS_VISITABLES
#define SICONOS_VISITABLES() KERNEL_CLASSES() MECHANICS_CLASSES()
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>

#include <iostream>
#include <sstream>

// Debian builds Siconos with its assertions, and those of its graph of contacts walk through the whole of it at every change: nine tenths
// and more of the time. These copies, made without, stand before those of the library.
template class SiconosGraph<SP::DynamicalSystem, SP::Interaction, DynamicalSystemProperties, InteractionProperties,
                            GraphProperties>;
template class SiconosGraph<SP::Interaction, SP::DynamicalSystem, InteractionProperties, DynamicalSystemProperties,
                            GraphProperties>;
#define BRISTLE_GRAPH(a, b, A, B) "_ZNK12SiconosGraphISt10shared_ptrI" a "ES0_I" b "E" A B "15GraphPropertiesE12state_assertEv"
bool unchecked_bodies(const void*) __asm__(BRISTLE_GRAPH("15DynamicalSystem", "11Interaction", "25DynamicalSystemProperties",
                                                         "21InteractionProperties"));
bool unchecked_bodies(const void*) { return true; }
bool unchecked_contacts(const void*) __asm__(BRISTLE_GRAPH("11Interaction", "15DynamicalSystem", "21InteractionProperties",
                                                           "25DynamicalSystemProperties"));
bool unchecked_contacts(const void*) { return true; }

namespace {

double solver_time = 0;

int timed_driver(FrictionContactProblem* problem, double* reaction, double* velocity, SolverOptions* options) {
  const double begin = grains::cpu_now();
  fc3d_driver(problem, reaction, velocity, options);
  solver_time += grains::cpu_now() - begin;
  return 0;  // an unfinished solve is used, as ours is, and not complained about in each step
}

SP::SiconosContactorSet only(const SP::SiconosShape& shape) {
  shape->setInsideMargin(0);
  shape->setOutsideMargin(0);
  auto set = std::make_shared<SiconosContactorSet>();
  set->push_back(std::make_shared<SiconosContactor>(shape));
  return set;
}

SP::SiconosVector numbers(std::initializer_list<double> list) {
  auto v = std::make_shared<SiconosVector>(static_cast<unsigned>(list.size()));
  unsigned i = 0;
  for (double x : list) v->setValue(i++, x);
  return v;
}

}  // namespace

grains::Figures run_siconos(const grains::Scene& scene, double step, int sweeps, double budget) {
  using namespace grains;
  const double mass = kDensity * 4.0 / 3.0 * M_PI * kRadius * kRadius * kRadius, inertia = 0.4 * mass * kRadius * kRadius;
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, scene.end);
  std::vector<SP::RigidBodyDS> bodies;
  const auto ball = only(std::make_shared<SiconosSphere>(kRadius));
  for (const Grain& g : scene.start) {
    auto matrix = std::make_shared<SimpleMatrix>(3, 3);
    matrix->eye();
    *matrix *= inertia;
    auto body = std::make_shared<RigidBodyDS>(numbers({g.x, g.y, g.z, 1, 0, 0, 0}), numbers({0, 0, 0, 0, 0, 0}), mass, matrix);
    body->setContactors(ball);
    body->setFExtPtr(numbers({mass * kGravity * std::sin(scene.tilt), 0, -mass * kGravity * std::cos(scene.tilt)}));
    system->insertDynamicalSystem(body);
    bodies.push_back(body);
  }
  auto problem = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
  problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-4;
  problem->setMaxSize(60000);
  problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->setKeepLambdaAndYState(true);
  auto simulation = std::make_shared<TimeStepping>(system, std::make_shared<TimeDiscretisation>(0.0, step));
  simulation->insertIntegrator(std::make_shared<MoreauJeanOSI>(0.50001));
  simulation->insertNonSmoothProblem(problem);
  simulation->setNewtonOptions(SICONOS_TS_LINEAR);
  SiconosBulletOptions options;
  options.worldScale = 1;
  options.contactBreakingThreshold = 0.1 * kRadius;
  options.perturbationIterations = options.minimumPointsPerturbationThreshold = 0;  // spheres touch in one point
  auto contacts = std::make_shared<SiconosBulletCollisionManager>(options);
  simulation->insertInteractionManager(contacts);
  contacts->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(kRestitution, 0, kMu, 3), 0, 0);
  const double out = wall(scene.edge) + 0.5, h = std::sqrt(0.5);
  const SP::SiconosVector walls[5] = {numbers({0, 0, -0.5, 1, 0, 0, 0}), numbers({-out, 0, 0, h, 0, h, 0}),
                                      numbers({out, 0, 0, h, 0, -h, 0}), numbers({0, -out, 0, h, -h, 0, 0}),
                                      numbers({0, out, 0, h, h, 0, 0})};
  for (const auto& at : walls) contacts->insertStaticContactorSet(only(std::make_shared<SiconosBox>(8, 8, 1)), at);
  problem->setNumericsDriver(timed_driver);

  Figures f;
  solver_time = 0;
  std::ostringstream chatter;
  auto* const terminal = std::cout.rdbuf(chatter.rdbuf());
  const long last = std::lround(scene.end / step);
  while (f.steps < last && simulation->hasNextEvent() && f.cpu < budget) {
    const double begin = cpu_now();
    simulation->computeOneStep();
    simulation->nextStep();
    f.cpu += cpu_now() - begin;
    if (++f.steps % look_after(step) != 0 && f.steps != last) continue;
    f.last.clear();
    for (const auto& b : bodies) f.last.push_back({b->q()->getValue(0), b->q()->getValue(1), b->q()->getValue(2)});
    look(f.last, scene, f);
  }
  std::cout.rdbuf(terminal);
  f.seconds = static_cast<double>(f.steps) * step;
  f.solver = solver_time;
  for (const auto& b : bodies) f.kinetic += b->computeKineticEnergy();
  return f;
}
