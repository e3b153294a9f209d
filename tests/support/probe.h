#pragma once
// Mechanisms as model texts, their states and rows: for tests of bodies in space.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "bristle/joint/plan.h"
#include "bristle/math/decompositions.h"
#include "support/models.h"
#include "support/numbers.h"

namespace bristle::test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

inline std::string text_of(const Vector3d& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z()); }
inline std::string text_of(const Eigen::Quaterniond& q) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}]", q.w(), q.x(), q.y(), q.z());
}
inline Eigen::Quaterniond random_turn(Dice& dice) {
  const auto u = dice.direction();
  return Eigen::Quaterniond(Eigen::AngleAxisd(dice.between(0.2, 3), Vector3d(u[0], u[1], u[2])));
}
inline Vector3d random_vector(Dice& dice, double size) {
  return {dice.between(-size, size), dice.between(-size, size), dice.between(-size, size)};
}

/// A model with its system, a state and the rows at it.
class Mechanism {
 public:
  explicit Mechanism(const std::string& text, const std::vector<std::string>& overrides = {},
                     const Elements& elements = all_elements())
      : model_(read_model_text(text, "test.yaml", overrides)),
        elements_(elements),
        system_(std::make_unique<System>(assemble(model_, {.elements = &elements}))),
        plan_(plan_transient(model_, elements)),
        work_(system_->make_workspace()),
        state_(system_->make_state()) {
    system_->set_time(state_, plan_.start);
  }
  const System& system() const { return *system_; }
  const Layout& layout() const { return system_->layout(); }
  const TransientPlan& plan() const { return plan_; }
  State& state() { return state_; }
  Workspace& work() { return work_; }

  /// Any configuration and velocity, whatever the joints say.
  void scatter(Dice& dice, double place = 0.5, double speed = 1) {
    const Layout& l = layout();
    for (int i = 0; i < l.scalars; ++i) state_.q()[i] += dice.between(-place, place);
    for (const FrameCoordinates& f : l.frames) {
      double* q = state_.q() + f.q;
      for (int i = 0; i < 3; ++i) q[i] += dice.between(-place, place);
      const Eigen::Quaterniond turn = random_turn(dice);
      const Quaternion p =
          normalised(product(Quaternion{q[3], q[4], q[5], q[6]}, Quaternion{turn.w(), turn.x(), turn.y(), turn.z()}));
      for (std::size_t i = 0; i < 4; ++i) q[3 + i] = p[i];
    }
    push(dice, speed);
    for (int i = 0; i < l.sizes.z; ++i) state_.z()[i] += dice.between(-0.1, 0.1);
    system_->accept(state_, work_);
  }
  /// Any velocity.
  void push(Dice& dice, double speed) {
    for (int i = 0; i < layout().free(); ++i) state_.v()[layout().v_index(i)] = dice.between(-speed, speed);
  }
  /// Velocities that the joints allow, nearest to the present ones.
  void settle() {
    Multipliers kernel;
    Enforcement e;
    e.corrects = true;
    kernel.prepare(*system_, e);
    kernel.held().correct_positions(*system_, state_, work_, 50);
    kernel.held().correct_velocities(*system_, state_, work_);
    kernel.held().correct_velocities(*system_, state_, work_);
  }
  Eval look() { return look(state_); }
  /// Rows as in a step: with drifts.
  void evaluate() {
    Eval e = system_->view(state_, work_);
    system_->calc_forces(e);
  }
  Eval look(const State& x) { return system_->look(x, work_); }

  /// Row as a dense vector over the free velocities.
  VectorXd row(int r) const {
    VectorXd d = VectorXd::Zero(layout().free());
    layout().rows.each(r, work_.D.data(), [&](int v, double c) {
      if (layout().unknown(v) >= 0) d[layout().unknown(v)] += c;
    });
    return d;
  }
  MatrixXd held_rows() const {
    MatrixXd D(system_->layout().held_count(), layout().free());
    for (int k = 0; k < system_->layout().held_count(); ++k)
      D.row(k) = row(layout().held[static_cast<std::size_t>(k)].row).transpose();
    return D;
  }
  MatrixXd mass() const {
    MatrixXd M = MatrixXd::Zero(layout().free(), layout().free());
    for (const MassBlock& b : system_->masses().blocks()) {
      for (int i = 0; i < b.count; ++i) {
        for (int j = 0; j < b.count; ++j)
          M(layout().unknown(b.v + i), layout().unknown(b.v + j)) = b.mass[static_cast<std::size_t>(i * b.count + j)];
      }
    }
    return M;
  }
  VectorXd velocity() const {
    VectorXd v(layout().free());
    for (int i = 0; i < layout().free(); ++i) v[i] = state_.v()[layout().v_index(i)];
    return v;
  }
  /// The state moved by h times a change of the free coordinates (velocities stay).
  State moved(const VectorXd& by, double h) const {
    std::vector<double> rate(static_cast<std::size_t>(layout().order_one()), 0.0);
    for (int i = 0; i < layout().free(); ++i) rate[static_cast<std::size_t>(i)] = by[i];
    State out = state_;
    system_->motion().move(state_, h, rate.data(), out);
    return out;
  }
  int rank() const {
    const MatrixXd D = held_rows();
    if (D.rows() == 0) return 0;
    Eigen::JacobiSVD<MatrixXd> svd(D);
    svd.setThreshold(1e-10);
    return static_cast<int>(svd.rank());
  }

