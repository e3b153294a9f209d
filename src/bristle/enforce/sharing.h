#pragma once
#include <vector>

#include "bristle/enforce/fixed_point.h"
#include "bristle/enforce/limited_forces.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// What the kernel sees of a place: its forces are conjugate to slips there (Mobilities), limits too are the law's times the lever. In lambda stands
/// the law's force.
inline void look_at(const DryPlace& p, const Eval& e, RestView& view) {
  p.owner->view(e, p.item, view);
  view.limit *= p.rows[0].lever();
}

/// Dry places that rest together: scratch and factors of the kernel.
struct Multipliers::Sharing {
  std::vector<double> lever;  // per place

  // rows column by column, without their pieces: velocities, and where the coefficients stand among the values of the rows
  struct Term {
    int v, at;
  };
  std::vector<int> first_term;
  std::vector<Term> term;
  void prepare_terms(const Layout&, const std::vector<RestRow>&);
  double read(int row, const double* D, const double* x) const {
    double sum = 0;
    for (const Term *t = begin(row), *end = begin(row + 1); t != end; ++t) sum += D[t->at] * x[t->v];
    return sum;
  }
  void push(int row, double T, const double* D, double* f) const {
    for (const Term *t = begin(row), *end = begin(row + 1); t != end; ++t) f[t->v] -= T * D[t->at];
  }
  const Term* begin(int row) const { return term.data() + first_term[static_cast<std::size_t>(row)]; }

  LimitedForces forces;
  FixedPoint point;
  std::vector<LimitedForces::Place> places;
  std::vector<double> limit;               // per place
  std::vector<double> trial_limit, image;  // of a group
  std::size_t evaluation = 1;
  std::vector<std::size_t> known;  // per place: the evaluation in which its limits were found last
  int failed = 0;                  // and how often they were not
  bool reactive = false;           // they change with the forces

  std::vector<std::size_t> turned;        // per cluster of places: the last round in which one of it changed its mode
  std::vector<double> left_of, scale_of;  // per row: slip acceleration that is left, and what it is made of

  // groups of the places at rest whose forces are not fixed: places of different groups do not feel each other
  static constexpr int kNotResting = -1, kFixed = -2, kUnseen = -3;
  bool by_value = false;                  // not even over others: those that do now, not those that may
  std::vector<int> group_of, index;       // per row: its group or one of the above, its place there
  std::vector<int> first_member, member;  // rows by group, rising
  std::vector<int> marked, queue;
  int groups() const { return static_cast<int>(first_member.size()) - 1; }
  // the matrix of one group by rows
  std::vector<int> first_entry, column;
  std::vector<double> entry;
  void gather(const Mobilities&, int group);
  static constexpr int kLarge = 48;  // rows of a group that are worth a sparse matrix
  struct Factors {                   // of a large group
    std::vector<int> rows, starts, row_of;
    std::vector<double> values, x, r;
    SparseLu<double> lu;
  };
  std::vector<Factors> large;
  bool solve_large(const Mobilities&, int group, const double* rhs, double* solution);

  // rows that nearly follow from others
  std::vector<char> loose;  // per row
  bool any_loose = false;
  std::vector<double> loosened;  // per place: share of its mobility that the kept rows leave
  std::vector<int> order, kept;
  std::vector<double> left, trial, slips, factor, part;
  DenseLu<double> small;
};

}  // namespace bristle
