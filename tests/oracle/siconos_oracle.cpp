#include "siconos_oracle.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>

namespace bristle::test {

SiconosAnswer siconos_contacts(const std::vector<double>& W, const std::vector<double>& q, const std::vector<double>& mu,
                               double tolerance) {
  const auto n = static_cast<int>(q.size());
  std::vector<double> M(W.size()), b = q, friction = mu;
  for (std::size_t i = 0; i < q.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) M[j * q.size() + i] = W[i * q.size() + j];  // by columns
  }
  FrictionContactProblem problem;
  problem.dimension = 3;
  problem.numberOfContacts = n / 3;
  problem.M = NM_create_from_data(NM_DENSE, n, n, M.data());
  problem.q = b.data();
  problem.mu = friction.data();
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  SiconosAnswer answer;
  answer.impulse.assign(q.size(), 0);
  answer.velocity.assign(q.size(), 0);
  answer.solved = fc3d_driver(&problem, answer.impulse.data(), answer.velocity.data(), options) == 0;
  solver_options_delete(options);
  return answer;
}

}  // namespace bristle::test
