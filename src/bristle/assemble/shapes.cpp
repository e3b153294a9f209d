#include "bristle/assemble/shapes.h"

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "bristle/assemble/shape_registry.h"
#include "bristle/assemble/space.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

std::string anchored(const std::string& file, const Where& where) {
  const std::filesystem::path path(file);
  if (path.is_absolute()) return file;
  return (std::filesystem::path(where.file).parent_path() / path).lexically_normal().string();
}

/// A list of triples.
std::vector<double> triples_of(const Reader& reader, const char* key, const Node& list, const Scope& scope, const Unit& unit) {
  std::vector<double> numbers;
  for (const auto& [unused, triple] : list.children) {
    if (!list.is_list() || !triple.is_list() || triple.size() != 3)
      reader.fail(key, std::string(key) + " is a list of triples, for example [[0, 0, 0], [1, 0, 0]]");
    for (std::size_t k = 0; k < 3; ++k) {
      const Quantity q = parse_quantity(triple[k].text, scope, triple[k].where_of_text());
      require_dimension(q.dimension, unit, triple[k].where);
      numbers.push_back(q.value);
    }
  }
  return numbers;
}

}  // namespace

void MeshKeys::visit(Keys& keys) {
  keys.word("file", file, "none", "part.stl (ASCII or binary) or part.obj, relative to the model file");
  keys.number("scale", scale, unit::one, positive, "1", "metres per unit of the file: 0.001 for millimetres");
  keys.node("points", "triples", points, "none", "instead of a file: corners [[x, y, z], ...]");
  keys.node("triangles", "triples", triangles, "none",
            "and which three make a triangle, counted from 0, against the clock seen from outside");
}

Mesh mesh_of(Reader& reader, const Scope& scope) {
  const MeshKeys keys = read_keys<MeshKeys>(reader, scope);
  Mesh mesh;
  std::string what = "the mesh";
  if (reader.has("file")) {
    for (const char* key : {"points", "triangles"}) {
      if (reader.has(key)) reader.fail(key, "give file, or points and triangles");
    }
    const std::string& file = keys.file;
    what = "'" + file + "'";
    try {
      mesh = read_mesh(anchored(file, reader.node().find("file")->where));
    } catch (const std::runtime_error& e) {
      reader.fail("file", what + ": " + e.what());
    }
  } else if (keys.points != nullptr) {
    if (keys.triangles == nullptr)
      reader.fail("points", "points need triangles: which three of them make one, counted from 0: triangles: [[0, 2, 1], ...]");
    const std::vector<double> points = triples_of(reader, "points", *keys.points, scope, unit::metre);
    for (std::size_t k = 0; k < points.size(); k += 3) mesh.points.push_back({{points[k], points[k + 1], points[k + 2]}});
    for (double corner : triples_of(reader, "triangles", *keys.triangles, scope, unit::one)) {
      if (!(corner >= 0) || !(corner < static_cast<double>(mesh.points.size())) || corner != std::floor(corner))
        reader.fail("triangles", "there is no point " + number_text(corner) + "; they count from 0 to " +
                                     std::to_string(static_cast<int>(mesh.points.size()) - 1));
      mesh.triangles.push_back(static_cast<int>(corner));
    }
  } else {
    reader.fail("file", "a mesh needs file: part.stl or part.obj, or points and triangles");
  }
  for (Vec3<>& p : mesh.points) p = keys.scale * p;
  const std::string problem = close_mesh(mesh);
  if (!problem.empty())
    reader.fail(reader.has("file") ? "file" : "triangles", what + " " + problem + ". Mass and inertia need a closed surface");
  return mesh;
}

