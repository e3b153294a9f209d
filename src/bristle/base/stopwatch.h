#pragma once
#include <chrono>
#include <ctime>

namespace bristle {

/// Time since it was made: on the wall, and of this process on all processors.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;
  double wall() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }  ///< [s]
  double processor() const { return processor_now() - processor_begin_; }                       ///< [s]

 private:
  static double processor_now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  Clock::time_point begin_ = Clock::now();
  double processor_begin_ = processor_now();
};

}  // namespace bristle
