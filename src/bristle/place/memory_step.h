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
                    double* z_end, Vec<D>& force, double* slope, double* scratch);
};

template <int D>
bool MemoryStep<D>::solve(const FrictionLaw<D>& law, const Patch<D>& patch, double h, const double* z, const double* marks,
                          int nz, double* z_end, Vec<D>& force, double* slope, double* scratch) {
  const int columns = rub_columns(D, nz), size = rub_rows(D, nz) * columns;
  double* free = scratch;
  const auto take = [&](int n) {
    double* at = free;
    free += n;
    return at;
  };
  const RubPartials Jj{take(size), columns}, Jf{take(size), columns}, J{take(size), columns};
  double *zj = take(nz), *zf = take(nz), *gj = take(nz), *gf = take(nz), *mean = take(nz), *gm = take(nz), *rhs = take(2 * nz);
  double* by = take(kColumns * nz);  // of the mean
  double* matrix = take(4 * nz * nz);
  Vec<D> F;
  for (int m = 0; m < nz; ++m) zj[m] = zf[m] = z[m];

  // groups of consecutive numbers that depend on each other
  const auto group_end = [&](int first) {
    int last = first;
    for (int m = first; m <= last; ++m) {
      for (int k = 0; k < nz; ++k) {
        if (k > last && (Jj(D + m, kColumns + k) != 0 || Jf(D + m, kColumns + k) != 0 || Jj(D + k, kColumns + m) != 0 ||
                         Jf(D + k, kColumns + m) != 0))
          last = k;
      }
    }
    return last + 1;
  };
  // solves the linearised rule for right-hand sides of one group: b1, b2 by number -> changes of zj, zf
  const auto eliminate = [&](int first, int last, double* b, int sides) {  // b: [2 (last-first)] x sides
    const int n = last - first, N = 2 * n;
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        const double a = Jj(D + first + r, kColumns + first + c), f = Jf(D + first + r, kColumns + first + c),
                     one = r == c ? 1 : 0;
        matrix[r * N + c] = one - h / 6 * a;
        matrix[r * N + n + c] = h / 6 * f;
        matrix[(n + r) * N + c] = -0.5 * h * a;
        matrix[(n + r) * N + n + c] = one - 0.5 * h * f;
      }
    }
    for (int k = 0; k < N; ++k) {
      int p = k;
      for (int i = k + 1; i < N; ++i) {
        if (std::abs(matrix[i * N + k]) > std::abs(matrix[p * N + k])) p = i;
      }
      if (!(std::abs(matrix[p * N + k]) > 0)) return false;
      if (p != k) {
        for (int c = 0; c < N; ++c) std::swap(matrix[p * N + c], matrix[k * N + c]);
        for (int c = 0; c < sides; ++c) std::swap(b[p * sides + c], b[k * sides + c]);
      }
      for (int i = k + 1; i < N; ++i) {
        const double l = matrix[i * N + k] / matrix[k * N + k];
        if (l == 0) continue;
        for (int c = k + 1; c < N; ++c) matrix[i * N + c] -= l * matrix[k * N + c];
        for (int c = 0; c < sides; ++c) b[i * sides + c] -= l * b[k * sides + c];
      }
    }
    for (int k = N - 1; k >= 0; --k) {
      for (int c = 0; c < sides; ++c) {
        double s = b[k * sides + c];
        for (int i = k + 1; i < N; ++i) s -= matrix[k * N + i] * b[i * sides + c];
        b[k * sides + c] = s / matrix[k * N + k];
      }
    }
    return true;
  };

  bool found = false;
  for (int pass = 0; pass < 25 && !found; ++pass) {
    law.eval(patch, zj, marks, F, gj, Jj);
    law.eval(patch, zf, marks, F, gf, Jf);
    double change = 0, left = 0;
    for (int first = 0; first < nz;) {
      const int last = group_end(first), n = last - first;
      for (int m = 0; m < n; ++m) {
        const int k = first + m;
        rhs[m] = -(zj[k] - z[k] + h / 6 * (gf[k] - gj[k]));
        rhs[n + m] = -(zf[k] - z[k] - 0.5 * h * (gf[k] + gj[k]));
        left = std::max({left, std::abs(rhs[m]), std::abs(rhs[n + m])});
      }
      if (!eliminate(first, last, rhs, 1)) {
        change = left = 1e300;
        break;
      }
      for (int m = 0; m < n; ++m) {
        zj[first + m] += rhs[m], zf[first + m] += rhs[n + m];
        change = std::max({change, std::abs(rhs[m]), std::abs(rhs[n + m])});
      }
      first = last;
    }
    if (!std::isfinite(change)) break;
    found = change <= 1e-14 || left <= 1e-15;
  }
  if (!found) {  // a rate that jumps: many small steps of an explicit rule, the memory kept admissible
    constexpr int kParts = 32;
    for (int m = 0; m < nz; ++m) zf[m] = z[m], mean[m] = 0.5 * z[m] / kParts;
    for (int i = 0; i < kParts; ++i) {
      law.eval(patch, zf, marks, F, gf);
      for (int m = 0; m < nz; ++m) zf[m] += h / kParts * gf[m];
      law.project(patch, zf, marks);
      for (int m = 0; m < nz; ++m) mean[m] += (i + 1 < kParts ? 1.0 : 0.5) * zf[m] / kParts;
    }
  } else {
    for (int m = 0; m < nz; ++m) mean[m] = 0.5 * (zj[m] + zf[m]);
  }
  for (int m = 0; m < nz; ++m) z_end[m] = zf[m];
  if (slope == nullptr) {
    law.eval(patch, mean, marks, force, gm);
    return found;
  }
  law.eval(patch, mean, marks, force, gm, J);
  std::fill_n(by, kColumns * nz, 0.0);
  if (found) {
    law.eval(patch, zj, marks, F, gj, Jj);
    law.eval(patch, zf, marks, F, gf, Jf);
    for (int first = 0; first < nz;) {
      const int last = group_end(first), n = last - first;
      double* b = free;  // 2 n x kColumns
      for (int m = 0; m < n; ++m) {
        for (int c = 0; c < kColumns; ++c) {
          const double a = Jj(D + first + m, c), f = Jf(D + first + m, c);
          b[m * kColumns + c] = -h / 6 * (f - a);
          b[(n + m) * kColumns + c] = 0.5 * h * (f + a);
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
      double sum = J(d, c);
      for (int m = 0; m < nz; ++m) sum += J(d, kColumns + m) * by[m * kColumns + c];
      slope[d * kColumns + c] = sum;
    }
  }
  return found;
}

}  // namespace bristle
