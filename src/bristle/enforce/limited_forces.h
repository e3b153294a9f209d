#pragma once
#include <vector>

#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// Friction of several places at once, each within its limit: the forces F that leave the least of the slip accelerations b - W F,
///   minimise  1/2 F' W F - b' F + delta/2 sum |F_i|^2 / L_i   over  |F_i| <= L_i.
/// At the minimum every place rests, or gives its limit along its slip acceleration. The last term decides where places repeat each other:
/// they share as if they all crept, by the limit times the slip; it is taken out again. Work grows with the entries of W that are not zero.
/// No allocation after reserve while there are no more than kDense rows.
class LimitedForces {
 public:
  static constexpr int kDense = 48;
  struct Place {
    int first = 0, count = 1;  ///< rows
    double limit = 0;
  };
  void reserve(int rows);
  /// W row-major, n x n, positive semidefinite, nearly symmetric; or its rows, with columns that rise and the diagonal among them.
  void take(int n, const double* W);
  void take(const std::vector<int>& first, const std::vector<int>& column, const std::vector<double>& value);
  /// With the W taken last; F starts the search and takes the result. False: no minimum was found.
  bool solve(const double* b, const std::vector<Place>& places, double* F);
  bool solve(int n, const double* W, const double* b, const std::vector<Place>& places, double* F) {
    take(n, W);
    return solve(b, places, F);
  }
  /// How far the last result may be from the minimum, over the limits. There always is one.
  double missed() const { return missed_; }
  /// Is W regular, so that forces at rest are what they are?
  bool regular();
  bool regular(int n, const double* W) {
    take(n, W);
    return regular();
  }

 private:
  void sweep();  // one place after the other
  void project(double* F) const;
  void improve(const Place&, const double* F, double* next) const;
  double mobility(const Place&) const;
  double distance(const double* F) const;
  void newton(bool boldly);  // whatever the distance does
  void find_pattern();       // of Newton's matrix, where that is sparse
  double W(int row, int column) const;
  double left(int row, const double* F) const;  // slip acceleration of a row

  int n_ = 0;
  double missed_ = 0;
  const double* b_ = nullptr;
  const std::vector<Place>* places_ = nullptr;
  double* F_ = nullptr;
  std::vector<double> next_, copy_, before_, soft_, best_;
  DenseLu<double> lu_;
  std::vector<int> first_, column_;  // entries of W that are not zero, by row
  std::vector<double> value_;
  std::vector<int> envelope_, row_at_;  // of the factors: first column of a row, and where column 0 of it would stand
  // many rows: compressed columns; per entry its row's place
  SparseLu<double> sparse_;
  std::vector<int> starts_, rows_,
      at_;  // at_: where the entries of a row of Newton's matrix stand, in the order of its union of columns
  std::vector<int> union_first_, union_column_;
  std::vector<double> values_;
};

}  // namespace bristle