  Run& start() {
    run_ = make_run(model_, *system_, plan_, elements_);
    run_->start(state_);
    return *run_;
  }
  /// To a time, or the test fails.
  bool go(double end) {
    if (!run_) start();
    if (run_->advance_to(end)) return true;
    ADD_FAILURE() << run_->message();
    return false;
  }
  Run& run() { return *run_; }
  double read(const std::string& channel) {
    std::vector<double> out(layout().channels.size());
    run_->system().readings().calc_outputs(run_->system().look(run_->state(), run_->workspace()), out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (layout().channels[i].name == channel) return out[i];
    }
    ADD_FAILURE() << "no channel " << channel;
    return 0;
  }
  Vector3d vector(const std::string& channel) { return {read(channel + ".x"), read(channel + ".y"), read(channel + ".z")}; }
  Eigen::Matrix3d attitude(const std::string& body) {
    return Eigen::Quaterniond(read(body + ".orientation.w"), read(body + ".orientation.x"), read(body + ".orientation.y"),
                              read(body + ".orientation.z"))
        .toRotationMatrix();
  }
  double residual() const { return run_->ledger().worst_residual() / run_->ledger().scale(); }

  struct Momentum {
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();  ///< about the origin
  };
  Momentum momentum(const State& x) {
    Momentum sum;
    const MatrixXd M = mass();
    const Eval e = look(x);
    for (std::size_t k = 1; k < layout().bodies.size(); ++k) {
      const BodyInfo& b = layout().bodies[k];
      const int n = b.count;
      const int at = layout().unknown(b.v);
      VectorXd v(n);
      for (int i = 0; i < n; ++i) v[i] = x.v()[b.v + i];
      const VectorXd p = M.block(at, at, n, n) * v;
      const Pose& pose = e.pose[k];
      const Vector3d place(pose.p[0], pose.p[1], pose.p[2]);
      Vector3d linear = p.head<3>(), turn = Vector3d::Zero();
      if (b.turns() == 1) linear.z() = 0, turn.z() = p[2];
      if (b.turns() == 3) {
        Eigen::Matrix3d R;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) R(i, j) = pose.R(i, j);
        }
        turn = R * p.tail<3>();
      }
      sum.linear += linear;
      sum.angular += place.cross(linear) + turn;
    }
    return sum;
  }

 private:
  Model model_;
  const Elements& elements_;
  std::unique_ptr<System> system_;
  TransientPlan plan_;
  Workspace work_;
  State state_;
  std::unique_ptr<Run> run_;
};

/// A joint of a type between two bodies, with friction where it can have any.
struct JointText {
  std::string type = {}, a = "a", b = "b";
  Vector3d at{0.3, 0.1, -0.2}, axis{0.48, 0.6, 0.64},
      across{0.78086880944303039, -0.62469504755442429, 0};  ///< across is square to the axis
  double scale = 1;                                          ///< of all lengths
  std::string friction = {};
  double preload = 0;
  std::string more = {};  ///< further keys

  std::string text() const {
    std::string s = fmt::format("{{type: {}, between: [{}, {}], at: {}", type, a, b, text_of(at));
    s += fmt::format(", axis: {}", text_of(axis));
    if (type == "universal") s += fmt::format(", second_axis: {}", text_of(across));
    else s += fmt::format(", x_axis: {}", text_of(across));
    if (type == "distance") s += fmt::format(", at_b: {}", text_of(at + scale * 0.4 * axis));
    if (type == "screw") s += fmt::format(", lead: {:.17g}", scale * 0.05);
    if (!friction.empty() && rubs(type)) {
      s += ", friction: " + friction;
      for (std::string key : entry(type).sizes) {
        if (key[0] == '!') key.erase(0, 1);
        if (key == "pin_radius") s += fmt::format(", pin_radius: {:.17g}", scale * 0.02);
        if (key == "friction_arm") s += fmt::format(", friction_arm: {:.17g}", scale * 0.015);
        if (key == "bending_arm") s += fmt::format(", bending_arm: {:.17g}", scale * 0.1);
        if (key == "width") s += fmt::format(", width: {:.17g}", scale * 0.08);
        if (key == "length") s += fmt::format(", length: {:.17g}", scale * 0.12);
      }
      if (preload > 0) s += fmt::format(", preload: {:.17g}", preload);
    }
    return s + (more.empty() ? "" : ", " + more) + "}";
  }
  static inline std::vector<JointEntry> others;  ///< that the library does not have
  static const JointEntry& entry(const std::string& type) {
    for (const std::vector<JointEntry>* list : {&joint_list(), static_cast<const std::vector<JointEntry>*>(&others)}) {
      for (const JointEntry& e : *list) {
        if (e.name == type) return e;
      }
    }
    throw std::logic_error("no joint " + type);
  }
  static bool rubs(const std::string& type) { return !entry(type).sizes.empty(); }
  /// Rows that the documentation promises: "(5 rows)".
  static int declared(const std::string& type) {
    const std::string& s = entry(type).summary;
    return s[s.rfind('(') + 1] - '0';
  }
};

}  // namespace bristle::test
