#include "bristle/analyse/linearise.h"

#include <algorithm>
#include <cmath>

#include "bristle/analyse/reduction.h"
#include "bristle/base/error.h"
#include "bristle/base/index.h"
#include "bristle/base/text.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"
#include "bristle/math/newton.h"

namespace bristle {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Steps of the differences, of turns in radians and displacements over the length scale. Fourth order after extrapolation:
/// smaller costs digits by rounding, larger by curvature.
constexpr double kStep = 1e-4;
constexpr double kSpeedStep = 1e-3;
// Differences over two widths that disagree by more have met a kink, as of a cable that goes slack: nearer then, a tenth each time
constexpr double kKink = 1e-4;
constexpr int kNearer = 4;
constexpr int kPasses = 20;         // of Newton's method: rows that are off by less and less, down to nothing, are closed
constexpr double kRounding = 1e-6;  // of the steepest column: slopes that are rounding have no kinks

/// States near one, by independent coordinates and their velocities. Turns are those of the world or of the body's axes.
class Neighbourhood {
 public:
  Neighbourhood(const System& system, const State& x, LinearAxes axes)
      : system_(system), layout_(system.layout()), x0_(x), x_(x), axes_(axes), work_(system.make_workspace()) {
    kernel_.prepare(system);
    n_ = layout_.free();
    rate_.assign(u(layout_.order_one()), 0);
    outputs_.assign(layout_.channels.size(), 0);
    system_.keep_elastic(x_);
    choose();
    v0_ = given_velocities(x0_);
  }

  int freedoms() const { return static_cast<int>(independent.size()); }

  /// Moves to independent changes s, speeds v0 + du, memory z0 + dz, and evaluates there.
  void go(const VectorXd& s, const VectorXd& du, const VectorXd& dz) {
    y_ = N * s;
    set_positions();
    for (int i = 0; i < layout_.sizes.z; ++i) x_.z()[i] += dz[i];
    if (system_.layout().held_count() > 0) close();
    VectorXd v = v0_;
    for (int k = 0; k < freedoms(); ++k) v[independent[u(k)]] += du[k];
    set_velocities(v);
    if (system_.layout().held_count() > 0) follow(v);
    kernel_.evaluate(system_, x_, work_);
    if (!kernel_.converged()) throw SolveError("the joints have no accelerations near the state about which it is linearised");
  }
  VectorXd accelerations() {
    VectorXd a(n_);
    for (int i = 0; i < n_; ++i) a[i] = work_.rate[u(n_ + i)];
    turn(x_, a, false);
    VectorXd chosen(freedoms());
    for (int k = 0; k < freedoms(); ++k) chosen[k] = a[independent[u(k)]];
    return chosen;
  }
  VectorXd memory_rates() const { return Eigen::Map<const VectorXd>(work_.rate.data() + 2 * n_, layout_.sizes.z); }
  const std::vector<double>& outputs() {
    for (std::size_t i = 0; i < work_.lambda.size(); ++i) x_.lambda()[i] = work_.lambda[i];
    kernel_.accelerations(system_, x_, work_, x_.a());
    system_.readings().calc_outputs(system_.look(x_, work_), outputs_.data());
    return outputs_;
  }
  /// How s changes because the state itself turns while the motion goes on.
  MatrixXd transport() const {
    MatrixXd T = MatrixXd::Zero(freedoms(), freedoms());
    for (const FrameCoordinates& f : layout_.frames) {
      const int at = f.unknown + 3;
      const Eigen::Vector3d w = v0_.segment<3>(at);
      for (int j = 0; j < freedoms(); ++j) {
        const Eigen::Vector3d turned = w.cross(Eigen::Vector3d(N.col(j).segment<3>(at)));
        for (int i = 0; i < freedoms(); ++i) {
          const int r = independent[u(i)] - at;
          if (r >= 0 && r < 3) T(i, j) += axes_ == LinearAxes::world ? turned[r] : -turned[r];
        }
      }
    }
    return T;
  }
  MatrixXd mass() const {
    MatrixXd M = mass_matrix(system_, x0_);
    for (const FrameCoordinates& f : layout_.frames) {
      if (axes_ != LinearAxes::world) break;
      const int at = f.unknown;
      const Eigen::Matrix3d R = attitude(x0_, f);
      const Eigen::Matrix3d J = M.block<3, 3>(at + 3, at + 3);
      M.block<3, 3>(at + 3, at + 3) = R * J * R.transpose();
    }
    return N.transpose() * M * N;
  }

