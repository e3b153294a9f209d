#pragma once
#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/// The frame in which a steady rotation stands still and small motions have constant matrices.
enum class RotationFrame {
  turning,    ///< turns with the rotor: any rotor, supports alike in all directions about the axis
  stationary  ///< does not turn: any supports, rotors that are alike in all directions about their own axis
};

/// An axis fixed in the world, and who turns about it.
struct RotationAxis {
  Eigen::Vector3d direction{0, 0, 1}, point{0, 0, 0};  ///< unit vector; [m]
  RotationFrame frame = RotationFrame::turning;
  std::vector<std::string> still;  ///< bodies that do not turn; a beam stands for its nodes
};

/// A steady rotation and small motions about it, M s'' + C s' + K s = 0, in the freedoms that the held rows leave. Changes are counted
/// in the axes of the frame: displacements along those of the world at the instant of the state, turns along those of the bodies.
struct SteadyRotation {
  double speed = 0;  ///< [rad/s]
  State state;       ///< with velocities and multipliers, at an instant
  int iterations = 0;
  Eigen::MatrixXd basis;  ///< free velocities by s
  Eigen::MatrixXd M, C, K;
  Eigen::VectorXd onwards;  ///< s of the rotation itself, of unit energy; empty where it is driven, so that it is no freedom
};

/// One eigenvalue with its motion.
struct RotorMode {
  std::complex<double> s;  ///< [1/s] positive or no imaginary part
  Eigen::VectorXcd shape;  ///< by free velocity, in the axes of SteadyRotation; the largest, over the length scale, is one
  double whirl = 0;        ///< circular motion about the axis: 1 along the rotation, -1 against it, 0 on lines
  double across = 0;       ///< share of the motion that is across the axis
};

/// Looks for steady rotations of a model about an axis. Friction should be left out of the system (AssembleOptions::friction); drives of
/// joints turn as fast as the analysis says, everything else stands still at its time.
class RotationSearch {
 public:
  /// Throws SolveError for who cannot turn: planar bodies about another axis than z, rolling.
  RotationSearch(const System&, const RotationAxis&, const State& start);

  /// The steady rotation near the last one that was found, or near the start. Throws SolveError, naming what is out of balance.
  SteadyRotation find(double speed);
  /// Throws SolveError where the rotation, or the matrices about it, would change while it goes on.
  void check(const SteadyRotation&);
  /// By the size of the eigenvalue.
  std::vector<RotorMode> calc_modes(const SteadyRotation&) const;
  /// Whirl and share across the axis of a motion by free velocity.
  void describe(const State&, const Eigen::VectorXcd& shape, double& whirl, double& across) const;

  /// Eigenvalues of K - (order * speed)^2 M + i order speed C without its damping, over K + scale^2 M, rising: one is zero where a
  /// force that turns `order` times as fast as the rotor meets a resonance. `scale` [rad/s]: about the frequencies that matter.
  /// `shape`: motion of the eigenvalue number `of`.
  Eigen::VectorXd calc_resonances(const SteadyRotation&, double order, double scale, int of = -1,
                                  Eigen::VectorXcd* shape = nullptr) const;

 private:
  struct Turning {
    int shifts = 0, turns = 0;  ///< columns of its motion; see FrameMap
    int at = 0, q = 0;          ///< free velocity, configuration
    bool spins = true;
    Eigen::Vector3d axis;  ///< of the body, along the axis of rotation at the start
    std::string name;
  };
  struct Pieces;
  struct Balance;
  void steady_velocities(State& x, double speed) const;
  Eigen::VectorXd steady_accelerations(const State& x, double speed) const;
  double frame_speed(double speed) const { return axis_.frame == RotationFrame::turning ? speed : 0; }
  double spin(const Turning& b, double speed) const { return (b.spins ? speed : 0) - frame_speed(speed); }
  void calc_pieces(const State& x, double speed, Pieces& out, bool slopes);
  bool newton(State& x, double speed, SteadyRotation& result, std::string& why);
  SteadyRotation reduce(const State& x, double speed, const Pieces&) const;
  State turned(const State& x, double angle, Eigen::MatrixXd& G) const;
  std::string worst(const Eigen::VectorXd& left) const;

  const System& system_;
  const Layout& layout_;
  RotationAxis axis_;
  Workspace work_;
  int n_ = 0, m_ = 0;
  Eigen::VectorXd scale_;
  Eigen::MatrixXd M_;
  double length_ = 1;
  std::vector<Turning> bodies_;
  std::vector<std::string> names_;
  std::vector<double> rate_;
  State last_;
  double last_speed_ = 0;
};

}  // namespace bristle
