#pragma once
#include <atomic>

namespace bristle::app {

/// From now on the first Ctrl-C (or SIGTERM) sets the flag, the second ends the program at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace bristle::app
