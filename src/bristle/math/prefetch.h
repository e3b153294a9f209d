#pragma once
#include <cstddef>

namespace bristle {

/// Asks for memory that a loop will come to soon, where the machine does not guess it. Changes no number.
template <bool Write = false>
inline void prefetch(const void* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(static_cast<const char*>(from) + at, Write ? 1 : 0);
}

}  // namespace bristle
