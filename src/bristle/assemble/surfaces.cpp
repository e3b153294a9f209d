// Surfaces of contacts and of collision groups, as the model file has them.
#include "bristle/assemble/surfaces.h"

#include "bristle/assemble/shapes.h"
#include "bristle/assemble/space.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

Vec3<> three_lengths(Reader& inner, const std::string& type, const char* key) {
  const auto size = read_vector3(inner, key, unit::metre);
  if (!size) inner.fail(key, "a " + type + " needs " + key + ": three lengths");
  for (int k = 0; k < 3; ++k) {
    if (!((*size)[k] > 0)) inner.fail(key, "lengths must be > 0");
  }
  return *size;
}

Solid read_superquadric(Reader& inner, const Scope&) {
  const Vec3<> half = three_lengths(inner, "superquadric", "half_axes");
  std::vector<double> exponents;
  const Node* given = inner.node().find("exponents");
  if (given != nullptr && given->is_list())
    inner.list("exponents", exponents, unit::one, any, "across and along z, (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1");
  if (exponents.size() != 2)
    inner.fail("exponents", "a superquadric needs exponents: [p, q], across and along its axis z, for example [4, 4]");
  for (double p : exponents) {
    if (!(p > 1) || !(p <= 20))
      inner.fail("exponents",
                 "an exponent of a superquadric must be > 1 and at most 20 (2: an ellipsoid), got " + number_text(p));
  }
  return Solid::superquadric(half[0], half[1], half[2], exponents[0], exponents[1]);
}

double surface_length(Reader& inner, const char* key, const char* text) { return inner.number(key, unit::metre, positive, text); }

Field surface_field(const char* key, const char* text) {
  return plain_field(Field::Kind::number, key, unit::metre, positive, "", text);
}

/// `keys`: as an example has them, ", radius: 20 mm".
SurfaceEntry surface(const char* name, const char* summary, const std::vector<Field>& own, const std::string& keys,
                     Solid (*read)(Reader&, const Scope&)) {
  SurfaceEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.fields = joined(own, {shaped_field("at", "[0, 0, 0]", "where it is in the body's frame", "vector"),
                              shaped_field("axis", "z", "its z axis in the body's frame", "direction"),
                              shaped_field("x_axis", "any", "its x axis in the body's frame", "direction")});
  entry.example =
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n  body: {type: rigid, mass: 1 kg, inertia: [4e-4, 4e-4, 4e-4], position: [0, 0, 0.2]}\n"
      "joints:\n  touch:\n    type: contact\n    between: [body, ground]\n    surfaces: [{type: sphere, radius: 20 mm}, {type: " +
      entry.name + keys + "}]\n    contact: {type: flores, stiffness: 10 MN/m^1.5, restitution: 0.7}\n";
  entry.read = read;
  return entry;
}

Solid read_capsule(Reader& inner, const Scope&) {
  const double radius = surface_length(inner, "radius", "of the capsule");
  return Solid::capsule(radius, surface_length(inner, "length", "between the centres of its ends"));
}
Solid read_cylinder(Reader& inner, const Scope&) {
  const double radius = surface_length(inner, "radius", "of the cylinder");
  return Solid::cylinder(radius, surface_length(inner, "length", "of the cylinder"));
}
Solid read_box(Reader& inner, const Scope&) {
  const Vec3<> size = three_lengths(inner, "box", "size");
  return Solid::box(size[0], size[1], size[2]);
}
Solid read_ellipsoid(Reader& inner, const Scope&) {
  const Vec3<> half = three_lengths(inner, "ellipsoid", "half_axes");
  return Solid::ellipsoid(half[0], half[1], half[2]);
}
Solid read_convex_mesh(Reader& inner, const Scope& scope) {
  const auto solid = convex_mesh(mesh_of(inner, scope));
  if (!solid)
    inner.fail(inner.has("file") ? "file" : "points",
               "the mesh is not convex; surfaces that touch must be. Cut it into convex parts, one contact for each");
  return *solid;
}

}  // namespace

