#pragma once
#include <vector>

#include "bristle/enforce/held_solver.h"
#include "bristle/enforce/row_choice.h"
#include "bristle/math/decompositions.h"

namespace bristle {

/// Factors of the two methods that go by orthogonal transformations of C' = M^-1/2 D', and what rows that follow from others need.
struct HeldSolver::Orthogonal {
  bool asked = false, by_values = false;  // by the method
  Eigen::MatrixXd A;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> rotations;  // QR with pivoting and its least-norm completion
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> values;              // singular values of C', squared
  Eigen::VectorXd components;
  double least_value = 0;  // smaller ones count as none

  /// How far the rows are from depending on each other, by their geometry alone: a body with little inertia about a pin far from its centre makes
  /// rows look alike that are not. Their smallest pivot with the inertia of each body about its joints; 0 for more rows than kGeometric.
  double spread(const HeldSolver&, const Workspace&);
  static constexpr int kGeometric = 60;
  double usual = 0;  // largest margin so far
  std::vector<double> wide, gram, lever;

  RowChoice choice;
  bool masks = false;          // the factors are those of the kept rows
  bool weak = false;           // and these come near to depend on each other
  std::vector<double> matrix;  // in which rows that are left out ask for no multiplier
  std::vector<double> rhs;
  /// A matrix by rows or in compressed columns (unknowns from `first` on are rows), without the rows that are left out.
  const double* mask(const std::vector<double>& A, int m);
  const double* mask(const std::vector<double>& A, const SparsePattern& pattern, int first);
  const double* mask(const double* b, int m);
  void drop(double* r) const {
    for (int k : choice.left_out()) r[k] = 0;
  }

  // What multipliers x of the rows left out do, K x of those kept do as well: K = A_kept^-1 A_out. The rows themselves follow from those kept
  // by D_out = C' D_kept, and forces of joints that give way a little have (-C, 1)' lambda = 0. So (1 + C'K) x = C' lambda. Without
  // friction in A both are the same, C = K; with it C' y = A_out,kept A_kept^-1 y.
  // K itself is formed for few such rows, and where the matrix is not symmetric.
  bool least_known = false;
  void prepare_least(const HeldSolver&);
  void least(HeldSolver&, double* lambda);

 private:
  static constexpr int kFew = 8;
  bool by_columns(const HeldSolver& s) const;
  void find_columns(HeldSolver&);
  void apply(HeldSolver&, const double* x, double* kept);       // kept = K x
  void apply_back(HeldSolver&, const double* kept, double* x);  // x = C' kept
  void eliminate(double* x);
  void iterate(HeldSolver&, const double* lambda);
  std::vector<double> K_, G_, F_, a_, b_, x_, r_, p_, q_;
};

}  // namespace bristle
