#include "bristle/analyse/campbell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/analyse/reduction.h"
#include "bristle/base/error.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

using Complex = std::complex<double>;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kTurn = 6.283185307179586;
constexpr double kAlike = 0.5;     // likeness below which a mode is looked for between two speeds
constexpr int kHalvings = 6;       // of the way from one speed to the next
constexpr double kNoSwing = 1e-6;  // of a mode that does not swing

State start_of(const System& system, double time) {
  State x = system.make_state();
  x.t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
  system.set_time(x, time);
  return x;
}

/// How alike two modes are: by shape, and by how far the frequency moved. In a frame that turns a frequency may pass zero; the mode
/// is then the conjugate one.
class Likeness {
 public:
  explicit Likeness(const Eigen::MatrixXd& mass) : mass_(mass.cast<Complex>()) {}
  double operator()(const RotorMode& a, const RotorMode& b, double step) const {
    const VectorXcd weighed = mass_ * a.shape;
    const double own = std::abs(a.shape.dot(weighed)) * std::abs(b.shape.dot(mass_ * b.shape));
    if (!(own > 0)) return 0;
    const double plain = std::norm(b.shape.dot(weighed)) / own, other = std::norm(b.shape.conjugate().dot(weighed)) / own;
    const double width = 2 * std::abs(step) + 0.02 * std::abs(a.s);
    const auto near = [&](Complex change) { return 1 / (1 + std::norm(change) / (width * width)); };
    const double likeness = std::max(plain * near(b.s - a.s), other * near(std::conj(b.s) - a.s));
    return b.s.imag() == 0 && b.s.real() > 0 ? likeness * (1 + 1e-6)
                                             : likeness;  // of two that stopped swinging, the one that grows
  }

 private:
  Eigen::MatrixXcd mass_;
};

/// Follows modes from speed to speed.
class Follower {
 public:
  Follower(const System& system, RotationSearch& search) : search_(search), likeness_(mass_matrix(system)) {}

  void begin(const SteadyRotation& r, int count) {
    for (RotorMode& mode : search_.calc_modes(r)) {
      if (mode.s == 0.0 || static_cast<int>(modes_.size()) == count) continue;
      modes_.push_back(std::move(mode));
    }
    speed_ = r.speed;
  }
  /// Between two speeds with modes that change too much it looks in the middle.
  void go(const SteadyRotation& to, int halvings = 0) {
    const std::vector<RotorMode> found = search_.calc_modes(to);
    std::vector<RotorMode> next(modes_.size());
    const double worst = match(found, to.speed - speed_, next);
    if (worst < kAlike && halvings < kHalvings) {
      go(search_.find(0.5 * (speed_ + to.speed)), halvings + 1);
      go(to, halvings + 1);
      return;
    }
    modes_ = std::move(next);
    speed_ = to.speed;
  }
  const std::vector<RotorMode>& modes() const { return modes_; }

 private:
  double match(const std::vector<RotorMode>& found, double step, std::vector<RotorMode>& next) const {
    struct Pair {
      double likeness;
      std::size_t before, after;
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      for (std::size_t k = 0; k < found.size(); ++k) pairs.push_back({likeness_(modes_[i], found[k], step), i, k});
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.likeness > b.likeness; });
    std::vector<char> given(modes_.size(), 0), taken(found.size(), 0);
    double worst = 1;
    for (const Pair& p : pairs) {
      if (given[p.before] || taken[p.after]) continue;
      given[p.before] = taken[p.after] = 1;
      next[p.before] = found[p.after];
      worst = std::min(worst, p.likeness);
    }
    return worst;
  }

  RotationSearch& search_;
  Likeness likeness_;
  std::vector<RotorMode> modes_;
  double speed_ = 0;
};

/// Critical speeds of one order: zeros of the sorted eigenvalues of calc_resonances, each of which is a continuous function of speed.
class Criticals {
 public:
  Criticals(const System& system, RotationSearch& search, double order, double fastest)
      : search_(search),
        order_(order),
        scale_speed_(std::max(1.0, order) * fastest),
        names_(unknown_names(system.layout())),
        scale_(unknown_scales(system)) {}

