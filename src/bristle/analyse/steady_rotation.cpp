#include "bristle/analyse/steady_rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analyse/reduction.h"
#include "bristle/base/error.h"
#include "bristle/base/index.h"
#include "bristle/math/decompositions.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kBalanced = 1e-9;   // of the largest force: what counts as balance
constexpr double kConstant = 1e-10;  // of the largest entry: what counts as the same matrix

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}
Eigen::Quaterniond attitude(const State& x, int q) {
  const double* p = x.q() + q + 3;
  return {p[0], p[1], p[2], p[3]};
}
double largest(const MatrixXd& A) { return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff(); }

/// Derivatives of the forces on the free coordinates.
class Slopes final : public JacobianSink {
 public:
  explicit Slopes(const Layout& layout) : by_q(MatrixXd::Zero(layout.free(), layout.free())), by_v(by_q), layout_(layout) {}
  void add(Part part, int row, int column, double value) override {
    if (part != Part::force_q && part != Part::force_v) return;
    const int i = layout_.unknown(row), j = layout_.unknown(column);
    if (i >= 0 && j >= 0) (part == Part::force_q ? by_q : by_v)(i, j) += value;
  }
  MatrixXd by_q, by_v;

 private:
  const Layout& layout_;
};

}  // namespace

/// Everything about one configuration in steady rotation.
struct RotationSearch::Pieces {
  VectorXd push;  ///< forces less inertia, without what joints carry
  VectorXd left;  ///< what is left of them when joints carry what they can
  VectorXd off;   ///< values of the held rows
  MatrixXd D, N;  ///< held rows; motions that they allow
  VectorXd ease;  ///< displacement that closes the rows
  MatrixXd by_q, by_v;
  VectorXd carried;  ///< by the held rows
  double size = 0;   ///< largest force, as a moment
};

RotationSearch::RotationSearch(const System& system, const RotationAxis& axis, const State& start)
    : system_(system),
      layout_(system.layout()),
      axis_(axis),
      work_(system.make_workspace()),
      n_(layout_.free()),
      m_(system.layout().held_count()),
      scale_(unknown_scales(system)),
      M_(mass_matrix(system)),
      length_(length_scale(system)),
      names_(unknown_names(layout_)),
      last_(start) {
  rate_.assign(u(layout_.order_one()), 0);
  std::fill_n(last_.v(), layout_.sizes.v, 0.0);
  for (const HeldRow& h : layout_.held) {
    if (!h.holonomic)
      throw SolveError("steady rotation: " + h.owner + " rolls; small motions about it are not those of coordinates");
  }
  std::vector<char> used(axis_.still.size(), 0);
  for (const BodyInfo& b : layout_.bodies) {
    const int at = b.moves() ? layout_.unknown(b.v) : -1;
    if (at < 0) continue;
    if (b.is_matrix() || !system.masses().constant())
      throw SolveError(
          "steady rotation: body '" + b.name +
          "' changes its shape or its inertia with its position; only rigid bodies, particles and beams can be looked at");
    Turning t{b.shifts(), b.turns(), at, b.q, true, axis_.direction, b.name};
    for (std::size_t k = 0; k < axis_.still.size(); ++k) {
      if (b.name != axis_.still[k] && !b.name.starts_with(axis_.still[k] + ".")) continue;
      t.spins = false;
      used[k] = 1;
    }
    if (t.turns == 1 && std::abs(axis_.direction[2]) < 1)
      throw SolveError("steady rotation: body '" + b.name + "' moves in the plane x, y and can only turn about z");
    if (t.turns == 3) t.axis = attitude(start, b.q).conjugate() * axis_.direction;
    bodies_.push_back(std::move(t));
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) throw SolveError("steady rotation: still: there is no body '" + axis_.still[k] + "' that could turn");
  }
  if (bodies_.empty()) throw SolveError("steady rotation: the model has no bodies in space that could turn");
}

void RotationSearch::steady_velocities(State& x, double speed) const {
  const Vector3d& n = axis_.direction;
  const double frame = frame_speed(speed);
  for (const Turning& b : bodies_) {
    double* v = x.v() + layout_.v_index(b.at);
    const int count = b.shifts;
    Vector3d p = Vector3d::Zero();
    for (int k = 0; k < count; ++k) p[k] = x.q()[b.q + k];
    const Vector3d rate = frame * n.cross(p - axis_.point);
    for (int k = 0; k < count; ++k) v[k] = rate[k];
    if (b.turns == 1) v[2] = n[2] * (frame + spin(b, speed));
    if (b.turns != 3) continue;
    const Vector3d w = frame * (attitude(x, b.q).conjugate() * n) + spin(b, speed) * b.axis;
    for (int k = 0; k < 3; ++k) v[3 + k] = w[k];
  }
}

