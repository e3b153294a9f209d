// MuJoCo against the closed forms and the chain in minimal coordinates. Left out where MuJoCo is not installed.
#ifdef BRISTLE_HAVE_MUJOCO
#include "mujoco_oracle.h"

#include <gtest/gtest.h>

namespace bristle::test {
namespace {

TEST(MujocoOracle, free_body_agrees) {
  const Triple inertia = {1, 2, 2.5}, spin = {1, -1, 1};
  const FreeBody truth(inertia, spin);
  for (const MujocoSpin& s : mujoco_free_body(inertia, spin, {1, 5, 10}, 1e-3)) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(s.spin[i], truth.spin(s.t)[i], 1e-10) << s.t;
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(s.attitude[i][j], truth.attitude(s.t)[i][j], 1e-6) << s.t;
    }
  }
}

TEST(MujocoOracle, double_pendulum_agrees) {
  const Chain chain{2};
  Chain::State truth = chain.horizontal();
  for (const Chain::State& s : mujoco_chain(chain, {0.5, 1.0, 2.0}, 1e-4)) {
    truth = chain.advance(truth, s.t);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(s.angle[i], truth.angle[i], 1e-9) << s.t;
      EXPECT_NEAR(s.rate[i], truth.rate[i], 1e-8) << s.t;
    }
  }
}

TEST(MujocoOracle, chain_agrees) {
  const Chain chain{10};
  const Chain::State truth = chain.advance(chain.horizontal(), 1.0);
  const Chain::State s = mujoco_chain(chain, {1.0}, 1e-4)[0];
  for (std::size_t i = 0; i < truth.angle.size(); ++i) EXPECT_NEAR(s.angle[i], truth.angle[i], 1e-8) << i;
}

}  // namespace
}  // namespace bristle::test
#endif
