#pragma once
#include "bristle/interface/patch.h"

namespace bristle {

/// No friction at all: for places that only press. Not a law that users name; they leave `friction` out.
struct Frictionless {
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  template <int D, class T>
  void eval(const Patch<D, T>&, const T*, const double*, Vec<D, T>& F, T*) const {
    for (int d = 0; d < D; ++d) F[d] = T(0);
  }
  template <int D>
  double holding(const Patch<D>&, const double*) const {
    return 0;
  }
  template <int D>
  double bound(const Patch<D>&, const double*) const {
    return 0;
  }
};

}  // namespace bristle
