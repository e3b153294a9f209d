#include "bristle/body/matrices.h"

#include "bristle/core/jump_strain.h"
#include "bristle/math/decompositions.h"

namespace bristle {

MatrixStructure::MatrixStructure(int first, int account, Eigen::MatrixXd M, Eigen::MatrixXd C, Eigen::MatrixXd K,
                                 Eigen::VectorXd q0, Eigen::VectorXd v0)
    : first_(first),
      n_(static_cast<int>(M.rows())),
      account_(account),
      M_(std::move(M)),
      C_(std::move(C)),
      K_(std::move(K)),
      q0_(std::move(q0)),
      v0_(std::move(v0)) {
  diagonal_ = M_.isDiagonal(0);
  const Eigen::LDLT<Eigen::MatrixXd> factors(K_);
  stable_ = (K_ - K_.transpose()).norm() <= 1e-12 * K_.norm() && factors.isPositive();
  inverse_ = M_.llt().solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(n_, n_)));
}

void MatrixStructure::start(State& x) const {
  for (int i = 0; i < n_; ++i) {
    x.q()[first_ + i] = q0_[i];
    x.v()[first_ + i] = v0_[i];
  }
}

void MatrixStructure::calc_forces(Eval& e) const {
  const double *q = e.q + first_, *v = e.v + first_;
  double* f = e.f + first_;
  double loss = 0;
  for (int j = 0; j < n_; ++j) {
    const double qj = q[j], vj = v[j];
    const double *k = &K_(0, j), *c = &C_(0, j);
    for (int i = 0; i < n_; ++i) {
      const double damping = c[i] * vj;
      f[i] -= k[i] * qj + damping;
      loss += v[i] * damping;
    }
  }
  e.power[account_] = loss;
}

/// The jump of an energy scheme: the strains are the coordinates themselves.
void MatrixStructure::calc_step(StepEval& e) const {
  calc_forces(e);
  if (!(e.jump > 0 && stable_)) return;
  for (int j = 0; j < n_; ++j) {
    const double change = e.q_ends[1][first_ + j] - e.q_ends[0][first_ + j], rate = e.v_jump[first_ + j];
    for (int i = 0; i < n_; ++i) {
      const JumpStrain jump(e, K_(i, j), change, rate);
      e.f[first_ + i] -= jump.stress;
      e.impulse[first_ + i] += jump.impulse;
      const double y = e.q_ends[1][first_ + i] - e.q_ends[0][first_ + i] - e.h * e.v_jump[first_ + i];
      *e.numerical += 2 * e.jump * e.jump * K_(i, j) * y * (change - e.h * rate);
    }
  }
}

void MatrixStructure::calc_jacobian(const Eval&, JacobianSink& sink) const {
  using Part = JacobianSink::Part;
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i) {
      if (M_(i, j) != 0) sink.add(Part::mass, first_ + i, first_ + j, M_(i, j));
      if (K_(i, j) != 0) sink.add(Part::force_q, first_ + i, first_ + j, -K_(i, j));
      if (C_(i, j) != 0) sink.add(Part::force_v, first_ + i, first_ + j, -C_(i, j));
    }
  }
}

void MatrixStructure::calc_step_jacobian(const StepEval& e, JacobianSink& sink) const {
  using Part = JacobianSink::Part;
  if (e.jump > 0 && stable_) {
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < n_; ++i) {
        const JumpStrain jump(e, K_(i, j), 0, 0);
        if (K_(i, j) == 0) continue;
        sink.add(Part::force_step, first_ + i, first_ + j, -jump.stress_change);
        sink.add(Part::force_jump, first_ + i, first_ + j, -jump.stress_rate);
        sink.add(Part::impulse_step, first_ + i, first_ + j, jump.impulse_change);
        sink.add(Part::impulse_jump, first_ + i, first_ + j, jump.impulse_rate);
      }
    }
  }
  calc_jacobian(e, sink);
}

void MatrixStructure::solve_mass(const double*, const double* f, double* a) const {
  if (diagonal_) {
    for (int i = 0; i < n_; ++i) a[first_ + i] = f[first_ + i] / M_(i, i);
    return;
  }
  for (int i = 0; i < n_; ++i) a[first_ + i] = 0;
  for (int j = 0; j < n_; ++j) {
    const double fj = f[first_ + j];
    for (int i = 0; i < n_; ++i) a[first_ + i] += inverse_(i, j) * fj;
  }
}

void MatrixStructure::mass_blocks(std::vector<MassBlock>& list) const {
  MassBlock b{first_, n_, {}};
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) b.mass.push_back(M_(i, j));
  }
  list.push_back(std::move(b));
}

double MatrixStructure::kinetic(const Eval& e) const {
  const Eigen::Map<const Eigen::VectorXd> v(e.v + first_, n_);
  double sum = 0;
  for (int j = 0; j < n_; ++j) sum += 0.5 * v[j] * M_.col(j).dot(v);
  return sum;
}

double MatrixStructure::stored(const Eval& e, double*) const {
  const Eigen::Map<const Eigen::VectorXd> q(e.q + first_, n_);
  double sum = 0;
  for (int j = 0; j < n_; ++j) sum += 0.5 * q[j] * K_.col(j).dot(q);
  return sum;
}

}  // namespace bristle
