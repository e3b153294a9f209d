#pragma once
#include "bristle/contact/linear_spring.h"

namespace bristle {

/** A linear spring that only pushes: stops, buffers, and surfaces whose stiffness was measured around one load.

Equations ("Modeling of Unilateral Contact Conditions in Aerospace Systems", law of the unilateral contact with V = k d^2/2), at a
depth d > 0 that grows with the rate d':

    F = k d (1 + mu_c d'),      never less than 0

Parameters: `stiffness` k [N/m], of the order of 1e8 N/m for steel parts. `dissipation` mu_c [s/m], 0 by default, takes energy out
as Hunt and Crossley do: no jump at touch-down. An impact at the speed v returns a speed e v with ln((1 + a)/(1 - a e)) = a (1 +
e), a = mu_c v; for small a, e = 1 - 2a/3.

Memory: none.

Cannot: follow the growing stiffness of curved surfaces (use `hertz`), or give the same restitution at every speed (use `flores`).

Reference: K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Applied Mechanics 42
(1975), doi:10.1115/1.3423596, for the damping.
*/
struct Linear : LinearSpring {
  double dissipation = 0;  // [s/m]

  void visit(Visitor& v) {
    LinearSpring::visit(v);
    v("dissipation", dissipation, unit::second_per_metre, non_negative, "the force grows by this times the rate; 0: elastic");
  }
  bool damped() const { return dissipation > 0; }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    return dissipation * rate * elastic(depth);
  }
};

}  // namespace bristle
