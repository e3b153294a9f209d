#pragma once
#include <cmath>

#include "bristle/math/vec.h"

namespace bristle {

/** Dry friction over a whole step, as one equation for the force T of a place with the mean slip s. With a trial force tau = T + s/(h W),
W [1/kg] about what a unit of force does to the slip: s = 0 while |tau| is within K, what the law says in sliding at this speed; otherwise
T = K tau/|tau|. At a solution tau, T and s point the same way: friction never drives (the projection of Alart and Curnier). What a place
can hold at rest beyond K has no part in this. With a larger limit for tau, L, there would be nothing between: a place that is pulled by L
and a little more does not rest, and in sliding from rest it gets to |tau| = K + (L - K)/2 in the step, which would be rest. Who rests with
more than K is held, whatever it takes (limit: infinite), and the method sees to it that it is no more than L; or it yields: it holds L
and no more (K = L at all speeds), and the method sees to it that others keep it at rest. */
template <int D>
struct StepRest {
  bool rests = false;
  Vec<D> along;             ///< direction of the trial force tau
  Vec<D> residual;          ///< [m]
  double by_force[D][D]{};  ///< derivatives of the residual
  double by_slip[D][D]{};
  double by_load[D]{};

  StepRest() = default;
  StepRest(const Vec<D>& T, const Vec<D>& slip, double h, double W) {
    Vec<D> tau;
    double size = 0;
    for (int d = 0; d < D; ++d) {
      tau[d] = T[d] + slip[d] / (h * W);
      size += tau[d] * tau[d];
    }
    size_ = std::sqrt(size);
    for (int d = 0; d < D; ++d) along[d] = size_ > 0 ? tau[d] / size_ : 0.0;
  }
  /// At rest, if the trial force is within the limit.
  bool hold(const Vec<D>& slip, double h, double W, double limit) {
    rests = size_ <= limit;
    for (int d = 0; d < D && rests; ++d) {
      residual[d] = h * slip[d];
      by_slip[d][d] = h;
      by_force[d][d] = -kSoft * h * h * W;
    }
    return rests;
  }
  /// Sliding; what the law says at this speed: size of the force, its derivatives by speed and load.
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