  MatrixXd N;
  std::vector<int> independent;

 private:
  static Eigen::Matrix3d attitude_of(const double* q) { return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix(); }
  static Eigen::Matrix3d attitude(const State& x, const FrameCoordinates& f) { return attitude_of(x.q() + f.q + 3); }
  /// Turns of a vector over the free velocities between body axes at a state and the axes of the linearisation.
  void turn(const State& x, VectorXd& y, bool to_body) const {
    if (axes_ == LinearAxes::body) return;
    for (const FrameCoordinates& f : layout_.frames) {
      const int at = f.unknown + 3;
      const Eigen::Matrix3d R = attitude(x, f);
      const Eigen::Vector3d w = y.segment<3>(at);
      y.segment<3>(at) = to_body ? Eigen::Vector3d(R.transpose() * w) : Eigen::Vector3d(R * w);
    }
  }
  VectorXd given_velocities(const State& x) const {
    VectorXd v(n_);
    for (int i = 0; i < n_; ++i) v[i] = x.v()[layout_.v_index(i)];
    turn(x, v, false);
    return v;
  }
  void set_velocities(VectorXd v) {
    turn(x_, v, true);
    for (int i = 0; i < n_; ++i) x_.v()[layout_.v_index(i)] = v[i];
  }
  /// Independent coordinates: those that the best conditioned part of the held rows does not determine.
  void choose() {
    system_.look(x0_, work_);
    MatrixXd D = held_matrix(system_, work_);
    for (const FrameCoordinates& f : layout_.frames) {
      if (axes_ != LinearAxes::world) break;
      const int at = f.unknown + 3;
      D.middleCols(at, 3) = (D.middleCols(at, 3) * attitude(x0_, f).transpose()).eval();
    }
    std::vector<char> depends(u(n_), 0);
    int rank = 0;
    if (D.rows() > 0) {
      Eigen::ColPivHouseholderQR<MatrixXd> qr;
      qr.setThreshold(1e-9);
      qr.compute(D * unknown_scales(system_).asDiagonal());
      rank = static_cast<int>(qr.rank());
      for (int k = 0; k < rank; ++k) depends[u(static_cast<int>(qr.colsPermutation().indices()[k]))] = 1;
    }
    for (int i = 0; i < n_; ++i) (depends[u(i)] ? dependent_ : independent).push_back(i);
    N = MatrixXd::Zero(n_, freedoms());
    for (int k = 0; k < freedoms(); ++k) N(independent[u(k)], k) = 1;
    if (rank == 0) return;
    MatrixXd on(D.rows(), rank), by(D.rows(), freedoms());
    for (int k = 0; k < rank; ++k) on.col(k) = D.col(dependent_[u(k)]);
    for (int k = 0; k < freedoms(); ++k) by.col(k) = D.col(independent[u(k)]);
    solver_.setThreshold(1e-12);
    solver_.compute(on);
    const MatrixXd slope = -solver_.solve(by);
    for (int k = 0; k < rank; ++k) N.row(dependent_[u(k)]) = slope.row(k);
  }
  void set_positions() {
    VectorXd step = y_;
    turn(x0_, step, true);
    for (int i = 0; i < n_; ++i) rate_[u(i)] = step[i];
    system_.motion().move(x0_, 1, rate_.data(), x_);
  }
  VectorXd held(const std::vector<double>& of) const {
    VectorXd r(system_.layout().held_count());
    for (int k = 0; k < r.size(); ++k) r[k] = of[u(layout_.held[u(static_cast<int>(k))].row)];
    return r;
  }
  /// What is missed by the held rows, or by their rates, closes in by Newton's method on what depends. It ends where it no longer shrinks.
  struct Closing {
    Neighbourhood& of;
    VectorXd* v;  ///< velocities; null: positions
    VectorXd left = {}, step = {};
    double off = 0, before = kInfinity;

