#include "bristle/analyse/statics.h"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "bristle/analyse/modes.h"
#include "bristle/analyse/reduction.h"
#include "bristle/analyse/state_recorder.h"
#include "bristle/analyse/static_path.h"
#include "bristle/analyse/stiffness.h"
#include "bristle/base/error.h"
#include "bristle/base/index.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"
#include "bristle/math/gathered_matrix.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

using Eigen::VectorXd;
using Entries = std::vector<MatrixEntry>;

/// Forces at a state at rest, with the multipliers that come nearest to balance.
struct Balance {
  VectorXd f, F;                  ///< without and with what joints carry
  VectorXd lambda, a;             ///< a: what is left, as a motion that the joints allow
  double residual = 0, size = 0;  ///< largest, in newtons or newton metres over the length scale
};

class Search {
 public:
  Search(const System& system, const StaticsOptions& options)
      : system_(system),
        layout_(system.layout()),
        options_(options),
        work_(system.make_workspace()),
        n_(layout_.free()),
        m_(system.layout().held_count()),
        scale_(unknown_scales(system)),
        length_(length_scale(system)) {
    Enforcement e;
    e.corrects = true;
    kernel_.prepare(system, e);
    rate_.assign(u(layout_.order_one()), 0);
    arms_ = length_ * scale_.cwiseInverse();
    metric_ = arms_.cwiseAbs2();
  }

  Equilibrium run(const State& start);

 private:
  static constexpr int kMostTries = 60;
  enum class Step { none, down, last };
  void descend(Equilibrium& result, Balance& now);
  Step take_step(State& x, Balance& now);
  bool try_move(const State& x, double part, const VectorXd& step, State& trial, Balance& next);
  struct Polish;
  void polish(State& x, Balance& now);
  /// [mu metric + more, D'; D, -softness] x = (b, c)
  bool solve(double mu, const Entries* more, VectorXd& b, VectorXd& c) {
    const int all = n_ + m_;
    GatheredMatrix& A = more != nullptr ? stiff_ : plain_;
    A.begin(all);
    for (int i = 0; i < n_; ++i) A.add(i, i, mu * metric_[i]);
    if (more != nullptr) A.add(*more);
    A.add(rows_);
    for (int k = 0; k < m_; ++k) A.add(n_ + k, n_ + k, -softness_);
    if (!A.factor()) return false;
    VectorXd right(all);
    right << b, c;
    VectorXd x = right;
    A.solve(x.data());
    for (int pass = 0; pass < (softness_ > 0 ? 3 : 1); ++pass) {  // takes out rounding and the softness of rows that repeat
      VectorXd left = right;
      A.subtract_product(x.data(), left.data());
      left.tail(m_) -= softness_ * x.tail(m_);
      A.solve(left.data());
      x += left;
    }
    if (!x.allFinite()) return false;
    b = x.head(n_);
    c = x.tail(m_);
    return true;
  }
  /// Everything of a state but the stiffness. False: the joints have no forces here.
  bool weigh(const State& x, Balance& now) {
    work_.eval = system_.view(x, work_);
    system_.calc_forces(work_.eval);
    now.f.resize(n_);
    for (int i = 0; i < n_; ++i) now.f[i] = work_.f[u(layout_.v_index(i))];
    if (!now.f.allFinite()) return false;
    rows_.clear();
    double mobility = 0;
    for (int k = 0; k < m_; ++k) {
      layout_.rows.each(layout_.held[u(k)].row, work_.D.data(), [&](int v, double d) {
        const int i = layout_.unknown(v);
        if (i < 0 || d == 0) return;
        rows_.push_back({n_ + k, i, d});
        rows_.push_back({i, n_ + k, d});
        mobility += d * d / metric_[i];
      });
    }
    softness_ = layout_.redundant.empty() || m_ == 0 ? 0 : 1e-10 * mobility / m_;
    now.a = now.f;
    now.lambda = VectorXd::Zero(m_);
    if (!solve(1, nullptr, now.a, now.lambda)) {
      softness_ = 1e-10 * mobility / std::max(m_, 1);
      now.a = now.f;
      now.lambda = VectorXd::Zero(m_);
      if (!solve(1, nullptr, now.a, now.lambda)) return false;
    }
    now.F = now.f;
    VectorXd held = VectorXd::Zero(n_);
    for (const auto& e : rows_) {
      if (e.row >= n_) continue;
      const double carried = e.value * now.lambda[e.column - n_];
      now.F[e.row] -= carried;
      held[e.row] += std::abs(carried);
    }
    now.residual = (now.F.cwiseQuotient(arms_)).cwiseAbs().maxCoeff();
    now.size = ((now.f.cwiseAbs() + held).cwiseQuotient(arms_)).maxCoeff();
    return true;
  }

