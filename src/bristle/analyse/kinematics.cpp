#include "bristle/analyse/kinematics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bristle/analyse/reduction.h"
#include "bristle/analyse/state_recorder.h"
#include "bristle/base/error.h"
#include "bristle/base/index.h"
#include "bristle/base/stopwatch.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLargestTurn = 0.3;    // [rad] of a body in one prediction; also over the length scale
constexpr double kLargestMiss = 0.05;   // of a prediction; more might be another way to close the loop
constexpr double kSmallestStep = 1e-6;  // of the time between samples, before a position counts as impossible
constexpr double kSingular = 1e-9;      // of singular values of the scaled rows
constexpr int kDenseRows = 100;         // up to which the rank is looked at for every sample

class Motion {
 public:
  explicit Motion(const System& system)
      : system_(system),
        layout_(system.layout()),
        work_(system.make_workspace()),
        n_(layout_.free()),
        scale_(unknown_scales(system)) {
    Enforcement e;
    e.corrects = true;
    e.position_tolerance = 1e-14;
    kernel_.prepare(system, e);
    rate_.assign(u(layout_.order_one()), 0);
    outputs_.assign(layout_.channels.size(), 0);
    for (int i = 0; i < layout_.sizes.z; ++i) by_time_.push_back(layout_.memory[u(i)].ends_with(".drive"));
  }

  /// To the positions and velocities of a time, near where the state is. False: see message.
  bool start(State& x, double t) {
    x.t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
    system_.set_time(x, 0);
    if (!settle(x)) return fail(x, x.t);
    evaluate(x);
    std::vector<double> z(x.z(), x.z() + layout_.sizes.z);
    if (t != 0 && !go(x, t, std::abs(t), false)) return false;
    std::copy(z.begin(), z.end(), x.z());
    return true;
  }
  /// Moves to the time t in as many steps as it takes.
  bool go(State& x, double t, double pace, bool memory = true) {
    while (x.t != t) {
      double h = t - x.t;
      for (;;) {
        ++steps;
        if (step(x, x.t + h == t || h == t - x.t ? t : x.t + h, memory)) break;
        h *= 0.25;
        if (std::abs(h) < kSmallestStep * pace) return fail(x, x.t);
      }
    }
    return true;
  }
  /// Accelerations and multipliers.
  void evaluate(State& x) {
    turn_places(x);
    kernel_.evaluate(system_, x, work_);
    for (std::size_t i = 0; i < work_.lambda.size(); ++i) x.lambda()[i] = work_.lambda[i];
    kernel_.accelerations(system_, x, work_, x.a());
    if (layout_.sampled.empty()) return;
    system_.readings().calc_outputs(system_.look(x, work_), outputs_.data());
    for (const auto& [mark, channel] : layout_.sampled) x.marks()[mark] = outputs_[u(channel)];
  }
  /// The drives determine every motion here.
  bool regular(const State& x) {
    if (system_.layout().held_count() > kDenseRows || n_ == 0) return true;
    system_.look(x, work_);
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(kSingular);
    qr.compute(held_matrix(system_, work_) * scale_.asDiagonal());
    if (qr.rank() == n_) return true;
    return fail(x, x.t);
  }

  std::string message;
  long long steps = 0;

