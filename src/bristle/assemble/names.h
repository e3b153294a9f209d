#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/numbers.h"
#include "bristle/base/node.h"
#include "bristle/signal/bound_signal.h"
#include "bristle/signal/signal.h"

namespace bristle {

/// The names of a model: of its elements, each once, and of the channels that expressions may read.
class Names {
 public:
  Names(Layout& layout, Numbers& numbers) : layout_(layout), numbers_(numbers) {}

  /// A new element; `kind` is the word for what it is. Refuses names that are taken or reserved.
  void claim(const std::string& name, const Where& where, const char* kind);
  /// A channel that expressions may read: a linear form of numbers of the state, or a row.
  void offer(const std::string& channel, Signal::Input::Kind kind, std::vector<std::pair<int, double>> terms) {
    readable_[channel] = {kind, std::move(terms)};
  }
  /// Channels `<name>.<quantity>` that expressions read as they were at the last accepted step.
  void offer_samples(const std::string& name, std::initializer_list<std::string> quantities) {
    for (const std::string& q : quantities) sampled_[name + "." + q] = {name};
  }
  /// What an expression gives.
  enum class Gives {
    value,     ///< a force, a load, a speed: what it reads acts at once
    position,  ///< where a drive is
    rate       ///< of a state: what it reads acts through it, later
  };
  /// An expression of what is on offer, of the element `name`, which sentences call `owner`.
  BoundSignal bind(const Signal& signal, const std::string& name, const std::string& owner, Gives gives = Gives::value);
  /// Forces that are expressions of each other, or of themselves.
  void refuse_algebraic_loops() const;
  /// Marks that samples are kept in, and the channels they come from; once all channels are known.
  void connect_samples();

  std::function<bool(const std::string& channel)> offer_late;  ///< offers what is made only when an expression asks for it
  std::function<std::vector<std::string>()> late;              ///< what there is of these
  std::function<void(int row)> on_read;                        ///< is told of rows that expressions read

 private:
  struct Readable {
    Signal::Input::Kind kind;
    std::vector<std::pair<int, double>> terms;
  };
  struct Sampled {
    std::string element;
    int mark = -1;  // nobody reads it
  };
  struct SampleUse {
    std::string element, owner;   // that reads, and as sentences call it
    std::string channel, source;  // what it reads, and the element whose it is
    Where where;
    bool at_once;
  };
  Layout& layout_;
  Numbers& numbers_;
  std::map<std::string, const char*> taken_;
  std::map<std::string, Readable> readable_;
  std::map<std::string, Sampled> sampled_;
  std::vector<SampleUse> sample_uses_;
};

}  // namespace bristle