namespace {

Shape drawn(Shape::Kind kind, double a, double b, double c) {
  Shape s;
  s.kind = kind;
  s.size[0] = a, s.size[1] = b, s.size[2] = c;
  return s;
}

struct Cylinder {
  double radius = kRequired, length = kRequired;
  void visit(Visitor& v) {
    v("radius", radius, unit::metre, positive, "radius");
    v("length", length, unit::metre, positive, "along its axis");
  }
  Shape seen() const { return drawn(Shape::Kind::cylinder, radius, length, 0); }
  MassProperties solid() const { return solid_cylinder(radius, length); }
};

struct Sphere {
  double radius = kRequired;
  void visit(Visitor& v) { v("radius", radius, unit::metre, positive, "radius"); }
  Shape seen() const { return drawn(Shape::Kind::sphere, radius, 0, 0); }
  MassProperties solid() const { return solid_sphere(radius); }
};

struct Tube {
  double outer_radius = kRequired, inner_radius = kRequired, length = kRequired;
  void visit(Visitor& v) {
    v("outer_radius", outer_radius, unit::metre, positive, "outer radius");
    v("inner_radius", inner_radius, unit::metre, non_negative, "radius of the bore");
    v("length", length, unit::metre, positive, "along its axis");
  }
  std::string problem() const {
    if (inner_radius < outer_radius) return {};
    return "inner_radius must be smaller than outer_radius = " + number_text(outer_radius) + " [m], got " +
           number_text(inner_radius) + " [m]";
  }
  Shape seen() const { return drawn(Shape::Kind::tube, outer_radius, inner_radius, length); }
  MassProperties solid() const { return solid_tube(outer_radius, inner_radius, length); }
};

SolidShape read_point(Reader&, const Scope&, bool) {
  MassProperties point;
  point.mass = 1;
  return {std::nullopt, point};
}

struct BoxKeys {
  const Node* size = nullptr;
  std::optional<double> thickness;
  void visit(Keys& keys) {
    keys.node("size", "vector", size, "", "edges [x, y, z]; of planar bodies also [x, y]");
    keys.number("thickness", thickness, unit::metre, positive, "none", "third edge, when size has two");
  }
};

SolidShape read_box(Reader& reader, const Scope& scope, bool planar) {
  const BoxKeys keys = read_keys<BoxKeys>(reader, scope);
  Shape s;
  const bool flat = planar && keys.size->is_list() && keys.size->size() == 2;
  const std::vector<double> n = reader.numbers("size", flat ? 2 : 3, unit::metre, flat ? "edges [x, y]" : "edges [x, y, z]");
  for (std::size_t k = 0; k < n.size(); ++k) {
    if (!(n[k] > 0)) reader.fail("size", "every edge of the box must be > 0, got " + number_text(n[k]) + " [m]");
    s.size[k] = n[k];
  }
  if (flat) {
    if (!keys.thickness) reader.fail("thickness", "a flat box needs its third edge: thickness: 10 mm");
    s.size[2] = *keys.thickness;
  } else if (keys.thickness) {
    reader.fail("thickness", "size has three edges already; leave thickness out");
  }
  return {s, solid_box(s.size[0], s.size[1], s.size[2])};
}

SolidShape seen_as_mesh(const Mesh& mesh) {
  Shape s;
  s.kind = Shape::Kind::mesh;
  for (const Vec3<>& p : mesh.points) s.points.insert(s.points.end(), p.x.begin(), p.x.end());
  s.triangles = mesh.triangles;
  return {std::move(s), solid_mesh(mesh)};
}

SolidShape read_mesh_shape(Reader& reader, const Scope& scope, bool) { return seen_as_mesh(mesh_of(reader, scope)); }

/// Where a shape stands on its body, and what it weighs.
struct ShapeStand {
  std::optional<Vec3<>> position, axis;
  std::optional<Quaternion> orientation;
  std::optional<double> density, mass;
  void visit(Keys& keys) {
    keys.vector("position", position, unit::metre, "0 m",
                "of its middle in the body's frame; of a mesh: of the origin of its file");
    keys.orientation("orientation", orientation, "none", "in the body's frame: [w, x, y, z] or {axis: z, angle: 30 deg}");
    keys.direction("axis", axis, "z", "instead of orientation: where its own z axis points");
    keys.number("density", density, unit::kilogram_per_metre3, positive, "that of the body", "mass per volume");
    keys.number("mass", mass, unit::kilogram, positive, "none", "of this shape, instead of a density");
    if (mass && density) keys.refuse("mass", "give mass or density of a shape, not both");
    if (axis && orientation) keys.refuse("axis", "give axis or orientation, not both");
  }
};

void read_solid(const Node& node, const Scope& scope, const std::string& owner, bool planar, const ShapeRegistry& known,
                Solids& all) {
  if (!node.is_map())
    throw InputError(node.where, owner + ": a shape is a map, for example {type: box, size: [0.1, 0.02, 0.02]}");
  Reader reader(node, scope, {owner + ": shape", {}});
  auto [s, solid, touches] = read_kind(reader, known).read(reader, scope, planar);
  const ShapeStand stand = read_keys<ShapeStand>(reader, scope);
  const Vec3<> position = stand.position.value_or(Vec3<>{});
  Mat3<> R = Mat3<>::identity();
  if (stand.orientation) R = matrix_of(*stand.orientation);
  if (stand.axis) R = frame_along(*stand.axis, {});
  reader.finish({"type"});
  const Quaternion turn = quaternion_of(R);
  if (s) {
    for (int k = 0; k < 3; ++k) s->position[k] = position[k];
    for (std::size_t k = 0; k < 4; ++k) s->rotation[k] = turn[k];
    all.shapes.push_back(std::move(*s));
    all.touches.push_back(std::move(touches));
  } else if (!stand.mass) {
    reader.fail(stand.density ? "density" : "mass",
                "it has no volume that a density could fill; give it a mass, for example mass: 0.1 kg");
  }
  all.solids.push_back(placed(stand.mass ? scaled(solid, *stand.mass / solid.mass) : solid, position, R));
  all.density.push_back(stand.mass ? 1.0 : stand.density);
  all.any_density = all.any_density || stand.density || stand.mass;
  if (stand.mass && all.own_mass == nullptr) all.own_mass = &node;
}

}  // namespace

