// Gears and racks: motions of two joints in a fixed ratio.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/space_rows.h"

namespace bristle {

namespace {

/// What a coupling with play has beside its clearance. `arm`: it turns.
void visit_coupled_play(Keys& keys, PlayKeys& play, const char* clearance, const char* arm) {
  keys.number("clearance", play.clearance, unit::metre, non_negative, "none", clearance);
  if (arm != nullptr) keys.number("arm", play.arm, unit::metre, positive, "none", arm);
  play.press.visit(keys, "none", "law of contact of the teeth; clearance needs it");
}

struct GearKeys {
  std::vector<std::string> between;
  double ratio = 0, offset = 0;
  PlayKeys play;
  void visit(Keys& keys) {
    keys.names("between", between, "", "motions of two joints: [input.angle, output.angle]");
    keys.required("ratio", ratio, unit::one, any, "turns of the second per turn of the first; negative: opposite");
    keys.number("offset", offset, unit::one, any, "0", "second angle when the first is zero");
    visit_coupled_play(keys, play, "play of the teeth to each side, at the radius `arm`",
                       "radius of the second wheel; clearance needs it");
  }
};

struct RackKeys {
  std::vector<std::string> between;
  double radius = 0, offset = 0;
  PlayKeys play;
  void visit(Keys& keys) {
    keys.names("between", between, "", "motions of two joints: [pinion.angle, slide.displacement]");
    keys.required("radius", radius, unit::metre, any, "of the pinion; negative: opposite");
    keys.number("offset", offset, unit::metre, any, "0 m", "displacement when the angle is zero");
    visit_coupled_play(keys, play, "play of the teeth to each side", nullptr);
  }
};

KindEntry gear_kind() {
  return {
      "gear", "couples the angles of two joints: second = ratio * first + offset", key_fields<GearKeys>(),
      std::string(kTwoWheels) +
          "  output: {type: revolute, between: [ground, slider], at: [0.2, 0, 0], axis: z}\n"
          "  mesh: {type: gear, between: [input.angle, output.angle], ratio: -0.5}\n",
      "Row: second - ratio * first - offset = 0. Between two wheels on fixed axes the ratio is -teeth_1/teeth_2; its reaction does no\n"
      "work. An ideal gear has no play and does not rub. With clearance the row is not held: the teeth touch at `<joint>.upper` and\n"
      "`<joint>.lower`, see backlash. Both angles count on beyond a full turn.\n"};
}

KindEntry rack_kind() {
  return {"rack", "couples an angle to a displacement: second = radius * first + offset", key_fields<RackKeys>(),
          std::string(kTwoWheels) +
              "  slide: {type: prismatic, between: [ground, slider], at: [0.2, 0, 0], axis: y}\n"
              "  mesh: {type: rack, between: [input.angle, slide.displacement], radius: 20 mm}\n",
          "Row: displacement - radius * angle - offset = 0. It does not rub. With clearance the row is not held: the teeth\n"
          "touch at `<joint>.upper` and `<joint>.lower`, see backlash.\n"};
}

/// Two motions of which the second follows the first.
struct Coupled {
  RowOf first, second;
};
Coupled motions_of(const Plan& plan, const Reader& reader, const std::vector<std::string>& names) {
  if (names.size() != 2)
    reader.fail("between", "between takes the motions of two joints, for example [input.angle, output.angle]");
  const RowOf& first = find_motion(plan, reader, "between", names[0]);
  return {first, find_motion(plan, reader, "between", names[1])};
}

/// second = factor * first + offset, held or with play.
void couple(Plan& plan, Reader& reader, const std::string& name, const Coupled& motion, double factor, double offset,
            const PlayKeys& play) {
  if (play.clearance) {
    add_play(plan, reader, play, name, {motion.second.row, motion.first.row}, {1, -factor}, offset, motion.second.rotary);
    return;
  }
  for (const char* key : {"arm", "contact", "friction", "smoothing", "stiffness_at", "viscosity"}) {
    if (reader.has(key))
      reader.fail(key, std::string(key) +
                           " belongs to clearance: without it there is no play and nothing rubs. Give clearance, or leave " +
                           key + " out");
  }
  reader.finish();
  hold_row(plan, add_combination(plan, linear_rows({motion.second.row, motion.first.row}, {1, -factor}, offset)), reader.owner(),
           "coupling");
}

void announce_gear(Plan& plan, Reader& reader, const std::string& name) {
  const GearKeys keys = read_keys<GearKeys>(reader, plan.scope);
  const Coupled motion = motions_of(plan, reader, keys.between);
  if (!motion.first.rotary || !motion.second.rotary)
    reader.fail("between", "a gear couples two angles; for an angle and a displacement use a rack");
  couple(plan, reader, name, motion, keys.ratio, keys.offset, keys.play);
}

void announce_rack(Plan& plan, Reader& reader, const std::string& name) {
  const RackKeys keys = read_keys<RackKeys>(reader, plan.scope);
  const Coupled motion = motions_of(plan, reader, keys.between);
  if (!motion.first.rotary || motion.second.rotary)
    reader.fail("between", "a rack couples an angle and a displacement, in this order");
  couple(plan, reader, name, motion, keys.radius, keys.offset, keys.play);
}

}  // namespace

ElementEntry gear_coupling() {
  ElementEntry entry{gear_kind()};
  entry.acts_on = ElementEntry::ActsOn::motions;
  entry.announce = announce_gear;
  return entry;
}

ElementEntry rack_coupling() {
  ElementEntry entry{rack_kind()};
  entry.acts_on = ElementEntry::ActsOn::motions;
  entry.announce = announce_rack;
  return entry;
}

}  // namespace bristle
