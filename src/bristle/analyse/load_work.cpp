#include "bristle/analyse/load_work.h"

#include <utility>

#include "bristle/base/index.h"

namespace bristle {

void LoadWork::prepare(const System& system) {
  const auto n = u(system.readings().loaded_count());
  friction_.assign(n, 0);
  load_.assign(n, 0);
  before_.assign(n, {});
  now_ = before_;
  system.readings().loaded_accounts(friction_.data(), load_.data());
}

void LoadWork::start(const System& system, const State& x, Workspace& w) {
  if (!before_.empty()) system.readings().calc_loaded(system.look(x, w), before_.data());
}

void LoadWork::step(const System& system, const State& x, Workspace& w, double* work) {
  if (before_.empty()) return;
  system.readings().calc_loaded(system.look(x, w), now_.data());
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const LoadedMemory &a = before_[i], &b = now_[i];
    // surfaces that part forget at the end of the step, when the load has left them
    const double end = b.load > 0 ? b.stored : a.stored;
    const double joule = 0.5 * (b.load - a.load) * (a.stored + end);
    work[friction_[i]] += joule;
    work[load_[i]] += joule;
  }
  std::swap(before_, now_);
}

}  // namespace bristle
