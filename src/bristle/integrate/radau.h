#pragma once
#include <complex>
#include <string>

#include "bristle/integrate/held_forces.h"
#include "bristle/integrate/integrator.h"
#include "bristle/integrate/stage_matrix.h"

namespace bristle {

/// Radau IIA with two stages (order three) or three (order five): stiffly accurate collocation. Simplified Newton in the
/// coordinates in which the stages decouple into one real and one complex system, Jacobian and factors kept while they serve.
/// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.8.
/// Held rows are kept on accelerations (index1, with the enforcement of the run), or the stages solve for the multipliers too and keep
/// positions (index3), velocities (index2) or both (ggl: positions move along M^-1 D' besides); errors of index3 velocities count h times
/// (section VII.6). Orders of position and velocity at fixed steps: index1, index2, ggl 5 and 5, index3 5 and 3.
class Radau : public Integrator {
 public:
  enum class Form { index1, index2, index3, ggl };
  explicit Radau(int stages) : s_(stages) {}
  MethodTraits traits() const override {
    MethodTraits t{.enforces = form_ != Form::index1};
    if (adaptive_) t.control_error(tolerances_, 5);
    return t;
  }
  std::string needs_refused(const System& system) const override {
    if (form_ == Form::index3 || form_ == Form::ggl) {
      for (const HeldRow& h : system.layout().held) {
        if (!h.holonomic) return h.owner + " holds a rate, which this form cannot. Use form: index1 or index2";
      }
    }
    if (form_ != Form::index3 || system.dry().empty()) return {};
    return "place '" + system.dry()[0].name +
           "' comes to rest where its velocity vanishes, and form index3 has no accurate velocities. Use form: ggl or index2";
  }
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;
  void interpolate(const StepContext&, const State& x0, const State& x1, const double* rate1, double part, State&) const override;
  void restart() override;
  void save(Archive&) const override;
  void load(Archive&) override;

 protected:
  bool adaptive_ = false;
  Form form_ = Form::index1;
  Tolerances tolerances_;
  double newton_tolerance_ = 1e-10;
  int newton_limit_ = 10;

 private:
  struct Stages;
  struct Whole;
  bool factor(double h);
  bool solve_step(StepContext&, const State& x0, double h, State& x1, Outcome&);
  void control(StepContext&, const State& x0, double h, State& x1, Outcome&);
  bool iterate(StepContext&, const State& x0, double h, State& x1, Outcome&);
  bool iterate_fully(StepContext&, const State& x0, double h, State& x1, Outcome&);
  bool evaluate_stages(StepContext&, const State& x0, double h, State& x1, Outcome&);
  void evaluate_held(StepContext&, const State& x0, double h, int stage, State& x1);
  double decoupled(const std::vector<double>* x, int i, std::size_t m) const;
  void add_coupled(std::vector<double>* x, const std::vector<double>* change, std::size_t size) const;
  void solve_stages(const System&, double h);
  void correct_positions(const System&, double h, bool ahead);
  double norm(const System&, const Tolerances&, const State& x0, double h, int* worst, bool rounds);
  bool renew(StepContext&);
  StageMatrix::Level level_of(StepContext&, const State& x0, double h) const;
  double estimate(StepContext&, const State& x0, double h, State& x1, Outcome&);
  void guess(double h);
  void guess_multipliers(double h, const State& x0);

  int s_, n_ = 0;
  // method: nodes, weights, A, and the transformation to decoupled stages
  double c_[3] = {}, b_[3] = {}, A_[3][3] = {}, T_[3][3] = {}, TI_[3][3] = {};
  double real_ = 0;
  std::complex<double> pair_;
  // Newton
  StageMatrix matrix_;
  StageMatrix::Factors<double> real_factors_;
  StageMatrix::Factors<std::complex<double>> pair_factors_;
  std::vector<double> Z_[3], F_[3], W_[3], power_[3], residual_[3];
  std::vector<std::complex<double>> complex_, complex_rows_;
  // held rows in the stages: multipliers, changes of the rows that are missing, violations and multipliers of ggl
  HeldForces held_;
  bool redundant_ = false, reactive_ = false;
  bool bends_ = false;  // the rates of some memories change their course inside a step
  int multipliers_ = 0, constraints_ = 0;
  std::vector<double> L_[3], last_L_[3], R_[3], P_[3], E_[3], rows_[3], shift_[3], mu_[2], missing_[2], part_[2];
  std::vector<double> real_rhs_, error_;
  double correction_ = 0;  // last correction of the stages, in units of the tolerance
  std::vector<double> full_rhs_;
  DenseLu<double> full_lu_;
  State probe_;
  // what is learnt from step to step
  State jacobian_at_;
  StageMatrix::Feedback feedback_;
  StageMatrix::Level level_ = StageMatrix::Level::acceleration;  // of the factors
  bool reload_ = false;  // after a resume: form the factors in use again, where they were formed
  bool has_jacobian_ = false, has_factors_ = false, has_last_ = false;
  double factored_h_ = 0, theta_ = 1, last_h_ = 0, eta_ = 1;
  double turning_ =
      0;  // where the stages keep the rows: the third change of the last iteration over the second; 0: there were fewer
  std::vector<double> last_Z_[3];
  double error_old_ = 0, step_old_ = 0;
  bool first_ = true, rejected_ = false;
};

/// Order three, fixed step.
class Radau3 final : public Radau {
 public:
  Radau3() : Radau(2) { newton_limit_ = 20; }
  void visit(Visitor& v) {
    v("newton_tolerance", newton_tolerance_, unit::one, positive, "relative change at which Newton's iteration has converged");
  }
};

/// Order five, error control.
class Radau5 final : public Radau {
 public:
  Radau5() : Radau(3) { adaptive_ = true; }
  void visit(Visitor& v) {
    tolerances_.visit(v);
    v.choice_of("form", form_, {"index1", "index2", "index3", "ggl"},
                "what the stages keep of joints: accelerations (and the enforcement the rest), velocities, positions, or both");
  }
  double first_step(const StepContext& c, const State& x0) const override {
    const double d = scaled_norm(c.system, tolerances_, x0, x0, c.rate0);
    return d > 1e-10 ? 0.01 / d : 1e-6;
  }
};

}  // namespace bristle
