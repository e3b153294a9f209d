#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

// What dry laws with a band of speeds that count as rest have in common; each says what the force is inside it.
struct RestBand {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant};
  double zero_velocity = 1e-3;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit_levels(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
  }
  void visit_sliding(Visitor& v) {
    curve.visit_shape(v, "sliding");
    curve.visit_stribeck(v);
    curve.visit_viscous(v);
  }
  std::string problem() const { return curve.problem(); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, curve.mu(norm(p.slip)), F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return (curve.mu_static + curve.viscous(norm(p.slip))) * p.load;
  }
  double band() const { return zero_velocity; }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, zero_velocity};
  }
};

}  // namespace bristle
