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

grains::Figures run_siconos(int n, double end, double step, int sweeps, double budget) {
  using namespace grains;
  const double mass = kDensity * 4.0 / 3.0 * M_PI * kRadius * kRadius * kRadius, inertia = 0.4 * mass * kRadius * kRadius;
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, end);
  std::vector<SP::RigidBodyDS> bodies;
  const auto ball = only(std::make_shared<SiconosSphere>(kRadius));
  for (const Grain& g : start(n)) {
    auto matrix = std::make_shared<SimpleMatrix>(3, 3);
    matrix->eye();
    *matrix *= inertia;
    auto body = std::make_shared<RigidBodyDS>(numbers({g.x, g.y, g.z, 1, 0, 0, 0}), numbers({0, 0, 0, 0, 0, 0}), mass, matrix);
    body->setContactors(ball);
    body->setFExtPtr(numbers({0, 0, -mass * kGravity}));
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
  const double out = wall(n) + 0.5, h = std::sqrt(0.5);
  const SP::SiconosVector walls[5] = {numbers({0, 0, -0.5, 1, 0, 0, 0}), numbers({-out, 0, 0, h, 0, h, 0}),
                                      numbers({out, 0, 0, h, 0, -h, 0}), numbers({0, -out, 0, h, -h, 0, 0}),
                                      numbers({0, out, 0, h, h, 0, 0})};
  for (const auto& at : walls) contacts->insertStaticContactorSet(only(std::make_shared<SiconosBox>(8, 8, 1)), at);
  problem->setNumericsDriver(timed_driver);

  Figures f;
  solver_time = 0;
  std::ostringstream chatter;
  auto* const terminal = std::cout.rdbuf(chatter.rdbuf());
  while (simulation->hasNextEvent() && f.cpu < budget) {
    const double begin = cpu_now();
    simulation->computeOneStep();
    simulation->nextStep();
    f.cpu += cpu_now() - begin;
    if (++f.steps % kLook != 0) continue;
    std::vector<Grain> now;
    for (const auto& b : bodies) now.push_back({b->q()->getValue(0), b->q()->getValue(1), b->q()->getValue(2)});
    f.deepest = std::max(f.deepest, deepest(now, n));
  }
  std::cout.rdbuf(terminal);
  f.seconds = static_cast<double>(f.steps) * step;
  f.solver = solver_time;
  f.contacts = problem->getSizeOutput() / 3.0;
  for (const auto& b : bodies) f.kinetic += b->computeKineticEnergy();
  return f;
}
