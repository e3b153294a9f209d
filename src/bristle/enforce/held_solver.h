#pragma once
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "bristle/core/archive.h"
#include "bristle/core/system.h"
#include "bristle/enforce/enforcement.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// Linear algebra of the held rows at one configuration:
///   A lambda = b,  A = D M^-1 E' + softness,
/// where E are the rows with the friction that their multipliers make. Dense for few rows; sparse where a body carries few of them, as
/// in chains; the sparse matrix [M E'; D -softness] where one body carries many. Rows that follow from others get the least multipliers. One per thread; only the two orthogonal methods allocate.
class HeldSolver {
 public:
  static constexpr int kDenseRows = 24;
  enum class Purpose { accelerations, correction };

  HeldSolver();
  ~HeldSolver();
  void prepare(const System&, const Enforcement&);
  int rows() const { return m_; }

  /// New factors from the rows in the workspace; `slopes` in the order of System::load_slopes, or null.
  /// False: singular beyond repair.
  bool refresh(const System&, const Workspace&, const double* slopes, Purpose purpose = Purpose::accelerations);
  /// A lambda = b. The softness of the method is part of A; `exactly` takes it out again.
  void solve(const double* b, double* lambda, bool exactly = false);
  /// a -= M^-1 E' lambda, by velocity index. Corrections in the plain metric: a -= D' lambda.
  void push(const double* lambda, double* a) const;
  /// How far the rows are from depending on each other, as the last factors for accelerations show it: their smallest pivot. A
  /// number to compare with what it is at other positions; alone it says nothing.
  double margin() const { return margin_; }
  int weakest() const { return weakest_; }  ///< the row of that pivot; -1: not known
  /// Corrections leave this free unknown where it is, and are of least length then; -1: none.
  void leave(int unknown) { left_ = unknown; }
  void save(Archive&) const;
  void load(Archive&);
  /// a += factor M^-1 D_row', by velocity index, for any row of the system.
  void respond(const Workspace&, int row, double factor, double* a) const;

 private:
  struct Piece {  // of a row: where its values stand, and the inertia they meet
    int at, count, unknown, block, offset;
  };
  struct Inertia {
    int unknown, v, count;
    std::vector<double> inverse;
    MassBlock inertia;      // where it changes
    std::vector<int> base;  // and its slots in base_
    bool lumped = false;    // of a rigid body: one mass, and the inertia apart from it
  };
  struct Orthogonal;
  struct Response {
    int block, at;  // in E_
  };
  using Meetings = std::vector<std::vector<std::pair<int, const Response*>>>;  // who meets whom: slots and responses by inertia

  // parts of prepare, in this order
  std::vector<int> prepare_blocks(const System&);
  void prepare_pieces(const Layout&, const std::vector<int>& block_of);
  void prepare_responses(const System&);
  void prepare_rows(const Meetings& on_block);
  void prepare_whole(const System&);

  void renew_mass(const System&, const double* q);
  bool factor_dense();
  bool factor_shifted();
  void solve_once(const double* b, double* x);
  void multiply(const double* x, double* y) const;  // y = A x
  bool factor_rows();
  bool refresh_whole(const System&, const Workspace&, const double* slopes);
  void piece_response(const double* values, const Piece& p, double factor, double* y) const;  // y += factor M^-1 d

  enum class Storage { dense, rows, whole };
  Storage storage_ = Storage::dense;
  Enforcement method_;
  int n_ = 0, m_ = 0;  // free velocities, held rows
  double softness_ = 0, shift_ = 0, margin_ = 1;
  int weakest_ = -1, left_ = -1;
  bool constant_mass_ = true, redundant_ = false, symmetric_ = true, plain_ = false, orthogonal_ = false, shifted_ = false;
  std::vector<Inertia> blocks_;
  std::vector<std::vector<Piece>> pieces_;  // of every row of the system
  std::vector<int> held_;                   // rows
  std::vector<int> v_index_;
  // dense: E' times M^-1 by slot and inertia, and which values of D it meets
  struct Meeting {
    int entry, d, e, count;  // A[entry] += D[d ..] . E_[e ..]
  };
  std::vector<std::vector<Response>> responses_;             // per slot
  std::vector<Meeting> lower_, upper_;                       // up to the diagonal, and beyond it
  std::vector<std::vector<std::pair<int, int>>> add_slope_;  // per load slope: piece of its row, place in E_
  std::vector<double> E_, A_, L_, pivot_, x_, r_;
  DenseLu<double> lu_;
  // sparse
  SparseLu<double> klu_;
  SparsePattern pattern_;
  std::vector<int> diagonal_;
  std::vector<double> values_, base_;
  std::vector<std::vector<int>> down_, across_;  // per held row: slots of its values in D and in D'
  std::vector<std::vector<int>> slope_slots_;
  mutable std::vector<double> wide_, narrow_;
  std::unique_ptr<Orthogonal> work_;
};

}  // namespace bristle