void add_surfaces(SurfaceRegistry& r) {
  r.add(surface("plane", "all below its axes x, y is solid", {}, "", [](Reader&, const Scope&) { return Solid::plane(); }));
  r.add(surface("sphere", "a ball around its origin", {surface_field("radius", "of the sphere")},
                ", radius: 20 mm, at: [0, 0, -0.1]",
                [](Reader& inner, const Scope&) { return Solid::sphere(surface_length(inner, "radius", "of the sphere")); }));
  r.add(surface(
      "hollow_sphere", "solid around a ball-shaped hollow", {surface_field("radius", "of the hollow")}, ", radius: 400 mm",
      [](Reader& inner, const Scope&) { return Solid::hollow_sphere(surface_length(inner, "radius", "of the hollow")); }));
  r.add(surface("capsule", "a cylinder around its z axis with round ends",
                {surface_field("radius", "of the capsule"), surface_field("length", "between the centres of its ends")},
                ", radius: 20 mm, length: 100 mm, axis: x", read_capsule));
  r.add(surface("cylinder", "a cylinder around its z axis",
                {surface_field("radius", "of the cylinder"), surface_field("length", "of the cylinder")},
                ", radius: 50 mm, length: 20 mm", read_cylinder));
  r.add(surface("box", "a box around its origin", {shaped_field("size", "", "its edges [x, y, z]", "vector")},
                ", size: [0.2, 0.2, 0.04]", read_box));
  r.add(surface("ellipsoid", "an ellipsoid around its origin", {shaped_field("half_axes", "", "along x, y, z", "vector")},
                ", half_axes: [0.1, 0.06, 0.04]", read_ellipsoid));
  r.add(surface("superquadric", "between an ellipsoid and a box: (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1",
                {shaped_field("half_axes", "", "a, b, c along x, y, z", "vector"),
                 shaped_field("exponents", "", "[p, q], each > 1 and at most 20; 2 and 2: an ellipsoid", "vector")},
                ", half_axes: [0.1, 0.06, 0.04], exponents: [4, 4]", read_superquadric));
  r.add(surface("mesh", "a convex solid inside a closed surface of triangles", mesh_fields(),
                ",\n       points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]],\n"
                "       triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]",
                read_convex_mesh));
}

std::optional<Solid> convex_mesh(const Mesh& mesh) {
  double reach = 0;
  for (const Vec3<>& p : mesh.points) reach = std::max(reach, norm(p));
  std::vector<std::array<int, 3>> faces;
  for (std::size_t k = 0; k + 2 < mesh.triangles.size(); k += 3) {
    const std::array<int, 3> f = {mesh.triangles[k], mesh.triangles[k + 1], mesh.triangles[k + 2]};
    const auto at = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(f[i])]; };
    const Vec3<> n = cross(at(1) - at(0), at(2) - at(0));
    if (!(norm(n) > 1e-12 * reach * reach)) continue;  // a triangle without an area
    const Vec3<> e = (1 / norm(n)) * n;
    for (const Vec3<>& p : mesh.points) {
      if (dot(e, p - at(0)) > 1e-6 * reach) return std::nullopt;
    }
    faces.push_back(f);
  }
  if (faces.size() < 4) return std::nullopt;
  return Solid::mesh(mesh.points, std::move(faces));
}

namespace {

/// The entry that the key `type` names; `kind` is the word for it in the sentence.
template <class Entry>
const Entry& named_entry(Reader& inner, const Registry<Entry>& registry) {
  std::vector<std::string> names;
  for (const Entry& e : registry.all()) names.push_back(e.name);
  std::vector<std::string_view> words(names.begin(), names.end());
  const std::string last = names.back();
  words.pop_back();
  const std::string type = inner.text("type", (join_words(words) + " or " + last).c_str());
  if (const Entry* entry = registry.find(type)) return *entry;
  words.push_back(last);
  inner.fail("type", "there is no " + std::string(registry.kind()) + " '" + shortened(type) + "'." + did_you_mean(type, names) +
                         " Known: " + join_words(words) + ".");
}

}  // namespace

Solid read_surface(Reader& inner, const Scope& scope, const SurfaceRegistry& known) {
  return named_entry(inner, known).read(inner, scope);
}

Profile read_outline(Reader& inner, const Scope& scope, const OutlineRegistry& known) {
  const Profile p = named_entry(inner, known).read(inner, scope);
  bool hollow = false;
  inner.flag("hollow", hollow, "solid around the outline, not inside it");
  return hollow ? p.hollow() : p;
}

}  // namespace bristle
