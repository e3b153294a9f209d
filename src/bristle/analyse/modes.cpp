#include "bristle/analyse/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "bristle/analyse/reduction.h"
#include "bristle/base/error.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

/// M, C, K of the free coordinates.
class Matrices final : public JacobianSink {
 public:
  explicit Matrices(const Layout& layout) : M(MatrixXd::Zero(layout.free(), layout.free())), C(M), K(M), layout_(layout) {}

  void add(Part part, int row, int column, double value) override {
    if (part != Part::mass && part != Part::force_q && part != Part::force_v) return;
    const int i = layout_.unknown(row), j = layout_.unknown(column);
    if (i < 0 || j < 0) return;
    if (part == Part::mass) M(i, j) += value;
    else if (part == Part::force_q) K(i, j) -= value;
    else C(i, j) -= value;
  }

  MatrixXd M, C, K;

 private:
  const Layout& layout_;
};

/// Damped eigenvalues, each given to the undamped mode whose shape is nearest: one swinging pair or two decays per mode.
void add_damping(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K, const MatrixXd& shapes,
                 std::vector<LinearMode>& modes) {
  const Eigen::Index n = M.rows();
  const Eigen::LLT<MatrixXd> mass(M);
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -mass.solve(K);
  A.bottomRightCorner(n, n) = -mass.solve(C);
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) throw SolveError("modes: the eigenvalues of the damped system did not converge");

  struct Match {
    double likeness;
    Eigen::Index eigenvalue, mode;
  };
  std::vector<Match> matches;
  for (Eigen::Index k = 0; k < 2 * n; ++k) {
    if (solver.eigenvalues()[k].imag() < 0) continue;  // the other half of a pair
    const VectorXcd shape = solver.eigenvectors().col(k).head(n);
    const double size = std::abs(shape.dot(M * shape));
    for (Eigen::Index i = 0; i < n; ++i) {
      const double along = std::norm(shape.dot((M * shapes.col(i)).cast<std::complex<double>>()));
      matches.push_back({size > 0 ? along / size : 0, k, i});
    }
  }
  std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) { return a.likeness > b.likeness; });
  std::vector<int> room(static_cast<std::size_t>(n), 2);
  std::vector<bool> taken(static_cast<std::size_t>(2 * n), false);
  std::vector<std::vector<double>> decays(static_cast<std::size_t>(n));
  for (const Match& match : matches) {
    const std::complex<double> s = solver.eigenvalues()[match.eigenvalue];
    const int need = s.imag() > 0 ? 2 : 1;
    const auto i = static_cast<std::size_t>(match.mode), k = static_cast<std::size_t>(match.eigenvalue);
    if (taken[k] || room[i] < need) continue;
    taken[k] = true;
    room[i] -= need;
    if (need == 2) {
      modes[i].damping_ratio = -s.real() / std::abs(s);
      modes[i].damped = s.imag();
    } else {
      decays[i].push_back(s.real());
    }
  }
  for (std::size_t i = 0; i < decays.size(); ++i) {
    if (decays[i].size() != 2) continue;
    modes[i].damped = 0;
    const double product = decays[i][0] * decays[i][1];
    modes[i].damping_ratio = product > 0 ? -(decays[i][0] + decays[i][1]) / (2 * std::sqrt(product)) : 0;
  }
}

/// The largest number of a shape becomes 1.
void put_real_shape(VectorXd shape, LinearMode& mode) {
  Eigen::Index top = 0;
  shape.cwiseAbs().maxCoeff(&top);
  shape /= shape[top];
  mode.shape.assign(shape.begin(), shape.end());
}

ModesResult lumped_modes(const System& system, const State& x) {
  const Layout& layout = system.layout();
  Workspace work = system.make_workspace();
  work.eval = system.view(x, work);
  system.calc_forces(work.eval);
  Matrices m(layout);
  system.calc_jacobian(x, work, m);

  const double scale = m.K.cwiseAbs().maxCoeff();
  if ((m.K - m.K.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    throw InputError({},
                     "modes: the stiffness is not symmetric, since a load reads channels. Leave that load out for this analysis");
  }
  const MatrixXd K = 0.5 * (m.K + m.K.transpose());
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, m.M);
  if (solver.info() != Eigen::Success) throw SolveError("modes: the eigenvalues did not converge. Are all masses positive?");

  ModesResult result;
  for (int i = 0; i < layout.free(); ++i)
    result.coordinates.push_back(layout.coordinates[static_cast<std::size_t>(layout.v_index(i))]);
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < m.M.rows(); ++i) {
    LinearMode mode;
    const double square = solver.eigenvalues()[i];
    if (std::abs(square) > 1e-14 * largest) mode.frequency = std::copysign(std::sqrt(std::abs(square)), square);
    mode.damped = std::max(0.0, mode.frequency);
    put_real_shape(solver.eigenvectors().col(i), mode);
    result.modes.push_back(std::move(mode));
  }
  result.damping = m.C.cwiseAbs().maxCoeff() > 0;
  if (result.damping) add_damping(m.M, m.C, m.K, solver.eigenvectors(), result.modes);
  return result;
}

