#pragma once
#include <complex>
#include <memory>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/enforce/row_choice.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// Feedback of violations in held rows kept on accelerations: D a + drift + damping Phi' + stiffness Phi = 0.
struct RowFeedback {
  double damping = 0, stiffness = 0;
};

/// The matrix of every implicit step. Unknown are changes of the free velocities v, of the memory z and of the multipliers
/// lambda; positions have been eliminated:
///   [ mass * M - speed * df/d(v,z) - position * df/dq    D' - df/dlambda ]
///   [ hold * D                                        -softness       ]
/// Held rows are active but for those that follow from others, rows of dry places where they rest. Their values are those of the state of the last refresh. Fixed
/// pattern, dense up to kDense rows, KLU beyond.
///
/// With the weights of a first-order form y' = F(y), y = [q | v | z], in which the held rows are kept on accelerations (index 1), it solves
/// (g - J) x = r for the Jacobian J of F, g real or complex. How the drift of the rows changes with the velocities is part of it after
/// `follow_drift`; how it changes with the positions is left out, which costs Newton's iteration a factor of the square of the angle turned in a step.
class StageMatrix {
 public:
  static constexpr int kDense = 40;

  /// What stands in front of the parts.
  template <class T>
  struct Weights {
    T mass, speed, position, hold;
    T swing = T(0);
  };
  using Feedback = RowFeedback;
  /// On what a method keeps the held rows.
  enum class Level { acceleration, velocity, position };

  /// `turns`: `turn` will be called.
  void prepare(const System&, bool turns = false);
  /// New derivatives at a state whose evaluation is in the workspace (which dry places rest). The state's own multipliers load the rows.
  void refresh(const System&, const State&, Workspace&, Feedback = {});

  /// How the drift of held rows changes with the velocities, for rows kept on accelerations; after refresh. The drift is quadratic in them:
  /// differences are exact.
  void follow_drift(const System&, const State&);
  /// How the rates of held rows change with the positions, for rows kept on velocities; after refresh. As exact.
  void follow_rates(const System&, const State&);

  template <class T>
  class Factors {
   public:
    /// (g - J) of the first-order form.
    bool factor(const StageMatrix&, T g, Level = Level::acceleration);
    /// r in the first-order form; the solution overwrites it. Held rows kept on velocities or positions: the changes of the rows that
    /// are asked for (one per slot of lambda; slips at resting dry places) come in `rows`, the changes of the multipliers go out there.
    void solve(const StageMatrix&, T* r, T* rows = nullptr);
    /// The matrix itself, and [v | z | lambda] in place.
    bool factor(const StageMatrix&, const Weights<T>&);
    void solve_plain(const StageMatrix&, T* b) const;
    void reserve(const StageMatrix&);

   private:
    T g_{};
    Level level_ = Level::acceleration;
    DenseLu<T> dense_;
    SparseLu<T> sparse_;
    std::vector<T> values_, rhs_;
  };

  /// J itself, dense and row-major, at the state of the last refresh; for eigenvalues, tests and foreign solvers.
  void dense_jacobian(const System&, const State&, const Workspace&, Multipliers&, double* J) const;

  /// Positions are counted by the increments of a step (free unknowns; attitudes by the exponential): what stands for positions and held
  /// rows (`rows`: they are kept on positions) is multiplied with the derivative of the configuration by them. After refresh.
  void turn(const double* increments, bool rows);

  /// y -= (mass M - df/d(v,z), D' - df/dlambda) x for all rows but the held ones: what changes while positions stay.
  void subtract_beside(double mass, const double* x, double* y) const;

  /// y -= df/dz z, over the rows of velocities and memory.
  void subtract_by_memory(const double* z, double* y) const;

  int unknowns() const { return n_; }
  bool sparse() const { return n_ > kDense; }
  /// A resting row with a single free velocity says what its change is, without the softness of the solution.
  void settle(int slot, double change, double* v) const {
    const Row& row = rows_[static_cast<std::size_t>(slot)];
    if (row.last - row.first != 1 || !resting(slot)) return;
    const auto k = static_cast<std::size_t>(row.first);
    v[terms_[k].unknown] = change / coefficient_[k] + 0.0;
  }
  /// Change of the rate of a held row by a change of the free positions, after follow_rates.
  template <class T>
  T rate_by(int slot, const T* positions) const {
    const Row& row = rows_[static_cast<std::size_t>(slot)];
    T sum = T(0);
    for (int k = row.first; k < row.last; ++k) {
      const Term& t = terms_[static_cast<std::size_t>(k)];
      sum += swing_[static_cast<std::size_t>(t.down)] * positions[t.unknown];
    }
    return sum;
  }
  bool resting(int slot) const { return resting_[static_cast<std::size_t>(slot)] != 0; }  ///< is the row of a slot active?

 private:
  void collect_rows(const System&);
  void widen();
  void prepare_drift(const System&);
  class Sink;
  struct Term {             // of a row: one free velocity
    int unknown, at;        // its number, and where its coefficient stands among the values of the rows
    double arm, force_arm;  // of slip and force per coefficient
    int down, across;       // where D and D' stand in the matrix
  };
  struct Row {
    int first = 0, last = 0;  // terms
    int diagonal = 0;
  };
  int free_ = 0, memory_ = 0, slots_ = 0, held_ = 0, n_ = 0;
  std::vector<int> turns_;  // first unknown of each attitude
  RowChoice choice_;
  SparsePattern pattern_;
  std::vector<int> diagonal_;
  std::vector<double> mass_, speed_, position_, hold_, rest_;  // values times their weights; `rest` times 1
  std::vector<double> swing_;  // of held rows: derivatives of their drift by velocities, or of their rates by positions
  struct Group {               // velocities of one inertia
    int v, unknown, count, colour;
  };
  std::vector<Group> groups_;
  std::vector<int> attitude_;              // per unknown: where its speeds stand in v, of those that begin an attitude; else -1
  std::vector<std::vector<int>> touched_;  // per held row: groups
  int colours_ = 0, widest_ = 0;
  State swung_;
  Workspace there_;
  std::vector<double> drift_;
  std::vector<double> soft_;  // per slot of lambda, over the weight of the mass: redundant rows stay solvable
  std::vector<int> slot_;     // where the k-th emitted entry goes, -1: nowhere
  std::vector<char> array_;   // 0 mass, 1 speed, 2 position, 3 rest
  std::vector<Term> terms_;
  std::vector<double> coefficient_;  // of the terms at the last refresh, in the rows
  std::vector<Row> rows_;            // one per slot of lambda
  std::vector<char> resting_;
  Feedback feedback_;
  mutable std::unique_ptr<Factors<double>> plain_;  // mass and rows alone
  mutable std::vector<double> column_;
};

}  // namespace bristle