 private:
  bool settle(State& x) {
    if (system_.layout().held_count() == 0) return true;
    const double off = kernel_.held().correct_positions(system_, x, work_, 15);
    if (!(off < 1e-9)) return false;
    kernel_.held().correct_velocities(system_, x, work_);
    kernel_.held().correct_velocities(system_, x, work_);  // what rounding left
    system_.look(x, work_);
    double wrong = 0, size = 1e-300;
    for (const HeldRow& h : layout_.held) {
      wrong = std::max(wrong, std::abs(work_.row_rate[u(h.row)]));
      size = std::max(size, std::abs(work_.row_partial[u(h.row)]));
    }
    return wrong <= 1e-8 * std::max(1.0, size);
  }
  bool step(State& x, double t, bool memory) {
    const double h = t - x.t;
    double reach = 0;
    for (int i = 0; i < n_; ++i) {
      const int k = layout_.v_index(i);
      rate_[u(i)] = x.v()[k] + 0.5 * h * x.a()[k];
      rate_[u(n_ + i)] = x.a()[k];
      reach = std::max(reach, std::abs(h * rate_[u(i)]) / scale_[i]);
    }
    for (int i = 0; i < layout_.sizes.z; ++i) rate_[u(2 * n_ + i)] = 0;
    if (!(reach < kLargestTurn)) return false;
    next_ = x;
    system_.motion().move(x, h, rate_.data(), next_);
    system_.set_time(next_, t);
    if (memory) add_up(x, h);
    guess_ = next_;
    if (!settle(next_)) return false;
    std::vector<double>& miss = miss_;
    miss.assign(u(layout_.order_one()), 0);
    system_.motion().difference(guess_, next_, miss.data());
    for (int i = 0; i < n_; ++i) {
      if (!(std::abs(miss[u(i)]) / scale_[i] < kLargestMiss)) return false;
    }
    if (system_.remembers()) system_.accept(next_, work_);
    evaluate(next_);
    if (!kernel_.converged()) return false;
    if (memory) finish_memory(x, h);
    std::swap(x, next_);
    return true;
  }
  /// Memory of drives by speed: five points of Gauss. Other memory: the rate at the beginning.
  void add_up(const State& x, double h) {
    if (layout_.sizes.z == 0) return;
    static constexpr double kPoint[] = {0, 0.5384693101056831, 0.9061798459386640};
    static constexpr double kWeight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    probe_ = x;
    std::vector<double> sum(u(layout_.sizes.z), 0);
    for (int k = -2; k <= 2; ++k) {
      const double point = std::copysign(kPoint[std::abs(k)], k);
      system_.set_time(probe_, x.t + 0.5 * h * (1 + point));
      work_.eval = system_.view(probe_, work_);
      system_.calc_forces(work_.eval);
      for (int i = 0; i < layout_.sizes.z; ++i) sum[u(i)] += 0.5 * h * kWeight[std::abs(k)] * work_.eval.zdot[i];
    }
    probe_ = x;
    work_.eval = system_.view(probe_, work_);
    system_.calc_forces(work_.eval);
    slope_.assign(work_.eval.zdot, work_.eval.zdot + layout_.sizes.z);
    for (int i = 0; i < layout_.sizes.z; ++i) next_.z()[i] = x.z()[i] + (by_time_[u(i)] ? sum[u(i)] : h * slope_[u(i)]);
  }
  /// Other memory: the mean of the rates at both ends.
  void finish_memory(const State& x, double h) {
    for (int i = 0; i < layout_.sizes.z; ++i) {
      if (!by_time_[u(i)]) next_.z()[i] = x.z()[i] + 0.5 * h * (slope_[u(i)] + work_.rate[u(2 * n_ + i)]);
    }
  }
  /// Dry places slide where they slide.
  void turn_places(State& x) {
    if (system_.dry().empty()) return;
    const Eval e = system_.look(x, work_);
    for (const DryPlace& p : system_.dry()) {
      RestView view;
      p.owner->view(e, p.item, view);
      double size = 0;
      for (int d = 0; d < p.components; ++d) size += view.slip[d] * view.slip[d];
      size = std::sqrt(size);
      DryMarks marks = p.marks(x);
      marks.set_mode(size > 1e-12 ? DryMode::slip : DryMode::stick);
      if (size > 1e-12) marks.aim(view.slip, size);
    }
  }
  /// Why there is no position after this one, or no velocity here.
  bool fail(const State& x, double t) {
    double by = 0;
    std::string row;
    if (system_.layout().held_count() > 0 && next_.sizes() == x.sizes()) {
      system_.look(next_, work_);
      row = worst_row(layout_, work_.row_value, by);
    }
    message = fmt::format("t = {:.9g} s: ", t);
    const std::string trouble = system_.readings().may_be_troubled() ? system_.readings().trouble(system_.look(x, work_)) : "";
    if (!trouble.empty()) {
      message += trouble;
      return false;
    }
    system_.look(x, work_);
    const MatrixXd D = held_matrix(system_, work_) * scale_.asDiagonal();
    if (D.rows() > 0 && D.rows() <= 600) {
      // singular values and their directions; squares are exact enough to tell 2 % from nothing
      const Eigen::SelfAdjointEigenSolver<MatrixXd> motions(D.transpose() * D), rows(D * D.transpose());
      const Eigen::Index count = std::min<Eigen::Index>(D.rows(), n_);
      const double least = std::sqrt(std::max(rows.eigenvalues()[D.rows() - count], 0.0));
      const double most = std::sqrt(rows.eigenvalues()[D.rows() - 1]);
      if (count > 0 && (n_ > D.rows() || least < 0.02 * most)) {
        Eigen::Index body = 0, held = 0;
        motions.eigenvectors().col(0).cwiseAbs().maxCoeff(&body);
        rows.eigenvectors().col(D.rows() - count).cwiseAbs().maxCoeff(&held);
        const std::string name = unknown_names(layout_)[u(static_cast<int>(body))];
        const HeldRow& h = layout_.held[u(static_cast<int>(held))];
        message +=
            fmt::format("a singular position (dead centre or end of travel): the drives do not determine '{}' here, and {} ({}) ",
                        name.substr(0, name.find('.')), h.owner, h.name);
        message += "can be fulfilled in several ways or in none";
        return false;
      }
    }
    message += by > 1e-9 ? fmt::format("the loop cannot be closed any more: {} is off by {:.3g}", row, by)
                         : "no position was found near the last one; the drives may jump here";
    return false;
  }

