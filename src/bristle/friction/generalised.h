#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Dry friction whose pressing force follows displacement and speed: an active joint, or a passive one with a profile.

Equations ("Behavior of a Single-Degree-of-Freedom System with a Generalized Friction Law", 1; "Active and Passive Joints for
Damping Augmentation of Large Space Structures", 2 and 3), x the slip displacement (travel), N the load:

    sliding   F = mu N (K0 + K1 |x| + K2 |v|) sgn(v)
    rest      |F| <= mu N (K0 + K1 |x|)

The K2 part is an exact linear dashpot of mu N K2. The source gives one dimension; the vector form, with lengths for |x| and |v|
and along the slip, is ours.

Parameters: `mu_kinetic` mu; `constant_share` K0 [1], 1 by default, 0 allowed; `displacement_gain` K1 [1/m] and `rate_gain` K2
[s/m], each per unit of load, 0 by default, or as forces [N/m], [N s/m] divided by `reference_load`. At K1 mu N above the
stiffness of the spring that centres the joint it may lock for ever. `stick_velocity` [m/s], 0 by default, is not physical: in
threshold mode speeds up to it count as rest.

Memory: none. Asks for the travel.

Cannot: hold more at rest than in slow sliding; deform before sliding (use `lugre`). With K0 = 0 it holds nothing at x = 0. The
force jumps at zero speed and has a kink at x = 0. It holds without creep and is passive. The roller of a wedge also pushes back:
use `wedge` for that.

Reference: J. R. Anderson, A. A. Ferri, Behavior of a single-degree-of-freedom system with a generalized friction law, Journal
of Sound and Vibration 140 (1990).
*/
struct Generalised {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double constant_share = 1;
  double displacement_gain = 0;  // [1/m]
  double rate_gain = 0;          // [s/m]
  double stick_velocity = 0;     // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;
  static constexpr bool kTravel = true;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("constant_share", constant_share, unit::one, non_negative, "share of the load that presses always, K0");
    v.per_load("displacement_gain", displacement_gain, unit::per_metre, non_negative, "pressing force over load per travel, K1");
    v.per_load("rate_gain", rate_gain, unit::second_per_metre, non_negative, "pressing force over load per speed, K2");
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
    v.reference_load();
  }
  template <int D, class T>
  T coefficient(const Patch<D, T>& p) const {
    return curve.mu_kinetic * (constant_share + displacement_gain * norm(p.travel) + rate_gain * norm(p.slip));
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, coefficient(p), F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * (constant_share + displacement_gain * norm(p.travel)) * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return coefficient(p) * p.load;
  }
  double band() const { return stick_velocity; }
};

}  // namespace bristle
