#pragma once
#include "bristle/integrate/held_forces.h"
#include "bristle/integrate/integrator.h"
#include "bristle/integrate/stage_matrix.h"

namespace bristle {

/// Implicit one-step methods for second-order equations with constraints: generalized-alpha, HHT and Newmark in one. Attitudes move
/// by the exponential of an increment (M. Arnold, O. Brüls, A. Cardona, "Error analysis of generalized-α Lie group time integration methods
/// for constrained mechanical systems", doi:10.1007/s00211-014-0633-1):
///   q1 = q0 exp(h v0 + h^2 (1/2 - beta) a0 + h^2 beta a1),   v1 = v0 + h (1 - gamma) a0 + h gamma a1,
///   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v1' + alpha_f v0',   M v1' = f - D' lambda,
/// and either Phi(q1) = 0 (form index3) or both Phi(q1) = 0 and Phi'(q1, v1) = 0, positions being corrected along M^-1 D' (form ggl, after
/// Gear, Gupta and Leimkuhler). Memory of laws follows the rule of the velocities; places that rest are held on their slip.
/// The accelerations a belong to the time t + (alpha_m - alpha_f) h; they start there, so that the first steps have the order of the others.
/// Second order; numerical damping takes energy out at a rate that the parameters choose for high frequencies.
/// Cannot follow the threshold rule of rest. Without numerical damping the reactions of form index3 oscillate for ever.
class AlphaMethod : public Integrator {
 public:
  enum class Form { index3, ggl };

  MethodTraits traits() const override {
    MethodTraits t{.enforces = true};
    if (tolerances_.relative > 0) t.control_error(tolerances_, 2);
    return t;
  }
  double first_step(const StepContext&, const State& x0) const override;
  std::string needs_refused(const System&) const override;
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;
  void restart() override;
  void save(Archive&) const override;
  void load(Archive&) override;
  /// Relative changes of velocities and multipliers in the iterations of the last step.
  const std::vector<double>& changes() const { return changes_; }

 protected:
  AlphaMethod() { tolerances_.relative = 0; }
  void visit_common(Visitor& v);
  /// From the parameters: alpha_m, alpha_f, beta, gamma.
  virtual void choose() = 0;
  virtual bool damps() const = 0;  ///< is a force of infinite frequency damped?
  double alpha_m_ = 0, alpha_f_ = 0, beta_ = 0.25, gamma_ = 0.5;

 private:
  struct Rule;
  void take_turns(StepContext&, const State& x0, double h, Outcome&);
  void begin(StepContext&, const State& x0, double h, Outcome&);
  bool refresh(StepContext&, double h, const State& x, bool evaluated);
  bool solve_step(StepContext&, const State& x0, double h, State& x1, Outcome&);
  bool iterate(StepContext&, const State& x0, double h, State& x1, Outcome&);
  double keep_rates(StepContext&, const State& x0, double h, double enough);
  double estimate(StepContext&, const State& x0, double h, const State& x1, int* worst);
  void finish(StepContext&, const State& x0, double h, State& x1);
  /// Round-off in accelerations and multipliers that nothing damps goes on for ever: those at the states are better.
  bool keeps_rates() const { return damps() || rows_ == 0; }
  double plain_move(const Layout&, const State& x0, double h, int i) const;
  double taken_out(const System&, const State& x0, double h);

  Form form_ = Form::ggl;
  Tolerances tolerances_;  // relative 0: fixed step
  double newton_tolerance_ = 1e-10;
  bool keep_factors_ = true;
  bool on_positions() const { return form_ == Form::index3 || !keep_factors_; }  ///< Newton's matrix keeps the rows on positions

  int n_ = 0, m_ = 0, held_ = 0, rows_ = 0;  // free velocities, memory, constraints, multipliers
  bool redundant_ = false;
  HeldForces forces_;
  StageMatrix matrix_;
  StageMatrix::Factors<double> factors_;
  std::vector<double> step_, turn_, ahead_, beside_, drift_, left_, answer_, b_, a0_, a1_, rate1_, error_, violation_, mu_,
      shift_mu_, move_, power_, changes_;
  State probe_;
  Workspace there_;
  // what is learnt from step to step: of velocities and memory
  std::vector<double> a_, rate_, a_before_, rate_before_, lambda_, lambda_before_;
  std::vector<double> state_rate_before_;  // accelerations at the state before, see keeps_rates
  bool begun_ = false, has_before_ = false, first_ = true, rejected_ = false;
  double last_h_ = 0;
  // Newton
  State jacobian_at_;
  bool has_jacobian_ = false, renew_ = false, reload_ = false;
  double factored_h_ = 0, theta_ = 0.1;
};

/// Chung and Hulbert 1993: the spectral radius at infinite frequency is the parameter.
class GeneralizedAlpha final : public AlphaMethod {
 public:
  void visit(Visitor& v) {
    v("rho_infinity", rho_, unit::one, fraction,
      "what is left of infinitely fast oscillations after a step: 1 none damped, 0 all");
    visit_common(v);
  }

 private:
  void choose() override {
    alpha_m_ = (2 * rho_ - 1) / (rho_ + 1);
    alpha_f_ = rho_ / (rho_ + 1);
    gamma_ = 0.5 - alpha_m_ + alpha_f_;
    beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
  }
  bool damps() const override { return rho_ < 1; }
  double rho_ = 0.8;
};

/// Hilber, Hughes and Taylor 1977.
class Hht final : public AlphaMethod {
 public:
  void visit(Visitor& v) {
    v("alpha", alpha_, unit::one, Range{-1.0 / 3, 0, false, false}, "numerical damping: 0 none, -1/3 the most");
    visit_common(v);
  }

 private:
  void choose() override {
    alpha_m_ = 0;
    alpha_f_ = -alpha_;
    gamma_ = 0.5 - alpha_;
    beta_ = 0.25 * (1 - alpha_) * (1 - alpha_);
  }
  bool damps() const override { return alpha_ < 0; }
  double alpha_ = -0.05;
};

/// Newmark 1959. Second order only for gamma = 1/2, which damps nothing.
class Newmark final : public AlphaMethod {
 public:
  void visit(Visitor& v) {
    v("beta", beta_, unit::one, positive, "share of the new acceleration in the position");
    v("gamma", gamma_, unit::one, positive,
      "share of the new acceleration in the velocity; above 1/2 it damps, and the order is one");
    visit_common(v);
  }
  std::string problem() const {
    if (gamma_ < 0.5 || 2 * beta_ < gamma_)
      return "newmark is stable for gamma >= 1/2 and beta >= gamma/2 only. Use beta: 0.25 and gamma: 0.5, or more of both";
    return {};
  }

 private:
  void choose() override {}
  bool damps() const override { return gamma_ > 0.5; }
};

}  // namespace bristle
