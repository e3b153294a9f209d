#include "bristle/analyse/static_path.h"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "bristle/analyse/reduction.h"
#include "bristle/analyse/stiffness.h"
#include "bristle/base/index.h"
#include "bristle/math/gathered_matrix.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

using Eigen::VectorXd;

class Follower {
 public:
  Follower(const System& system, const State& start)
      : system_(system),
        layout_(system.layout()),
        work_(system.make_workspace()),
        n_(layout_.free()),
        m_(system.layout().held_count()),
        scale_(unknown_scales(system)),
        x_(start) {
    std::fill_n(x_.v(), layout_.sizes.v, 0.0);
    std::fill_n(x_.a(), layout_.sizes.v, 0.0);
    std::fill_n(x_.lambda(), layout_.sizes.lambda, 0.0);
    rate_.assign(u(layout_.order_one()), 0);
  }

  Equilibrium run(const StaticsOptions& options, const std::function<void(double, const State&)>& each);

 private:
  bool advance(const StaticsOptions& options, const std::function<void(double, const State&)>& each, double& share,
               std::string& message);
  /// What grows: first what is out of balance without the loads is let go, then the loads come.
  enum class Phase { release, load };

  /// Forces at a share of the loads.
  VectorXd forces(const State& x, double share) {
    work_.load_factor = share;
    work_.eval = system_.view(x, work_);
    system_.calc_forces(work_.eval);
    VectorXd f = VectorXd::Zero(n_ + m_);
    for (int i = 0; i < n_; ++i) f[i] = work_.f[u(layout_.v_index(i))];
    return f;
  }
  /// What the share multiplies. Loads may follow the bodies.
  VectorXd growing(const State& x) { return phase_ == Phase::release ? back_ : VectorXd(forces(x, 1) - forces(x, 0)); }
  /// What is left of the balance, and the factors of its matrix there. False: no numbers, or singular.
  bool linearise(const State& x, double share, VectorXd& left) {
    const bool loads = phase_ == Phase::load;
    left = forces(x, loads ? share : 0);
    if (!loads) left -= (1 - share) * back_;
    size_ = std::max(size_, left.head(n_).cwiseAbs().maxCoeff());
    entries_.clear();
    double mobility = 0;
    for (int k = 0; k < m_; ++k) {
      const int row = layout_.held[u(k)].row;
      left[n_ + k] = -work_.row_value[u(row)];
      layout_.rows.each(row, work_.D.data(), [&](int v, double d) {
        const int i = layout_.unknown(v);
        if (i < 0) return;
        entries_.push_back({n_ + k, i, d});
        entries_.push_back({i, n_ + k, d});
        left[i] -= d * x.lambda()[k];
        mobility += d * d;
      });
    }
    Stiffness sink(layout_, entries_);
    system_.calc_jacobian(x, work_, sink);
    if (!left.allFinite()) return false;
    double stiffness = 0;
    for (const auto& e : entries_) {
      if (e.row == e.column) stiffness = std::max(stiffness, std::abs(e.value));
    }
    // rows that repeat each other share what they carry
    const double softness = layout_.redundant.empty() || !(stiffness > 0) ? 0 : 1e-12 * mobility / (m_ * stiffness);
    for (int k = 0; k < m_; ++k) entries_.push_back({n_ + k, n_ + k, -softness});
    for (int i = 0; i < n_; ++i) entries_.push_back({i, i, 0.0});
    matrix_.begin(n_ + m_);
    matrix_.add(entries_);
    return matrix_.factor();
  }
  bool solve(const VectorXd& b, VectorXd& x) {
    x = b;
    matrix_.solve(x.data());
    return x.allFinite();
  }
  double length(const VectorXd& step) const { return step.head(n_).cwiseQuotient(scale_).cwiseAbs().maxCoeff(); }
  /// Mean over the unknowns, so that the length of a step does not depend on how many there are.
  double product(const VectorXd& a, const VectorXd& b) const {
    return a.head(n_).cwiseQuotient(scale_).dot(b.head(n_).cwiseQuotient(scale_)) / n_;
  }
  void take(State& x, const VectorXd& step) {
    for (int i = 0; i < n_; ++i) rate_[u(i)] = step[i];
    State next = x;
    system_.motion().move(x, 1, rate_.data(), next);
    for (int k = 0; k < m_; ++k) next.lambda()[k] = x.lambda()[k] + step[n_ + k];
    x = std::move(next);
  }
  /// From a predicted point to the curve of equilibria.
  struct Correction;
  bool correct(State& x, double& share, const VectorXd* along, double along_share, int& passes);

  const System& system_;
  const Layout& layout_;
  Workspace work_;
  int n_, m_;
  VectorXd scale_;
  State x_;
  Phase phase_ = Phase::load;
  VectorXd back_;        // what holds the model back at the start, without its loads
  std::string trouble_;  // of the last equilibrium: a pose that no element can answer for
  std::vector<double> rate_;
  std::vector<MatrixEntry> entries_;
  GatheredMatrix matrix_;
  double size_ = 0;
  int iterations_ = 0;
};

struct Follower::Correction {
  Follower& f;
  State& x;
  double& share;
  const VectorXd* along;  ///< the next point is square to it, and to along_share; null: it is at the share
  double along_share;
  VectorXd left, step, by_share;
  double by = 0;