/// Complex eigenvalues of A: one mode for each pair, one for each real eigenvalue, one for each pair that is zero.
void general_modes(const Linearisation& lin, ModesResult& result) {
  const Eigen::Index f = lin.mass.rows();
  const Eigen::EigenSolver<MatrixXd> solver(lin.A);
  if (solver.info() != Eigen::Success) throw SolveError("modes: the eigenvalues did not converge");
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  // A body free to drift has a double eigenvalue of zero. An error e of the matrix, in units of its norm, moves it by the root of e times
  // the largest; the same error moves an eigenvalue s by e largest^2/(2 s). With e some 1e-13 they cannot be told apart below this.
  constexpr double kNothing = 1e-6;
  int zeros = 0;
  for (Eigen::Index k = 0; k < 2 * f; ++k) {
    const std::complex<double> s = solver.eigenvalues()[k];
    const bool zero = std::abs(s) <= kNothing * largest;
    if (zero ? zeros++ % 2 == 1 : s.imag() < 0) continue;
    LinearMode mode;
    if (!zero) {
      const bool swings = s.imag() > kNothing * std::abs(s);
      mode.frequency = swings ? std::abs(s) : -s.real();
      if (swings) mode.damping_ratio = std::abs(s.real()) > 1e-10 * std::abs(s) ? -s.real() / std::abs(s) : 0;
      else mode.damping_ratio = s.real() < 0 ? 1 : 0;
      mode.damped = swings ? s.imag() : 0;
      result.damping = result.damping || mode.damping_ratio != 0 || (!swings && s.real() < 0);
    }
    put_shape(lin.basis.cast<std::complex<double>>() * solver.eigenvectors().col(k).head(f), mode);
    result.modes.push_back(std::move(mode));
  }
  std::stable_sort(result.modes.begin(), result.modes.end(),
                   [](const LinearMode& a, const LinearMode& b) { return a.frequency < b.frequency; });
  result.general = true;
  result.moving = lin.moving;
}

bool symmetric(const MatrixXd& K, double tolerance) {
  return (K - K.transpose()).cwiseAbs().maxCoeff() <= tolerance * K.cwiseAbs().maxCoeff();
}

}  // namespace

ReducedStiffness calc_reduced_stiffness(const System& system, const State& x, LinearAxes axes) {
  ReducedStiffness r;
  r.linear = linearise(system, x, {axes, false, {}});
  const Linearisation& lin = r.linear;
  const Eigen::Index f = lin.mass.rows();
  r.M = lin.mass;
  r.K = -lin.mass * lin.A.block(f, 0, f, f);
  r.C = -lin.mass * lin.A.block(f, f, f, f);
  if (lin.moving || f == 0) return r;
  // what differences leave of rounding is no damping
  const double size = std::sqrt(r.K.cwiseAbs().maxCoeff() * r.M.cwiseAbs().maxCoeff());
  if (r.C.cwiseAbs().maxCoeff() < 1e-9 * size) r.C.setZero();

  // analytic at an equilibrium: soft modes beside stiff ones keep their digits
  Workspace work = system.make_workspace();
  Multipliers kernel;
  kernel.prepare(system);
  State here = x;
  kernel.evaluate(system, here, work);
  for (std::size_t i = 0; i < work.lambda.size(); ++i) here.lambda()[i] = work.lambda[i];
  Matrices m(system.layout());
  system.calc_jacobian(here, work, m);
  MatrixXd N = lin.basis;
  for (const FrameCoordinates& frame : system.layout().frames) {
    if (axes != LinearAxes::world) break;
    const double* q = x.q() + frame.q + 3;
    const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const int at = frame.unknown + 3;
    N.middleRows(at, 3) = (R.transpose() * N.middleRows(at, 3)).eval();
  }
  const MatrixXd K = N.transpose() * m.K * N, C = N.transpose() * m.C * N;
  const double agree = std::max(1e-7, 3 * lin.doubt);
  if ((K - r.K).cwiseAbs().maxCoeff() <= agree * r.K.cwiseAbs().maxCoeff()) r.K = K;
  if ((C - r.C).cwiseAbs().maxCoeff() <= agree * r.C.cwiseAbs().maxCoeff()) r.C = C;
  return r;
}

ModesResult calc_modes(const System& system) {
  State x = system.make_state();
  system.set_time(x, 0);
  return calc_modes(system, x);
}

