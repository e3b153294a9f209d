#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "bristle/analyse/steady_rotation.h"
#include "bristle/base/error.h"

namespace bristle {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::Vector3cd;
using Eigen::Vector3d;
using Eigen::VectorXcd;
using Eigen::VectorXd;

/// M = L L'; the others in coordinates of unit mass.
struct Normal {
  explicit Normal(const SteadyRotation& r) : mass(0.5 * (r.M + r.M.transpose())) {
    if (mass.info() != Eigen::Success) throw SolveError("modes: the mass is not positive. Are all masses and inertias positive?");
    C = over(r.C);
    K = over(r.K);
  }
  MatrixXd over(const MatrixXd& A) const {
    const MatrixXd half = mass.matrixL().solve(A);
    return mass.matrixL().solve(half.transpose()).transpose();
  }
  VectorXcd back(const VectorXcd& x) const {
    VectorXcd y(x.size());
    y.real() = mass.matrixU().solve(x.real());
    y.imag() = mass.matrixU().solve(x.imag());
    return y;
  }
  Eigen::LLT<MatrixXd> mass;
  MatrixXd C, K;
};

VectorXcd scaled(VectorXcd shape, const VectorXd& scale) {
  Index top = 0;
  const double size = shape.cwiseQuotient(scale).cwiseAbs().maxCoeff(&top);
  if (size > 0) shape /= shape[top] / scale[top];
  return shape;
}

}  // namespace

void RotationSearch::describe(const State& x, const VectorXcd& shape, double& whirl, double& across) const {
  const Vector3d n = axis_.direction;
  const Vector3d a = n.unitOrthogonal(), b = n.cross(a);
  double round = 0, sideways = 0;
  const auto add = [&](const Vector3cd& motion, double weight) {
    const Complex p = motion.dot(a.cast<Complex>()), q = motion.dot(b.cast<Complex>());  // conjugates
    round -= 2 * weight * (std::conj(q) * p).imag();
    sideways += weight * (std::norm(p) + std::norm(q));
  };
  for (const Turning& body : bodies_) {
    Vector3cd move = Vector3cd::Zero();
    const int count = body.kind == BodyInfo::Kind::planar ? 2 : 3;
    move.head(count) = shape.segment(body.at, count);
    add(move, M_(body.at, body.at));
    if (body.kind != BodyInfo::Kind::rigid) continue;
    const double* q = x.q() + body.q + 3;
    const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Eigen::Matrix3d J = R * M_.block<3, 3>(body.at + 3, body.at + 3) * R.transpose();
    add(R.cast<Complex>() * shape.segment<3>(body.at + 3), 0.5 * (a.dot(J * a) + b.dot(J * b)));
  }
  const double all = std::abs(shape.dot(M_.cast<Complex>() * shape));
  whirl = sideways > 0 ? round / sideways : 0;
  across = all > 0 ? std::min(1.0, sideways / all) : 0;
}

std::vector<RotorMode> RotationSearch::calc_modes(const SteadyRotation& r) const {
  const Normal normal(r);
  const Index f = normal.K.rows();
  const MatrixXd one = MatrixXd::Identity(f, f);
  // about a real shift every eigenvalue keeps its own digits, soft ones beside stiff ones: nu = shift / (s - shift)
  const VectorXd squares =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(0.5 * (normal.K + normal.K.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
  const double stiffest = squares.cwiseAbs().maxCoeff();
  double softest = stiffest;
  for (double square : squares) {
    if (std::abs(square) > 1e-11 * stiffest) softest = std::min(softest, std::abs(square));
  }
  double shift = std::max(0.73 * std::sqrt(softest), 0.31 * std::abs(r.speed));
  if (!(shift > 0)) shift = 1;
  const Eigen::PartialPivLU<MatrixXd> stiff(shift * shift * one + shift * normal.C + normal.K);
  const MatrixXd by_q = -shift * stiff.solve(normal.C + shift * one), by_v = -shift * shift * stiff.solve(one);
  MatrixXd B(2 * f, 2 * f);
  B << by_q, by_v, one + by_q, by_v;
  const Eigen::EigenSolver<MatrixXd> solver(B);
  if (solver.info() != Eigen::Success) throw SolveError("modes: the eigenvalues did not converge");

  // a double eigenvalue of zero (free to drift, free to turn) is moved by the root of rounding
  constexpr double kNothing = 1e-6;
  std::vector<RotorMode> modes;
  int zeros = 0;
  for (Index k = 0; k < 2 * f; ++k) {
    const Complex nu = solver.eigenvalues()[k];
    Complex s = shift * (1.0 + 1.0 / nu);
    const bool zero = std::abs(s) <= kNothing * shift;
    if (std::abs(s.imag()) <= kNothing * std::abs(s)) s = s.real();
    if (zero ? zeros++ % 2 == 1 : s.imag() < 0) continue;
    RotorMode mode;
    mode.s = zero ? 0 : s;
    mode.shape = scaled(r.basis.cast<Complex>() * normal.back(solver.eigenvectors().col(k).head(f)), scale_);
    describe(r.state, mode.shape, mode.whirl, mode.across);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const RotorMode& a, const RotorMode& b) { return std::abs(a.s) < std::abs(b.s); });
  return modes;
}

VectorXd RotationSearch::calc_resonances(const SteadyRotation& r, double order, int of, VectorXcd* shape) const {
  SteadyRotation used = r;
  if (order == 0 && r.onwards.size() > 0) {
    // without the rotation itself
    const VectorXd momentum = r.M * r.onwards;
    Eigen::HouseholderQR<MatrixXd> qr(momentum);
    const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(r.M.rows(), r.M.rows());
    const MatrixXd rest = Q.rightCols(r.M.rows() - 1);
    used.basis = r.basis * rest;
    used.M = rest.transpose() * r.M * rest;
    used.C = rest.transpose() * r.C * rest;
    used.K = rest.transpose() * r.K * rest;
  }
  const Normal normal(used);
  const double w = order * r.speed;
  const MatrixXd real = 0.5 * (normal.K + normal.K.transpose()) - w * w * MatrixXd::Identity(normal.K.rows(), normal.K.rows());
  const MatrixXd gyro = 0.5 * w * (normal.C - normal.C.transpose());
  MatrixXcd H(real.rows(), real.cols());
  H.real() = real;
  H.imag() = gyro;
  const Eigen::SelfAdjointEigenSolver<MatrixXcd> solver(H,
                                                        shape != nullptr ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) throw SolveError("critical speeds: the eigenvalues did not converge");
  if (shape != nullptr) *shape = scaled(used.basis.cast<Complex>() * normal.back(solver.eigenvectors().col(of)), scale_);
  return solver.eigenvalues();
}

}  // namespace bristle
