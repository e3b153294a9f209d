#include "bristle/joint/pages.h"

namespace bristle {

// F and M are force and moment that the joint carries, in the axes of its frame on A; N is the load of the friction law.

const char* const kFreePage =
    R"(Rows: none. Motions: x, y, z (rates velocity_x, velocity_y, velocity_z) of the frame on B in the axes of the frame on A, and
angle about z (rate speed). It does not rub. It gives a name to a relative motion on which springs, stops, backlash and expressions act.
A drive may also give angular_velocity_x|y|z of B in the axes of A, or its orientation: turns one after the other, as in spherical.
)";

const char* const kFixedPage =
    R"(Rows: displacement along x, y, z; tilt about y and x; turn about z.
Motions: none. It does not rub.
)";

const char* const kRevolutePage =
    R"(Rows: displacement along x, y, z; tilt about y and x. Motion: angle about z, counted on beyond a full turn; its rate is speed.

Friction: one place, slip = pin_radius * speed, friction torque = pin_radius * friction_force.
  N = preload + sqrt(Fx^2 + Fy^2) + friction_arm/pin_radius |Fz| + sqrt(Mx^2 + My^2)/bending_arm
The radial load rubs on the pin, the axial load on a collar (without friction_arm at the radius of the pin), bending presses the two
halves of the bearing apart (without bending_arm it does not rub).
With clearance the pin is a circle in a hole, and only tilt and axial position are held; motions angle, x, y. With length it may tilt and
touches at `<joint>.A.radial` (end at +z) and `.B.radial`; with axial_clearance there are walls before its ends, `.A.axial` and
`.B.axial`, nothing is held, and z is a motion as well.
)";

const char* const kPrismaticPage =
    R"(Rows: displacement along x, y; tilt about y and x; turn about z. Motion: displacement along z; its rate is velocity.

Friction: one place, slip = velocity.
  N = preload + |Fx| + |Fy| + 2 (|Mx| + |My|)/length + 2 |Mz|/width
Lateral forces press on one face each, moments on two opposite ones. The friction of a face acts half the width beside the axis and so
turns the slider: moments friction_force/N * width/2 * F about the other lateral axis, with the opposite sign where the slider runs
around its guide (outer: true). That can jam it. With moment_load: false the moments are carried without rubbing, as by separate rollers:
N = preload + |Fx| + |Fy|.
With clearance nothing is held: the corners of a box touch the walls of the guide, each at a place of its own; motions displacement, x, y.
)";

const char* const kCylindricalPage =
    R"(Rows: displacement along x, y; tilt about y and x. Motions: displacement along z (rate velocity) and angle about z (rate speed).

Friction: one place with two components, slip = (velocity, pin_radius * speed): sliding and turning share one friction force.
  N = preload + sqrt(Fx^2 + Fy^2) + sqrt(Mx^2 + My^2)/bending_arm
With clearance nothing is held: the two ends of a pin of that length touch the bore at `<joint>.A.radial` (end at +z) and `.B.radial`.
)";

const char* const kScrewPage =
    R"(Rows: those of a cylindrical joint, and displacement = lead/(2 pi) * angle. Motions: angle (rate speed) and displacement (rate velocity).

Friction: one place, slip along the thread, whose slope is tan b = lead/(2 pi pin_radius).
  N = preload + |Q|/cos b + sqrt(Fx^2 + Fy^2),  Q: force along the axis that the thread carries
It holds itself where friction is more than tan b.
)";

const char* const kUniversalPage =
    R"(Rows: displacement along x, y, z; angle between the two cross axes, which stay square. The axis belongs to A, second_axis to B.
Motions: angle of the cross about the axis on A (rate speed), second_angle about the axis on B (rate second_speed).

Friction: two places, `<joint>.first` and `<joint>.second`, slip = pin_radius * rate of either angle.
  N = preload + sqrt(Fx^2 + Fy^2 + Fz^2) + |M|/bending_arm,  M: moment that the cross transmits
)";

