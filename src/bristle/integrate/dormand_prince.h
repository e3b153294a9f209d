#pragma once
#include <array>

#include "bristle/integrate/integrator.h"

namespace bristle {

/// Dormand and Prince's explicit pair of order 5(4): error control, first stage shared with the last, dense output of order four.
class DormandPrince final : public Integrator {
 public:
  void visit(Visitor& v) { tolerances_.visit(v); }
  MethodTraits traits() const override {
    MethodTraits t{.is_explicit = true, .starts_by_kernel = true, .takes_groups = true};
    t.control_error(tolerances_, 5);
    return t;
  }
  double first_step(const StepContext&, const State& x0) const override;
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;
  void interpolate(const StepContext&, const State& x0, const State& x1, const double* rate1, double part, State&) const override;
  void restart() override { previous_error_ = 1; }
  void save(Archive& a) const override { a.put(previous_error_); }
  void load(Archive& a) override { a.get(previous_error_); }

 private:
  Tolerances tolerances_;
  double previous_error_ = 1;
  std::array<std::vector<double>, 7> k_;
  std::vector<double> mix_, error_;
  mutable State probe_;
  mutable std::vector<double> step_;
};

}  // namespace bristle
