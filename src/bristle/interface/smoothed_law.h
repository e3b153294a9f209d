#pragma once
#include <cmath>
#include <memory>
#include <utility>

#include "bristle/base/visitor.h"
#include "bristle/interface/friction_law.h"

namespace bristle {

/// How a dry law is made smooth: its sliding force times a factor that rises from 0 to 1 over `velocity`; exponential as in "Modeling
/// Friction Phenomena in Flexible Multibody Dynamics", eq. 21.
struct Smoothing {
  enum class Shape { tanh, saturation, exponential };
  Shape shape = Shape::tanh;
  double velocity = 1e-3;  ///< [m/s] non-physical: smaller is closer to the dry law and stiffer; at rest the place creeps
  void visit(Visitor& v) {
    v.choice_of("shape", shape, {"tanh", "saturation", "exponential"},
                "how the force rises: by tanh x, min(x, 1) or 1 - exp(-x), x = speed / velocity");
    v("velocity", velocity, unit::metre_per_second, positive, "speed over which the force rises");
  }
};

/// A dry law without its jump at zero speed. It no longer holds: below the limit it creeps at up to `velocity`.
template <int D>
class SmoothedLaw final : public FrictionLaw<D> {
 public:
  SmoothedLaw(std::unique_ptr<FrictionLaw<D>> dry, Smoothing smoothing) : dry_(std::move(dry)), smoothing_(smoothing) {}

  MemorySize memory() const override { return dry_->memory(); }
  void start(double* z, double* marks, int stream) const override { dry_->start(z, marks, stream); }
  void eval(const Patch<D>& p, const double* z, const double* marks, Vec<D>& force, double* zdot) const override {
    Patch<D> q = p;
    double slope = 0;
    const double factor = lift(q, slope);
    dry_->eval(q, z, marks, force, zdot);
    const Vec<D> rest = dry_->set_valued()->offset(q);
    for (int d = 0; d < D; ++d) force[d] = rest[d] + factor * (force[d] - rest[d]);
  }
  void eval(const Patch<D>& p, const double* z, const double* marks, Vec<D>& force, double* zdot, RubPartials J) const override {
    Patch<D> q = p;
    double slope = 0;
    const double factor = lift(q, slope);
    dry_->eval(q, z, marks, force, zdot, J);
    const Vec<D> e = direction(q.slip);
    const double speed = norm(p.slip);
    const Vec<D> rest = dry_->set_valued()->offset(q);
    // near rest the dry derivative by slip is that of a direction; the product with the factor has a finite limit
    for (int d = 0; d < D; ++d) {
      const double sliding = force[d] - rest[d];
      for (int c = 0; c < J.columns; ++c) {
        if (c < D) {
          J(d, c) = speed > kBarely ? factor * J(d, c) + sliding * slope * e[c] : (d == c ? slope * along(force, rest, e) : 0.0);
        } else {
          J(d, c) *= c == D || c > 2 * D ? factor : 1.0;
        }
      }
      force[d] = rest[d] + factor * sliding;
    }
  }
  Vec<D> by_input(const Patch<D>& p, const double* marks) const override {
    Patch<D> q = p;
    double slope = 0;
    const double factor = lift(q, slope);
    return factor * dry_->by_input(q, marks);  // what is there at rest does not depend on it
  }
  void project(const Patch<D>& p, double* z, const double* marks) const override { dry_->project(p, z, marks); }
  void accept(const Patch<D>& p, double t, double* z, double* marks) const override { dry_->accept(p, t, z, marks); }
  bool remembers() const override { return dry_->remembers(); }
  double stored(const Patch<D>& p, const double* z, const double* marks) const override { return dry_->stored(p, z, marks); }
  bool stores_by_load() const override { return dry_->stores_by_load(); }
  double holding(const Patch<D>& p, const double* marks) const override { return dry_->holding(p, marks); }
  double bound(const Patch<D>& p, const double* marks) const override { return dry_->bound(p, marks); }
  double reach() const override { return dry_->reach(); }
  Mode mode(const Patch<D>& p, const double*, const double*) const override {
    return norm(p.slip) > smoothing_.velocity ? Mode::slip : Mode::stick;
  }
  Pace pace(const Patch<D>& p, const double* z, const double* marks) const override {
    Pace pace = dry_->pace(p, z, marks);
    pace.speed = smoothing_.velocity;
    return pace;
  }

 private:
  static constexpr double kBarely = 1e-100;
  static double along(const Vec<D>& force, const Vec<D>& rest, const Vec<D>& e) {
    double sum = 0;
    for (int d = 0; d < D; ++d) sum += (force[d] - rest[d]) * e[d];
    return sum;
  }
  /// Factor at the speed of the patch; at rest the slip is replaced by a tiny one, so that the dry law has a direction.
  double lift(Patch<D>& p, double& slope) const {
    const double speed = norm(p.slip), r = speed / smoothing_.velocity;
    if (!(speed > kBarely)) p.slip[0] = kBarely;
    if (smoothing_.shape == Smoothing::Shape::saturation) {
      slope = r < 1 ? 1 / smoothing_.velocity : 0;
      return r < 1 ? r : 1;
    }
    if (smoothing_.shape == Smoothing::Shape::exponential) {
      const double left = std::exp(-r);
      slope = left / smoothing_.velocity;
      return -std::expm1(-r);
    }
    const double t = std::tanh(r);
    slope = (1 - t * t) / smoothing_.velocity;
    return t;
  }

  std::unique_ptr<FrictionLaw<D>> dry_;
  Smoothing smoothing_;
};

}  // namespace bristle