MassProperties Solids::properties(std::optional<double> mass) const {
  std::vector<MassProperties> parts;
  for (std::size_t k = 0; k < solids.size(); ++k) parts.push_back(scaled(solids[k], density[k].value_or(1)));
  const MassProperties all = combined(parts);
  return mass ? scaled(all, *mass / all.mass) : all;
}

void SolidKeys::visit(Keys& keys) {
  keys.number("density", density, unit::kilogram_per_metre3, positive, "none", "of its shapes, instead of mass and inertia");
  keys.node("shape", "shape", shape, "none", "what it is made of and looks like; see `bristle list shape`");
  keys.node("shapes", "shapes", shapes, "none", "the same, a list of several");
}

Solids read_solids(const Reader& reader, const SolidKeys& keys, const Scope& scope, bool planar, const ShapeRegistry& known) {
  Solids all;
  const Node *one = keys.shape, *list = keys.shapes;
  const std::optional<double>& density = keys.density;
  if (one != nullptr && list != nullptr) reader.fail("shapes", "give shape for one or shapes for several, not both");
  if (one != nullptr) read_solid(*one, scope, reader.owner(), planar, known, all);
  if (list != nullptr) {
    if (!list->is_list() || list->size() == 0)
      reader.fail("shapes", "shapes is a list, for example [{type: sphere, radius: 10 mm}]");
    for (const auto& [unused, node] : list->children) read_solid(node, scope, reader.owner(), planar, known, all);
  }
  if (!density) {
    std::size_t given = 0;
    for (const auto& d : all.density) given += d.has_value();
    if (given > 0 && given < all.density.size())
      reader.fail(one ? "shape" : "shapes",
                  "some shapes have a density or a mass and some do not; give one to each, or a density to the body");
    return all;
  }
  if (all.empty())
    reader.fail("density", "a density needs a shape to fill, for example shape: {type: box, size: [0.1, 0.02, 0.02]}");
  all.any_density = true;
  for (auto& d : all.density) d = d.value_or(*density);
  return all;
}