  std::string worst(const Balance& now) const {
    int i = 0;
    (now.F.cwiseQuotient(arms_)).cwiseAbs().maxCoeff(&i);
    const bool turn = unknown_names(layout_)[u(i)].find(".turn") != std::string::npos;
    return fmt::format("the {} is off by {:.4g} {}", layout_.name_of(n_ + i), now.F[i], turn ? "N m" : "N");
  }

  const System& system_;
  const Layout& layout_;
  StaticsOptions options_;
  Workspace work_;
  int n_, m_;
  VectorXd scale_;
  double length_, softness_ = 0;
  Multipliers kernel_;
  std::vector<double> rate_;
  VectorXd arms_;    // turns: of moments over the length
  VectorXd metric_;  // of steps: displacements, and turns times the length. No masses: they have no part in an equilibrium
  Entries rows_;
  GatheredMatrix plain_, stiff_;           // of solve: without and with the stiffness
  double mu_ = 0, floor_ = 0, first_ = 0;  // damping: now, least, at the start
  double size_ = 0;                        // of the forces
  int held_up_ = 0;                        // steps in vain
  std::string trouble_;                    // of the last step that was taken back: a pose that no element can answer for
};

Equilibrium Search::run(const State& start) {
  Equilibrium result;
  result.freedoms = freedoms_of(system_);
  result.state = start;
  State& x = result.state;
  const auto at_rest = [&](State& s) {
    std::fill_n(s.v(), layout_.sizes.v, 0.0);
    std::fill_n(s.a(), layout_.sizes.v, 0.0);
  };
  at_rest(x);
  if (m_ > 0) {
    const double off = kernel_.held().correct_positions(system_, x, work_, 50);
    if (!(off < 1e-8)) {
      double by = 0;
      const std::string row = worst_row(layout_, work_.row_value, by);
      result.message = fmt::format("statics: the joints cannot be closed: {} is off by {:.3g}", row, by);
      return result;
    }
  }
  Balance now;
  if (n_ == 0) {
    result.found = true;
    return result;
  }
  if (!weigh(x, now)) {
    result.message = "statics: the forces at the start are undefined, or the joints cannot carry them";
    return result;
  }
  descend(result, now);
  if (result.found) {
    weigh(x, now);
    polish(x, now);
    result.residual = size_ > 0 ? now.residual / size_ : 0;
    if (system_.remembers()) system_.accept(x, work_);
  }
  at_rest(x);
  std::fill_n(x.lambda(), layout_.sizes.lambda, 0.0);
  for (int k = 0; k < m_; ++k) x.lambda()[k] = now.lambda[k];
  if (!result.found) {
    result.message = fmt::format("statics: no equilibrium was found in {} iterations: {}. {}", result.iterations, worst(now),
                                 trouble_.empty() ? "Is everything supported that gravity and loads push?" : trouble_);
  }
  return result;
}

