#pragma once
// A torque-free rigid body as a Block with one frame: the smallest thing that turns.
#include <memory>

#include "bristle/core/system.h"

namespace bristle::test {

class RigidBody final : public Block {
 public:
  RigidBody(double mass, Vector3 inertia, Vector3 spin, Vector3 velocity)
      : mass_(mass), inertia_(inertia), spin_(spin), velocity_(velocity) {}
  unsigned roles() const override { return kForces | kMass | kKinetic; }
  void start(State& x) const override {
    for (std::size_t i = 0; i < 3; ++i) x.v()[kV + i] = velocity_[i], x.v()[kV + 3 + i] = spin_[i];
  }
  void calc_forces(Eval& e) const override {
    // gyroscopic moment in the body axes: -w x J w
    const double* w = e.v + kV + 3;
    const Vector3 L = {inertia_[0] * w[0], inertia_[1] * w[1], inertia_[2] * w[2]};
    e.f[kV + 3] -= w[1] * L[2] - w[2] * L[1];
    e.f[kV + 4] -= w[2] * L[0] - w[0] * L[2];
    e.f[kV + 5] -= w[0] * L[1] - w[1] * L[0];
  }
  void solve_mass(const double*, const double* f, double* a) const override {
    for (std::size_t i = 0; i < 3; ++i) a[kV + i] = f[kV + i] / mass_, a[kV + 3 + i] = f[kV + 3 + i] / inertia_[i];
  }
  double kinetic(const Eval& e) const override {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += 0.5 * mass_ * e.v[kV + i] * e.v[kV + i] + 0.5 * inertia_[i] * e.v[kV + 3 + i] * e.v[kV + 3 + i];
    return sum;
  }
  /// Angular momentum in the world.
  Vector3 momentum(const State& x) const {
    const double *q = x.q() + 1, *w = x.v() + kV + 3;
    return rotate({q[3], q[4], q[5], q[6]}, {inertia_[0] * w[0], inertia_[1] * w[1], inertia_[2] * w[2]});
  }

 private:
  static constexpr std::size_t kV = 1;  // the ground is coordinate 0
  double mass_;
  Vector3 inertia_, spin_, velocity_;
};

inline Layout frame_layout() {
  Layout layout;
  layout.add_frame();
  layout.coordinates = {"ground"};
  return layout;
}

}  // namespace bristle::test