ModesResult calc_modes(const System& system, const State& x, LinearAxes axes) {
  if (system.layout().free() == 0) throw InputError({}, "modes: nothing is free to move; every coordinate is driven");
  if (!system.layout().spatial()) {
    ModesResult result = lumped_modes(system, x);
    result.time = x.t;
    return result;
  }
  const ReducedStiffness r = calc_reduced_stiffness(system, x, axes);
  const Linearisation& lin = r.linear;
  const Eigen::Index f = lin.mass.rows();
  if (f == 0) throw InputError({}, "modes: the joints and drives leave nothing free to move");
  ModesResult result;
  result.time = x.t;
  result.coordinates = unknown_names(system.layout());
  const VectorXd scale = unknown_scales(system);
  for (Eigen::Index k = 0; k < f; ++k)
    result.unbalance = std::max(result.unbalance, std::abs(lin.rate[k]) / scale[lin.independent[static_cast<std::size_t>(k)]]);
  if (lin.moving || !symmetric(r.K, 1e-6)) {
    general_modes(lin, result);
  } else {
    const MatrixXd K = 0.5 * (r.K + r.K.transpose()), M = 0.5 * (r.M + r.M.transpose());
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
    if (solver.info() != Eigen::Success) throw SolveError("modes: the eigenvalues did not converge. Are all masses positive?");
    const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < f; ++i) {
      LinearMode mode;
      const double square = solver.eigenvalues()[i];
      if (std::abs(square) > 1e-12 * largest) mode.frequency = std::copysign(std::sqrt(std::abs(square)), square);
      mode.damped = std::max(0.0, mode.frequency);
      put_real_shape(lin.basis * solver.eigenvectors().col(i), mode);
      result.modes.push_back(std::move(mode));
    }
    result.damping = r.C.cwiseAbs().maxCoeff() > 0;
    if (result.damping) add_damping(M, r.C, K, solver.eigenvectors(), result.modes);
  }
  drop_still(result);
  return result;
}

void put_shape(VectorXcd shape, LinearMode& mode) {
  Eigen::Index top = 0;
  const double size = shape.cwiseAbs().maxCoeff(&top);
  if (size > 0) shape /= shape[top];
  bool in_step = true;
  for (Eigen::Index i = 0; i < shape.size(); ++i) {
    const bool real = std::abs(shape[i].imag()) < 1e-6;
    in_step = in_step && real;
    mode.shape.push_back(real ? shape[i].real() : std::abs(shape[i]));
    mode.phase.push_back(real ? 0 : std::arg(shape[i]));
  }
  if (in_step) mode.phase.clear();
}

void drop_still(ModesResult& result) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < result.coordinates.size(); ++i) {
    bool moves = false;
    for (LinearMode& mode : result.modes) {
      if (std::abs(mode.shape[i]) < 1e-9) mode.shape[i] = 0;
      moves = moves || mode.shape[i] != 0;
    }
    if (moves) kept.push_back(i);
  }
  const auto keep = [&](auto& list) {
    if (list.empty()) return;
    auto before = std::move(list);
    list.clear();
    for (std::size_t i : kept) list.push_back(before[i]);
  };
  keep(result.coordinates);
  for (LinearMode& mode : result.modes) keep(mode.shape), keep(mode.phase);
}

std::string modes_text(const ModesResult& result) {
  constexpr double kTurn = 6.283185307179586;
  constexpr std::size_t kColumns = 8;  // more coordinates: the largest of each mode by name
  std::size_t width = 9;
  for (const std::string& name : result.coordinates) width = std::max(width, name.size() + 2);
  const bool table = result.coordinates.size() <= kColumns && !result.general;
  std::string out = fmt::format("{:>4}  {:>12}  {:>12}  {:>10}", "mode", "rad/s", "Hz", "damping");
  if (!result.frame.empty()) out += fmt::format("  {:>6}", "whirl");
  if (table) {
    for (const std::string& name : result.coordinates) out += fmt::format("{:>{}}", name, width);
  } else {
    out += "  shape";
  }
  out += "\n";
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const LinearMode& mode = result.modes[i];
    out += fmt::format("{:>4}  {:>12.6g}  {:>12.6g}  {:>10}", i + 1, mode.frequency, mode.frequency / kTurn,
                       result.damping ? fmt::format("{:.4g} %", 100 * mode.damping_ratio) : "-");
    if (!result.frame.empty()) out += mode.across < 0.5 ? fmt::format("  {:>6}", "-") : fmt::format("  {:>6.3f}", mode.whirl);
    if (table) {
      for (double s : mode.shape) out += fmt::format("{:>{}.4f}", s, width);
    } else {
      std::vector<std::size_t> order(mode.shape.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return std::abs(mode.shape[a]) > std::abs(mode.shape[b]); });
      out += " ";
      for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 4); ++k) {
        const std::size_t c = order[k];
        if (std::abs(mode.shape[c]) < 5e-4) break;
        out += fmt::format(" {} {:.3g}", result.coordinates[c], mode.shape[c]);
        if (!mode.phase.empty() && mode.phase[c] != 0) out += fmt::format(" at {:.0f} deg", mode.phase[c] * 360 / kTurn);
        out += ",";
      }
      if (out.back() == ',') out.pop_back();
    }
    out += "\n";
  }
  return out;
}

}  // namespace bristle
