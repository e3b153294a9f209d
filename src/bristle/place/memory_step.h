#pragma once
#include <algorithm>
#include <cmath>

#include "bristle/interface/friction_law.h"

namespace bristle {

/** The memory of a friction law over a whole step with slip and load constant, by the linear time-discontinuous Galerkin rule
("Modeling Friction Phenomena in Flexible Multibody Dynamics", eq. 29, there for LuGre):
  z_f - z_i = h/2 (z'_f + z'_j),   z_j - z_i = -h/6 (z'_f - z'_j),
z_j being the memory after its jump at the start; the force is that of the mean (z_j + z_f)/2. Third order, and it forgets fast modes
at once, as 2-stage Radau IIA does. One pass where the rate is linear in z; otherwise Newton's method on groups of numbers that depend
on each other. */
template <int D>
class MemoryStep {
 public:
  /// Numbers of scratch space for a law with nz numbers of memory.
  static int scratch(int nz) { return 3 * rub_rows(D, nz) * rub_columns(D, nz) + (10 + 3 * kColumns) * nz + 4 * nz * nz + 64; }
  static constexpr int kColumns = 2 * D + 1;  // slip, load, travel

  /// From z to z_end; the force of the mean. slope (D x kColumns, row-major; may be null): its derivatives by slip, load and travel, the
  /// memory following. False: no solution was found, and z_end is that of many small steps.
  static bool solve(const FrictionLaw<D>& law, const Patch<D>& patch, double h, const double* z, const double* marks, int nz,
                    double* z_end, Vec<D>& force, double* slope, double* scratch) {
    double* kept = scratch;
    const bool found = advance(law, patch, h, z, marks, nz, kept, force, scratch + kKept * nz);
    for (int m = 0; m < nz; ++m) z_end[m] = kept[nz + m];
    if (slope != nullptr) differentiate(law, patch, h, z, marks, nz, kept, found, force, slope, scratch + kKept * nz);
    return found;
  }

  // The same in two parts; `kept` is the memory after its jump at the start, at the end, and the mean: kKept * nz numbers.
  static constexpr int kKept = 3;
  static bool advance(const FrictionLaw<D>& law, const Patch<D>& patch, double h, const double* z, const double* marks, int nz,
                      double* kept, Vec<D>& force, double* scratch) {
    MemoryStep step(law, patch, h, z, marks, nz, kept, scratch);
    for (int m = 0; m < nz; ++m) step.zj_[m] = step.zf_[m] = z[m];
    const bool found = step.iterate();
    if (!found) step.creep();
    law.eval(patch, step.mean_, marks, force, step.gf_);
    return found;
  }
  static void differentiate(const FrictionLaw<D>& law, const Patch<D>& patch, double h, const double* z, const double* marks,
                            int nz, double* kept, bool found, Vec<D>& force, double* slope, double* scratch) {
    MemoryStep(law, patch, h, z, marks, nz, kept, scratch).differentiate(found, force, slope);
  }

 private:
  MemoryStep(const FrictionLaw<D>& law, const Patch<D>& patch, double h, const double* z, const double* marks, int nz,
             double* kept, double* scratch);
  int group_end(int first) const;
  bool eliminate(int first, int last, double* b, int sides);
  bool iterate();
  void creep();
  void differentiate(bool found, Vec<D>& force, double* slope);
  double* take(int n) {
    double* at = free_;
    free_ += n;
    return at;
  }

  const FrictionLaw<D>& law_;
  const Patch<D>& patch_;
  double h_;
  const double *z_, *marks_;
  int nz_;
  double* free_;
  RubPartials Jj_, Jf_, J_;                                // after the jump, at the end, of the mean
  double *zj_, *zf_, *gj_, *gf_, *mean_, *rhs_, *matrix_;  // memory, its rates
};

template <int D>
MemoryStep<D>::MemoryStep(const FrictionLaw<D>& law, const Patch<D>& patch, double h, const double* z, const double* marks,
                          int nz, double* kept, double* scratch)
    : law_(law), patch_(patch), h_(h), z_(z), marks_(marks), nz_(nz), free_(scratch) {
  const int columns = rub_columns(D, nz), size = rub_rows(D, nz) * columns;
  Jj_ = {take(size), columns}, Jf_ = {take(size), columns}, J_ = {take(size), columns};
  zj_ = kept, zf_ = kept + nz, mean_ = kept + 2 * nz;
  gj_ = take(nz), gf_ = take(nz), rhs_ = take(2 * nz);
  matrix_ = take(4 * nz * nz);
}

/// Where the group of consecutive numbers that depend on each other ends.
template <int D>
int MemoryStep<D>::group_end(int first) const {
  int last = first;
  for (int m = first; m <= last; ++m) {
    for (int k = last + 1; k < nz_; ++k) {
      if (Jj_(D + m, kColumns + k) != 0 || Jf_(D + m, kColumns + k) != 0 || Jj_(D + k, kColumns + m) != 0 ||
          Jf_(D + k, kColumns + m) != 0)
        last = k;
    }
  }
  return last + 1;
}

/// Solves the linearised rule for right-hand sides of one group, [2 (last - first)] x sides: changes of zj, then of zf.
template <int D>
bool MemoryStep<D>::eliminate(int first, int last, double* b, int sides) {
  const int n = last - first, N = 2 * n;
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const double a = Jj_(D + first + r, kColumns + first + c), f = Jf_(D + first + r, kColumns + first + c),
                   one = r == c ? 1 : 0;
      matrix_[r * N + c] = one - h_ / 6 * a;
      matrix_[r * N + n + c] = h_ / 6 * f;
      matrix_[(n + r) * N + c] = -0.5 * h_ * a;
      matrix_[(n + r) * N + n + c] = one - 0.5 * h_ * f;
    }
  }
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k + 1; i < N; ++i) {
      if (std::abs(matrix_[i * N + k]) > std::abs(matrix_[p * N + k])) p = i;
    }
    if (!(std::abs(matrix_[p * N + k]) > 0)) return false;
    if (p != k) {
      for (int c = 0; c < N; ++c) std::swap(matrix_[p * N + c], matrix_[k * N + c]);
      for (int c = 0; c < sides; ++c) std::swap(b[p * sides + c], b[k * sides + c]);
    }
    for (int i = k + 1; i < N; ++i) {
      const double l = matrix_[i * N + k] / matrix_[k * N + k];
      if (l == 0) continue;
      for (int c = k + 1; c < N; ++c) matrix_[i * N + c] -= l * matrix_[k * N + c];
      for (int c = 0; c < sides; ++c) b[i * sides + c] -= l * b[k * sides + c];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int c = 0; c < sides; ++c) {
      double s = b[k * sides + c];
      for (int i = k + 1; i < N; ++i) s -= matrix_[k * N + i] * b[i * sides + c];
      b[k * sides + c] = s / matrix_[k * N + k];
    }
  }
  return true;
}

