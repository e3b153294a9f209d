// Whether this is the build under the sanitizers, where everything takes ten times as long: repetition may be less there.
#pragma once

namespace bristle::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace bristle::test
