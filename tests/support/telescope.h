#pragma once
// A body kind that the library does not have: a bead on a massless arm that turns about z and grows. Its frame is moved by a matrix that
// changes with the configuration, its inertia does so, too.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bristle/core/system.h"

namespace bristle::test {

class Telescope final : public Block {
 public:
  static constexpr int kLength = 0, kAngle = 1;  // coordinates
  static constexpr int kBody = 1;                // its frame: x along the arm, at the bead

  Telescope(const FrameMap& map, double mass, double gravity, const double (&q)[2], const double (&v)[2])
      : map_(map), mass_(mass), gravity_(gravity), q_{q[0], q[1]}, v_{v[0], v[1]} {}

  unsigned roles() const override { return kPoses | kForces | kMass | kKinetic | kStored; }
  void start(State& x) const override {
    for (int k = 0; k < 2; ++k) x.q()[k] = q_[k], x.v()[k] = v_[k];
  }
  void calc_poses(Eval& e) const override {
    Pose& pose = e.pose[kBody];
    const double r = e.q[kLength], u = e.v[kLength], w = e.v[kAngle], c = std::cos(e.q[kAngle]), s = std::sin(e.q[kAngle]);
    pose.R = Mat3<>::identity();
    pose.R(0, 0) = pose.R(1, 1) = c, pose.R(1, 0) = s, pose.R(0, 1) = -s;
    pose.p = Vec3<>{{r * c, r * s, 0}};
    pose.v = Vec3<>{{u * c - r * w * s, u * s + r * w * c, 0}};
    pose.w = Vec3<>{{0, 0, w}};
    const double B[] = {c, s, 0, 0, 0, 0, -r * s, r * c, 0, 0, 0, 1};
    std::copy_n(B, 12, map_.open(e.map, pose));
    const double drift[] = {-r * w * w * c - 2 * u * w * s, -r * w * w * s + 2 * u * w * c, 0, 0, 0, 0};
    std::copy_n(drift, 6, map_.drift(pose));
  }
  void calc_forces(Eval& e) const override {
    const double r = e.q[kLength], u = e.v[kLength], w = e.v[kAngle], g = e.share * gravity_;
    e.f[kLength] += mass_ * (r * w * w - g * std::sin(e.q[kAngle]));
    e.f[kAngle] -= mass_ * (2 * r * u * w + g * r * std::cos(e.q[kAngle]));
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    const double r = e.q[kLength], u = e.v[kLength], w = e.v[kAngle], c = std::cos(e.q[kAngle]), s = std::sin(e.q[kAngle]);
    const double g = e.share * gravity_;
    sink.add(Part::mass, kLength, kLength, mass_);
    sink.add(Part::mass, kAngle, kAngle, mass_ * r * r);
    sink.add(Part::force_q, kLength, kLength, mass_ * w * w);
    sink.add(Part::force_q, kLength, kAngle, -mass_ * g * c);
    sink.add(Part::force_q, kAngle, kLength, -mass_ * (2 * u * w + g * c + 2 * r * e.a[kAngle]));
    sink.add(Part::force_q, kAngle, kAngle, mass_ * g * r * s);
    sink.add(Part::force_v, kLength, kAngle, 2 * mass_ * r * w);
    sink.add(Part::force_v, kAngle, kLength, -2 * mass_ * r * w);
    sink.add(Part::force_v, kAngle, kAngle, -2 * mass_ * r * u);
  }
  void calc_map_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    const Pose& pose = e.pose[kBody];
    const double* F = map_.load(pose);
    const double r = e.q[kLength], c = pose.R(0, 0), s = pose.R(1, 0), along = F[0] * c + F[1] * s, across = F[1] * c - F[0] * s;
    sink.add(Part::force_q, kLength, kAngle, across);
    sink.add(Part::force_q, kAngle, kLength, across);
    sink.add(Part::force_q, kAngle, kAngle, -r * along);
  }
  void solve_mass(const double* q, const double* f, double* a) const override {
    a[kLength] = f[kLength] / mass_;
    a[kAngle] = f[kAngle] / (mass_ * q[kLength] * q[kLength]);
  }
  void mass_blocks(std::vector<MassBlock>& list) const override {
    list.push_back({0, 2, std::vector<double>(4, 0.0), false});
    calc_mass(q_, list.back());
  }
  void calc_mass(const double* q, MassBlock& m) const override {
    m.mass[0] = mass_;
    m.mass[3] = mass_ * q[kLength] * q[kLength];
  }
  double kinetic(const Eval& e) const override {
    const double across = e.q[kLength] * e.v[kAngle];
    return 0.5 * mass_ * (e.v[kLength] * e.v[kLength] + across * across);
  }
  double stored(const Eval& e, double*) const override {
    return e.share * mass_ * gravity_ * e.q[kLength] * std::sin(e.q[kAngle]);
  }
  std::string cannot_step() const override { return "the telescope"; }
  int output_count() const override { return 2; }
  void calc_outputs(const Eval& e, double* out) const override {
    out[0] = e.pose[kBody].p[0];
    out[1] = e.pose[kBody].p[1];
  }

 private:
  FrameMap map_;
  double mass_, gravity_, q_[2], v_[2];
};

/// The coordinates of a telescope and its frame beside the ground.
inline Layout telescope_layout() {
  Layout layout;
  layout.scalars = layout.ground = 2;
  layout.sizes.q = layout.sizes.v = 3;
  layout.coordinates = {"arm.length", "arm.angle", "ground"};
  layout.map_numbers = FrameMap::numbers_of(2);
  layout.bodies.push_back(BodyInfo::ground());
  layout.bodies.push_back({FrameMap::matrix(0, 0, 2, 0), "arm", "telescope"});
  layout.channels = {{"arm.x", "m", "of the bead"}, {"arm.y", "m", "of the bead"}};
  return layout;
}

}  // namespace bristle::test
