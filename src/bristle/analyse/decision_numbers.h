#pragma once
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/signal/decisions.h"

namespace bristle {

/// The numbers that tell which way the expressions of the motion go, of all of them one after the other.
class DecisionNumbers {
 public:
  void prepare(const Layout&);

  std::size_t size() const { return kept_.size(); }
  /// Is decision i told by the whole part of its number? Else by its sign.
  bool is_whole(std::size_t i) const { return kept_[i].how == Decides::whole; }
  void measure(const System&, const State&, Workspace&, std::vector<double>& to) const;
  /// Does it fall otherwise with the second number? Exactly: rounding is the caller's to judge.
  bool differs(std::size_t i, double from, double to) const;
  /// "force 'brake' (model.yaml:5:40)".
  std::string owner(std::size_t i) const;
  const std::string& expression(std::size_t i) const { return signal_of(i).signal.signal().text(); }
  /// "zero of block.velocity", "m.position*10 = 3": where it changes; level: the whole number.
  std::string place(std::size_t i, double level) const;
  /// What to write in place of an expression that jumps to and fro there.
  std::string way_out(std::size_t i) const;

 private:
  struct Kept {
    std::size_t signal = 0, which = 0;  // which of its decisions
    Decides how = Decides::sign;
  };
  std::string number(std::size_t i) const;  // that it is told by: "block.velocity - 0.2"
  bool is_of_speed(std::size_t i) const;    // which reads nothing else that moves
  const SwitchedSignal& signal_of(std::size_t i) const { return layout_->switched[kept_[i].signal]; }

  const Layout* layout_ = nullptr;
  std::vector<Kept> kept_;
};

}  // namespace bristle
