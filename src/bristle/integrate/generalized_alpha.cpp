#include "bristle/integrate/generalized_alpha.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {
constexpr double kRounding = 2.3e-16;
constexpr double kSettledReactions = 1e-6;  // change of the multipliers in the last iteration
}  // namespace

void AlphaMethod::visit_common(Visitor& v) {
  v.choice_of("form", form_, {"index3", "ggl"}, "index3: joints are kept on positions; ggl: on positions and velocities");
  v("tolerance", tolerances_.relative, unit::one, non_negative, "relative error per step; 0: a fixed step");
  v("absolute_tolerance", tolerances_.absolute, unit::one, non_negative,
    "error below which values do not matter, in SI; 0: tolerance/1000");
  v("newton_tolerance", newton_tolerance_, unit::one, positive, "relative change at which Newton's iteration has converged");
  v.flag("keep_factors", keep_factors_,
         "iterate with the tangent of earlier steps while that converges; false: a new one every time");
}

std::string AlphaMethod::needs_refused(const System& system) const {
  for (const HeldRow& h : system.layout().held) {
    if (!h.holonomic)
      return h.owner + " holds a rate, and this method holds positions. Use dormand_prince, radau5 or another one";
  }
  // the first short step after a switch leaves an error of velocity, which counts 1/h in the reactions and so in the friction
  if (system.layout().held_count() > 0 && form_ == Form::index3 && tolerances_.relative > 0 && !system.dry().empty())
    return "place '" + system.dry()[0].name +
           "' sticks and slips at times that step control finds by short steps, where the reactions of form index3 are not accurate. "
           "Use form: ggl, or a fixed step";
  if (system.layout().held_count() > 0 && form_ == Form::index3 && !damps())
    return "without numerical damping the reactions of joints oscillate for ever in form index3. Use form: ggl, or a method that damps";
  return {};
}

double AlphaMethod::first_step(const StepContext& c, const State& x0) const {
  const double d = tolerances_.relative * scaled_norm(c.system, tolerances_, x0, x0, c.rate0);
  return d > 1e-10 ? 0.2 * std::cbrt(tolerances_.relative) / d : 1e-6;
}

void AlphaMethod::prepare(const System& system) {
  choose();
  const Layout& layout = system.layout();
  n_ = layout.free();
  m_ = layout.sizes.z;
  held_ = system.layout().held_count();
  rows_ = layout.sizes.lambda;
  redundant_ = !layout.redundant.empty();
  forces_.prepare(system);
  matrix_.prepare(system, true);
  factors_.reserve(matrix_);
  step_.assign(u(2 * n_ + m_), 0);
  error_ = ahead_ = step_;
  turn_.assign(u(n_), 0);
  state_rate_before_ = turn_;
  b_.assign(u(n_ + m_ + rows_), 0);
  beside_ = left_ = answer_ = b_;
  drift_.assign(u(n_), 0);
  there_ = system.make_workspace();
  for (auto* part : {&a0_, &a1_, &rate1_, &a_, &rate_, &a_before_, &rate_before_}) part->assign(u(n_ + m_), 0);
  for (auto* part : {&lambda_, &lambda_before_, &violation_, &mu_, &shift_mu_}) part->assign(u(rows_), 0);
  power_.assign(layout.accounts.size(), 0);
  move_.assign(u(n_), 0);
  changes_.reserve(80);
  probe_ = system.make_state();
  jacobian_at_ = probe_;
  restart();
}

void AlphaMethod::restart() {
  begun_ = has_before_ = has_jacobian_ = renew_ = false;
  first_ = true;
  rejected_ = false;
  theta_ = 0.1;
}

