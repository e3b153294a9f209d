// Outlines of planar bodies that touch, as the model file has them.
#include "bristle/assemble/space.h"
#include "bristle/assemble/surfaces.h"

namespace bristle {

namespace {

/// Points [[x, y], ...] under one key.
struct PointList {
  std::vector<Vec2<>> points;
  void visit(Keys& keys, const char* key, const char* text) {
    keys.form(key, "triples", "", text, [&](Reader& inner, const Scope& scope) { read(inner, scope, key); });
  }

 private:
  void read(Reader& inner, const Scope& scope, const char* key) {
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
  }
};

/// P: its keys, and the profile that they give.
template <class P>
OutlineEntry outline(const char* name, const char* summary, const std::string& keys) {
  OutlineEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.fields = joined(key_fields<P>(), key_fields<OutlineStand>());
  entry.example =
      "gravity: [0, -9.81]\n"
      "bodies:\n  body: {type: planar, mass: 1 kg, inertia: 4e-4 kg m^2, position: [0, 0.2]}\n"
      "joints:\n  touch:\n    type: contact\n    between: [body, ground]\n    surfaces: [{type: circle, radius: 20 mm}, {type: " +
      entry.name + keys + "}]\n    contact: {type: flores, stiffness: 10 MN/m^1.5, restitution: 0.7}\n";
  entry.read = [](Reader& inner, const Scope& scope) { return read_keys<P>(inner, scope).profile(); };
  return entry;
}

struct CircleOutline {
  double radius = 0;
  void visit(Keys& keys) { keys.required("radius", radius, unit::metre, positive, "of the circle"); }
  Profile profile() const { return Profile::circle(radius); }
};
struct LineOutline {
  void visit(Keys&) {}
  Profile profile() const { return Profile::line(); }
};
struct EllipseOutline {
  double x = 0, y = 0;
  void visit(Keys& keys) {
    keys.required("half_x", x, unit::metre, positive, "half axis along x");
    keys.required("half_y", y, unit::metre, positive, "half axis along y");
  }
  Profile profile() const { return Profile::ellipse(x, y); }
};
struct PolygonOutline {
  PointList corners;
  double rounding = 0;
  void visit(Keys& keys) {
    corners.visit(keys, "corners", "points [[x, y], ...], at least three");
    keys.number("rounding", rounding, unit::metre, non_negative, "0 m", "radius of the corners");
  }
  Profile profile() const { return Profile::polygon(corners.points, rounding); }
};
struct SplineOutline {
  PointList through;
  void visit(Keys& keys) { through.visit(keys, "points", "[[x, y], ...], at least three"); }
  Profile profile() const { return Profile::spline(through.points); }
};

}  // namespace

void add_outlines(OutlineRegistry& r) {
  r.add(outline<CircleOutline>("circle", "a disk around its origin", ", radius: 50 mm"));
  r.add(outline<LineOutline>("line", "all below its x axis is solid", ""));
  r.add(outline<EllipseOutline>("ellipse", "an ellipse around its origin", ", half_x: 100 mm, half_y: 50 mm"));
  r.add(outline<PolygonOutline>("polygon", "straight from corner to corner, closed",
                                ", corners: [[-0.1, -0.1], [0.1, -0.1], [0, 0]], rounding: 5 mm"));
  r.add(outline<SplineOutline>("spline", "a smooth closed curve through points",
                               ", points: [[-0.1, 0], [0, -0.1], [0.1, 0], [0, 0.05]]"));
}

}  // namespace bristle
