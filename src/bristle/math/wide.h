#pragma once

/// Before a function with long loops over numbers: compiled twice, the machine's wider registers are used where it has them. Nothing is
/// contracted or summed in another order, so the bits are the same.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BRISTLE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define BRISTLE_WIDE
#endif

namespace bristle {

/// Row of N numbers (N even) in registers of four or two of them.
template <int N>
struct WideRow {
  static constexpr int kLanes = N % 4 == 0 ? 4 : 2, kCount = N / kLanes;
  typedef double Lanes __attribute__((vector_size(8 * kLanes), aligned(8), may_alias));
  Lanes x[kCount];

  [[gnu::always_inline]] static Lanes& at(double* from, int k) { return *reinterpret_cast<Lanes*>(from + k * kLanes); }
  [[gnu::always_inline]] static const Lanes& at(const double* from, int k) {
    return *reinterpret_cast<const Lanes*>(from + k * kLanes);
  }
  [[gnu::always_inline]] void load(const double* from) {
    for (int k = 0; k < kCount; ++k) x[k] = at(from, k);
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (int k = 0; k < kCount; ++k) at(to, k) = x[k];
  }
  /// this += f * row
  [[gnu::always_inline]] void add(double f, const double* row) {
    for (int k = 0; k < kCount; ++k) x[k] += f * at(row, k);
  }
  /// this -= f * row
  [[gnu::always_inline]] void take(double f, const double* row) {
    for (int k = 0; k < kCount; ++k) x[k] -= f * at(row, k);
  }
  [[gnu::always_inline]] double dot(const double* row) const {
    Lanes sum = x[0] * at(row, 0);
    for (int k = 1; k < kCount; ++k) sum += x[k] * at(row, k);
    double part[kLanes];
    at(part, 0) = sum;
    if constexpr (kLanes == 4) return (part[0] + part[2]) + (part[1] + part[3]);
    else return part[0] + part[1];
  }
  [[gnu::always_inline]] void scale(double f) {
    for (int k = 0; k < kCount; ++k) x[k] *= f;
  }
};

}  // namespace bristle
