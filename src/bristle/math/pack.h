#pragma once
#include <cmath>
#include <cstring>

// A pack is another type where code is compiled for other registers, so that the linker takes no function of one for that of another.
#if defined(__AVX512F__)
#define BRISTLE_REGISTERS avx512
#elif defined(__AVX2__)
#define BRISTLE_REGISTERS avx2
#else
#define BRISTLE_REGISTERS every
#endif

namespace bristle {
inline namespace BRISTLE_REGISTERS {

/// N doubles that go through the same sums side by side, in the processor's wide registers where the code is compiled for them. A number type,
/// as `double`. Sums, products and quotients have the bits of `double`; exp and tanh are its own, off the exact values by no more than two
/// roundings, and have the same bits for every N and on every machine.
template <int N>
struct Pack {
  typedef double Numbers __attribute__((vector_size(8 * N)));
  typedef long long Bits __attribute__((vector_size(8 * N)));  // all ones where the answer is yes
  Numbers x;

  Pack() = default;
  Pack(double v) : x(Numbers{} + v) {}  // NOLINT: a constant is the same in all places
  static Pack of(const Numbers& numbers) {
    Pack p;
    p.x = numbers;
    return p;
  }
};

/// An answer for each of the numbers.
template <int N>
struct PackMask {
  typename Pack<N>::Bits yes;
};

#define BRISTLE_PACK(op)                                    \
  template <int N>                                          \
  Pack<N> operator op(const Pack<N>& a, const Pack<N>& b) { \
    return Pack<N>::of(a.x op b.x);                         \
  }                                                         \
  template <int N>                                          \
  Pack<N> operator op(const Pack<N>& a, double b) {         \
    return a op Pack<N>(b);                                 \
  }                                                         \
  template <int N>                                          \
  Pack<N> operator op(double a, const Pack<N>& b) {         \
    return Pack<N>(a) op b;                                 \
  }                                                         \
  template <int N>                                          \
  Pack<N>& operator op##=(Pack<N>& a, const Pack<N>& b) {   \
    return a = a op b;                                      \
  }
BRISTLE_PACK(+)
BRISTLE_PACK(-)
BRISTLE_PACK(*)
BRISTLE_PACK(/)
#undef BRISTLE_PACK
template <int N>
Pack<N> operator-(const Pack<N>& a) {
  return Pack<N>::of(-a.x);
}

#define BRISTLE_PACK_COMPARE(op)                                \
  template <int N>                                              \
  PackMask<N> operator op(const Pack<N>& a, const Pack<N>& b) { \
    return {a.x op b.x};                                        \
  }                                                             \
  template <int N>                                              \
  PackMask<N> operator op(const Pack<N>& a, double b) {         \
    return a op Pack<N>(b);                                     \
  }
BRISTLE_PACK_COMPARE(<)
BRISTLE_PACK_COMPARE(>)
BRISTLE_PACK_COMPARE(<=)
BRISTLE_PACK_COMPARE(>=)
#undef BRISTLE_PACK_COMPARE

/// Both sides are worked out; see choose.h.
template <int N, class Then>
Pack<N> choose(const PackMask<N>& mask, Then&& then, const Pack<N>& otherwise) {
  const Pack<N> chosen = then();
  return Pack<N>::of(mask.yes ? chosen.x : otherwise.x);
}

template <int N>
Pack<N> abs(const Pack<N>& a) {
  using Bits = typename Pack<N>::Bits;
  return Pack<N>::of((typename Pack<N>::Numbers)((Bits)a.x & 0x7fffffffffffffffLL));
}

template <int N>
Pack<N> exp(const Pack<N>& a) {
  using Numbers = typename Pack<N>::Numbers;
  using Bits = typename Pack<N>::Bits;
  // a = n ln 2 + r with |r| <= ln(2)/2; the first part of ln 2 has so few digits that n times it is exact
  constexpr double kPerBinade = 1.4426950408889634, kBinade = 0x1.62e42fefa0000p-1, kBinadeRest = 0x1.cf79abc9e3b3ap-40;
  constexpr double kRound = 0x1.8p52, kLowest = -707.5, kHighest = 709.7;
  const Numbers x = a.x < kLowest ? Numbers{} + kLowest : (a.x > kHighest ? Numbers{} + kHighest : a.x);
  const Numbers shifted = x * kPerBinade + kRound, n = shifted - kRound;
  const Numbers r = (x - n * kBinade) - n * kBinadeRest;
  // twice the Taylor series, which ends below a rounding; the other half goes into the exponent, which so never overflows
  const Numbers r2 = r * r, r4 = r2 * r2;
  const Numbers low = (2.0 / 2 + r * (2.0 / 6)) + r2 * (2.0 / 24 + r * (2.0 / 120));
  const Numbers middle = (2.0 / 720 + r * (2.0 / 5040)) + r2 * (2.0 / 40320 + r * (2.0 / 362880));
  const Numbers high = (2.0 / 3628800 + r * (2.0 / 39916800)) + r2 * (2.0 / 479001600 + r * (2.0 / 6227020800));
  const Numbers twice = 2.0 + (2.0 * r + r2 * (low + r4 * (middle + r4 * high)));
  const Numbers power = (Numbers)(((Bits)shifted + 1022) << 52);
  Numbers y = twice * power;
  y = a.x < kLowest ? Numbers{} : y;
  y = a.x > kHighest ? Numbers{} + HUGE_VAL : y;
  return Pack<N>::of(a.x == a.x ? y : a.x);
}

template <int N>
Pack<N> tanh(const Pack<N>& a) {
  using Numbers = typename Pack<N>::Numbers;
  // near zero the quotient of exponentials loses digits: there the eighth convergent of Lambert's continued fraction
  // x/(1 + x^2/(3 + x^2/(5 + ...))), which is off by less than a rounding
  constexpr double kSmall = 0.625;
  const Numbers s = a.x * a.x, s2 = s * s;
  const Numbers over = (675675.0 + 45045.0 * s) + s2 * (594.0 + s);
  const Numbers under = (2027025.0 + 945945.0 * s) + s2 * ((51975.0 + 630.0 * s) + s2);
  const Numbers near = a.x - a.x * (s * over / under);
  const Pack<N> size = abs(a);
  const Numbers quotient = 1.0 - 2.0 / (exp(2.0 * size).x + 1.0);
  const Numbers y = size.x < kSmall ? near : (a.x < 0.0 ? -quotient : quotient);
  return Pack<N>::of(a.x == a.x ? y : a.x);
}

}  // namespace BRISTLE_REGISTERS
}  // namespace bristle
