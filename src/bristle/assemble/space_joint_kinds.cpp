// Joints between bodies in space as the model file, the schema and the reference show them.
#include "bristle/assemble/space.h"
#include "bristle/assemble/space_contacts.h"
#include "bristle/assemble/space_rows.h"

namespace bristle {

namespace {

const char* const kArmExample = "bodies:\n  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n";
const char* const kPair =
    "bodies:\n  wheel: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.02]}\n"
    "  slider: {type: rigid, mass: 2 kg, inertia: [0.01, 0.01, 0.02], position: [0.2, 0, 0]}\n"
    "joints:\n  input: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z}\n";

const char* size_text(const std::string& key) {
  if (key == "pin_radius") return "radius at which it rubs; friction and clearance need it";
  if (key == "friction_arm") return "radius at which the axial load rubs";
  if (key == "bending_arm") return "length of the bearing that carries bending; none: bending does not rub";
  if (key == "width") return "of the slider; friction and clearance need it";
  if (key == "height") return "of the slider across its width; default: its width";
  if (key == "length") return "of the slider or the pin along the axis";
  if (key == "axial_clearance") return "play along the axis between end walls, both ends together; none: no axial motion";
  if (key == "plate_radius") return "of the plate; none: it cannot tilt";
  if (key == "moment_load") return "moments press on its faces and rub; false: lateral forces alone do";
  return "the slider runs around its guide, not inside it";
}

/// What may be driven, with the first motion as an example.
std::string drive_text(const JointPlan& plan) {
  std::string text = "moves the joint by functions of t: ";
  for (const RelationPlan& m : plan.motions)
    text += std::string(&m == &plan.motions[0] ? "" : ", ") + m.name + " or " + rate_name(m.name);
  if (!plan.rates.empty()) text += ", angular_velocity_x|y|z, or orientation: [{z: \"2*t\"}, {x: 20 deg}]";
  return text;
}

}  // namespace

std::vector<KindEntry> space_joint_kinds() {
  using enum Field::Kind;
  const std::map<std::string, std::string> shapes = {
      {"between", "bodies"},        {"at", "vector"},         {"axis", "direction"},  {"x_axis", "direction"},
      {"second_axis", "direction"}, {"friction", "friction"}, {"contact", "contact"}, {"smoothing", "smoothing"},
      {"drive", "drive"},           {"stops", "stops"}};
  std::vector<KindEntry> kinds;
  for (const JointEntry& entry : joint_list()) {
    KindEntry kind;
    kind.name = entry.name;
    kind.summary = entry.summary;
    kind.page = entry.page;
    kind.fields = {shaped_field("between", "", "two bodies [A, B], or frames of them: [ground, arm], [crank.pin, rod.eye]"),
                   shaped_field("at", "none", "where the joint is at the start, in the world; frames of bodies need none"),
                   shaped_field("axis", "z", "its axis at the start, in the world: x, y, z, -x, or three numbers"),
                   shaped_field("x_axis", "any", "direction of its x axis")};
    if (entry.two_axes)
      kind.fields.push_back(shaped_field(
          "second_axis", "", "the axis on B, square to the one on A; with a frame at one end: the axis at the other"));
    const JointPlan plan = entry.plan(JointSizes{.pin_radius = 1, .width = 1});
    const auto add_sizes = [&](const std::vector<std::string>& keys) {
      for (std::string key : keys) {
        if (key == "preload") continue;
        if (key[0] == '!') key.erase(0, 1);
        bool known = false;
        for (const Field& f : kind.fields) known = known || f.key == key;
        if (known) continue;
        if (key == "outer" || key == "moment_load") {
          Field f = shaped_field(key.c_str(), key == "outer" ? "false" : "true", size_text(key));
          f.kind = flag;
          kind.fields.push_back(f);
        } else {
          kind.fields.push_back(plain_field(number, key.c_str(), unit::metre, positive, "none", size_text(key)));
        }
      }
    };
    if (plan.needs_length) {
      kind.fields.push_back(plain_field(number, "length", unit::metre, positive, "as at the start", "the distance that is kept"));
      kind.fields.push_back(shaped_field("at_b", "at", "where the joint is on B at the start, in the world"));
      kind.fields.push_back(shaped_field(
          "drive", "none",
          "an actuator, in place of length: {distance: \"0.5 + 0.1*sin(t)\"}, {velocity: 0.1 m/s}; or a turn of B, as in a free joint"));
    }
    if (entry.has_lead) kind.fields.push_back(plain_field(number, "lead", unit::metre, any, "", "advance per turn"));
    if (!plan.motions.empty()) {
      kind.fields.push_back(shaped_field("drive", "none", drive_text(plan).c_str()));
      kind.fields.push_back(
          shaped_field("stops", "none", "ends of the travel: {lower: -1, upper: 1, stiffness: ..., damping: ...}"));
    }
    if (!entry.sizes.empty()) {
      kind.fields.push_back(shaped_field("friction", "none", "law of friction, loaded by what the joint carries"));
      kind.fields.push_back(shaped_field("smoothing", "none", "replaces the jump of a dry law"));
      kind.fields.push_back(
          plain_field(number, "preload", unit::newton, non_negative, "0 N", "load beside what the joint carries"));
      add_sizes(entry.sizes);
    }
    if (entry.worn != nullptr) {
      kind.fields.push_back(plain_field(number, "clearance", unit::metre, positive, "none",
                                        "the joint is worn: radius of the hole less radius of the pin, or play to each side"));
      kind.fields.push_back(shaped_field("contact", "none", "law of contact; clearance needs it"));
      kind.fields.push_back(overlap_field());
      kind.fields.push_back(acts_on_field());
      add_sizes(entry.worn_sizes);
    }
    kind.example = std::string(kArmExample) + "joints:\n  link: {type: " + entry.name +
                   ", between: [ground, arm], at: [0, 0, 0]" +
                   (entry.two_axes              ? ", axis: x, second_axis: y"
                    : plan.needs_length         ? ", at_b: [1, 0, 0]"
                    : entry.name == "spherical" ? ""
                                                : ", axis: z") +
                   (entry.has_lead ? ", lead: 5 mm" : "") + "}\n";
    for (const Field& f : kind.fields) {
      const auto at = shapes.find(f.key);
      if (at != shapes.end()) kind.shapes.insert(*at);
      if (f.key == "at_b") kind.shapes["at_b"] = "vector";
    }
    kinds.push_back(std::move(kind));
  }
  kinds.push_back(
      {"gear",
       "couples the angles of two joints: second = ratio * first + offset",
       {shaped_field("between", "", "motions of two joints: [input.angle, output.angle]"),
        plain_field(number, "ratio", unit::one, any, "", "turns of the second per turn of the first; negative: opposite"),
        plain_field(number, "offset", unit::one, any, "0", "second angle when the first is zero"),
        plain_field(number, "clearance", unit::metre, non_negative, "none",
                    "play of the teeth to each side, at the radius `arm`"),
        plain_field(number, "arm", unit::metre, positive, "none", "radius of the second wheel; clearance needs it"),
        shaped_field("contact", "none", "law of contact of the teeth; clearance needs it"),
        shaped_field("friction", "none", "law of friction, loaded by the contact"),
        shaped_field("smoothing", "none", "replaces the jump of a dry law")},
       std::string(kPair) + "  output: {type: revolute, between: [ground, slider], at: [0.2, 0, 0], axis: z}\n"
                            "  mesh: {type: gear, between: [input.angle, output.angle], ratio: -0.5}\n",
       "Row: second - ratio * first - offset = 0. Between two wheels on fixed axes the ratio is -teeth_1/teeth_2; its reaction does no\n"
       "work. An ideal gear has no play and does not rub. With clearance the row is not held: the teeth touch at `<joint>.upper` and\n"
       "`<joint>.lower`, see backlash. Both angles count on beyond a full turn.\n",
       {{"between", "names"}, {"contact", "contact"}, {"friction", "friction"}, {"smoothing", "smoothing"}}});
  kinds.push_back(
      {"rack",
       "couples an angle to a displacement: second = radius * first + offset",
       {shaped_field("between", "", "motions of two joints: [pinion.angle, slide.displacement]"),
        plain_field(number, "radius", unit::metre, any, "", "of the pinion; negative: opposite"),
        plain_field(number, "offset", unit::metre, any, "0 m", "displacement when the angle is zero"),
        plain_field(number, "clearance", unit::metre, non_negative, "none", "play of the teeth to each side"),
        shaped_field("contact", "none", "law of contact of the teeth; clearance needs it"),
        shaped_field("friction", "none", "law of friction, loaded by the contact"),
        shaped_field("smoothing", "none", "replaces the jump of a dry law")},
       std::string(kPair) + "  slide: {type: prismatic, between: [ground, slider], at: [0.2, 0, 0], axis: y}\n"
                            "  mesh: {type: rack, between: [input.angle, slide.displacement], radius: 20 mm}\n",
       "Row: displacement - radius * angle - offset = 0. It does not rub. With clearance the row is not held: the teeth\n"
       "touch at `<joint>.upper` and `<joint>.lower`, see backlash.\n",
       {{"between", "names"}, {"contact", "contact"}, {"friction", "friction"}, {"smoothing", "smoothing"}}});
  kinds.push_back(
      {"constraint",
       "keeps an expression of channels and t at zero",
       {plain_field(signal, "zero", unit::one, any, "", "expression of motions, positions of bodies and t")},
       std::string(kPair) + "  follower: {type: prismatic, between: [ground, slider], at: [0.2, 0, 0], axis: y}\n"
                            "  cam: {type: constraint, zero: \"follower.displacement - 0.01*sin(input.angle)\"}\n",
       "Row: the expression itself, with its exact derivatives. It may read motions of joints, positions of bodies, scalar\n"
       "coordinates and t, but no speeds. Where it depends on t explicitly, its reaction does work.\n",
       {}});
  return kinds;
}

}  // namespace bristle
