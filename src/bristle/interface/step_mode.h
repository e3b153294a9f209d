#pragma once

namespace bristle {

/// In the place of a Mode, in the marks of a dry place over a whole step of an energy scheme: the place holds with what it can hold at rest
/// and slides with that force where more is asked of it.
inline constexpr double kYields = -1;

}  // namespace bristle
