#pragma once
#include "bristle/integrate/integrator.h"

namespace bristle {

/// The explicit midpoint rule, order two, fixed step.
class Midpoint final : public Integrator {
 public:
  void visit(Visitor&) {}
  MethodTraits traits() const override { return {.takes_jumps = true}; }
  void prepare(const System&) override {}
  Outcome step(StepContext& c, const State& x0, double h, State& x1) override {
    x1 = x0;
    c.system.motion().move(x0, 0.5 * h, c.rate0, x1);  // the rate at x0 is handed over
    c.system.set_time(x1, x0.t + 0.5 * h);
    c.kernel.evaluate(c.system, x1, c.work);  // rate and power at the midpoint
    c.ledger.add_power(c.work.power.data(), h);
    c.system.motion().move(x0, h, c.work.rate.data(), x1);
    c.system.set_time(x1, x0.t + h);
    return {.evaluations = 1};
  }
};

}  // namespace bristle
