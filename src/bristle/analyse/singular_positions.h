#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/run.h"
#include "bristle/record/sink.h"

namespace bristle {

/// Tells when held rows come near depending on each other: an event of the joint whose row follows from the others there.
class SingularPositions {
 public:
  /// Its elements come behind the places.
  SingularPositions(const Layout& layout, RunHeader& header);
  void begin(Run& run) { near_ = run.kernel().held().near(); }
  void after_step(Run& run, Sink& sink);

 private:
  std::vector<int> element_;  // per held row
  int kind_ = 0;
  bool near_ = false;
};

}  // namespace bristle