/// Accelerations at the start belong to t + (alpha_m - alpha_f) h. Where they change so fast that this says nothing, they are those of t.
void AlphaMethod::begin(StepContext& c, const State& x0, double h, Outcome& out) {
  std::copy_n(c.rate0 + n_, n_ + m_, rate_.begin());
  a_ = rate_;
  begun_ = true;
  has_before_ = false;
  last_h_ = h;
  std::copy_n(x0.lambda(), rows_, lambda_.begin());
  const double shift = (alpha_m_ - alpha_f_) * h;
  if (shift == 0) return;
  const double ahead = std::abs(shift);
  probe_ = x0;
  c.system.motion().move(x0, ahead, c.rate0, probe_);
  c.system.set_time(probe_, x0.t + ahead);
  c.kernel.evaluate(c.system, probe_, c.work);
  ++out.evaluations;
  if (!c.kernel.converged()) return;
  const auto correct = [&](int from, int to) {
    double size = 0, change = 0;
    for (int i = from; i < to; ++i) {
      size = std::max(size, std::abs(rate_[u(i)]));
      change = std::max(change, std::abs(c.work.rate[u(n_ + i)] - rate_[u(i)]));
    }
    if (!(change < 0.5 * size)) return;
    for (int i = from; i < to; ++i) a_[u(i)] += (shift < 0 ? -1 : 1) * (c.work.rate[u(n_ + i)] - rate_[u(i)]);
  };
  correct(0, n_);
  correct(n_, n_ + m_);
}

bool AlphaMethod::refresh(StepContext& c, double h, const State& x, bool evaluated) {
  if (!evaluated) forces_.evaluate(c.system, probe_ = x, c.work);
  jacobian_at_ = x;
  if (form_ == Form::ggl && on_positions() && evaluated && c.system.reactive().empty()) {
    // how the departure from the formula of positions turns with the rows: its inertia counts as reactions
    const double inertia = (1 - alpha_m_) / ((1 - alpha_f_) * h * h * beta_);
    for (int s = 0; s < held_; ++s) jacobian_at_.lambda()[s] += inertia * shift_mu_[u(s)];
  }
  power_ = c.work.power;  // the derivatives leave forces and power without what is held
  matrix_.refresh(c.system, jacobian_at_, c.work);
  matrix_.turn(turn_.data(), on_positions());
  c.work.power = power_;
  if (held_ > 0 && (form_ == Form::ggl || redundant_)) {
    if (!forces_.refresh(c.system, c.work)) return false;
  }
  const double g = (1 - alpha_m_) / ((1 - alpha_f_) * h * gamma_);
  has_jacobian_ = factors_.factor(matrix_, StageMatrix::Weights<double>{g, 1, h * beta_ / gamma_, 1});
  factored_h_ = h;
  return has_jacobian_;
}

/// Displacement by the formula, without what brings it back onto the joints.
double AlphaMethod::plain_move(const Layout& layout, const State& x0, double h, int i) const {
  return h * (x0.v()[layout.v_index(i)] + h * ((0.5 - beta_) * a0_[u(i)] + beta_ * a1_[u(i)]));
}

