#pragma once
#include <functional>
#include <string>

#include "bristle/analyse/transient.h"

namespace bristle::app {

/// A line on stderr that is rewritten in place, and cleared at the end. Silent when stderr is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const Progress&);
  std::function<void(const Progress&)> callback();  ///< empty when silent

 private:
  std::string text(const Progress&) const;
  bool active_;
  bool shown_ = false;
  Progress first_;  // speed is measured from here: a resumed run does not begin at its start
};

}  // namespace bristle::app