VectorXd RotationSearch::steady_accelerations(const State& x, double speed) const {
  const Vector3d& n = axis_.direction;
  const double frame = frame_speed(speed);
  VectorXd a = VectorXd::Zero(n_);
  for (const Turning& b : bodies_) {
    const int count = b.shifts;
    Vector3d p = Vector3d::Zero();
    for (int k = 0; k < count; ++k) p[k] = x.q()[b.q + k];
    const Vector3d pull = frame * frame * n.cross(n.cross(p - axis_.point));
    for (int k = 0; k < count; ++k) a[b.at + k] = pull[k];
    if (b.turns != 3) continue;
    a.segment<3>(b.at + 3) = -spin(b, speed) * frame * b.axis.cross(attitude(x, b.q).conjugate() * n);
  }
  return a;
}

void RotationSearch::calc_pieces(const State& given, double speed, Pieces& out, bool slopes) {
  State x = given;
  steady_velocities(x, speed);
  work_.eval = system_.view(x, work_);
  system_.calc_forces(work_.eval);
  out.push.resize(n_);
  for (int i = 0; i < n_; ++i) out.push[i] = work_.f[u(layout_.v_index(i))];
  if (!out.push.allFinite()) throw SolveError("steady rotation: the forces are undefined");
  const VectorXd inertia = M_ * steady_accelerations(x, speed);
  out.size = std::max(out.push.cwiseProduct(scale_).cwiseAbs().maxCoeff(), inertia.cwiseProduct(scale_).cwiseAbs().maxCoeff());
  out.push -= inertia;
  out.left = out.push;
  out.off.resize(m_);
  for (int k = 0; k < m_; ++k) out.off[k] = work_.row_value[u(layout_.held[u(k)].row)];
  out.D = held_matrix(system_, work_);
  VectorXd lambda = VectorXd::Zero(m_);
  if (m_ == 0) {
    out.N = scale_.asDiagonal();
    out.ease = VectorXd::Zero(n_);
  } else {
    const MatrixXd rows = scale_.asDiagonal() * out.D.transpose();
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(1e-9);
    qr.compute(rows);
    const Eigen::Index rank = qr.rank();
    MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n_, n_);
    out.N = scale_.asDiagonal() * Q.rightCols(n_ - rank);
    lambda = qr.solve(scale_.cwiseProduct(out.push));
    const VectorXd carried = out.D.transpose() * lambda;
    out.size = std::max(out.size, carried.cwiseProduct(scale_).cwiseAbs().maxCoeff());
    out.left = out.push - carried;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> closing;
    closing.setThreshold(1e-9);
    closing.compute(rows.transpose());
    out.ease = -scale_.cwiseProduct(VectorXd(closing.solve(out.off)));
  }
  if (!slopes) return;
  for (int k = 0; k < m_; ++k) x.lambda()[k] = lambda[k];
  out.carried = lambda;
  Slopes sink(layout_);
  system_.calc_jacobian(x, work_, sink);
  out.by_q = std::move(sink.by_q);
  // positions are rounded, and stiff elements make forces of that
  out.size = std::max(out.size, 1e-5 * largest(scale_.asDiagonal() * out.by_q * scale_.asDiagonal()));
  out.by_v = std::move(sink.by_v);
}

SteadyRotation RotationSearch::reduce(const State& x, double speed, const Pieces& p) const {
  SteadyRotation r;
  r.speed = speed;
  r.state = x;
  steady_velocities(r.state, speed);
  for (int k = 0; k < m_; ++k) r.state.lambda()[k] = p.carried[k];
  r.basis = p.N;
  // changes of velocity and acceleration: dq' + S dq, dq'' + T dq' + T2 dq
  MatrixXd S = MatrixXd::Zero(n_, n_), T = S, T2 = S;
  const double frame = frame_speed(speed);
  const Matrix3d n = cross_matrix(axis_.direction);
  for (const Turning& b : bodies_) {
    const int count = b.shifts;
    S.block(b.at, b.at, count, count) = frame * n.topLeftCorner(count, count);
    T.block(b.at, b.at, count, count) = 2 * frame * n.topLeftCorner(count, count);
    T2.block(b.at, b.at, count, count) = frame * frame * (n * n).topLeftCorner(count, count);
    if (b.turns != 3) continue;
    const Matrix3d W = frame * cross_matrix(attitude(x, b.q).conjugate() * axis_.direction);
    const Matrix3d B = spin(b, speed) * cross_matrix(b.axis);
    S.block<3, 3>(b.at + 3, b.at + 3) = W;
    T.block<3, 3>(b.at + 3, b.at + 3) = W - B;
    T2.block<3, 3>(b.at + 3, b.at + 3) = -B * W;
  }
  r.M = p.N.transpose() * M_ * p.N;
  r.C = p.N.transpose() * (M_ * T - p.by_v) * p.N;
  r.K = p.N.transpose() * (M_ * T2 - p.by_q - p.by_v * S) * p.N;

  // the rotation itself
  State unit = x;
  std::fill_n(unit.v(), layout_.sizes.v, 0.0);
  steady_velocities(unit, 1);
  VectorXd along(n_);
  for (int i = 0; i < n_; ++i) along[i] = unit.v()[layout_.v_index(i)];
  const VectorXd against = p.D * along;
  bool driven = false;
  for (int k = 0; k < m_; ++k) {
    const HeldRow& h = layout_.held[u(k)];
    if (std::abs(against[k]) <= 1e-8 * std::max(1.0, length_)) continue;
    if (h.account < 0)
      throw SolveError(fmt::format(
          "steady rotation: {} ({}) does not let the bodies turn about the axis. Name those that do not turn under still",
          h.owner, h.name));
    driven = true;
  }
  if (!driven) {
    const VectorXd weight = p.N.transpose() * along.cwiseQuotient(scale_.cwiseAbs2());
    r.onwards = weight / std::sqrt(weight.dot(r.M * weight));
  }
  return r;
}

