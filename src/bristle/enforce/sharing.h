#pragma once
#include <vector>

#include "bristle/enforce/fixed_point.h"
#include "bristle/enforce/limited_forces.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// Dry places that rest together: scratch and factors of the kernel.
struct Multipliers::Sharing {
  LimitedForces forces;
  FixedPoint point;
  std::vector<LimitedForces::Place> places;
  std::vector<double> limit, image;
  int known = 0;          // limits found in this evaluation
  int failed = 0;         // and how often they were not
  bool reactive = false;  // they change with the forces

  // rows that move each other, on scalar coordinates: there they always do
  std::vector<int> first_near, near;
  // groups of the places that are held: places of different groups do not feel each other
  std::vector<int> index, group, queue;
  struct Factors {  // of a large group
    std::vector<int> rows, starts, row_of;
    std::vector<double> values, x, r;
    SparseLu<double> lu;
  };
  std::vector<Factors> large;
  bool solve_large(int n, const std::vector<double>& coupling, int rows, const double* rhs, double* solution);

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
