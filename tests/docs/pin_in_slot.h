#pragma once
#include "bristle/joint/plan_parts.h"

namespace bristle {

/// A pin on B in a straight slot of A: it slides along the x axis of A and turns about its own axis, the z axis of both.
inline JointEntry pin_in_slot() {
  using namespace plan_parts;
  JointEntry entry;
  entry.name = "pin_in_slot";
  entry.summary = "slides along the x axis of A and turns about its axis (4 rows)";
  entry.plan = [](const JointSizes& s) {
    JointPlan p;
    p.held = joined({along(1, kAlong[1]), along(2, kAlong[2])}, axis());
    p.motions = {displacement(0), angle()};
    BearingPlan flank;  // where it rubs: the pin slides along a flank of the slot, pressed on it by the first held row
    flank.preload = s.preload;
    flank.slip = {p.motions[0]};
    flank.load = {{{0}, 1}};
    p.bearings = {flank};
    return p;
  };
  entry.sizes = {"preload"};
  entry.page =
      R"(Rows: displacement along y, z; tilt about y and x. Motions: displacement along x of A (rate velocity), angle about z (rate speed).

Friction: one place, slip = velocity, N = preload + |Fy|. The turning of the pin does not rub.
Channels: displacement, velocity, angle, speed; force and moment that it carries.
)";
  return entry;
}

}  // namespace bristle
