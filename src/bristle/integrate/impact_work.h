#pragma once
#include <vector>

namespace bristle {

/// What one contact dissipates in a step: impulse times mean velocity, across the surfaces and along them [J].
struct ImpactWork {
  double contact = 0, friction = 0;
};

/** Books the work of the contacts of an impact, which comes about at once: impulse times mean velocity is what all of them take, but how much of it is whose is
not settled by it. Where friction turns the slip around within the impact its impulse opposes the slip at the end and may point along the mean one; where
bodies hit each other in a row, what one contact passes on another one takes. A share that would give energy out is taken from the other one of its contact, and
what is left then from all contacts alike. The sum stays what it is; it is negative only where all of them together give energy out. */
inline void share_impact_work(std::vector<ImpactWork>& list) {
  double given = 0, taken = 0;
  for (ImpactWork& w : list) {
    const double both = w.contact + w.friction;
    if (w.contact < 0 && w.friction > 0) w.contact = both < 0 ? both : 0, w.friction = both < 0 ? 0 : both;
    else if (w.friction < 0 && w.contact > 0) w.friction = both < 0 ? both : 0, w.contact = both < 0 ? 0 : both;
    for (double share : {w.contact, w.friction}) (share < 0 ? given : taken) += share < 0 ? -share : share;
  }
  if (!(given > 0)) return;
  const double moved = given < taken ? given : taken, less = 1 - moved / given, more = taken > 0 ? 1 - moved / taken : 1;
  for (ImpactWork& w : list) {
    w.contact *= w.contact < 0 ? less : more;
    w.friction *= w.friction < 0 ? less : more;
  }
}

}  // namespace bristle
