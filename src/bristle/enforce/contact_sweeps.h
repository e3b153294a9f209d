#pragma once
#include <vector>

#include "bristle/core/system.h"
#include "bristle/math/cone_problem.h"

namespace bristle {

/// A contact of a step: its rows by free unknown, what it is asked for, what it answers.
struct ContactRow {
  int first = 0, count = 0;                   ///< columns: numbers from `first` of the lists of ContactRows
  int run[2] = {-1, -1}, length[2] = {0, 0};  ///< the same where they are at most two runs of unknowns; -1: more
  int slips = 0;
  bool round = false;  ///< nothing couples its directions, as between spheres
  double friction = 0, floor = 0;
  double bias[3] = {0, 0, 0};  ///< u = bias + D (change of v)
  double p[3] = {0, 0, 0};     ///< impulses: normal, tangents [N s]
};

/// Contacts between bodies whose inertia stands in blocks, without any matrix of all of them together: projected Gauss and Seidel, one
/// contact after the other, each solved exactly, on the changes of the velocities. Memory and time per sweep grow with the number
/// of contacts. One per thread.
class ContactSweeps {
 public:
  /// Inertia of some free unknowns that follow each other.
  struct Inertia {
    int first = 0, count = 0;
    std::vector<double> mass, inverse;  ///< row-major
    std::vector<double> matrix, rest;   ///< with what forces add to the inertia; inverse without it
  };
  void prepare(const System&);
  int block_of(int unknown) const { return block_of_[static_cast<std::size_t>(unknown)]; }
  /// What derivatives of forces add to the inertia of one body, for this step: reset, add entries, refresh.
  void reset();
  void add_entry(int row, int column, double value);
  void refresh();
  /// x = A^-1 y, by free unknown.
  void solve_blocks(const double* y, double* x) const;
  void clear();
  /// Room for contacts of at most so many unknowns each; more allocate once.
  void reserve(int contacts, int unknowns);
  /// A contact whose rows (1 + slips of them, one after the other, `count` numbers each) belong to these free unknowns, those of a body
  /// together.
  ContactRow& add(int slips, int count, const int* unknown, const double* D);
  std::vector<ContactRow>& rows() { return rows_; }
  const std::vector<ContactRow>& rows() const { return rows_; }
  const int* unknown(const ContactRow& r) const { return unknown_.data() + r.first; }
  const double* D(const ContactRow& r, int row) const { return D_.data() + 3 * r.first + row * r.count; }
  const double* R(const ContactRow& r, int row) const { return R_.data() + 3 * r.first + row * r.count; }  ///< M^-1 D'
  double read(const ContactRow& r, int row, const double* x) const;  ///< D x, by free unknown

  double along_inertia(const double* a, const double* b) const;  ///< a' M b, by free unknown

  /// M^-1 D' of all contacts and each contact's own W.
  void respond();
  /// Adds M^-1 D' p of all contacts to a change of velocities.
  void push(double* dv) const;
  /// dv holds the change with the impulses in `rows`; both go on from there. `tolerance` is a change of u.
  ConeAnswer solve(double* dv, double tolerance, int most);
  double residual(const double* dv) const;
  const double* own(const ContactRow& r) const { return W_.data() + 9 * (&r - rows_.data()); }  ///< its W

 private:
  template <int A, int B>
  double visit(ContactRow& r, double* dv) const;  // solves one contact between bodies of A and B unknowns; how far u moved
  double visit_any(ContactRow& r, double* dv) const;
  double along(const ContactRow& r, const double* d, const double* x) const;            // d . x
  void spread(const ContactRow& r, const double* response, double p, double* x) const;  // x += p response
  std::vector<Inertia> blocks_;
  std::vector<int> block_of_;  // by free unknown
  std::vector<int> changed_;   // blocks with a matrix of their own
  std::vector<ContactRow> rows_;
  std::vector<int> unknown_;
  void look_ahead(double* dv, double& size);
  std::vector<double> D_, R_, W_, ahead_, before_;  // ahead: the last direction, before: impulses before a sweep
};

}  // namespace bristle