  const System& system_;
  const Layout& layout_;
  Workspace work_;
  int n_;
  VectorXd scale_;
  Multipliers kernel_;
  State next_, guess_, probe_;
  std::vector<double> rate_, outputs_, slope_, miss_;
  std::vector<char> by_time_;
};

/// Peak, rms and work of every drive.
class DriveMeter {
 public:
  DriveMeter(const System& system, std::vector<DriveForce>& list) : layout_(system.layout()), list_(list) {
    for (std::size_t k = 0; k < layout_.held.size(); ++k) {
      const HeldRow& h = layout_.held[k];
      if (h.account < 0) continue;
      slots_.push_back(static_cast<int>(k));
      const std::string& name = layout_.accounts[u(h.account)].name;
      std::string unit = "N";
      for (const Channel& c : layout_.channels) {
        if (c.name == name + ".force") unit = c.unit;
      }
      list.push_back({name, unit});
    }
    squares_.assign(slots_.size(), 0);
    force_.assign(slots_.size(), 0);
    power_ = force_;
    work_ = system.make_workspace();
  }
  void add(const System& system, const State& x) {
    if (slots_.empty()) return;
    system.look(x, work_);
    const double h = count_++ == 0 ? 0 : x.t - t_;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const double force = -x.lambda()[slots_[i]];
      const double power = -force * work_.row_partial[u(layout_.held[u(slots_[i])].row)];
      DriveForce& d = list_[i];
      if (count_ == 1 || std::abs(force) > std::abs(d.peak)) d.peak = force, d.peak_time = x.t;
      squares_[i] += 0.5 * h * (force * force + force_[i] * force_[i]);
      d.work += 0.5 * h * (power + power_[i]);
      force_[i] = force;
      power_[i] = power;
      span_ += i == 0 ? h : 0;
      d.rms = span_ > 0 ? std::sqrt(squares_[i] / span_) : std::abs(force);
    }
    t_ = x.t;
  }

 private:
  const Layout& layout_;
  std::vector<DriveForce>& list_;
  std::vector<int> slots_;
  std::vector<double> squares_, force_, power_;
  Workspace work_;
  double t_ = 0, span_ = 0;
  long long count_ = 0;
};