/// Steps downhill until the forces are in balance, or nothing moves any more.
void Search::descend(Equilibrium& result, Balance& now) {
  size_ = std::max(now.size, now.residual);
  // the first step moves by a tenth of the mechanism
  mu_ = first_ = now.a.cwiseQuotient(scale_).cwiseAbs().maxCoeff() / 0.1;
  held_up_ = 0;
  for (int pass = 0;; ++pass) {
    result.iterations = pass;
    size_ = std::max({size_, now.size, now.residual});
    result.residual = size_ > 0 ? now.residual / size_ : 0;
    result.found = result.residual <= options_.tolerance;
    if (result.found || pass >= options_.iterations || held_up_ > kMostTries) return;
    const Step step = take_step(result.state, now);
    if (step == Step::none) result.found = result.residual < 1e-8;  // rounding is all that is left
    if (step == Step::last) result.found = true;
    if (step != Step::down) return;
    held_up_ = 0;
  }
}

/// One step downhill, with as much damping as it needs. No case for `newton`: what decides here is the work done on the way, and far from an
/// equilibrium the tangent may lead uphill. Newton's method has the last word, see Polish.
Search::Step Search::take_step(State& x, Balance& now) {
  for (int k = 0; k < m_; ++k) x.lambda()[k] = now.lambda[k];
  Entries K;
  Stiffness sink(layout_, K);
  system_.calc_jacobian(x, work_, sink);
  Eigen::SparseMatrix<double> stiffness(n_, n_);
  floor_ = 1e-12 * first_;
  for (int i = 0; i < n_; ++i) floor_ = std::max(floor_, 1e-14 * std::abs(stiffness.coeff(i, i)) / metric_[i]);
  mu_ = std::max(mu_, floor_);
  const Entries rows = rows_;
  Balance next;
  State trial = x;
  for (; held_up_ <= kMostTries; ++held_up_) {
    rows_ = rows;
    VectorXd step = now.F, change = VectorXd::Zero(m_);
    const bool solved = solve(mu_, &K, step, change);
    const double slope = solved ? now.F.dot(step) : 0;
    const double curvature = solved ? product(step, K, step) + mu_ * step.dot(metric_.cwiseProduct(step)) : 0;
    if (!(slope > 0) || !(curvature > 0)) {  // uphill
      mu_ = std::max(4 * mu_, 1e-6 * first_);
      continue;
    }
    const double largest = step.cwiseQuotient(scale_).cwiseAbs().maxCoeff();
    const double part = system_.layout().spatial() ? std::min(1.0, 0.5 / largest) : 1.0;
    if (!try_move(x, part, step, trial, next)) {
      mu_ *= 4;
      continue;
    }
    const double work = 0.5 * part * (now.F + next.F).dot(step);
    const bool settled = part == 1 && mu_ <= 1e3 * floor_ && part * largest < 1e-13;
    if (work < 1e-4 * part * slope && !(next.residual < 0.5 * now.residual && now.residual < 1e-6 * size_) && !settled) {
      mu_ *= 4;
      continue;
    }
    if (part == 1) mu_ *= 0.1;
    std::swap(x, trial);
    if (system_.remembers()) system_.follow(x, work_);
    std::swap(now, next);
    return settled ? Step::last : Step::down;
  }
  return Step::none;
}

/// Where a part of a step leads to, and the forces there. False: no pose that the joints and all elements can answer for.
bool Search::try_move(const State& x, double part, const VectorXd& step, State& trial, Balance& next) {
  for (int i = 0; i < n_; ++i) rate_[u(i)] = step[i];
  trial = x;
  system_.motion().move(x, part, rate_.data(), trial);
  const double off = m_ > 0 ? kernel_.held().correct_positions(system_, trial, work_, 20) : 0;
  if (!(off < 1e-8) || !weigh(trial, next)) return false;
  trouble_ = system_.readings().may_be_troubled() ? system_.readings().trouble(system_.look(trial, work_)) : "";
  return trouble_.empty();
}

/// Newton's method on what the search has found, as long as it helps.
struct Search::Polish {
  Search& s;
  State& x;
  Balance& now;
  State trial;
  Balance next;
  VectorXd step;
  bool better = false;

