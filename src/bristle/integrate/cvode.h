#pragma once
#include "bristle/integrate/integrator.h"

namespace bristle {

#ifdef BRISTLE_HAVE_SUNDIALS
/// SUNDIALS CVODE as a back end: backward differentiation formulas of variable order and step, Newton with our Jacobian. Its
/// history cannot be saved, so a resumed run starts it anew and equals the unbroken one within the tolerances only.
/// Attitudes are increments from a reference that moves on when a body has turned by more than a radian and a half; held rows are kept on
/// accelerations, and where the enforcement corrects positions and velocities CVODE's own projection does so inside its steps.
class Cvode final : public Integrator {
 public:
  Cvode();
  ~Cvode() override;
  void visit(Visitor& v) { tolerances_.visit(v); }
  MethodTraits traits() const override {
    MethodTraits t{.starts_by_kernel = true};
    t.control_error(tolerances_, 3);
    return t;
  }
  double first_step(const StepContext&, const State&) const override { return 1e300; }
  std::string needs_refused(const System& system) const override {
    return system.layout().order_one() > 0 ? "" : "all of its motion is given, nothing is left to solve for. Use rk4";
  }
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;
  void restart() override;

 private:
  struct Impl;
  Tolerances tolerances_;
  std::unique_ptr<Impl> impl_;
};
#endif

}  // namespace bristle