std::string RotationSearch::worst(const VectorXd& left) const {
  int i = 0;
  left.cwiseProduct(scale_).cwiseAbs().maxCoeff(&i);
  const bool moment = names_[u(i)].find(".turn") != std::string::npos;
  return fmt::format("the {} is off by {:.4g} {}", layout_.name_of(n_ + i), left[i], moment ? "N m" : "N");
}

/// The configuration that turns at a speed.
struct RotationSearch::Balance {
  RotationSearch& s;
  State& x;
  double speed;
  SteadyRotation& result;
  std::string& why;
  Pieces p;
  VectorXd right, step;
  MatrixXd K;
  double slowing = 0, by = 0;
  bool rounding = false, balanced = false;  // nothing but rounding moves it; that is a balance

  bool evaluate() {
    s.calc_pieces(x, speed, p, true);
    const int iterations = result.iterations;
    result = s.reduce(x, speed, p);
    result.iterations = iterations;
    right = p.N.transpose() * p.push;
    K = result.K;
    slowing = 0;
    if (result.onwards.size() > 0) {
      // the angle of the rotation is free: it stays where it is
      const VectorXd momentum = result.M * result.onwards;
      const VectorXd along = result.onwards.dot(right) * momentum;
      slowing = largest(along);
      right -= along;
      K += std::max(largest(K) / largest(result.M), 1.0) * momentum * momentum.transpose();
    }
    why = s.worst(p.left);
    return true;
  }
  bool settled() {
    const double gap = largest(p.off) / s.length_, force = largest(right);
    if (!rounding && !(gap < 1e-13 && force <= 1e-15 * p.size)) return false;
    balanced = !(gap > 1e-9 || force > kBalanced * p.size);
    if (balanced && slowing > kBalanced * p.size) {
      balanced = false;
      why = "nothing keeps the speed: " + why + ". Give the shaft a drive, or leave out what slows it down";
    }
    return true;
  }
  bool solve() {
    step = p.N * VectorXd(K.partialPivLu().solve(right)) + p.ease;
    by = step.cwiseQuotient(s.scale_).cwiseAbs().maxCoeff();
    return by < 1;
  }
  double size() const { return by; }
  void take(double) {
    for (int i = 0; i < s.n_; ++i) s.rate_[u(i)] = step[i];
    State next = x;
    s.system_.motion().move(x, 1, s.rate_.data(), next);
    x = std::move(next);
    ++result.iterations;
  }
  NewtonStep judge(const Contraction& c) {
    rounding = by < 1e-13 || (by < 1e-8 && c.stalls());
    return NewtonStep::on;
  }
};

bool RotationSearch::newton(State& x, double speed, SteadyRotation& result, std::string& why) {
  constexpr int kLimit = 40;
  Balance balance{*this, x, speed, result, why, {}, {}, {}, {}};
  Contraction contraction(kLimit);
  bristle::newton(balance, contraction, kLimit);
  return balance.balanced;
}

SteadyRotation RotationSearch::find(double speed) {
  SteadyRotation result;
  double step = speed - last_speed_;
  for (int halvings = 0; halvings <= 10;) {
    const bool all = std::abs(step) >= std::abs(speed - last_speed_) * (1 - 1e-12);
    const double to = all ? speed : last_speed_ + step;
    State x = last_;
    std::string why;
    if (newton(x, to, result, why)) {
      last_ = x;
      last_speed_ = to;
      if (all) return result;
      continue;
    }
    if (step == 0 || halvings == 10)
      throw SolveError(fmt::format("steady rotation: none was found at {:.6g} rad/s: {}", to, why));
    step *= 0.5;
    ++halvings;
  }
  return result;
}

