// Play on a motion of a joint.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"

namespace bristle {

namespace {

struct BacklashKeys {
  std::string on;
  PlayKeys play;
  double center = 0;
  bool turns = false;  ///< the motion
  void visit(Keys& keys) {
    visit_motion(keys);
    visit_play(keys);
  }
  void visit_motion(Keys& keys) { keys.word("on", on, "", "motion of a joint: hinge.angle"); }
  void visit_play(Keys& keys) {
    double clearance = 0;
    keys.required("clearance", clearance, unit::metre, non_negative, "play to each side; of a turn at the radius `arm`");
    play.clearance = clearance;
    keys.number("center", center, turns ? unit::one : unit::metre, any, "0", "value of the motion in the middle of the play");
    keys.number("arm", play.arm, unit::metre, positive, "none", "radius at which a turn is stopped; rotary motions need it");
    play.press.visit(keys);
  }
};

void add_backlash(Plan& plan, Reader& reader, const std::string& name) {
  KeyReader keys(reader, plan.scope);
  BacklashKeys k;
  k.visit_motion(keys);
  const RowOf& motion = find_motion(plan, reader, "on", k.on);
  k.turns = motion.rotary;
  k.visit_play(keys);
  add_play(plan, reader, k.play, name, {motion.row}, {1}, k.center, motion.rotary);
}

KindEntry backlash_kind() {
  BacklashKeys turned;
  turned.turns = true;  // as it is shown
  KindEntry kind{
      "backlash", "play on a motion of a joint: free between two stops that follow laws of contact", key_fields(turned),
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
