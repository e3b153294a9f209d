// Outlines of planar bodies that touch, as the model file has them.
#include "bristle/assemble/space.h"
#include "bristle/assemble/surfaces.h"

namespace bristle {

namespace {

std::vector<Vec2<>> pairs_of(Reader& inner, const Scope& scope, const char* key) {
  std::vector<Vec2<>> points;
  const Node& node = inner.child(key, "points of the outline, for example [[0, 0], [0.1, 0], [0, 0.1]]");
  if (!node.is_list() || node.size() < 3) inner.fail(key, "an outline needs at least three points [x, y]");
  for (std::size_t i = 0; i < node.size(); ++i) {
    Node one = Node::map();
    one.where = node[i].where;
    one.children.push_back({"point", node[i]});
    Reader point(one, scope, {inner.owner() + ": " + key, {}});
    const auto numbers = read_vector3(point, "point", unit::metre);
    points.push_back({{(*numbers)[0], (*numbers)[1]}});
  }
  return points;
}

OutlineEntry outline(const char* name, const char* summary, const std::vector<Field>& own, const std::string& keys,
                     Profile (*read)(Reader&, const Scope&)) {
  using enum Field::Kind;
  OutlineEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.fields = joined(own, {plain_field(flag, "hollow", unit::one, any, "false", "solid around the outline, not inside it"),
                              shaped_field("at", "[0, 0]", "where it is in the body's frame", "vector"),
                              plain_field(number, "angle", unit::one, any, "0", "by which it is turned in the body's frame"),
                              shaped_field("axis", "z", "its z axis in the body's frame", "direction"),
                              shaped_field("x_axis", "x", "its x axis in the body's frame, in place of angle", "direction")});
  entry.example =
      "gravity: [0, -9.81]\n"
      "bodies:\n  body: {type: planar, mass: 1 kg, inertia: 4e-4 kg m^2, position: [0, 0.2]}\n"
      "joints:\n  touch:\n    type: contact\n    between: [body, ground]\n    surfaces: [{type: circle, radius: 20 mm}, {type: " +
      entry.name + keys + "}]\n    contact: {type: flores, stiffness: 10 MN/m^1.5, restitution: 0.7}\n";
  entry.read = read;
  return entry;
}

Field half_field(const char* key, const char* text) {
  return plain_field(Field::Kind::number, key, unit::metre, positive, "", text);
}

Profile read_ellipse(Reader& inner, const Scope&) {
  const double x = inner.number("half_x", unit::metre, positive, "half axis along x");
  return Profile::ellipse(x, inner.number("half_y", unit::metre, positive, "half axis along y"));
}
Profile read_polygon(Reader& inner, const Scope& scope) {
  const double rounding = inner.optional_number("rounding", unit::metre, non_negative).value_or(0);
  return Profile::polygon(pairs_of(inner, scope, "corners"), rounding);
}

}  // namespace

void add_outlines(OutlineRegistry& r) {
  r.add(outline("circle", "a disk around its origin", {half_field("radius", "of the circle")}, ", radius: 50 mm",
                [](Reader& inner, const Scope&) {
                  return Profile::circle(inner.number("radius", unit::metre, positive, "of the circle"));
                }));
  r.add(outline("line", "all below its x axis is solid", {}, "", [](Reader&, const Scope&) { return Profile::line(); }));
  r.add(outline("ellipse", "an ellipse around its origin",
                {half_field("half_x", "half axis along x"), half_field("half_y", "half axis along y")},
                ", half_x: 100 mm, half_y: 50 mm", read_ellipse));
  r.add(outline("polygon", "straight from corner to corner, closed",
                {shaped_field("corners", "", "points [[x, y], ...], at least three", "triples"),
                 plain_field(Field::Kind::number, "rounding", unit::metre, non_negative, "0 m", "radius of the corners")},
                ", corners: [[-0.1, -0.1], [0.1, -0.1], [0, 0]], rounding: 5 mm", read_polygon));
  r.add(outline("spline", "a smooth closed curve through points",
                {shaped_field("points", "", "[[x, y], ...], at least three", "triples")},
                ", points: [[-0.1, 0], [0, -0.1], [0.1, 0], [0, 0.05]]",
                [](Reader& inner, const Scope& scope) { return Profile::spline(pairs_of(inner, scope, "points")); }));
}

}  // namespace bristle
