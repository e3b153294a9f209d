#pragma once
#include <vector>

#include "bristle/core/block.h"

namespace bristle {

/// A body in space as assembly describes it. Coordinates belong to the centre of mass.
struct SpaceBody {
  enum class Kind { rigid, planar, point };
  Kind kind = Kind::rigid;
  int body = 0;      ///< index of its pose
  int q = 0, v = 0;  ///< first coordinate and velocity
  double mass = 0;
  Mat3<> inertia;  ///< [kg m^2] about the centre of mass in body axes; planar bodies: entry (2, 2)
  Vec3<> gravity;  ///< [m/s^2]
  // at the start
  Vec3<> position, velocity;
  Quaternion orientation{1, 0, 0, 0};
  Vec3<> angular_velocity;  ///< in world axes
  double angle = 0;         ///< planar bodies
  bool shown = true;        ///< has channels of its own; nodes of beams do not

  Mat3<> start_axes() const;  ///< in the world
};

/// The frame of such a body, with its names: what all others see of it.
BodyInfo space_frame(const std::string& name, SpaceBody::Kind kind, int q, int v);

/// Rigid bodies, planar bodies and particles: poses, inertia, gyroscopic moment, weight, channels. Rates of rotation are those of the
/// body's own axes, so that the inertia is constant: M = diag(m, J), gyroscopic moment -w x J w (Frictional Contacts in Multibody
/// Dynamics, eqs. 2.18 to 2.23, there in world axes).
class SpaceBodies final : public Block {
 public:
  explicit SpaceBodies(std::vector<SpaceBody> bodies);

  unsigned roles() const override { return kPoses | kForces | kMass | kKinetic | kStored; }
  void start(State& x) const override;
  void calc_poses(Eval& e) const override;
  void calc_forces(Eval& e) const override;
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  void calc_step(StepEval& e) const override;  ///< weights alone: momenta say the rest
  void calc_step_jacobian(const StepEval&, JacobianSink&) const override {}
  void solve_mass(const double* q, const double* f, double* a) const override;
  void mass_blocks(std::vector<MassBlock>& list) const override;
  double kinetic(const Eval& e) const override;
  double stored(const Eval& e, double*) const override;
  std::string cannot_step() const override { return {}; }
  int output_count() const override { return outputs_; }
  void calc_outputs(const Eval& e, double* out) const override;
  /// Names and units of the channels of a body, in the order of calc_outputs.
  static std::vector<Channel> channels(const std::string& name, SpaceBody::Kind kind);

 private:
  struct Item {
    SpaceBody b;
    Mat3<> inverse;  // of the inertia
  };
  std::vector<Item> items_;
  int outputs_ = 0;
};

}  // namespace bristle