/// Form ggl: positions follow their formula and leave it along M^-1 D' mu. The balance has been solved with positions on the held rows (b_:
/// their changes, in units of velocities; changes of memory; changes of nu = lambda + g/per_speed mu, in which the inertia of the departure
/// is contained). Now velocities change so that the rates of the rows vanish where the positions will be: `move_`, in units of positions.
/// What forces other than inertia do about the departure is solved for as well. Needs the tangent of this iteration. Returns the largest
/// change of the departure.
double AlphaMethod::keep_rates(StepContext& c, const State& x0, double h, double enough) {
  const System& system = c.system;
  const Layout& layout = system.layout();
  const double per_speed = h * beta_ / gamma_, g = (1 - alpha_m_) / ((1 - alpha_f_) * h * gamma_);
  double *b = b_.data(), *rows = b + n_ + m_;
  std::fill(beside_.begin(), beside_.end(), 0.0);
  std::fill(drift_.begin(), drift_.end(), 0.0);
  constexpr int kPasses = 3;
  double shift = 0;
  for (int pass = 1;; ++pass) {
    std::copy(step_.begin(), step_.end(), ahead_.begin());
    for (int i = 0; i < n_; ++i) ahead_[u(i)] += per_speed * b[i];
    system.motion().move(x0, 1, ahead_.data(), probe_);
    system.set_time(probe_, x0.t + h);
    system.look(probe_, there_);
    // along the rows as they will be, whatever the way of the iteration: a sum of shifts along other rows would move the mechanism
    forces_.displace(system, there_, shift_mu_.data(), left_.data());
    for (int i = 0; i < n_; ++i) move_[u(i)] = ahead_[u(i)] - plain_move(layout, x0, h, i) - left_[u(i)];
    for (int s = 0; s < held_; ++s) violation_[u(s)] = per_speed * there_.row_rate[u(layout.held[u(s)].row)];
    std::copy_n(move_.begin(), n_, ahead_.begin());
    shift = forces_.correct(system, violation_.data(), move_.data(), mu_.data());
    if (pass == kPasses) break;
    const auto change = [](double& value, double to) { return to - std::exchange(value, to); };
    double most = 0;
    std::fill(left_.begin(), left_.end(), 0.0);
    std::fill(answer_.begin(), answer_.end(), 0.0);
    for (int i = 0; i < n_; ++i) left_[u(i)] = -g * change(drift_[u(i)], ahead_[u(i)] / per_speed - b[i]);
    forces_.take_inertia(left_.data(), answer_.data());
    for (int i = 0; i < n_; ++i) {
      left_[u(i)] = change(beside_[u(i)], move_[u(i)] / per_speed - b[i]);
      most = std::max(most, std::abs(left_[u(i)]));
    }
    for (int s = 0; s < held_; ++s) left_[u(n_ + m_ + s)] = change(beside_[u(n_ + m_ + s)], g / per_speed * mu_[u(s)]);
    if (!(most > enough)) break;
    matrix_.subtract_beside(g, left_.data(), answer_.data());
    for (int s = 0; s < held_ && redundant_; ++s) {
      if (!matrix_.resting(s)) answer_[u(n_ + m_ + s)] = 0;
    }
    factors_.solve_plain(matrix_, answer_.data());
    for (std::size_t i = 0; i < answer_.size(); ++i) b[i] += answer_[i];
  }
  forces_.displace(system, there_, mu_.data(), left_.data());
  for (int i = 0; i < n_; ++i) move_[u(i)] = ahead_[u(i)] + left_[u(i)];
  for (int s = 0; s < held_; ++s) rows[s] += g / per_speed * mu_[u(s)];
  return shift;
}

/// The equations of a step; its unknowns are the change of the velocities, the multipliers and what follows from them.
struct AlphaMethod::Rule {
  AlphaMethod& m;
  StepContext& c;
  const State& x0;
  double h;
  State& x1;
  Outcome& out;
  const System& system = c.system;
  const Layout& layout = system.layout();
  Workspace& w = c.work;
  double per_speed = h * m.beta_ / m.gamma_, speed = 1 / (h * m.gamma_), g = (1 - m.alpha_m_) / ((1 - m.alpha_f_) * h * m.gamma_);
  double *dq = m.step_.data(), *dv = dq + m.n_, *b = m.b_.data(), *rows = b + m.n_ + m.m_;  // memory follows the velocities
  bool ggl = m.form_ == Form::ggl && m.held_ > 0, departs = ggl && m.on_positions();
  // scales: one speed and one length for all
  double v_scale = 1e-30, q_scale = 0, v_noise = 0, v_tolerance = 0, z_tolerance = 0;
  int pass = 0, since = 0;  // iterations; of them with these factors
  bool renewed = false, fresh = false;
  double noise = 0, shift = 0;  // largest change of a velocity; of a position beside it
  double reactions = 0;         // change of the multipliers, as a share of the largest

  void find_scales();
  bool evaluate();
  bool solve();
  double size();
  void take(double part);
  NewtonStep judge(Contraction&);
};

void AlphaMethod::Rule::find_scales() {
  double a_scale = 1e-30, z_scale = 1;
  q_scale = layout.frames.empty() ? 0 : 1;
  for (int i = 0; i < m.n_; ++i) {
    const double v = x0.v()[layout.v_index(i)];
    a_scale = std::max({a_scale, std::abs(m.a0_[u(i)]), std::abs(m.rate_[u(i)])});
    v_scale = std::max({v_scale, std::abs(v), std::abs(v + dv[i]), h * std::abs(m.a0_[u(i)])});
  }
  for (int i = 0; i < layout.scalars; ++i) q_scale = std::max(q_scale, std::abs(x0.q()[i]));
  q_scale = std::max(q_scale, h * v_scale);  // all may start at zero
  for (int i = 0; i < m.m_; ++i) z_scale = std::max(z_scale, std::abs(x0.z()[i]));
  v_noise = 8 * kRounding * q_scale / per_speed;
  // what is left of a change of velocity is an acceleration h times as large
  const double v_enough = m.newton_tolerance_ * std::min(v_scale, 1e4 * h * a_scale);
  v_tolerance = 1 / std::max(v_enough, v_noise);
  z_tolerance = 1 / (m.newton_tolerance_ * z_scale);
}