    bool evaluate() {
      of.system_.look(of.x_, of.work_);
      left = of.held(v != nullptr ? of.work_.row_rate : of.work_.row_value);
      off = left.lpNorm<Eigen::Infinity>();
      return true;
    }
    bool settled() {
      if (off == 0 || !(off <= 0.5 * before)) return true;
      before = off;
      return false;
    }
    bool solve() {
      step = of.solver_.solve(left);
      return true;
    }
    double size() const { return step.norm(); }
    void take(double) {
      VectorXd& moved = v != nullptr ? *v : of.y_;
      for (int k = 0; k < step.size(); ++k) moved[of.dependent_[u(static_cast<int>(k))]] -= step[k];
      if (v != nullptr) {
        of.set_velocities(*v);
        return;
      }
      const std::vector<double> z(of.x_.z(), of.x_.z() + of.layout_.sizes.z);
      of.set_positions();
      std::copy(z.begin(), z.end(), of.x_.z());
    }
    static NewtonStep judge(const Contraction&) { return NewtonStep::on; }
  };
  /// Dependent coordinates follow from the independent ones.
  void close() {
    Closing closing{*this, nullptr};
    Contraction contraction;
    newton(closing, contraction, kPasses);
    if (!(closing.off < 1e-9)) throw SolveError("the joints cannot be closed near the state about which it is linearised");
  }
  /// Dependent velocities follow from the independent ones.
  void follow(VectorXd& v) {
    Closing closing{*this, &v};
    Contraction contraction;
    newton(closing, contraction, kPasses);
  }

  const System& system_;
  const Layout& layout_;
  const State& x0_;
  State x_;
  LinearAxes axes_;
  Workspace work_;
  Multipliers kernel_;
  int n_ = 0;
  std::vector<int> dependent_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver_;  // of the held rows, by dependent coordinates
  VectorXd y_, v0_;
  std::vector<double> rate_, outputs_;
};

/// Memory of drives is no state: it follows from time.
bool is_drive_memory(const std::string& name) { return name.ends_with(".drive"); }

std::vector<int> output_indices(const Layout& layout, const std::vector<std::string>& patterns) {
  std::vector<int> list;
  for (std::size_t i = 0; i < layout.channels.size(); ++i) {
    for (const std::string& p : patterns) {
      if (!wildcard_match(p, layout.channels[i].name)) continue;
      list.push_back(static_cast<int>(i));
      break;
    }
  }
  return list;
}

}  // namespace

std::vector<std::string> Linearisation::states() const {
  std::vector<std::string> names = coordinates;
  for (const std::string& c : coordinates) names.push_back(c + ".rate");
  names.insert(names.end(), memory.begin(), memory.end());
  return names;
}

