#pragma once
#include <algorithm>

#include "bristle/integrate/controller.h"

namespace bristle {

/// No place slips farther than `path` in a step: for profiles and memories that change along the way.
class PathStep final : public StepController {
 public:
  double path = kRequired;
  void visit(Visitor& v) { v("path", path, unit::metre, positive, "farthest way of a place in a step"); }
  const char* reason() const override { return "path"; }
  double propose(const StepView& view) override {
    double h = kInfinity;  // no opinion
    for (const double speed : view.speed) {
      if (speed > 0) h = std::min(h, path / speed);
    }
    return h;
  }
};

}  // namespace bristle
