#pragma once
#include "bristle/integrate/integrator.h"
#include "bristle/integrate/stage_matrix.h"

namespace bristle {

/// The implicit trapezoidal rule, order two, fixed step: y1 = y0 + h/2 (F(y0) + F(y1)). A-stable, does not damp.
class Trapezoidal final : public Integrator {
 public:
  void visit(Visitor& v) {
    v("newton_tolerance", newton_tolerance_, unit::one, positive, "relative change at which Newton's iteration has converged");
  }
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;

 private:
  struct Rule;

  double newton_tolerance_ = 1e-10;
  StageMatrix matrix_;
  StageMatrix::Factors<double> factors_;
  std::vector<double> step_, residual_, power_;
};

}  // namespace bristle