/// Forces that are missing, rates of memory, rows.
bool AlphaMethod::Rule::evaluate() {
  system.motion().move(x0, 1, m.step_.data(), x1);
  system.set_time(x1, x0.t + h);
  m.forces_.evaluate(system, x1, w);
  ++out.evaluations;
  ++out.newton;
  ++pass;
  for (int i = 0; i < layout.scalars; ++i) b[i] = w.f[u(i)];
  for (int i = layout.scalars; i < m.n_; ++i) b[i] = w.f[u(layout.v_index(i))];
  m.forces_.take_inertia(m.rate1_.data(), b);
  const double* zdot = w.rate.data() + 2 * m.n_;
  for (int i = 0; i < m.m_; ++i) b[m.n_ + i] = zdot[i] - m.rate1_[u(m.n_ + i)];
  for (int s = 0; s < m.held_; ++s) {
    const auto r = u(layout.held[u(s)].row);
    rows[s] = m.on_positions() ? -w.row_value[r] / per_speed : -w.row_rate[r];
  }
  for (int s = m.held_; s < m.rows_; ++s) rows[s] = m.forces_.rests(s) ? -m.forces_.slip(system, w, s) : 0;
  return true;
}

bool AlphaMethod::Rule::solve() {
  renewed = !m.has_jacobian_ || m.renew_ || m.factored_h_ != h || !m.keep_factors_;
  if (renewed) {
    m.renew_ = false;
    std::copy_n(m.step_.begin(), m.n_, m.turn_.begin());
    if (!m.refresh(c, h, x1, true)) return false;
    fresh = true;
    since = 0;
  }
  ++since;
  for (int s = 0; s < m.held_ && m.redundant_; ++s) {
    if (!m.matrix_.resting(s)) rows[s] = 0;  // it follows from the others
  }
  m.factors_.solve_plain(m.matrix_, b);
  for (int s = m.held_; s < m.rows_; ++s) {
    if (m.forces_.rests(s)) m.matrix_.settle(s, -m.forces_.slip(system, w, s), b);
  }
  if (m.redundant_ && m.held_ > 0 && !system.reactive().empty()) m.forces_.least(system, rows);
  shift = departs ? m.keep_rates(c, x0, h, 1e-3 / v_tolerance) : 0;
  return true;
}

/// The change in units of the tolerance.
double AlphaMethod::Rule::size() {
  noise = 0;
  for (int i = 0; i < m.n_; ++i) {
    const double change = departs ? std::max(std::abs(b[i]), std::abs(m.move_[u(i)] / per_speed)) : std::abs(b[i]);
    if (!(change <= noise)) noise = change, out.worst = m.n_ + i;
  }
  double size = noise * v_tolerance;
  double reaction = 1e-30, step_of_it = 0;
  for (int s = 0; s < m.rows_; ++s) {
    reaction = std::max(reaction, std::abs(x1.lambda()[s]));
    step_of_it = std::max(step_of_it, std::abs(rows[s]));
  }
  reactions = step_of_it / std::max(reaction, step_of_it);
  m.changes_.push_back(std::max(noise / v_scale, reactions));
  for (int i = 0; i < m.m_; ++i) {
    const double part = std::abs(b[m.n_ + i]) * z_tolerance;
    if (!(part <= size)) size = part, out.worst = 2 * m.n_ + i;
  }
  if (!std::isfinite(size)) {
    // an undefined force spreads over all unknowns: leave a trace of where it acts
    for (int i = 0; i < m.n_; ++i) w.rate[u(m.n_ + i)] = w.f[u(layout.v_index(i))];
  }
  return size;
}

