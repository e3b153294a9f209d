#pragma once
#include <vector>

#include "bristle/math/dense_lu.h"

namespace bristle {

/// Friction of several places at once, each within its limit: the forces F that leave the least of the slip accelerations b - W F,
///   minimise  1/2 F' W F - b' F + delta/2 sum |F_i|^2 / L_i   over  |F_i| <= L_i.
/// At the minimum every place rests, or gives its limit along its slip acceleration. The last term decides where places repeat each other:
/// they share as if they all crept, by the limit times the slip; it is taken out again. No allocation after reserve.
class LimitedForces {
 public:
  struct Place {
    int first = 0, count = 1;  ///< rows
    double limit = 0;
  };
  void reserve(int rows);
  /// W row-major, n x n, positive semidefinite, nearly symmetric; F starts the search and takes the result. False: no minimum was found.
  bool solve(int n, const double* W, const double* b, const std::vector<Place>& places, double* F);
  /// Is W regular, so that forces at rest are what they are? Overwrites a copy of W.
  bool regular(int n, const double* W);

 private:
  void sweep();  // one place after the other
  void project(double* F) const;
  void improve(const Place&, const double* F, double* next) const;
  double mobility(const Place&) const;
  double distance(const double* F) const;
  void newton(bool boldly);                     // whatever the distance does
  double left(int row, const double* F) const;  // slip acceleration of a row

  int n_ = 0;
  const double *W_ = nullptr, *b_ = nullptr;
  const std::vector<Place>* places_ = nullptr;
  double* F_ = nullptr;
  std::vector<double> next_, copy_, before_, soft_, best_;
  DenseLu<double> lu_;
};

}  // namespace bristle
