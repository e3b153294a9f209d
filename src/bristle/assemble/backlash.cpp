// Play on a motion of a joint.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"

namespace bristle {

namespace {

void add_backlash(Plan& plan, Reader& reader, const std::string& name) {
  const std::string on = reader.text("on", "motion of a joint, for example hinge.angle");
  const RowOf& motion = find_motion(plan, reader, "on", on);
  const double center = reader.optional_number("center", motion.rotary ? unit::one : unit::metre).value_or(0);
  add_play(plan, reader, name, {motion.row}, {1}, center, motion.rotary);
}

KindEntry backlash_kind() {
  using enum Field::Kind;
  std::vector<Field> laws = contact_fields();
  laws.pop_back();  // there are no surfaces between which forces could act
  KindEntry kind{
      "backlash", "play on a motion of a joint: free between two stops that follow laws of contact",
      joined({shaped_field("on", "", "motion of a joint: hinge.angle", "names"),
              plain_field(number, "clearance", unit::metre, non_negative, "", "play to each side; of a turn at the radius `arm`"),
              plain_field(number, "center", unit::one, any, "0", "value of the motion in the middle of the play"),
              plain_field(number, "arm", unit::metre, positive, "none",
                          "radius at which a turn is stopped; rotary motions need it")},
             laws),
      "bodies:\n  flap: {type: planar, mass: 1 kg, inertia: 0.01 kg m^2}\n"
      "joints:\n  hinge: {type: revolute, between: [ground, flap], at: [0, 0]}\n"
      "  play: {type: backlash, on: hinge.angle, clearance: 0.1 mm, arm: 50 mm, contact: {type: linear, stiffness: 1 MN/m}}\n",
      "Gaps: clearance - arm (motion - center) at `<joint>.upper`, clearance + arm (motion - center) at `<joint>.lower`; arm = 1 for a\n"
      "displacement (backlash elements E1 and E2 of flexible multibody dynamics with contact). With friction the load is that of the\n"
      "stop and the slip is that of the motion.\n"};
  return kind;
}

}  // namespace

ElementEntry backlash_coupling() {
  ElementEntry entry{backlash_kind()};
  entry.acts_on = ElementEntry::ActsOn::motions;
  entry.announce = add_backlash;
  return entry;
}

}  // namespace bristle
