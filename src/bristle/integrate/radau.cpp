#include "bristle/integrate/radau.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/integrate/near_singular.h"
#include "bristle/math/decompositions.h"
#include "bristle/math/newton.h"

namespace bristle {

void Radau::prepare(const System& system) {
  // nodes of Radau IIA; A from the collocation conditions, so that every digit is right
  if (s_ == 2) {
    c_[0] = 1.0 / 3, c_[1] = 1;
  } else {
    c_[0] = (4 - std::sqrt(6.0)) / 10, c_[1] = (4 + std::sqrt(6.0)) / 10, c_[2] = 1;
  }
  Eigen::MatrixXd powers(s_, s_), integrals(s_, s_);
  for (int i = 0; i < s_; ++i) {
    for (int j = 0; j < s_; ++j) {
      powers(i, j) = std::pow(c_[i], j);
      integrals(i, j) = std::pow(c_[i], j + 1) / (j + 1);
    }
  }
  const Eigen::MatrixXd A = integrals * powers.inverse();
  const Eigen::MatrixXd inverse = A.inverse();
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(inverse);
  Eigen::MatrixXd T(s_, s_);
  int column = 0;
  for (int i = 0; i < s_; ++i) {
    if (std::abs(eigen.eigenvalues()[i].imag()) < 1e-8) {
      real_ = eigen.eigenvalues()[i].real();
      T.col(column++) = eigen.eigenvectors().col(i).real();
    }
  }
  for (int i = 0; i < s_; ++i) {
    if (eigen.eigenvalues()[i].imag() > 1e-8) {
      pair_ = eigen.eigenvalues()[i];
      T.col(column++) = eigen.eigenvectors().col(i).real();
      T.col(column++) = -eigen.eigenvectors().col(i).imag();
    }
  }
  const Eigen::MatrixXd TI = T.inverse();
  for (int i = 0; i < s_; ++i) {
    b_[i] = A(s_ - 1, i);
    for (int j = 0; j < s_; ++j) A_[i][j] = A(i, j), T_[i][j] = T(i, j), TI_[i][j] = TI(i, j);
  }

  n_ = system.layout().order_one();
  matrix_.prepare(system);
  if (s_ == 3) real_factors_.reserve(matrix_);
  pair_factors_.reserve(matrix_);
  for (int i = 0; i < s_; ++i) {
    for (auto* v : {&Z_[i], &F_[i], &W_[i], &residual_[i], &last_Z_[i]}) v->assign(u(n_), 0);
    power_[i].assign(system.layout().accounts.size(), 0);
  }
  multipliers_ = system.layout().sizes.lambda;
  constraints_ = system.layout().held_count();
  redundant_ = !system.layout().redundant.empty();
  reactive_ = !system.reactive().empty();
  bends_ = system.readings().watch_count() > 0;
  held_.prepare(system);
  complex_rows_.assign(u(multipliers_), 0);
  for (int i = 0; i < s_; ++i) {
    for (auto* v : {&L_[i], &last_L_[i], &R_[i], &rows_[i]}) v->assign(u(multipliers_), 0);
    for (auto* v : {&P_[i], &E_[i], &shift_[i]}) v->assign(u(constraints_), 0);
  }
  for (int i = 0; i < 2; ++i) {
    mu_[i].assign(u(constraints_), 0);
    missing_[i].assign(u(constraints_), 0);
    part_[i].assign(u(system.layout().free()), 0);
  }
  complex_.assign(u(n_), 0);
  real_rhs_.assign(u(n_), 0);
  error_.assign(u(n_), 0);
  const int full = s_ * n_;
  if (full <= 96) {
    full_rhs_.assign(u(full), 0);
    full_lu_.reserve(full);
  }
  probe_ = system.make_state();
  jacobian_at_ = probe_;
  restart();
}

void Radau::restart() {
  has_jacobian_ = has_factors_ = has_last_ = false;
  theta_ = 1;
  eta_ = 1;
  first_ = true;
  rejected_ = false;
}

bool Radau::factor(double h) {
  if (s_ == 3 && !real_factors_.factor(matrix_, real_ / h, level_)) return false;
  if (!pair_factors_.factor(matrix_, pair_ / h, level_)) return false;
  factored_h_ = h;
  has_factors_ = true;
  return true;
}

void Radau::guess(double h) {
  // the collocation polynomial of the last step, continued
  if (!has_last_) {
    for (int i = 0; i < s_; ++i) std::fill(Z_[i].begin(), Z_[i].end(), 0.0);
    return;
  }
  for (int i = 0; i < s_; ++i) {
    const double x = 1 + c_[i] * h / last_h_;
    double lagrange[3];
    for (int j = 0; j < s_; ++j) {  // nodes 0, c_1 .. c_s; the value at 0 is zero
      double l = x / c_[j];
      for (int k = 0; k < s_; ++k) {
        if (k != j) l *= (x - c_[k]) / (c_[j] - c_[k]);
      }
      lagrange[j] = l;
    }
    for (int m = 0; m < n_; ++m) {
      double sum = 0;
      for (int j = 0; j < s_; ++j) sum += lagrange[j] * last_Z_[j][u(m)];
      Z_[i][u(m)] = sum - last_Z_[s_ - 1][u(m)];
    }
  }
}

/// False: at some stage reactions and friction do not find each other.
bool Radau::evaluate_stages(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  for (int i = 0; i < s_; ++i) {
    c.system.motion().move(x0, 1, Z_[i].data(), x1);
    c.system.set_time(x1, x0.t + c_[i] * h);
    if (form_ == Form::index1) {
      c.kernel.held().complete(c.system, x1, c.work);
      c.kernel.evaluate(c.system, x1, c.work);
      if (!c.kernel.converged()) return false;
    } else {
      evaluate_held(c, x0, h, i, x1);
    }
    c.system.motion().chart_rate(Z_[i].data(), c.work.rate.data());
    F_[i] = c.work.rate;
    power_[i] = c.work.power;
    ++out.evaluations;
  }
  return true;
}

/// Of error_: velocities that follow from constraints on positions count h times. `rounds`: an error is not asked to be smaller than rounding; Newton's method
/// may go on.
double Radau::norm(const System& system, const Tolerances& tolerances, const State& x0, double h, int* worst, bool rounds) {
  if (level_ == StageMatrix::Level::position && constraints_ > 0) {
    const int n = system.layout().free();
    for (int m = n; m < 2 * n; ++m) error_[u(m)] *= std::min(h, 1.0);
  }
  return scaled_norm(system, tolerances, x0, x0, error_.data(), worst, rounds ? h : 0);
}

/// On what this step keeps the rows. Positions that are off by more than the velocities may be over a step so short would be made good by
/// absurd velocities: then it keeps velocities.
StageMatrix::Level Radau::level_of(StepContext& c, const State& x0, double h) const {
  using Level = StageMatrix::Level;
  if (form_ == Form::index1) return Level::acceleration;
  if (form_ != Form::index3 || constraints_ == 0) return Level::velocity;
  const Layout& layout = c.system.layout();
  c.system.look(x0, c.work);
  double off = 1e-15, speed = 0;
  for (const HeldRow& row : layout.held) off = std::max(off, std::abs(c.work.row_value[u(row.row)]));
  for (int i = 0; i < layout.free(); ++i) speed = std::max(speed, std::abs(x0.v()[layout.v_index(i)]));
  return off > h * (tolerances_.floor() + tolerances_.relative * speed) ? Level::velocity : Level::position;
}

bool Radau::renew(StepContext& c) {
  matrix_.refresh(c.system, jacobian_at_, c.work, feedback_);
  // next to a singular position stages are brought back onto the rows, and accelerations do not change off them
  if (form_ == Form::index1 && constraints_ > 0 && !c.kernel.held().near()) matrix_.follow_drift(c.system, jacobian_at_);
  if (form_ != Form::index1 && constraints_ > 0)
    matrix_.follow_rates(c.system, jacobian_at_);  // where they are kept on velocities
  if (form_ == Form::index1 || constraints_ == 0 || !(form_ == Form::ggl || redundant_)) return true;
  return held_.refresh(c.system, c.work);
}

/// The stages by the tangent at one state, in decoupled systems.
struct Radau::Stages {
  Radau& m;
  StepContext& c;
  const State& x0;
  double h;
  State& x1;
  Outcome& out;
  double tolerance = 1;
  Tolerances newton = m.tolerances_;
  // steps that must be taken have time: where rows turn with the bodies, the derivatives are not quite those of the stages
  bool patient = m.constraints_ > 0 && c.forced;
  int limit = !m.adaptive_ ? m.newton_limit_ : m.constraints_ == 0 ? 7 : patient ? 30 : 10;
  double eta = std::pow(std::max(m.eta_, 2.2e-16), 0.8);