const char* const kSphericalPage =
    R"(Rows: displacement along x, y, z. Motions: angle_x, angle_y, angle_z (rates speed_x, speed_y, speed_z): turns of B about x
of A, then about the new y, then about the new z, which is z of B. angle_x and angle_z count on beyond a full turn. At an angle_y of
a quarter turn the other two have no meaning: a run in which a drive, a spring or a stop acts on them ends there with a sentence.

Drives, of one angle or of several: {angle_x: ..., angle_y: ..., angle_z: ...} or their rates. Of the whole attitude, without such a place:
{orientation: [{z: "3*t"}, {x: 20 deg}, {z: "50*t"}]}, any number of turns one after the other, each about an axis of the frame that the
ones before have left; its torques on B, about the axes of B, are <joint>.drive_turn_x|y|z.force. Of the angular velocity of B
in the axes of A: {angular_velocity_x: ...}, y, z; only rates are held then, which methods that hold positions refuse.

Friction: one place with three components, slip = pin_radius * relative angular velocity along the axes of A.
  N = preload + sqrt(Fx^2 + Fy^2 + Fz^2)
With clearance nothing is held: a ball in a socket; motions x, y, z.
)";

const char* const kPlanarPage =
    R"(Rows: displacement along z; tilt about y and x. Motions: x, y (rates velocity_x, velocity_y) and angle about z (rate speed).

Friction: one place with two components, slip = (velocity_x, velocity_y) of the joint's frame on B.
  N = preload + |Fz| + sqrt(Mx^2 + My^2)/bending_arm
With friction_arm a second place `<joint>.drill` resists turning on the spot: slip = friction_arm * speed, the same N.
With clearance a plate touches the plane above or below it; with plate_radius it may also tilt, and touches with its rim.
)";

const char* const kPointOnLinePage =
    R"(Rows: displacement along x, y. Motion: displacement along z (rate velocity). B may turn as it likes; a drive
may turn it: angular_velocity_x|y|z or orientation, as in spherical.

Friction: one place, slip = velocity.  N = preload + sqrt(Fx^2 + Fy^2)
With clearance the point is the middle of a thin disk of B (radius pin_radius, normal z) in a bore of A, which may shift and tilt: one
place, motions displacement, x, y. Two of them on a rigid body are a journal bearing. Between planar bodies it is a round pin in a slot.
length, the thickness of the disk, matters to contact laws of lines alone. A disk that stands along the bore (tilt of a quarter turn)
ends the run with a sentence.
)";

const char* const kPointInPlanePage =
    R"(Rows: displacement along z, the normal of the plane. Motions: x, y (rates velocity_x, velocity_y). B may turn as it likes;
a drive may turn it: angular_velocity_x|y|z or orientation, as in spherical.

Friction: one place with two components, slip = (velocity_x, velocity_y).  N = preload + |Fz|
)";

const char* const kDistancePage =
    R"(Row: distance of the two points, kept at length; without it, as it is at the start. Motions: none. It does not rub.
The points are `at` on A and `at_b` on B, or frames of the bodies; they must not coincide. A drive gives the distance or its rate, velocity,
in place of length; or it turns B: angular_velocity_x|y|z or orientation, as in spherical.
)";

const char* const kConstantVelocityPage =
    R"(Rows: displacement along x, y, z; twist: the shafts, along the axis of either frame, turn equally far whatever the angle between them.
Motions: bend_x, bend_y (rates bend_speed_x, bend_speed_y): the rotation vector from A to B in the axes of A, whose z is zero; the angle
between the shafts is its length, below half a turn. It does not rub.
)";

std::string joint_page(const char* text) {
  return std::string(text) +
         "\nChannels: every motion and its rate; force.x|y|z and moment.x|y|z on B at its frame of the joint in world axes; with friction: slip,\n"
         "travel, normal_force, friction_force, mode. A drive, and what rubs, have accounts in the energy ledger.\n";
}

}  // namespace bristle
