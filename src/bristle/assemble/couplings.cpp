// Gears and racks: motions of two joints in a fixed ratio.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/space_rows.h"

namespace bristle {

namespace {

KindEntry gear_kind() {
  using enum Field::Kind;
  return {
      "gear",
      "couples the angles of two joints: second = ratio * first + offset",
      {shaped_field("between", "", "motions of two joints: [input.angle, output.angle]", "names"),
       plain_field(number, "ratio", unit::one, any, "", "turns of the second per turn of the first; negative: opposite"),
       plain_field(number, "offset", unit::one, any, "0", "second angle when the first is zero"),
       plain_field(number, "clearance", unit::metre, non_negative, "none", "play of the teeth to each side, at the radius `arm`"),
       plain_field(number, "arm", unit::metre, positive, "none", "radius of the second wheel; clearance needs it"),
       shaped_field("contact", "none", "law of contact of the teeth; clearance needs it", "contact"),
       shaped_field("friction", "none", "law of friction, loaded by the contact", "friction"),
       shaped_field("smoothing", "none", "replaces the jump of a dry law", "smoothing")},
      std::string(kTwoWheels) +
          "  output: {type: revolute, between: [ground, slider], at: [0.2, 0, 0], axis: z}\n"
          "  mesh: {type: gear, between: [input.angle, output.angle], ratio: -0.5}\n",
      "Row: second - ratio * first - offset = 0. Between two wheels on fixed axes the ratio is -teeth_1/teeth_2; its reaction does no\n"
      "work. An ideal gear has no play and does not rub. With clearance the row is not held: the teeth touch at `<joint>.upper` and\n"
      "`<joint>.lower`, see backlash. Both angles count on beyond a full turn.\n"};
}

KindEntry rack_kind() {
  using enum Field::Kind;
  return {"rack",
          "couples an angle to a displacement: second = radius * first + offset",
          {shaped_field("between", "", "motions of two joints: [pinion.angle, slide.displacement]", "names"),
           plain_field(number, "radius", unit::metre, any, "", "of the pinion; negative: opposite"),
           plain_field(number, "offset", unit::metre, any, "0 m", "displacement when the angle is zero"),
           plain_field(number, "clearance", unit::metre, non_negative, "none", "play of the teeth to each side"),
           shaped_field("contact", "none", "law of contact of the teeth; clearance needs it", "contact"),
           shaped_field("friction", "none", "law of friction, loaded by the contact", "friction"),
           shaped_field("smoothing", "none", "replaces the jump of a dry law", "smoothing")},
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
Coupled read_motions(const Plan& plan, Reader& reader) {
  const std::vector<std::string> names = reader.names("between", "motions of two joints");
  if (names.size() != 2)
    reader.fail("between", "between takes the motions of two joints, for example [input.angle, output.angle]");
  const RowOf& first = find_motion(plan, reader, "between", names[0]);
  return {first, find_motion(plan, reader, "between", names[1])};
}

/// second = factor * first + offset, held or with play.
void couple(Plan& plan, Reader& reader, const std::string& name, const Coupled& motion, double factor, double offset) {
  if (reader.has("clearance")) {
    add_play(plan, reader, name, {motion.second.row, motion.first.row}, {1, -factor}, offset, motion.second.rotary);
    return;
  }
  reader.finish();
  hold_row(plan, add_combination(plan, linear_rows({motion.second.row, motion.first.row}, {1, -factor}, offset)), reader.owner(),
           "coupling");
}

void announce_gear(Plan& plan, Reader& reader, const std::string& name) {
  const Coupled motion = read_motions(plan, reader);
  if (!motion.first.rotary || !motion.second.rotary)
    reader.fail("between", "a gear couples two angles; for an angle and a displacement use a rack");
  const double ratio = reader.number("ratio", unit::one, any, "turns of the second per turn of the first");
  couple(plan, reader, name, motion, ratio, reader.optional_number("offset", unit::one).value_or(0));
}

void announce_rack(Plan& plan, Reader& reader, const std::string& name) {
  const Coupled motion = read_motions(plan, reader);
  if (!motion.first.rotary || motion.second.rotary)
    reader.fail("between", "a rack couples an angle and a displacement, in this order");
  const double radius = reader.number("radius", unit::metre, any, "radius of the pinion");
  couple(plan, reader, name, motion, radius, reader.optional_number("offset", unit::metre).value_or(0));
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
