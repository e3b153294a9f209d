#include "bristle/analyse/modes.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "bristle/base/error.h"

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
void add_damping(const Matrices& m, const MatrixXd& shapes, std::vector<LinearMode>& modes) {
  const Eigen::Index n = m.M.rows();
  const Eigen::LLT<MatrixXd> mass(m.M);
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -mass.solve(m.K);
  A.bottomRightCorner(n, n) = -mass.solve(m.C);
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
    const double size = std::abs(shape.dot(m.M * shape));
    for (Eigen::Index i = 0; i < n; ++i) {
      const double along = std::norm(shape.dot((m.M * shapes.col(i)).cast<std::complex<double>>()));
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

}  // namespace

ModesResult calc_modes(const System& system) {
  const Layout& layout = system.layout();
  State x = system.make_state();
  system.set_time(x, 0);
  Workspace work = system.make_workspace();
  system.bind(x, work);
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
    VectorXd shape = solver.eigenvectors().col(i);
    Eigen::Index top = 0;
    shape.cwiseAbs().maxCoeff(&top);
    shape /= shape[top];
    mode.shape.assign(shape.begin(), shape.end());
    result.modes.push_back(std::move(mode));
  }
  result.damping = m.C.cwiseAbs().maxCoeff() > 0;
  if (result.damping) add_damping(m, solver.eigenvectors(), result.modes);
  return result;
}

std::string modes_text(const ModesResult& result) {
  constexpr double kTurn = 6.283185307179586;
  std::size_t width = 9;
  for (const std::string& name : result.coordinates) width = std::max(width, name.size() + 2);
  std::string out = fmt::format("{:>4}  {:>12}  {:>12}  {:>10}", "mode", "rad/s", "Hz", "damping");
  for (const std::string& name : result.coordinates) out += fmt::format("{:>{}}", name, width);
  out += "\n";
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const LinearMode& mode = result.modes[i];
    out += fmt::format("{:>4}  {:>12.6g}  {:>12.6g}  {:>10}", i + 1, mode.frequency, mode.frequency / kTurn,
                       result.damping ? fmt::format("{:.4g} %", 100 * mode.damping_ratio) : "-");
    for (double s : mode.shape) out += fmt::format("{:>{}.4f}", s, width);
    out += "\n";
  }
  return out;
}

}  // namespace bristle
