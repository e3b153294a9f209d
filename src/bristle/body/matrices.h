#pragma once
#include <Eigen/Dense>
#include <vector>

#include "bristle/core/block.h"

namespace bristle {

/// A structure by its matrices: M q'' + C q' + K q = f on a row of scalar coordinates.
class MatrixStructure final : public Block {
 public:
  MatrixStructure(int first, int account, Eigen::MatrixXd M, Eigen::MatrixXd C, Eigen::MatrixXd K, Eigen::VectorXd q0,
                  Eigen::VectorXd v0);

  unsigned roles() const override { return kForces | kMass | kKinetic | kStored; }
  std::string cannot_step() const override { return {}; }  // linear: the mean is exact
  bool has_stage() const override { return stable_; }
  void start(State& x) const override;
  void calc_forces(Eval& e) const override;
  void calc_jacobian(const Eval&, JacobianSink& sink) const override;
  void calc_step(StepEval& e) const override;
  void calc_step_jacobian(const StepEval&, JacobianSink& sink) const override;
  void solve_mass(const double* q, const double* f, double* a) const override;
  void mass_blocks(std::vector<MassBlock>& list) const override;
  double kinetic(const Eval& e) const override;
  double stored(const Eval& e, double*) const override;

 private:
  int first_, n_, account_;
  bool diagonal_, stable_;  // stable: no stiffness is negative
  Eigen::MatrixXd M_, C_, K_, inverse_;
  Eigen::VectorXd q0_, v0_;
};

}  // namespace bristle
