#pragma once
#include <vector>

#include "bristle/enforce/fixed_point.h"
#include "bristle/enforce/limited_forces.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

// Forces at dry places are conjugate to their slips inside the kernel: the law's force times the lever of the place (RestRow). So what slips make
// of forces is symmetric whatever the arms, and force times slip is power. Limits are taken times the lever as well; in lambda stands the law's force.

/// What the kernel sees of a place.
inline void look_at(const DryPlace& p, const Eval& e, RestView& view) {
  p.owner->view(e, p.item, view);
  view.limit *= p.rows[0].lever();
}

/// Dry places that rest together: scratch and factors of the kernel.
struct Multipliers::Sharing {
  std::vector<double> lever;  // per place

  LimitedForces forces;
  FixedPoint point;
  std::vector<LimitedForces::Place> places;
  std::vector<double> limit, image;
  int known = 0;          // limits found in this evaluation
  int failed = 0;         // and how often they were not
  bool reactive = false;  // they change with the forces

  // On scalar coordinates who moves what never changes, and few rows move each other. Per row: what it moves, and which rows move each
  // other with it
  struct Response {
    int v;
    double value;
  };
  std::vector<int> first_response, first_near, near;
  std::vector<Response> response;
  std::vector<double> near_value, own;
  void prepare_rows(const System&, int rows);

  // groups of the places that are held and not fixed: places of different groups do not feel each other
  static constexpr int kNotHeld = -1, kFixed = -2, kUnseen = -3;
  std::vector<int> group_of, index;       // per row: its group or one of the above, its place there
  std::vector<int> first_member, member;  // rows by group, rising
  std::vector<int> marked, queue, open;
  int groups() const { return static_cast<int>(first_member.size()) - 1; }
  // the matrix of one group by rows
  std::vector<int> first_entry, column;
  std::vector<double> entry;
  void gather(int group);
  static constexpr int kLarge = 48;  // rows of a group that are worth a sparse matrix
  struct Factors {                   // of a large group
    std::vector<int> rows, starts, row_of;
    std::vector<double> values, x, r;
    SparseLu<double> lu;
  };
  std::vector<Factors> large;
  bool solve_large(int group, const double* rhs, double* solution);

  // rows that nearly follow from others
  std::vector<char> loose;  // per row
  bool any_loose = false;
  std::vector<int> place_of;     // per row
  std::vector<double> loosened;  // per place: share of its mobility that the kept rows leave
  std::vector<int> order, kept, rows_at;
  std::vector<double> left, ratio, trial, slips, factor, part;
  DenseLu<double> small;
};

}  // namespace bristle