/// Newton's method, one group after the other.
template <int D>
bool MemoryStep<D>::iterate() {
  if (nz_ == 0) return true;
  Vec<D> F;
  for (int pass = 0; pass < 25; ++pass) {
    law_.eval(patch_, zj_, marks_, F, gj_, Jj_);
    law_.eval(patch_, zf_, marks_, F, gf_, Jf_);
    double change = 0, left = 0;
    for (int first = 0; first < nz_;) {
      const int last = group_end(first), n = last - first;
      for (int m = 0; m < n; ++m) {
        const int k = first + m;
        rhs_[m] = -(zj_[k] - z_[k] + h_ / 6 * (gf_[k] - gj_[k]));
        rhs_[n + m] = -(zf_[k] - z_[k] - 0.5 * h_ * (gf_[k] + gj_[k]));
        left = std::max({left, std::abs(rhs_[m]), std::abs(rhs_[n + m])});
      }
      if (!eliminate(first, last, rhs_, 1)) {
        change = left = 1e300;
        break;
      }
      for (int m = 0; m < n; ++m) {
        zj_[first + m] += rhs_[m], zf_[first + m] += rhs_[n + m];
        change = std::max({change, std::abs(rhs_[m]), std::abs(rhs_[n + m])});
      }
      first = last;
    }
    if (!std::isfinite(change)) return false;
    if (!(change <= 1e-14 || left <= 1e-15)) continue;
    for (int m = 0; m < nz_; ++m) mean_[m] = 0.5 * (zj_[m] + zf_[m]);
    return true;
  }
  return false;
}

/// For a rate that jumps: many small steps of an explicit rule, the memory kept admissible.
template <int D>
void MemoryStep<D>::creep() {
  constexpr int kParts = 32;
  Vec<D> F;
  for (int m = 0; m < nz_; ++m) zf_[m] = z_[m], mean_[m] = 0.5 * z_[m] / kParts;
  for (int i = 0; i < kParts; ++i) {
    law_.eval(patch_, zf_, marks_, F, gf_);
    for (int m = 0; m < nz_; ++m) zf_[m] += h_ / kParts * gf_[m];
    law_.project(patch_, zf_, marks_);
    for (int m = 0; m < nz_; ++m) mean_[m] += (i + 1 < kParts ? 1.0 : 0.5) * zf_[m] / kParts;
  }
}

/// Force of the mean and its derivatives; where no solution was found those at this memory.
template <int D>
void MemoryStep<D>::differentiate(bool found, Vec<D>& force, double* slope) {
  double *rate = take(nz_), *by = take(kColumns * nz_);  // of the mean
  law_.eval(patch_, mean_, marks_, force, rate, J_);
  std::fill_n(by, kColumns * nz_, 0.0);
  if (found && nz_ > 0) {
    Vec<D> F;
    law_.eval(patch_, zj_, marks_, F, gj_, Jj_);
    law_.eval(patch_, zf_, marks_, F, gf_, Jf_);
    for (int first = 0; first < nz_;) {
      const int last = group_end(first), n = last - first;
      double* b = free_;  // 2 n x kColumns
      for (int m = 0; m < n; ++m) {
        for (int c = 0; c < kColumns; ++c) {
          const double a = Jj_(D + first + m, c), f = Jf_(D + first + m, c);
          b[m * kColumns + c] = -h_ / 6 * (f - a);
          b[(n + m) * kColumns + c] = 0.5 * h_ * (f + a);
        }
      }
      if (!eliminate(first, last, b, kColumns)) break;
      for (int m = 0; m < n; ++m) {
        for (int c = 0; c < kColumns; ++c)
          by[(first + m) * kColumns + c] = 0.5 * (b[m * kColumns + c] + b[(n + m) * kColumns + c]);
      }
      first = last;
    }
  }
  for (int d = 0; d < D; ++d) {
    for (int c = 0; c < kColumns; ++c) {
      double sum = J_(d, c);
      for (int m = 0; m < nz_; ++m) sum += J_(d, kColumns + m) * by[m * kColumns + c];
      slope[d * kColumns + c] = sum;
    }
  }
}

}  // namespace bristle
