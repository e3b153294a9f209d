#include "interrupt.h"

#include <csignal>

namespace bristle::app {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGHUP, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  // under nohup the end of the terminal is not the end of the run
  if (std::signal(SIGHUP, note_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  return interrupted;
}

}  // namespace bristle::app