  bool evaluate() const { return true; }
  bool settled() const { return !(now.residual > 0); }
  bool solve() {
    for (int k = 0; k < s.m_; ++k) x.lambda()[k] = now.lambda[k];
    Entries K;
    Stiffness sink(s.layout_, K);
    s.system_.calc_jacobian(x, s.work_, sink);
    step = now.F;
    VectorXd change = VectorXd::Zero(s.m_);
    return s.solve(s.floor_, &K, step, change) && size() <= 1e-6;
  }
  double size() const { return step.cwiseQuotient(s.scale_).cwiseAbs().maxCoeff(); }
  void take(double) {
    for (int i = 0; i < s.n_; ++i) s.rate_[u(i)] = step[i];
    trial = x;
    s.system_.motion().move(x, 1, s.rate_.data(), trial);
    const double off = s.m_ > 0 ? s.kernel_.held().correct_positions(s.system_, trial, s.work_, 20) : 0;
    better = off < 1e-8 && s.weigh(trial, next) && next.residual < now.residual;
    if (!better) return;
    std::swap(x, trial);
    std::swap(now, next);
  }
  NewtonStep judge(const Contraction&) const { return better ? NewtonStep::on : NewtonStep::diverges; }
};

/// Forces that are small beside the largest may still move what is soft.
void Search::polish(State& x, Balance& now) {
  constexpr int kPasses = 3;
  Polish polish{*this, x, now, x, {}, {}};
  Contraction contraction(kPasses);
  newton(polish, contraction, kPasses);
}

/// Eigenvalues of the reduced stiffness; returns the motion of the lowest one, by free velocity.
VectorXd examine(const System& system, Equilibrium& result) {
  if (result.freedoms == 0) {
    result.kind = Equilibrium::Kind::stable;
    return {};
  }
  try {
    const ReducedStiffness r = calc_reduced_stiffness(system, result.state, LinearAxes::body);
    const Eigen::MatrixXd K = 0.5 * (r.K + r.K.transpose()), M = 0.5 * (r.M + r.M.transpose());
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M);
    if (solver.info() != Eigen::Success) return {};
    result.squares.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
    const double largest = solver.eigenvalues().cwiseAbs().maxCoeff(), lowest = result.squares.front();
    result.kind = lowest > 1e-9 * largest    ? Equilibrium::Kind::stable
                  : lowest < -1e-9 * largest ? Equilibrium::Kind::unstable
                                             : Equilibrium::Kind::neutral;
    return r.linear.basis * solver.eigenvectors().col(0);
  } catch (const SolveError&) {
    return {};  // a singular position
  }
}

}  // namespace

const char* name_of(Equilibrium::Kind kind) {
  switch (kind) {
    case Equilibrium::Kind::stable: return "stable";
    case Equilibrium::Kind::neutral: return "neutral";
    case Equilibrium::Kind::unstable: return "unstable";
    default: return "not examined";
  }
}

namespace {

Equilibrium follow(const System& system, const State& start, const StaticsOptions& options,
                   const std::function<void(double, const State&)>& each) {
  constexpr int kMost = 400;
  Equilibrium result = follow_loads(system, start, options, each);
  Workspace work = system.make_workspace();
  work.load_factor = result.load_factor;
  result.stored = system.calc_energy(result.state, work).stored;
  if (result.found && options.stability && result.freedoms <= kMost) examine(system, result);
  return result;
}

}  // namespace

Equilibrium find_equilibrium(const System& system, const State& start, const StaticsOptions& options) {
  if (options.control != StaticsOptions::Control::descent) return follow(system, start, options, {});
  constexpr int kMost = 400;      // freedoms whose eigenvalues are still worth their time
  constexpr int kPushes = 5;      // off unstable equilibria
  constexpr double kPush = 0.02;  // in radians, or over the length scale
  Workspace work = system.make_workspace();
  State from = start;
  Equilibrium best;
  for (int push = 0;; ++push) {
    Equilibrium result = Search(system, options).run(from);
    if (!result.found && push == 0) {
      Equilibrium other = follow(system, start, options, {});
      if (other.found) return other;
    }
    result.stored = system.calc_energy(result.state, work).stored;
    if (push > 0 && !result.found) return best;
    Eigen::VectorXd way;
    if (result.found && options.stability && result.freedoms <= kMost) way = examine(system, result);
    if (result.kind != Equilibrium::Kind::unstable || !options.leave || push == kPushes) return result;
    std::vector<double> step(static_cast<std::size_t>(system.layout().order_one()), 0);
    way *= kPush / way.cwiseQuotient(unknown_scales(system)).cwiseAbs().maxCoeff();
    std::copy(way.begin(), way.end(), step.begin());
    from = result.state;
    system.motion().move(result.state, 1, step.data(), from);
    best = std::move(result);
  }
}

