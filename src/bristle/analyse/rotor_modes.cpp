#include <algorithm>
#include <cmath>

#include "bristle/analyse/steady_rotation.h"
#include "bristle/base/error.h"
#include "bristle/math/decompositions.h"

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

VectorXcd scaled(VectorXcd shape, const VectorXd& scale) {
  Index top = 0;
  const double size = shape.cwiseQuotient(scale).cwiseAbs().maxCoeff(&top);
  if (size > 0) shape /= shape[top] / scale[top];
  return shape;
}

/// A X, of a real A.
MatrixXcd times(const MatrixXd& A, const MatrixXcd& X) {
  const MatrixXd re = X.real(), im = X.imag();
  MatrixXcd Y(A.rows(), X.cols());
  Y.real() = A * re;
  Y.imag() = A * im;
  return Y;
}

/// Motions of one eigenvalue may be mixed at will: afterwards they are circles along the rotation and against it, as far as they can.
/// `motions`: by free velocity; the mix is the same for whatever they stand for.
template <class Bodies>
MatrixXcd unmix(const MatrixXcd& motions, const Bodies& bodies, const MatrixXd& mass, const Vector3d& n, const State& x) {
  MatrixXcd turned = MatrixXcd::Zero(motions.rows(), motions.cols());  // mass times -i n x motion
  for (const auto& b : bodies) {
    Eigen::Matrix3cd cross;
    cross << 0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0;
    cross *= Complex(0, -1);
    const int count = b.shifts;
    turned.middleRows(b.at, count) =
        (mass(b.at, b.at) * cross.topLeftCorner(count, count)).lazyProduct(motions.middleRows(b.at, count));
    if (b.turns != 3) continue;
    const double* q = x.q() + b.q + 3;
    const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const double inertia = mass.block<3, 3>(b.at + 3, b.at + 3).trace() / 3;
    turned.middleRows<3>(b.at + 3) = (inertia * (R.transpose() * cross * R)).lazyProduct(motions.middleRows<3>(b.at + 3));
  }
  MatrixXcd form = motions.adjoint().lazyProduct(turned), weight = motions.adjoint().lazyProduct(times(mass, motions));
  form = (0.5 * (form + form.adjoint())).eval();
  weight = (0.5 * (weight + weight.adjoint())).eval();
  const Eigen::SelfAdjointEigenSolver<MatrixXcd> sizes(weight, Eigen::EigenvaluesOnly);
  const MatrixXcd none = MatrixXcd::Identity(motions.cols(), motions.cols());
  if (!(sizes.eigenvalues()[0] > 1e-9 * sizes.eigenvalues().tail(1)[0])) return none;  // one motion twice
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXcd> solver(form, weight);
  return solver.info() == Eigen::Success ? MatrixXcd(solver.eigenvectors()) : none;
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
    const int count = body.shifts;
    move.head(count) = shape.segment(body.at, count);
    add(move, M_(body.at, body.at));
    if (body.turns != 3) continue;
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
  const Index f = r.K.rows();
  const MatrixXd M = 0.5 * (r.M + r.M.transpose()), K = 0.5 * (r.K + r.K.transpose()), one = MatrixXd::Identity(f, f);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> plain(K, M, Eigen::EigenvaluesOnly);
  if (plain.info() != Eigen::Success) throw SolveError("modes: the eigenvalues did not converge. Are all masses positive?");
  // about a real shift every eigenvalue keeps its own digits, soft ones beside stiff ones: nu = shift / (s - shift)
  const double stiffest = plain.eigenvalues().cwiseAbs().maxCoeff();
  double softest = stiffest;
  for (double square : plain.eigenvalues()) {
    if (std::abs(square) > 1e-13 * stiffest) softest = std::min(softest, std::abs(square));
  }
  double shift = std::max(0.73 * std::sqrt(softest), 0.31 * std::abs(r.speed));
  if (!(shift > 0)) shift = 1;
  const Eigen::PartialPivLU<MatrixXd> stiff(shift * shift * r.M + shift * r.C + r.K);
  const MatrixXd by_q = -shift * stiff.solve(r.C + shift * r.M), by_v = -shift * shift * stiff.solve(r.M);
  MatrixXd B(2 * f, 2 * f);
  B << by_q, by_v, one + by_q, by_v;
  const Eigen::EigenSolver<MatrixXd> solver(B);
  if (solver.info() != Eigen::Success) throw SolveError("modes: the eigenvalues did not converge");

  // a double eigenvalue of zero (free to drift, free to turn) is moved by the root of rounding
  constexpr double kNothing = 1e-6;
  std::vector<RotorMode> modes;
  int zeros = 0;
  for (Index k = 0; k < 2 * f; ++k) {
    Complex s = shift * (1.0 + 1.0 / Complex(solver.eigenvalues()[k]));
    const VectorXcd x = solver.eigenvectors().col(k).head(f);
    bool zero = std::abs(s) <= kNothing * shift;
    if (!zero && std::abs(s) <= 1e-2 * shift && r.onwards.size() > 0) {  // the rotation itself, by its shape
      const Complex along = times(r.onwards.transpose() * r.M, x)(0);
      zero = std::norm(along) > (1 - 1e-6) * std::abs(x.dot(times(r.M, x).col(0)));
    }
    if (std::abs(s.imag()) <= kNothing * std::abs(s)) s = s.real();
    if (zero ? zeros++ % 2 == 1 : s.imag() < 0) continue;
    RotorMode mode;
    mode.s = zero ? 0 : s;
    mode.shape = scaled(times(r.basis, x), scale_);
    describe(r.state, mode.shape, mode.whirl, mode.across);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const RotorMode& a, const RotorMode& b) { return std::abs(a.s) < std::abs(b.s); });
  // of equal eigenvalues
  for (std::size_t i = 0, end = 0; i < modes.size(); i = end) {
    for (end = i + 1; end < modes.size() && std::abs(modes[end].s - modes[i].s) <= 1e-7 * std::abs(modes[i].s);) ++end;
    if (end == i + 1 || modes[i].s == 0.0) continue;
    MatrixXcd motions(scale_.size(), static_cast<Index>(end - i));
    for (std::size_t k = i; k < end; ++k) motions.col(static_cast<Index>(k - i)) = modes[k].shape;
    motions = motions.lazyProduct(unmix(motions, bodies_, M_, axis_.direction, r.state)).eval();
    for (std::size_t k = i; k < end; ++k) {
      modes[k].shape = scaled(motions.col(static_cast<Index>(k - i)), scale_);
      describe(r.state, modes[k].shape, modes[k].whirl, modes[k].across);
    }
  }
  return modes;
}