State RotationSearch::turned(const State& x, double angle, MatrixXd& G) const {
  State y = x;
  const bool frame = axis_.frame == RotationFrame::turning;
  const Eigen::Quaterniond Q(Eigen::AngleAxisd(frame ? angle : 0, axis_.direction));
  const Matrix3d R = Q.toRotationMatrix();
  G = MatrixXd::Identity(n_, n_);
  for (const Turning& b : bodies_) {
    const int count = b.shifts;
    Vector3d p = Vector3d::Zero();
    for (int k = 0; k < count; ++k) p[k] = x.q()[b.q + k] - axis_.point[k];
    p = Q * p;
    for (int k = 0; k < count; ++k) y.q()[b.q + k] = p[k] + axis_.point[k];
    G.block(b.at, b.at, count, count) = R.topLeftCorner(count, count);
    const double own = spin(b, 1) * angle;
    if (b.turns == 1) y.q()[b.q + 2] += axis_.direction[2] * ((frame ? angle : 0) + own);
    if (b.turns != 3) continue;
    const Eigen::Quaterniond E(Eigen::AngleAxisd(own, b.axis));
    const Eigen::Quaterniond moved = (Q * attitude(x, b.q) * E).normalized();
    double* q = y.q() + b.q + 3;
    q[0] = moved.w(), q[1] = moved.x(), q[2] = moved.y(), q[3] = moved.z();
    G.block<3, 3>(b.at + 3, b.at + 3) = E.toRotationMatrix().transpose();
  }
  return y;
}

void RotationSearch::check(const SteadyRotation& r) {
  const bool turning = axis_.frame == RotationFrame::turning;
  const std::string hint =
      turning ? " In the turning frame everything must be alike in all directions about the axis but what turns; "
                "a rotor that is itself alike in all directions can be looked at with frame: stationary"
              : " In the stationary frame what turns must be alike in all directions about its own axis; "
                "a rotor that is not can be looked at with frame: turning";
  for (double angle : {1.0, 2.4, 4.1}) {
    MatrixXd G;
    const State y = turned(r.state, angle, G);
    const std::string after =
        fmt::format("steady rotation: at {:.6g} rad/s, {:.0f} deg onwards, ", r.speed, angle * 57.29577951308232);
    Pieces p;
    calc_pieces(y, r.speed, p, true);
    for (int k = 0; k < m_; ++k) {
      const HeldRow& h = layout_.held[u(k)];
      if (h.account < 0 && std::abs(p.off[k]) > 1e-9 * std::max(1.0, length_))
        throw SolveError(after + fmt::format("{} ({}) is off by {:.3g}.", h.owner, h.name, p.off[k]) + hint);
    }
    const MatrixXd weight = G.transpose() * M_ * G - M_;
    int i = 0, j = 0;
    if (weight.cwiseAbs().maxCoeff(&i, &j) > kConstant * largest(M_))
      throw SolveError(
          after + fmt::format("the inertia of '{}' is another one.", names_[u(i)].substr(0, names_[u(i)].rfind('.'))) + hint);
    const VectorXd left = G.transpose() * p.left;
    if (left.cwiseProduct(scale_).cwiseAbs().maxCoeff() > 10 * kBalanced * p.size)
      throw SolveError(after + worst(left) + "." + hint);
    const MatrixXd free = p.D * G * r.basis;
    if (m_ > 0 && free.cwiseAbs().maxCoeff(&i, &j) > 1e-7 * largest(p.D * scale_.asDiagonal()))
      throw SolveError(after +
                       fmt::format("{} ({}) holds another direction.", layout_.held[u(i)].owner, layout_.held[u(i)].name) + hint);
    Pieces same = p;
    same.N = r.basis;
    same.by_q = G.transpose() * p.by_q * G;
    same.by_v = G.transpose() * p.by_v * G;
    same.D = p.D * G;
    const SteadyRotation other = reduce(r.state, r.speed, same);
    const auto differs = [&](const MatrixXd& a, const MatrixXd& b, const char* what) {
      const MatrixXd change = b - a;
      const double size = largest(a);
      if (largest(change) <= kConstant * size) return;
      const MatrixXd all = r.basis * change * r.basis.transpose();
      all.cwiseAbs().maxCoeff(&i, &j);
      throw SolveError(
          after +
          fmt::format("the {} at '{}' is another one, by {:.3g} of the largest.", what, names_[u(i)], largest(change) / size) +
          hint);
    };
    differs(r.K, other.K, "stiffness");
    if (largest(r.C) > 0) differs(r.C, other.C, "damping");
  }
}

}  // namespace bristle
