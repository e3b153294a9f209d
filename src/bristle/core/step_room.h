#pragma once
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace bristle {

// Values in StepEval::room: written in calc_step, read by what follows it. A block says in numbers how much room they take.

template <class T>
constexpr int room_for() {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(double));
  return static_cast<int>((sizeof(T) + sizeof(double) - 1) / sizeof(double));
}
template <class T, class... Args>
T& make_in_room(double* at, Args&&... args) {
  return *std::construct_at(reinterpret_cast<T*>(at), std::forward<Args>(args)...);
}
template <class T>
const T& in_room(double* at) {
  return *std::launder(reinterpret_cast<T*>(at));
}

}  // namespace bristle