VectorXd RotationSearch::calc_resonances(const SteadyRotation& r, double order, double scale, int of, VectorXcd* shape) const {
  MatrixXd rest = MatrixXd::Identity(r.M.rows(), r.M.rows());
  if (order == 0 && r.onwards.size() > 0) {
    // without the rotation itself
    VectorXd mirror = (r.M * r.onwards).normalized();
    mirror[0] += mirror[0] < 0 ? -1 : 1;
    rest = (rest - 2 / mirror.squaredNorm() * mirror * mirror.transpose()).rightCols(r.M.rows() - 1).eval();
  }
  const MatrixXd M = rest.transpose() * (0.5 * (r.M + r.M.transpose())) * rest;
  const MatrixXd K = rest.transpose() * (0.5 * (r.K + r.K.transpose())) * rest;
  const MatrixXd G = rest.transpose() * (0.5 * (r.C - r.C.transpose())) * rest;
  // over K + square M, which is positive: stiff motions do not drown soft ones
  double square = scale * scale;
  Eigen::LLT<MatrixXd> weight(K + square * M);
  for (int pass = 0; weight.info() != Eigen::Success; ++pass, square *= 10, weight.compute(K + square * M)) {
    if (pass == 60) throw SolveError("critical speeds: the mass is not positive. Are all masses and inertias positive?");
  }
  const auto over = [&](const MatrixXd& A) {
    const MatrixXd half = weight.matrixL().solve(A);
    return MatrixXd(weight.matrixL().solve(half.transpose()).transpose());
  };
  const double w = order * r.speed;
  MatrixXcd H(M.rows(), M.cols());
  H.real() = MatrixXd::Identity(M.rows(), M.cols()) - (square + w * w) * over(M);
  H.imag() = w * over(G);
  const Eigen::SelfAdjointEigenSolver<MatrixXcd> solver(H,
                                                        shape != nullptr ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) throw SolveError("critical speeds: the eigenvalues did not converge");
  if (shape != nullptr) {
    // those that are equal to it
    Index first = of, last = of;
    const VectorXd& value = solver.eigenvalues();
    while (first > 0 && value[of] - value[first - 1] < 1e-9) --first;
    while (last + 1 < value.size() && value[last + 1] - value[of] < 1e-9) ++last;
    const MatrixXcd X = solver.eigenvectors().middleCols(first, last - first + 1);
    const MatrixXd re = weight.matrixU().solve(MatrixXd(X.real())), im = weight.matrixU().solve(MatrixXd(X.imag()));
    MatrixXcd Y(X.rows(), X.cols());
    Y.real() = re;
    Y.imag() = im;
    MatrixXcd motions = times(r.basis * rest, Y);
    if (motions.cols() > 1 && order != 0)
      motions = motions.lazyProduct(unmix(motions, bodies_, M_, axis_.direction, r.state)).eval();
    *shape = scaled(motions.col(of - first), scale_);
  }
  return solver.eigenvalues();
}

}  // namespace bristle