/// Bodies that no joint and no drive holds.
std::string loose_bodies(const Layout& layout) {
  std::string names;
  for (const BodyInfo& b : layout.bodies) {
    if (!b.moves()) continue;
    bool held = false;
    for (const HeldRow& h : layout.held) {
      for (const RowPiece* p = layout.rows.begin(h.row); p != layout.rows.end(h.row); ++p) held = held || p->v == b.v;
    }
    if (!held) names += (names.empty() ? "'" : ", '") + b.name + "'";
  }
  return names;
}

}  // namespace

std::string kinematics_problem(const System& system) {
  const Layout& layout = system.layout();
  const int left = freedoms_of(system);
  if (left > 0) {
    const std::string loose = loose_bodies(layout);
    return fmt::format(
        "kinematics needs every freedom driven, but {} {} left{}. Give {} a drive, for example drive: {{speed: 3 rad/s}}, or run a "
        "transient analysis",
        left, left == 1 ? "is" : "are", loose.empty() ? "" : "; no joint holds " + loose,
        left == 1 ? "one more joint" : "more joints");
  }
  for (const PlaceInfo& p : layout.places) {
    if (std::find(layout.memory.begin(), layout.memory.end(), p.name) != layout.memory.end()) {
      return "place '" + p.name + "': law '" + p.law +
             "' has memory, which needs the history of the motion. Run a transient analysis with the same drives instead";
    }
  }
  return "";
}

KinematicsResult run_kinematics(const System& system, const KinematicsPlan& plan, const SeeState& see,
                                const std::atomic<bool>* stop) {
  const std::string problem = kinematics_problem(system);
  if (!problem.empty()) throw InputError({}, problem);
  const Stopwatch watch;
  KinematicsResult result;
  DriveMeter meter(system, result.drives);
  Motion motion(system);
  State x = system.make_state();
  const double every = plan.every > 0 ? plan.every : (plan.end - plan.start) / 4000;
  const auto whole = static_cast<long long>(std::floor((plan.end - plan.start) / every * (1 + 1e-12) + 1e-9));
  bool fine = motion.start(x, plan.start);
  for (long long k = 0; fine; ++k) {
    fine = motion.regular(x);
    if (!fine) break;
    see(x);
    meter.add(system, x);
    ++result.samples;
    if (x.t >= plan.end) break;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      result.end = RunStatus::End::interrupted;
      result.message = fmt::format("stopped at t = {:.9g} s of {:.9g} s", x.t, plan.end);
      break;
    }
    double t = plan.start + static_cast<double>(k + 1) * every;
    if (k + 1 > whole || t > plan.end - 1e-9 * every) t = plan.end;
    fine = motion.go(x, t, every);
  }
  if (!fine) {
    result.end = RunStatus::End::failed;
    result.message = motion.message;
  }
  result.t = x.t;
  result.steps = motion.steps;
  result.wall = watch.wall();
  result.processor = watch.processor();
  return result;
}

KinematicsResult record_kinematics(const System& system, const KinematicsPlan& plan, const RunHeader& given, Sink& sink,
                                   const std::atomic<bool>* stop) {
  RunHeader header = given;
  header.integrator = plan.forces ? "inverse dynamics" : "kinematics";
  header.places = system.layout().places;
  StateRecorder recorder(system, plan.channels, header);
  sink.begin(header);
  KinematicsResult result = run_kinematics(
      system, plan, [&](const State& x) { recorder.put(sink, x); }, stop);
  const std::string again = sink.resume_command();
  if (result.end == RunStatus::End::interrupted && !again.empty()) result.message += fmt::format("; `{}` starts it again", again);
  RunStatus status;
  status.end = result.end;
  status.message = result.message;
  status.counts = {{"samples", static_cast<double>(result.samples)}, {"predictions", static_cast<double>(result.steps)}};
  status.summary = {{"analysis", header.integrator}, {"simulated time", fmt::format("{:.6g} s", result.t)}};
  for (const DriveForce& d : result.drives) {
    status.summary.emplace_back(d.name, fmt::format("peak {:.6g} {} at {:.6g} s, rms {:.6g} {}, work {:.6g} J", d.peak, d.unit,
                                                    d.peak_time, d.rms, d.unit, d.work));
  }
  sink.end(status);
  return result;
}

}  // namespace bristle
