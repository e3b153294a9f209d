#pragma once

namespace bristle {

/// Instead of a mode in the marks of a place over a whole step: it holds with all it can hold at rest, and yields beyond.
inline constexpr double kYields = -1;

}  // namespace bristle