void AlphaMethod::Rule::take(double part) {
  for (int i = 0; i < m.n_ + m.m_; ++i) {
    const double d = part * (departs && i < m.n_ ? m.move_[u(i)] / per_speed : b[i]);
    dv[i] += d;
    m.a1_[u(i)] += speed * d;
    m.rate1_[u(i)] += g * d;
  }
  for (int s = 0; s < m.rows_; ++s) x1.lambda()[s] += part * rows[s];
  if (departs) {
    for (int s = 0; s < m.held_; ++s) m.shift_mu_[u(s)] -= part * m.mu_[u(s)];
    for (int i = 0; i < m.n_; ++i) dq[i] += part * per_speed * b[i];
  } else if (ggl) {
    // positions alone: what the new velocities leave of the violation. Along the rows as they are known now, whatever the way of the
    // iteration: a sum of shifts along other rows would move the mechanism
    for (int s = 0; s < m.held_; ++s) m.violation_[u(s)] = w.row_value[u(layout.held[u(s)].row)];
    if (pass > 1 && renewed) {
      m.forces_.displace(system, w, m.shift_mu_.data(), m.move_.data());
      for (int i = 0; i < m.n_; ++i) m.move_[u(i)] += m.plain_move(layout, x0, h, i) - dq[i];
    } else {
      for (int i = 0; i < m.n_; ++i) m.move_[u(i)] = part * per_speed * b[i];
    }
    shift = m.forces_.correct(system, m.violation_.data(), m.move_.data(), m.mu_.data());
    for (int s = 0; s < m.held_; ++s) m.shift_mu_[u(s)] += m.mu_[u(s)];
    for (int i = 0; i < m.n_; ++i) dq[i] += m.move_[u(i)];
  } else {
    for (int i = 0; i < m.n_; ++i) dq[i] = m.plain_move(layout, x0, h, i);
  }
}
NewtonStep AlphaMethod::Rule::judge(Contraction& contraction) {
  const double rounding_of_positions = 8 * kRounding * q_scale;
  if (ggl) contraction.widen(shift / std::max(m.newton_tolerance_ * q_scale, rounding_of_positions));
  const double theta = contraction.rate(m.theta_), size = contraction.size();
  const double left = contraction.count() > 1 && theta < 0.9 ? theta / (1 - theta) * size : size;
  const bool rounding = contraction.stalls() && noise <= 30 * v_noise && shift <= 1e3 * kRounding * q_scale && m.m_ == 0;
  // what is held at rest does not move while its reactions change: the work that they do is that of the last evaluation
  const bool works = contraction.count() > 2 || reactions <= kSettledReactions;
  if (works && (size == 0 || left <= 1 || rounding)) {
    if (contraction.count() > 1) m.theta_ = std::clamp(theta, 1e-4, 0.5);
    m.renew_ = since > 2 && !fresh && theta > 0.05;
    if (m.redundant_ && m.held_ > 0 && (!system.reactive().empty() || m.forces_.refresh(system, w)))
      m.forces_.least(system, x1.lambda());
    return NewtonStep::found;
  }
  // factors that no longer serve
  if (since > 1 && theta > (since > 4 ? 0.02 : 0.2) && !rounding) m.renew_ = true;
  return NewtonStep::on;
}

bool AlphaMethod::iterate(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  constexpr int kPatience = 12, kLimit = 40;
  Rule rule{*this, c, x0, h, x1, out};
  rule.find_scales();
  std::fill(shift_mu_.begin(), shift_mu_.end(), 0.0);
  Contraction contraction(kPatience);
  return newton(rule, contraction, kLimit) == NewtonEnd::found;
}

double AlphaMethod::estimate(StepContext& c, const State& x0, double h, const State& x1, int* worst) {
  // positions by the change of the acceleration, which is twice what the velocity gains beyond the acceleration at the start; the rest by the difference to an explicit rule of the same order (Milne)
  const double constant = beta_ - 0.5 * gamma_ + 1.0 / 12;
  const double r = has_before_ ? h / last_h_ : 0;
  const double share = 12 * constant / (has_before_ ? 3 + 3 / r : 6);
  for (int i = 0; i < n_ + m_; ++i) {
    const bool clean = i < n_ && !keeps_rates();
    const double now = clean ? c.rate0[n_ + i] : rate_[u(i)];
    const double before = !has_before_ ? 0 : clean ? state_rate_before_[u(i)] : rate_before_[u(i)];
    if (i < n_) error_[u(i)] = constant * h * (clean ? 2 * (step_[u(n_ + i)] - h * now) : h * (a1_[u(i)] - a0_[u(i)]));
    const double explicit_step = h * ((1 + 0.5 * r) * now - 0.5 * r * before);
    error_[u(n_ + i)] = share * (step_[u(n_ + i)] - explicit_step);
  }
  return std::max(scaled_norm(c.system, tolerances_, x0, x1, error_.data(), worst), 1e-10);
}

