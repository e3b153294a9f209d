#pragma once
#include <cstdint>

namespace bristle {

/// Random numbers without a state: the same (stream, counter) gives the same number, on any machine and in any order. Whoever
/// draws keeps the counter, so a run that is stopped and resumed draws on where it was. Two rounds of the splitmix64 finaliser.
inline std::uint64_t random_bits(std::uint64_t stream, std::uint64_t counter) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  };
  return mix(counter * 0x9e3779b97f4a7c15u + mix(stream * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du));
}

/// Uniform in [0, 1), 53 random bits.
inline double random_uniform(std::uint64_t stream, std::uint64_t counter) {
  return static_cast<double>(random_bits(stream, counter) >> 11) * 0x1p-53;
}

}  // namespace bristle
