#include "bristle/analyse/decision_numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "bristle/base/text.h"

namespace bristle {

void DecisionNumbers::prepare(const Layout& layout) {
  layout_ = &layout;
  kept_.clear();
  for (std::size_t number = 0; number < layout.switched.size(); ++number) {
    const SwitchedSignal& s = layout.switched[number];
    const std::vector<double> zero(s.signal.readings().size(), 0.0);
    std::size_t which = 0;
    each_decision(s.signal.signal(), zero.data(), [&](std::size_t, Decides how, double) {
      if (s.moved[which] != 0) kept_.push_back({number, which, how});
      ++which;
    });
  }
}

void DecisionNumbers::measure(const System& system, const State& x, Workspace& w, std::vector<double>& to) const {
  const Eval e = system.look(x, w);
  double in[BoundSignal::kMaxReadings];
  std::size_t at = 0;
  for (const SwitchedSignal& s : layout_->switched) {
    s.signal.read_inputs(e, in);
    std::size_t k = 0;
    each_decision(s.signal.signal(), in, [&](std::size_t, Decides, double number) {
      if (s.moved[k++] != 0) to[at++] = number;
    });
  }
}

bool DecisionNumbers::differs(std::size_t i, double from, double to) const {
  return is_whole(i) ? std::floor(from) != std::floor(to) : (from > 0) != (to > 0);
}

std::string DecisionNumbers::owner(std::size_t i) const {
  const SwitchedSignal& s = signal_of(i);
  const std::string where = s.signal.signal().where().text();
  return s.owner + (where.empty() ? "" : " (" + where + ")");
}

std::string DecisionNumbers::number(std::size_t i) const {
  return shortened(describe_decision(signal_of(i).signal.signal(), kept_[i].which).number);
}

bool DecisionNumbers::is_of_speed(std::size_t i) const {
  using Kind = Signal::Input::Kind;
  const BoundSignal& signal = signal_of(i).signal;
  const std::vector<char> reads = describe_decision(signal.signal(), kept_[i].which).reads;
  bool speed = false, other = false;
  for (std::size_t k = 0; k < reads.size(); ++k) {
    if (reads[k] == 0) continue;
    const Kind kind = signal.readings()[k].kind;
    const bool moves = kind == Kind::velocity || kind == Kind::row_rate;
    speed = speed || moves, other = other || (!moves && kind != Kind::time);
  }
  return speed && !other;
}

std::string DecisionNumbers::place(std::size_t i, double level) const {
  return is_whole(i) ? fmt::format("{} = {:.0f}", number(i), level) : "zero of " + number(i);
}

std::string DecisionNumbers::way_out(std::size_t i) const {
  if (is_whole(i)) return "Let it rise from step to step over a finite width, as by clamp.";
  const std::string smooth = fmt::format("tanh(({})/eps) in place of its sign, eps being small beside what matters", number(i));
  if (!is_of_speed(i)) return "Round the jump off: " + smooth + ".";
  return "Where it stands for friction, give that to a joint (type: sliding, or the joint that moves) with friction: coulomb, which holds at rest; else round "
         "the jump off: " +
         smooth + ".";
}

}  // namespace bristle
