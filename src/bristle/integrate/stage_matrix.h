#pragma once
#include <complex>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// Solves (g - J) x = r for the Jacobian J of the first-order form y' = F(y), y = [q | v | z], g real or complex: the matrix of every
/// implicit stage. Positions are eliminated and the forces held at resting dry places appended, so the factored matrix has
/// one row per free velocity, memory number and held component. Fixed pattern, dense up to kDense rows, KLU beyond.
class StageMatrix {
 public:
  static constexpr int kDense = 32;

  void prepare(const System&);
  /// New derivatives at a state whose evaluation is in the workspace (which dry places rest).
  void refresh(const System&, const State&, Workspace&);

  template <class T>
  class Factors {
   public:
    bool factor(const StageMatrix&, T g);
    /// r in the first-order form; the solution overwrites it.
    void solve(const StageMatrix&, T* r);
    void reserve(const StageMatrix&);

   private:
    T g_{};
    DenseLu<T> dense_;
    SparseLu<T> sparse_;
    std::vector<T> values_, rhs_;
  };

  /// J itself, dense and row-major, at the state of the last refresh; for eigenvalues, tests and foreign solvers.
  void dense_jacobian(const System&, const State&, const Workspace&, Multipliers&, double* J) const;

  int unknowns() const { return n_; }
  bool sparse() const { return n_ > kDense; }

 private:
  friend class Sink;
  class Sink;
  int free_ = 0, memory_ = 0, held_ = 0, n_ = 0;
  std::vector<int> starts_, rows_;            // compressed columns
  std::vector<double> mass_, speed_, place_;  // values: times g, times 1, times 1/g
  std::vector<int> slot_;                     // where the k-th emitted entry goes, -1: nowhere
  std::vector<char> array_;                   // 0 mass, 1 speed, 2 place
  struct HeldRow {
    std::vector<int> slip_slot, force_slot;
    int diagonal;
  };
  std::vector<HeldRow> held_rows_;                         // one per slot of lambda
  std::vector<double> softness_;                           // tiny compliance that keeps redundant rows solvable
  std::vector<std::vector<std::pair<int, double>>> slip_;  // free columns of each held row
  std::vector<char> resting_;
};

}  // namespace bristle
