#pragma once
#include <algorithm>
#include <vector>

#include "bristle/math/pose.h"

namespace bristle {

/** What moves a frame in space: the velocities v .. v+count-1. The twist of the frame (velocity of its origin, angular velocity, both in
world axes) is B times them; a wrench on it (force, moment about the origin) acts on them by the transpose of B. Who acts on frames or
reads them asks for columns and for B, and knows no kind of body.

For frames whose columns are plain motions B is a branch here. Any other B is a matrix, which may change with the configuration: the
block that owns the frame renews it beside the pose (open), and adds how it turns to the Jacobian (Block::calc_map_jacobian). */
class FrameMap {
 public:
  int q = 0;      ///< first number of the configuration that belongs to it
  int v = 0;      ///< first velocity that moves it
  int count = 0;  ///< how many do; none: the ground

  FrameMap() = default;  ///< of a frame that does not move: the ground
  /// Position and unit quaternion in q; velocity in world axes, angular velocity in the frame's own.
  static FrameMap space(int q, int v) { return {Form::space, q, v, 6}; }
  /// x, y and the angle about z.
  static FrameMap plane(int q, int v) { return {Form::plane, q, v, 3}; }
  /// x, y, z; it does not turn.
  static FrameMap point(int q, int v) { return {Form::point, q, v, 3}; }
  /// B is a matrix: 6 rows, `count` columns. `at`: its first number in Eval::map.
  static FrameMap matrix(int q, int v, int count, int at) {
    FrameMap map{Form::matrix, q, v, count};
    map.at_ = at;
    return map;
  }

  bool moves() const { return count > 0; }
  bool is_matrix() const { return form_ == Form::matrix; }
  /// So many of the first columns move the origin along x, y (, z) of the world, and q starts with its position; 0: not known here.
  int shifts() const { return form_ == Form::plane ? 2 : form_ == Form::space || form_ == Form::point ? 3 : 0; }
  /// Columns after those that turn the frame: 1 about z, whose angle stands in q; 3 about its own axes; 0: none known here.
  int turns() const { return form_ == Form::space ? 3 : form_ == Form::plane ? 1 : 0; }
  bool can_turn() const { return turns() > 0 || is_matrix(); }
  /// Never leaves the plane x, y.
  bool flat() const { return form_ == Form::fixed || form_ == Form::plane; }
  /// How many independent directions of motion it has at most.
  int span() const { return std::min(count, 6); }

  /// Columns of the map: one entry per column, sign times (F, m about the origin) in its direction.
  friend void project(const FrameMap& map, const Pose& pose, double sign, const Vec3<>& F, const Vec3<>& m, double* D) {
    switch (map.form_) {
      case Form::fixed: return;
      case Form::space: {
        const Vec3<> turn = transposed(pose.R, m);
        for (int k = 0; k < 3; ++k) {
          D[k] = sign * F[k];
          D[3 + k] = sign * turn[k];
        }
        return;
      }
      case Form::plane: D[0] = sign * F[0], D[1] = sign * F[1], D[2] = sign * m[2]; return;
      case Form::point:
        for (int k = 0; k < 3; ++k) D[k] = sign * F[k];
        return;
      case Form::matrix: map.project_matrix(pose, sign, F, m, D); return;
    }
  }
  /// Column c: shift of the origin and turn, in world axes.
  void column(const Pose& pose, int c, Vec3<>& shift, Vec3<>& turn) const {
    shift = turn = {};
    switch (form_) {
      case Form::fixed: return;
      case Form::plane:
        if (c == 2) turn[2] = 1;
        else shift[c] = 1;
        return;
      case Form::space:
      case Form::point:
        if (c < 3) shift[c] = 1;
        else turn = pose.R.column(c - 3);
        return;
      case Form::matrix:
        for (int k = 0; k < 3; ++k) shift[k] = pose.map[6 * c + k], turn[k] = pose.map[6 * c + 3 + k];
        return;
    }
  }
  /// A wrench along column c of a matrix.
  double along(const Pose& pose, int c, const Vec3<>& F, const Vec3<>& m) const {
    const double* B = pose.map + 6 * c;
    return B[0] * F[0] + B[1] * F[1] + B[2] * F[2] + B[3] * m[0] + B[4] * m[1] + B[5] * m[2];
  }
  /// The wrench (F, m about the origin) whose entries D are; of a matrix the least one.
  void wrench(const Pose& pose, const double* D, Vec3<>& F, Vec3<>& m) const;

  // Numbers of a matrix in Eval::map: B column by column, the twist's rate while accelerations are zero, and room for a wrench.
  static int numbers_of(int count) { return 6 * count + 12; }
  int at() const { return at_; }
  /// The matrix of this evaluation; Pose::map is set to it. For the block that owns the frame.
  double* open(double* numbers, Pose& pose) const { return pose.map = numbers + at_; }
  /// Rate of the twist while accelerations are zero, beyond what pose and twist tell: three numbers of the origin, three of the turn.
  const double* drift(const Pose& pose) const { return pose.map + 6 * count; }
  double* drift(Pose& pose) const { return pose.map + 6 * count; }
  /// The wrench on a frame whose map is a matrix, summed up while a Jacobian is made.
  double* load(const Pose& pose) const { return pose.map + 6 * count + 6; }
  void add_load(const Pose& pose, double sign, const Vec3<>& F, const Vec3<>& m) const {
    double* w = load(pose);
    for (int k = 0; k < 3; ++k) w[k] += sign * F[k], w[3 + k] += sign * m[k];
  }

  /// The frame over a step of increments (Cayley vectors) that took it from one pose to the other: the mean, whose matrix is a mean too
  /// and whose velocities are increments per time, and half way, a rotation. Not of a matrix.
  void mean_of_step(const Pose& from, const Pose& to, const double* q0, const double* q1, const double* increments, double h,
                    Pose& mean, Pose& half) const;
  /// Position and unit quaternion for pictures; `q` is the whole configuration. `pose`: needed where the map is a matrix.
  void write_pose(const double* q, const Pose* pose, double* out) const;

 private:
  void project_matrix(const Pose& pose, double sign, const Vec3<>& F, const Vec3<>& m, double* D) const;
  enum class Form : unsigned char { fixed, space, plane, point, matrix };
  FrameMap(Form form, int q_, int v_, int count_) : q(q_), v(v_), count(count_), form_(form) {}
  Form form_ = Form::fixed;
  int at_ = 0;
};

/// A frame that turns in space, as the state holds it: position and unit quaternion in q, velocity and angular velocity (own axes) in v.
/// `more` plain coordinates follow in both, as those of a body that also deforms.
struct FrameCoordinates {
  int q = 0, v = 0, unknown = 0;  ///< first numbers; `unknown`: free velocity unknown
  int more = 0;
};

}  // namespace bristle