  void see(const SteadyRotation& r, std::vector<CriticalSpeed>& list) {
    const VectorXd now = search_.calc_resonances(r, order_, scale_speed_);
    constexpr double kZero = 1e-10;  // of numbers between -1 and 1
    if (value_.size() != now.size()) {
      value_ = VectorXd::Zero(now.size());
      at_ = VectorXd::Zero(now.size());
    }
    std::vector<CriticalSpeed> found;
    for (Eigen::Index j = 0; j < now.size(); ++j) {
      if (std::abs(now[j]) <= kZero) continue;
      if (value_[j] * now[j] < 0) found.push_back(solve(static_cast<int>(j), at_[j], value_[j], r.speed, now[j]));
      value_[j] = now[j];
      at_[j] = r.speed;
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const CriticalSpeed& a, const CriticalSpeed& b) { return a.speed < b.speed; });
    list.insert(list.end(), found.begin(), found.end());
  }

 private:
  /// By false position (Illinois), which needs no derivative and stays within the bracket.
  CriticalSpeed solve(int j, double a, double at_a, double b, double at_b) {
    double c = b;
    SteadyRotation r;
    for (int pass = 0; pass < 100; ++pass) {
      c = (a * at_b - b * at_a) / (at_b - at_a);
      r = search_.find(c);
      const double at_c = search_.calc_resonances(r, order_, scale_speed_)[j];
      if (at_c == 0 || std::abs(b - a) <= 1e-13 * std::max(std::abs(a), std::abs(b))) break;
      if (at_c * at_b < 0) {
        a = b;
        at_a = at_b;
      } else {
        at_a *= 0.5;
      }
      const double moved = std::abs(c - b);
      b = c;
      at_b = at_c;
      if (moved <= 1e-13 * std::abs(c)) break;
    }
    CriticalSpeed critical;
    critical.speed = c;
    critical.order = order_;
    VectorXcd shape;
    search_.calc_resonances(r, order_, scale_speed_, j, &shape);
    search_.describe(r.state, shape, critical.whirl, critical.across);
    Eigen::Index top = 0;
    shape.cwiseQuotient(scale_).cwiseAbs().maxCoeff(&top);
    critical.largest = names_[static_cast<std::size_t>(top)];
    return critical;
  }

  RotationSearch& search_;
  double order_, scale_speed_;
  std::vector<std::string> names_;
  VectorXd scale_, value_, at_;
};

}  // namespace

double frequency_of(const RotorMode& mode) {
  if (mode.s == 0.0) return 0;
  return std::abs(mode.s.imag()) > kNoSwing * std::abs(mode.s) ? std::abs(mode.s) : -mode.s.real();
}

double damping_ratio_of(const RotorMode& mode) {
  const double size = std::abs(mode.s);
  if (std::abs(mode.s.imag()) <= kNoSwing * size) return mode.s.real() < 0 ? 1 : 0;
  return std::abs(mode.s.real()) > 1e-9 * size ? -mode.s.real() / size : 0;
}

const char* whirl_name(double whirl, double across) {
  if (across < 0.5) return "";
  return whirl > 0.99 ? "forward" : whirl < -0.99 ? "backward" : "mixed";
}

CampbellResult calc_campbell(const System& system, const CampbellPlan& plan) {
  RotationSearch search(system, plan.axis, start_of(system, plan.time));
  CampbellResult result;
  result.frame = plan.axis.frame;
  result.orders = plan.orders;
  Follower follower(system, search);
  const double fastest = std::max(std::abs(plan.speeds.front()), std::abs(plan.speeds.back()));
  std::vector<Criticals> criticals;
  for (double order : plan.orders) criticals.emplace_back(system, search, order, fastest);
  std::vector<std::vector<CriticalSpeed>> found(plan.orders.size());
  for (std::size_t k = 0; k < plan.speeds.size(); ++k) {
    const SteadyRotation r = search.find(plan.speeds[k]);
    if (k == 0 || k + 1 == plan.speeds.size()) search.check(r);
    if (k == 0) follower.begin(r, plan.modes);
    else follower.go(r);
    result.speeds.push_back(r.speed);
    result.states.push_back(r.state);
    result.modes.push_back(follower.modes());
    for (std::size_t i = 0; i < criticals.size(); ++i) criticals[i].see(r, found[i]);
  }
  for (const auto& list : found) result.critical.insert(result.critical.end(), list.begin(), list.end());
  return result;
}

ModesResult calc_rotor_modes(const System& system, const RotationAxis& axis, double speed, const State& start) {
  RotationSearch search(system, axis, start);
  const SteadyRotation r = search.find(speed);
  search.check(r);
  ModesResult result;
  result.coordinates = unknown_names(system.layout());
  result.general = true;
  result.moving = false;
  result.time = start.t;
  result.speed = speed;
  result.frame = axis.frame == RotationFrame::turning ? "turning" : "stationary";
  for (const RotorMode& mode : search.calc_modes(r)) {
    LinearMode m;
    m.frequency = frequency_of(mode);
    m.damping_ratio = damping_ratio_of(mode);
    m.damped = std::abs(mode.s.imag()) > kNoSwing * std::abs(mode.s) ? mode.s.imag() : 0;
    m.whirl = mode.whirl;
    m.across = mode.across;
    result.damping = result.damping || m.damping_ratio != 0;
    put_shape(mode.shape, m);
    result.modes.push_back(std::move(m));
  }
  drop_still(result);
  return result;
}

