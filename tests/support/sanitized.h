// Whether the library is the one under the sanitizers, where everything takes ten times as long: repetition may be less there.
#pragma once

extern "C" void __asan_init() __attribute__((weak));

namespace bristle::test {

inline const bool kSanitized = &__asan_init != nullptr;

}  // namespace bristle::test