/// From accelerations that go on as they did, and where that fails from those of the last step.
bool AlphaMethod::solve_step(StepContext& c, const State& x0, double h, State& x1, Outcome& out) {
  const double ratio = h / last_h_;
  const bool known = has_jacobian_;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const bool extrapolate = attempt == 0 && has_before_;
    if (attempt > 0) {
      if (!known && !extrapolate && !has_before_) break;
      has_jacobian_ = false;
    }
    for (int i = 0; i < n_ + m_; ++i) {
      const double a1 = extrapolate && i < n_ ? a_[u(i)] + ratio * (a_[u(i)] - a_before_[u(i)]) : a0_[u(i)];
      a1_[u(i)] = a1;
      step_[u(n_ + i)] = h * ((1 - gamma_) * a0_[u(i)] + gamma_ * a1);
      rate1_[u(i)] = ((1 - alpha_m_) * a1 + alpha_m_ * a0_[u(i)] - alpha_f_ * rate_[u(i)]) / (1 - alpha_f_);
    }
    const Layout& layout = c.system.layout();
    for (int i = 0; i < n_; ++i) {
      step_[u(i)] = plain_move(layout, x0, h, i);
    }
    for (int s = 0; s < rows_; ++s) {
      x1.lambda()[s] = x0.lambda()[s] + (extrapolate ? ratio * (lambda_[u(s)] - lambda_before_[u(s)]) : 0);
    }
    if (iterate(c, x0, h, x1, out)) return true;
  }
  return false;
}

/// A law may have changed the course of its memory when the last step was accepted: what was known of its rate is then no longer true, and where its force
/// has jumped with it, no rate.
void AlphaMethod::take_turns(StepContext& c, const State& x0, double h, Outcome& out) {
  bool turned = false;
  for (int i = 0; i < m_; ++i) {
    const double now = c.rate0[2 * n_ + i];
    if (!(h * std::abs(now - rate_[u(n_ + i)]) > 1e-6)) continue;
    turned = true;
    rate_[u(n_ + i)] = rate_before_[u(n_ + i)] = a_[u(n_ + i)] = now;
  }
  if (!turned) return;
  constexpr double kJump = 1e-3;  // of the largest acceleration
  double most = 0, change = 0;
  for (int i = 0; i < n_; ++i) {
    most = std::max(most, std::abs(c.rate0[n_ + i]));
    change = std::max(change, std::abs(c.rate0[n_ + i] - rate_[u(i)]));
  }
  if (change > kJump * most) begin(c, x0, h, out);
}

Outcome AlphaMethod::step(StepContext& c, const State& x0, double h, State& x1) {
  Outcome out;
  changes_.clear();
  if (reload_) {
    reload_ = false;
    if (has_jacobian_ && !refresh(c, factored_h_, State(jacobian_at_), false)) has_jacobian_ = false;
  }
  // a step is cut short where a memory changes its course: what was learnt in it says nothing about a long one
  constexpr double kLonger = 16;  // times: error control lets steps grow by less
  if (!begun_ || (m_ > 0 && h > kLonger * last_h_)) begin(c, x0, h, out);
  if (begun_) take_turns(c, x0, h, out);
  x1 = x0;
  // accelerations belong to a part of the step: another step moves them along
  const double ratio = h / last_h_;
  if (ratio == 1) {
    a0_ = a_;
  } else {
    for (std::size_t i = 0; i < a_.size(); ++i) a0_[i] = rate_[i] + ratio * (a_[i] - rate_[i]);
  }
  const bool converged = solve_step(c, x0, h, x1, out);
  if (!converged) {
    has_jacobian_ = renew_ = false;
    rejected_ = true;
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::newton;
    out.next = 0.5 * h;
    return out;
  }
  finish(c, x0, h, x1);
  if (tolerances_.relative > 0) {
    out.error = estimate(c, x0, h, x1, &out.worst);
    double factor = std::clamp(0.9 / std::cbrt(out.error), 0.2, first_ ? 10.0 : 2.0);
    if (out.error >= 1 && !c.forced) {
      rejected_ = true;
      out.verdict = Outcome::Verdict::reject;
      out.cause = Cause::error;
      out.next = h * std::min(factor, 0.9);
      return out;
    }
    if (rejected_) factor = std::min(factor, 1.0);
    if (factor >= 1 && factor <= 1.2) factor = 1;  // keep the factors when little would be gained
    out.next = h * factor;
    first_ = rejected_ = false;
  }
  c.ledger.add_power(c.power0, 0.5 * h);
  c.ledger.add_power(c.work.power.data(), 0.5 * h);
  c.ledger.add_numerical(taken_out(c.system, x0, h));
  std::swap(a_before_, a0_);
  std::swap(a_, a1_);
  std::swap(rate_before_, rate_);
  std::swap(rate_, rate1_);
  std::copy_n(c.rate0 + n_, n_, state_rate_before_.begin());
  std::swap(lambda_before_, lambda_);
  std::copy_n(x1.lambda(), rows_, lambda_.begin());
  has_before_ = true;
  last_h_ = h;
  out.evaluated = keeps_rates();
  return out;
}

