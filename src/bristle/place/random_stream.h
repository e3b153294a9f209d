#pragma once

namespace bristle {

/// The random stream of a place: no two places of a model have the same. Places are numbered by their components of slip and by whether
/// their slip is a row of bodies in space; `number` counts from 0 inside such a kind. The streams of the first 500 of a kind stand side
/// by side, those of all others are interleaved beyond them.
inline int random_stream(int components, bool in_space, int number) {
  constexpr int kKinds = 8, kBeside = 500;
  const int kind = 2 * components + (in_space ? 1 : 0);
  static_assert(kKinds * kBeside > (kKinds - 1) * kBeside + kBeside - 1);  // the first interleaved one is free
  return number < kBeside ? kBeside * kind + number : kKinds * number + kind;
}

}  // namespace bristle
