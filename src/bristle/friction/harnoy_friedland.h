#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A lubricated journal bearing: asperities shear while the shaft sits low in its film, and the film itself resists viscously.

Equations ("Frictional Contacts in Multibody Dynamics", 3.43 and 3.44; laws D5), e the eccentricity of the shaft, e_tr the one at
which asperities lift off, per unit of load:

    sliding   F = N (K1 (e - e_tr)^2 sgn(v) [e > e_tr] + K2 v / sqrt(1 - e^2))
    rest      |F| <= N K1 (e - e_tr)^2 [e > e_tr]

The source writes one dimension and constants that do not depend on the load (which acts through e), and gives neither their
values nor the fourth-order equation of the film that moves e. Ours: the sign of v in the first term, the vector form along the
slip, constants per unit of load, so that nothing acts where nothing touches, and the rest branch.

Parameters: `asperity` K1 [1] per unit of load, or [N] divided by `reference_load`; K1 (1 - e_tr)^2 is the dry coefficient, 0.1
to 0.3; `film` K2 [s/m] per unit of load, or [N s/m] divided by `reference_load`; `eccentricity` e, between 0 and 1, 1 excluded: a
number, or an expression of t and channels, such as "0.9 + 0.05*sin(t)", or of a state whose rate is the equation of the film;
`lift_off` e_tr, 0.9 by default, between 0 and 1. `stick_velocity` [m/s], 0 by default, is not physical: in threshold mode speeds
up to it count as rest.

Memory: none. The memory of a real bearing is its eccentricity, which is given from outside.

Cannot: find the eccentricity; where it is a number there is no lag and no Stribeck curve over speed (use `lugre` for both). It does not
take the eccentricity of a joint with clearance, 1 - gap/clearance: that joint has a load only where its surfaces overlap, at e > 1,
and none where a film would carry it. With e at or below e_tr it is a pure dashpot, and it creeps without limit under any load; above
e_tr it holds without creep. The force jumps at zero speed when e > e_tr. It is passive, whatever the expression.

Reference: A. Harnoy, B. Friedland, Dynamic friction model of lubricated surfaces for precise motion control, Tribology
Transactions 37 (1994).
*/
struct HarnoyFriedland {
  static constexpr Range kEccentricities{0, 1, false, true};
  double asperity = kRequired;      // [1]
  double film = kRequired;          // [s/m]
  double eccentricity = kRequired;  // [1]
  bool outside = false;             // the eccentricity is an input
  double lift_off = 0.9;            // [1]
  double stick_velocity = 0;        // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) {
    v.per_load("asperity", asperity, unit::one, non_negative, "asperity shear over load and squared excess of eccentricity, K1");
    v.per_load("film", film, unit::second_per_metre, non_negative, "viscous resistance of the centred film over load, K2");
    v.input("eccentricity", eccentricity, outside, unit::one, kEccentricities,
            "distance of shaft and bearing centres over the clearance: a number, or an expression of t and channels");
    v("lift_off", lift_off, unit::one, fraction, "eccentricity above which asperities touch");
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
    v.reference_load();
  }
  /// Coefficient of the asperities.
  template <class T>
  T dry(const T& e) const {
    const T excess = e - lift_off;
    return excess > 0 ? asperity * excess * excess : T(0);
  }
  /// Viscous gain over load [s/m].
  template <class T>
  T viscous(const T& e) const {
    using std::sqrt;
    return film / sqrt(1.0 - e * e);
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    const T e = now(p);
    slide(p, dry(e), F);
    const T gain = viscous(e) * p.load;
    F = F + gain * p.slip;
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return dry(now(p)) * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return (dry(now(p)) + viscous(now(p)) * norm(p.slip)) * p.load;
  }
  double band() const { return stick_velocity; }

 private:
  template <int D, class T>
  T now(const Patch<D, T>& p) const {
    return outside ? p.input : T(eccentricity);
  }
};

}  // namespace bristle
