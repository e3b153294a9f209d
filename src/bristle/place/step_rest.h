#pragma once
#include <cmath>

#include "bristle/math/vec.h"

namespace bristle {

/** Dry friction over a whole step, as one equation for the force T of a place with the mean slip s. With a trial force tau = T + s/(h W),
W [1/kg] about what a unit of force does to the slip: the place rests, s = 0, while |tau| is within what it can hold; otherwise it slides
with T = K tau/|tau|, K what the law says at that speed. At a solution tau, T and s point the same way: friction never drives (the
projection of Alart and Curnier, with a limit at rest of its own). */
template <int D>
struct StepRest {
  bool rests = false;
  Vec<D> along;             ///< direction of the trial force
  Vec<D> residual;          ///< [m]
  double by_force[D][D]{};  ///< derivatives of the residual
  double by_slip[D][D]{};
  double by_load[D]{};

  /// speed, and what the law says there: size of the force, its derivatives by speed and load.
  StepRest(const Vec<D>& T, const Vec<D>& slip, double h, double W, double limit) {
    Vec<D> tau;
    double size = 0;
    for (int d = 0; d < D; ++d) {
      tau[d] = T[d] + slip[d] / (h * W);
      size += tau[d] * tau[d];
    }
    size_ = std::sqrt(size);
    rests = size_ <= limit;
    for (int d = 0; d < D; ++d) along[d] = size_ > 0 ? tau[d] / size_ : 0.0;
    if (!rests) return;
    for (int d = 0; d < D; ++d) {
      residual[d] = h * slip[d];
      by_slip[d][d] = h;
      by_force[d][d] = -kSoft * h * h * W;
    }
  }
  void slide(const Vec<D>& T, const Vec<D>& slip, double h, double W, double K, double K_speed, double K_load) {
    const double scale = h * h * W;
    double speed = 0;
    for (int d = 0; d < D; ++d) speed += slip[d] * slip[d];
    speed = std::sqrt(speed);
    for (int d = 0; d < D; ++d) {
      residual[d] = scale * (T[d] - K * along[d]);
      by_load[d] = -scale * along[d] * K_load;
      for (int c = 0; c < D; ++c) {
        const double turn = (size_ > 0 ? K / size_ : 0.0) * ((c == d ? 1.0 : 0.0) - along[d] * along[c]);
        by_force[d][c] = scale * ((c == d ? 1.0 : 0.0) - turn);
        by_slip[d][c] = -scale * (turn / (h * W) + along[d] * K_speed * (speed > 0 ? slip[c] / speed : 0.0));
      }
    }
  }

 private:
  // a place that cannot rest because its motion is prescribed would leave its force undetermined: so soft it grows until it slides
  static constexpr double kSoft = 1e-7;
  double size_ = 0;  // of the trial force
};

}  // namespace bristle