SolidShape solid_inside(Mesh surface, const std::string& what) {
  if (const std::string problem = close_mesh(surface); !problem.empty())
    throw std::logic_error(what + ": its surface " + problem);
  return seen_as_mesh(surface);
}

ShapeEntry shape_entry(const char* name, const char* summary, std::vector<Field> own, const char* example, const char* page,
                       SolidShape (*read)(Reader&, const Scope&, bool planar)) {
  return {{name, summary, joined(std::move(own), key_fields<ShapeStand>()), example, page}, read};
}

void add_shapes(ShapeRegistry& r) {
  r.add(shape_entry("box", "a cuboid", key_fields<BoxKeys>(),
                    "bodies:\n  bar: {type: rigid, density: 7850 kg/m^3, shape: {type: box, size: [200 mm, 20 mm, 10 mm]}}\n", "",
                    read_box));
  add_shape<Cylinder>(
      r, "cylinder", "a round rod",
      "bodies:\n  shaft: {type: rigid, density: 7850 kg/m^3, shape: {type: cylinder, radius: 10 mm, length: 0.3 m, axis: x}}\n");
  add_shape<Sphere>(r, "sphere", "a ball", "bodies:\n  ball: {type: rigid, mass: 2 kg, shape: {type: sphere, radius: 40 mm}}\n");
  add_shape<Tube>(
      r, "tube", "a round rod with a round bore",
      "bodies:\n  sleeve: {type: rigid, density: 2700 kg/m^3, shape: {type: tube, outer_radius: 15 mm, inner_radius: 10 mm, length: 50 mm}}\n");
  r.add(shape_entry(
      "mesh", "a solid inside a closed surface of triangles", key_fields<MeshKeys>(),
      "bodies:\n  wedge:\n    type: rigid\n    mass: 2 kg\n    shape:          # or: {type: mesh, file: wedge.stl, scale: 0.001}\n"
      "      type: mesh\n      points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]\n"
      "      triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]\n",
      "Mass, centre and inertia are those of the solid inside, by the divergence theorem. The surface must be closed: every edge belongs\n"
      "to two triangles that pass it in opposite directions. A hollow is a second surface inside that faces inwards.\n"
      "In a collision group a mesh that is not convex counts as convex parts that fill it exactly, 100 at most.\n",
      read_mesh_shape));
  r.add(shape_entry(
      "point", "a point mass", {},
      "bodies:\n  dumbbell:\n    type: rigid\n    shapes:\n      - {type: cylinder, radius: 5 mm, length: 0.2 m, mass: 0.1 kg}\n"
      "      - {type: point, mass: 1 kg, position: [0, 0, 0.1]}\n      - {type: point, mass: 1 kg, position: [0, 0, -0.1]}\n",
      "It weighs, and is neither seen nor touched: a weight that is screwed to a body, or a body that is given by masses at points. Its `mass`\n"
      "is required.\n",
      read_point));
}

namespace {

void each_file_of(Node& node, const std::function<void(Node&)>& use) {
  for (auto& [key, child] : node.children) each_file_of(child, use);
  Node* file = node.is_map() && node.find("type") != nullptr ? node.find("file") : nullptr;
  if (file != nullptr && file->is_scalar()) use(*file);
}

}  // namespace

void each_file(Node& root, const std::function<void(Node&)>& use) {
  for (auto& [section, child] : root.children) {
    if (section != "parameters") each_file_of(child, use);
  }
}

bool anchor_files(Node& root) {
  bool changed = false;
  each_file(root, [&](Node& file) {
    std::error_code ignored;
    const std::string full = std::filesystem::absolute(anchored(file.text, file.where), ignored).lexically_normal().string();
    changed = changed || full != file.text;
    file.text = full;
  });
  return changed;
}

}  // namespace bristle
