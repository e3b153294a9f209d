#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/archive.h"

namespace bristle {

/// Why a step is as long as it is: one of these, or a step rule of the run, which StepReasons numbers behind them.
enum class StepReason : int {
  end,      ///< of the run, or a time that was asked for
  error,    ///< what error control asks for
  largest,  ///< the longest that the user allows
  event,    ///< a place came to rest or let go
  retry,    ///< a longer one was rejected, or has been shortly before
  turn,     ///< of a body: attitudes are followed as increments
  stable,   ///< what an explicit method stands
};

/// The reasons of a run by name, and how many accepted steps each of them has.
class StepReasons {
 public:
  /// The reason of a rule; rules of one name share it.
  StepReason add(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    const auto number = static_cast<int>(found - names_.begin());
    if (found == names_.end()) names_.emplace_back(name), counts_.push_back(0);
    return StepReason{number};
  }
  void count(StepReason reason) { ++counts_[static_cast<std::size_t>(reason)]; }
  void clear_counts() { std::fill(counts_.begin(), counts_.end(), 0); }

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<long long>& counts() const { return counts_; }  ///< by the same numbers
  const std::string& name(StepReason reason) const { return names_[static_cast<std::size_t>(reason)]; }

  void save(Archive& a) const { a.put(counts_); }
  void load(Archive& a) {
    a.get(counts_);
    if (counts_.size() != names_.size()) throw std::runtime_error("the checkpoint belongs to another model");
  }

 private:
  // in the order of StepReason
  std::vector<std::string> names_ = {"end", "error", "largest step", "event", "retry", "turn of a body", "stability"};
  std::vector<long long> counts_ = std::vector<long long>(names_.size(), 0);
};

}  // namespace bristle
