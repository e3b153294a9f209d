#pragma once
#include <cstddef>

namespace bristle {

/// An index or a count, which are int here, as standard containers take it.
constexpr std::size_t u(int i) { return static_cast<std::size_t>(i); }

}  // namespace bristle