  bool evaluate() { return f.linearise(x, share, left); }
  bool solve() {
    if (!f.solve(left, step)) return false;
    if (along != nullptr) {
      if (!f.solve(f.growing(x), by_share)) return false;
      const double over = f.product(*along, by_share) + along_share;
      if (over == 0) return false;
      const double change = -f.product(*along, step) / over;
      step += change * by_share;
      share += change;
    }
    by = f.length(step);
    return by < 2;
  }
  double size() const { return by; }
  void take(double) {
    f.take(x, step);
    ++f.iterations_;
  }
  NewtonStep judge(const Contraction& c) {
    if (by < 1e-12 || (by < 1e-9 && c.stalls())) {
      f.trouble_ = f.system_.readings().trouble(f.system_.look(x, f.work_));
      return f.trouble_.empty() ? NewtonStep::found : NewtonStep::diverges;
    }
    return c.count() > 4 && c.rate() > 2 ? NewtonStep::diverges : NewtonStep::on;
  }
};

bool Follower::correct(State& x, double& share, const VectorXd* along, double along_share, int& passes) {
  constexpr int kLimit = 15;
  Correction correction{*this, x, share, along, along_share, {}, {}, {}};
  Contraction contraction(kLimit);
  const NewtonEnd end = newton(correction, contraction, kLimit);
  passes = contraction.count();
  return end == NewtonEnd::found;
}

Equilibrium Follower::run(const StaticsOptions& options, const std::function<void(double, const State&)>& each) {
  Equilibrium result;
  result.freedoms = freedoms_of(system_);
  result.load_factor = 0;
  back_ = forces(x_, 0);
  phase_ = Phase::release;
  StaticsOptions at_once = options;
  at_once.control = StaticsOptions::Control::load;
  at_once.step = 1;
  double released = 0;
  if (back_.isZero(0) || advance(at_once, {}, released, result.message)) {
    phase_ = Phase::load;
    if (each) each(0, x_);
    result.found = advance(options, each, result.load_factor, result.message);
  }
  VectorXd left;
  if (linearise(x_, phase_ == Phase::load ? result.load_factor : released, left))
    result.residual = size_ > 0 ? left.head(n_).cwiseAbs().maxCoeff() / size_ : 0;
  result.state = x_;
  result.iterations = iterations_;
  return result;
}

/// From the share 0 to 1. False: `share` is where it ends, `message` says why.
bool Follower::advance(const StaticsOptions& options, const std::function<void(double, const State&)>& each, double& share,
                       std::string& message) {
  const bool arc = options.control == StaticsOptions::Control::arc_length;
  const auto where = [&] {
    return phase_ == Phase::load ? fmt::format("{:.6g} of the load", share) : "what is out of balance without the loads";
  };
  double step = arc ? std::min(options.step, 0.2) : options.step;
  VectorXd left, by_share, tangent = VectorXd::Zero(n_ + m_);
  double tangent_share = 1;
  const double largest = options.step, smallest = 1e-7;
  for (int point = 0; share < 1 && point < options.points; ++point) {
    if (!linearise(x_, share, left) || !solve(growing(x_), by_share)) {
      message = fmt::format("statics: the stiffness is singular at {}", where());
      return false;
    }
    // tangent of the curve of equilibria, onwards; its largest number is one
    const double norm = std::max(1.0, length(by_share));
    const double forward = product(tangent, by_share) + tangent_share < 0 ? -1 : 1;
    tangent = (forward / norm) * by_share;
    tangent_share = forward / norm;
    bool moved = false;
    trouble_.clear();
    while (step > smallest) {
      State trial = x_;
      double next = share;
      int passes = 0;
      const bool last = arc ? share + step * tangent_share >= 1 && tangent_share > 0 : share + step >= 1;
      if (arc && !last) {
        take(trial, step * tangent);
        next += step * tangent_share;
        moved = correct(trial, next, &tangent, tangent_share, passes);
      } else {
        const double onwards = last ? 1 - share : step;
        if (length(onwards * by_share) < 0.5) take(trial, onwards * by_share);
        next = share + onwards;
        moved = correct(trial, next, nullptr, 0, passes);
      }
      if (moved) {
        x_ = std::move(trial);
        share = next;
        if (passes <= 5) step = std::min(largest, 1.5 * step);
        if (passes > 8) step *= 0.6;
        break;
      }
      step *= 0.4;
    }
    if (!moved) {
      message = fmt::format("statics: no equilibrium beyond {}", where());
      if (!trouble_.empty()) message += ": " + trouble_;
      else if (!arc && phase_ == Phase::load)
        message += ". Where the load has a highest point, control: arc_length goes on along the falling branch";
      return false;
    }
    if (system_.remembers()) system_.accept(x_, work_);
    if (each) each(share, x_);
  }
  if (share < 1) {
    message = fmt::format("statics: {} points were not enough; they end at {}. Allow more points, or a larger step than {:g}",
                          options.points, where(), options.step);
  }
  return share >= 1;
}

}  // namespace

Equilibrium follow_loads(const System& system, const State& start, const StaticsOptions& options,
                         const std::function<void(double, const State&)>& each) {
  return Follower(system, start).run(options, each);
}

}  // namespace bristle