/// What the scheme itself takes out of the energy: the mean of all forces M v' times the displacement of its formula, less the change of
/// kinetic energy, which is the mean velocity times M times the change of velocity.
double AlphaMethod::taken_out(const System& system, const State& x0, double h) {
  const Layout& layout = system.layout();
  const double* dv = step_.data() + n_;
  double *mean = move_.data(), *force = b_.data();
  double joule = 0;
  for (int i = 0; i < n_; ++i) {
    force[i] = 0;
    mean[i] = 0.5 * (rate_[u(i)] + rate1_[u(i)]);
  }
  forces_.take_inertia(mean, force);
  for (int i = 0; i < n_; ++i) {
    joule -= force[i] * plain_move(layout, x0, h, i);
  }
  for (int i = 0; i < n_; ++i) {
    force[i] = 0;
    mean[i] = x0.v()[layout.v_index(i)] + 0.5 * dv[i];
  }
  forces_.take_inertia(mean, force);
  for (int i = 0; i < n_; ++i) joule += force[i] * dv[i];
  return joule;
}

/// The state at the end with what is known there: rates, accelerations and multipliers are those of the last iteration.
void AlphaMethod::finish(StepContext& c, const State& x0, double h, State& x1) {
  const Layout& layout = c.system.layout();
  c.system.motion().move(x0, 1, step_.data(), x1);
  c.system.set_time(x1, x0.t + h);
  Workspace& w = c.work;
  for (int i = 0; i < n_; ++i) {
    const int k = layout.v_index(i);
    w.rate[u(i)] = x1.v()[k];
    w.rate[u(n_ + i)] = x1.a()[k] = rate1_[u(i)];
  }
  for (int i = 0; i < m_; ++i) w.rate[u(2 * n_ + i)] = rate1_[u(n_ + i)];
  std::copy_n(x1.lambda(), rows_, w.lambda.begin());
}

void AlphaMethod::save(Archive& a) const {
  a.put(begun_), a.put(has_before_), a.put(first_), a.put(rejected_), a.put(has_jacobian_), a.put(renew_);
  a.put(last_h_), a.put(factored_h_), a.put(theta_);
  for (const auto* part : {&a_, &rate_, &a_before_, &rate_before_, &lambda_, &lambda_before_, &turn_, &state_rate_before_})
    a.put(*part);
  a.put(jacobian_at_.t);
  a.put(std::vector<double>(jacobian_at_.numbers().begin(), jacobian_at_.numbers().end()));
}

void AlphaMethod::load(Archive& a) {
  a.get(begun_), a.get(has_before_), a.get(first_), a.get(rejected_), a.get(has_jacobian_), a.get(renew_);
  a.get(last_h_), a.get(factored_h_), a.get(theta_);
  for (auto* part : {&a_, &rate_, &a_before_, &rate_before_, &lambda_, &lambda_before_, &turn_, &state_rate_before_})
    a.get(*part);
  a.get(jacobian_at_.t);
  std::vector<double> numbers;
  a.get(numbers);
  std::copy(numbers.begin(), numbers.end(), jacobian_at_.numbers().begin());
  reload_ = true;
}

}  // namespace bristle
