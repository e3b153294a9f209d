#pragma once
#include <algorithm>
#include <cmath>

#include "bristle/integrate/integrator.h"

namespace bristle {

/// Next to a position in which held rows depend on each other, round-off shows in every velocity, also in one that stays at zero: errors are held
/// against the largest speed there.
inline Tolerances tolerances_at(const StepContext& c, const State& x0, Tolerances wanted) {
  if (!c.kernel.held().near()) return wanted;
  const Layout& layout = c.system.layout();
  double fastest = 0;
  for (int i = 0; i < layout.free(); ++i) fastest = std::max(fastest, std::abs(x0.v()[layout.v_index(i)]));
  wanted.absolute = std::max(wanted.floor(), wanted.relative * fastest);
  return wanted;
}

/// The tolerances of a method, changed for one step.
class ToleranceInStep {
 public:
  ToleranceInStep(const StepContext& c, const State& x0, Tolerances& of) : of_(of), kept_(of) { of_ = tolerances_at(c, x0, of); }
  ~ToleranceInStep() { of_ = kept_; }
  ToleranceInStep(const ToleranceInStep&) = delete;
  ToleranceInStep& operator=(const ToleranceInStep&) = delete;

 private:
  Tolerances& of_;
  Tolerances kept_;
};

}  // namespace bristle
