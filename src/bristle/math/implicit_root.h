#pragma once
#include <array>
#include <cmath>

#include "bristle/math/dual.h"
#include "bristle/math/two_point.h"

namespace bristle {

// One helper for inner solves: the x with f(x, p) = 0 as a number of the type of the parameters p. f is a generic function of x and
// an array of parameters, all of one number type; `guess` starts Newton's iteration (contact angles come from a mark). The derivative
// of f by x must not vanish at the root.

/// The root itself. Newton until the residual falls no further; a step that makes it larger is halved. Where that ends in a valley of
/// the residual without a root, the nearest change of sign is looked for to both sides and halved.
template <class F, std::size_t P>
double implicit_root(const F& f, double guess, const std::array<double, P>& p) {
  std::array<Dual<1>, P> constants;
  for (std::size_t i = 0; i < P; ++i) constants[i] = p[i];
  const auto newton = [&](double& x, double& value) {  // true: nothing is left to gain but round-off
    for (int k = 0; k < 100 && value != 0; ++k) {
      const Dual<1> r = f(Dual<1>::variable(x, 0), constants);
      double step = -r.value / r.d[0], next = x, next_value = value;
      const bool last = std::abs(step) < 1e-7 * (1 + std::abs(x));
      bool better = false;
      for (int half = 0; half < 30 && !better; ++half, step *= 0.5) {
        next = x + step;
        if (next == x) break;
        next_value = f(next, p);
        better = std::abs(next_value) < std::abs(value);
      }
      if (!better) return last;
      x = next, value = next_value;
    }
    return value == 0;
  };
  double x = guess, value = f(x, p);
  if (newton(x, value)) return x;
  double left = guess, right = guess, width = 0.05 * (1 + std::abs(guess));
  double low = f(guess, p), high = low;
  for (int k = 0; k < 60; ++k, width *= 1.2) {
    const double l = left - width, r = right + width, fl = f(l, p), fr = f(r, p);
    double a = l, b = left;
    if (fl * low <= 0) a = l, b = left;
    else if (fr * high <= 0) a = right, b = r;
    else {
      left = l, right = r, low = fl, high = fr;
      continue;
    }
    double fa = f(a, p);
    for (int half = 0; half < 40; ++half) {
      const double middle = 0.5 * (a + b), fm = f(middle, p);
      if (fa * fm <= 0) b = middle;
      else a = middle, fa = fm;
    }
    x = 0.5 * (a + b), value = f(x, p);
    newton(x, value);
    return x;
  }
  return x;
}

/// The root with its derivatives: dx = -(df/dp . dp) / (df/dx). Duals of Duals give second derivatives.
template <class F, int N, class S, std::size_t P>
Dual<N, S> implicit_root(const F& f, double guess, const std::array<Dual<N, S>, P>& p) {
  std::array<S, P> values;
  for (std::size_t i = 0; i < P; ++i) values[i] = p[i].value;
  const S x = implicit_root(f, guess, values);
  // slope by x, with the parameters as constants
  std::array<Dual<1, S>, P> constants;
  for (std::size_t i = 0; i < P; ++i) constants[i] = Dual<1, S>(values[i]);
  const S slope = f(Dual<1, S>::variable(x, 0), constants).d[0];
  const Dual<N, S> r = f(Dual<N, S>(x), p);
  Dual<N, S> root(x);
  for (std::size_t i = 0; i < N; ++i) root.d[i] = -r.d[i] / slope;
  return root;
}

/// The roots at both ends of a step and the row between them: 0 = f(end) - f(start) = row of x . change of x + rows of p . increments.
template <class F, int N, std::size_t P>
TwoPoint<N> implicit_root(const F& f, double guess, const std::array<TwoPoint<N>, P>& p) {
  std::array<double, P> start, end;
  for (std::size_t i = 0; i < P; ++i) start[i] = p[i].start, end[i] = p[i].end;
  TwoPoint<N> root;
  root.start = implicit_root(f, guess, start);
  root.end = implicit_root(f, root.start, end);
  // x is one increment more
  std::array<TwoPoint<N + 1>, P> wide;
  for (std::size_t i = 0; i < P; ++i) {
    wide[i].start = p[i].start, wide[i].end = p[i].end;
    for (std::size_t k = 0; k < N; ++k) wide[i].row[k] = p[i].row[k];
  }
  const TwoPoint<N + 1> r = f(TwoPoint<N + 1>::variable(root.start, root.end, N), wide);
  for (std::size_t k = 0; k < N; ++k) root.row[k] = -r.row[k] / r.row[N];
  return root;
}

}  // namespace bristle
