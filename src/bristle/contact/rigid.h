#pragma once
#include "bristle/base/visitor.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/** Surfaces that do not press into each other at all: they touch, part, or bounce off in an instant.

Equations ("Modeling of Unilateral Contact Conditions in Aerospace Systems", unilateral contact), for the gap g and the force F:

    g >= 0,  F >= 0,  g F = 0
    impact `newton`:   g'(after) = -e g'(before)
    impact `poisson`:  impulse of the restitution = e times impulse of the compression

For one contact without friction both impacts are equal. With several at once, or with friction, they differ. The impulse of the
compression is that of the impact alone, without what weight and springs do within the step. As printed, Newton's law gives out
energy where friction turns the slip around (up to 40 % in one impact of a rod); no impact does that here. Where the impacts of a
step would give out energy in all, they are mixed with those of restitution 0, with as much of the law as leaves the energy as it
was. Balls that touch in a row share momentum as the law says, all at once: Newton's cradle, which needs one impact after the other,
is not among the answers.

Parameters: `restitution` e; `impact`, `newton` by default; `rest_speed` [m/s], 1 mm/s by default: slower impacts do not bounce
(non-physical: it ends the sequence of ever smaller bounces; smaller values follow more of them).

Memory: none.

Cannot: say how long an impact lasts or how large its force is; store energy; share the load between more points than rigid bodies
can tell apart. Only methods that know set-valued contact take it; others need a compliant law such as `flores`.

Reference: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, Wiley (1996).
*/
struct Rigid {
  Unilateral unilateral{.restitution = kRequired, .rest_speed = 1e-3};

  void visit(Visitor& v) {
    v("restitution", unilateral.restitution, unit::one, fraction, "speed after the impact over speed before");
    v.choice_of("impact", unilateral.impact, {"newton", "poisson"}, "what the restitution is a ratio of: speeds, or impulses");
    v("rest_speed", unilateral.rest_speed, unit::metre_per_second, non_negative, "slower impacts do not bounce");
  }
  const Unilateral* rigid() const { return &unilateral; }
  bool damped() const { return unilateral.restitution < 1; }
  template <class T>
  T potential(const T&) const {
    return T(0);
  }
  template <class T>
  T elastic(const T&) const {
    return T(0);
  }
};

}  // namespace bristle
