#include <algorithm>
#include <cmath>

#include "bristle/analyse/run.h"

namespace bristle {

/// Given motion has no error that an estimate could see: a step might pass over whole oscillations of it, and over the work of friction
/// and dampers. The longest step up to h in which it is nearly the cubic through positions and velocities of both ends.
///
/// In the middle of a step an oscillation q = A sin(wt) is off that cubic by (wh)^4 A/384, so that 384 off/(h max|v|) is (wh)^3.
double Run::follows_drives(double h) {
  constexpr double kShortest = 1e-4;  // of h: where a given motion has a kink, no step follows it
  constexpr double kBeside = 0.3;     // part of a step: of one as long as a whole oscillation, the middle is where the ends are
  const Layout& layout = system_.layout();
  const double angle = integrator_->drive_angle(), limit = angle * angle * angle / 384, least = kShortest * h;
  const auto moved_to = [&](double t, double* q, double* v) {
    system_.set_time(inside_, t);
    std::copy_n(inside_.q() + layout.scalars, layout.driven, q);
    std::copy_n(inside_.v() + layout.scalars, layout.driven, v);
  };
  const auto n = static_cast<std::size_t>(layout.driven);
  double *inside = given_.data(), *end = inside + 2 * n;
  const double *q0 = x0_->q() + layout.scalars, *v0 = x0_->v() + layout.scalars;
  const auto follows = [&](double part) {
    moved_to(x0_->t + part * h, inside, inside + n);
    const double rest = 1 - part;
    for (std::size_t i = 0; i < n; ++i) {
      const double *q1 = end, *v1 = end + n, *v = inside + n;
      const double cubic =
          rest * rest * ((1 + 2 * part) * q0[i] + part * h * v0[i]) + part * part * ((1 + 2 * rest) * q1[i] - rest * h * v1[i]);
      const double speed = std::max({std::abs(v0[i]), std::abs(v[i]), std::abs(v1[i])});
      const double nothing = 1e-14 * (std::abs(q0[i]) + std::abs(q1[i])) + integrator_->absolute_tolerance();
      if (std::abs(inside[i] - cubic) > limit * h * speed + nothing) return false;
    }
    return true;
  };
  for (; h > least; h *= 0.5) {
    moved_to(x0_->t + h, end, end + n);
    if (follows(0.5) && follows(kBeside)) break;
  }
  return h;
}

}  // namespace bristle