State equilibrium_start(const System& system, const State& start) {
  Equilibrium found = find_equilibrium(system, start);
  if (!found.found) throw SolveError(found.message);
  State x = std::move(found.state);
  const double t = x.t;
  x.t = std::numeric_limits<double>::quiet_NaN();  // driven coordinates get their velocities back
  system.set_time(x, t);
  if (system.layout().held_count() > 0) {
    Workspace work = system.make_workspace();
    Multipliers kernel;
    kernel.prepare(system, Enforcement{.corrects = true});
    kernel.held().correct_velocities(system, x, work);
  }
  return x;
}

Equilibrium run_statics(const System& system, const StaticsPlan& plan, const RunHeader& given, Sink& sink) {
  State x = system.make_state();
  x.t = std::numeric_limits<double>::quiet_NaN();
  system.set_time(x, plan.time);
  RunHeader header = given;
  header.integrator = "statics";
  const bool path = plan.options.control != StaticsOptions::Control::descent;
  if (path) header.axis = "load", header.axis_unit = "1";
  StateRecorder recorder(system, plan.channels, header);
  sink.begin(header);
  Equilibrium result;
  if (!path) {
    result = find_equilibrium(system, x, plan.options);
    recorder.put(sink, result.state);
  } else {
    // one sample for each point of the path
    result = follow(system, x, plan.options, [&](double share, const State& at) { recorder.put(sink, at, share, share); });
  }
  RunStatus status;
  status.end = result.found ? RunStatus::End::finished : RunStatus::End::failed;
  status.message = result.message;
  status.counts = {{"iterations", static_cast<double>(result.iterations)}};
  status.summary = {{"analysis", "statics, without friction"},
                    {"equilibrium", result.found ? name_of(result.kind) : "not found"},
                    {"force left", fmt::format("{:.3g} of the largest", result.residual)},
                    {"stored", fmt::format("{:.6g} J", result.stored)}};
  sink.end(status);
  return result;
}

std::string statics_text(const System& system, const Equilibrium& result) {
  constexpr std::size_t kLines = 30;
  constexpr double kNothing = 1e-13;  // what rounding leaves
  const Layout& layout = system.layout();
  Workspace work = system.make_workspace();
  work.load_factor = result.load_factor;
  std::vector<double> out(layout.channels.size());
  system.readings().calc_outputs(system.look(result.state, work), out.data());
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < layout.channels.size(); ++i) {
    const std::string& unit = layout.channels[i].unit;
    const bool rate = unit.ends_with("/s") || unit.ends_with("/s^2") || unit == "W";
    if (!rate) rows.push_back(i);
  }
  // of a large model what is not zero, and not all of it
  const std::size_t all = rows.size();
  if (all > kLines) {
    std::erase_if(rows, [&](std::size_t i) { return std::abs(out[i]) < kNothing; });
    rows.resize(std::min(rows.size(), kLines));
  }
  std::size_t width = 0;
  for (std::size_t i : rows) width = std::max(width, layout.channels[i].name.size());
  std::string text;
  for (std::size_t i : rows) {
    const double value = std::abs(out[i]) < kNothing ? 0 : out[i];
    text += fmt::format("    {:<{}}  {:>14.7g} {}\n", layout.channels[i].name, width, value, layout.channels[i].unit);
  }
  if (rows.size() < all)
    text += fmt::format("    and {} more channels in the results: bristle convert RESULTS --to csv\n", all - rows.size());
  return text;
}

}  // namespace bristle
