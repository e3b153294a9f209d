#pragma once
// A light damped mass hangs on a friction law at two thirds of its break-away load: does it stay?
#include <cmath>
#include <vector>

#include "bristle/interface/friction_law.h"

namespace bristle::contract {

struct HoldRun {
  bool finished = false;
  double time = 0;
  double drift = 0;  ///< [m] way from 100 s, when elastic deflection has long settled, to 1000 s
  double speed = 0;  ///< [m/s] at the end
};

/// Solves A x = b in place by elimination with row exchange; false when singular.
inline bool solve_dense(std::vector<double>& A, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(A[i * n + k]) > std::abs(A[best * n + k])) best = i;
    }
    if (!(std::abs(A[best * n + k]) > 0)) return false;
    if (best != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(A[best * n + j], A[k * n + j]);
      std::swap(b[best], b[k]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = A[i * n + k] / A[k * n + k];
      for (std::size_t j = k; j < n; ++j) A[i * n + j] -= f * A[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
  return true;
}

/// Implicit Euler steps that grow as long as Newton's method converges quickly: 1000 s in a few hundred steps. The pull is
/// raised over the first second and then constant.
inline HoldRun hold_two_thirds(const FrictionLaw<1>& law, double load) {
  constexpr double kMass = 1e-3, kDamping = 1.0;  // [kg], [N s/m] light: they carry nothing in the end
  const MemorySize size = law.memory();
  const auto nz = static_cast<std::size_t>(size.z);
  std::vector<double> z(nz + 1), marks(static_cast<std::size_t>(size.marks) + 1), zdot(nz + 1);
  law.start(z.data(), marks.data(), 0);
  Patch<1> p;
  p.load = load;
  law.accept(p, 0, z.data(), marks.data());
  const double full_pull = 2.0 / 3.0 * law.holding(p, marks.data());
  const std::size_t n = 1 + nz;
  const int columns = rub_columns(1, size.z);
  std::vector<double> data(static_cast<std::size_t>(rub_rows(1, size.z) * columns));
  HoldRun run;
  double h = 1e-7, t = 0, v = 0, x = 0, x_settled = 0;
  bool settled = false;
  for (int count = 0; count < 200000 && t < 1000; ++count) {
    double end = t + h;
    if (!settled && end > 100) end = 100, h = end - t;
    const double pull = full_pull * std::min(end, 1.0);
    // Newton on slip and memory at the end of the step
    double v1 = v;
    std::vector<double> z1 = z;
    bool converged = false;
    int iterations = 0;
    for (; iterations < 25 && !converged; ++iterations) {
      p.slip[0] = v1;
      p.travel[0] = x + h * v1;
      Vec<1> F;
      RubPartials partials{data.data(), columns};
      law.eval(p, z1.data(), marks.data(), F, zdot.data(), partials);
      std::vector<double> A(n * n, 0.0), b(n);
      b[0] = -(kMass * (v1 - v) / h + kDamping * v1 + F[0] - pull);
      A[0] = kMass / h + kDamping + partials(0, 0) + h * partials(0, 2);
      for (std::size_t k = 0; k < nz; ++k) A[1 + k] = partials(0, 3 + static_cast<int>(k));
      for (std::size_t i = 0; i < nz; ++i) {
        const int row = 1 + static_cast<int>(i);
        b[1 + i] = -(z1[i] - z[i] - h * zdot[i]);
        A[(1 + i) * n] = -h * (partials(row, 0) + h * partials(row, 2));
        for (std::size_t k = 0; k < nz; ++k)
          A[(1 + i) * n + 1 + k] = (i == k ? 1.0 : 0.0) - h * partials(row, 3 + static_cast<int>(k));
      }
      double residual = std::abs(b[0]) / full_pull;
      for (std::size_t i = 0; i < nz; ++i) residual = std::max(residual, std::abs(b[1 + i]));
      if (residual < 1e-10) {
        converged = true;
        break;
      }
      if (!(residual < 1e100) || !solve_dense(A, b)) break;
      v1 += b[0];
      for (std::size_t i = 0; i < nz; ++i) z1[i] += b[1 + i];
    }
    if (!converged && nz == 0) {
      // without memory the balance is one equation with a sign change: halve the interval
      const auto balance = [&](double slip) {
        p.slip[0] = slip;
        p.travel[0] = x + h * slip;
        Vec<1> F;
        law.eval(p, z.data(), marks.data(), F, zdot.data());
        return kMass * (slip - v) / h + kDamping * slip + F[0] - pull;
      };
      double low = -1e-9, high = 1e-9;
      while (balance(low) > 0) low *= 4;
      while (balance(high) < 0) high *= 4;
      for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (balance(middle) < 0 ? low : high) = middle;
      }
      v1 = high, z1 = z, converged = true, iterations = 0;
    }
    if (!converged && h < 1e-8 && std::isfinite(v1)) converged = true, iterations = 0;  // a jump: over it, whatever the residual
    if (!converged) {
      h *= 0.25;
      if (h < 1e-13) break;
      continue;
    }
    x += h * v1, v = v1, z = z1, t = end;
    p.slip[0] = v;
    p.travel[0] = x;
    law.accept(p, t, z.data(), marks.data());
    if (!settled && t >= 100) settled = true, x_settled = x;
    if (iterations < 8) h = std::min(1.3 * h, t < 1 ? 0.02 : 20.0);
    run.time = t;
  }
  run.finished = t >= 1000;
  run.drift = x - x_settled;
  run.speed = v;
  return run;
}

}  // namespace bristle::contract
