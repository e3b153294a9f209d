#include "bristle/core/frame_map.h"

#include <Eigen/Dense>
#include <cmath>

#include "bristle/math/rotation.h"

namespace bristle {

void FrameMap::project_matrix(const Pose& pose, double sign, const Vec3<>& F, const Vec3<>& m, double* D) const {
  for (int c = 0; c < count; ++c) D[c] = sign * along(pose, c, F, m);
}

void FrameMap::wrench(const Pose& pose, const double* D, Vec3<>& F, Vec3<>& m) const {
  F = m = {};
  if (is_matrix()) {
    using Matrix = Eigen::Matrix<double, 6, Eigen::Dynamic>;
    const Eigen::Map<const Matrix> B(pose.map, 6, count);
    const Eigen::Map<const Eigen::VectorXd> d(D, count);
    const Eigen::Matrix<double, 6, 1> w = Eigen::MatrixXd(B.transpose()).completeOrthogonalDecomposition().solve(d);
    for (int k = 0; k < 3; ++k) F[k] = w[k], m[k] = w[3 + k];
    return;
  }
  for (int k = 0; k < shifts(); ++k) F[k] = D[k];
  if (turns() == 1) m[2] = D[2];
  if (turns() == 3) m = pose.R * Vec3<>{{D[3], D[4], D[5]}};
}

void FrameMap::mean_of_step(const Pose& from, const Pose& to, const double* q0, const double* q1, const double* increments,
                            double h, Pose& mean, Pose& half) const {
  mean = half = from;
  if (!moves()) return;
  mean.p = half.p = 0.5 * (from.p + to.p);
  mean.v = half.v = (1 / h) * (to.p - from.p);
  if (turns() == 0) return;
  for (std::size_t i = 0; i < 9; ++i) mean.R.m[i] = 0.5 * (from.R.m[i] + to.R.m[i]);
  if (turns() == 3) {
    mean.w = (1 / h) * (from.R * vec3(increments + 3));
    const double *a = q0 + q + 3, *c = q1 + q + 3;
    const double sign = a[0] * c[0] + a[1] * c[1] + a[2] * c[2] + a[3] * c[3] < 0 ? -1 : 1;
    half.R = matrix_of(normalised({a[0] + sign * c[0], a[1] + sign * c[1], a[2] + sign * c[2], a[3] + sign * c[3]}));
  } else {
    mean.w[2] = increments[2] / h;
    const double angle = 0.5 * (q0[q + 2] + q1[q + 2]), c = std::cos(angle), s = std::sin(angle);
    half.R(0, 0) = half.R(1, 1) = c, half.R(1, 0) = s, half.R(0, 1) = -s;
  }
  half.w = mean.w;
}

void FrameMap::write_pose(const double* configuration, const Pose* pose, double* out) const {
  const double* p = configuration + q;
  switch (form_) {
    case Form::fixed: return;
    case Form::space: {
      std::copy_n(p, 7, out);
      // an interpolated rotation is not quite one
      const double norm = std::sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6]);
      if (norm > 0) {
        for (int i = 3; i < 7; ++i) out[i] /= norm;
      }
      return;
    }
    case Form::plane: {
      const double flat[7] = {p[0], p[1], 0, std::cos(0.5 * p[2]), 0, 0, std::sin(0.5 * p[2])};
      std::copy_n(flat, 7, out);
      return;
    }
    case Form::point: {
      const double still[7] = {p[0], p[1], p[2], 1, 0, 0, 0};
      std::copy_n(still, 7, out);
      return;
    }
    case Form::matrix: {
      Eigen::Matrix3d R;
      for (int i = 0; i < 3; ++i) {
        out[i] = pose->p[i];
        for (int j = 0; j < 3; ++j) R(i, j) = pose->R(i, j);
      }
      const Eigen::Quaterniond turn = Eigen::Quaterniond(R).normalized();
      out[3] = turn.w(), out[4] = turn.x(), out[5] = turn.y(), out[6] = turn.z();
      return;
    }
  }
}

}  // namespace bristle
