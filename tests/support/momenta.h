#pragma once
// Momentum and angular momentum of what moves in space.
#include "bristle/analyse/run.h"
#include "bristle/math/rotation.h"

namespace bristle::test {

struct Momenta {
  Vec3<> linear, angular;  ///< [kg m/s], [kg m^2/s] about the origin
};

inline Momenta momenta(const bristle::Run& run) {
  Momenta sum;
  const State& x = run.state();
  for (const MassBlock& m : run.system().masses().blocks()) {
    for (const BodyInfo& b : run.system().layout().bodies) {
      if (b.v != m.v || b.turns() != 3) continue;
      Vec3<> at, p, Jw;
      for (int i = 0; i < 3; ++i) {
        at[i] = x.q()[b.q + i], p[i] = m.mass[0] * x.v()[b.v + i];
        for (int j = 0; j < 3; ++j) Jw[i] += m.mass[static_cast<std::size_t>((3 + i) * 6 + 3 + j)] * x.v()[b.v + 3 + j];
      }
      sum.linear = sum.linear + p;
      sum.angular = sum.angular + cross(at, p) + matrix_of(x.q() + b.q + 3) * Jw;
    }
  }
  return sum;
}

}  // namespace bristle::test
