#include "bristle/analyse/paradox.h"

#include <fmt/format.h>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kOne = 1.001;  // beyond it by more than round-off
constexpr int kLooks = 256;     // with one stride; the next ones are twice as far apart
}  // namespace

void Paradox::look(const System& system, const State& x) {
  if (found_.slot >= 0 || system.reactive().empty() || system.layout().held_count() == 0) return;
  if (turn_.count++ % turn_.stride != 0) return;
  if (turn_.count > kLooks * turn_.stride) turn_.count = 0, turn_.stride *= 2;
  if (!kernel_) {
    kernel_ = std::make_unique<Multipliers>();
    kernel_->prepare(system);
    work_ = system.make_workspace();
  }
  const Jam jam = kernel_->find_jam(system, x, work_, false);
  if (jam.gain > kOne) found_ = {x.t, jam.gain, jam.slot};
}

std::string Paradox::doubt(const Layout& layout) const {
  if (found_.slot < 0) return "";
  const HeldRow& pressed = layout.held[u(found_.slot)];
  return fmt::format(
      "t = {:.9g} s: the reactions to the friction of {} ({}) make {:.3g} times as much friction again while it slides. From 1 on two motions "
      "balance or none (Painlevé's paradox), and which one is found depends on the method. Use less friction, a longer guide or bearing, or a joint "
      "with clearance or a bushing, whose stiffness decides.",
      found_.t, pressed.owner, pressed.name, found_.gain);
}

void Paradox::save(Archive& a) const { a.put(found_), a.put(turn_); }
void Paradox::load(Archive& a) { a.get(found_), a.get(turn_); }

}  // namespace bristle