void record_campbell(const System& system, const CampbellResult& result, const RunHeader& given, Sink& sink) {
  const Layout& layout = system.layout();
  RunHeader header = given;
  header.integrator = "campbell";
  header.axis = "speed";
  header.axis_unit = "rad/s";
  const std::size_t count = result.modes.empty() ? 0 : result.modes[0].size();
  for (std::size_t k = 1; k <= count; ++k) {
    const std::string mode = "mode." + std::to_string(k);
    header.channels.push_back({mode + ".frequency", "rad/s", "of the oscillation, over the speed of rotation"});
    header.channels.push_back({mode + ".growth", "1/s", "real part of the eigenvalue: positive where the mode grows"});
    header.channels.push_back({mode + ".damping_ratio", "1", "over critical damping"});
    header.channels.push_back({mode + ".whirl", "1", "1: circles along the rotation, -1: against it, 0: on lines"});
  }
  for (double order : result.orders)
    header.channels.push_back({fmt::format("order.{:g}.frequency", order), "rad/s", "of a force of this order"});
  header.bodies = layout.bodies;
  header.joints = layout.joints;
  sink.begin(header);
  std::vector<double> values, poses(static_cast<std::size_t>(kPose * moving_bodies(layout.bodies)), 0);
  for (std::size_t i = 0; i < result.speeds.size(); ++i) {
    values.clear();
    for (const RotorMode& mode : result.modes[i])
      values.insert(values.end(), {mode.s.imag(), mode.s.real(), damping_ratio_of(mode), mode.whirl});
    for (double order : result.orders) values.push_back(std::abs(order * result.speeds[i]));
    calc_poses(layout.bodies, result.states[i], nullptr, poses.data());
    sink.sample(result.speeds[i], values.data(), poses.data());
  }
  RunStatus status;
  status.end = RunStatus::End::finished;
  status.summary = {{"analysis", "modes over the speed of rotation, without friction"}};
  for (const CriticalSpeed& c : result.critical)
    status.summary.push_back(
        {fmt::format("critical speed, order {:g}", c.order),
         fmt::format("{:.8g} rad/s ({:.6g} rpm) {}", c.speed, c.speed * 60 / kTurn, whirl_name(c.whirl, c.across))});
  sink.end(status);
}

std::string campbell_text(const CampbellResult& result) {
  constexpr std::size_t kColumns = 8;
  const std::size_t count = result.modes.empty() ? 0 : std::min(kColumns, result.modes[0].size());
  std::string out = fmt::format("  frequencies [rad/s] in the {} frame, over the speed of rotation [rad/s]\n    {:>10}",
                                result.frame == RotationFrame::turning ? "turning" : "stationary", "speed");
  for (std::size_t k = 1; k <= count; ++k) out += fmt::format("  {:>11}", fmt::format("mode {}", k));
  out += "\n";
  bool grows = false;
  for (std::size_t i = 0; i < result.speeds.size(); ++i) {
    out += fmt::format("    {:>10.5g}", result.speeds[i]);
    for (std::size_t k = 0; k < count; ++k) {
      const RotorMode& mode = result.modes[i][k];
      const bool unstable = mode.s.real() > 1e-7 * std::abs(mode.s);
      grows = grows || unstable;
      const char* name = whirl_name(mode.whirl, mode.across);
      const char sign = name[0] == 'f' ? '+' : name[0] == 'b' ? '-' : ' ';
      out += fmt::format("  {:>9.6g}{}{}", mode.s.imag(), sign, unstable ? '!' : ' ');
    }
    out += "\n";
  }
  out += "    + circles along the rotation, - against it";
  out += grows ? "; ! grows\n" : "\n";
  for (const CriticalSpeed& c : result.critical) {
    out += fmt::format("  critical speed    {:.8g} rad/s, {:.7g} rpm: order {:g}{}{}, largest {}\n", c.speed,
                       c.speed * 60 / kTurn, c.order, c.order == 0 || whirl_name(c.whirl, c.across)[0] == 0 ? "" : ", ",
                       c.order == 0 ? "" : whirl_name(c.whirl, c.across), c.largest);
  }
  if (result.critical.empty()) out += "  no critical speeds between these\n";
  return out;
}

}  // namespace bristle