  void begin();
  bool evaluate() {
    if (!m.evaluate_stages(c, x0, h, x1, out)) return false;
    ++out.newton;
    return true;
  }
  bool solve();
  double size();
  void take(double) {}  // the size is that of the stages: they have moved
  NewtonStep judge(const Contraction&);
};

void Radau::Stages::begin() {
  m.turning_ = 0;
  if (m.adaptive_) tolerance = std::max(10 * 2.2e-16 / m.tolerances_.relative, std::min(0.03, std::sqrt(m.tolerances_.relative)));
  else newton.relative = newton.absolute = m.newton_tolerance_;
  for (int i = 0; i < m.s_; ++i) {
    for (int k = 0; k < m.n_; ++k) {
      double sum = 0;
      for (int j = 0; j < m.s_; ++j) sum += m.TI_[i][j] * m.Z_[j][u(k)];
      m.W_[i][u(k)] = sum;
    }
  }
}

bool Radau::Stages::solve() {
  const int p = m.s_ == 3 ? 1 : 0;  // first of the complex pair
  for (int i = 0; i < m.s_; ++i) {
    for (int k = 0; k < m.n_; ++k) {
      double sum = 0;
      for (int j = 0; j < m.s_; ++j) sum += m.TI_[i][j] * m.F_[j][u(k)];
      m.residual_[i][u(k)] = sum;
    }
  }
  const double a = m.pair_.real() / h, b = m.pair_.imag() / h;
  std::vector<double>(&W)[3] = m.W_;
  if (m.s_ == 3) {
    for (int k = 0; k < m.n_; ++k) m.real_rhs_[u(k)] = m.residual_[0][u(k)] - m.real_ / h * W[0][u(k)];
  }
  for (int k = 0; k < m.n_; ++k) {
    m.complex_[u(k)] = {m.residual_[p][u(k)] - a * W[p][u(k)] + b * W[p + 1][u(k)],
                        m.residual_[p + 1][u(k)] - b * W[p][u(k)] - a * W[p + 1][u(k)]};
  }
  m.solve_stages(c.system, h);
  for (int k = 0; k < m.n_; ++k) {
    if (m.s_ == 3) W[0][u(k)] += m.real_rhs_[u(k)];
    W[p][u(k)] += m.complex_[u(k)].real();
    W[p + 1][u(k)] += m.complex_[u(k)].imag();
  }
  return true;
}

/// Moves the stages; their change in the norm of the error.
double Radau::Stages::size() {
  double sum_of_squares = 0;
  for (int i = 0; i < m.s_; ++i) {
    for (int k = 0; k < m.n_; ++k) {
      double sum = 0;
      for (int j = 0; j < m.s_; ++j) sum += m.T_[i][j] * m.W_[j][u(k)];
      m.error_[u(k)] = sum - m.Z_[i][u(k)];
      m.Z_[i][u(k)] = sum;
    }
    const double part = m.norm(c.system, newton, x0, h, &out.worst, false);
    sum_of_squares += part * part;
  }
  return std::sqrt(sum_of_squares / m.s_);
}

NewtonStep Radau::Stages::judge(const Contraction& contraction) {
  const int k = contraction.count();
  const double size = contraction.size();
  bool rounding = false;
  if (k > 1) {
    const double theta = contraction.rate();
    m.theta_ = k == 2 ? theta : std::sqrt(theta * m.theta_);
    // below the tolerance and no longer shrinking: the round-off of constraints
    rounding = m.constraints_ > 0 && k > 2 && size <= 1 && m.theta_ > 0.3;
    // The first change shows neither how far off the multipliers were nor what stiff members and rows that turn make of the change of
    // positions: velocities that follow at once, as large as it, in the second. What is found may be trusted by both together; whether an
    // iteration that keeps the rows itself will get there in time is told by its third change alone
    const bool early = rounding || (m.constraints_ > 0 && k == 2) || (patient && k < 6);
    const bool turns = m.constraints_ > 0 && m.form_ != Form::index1 && k == 3;
    const double going = turns ? theta : m.theta_;
    if (turns) m.turning_ = theta;
    if (going >= 0.99 && !early) return NewtonStep::diverges;
    if (m.theta_ < 0.99) eta = m.theta_ / (1 - m.theta_);
    else m.theta_ = eta = 1;
    if (going < 0.99) {
      const double remaining = std::pow(going, limit - k) * going / (1 - going) * size;
      if (m.adaptive_ && remaining > tolerance && !early && !patient) return NewtonStep::diverges;
    }
  }
  m.correction_ = size;
  // How fast the last step converged tells nothing about this one where rates have branches (a slider that reaches its limit, slides, or turns
  // back): within a branch they may be linear, one iteration exact, and the next step on another branch would be accepted with derivatives
  // that are not its own. Two iterations tell
  const bool known = k > 1 || !m.bends_;
  if (!((known && eta * size <= tolerance) || size == 0 || rounding)) return NewtonStep::on;
  m.eta_ = eta;
  if (k == 1) m.theta_ = std::min(m.theta_, 1e-3);
  return NewtonStep::found;
}

bool Radau::iterate(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  Stages stages{*this, c, x0, h, x1, out};
  stages.begin();
  Contraction contraction(stages.limit);
  return newton(stages, contraction, stages.limit) == NewtonEnd::found;
}

double Radau::estimate(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  const double r6 = std::sqrt(6.0);
  const double e[3] = {-(13 + 7 * r6) / (3 * h), (-13 + 7 * r6) / (3 * h), -1 / (3 * h)};
  for (int m = 0; m < n_; ++m) {
    residual_[0][u(m)] = e[0] * Z_[0][u(m)] + e[1] * Z_[1][u(m)] + e[2] * Z_[2][u(m)];
    error_[u(m)] = residual_[0][u(m)] + c.rate0[m];
  }
  const auto solve = [&] {
    std::fill(rows_[0].begin(), rows_[0].end(), 0.0);
    // positions go back to the rows: what the estimate has across them is no error of the velocities
    if (level_ == StageMatrix::Level::velocity) {
      for (int s = 0; s < constraints_; ++s) rows_[0][u(s)] = h / real_ * matrix_.rate_by(s, error_.data());
    }
    real_factors_.solve(matrix_, error_.data(), rows_[0].data());
    real_rhs_ = error_;
    return norm(c.system, tolerances_, x0, h, &out.worst, true);
  };
  double size = solve();
  if (size >= 1 && (first_ || rejected_)) {
    c.system.motion().move(x0, 1, real_rhs_.data(), x1);
    c.system.set_time(x1, x0.t);
    c.kernel.evaluate(c.system, x1, c.work);
    c.system.motion().chart_rate(real_rhs_.data(), c.work.rate.data());
    ++out.evaluations;
    for (int m = 0; m < n_; ++m) error_[u(m)] = residual_[0][u(m)] + c.work.rate[u(m)];
    size = solve();
  }
  return std::max(size, 1e-10);
}

/// Solves for the stages. False: no factors, or no convergence; `out` says which.
bool Radau::solve_step(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  bool converged = false;
  for (int attempt = 0; attempt < 2 && !converged; ++attempt) {
    const bool fresh = !has_jacobian_ || attempt > 0;
    if (fresh) {
      // derivatives at x0; which dry places rest is part of them
      c.kernel.evaluate(c.system, x0, c.work);
      ++out.evaluations;
      jacobian_at_ = x0;
      std::copy(c.work.lambda.begin(), c.work.lambda.end(), jacobian_at_.lambda());
      feedback_ = {c.kernel.enforcement().damping(h), c.kernel.enforcement().stiffness(h)};
      if (!renew(c)) {
        out = {.verdict = Outcome::Verdict::reject, .cause = Cause::singular_matrix, .next = 0.5 * h};
        return false;
      }
      has_jacobian_ = true;
      has_factors_ = false;
    }
    if ((!has_factors_ || factored_h_ != h) && !factor(h)) {
      out = {.verdict = Outcome::Verdict::reject, .cause = Cause::singular_matrix, .next = 0.5 * h};
      return false;
    }
    guess(h);
    if (form_ != Form::index1) guess_multipliers(h, x0);
    converged = iterate(c, x0, h, x1, out);
    if (!converged && fresh) break;
  }
  if (!converged && (!adaptive_ || c.forced)) {
    guess(h);
    converged = iterate_fully(c, x0, h, x1, out);
    if (!converged) {
      for (int i = 0; i < s_; ++i) std::fill(Z_[i].begin(), Z_[i].end(), 0.0);
      converged = iterate_fully(c, x0, h, x1, out);
    }
    has_jacobian_ = false;
  }
  if (converged) return true;
  has_jacobian_ = has_factors_ = false;
  eta_ = 1;
  theta_ = 1;
  rejected_ = true;
  out.verdict = Outcome::Verdict::reject;
  out.cause = Cause::newton;
  out.next = 0.5 * h;
  return false;
}

/// Judges the error of a step, and proposes the next one.
void Radau::control(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  out.error = estimate(c, x0, h, x1, out);
  const double safety = 0.9 * (2 * 7 + 1) / (2 * 7 + out.newton);
  double factor = safety * std::pow(out.error, -0.25);
  factor = std::clamp(factor, 0.125, 5.0);
  if (out.error >= 1 && !c.forced) {
    rejected_ = true;
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::error;
    out.next = first_ ? 0.1 * h : h * std::min(factor, 0.9);
    if (theta_ > 1e-3) has_jacobian_ = false;
    return;
  }
  if (!first_ && step_old_ > 0) {  // Gustafsson's predictive control
    const double predicted = h / step_old_ * std::pow(error_old_ / (out.error * out.error), 0.25) * 0.9;
    factor = std::min(factor, std::clamp(predicted, 0.125, 5.0));
  }
  step_old_ = h;
  error_old_ = std::max(out.error, 1e-2);
  if (rejected_) factor = std::min(factor, 1.0);
  // rows turn with the bodies, and the iteration contracts in proportion to the step: none so long that it would fail
  constexpr double kContraction = 0.25, kTurning = 0.2;
  if (constraints_ > 0 && form_ == Form::index1 && theta_ > kContraction)
    factor = std::min(factor, std::max(kContraction / theta_, 0.5));
  if (turning_ > 0) factor = std::min(factor, std::max(kTurning / turning_, 0.5));
  // keep the factors when little would be gained
  if (theta_ <= 1e-3 && factor >= 1 && factor <= 1.2) factor = 1;
  out.next = h * factor;
  first_ = false;
  rejected_ = false;
}

Outcome Radau::step(StepContext& c, const State& x0, double h, State& x1) {
  Outcome out;
  x1 = x0;
  const ToleranceInStep in_step(c, x0, tolerances_);
  const StageMatrix::Level level = level_of(c, x0, h);
  if (reload_) {
    reload_ = false;
    if (has_jacobian_) {
      c.kernel.evaluate(c.system, jacobian_at_, c.work);
      if (!renew(c)) has_jacobian_ = has_factors_ = false;
      if (has_factors_) factor(factored_h_);
    }
  }
  if (level != level_) has_factors_ = false;
  level_ = level;
  if (!solve_step(c, x0, h, x1, out)) return out;
  if (adaptive_) {
    control(c, x0, h, x1, out);
    if (out.verdict != Outcome::Verdict::ok) return out;
  }
  // the powers were taken before the last correction; where that was not small the ledger would see it
  if (correction_ > 1) evaluate_stages(c, x0, h, x1, out);
  c.system.motion().move(x0, 1, Z_[s_ - 1].data(), x1);
  c.system.set_time(x1, x0.t + h);
  if (form_ == Form::index2 && constraints_ > 0) {  // nothing else keeps the positions
    const double before = c.system.calc_energy(x1, c.work).total();
    c.kernel.held().bring_back(c.system, x1, c.work);
    c.ledger.add_numerical(before - c.system.calc_energy(x1, c.work).total());
  }
  for (int i = 0; i < s_; ++i) {
    c.ledger.add_power(power_[i].data(), h * b_[i]);
    std::swap(last_Z_[i], Z_[i]);
    std::swap(last_L_[i], L_[i]);
  }
  last_h_ = h;
  has_last_ = true;
  if (theta_ > 1e-3) has_jacobian_ = false;
  return out;
}

void Radau::interpolate(const StepContext& c, const State& x0, const State& x1, const double*, double x, State& out) const {
  double* step = c.work.step.data();
  double lagrange[3];
  for (int j = 0; j < s_; ++j) {
    double l = x / c_[j];
    for (int k = 0; k < s_; ++k) {
      if (k != j) l *= (x - c_[k]) / (c_[j] - c_[k]);
    }
    lagrange[j] = l;
  }
  for (int m = 0; m < n_; ++m) {
    double sum = 0;
    for (int j = 0; j < s_; ++j) sum += lagrange[j] * last_Z_[j][u(m)];
    step[m] = sum;
  }
  out = x0;
  c.system.motion().move(x0, 1, step, out);
  c.system.set_time(out, x0.t + x * (x1.t - x0.t));
}

void Radau::save(Archive& a) const {
  a.put(has_jacobian_), a.put(has_factors_), a.put(has_last_), a.put(first_), a.put(rejected_);
  a.put(factored_h_), a.put(theta_), a.put(last_h_), a.put(eta_), a.put(error_old_), a.put(step_old_);
  for (int i = 0; i < s_; ++i) a.put(last_Z_[i]), a.put(last_L_[i]);
  a.put(feedback_.damping), a.put(feedback_.stiffness), a.put(level_);
  a.put(jacobian_at_.t);
  a.put(std::vector<double>(jacobian_at_.numbers().begin(), jacobian_at_.numbers().end()));
}

void Radau::load(Archive& a) {
  a.get(has_jacobian_), a.get(has_factors_), a.get(has_last_), a.get(first_), a.get(rejected_);
  a.get(factored_h_), a.get(theta_), a.get(last_h_), a.get(eta_), a.get(error_old_), a.get(step_old_);
  for (int i = 0; i < s_; ++i) a.get(last_Z_[i]), a.get(last_L_[i]);
  a.get(feedback_.damping), a.get(feedback_.stiffness), a.get(level_);
  a.get(jacobian_at_.t);
  std::vector<double> numbers;
  a.get(numbers);
  std::copy(numbers.begin(), numbers.end(), jacobian_at_.numbers().begin());
  reload_ = true;
}

}  // namespace bristle
