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
  std::vector<double> limit;               // per place
  std::vector<double> trial_limit, image;  // of a group
  std::vector<char> known;                 // per place: limits found in this evaluation
  int failed = 0;                          // and how often they were not
  bool reactive = false;                   // they change with the forces

  // Who may move what never changes, and where many places are, most do not feel each other. Per row: what it moves, and which rows move each
  // other with it. On scalar coordinates the numbers do not change either
  struct Response {
    int v;
    double value;
  };
  std::vector<int> first_response, first_near, near;
  std::vector<Response> response;
  std::vector<double> near_value, own;
  void prepare_rows(const System&, int rows);
  std::vector<int> cluster;                 // per place: those that may move each other, over any number of others
  std::vector<std::size_t> turned;          // per cluster: the last round in which one of it changed its mode
  int prepare_clusters(std::size_t count);  ///< rows of the largest

  // In space: inertias that held rows tie together are one island. A row moves the islands that it meets and nothing else. Rows of one colour share
  // none, so that the reactions to all of them are found at once
  std::vector<int> first_island, island;                // per row
  std::vector<int> first_piece, piece_on;               // per row and piece: its island, -1: nothing that is free
  std::vector<int> first_slot, slot;                    // per row: multipliers
  std::vector<double> by_force;                         // and their changes
  std::vector<int> first_of_colour, of_colour, mirror;  // mirror: of the entries of `near`, the one across
  std::vector<int> reached;                             // per island: the row
  std::vector<double> y, lambda;                        // of one colour; y is zero between uses
  std::vector<char> wanted;                             // per row
  void prepare_islands(const System&, int lambdas);
  std::vector<double> left_of, scale_of;  // per row: slip acceleration that is left, and what it is made of

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