Linearisation linearise(const System& system, const State& x, const LineariseOptions& options) {
  const Layout& layout = system.layout();
  Neighbourhood near(system, x, options.axes);
  Linearisation lin;
  const int f = near.freedoms();
  const std::vector<std::string> names = unknown_names(layout);
  for (int i : near.independent) lin.coordinates.push_back(names[u(i)]);
  lin.independent = near.independent;
  lin.basis = near.N;
  lin.mass = near.mass();
  std::vector<int> memory;
  for (int i = 0; i < layout.sizes.z && options.memory; ++i) {
    if (is_drive_memory(layout.memory[u(i)])) continue;
    memory.push_back(i);
    lin.memory.push_back(layout.memory[u(i)]);
  }
  const std::vector<int> outputs = output_indices(layout, options.outputs);
  for (int i : outputs) lin.outputs.push_back(layout.channels[u(i)].name);

  const int m = static_cast<int>(memory.size()), all = 2 * f + m, ny = static_cast<int>(outputs.size());
  const VectorXd scale = unknown_scales(system);
  double fastest = 0;
  for (int i = 0; i < layout.free(); ++i) {
    const double v = x.v()[layout.v_index(i)];
    lin.moving = lin.moving || v != 0;
    fastest = std::max(fastest, std::abs(v) / scale[i]);
  }
  const VectorXd none = VectorXd::Zero(f), still = VectorXd::Zero(layout.sizes.z);
  near.go(none, none, still);
  lin.rate = near.accelerations();

  lin.A = MatrixXd::Zero(all, all);
  lin.C = MatrixXd::Zero(ny, all);
  lin.A.topLeftCorner(f, f) = near.transport();
  lin.A.block(0, f, f, f).setIdentity();
  double steepest = 0;
  for (int j = 0; j < all; ++j) {
    // change of everything along column j
    const auto at = [&](double h) {
      VectorXd s = none, du = none, dz = still;
      if (j < f) s[j] = h;
      else if (j < 2 * f) du[j - f] = h;
      else dz[memory[u(j - 2 * f)]] = h;
      near.go(s, du, dz);
      VectorXd result(f + m + ny);
      result.head(f) = near.accelerations();
      const VectorXd zdot = near.memory_rates();
      for (int k = 0; k < m; ++k) result[f + k] = zdot[memory[u(k)]];
      if (ny > 0) {
        const std::vector<double>& out = near.outputs();
        for (int k = 0; k < ny; ++k) result[f + m + k] = out[u(outputs[u(k)])];
      }
      return result;
    };
    double h = kStep;
    if (j < 2 * f) {
      const double reach = near.N.col(j % f).cwiseQuotient(scale).cwiseAbs().maxCoeff();
      h = (j < f ? kStep : kSpeedStep * std::max(1.0, fastest)) / reach;
    }
    VectorXd wide, narrow;
    double apart = 0;
    for (int cut = 0;; ++cut, h /= 10) {
      wide = (at(h) - at(-h)) / (2 * h), narrow = (at(h / 2) - at(-h / 2)) / h;
      apart = (narrow - wide).head(f).lpNorm<Eigen::Infinity>();
      const double size = narrow.head(f).lpNorm<Eigen::Infinity>();
      steepest = std::max(steepest, size);
      if (!(apart > kKink * std::max(size, kRounding * steepest)) || cut == kNearer) break;
    }
    if (j < 2 * f) lin.doubt = std::max(lin.doubt, apart);
    const VectorXd slope = (4 * narrow - wide) / 3;
    lin.A.block(f, j, f, 1) = slope.head(f);
    lin.A.block(2 * f, j, m, 1) = slope.segment(f, m);
    lin.C.col(j) = slope.tail(ny);
  }
  const double largest = f > 0 ? lin.A.block(f, 0, f, 2 * f).cwiseAbs().maxCoeff() : 0;
  lin.doubt = largest > 0 ? lin.doubt / largest : 0;
  return lin;
}

void calc_input(const System& system, const System& loaded, const State& x, const Linearisation& lin, LinearAxes axes,
                VectorXd& B, VectorXd& D) {
  const Layout& layout = system.layout();
  Neighbourhood plain(system, x, axes), other(loaded, x, axes);
  const int f = plain.freedoms(), m = static_cast<int>(lin.memory.size());
  const VectorXd none = VectorXd::Zero(f), still = VectorXd::Zero(layout.sizes.z);
  plain.go(none, none, still);
  other.go(none, none, still);
  B = VectorXd::Zero(2 * f + m);
  B.segment(f, f) = other.accelerations() - plain.accelerations();
  int row = 2 * f;
  const VectorXd change = other.memory_rates() - plain.memory_rates();
  for (int i = 0; i < layout.sizes.z && m > 0; ++i) {
    if (!is_drive_memory(layout.memory[u(i)])) B[row++] = change[i];
  }
  const std::vector<double> before = plain.outputs();
  const std::vector<double>& after = other.outputs();
  D = VectorXd::Zero(static_cast<Eigen::Index>(lin.outputs.size()));
  for (std::size_t k = 0; k < lin.outputs.size(); ++k) {
    for (std::size_t i = 0; i < layout.channels.size(); ++i) {
      if (layout.channels[i].name == lin.outputs[k]) D[static_cast<Eigen::Index>(k)] = after[i] - before[i];
    }
  }
}

}  // namespace bristle
