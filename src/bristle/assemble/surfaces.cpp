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

Solid read_superquadric(Reader& inner) {
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

}  // namespace

std::string known_ones(const std::vector<std::string>& known) {
  std::string names;
  for (const std::string& k : known) names += (names.empty() ? "" : ", ") + k;
  return " Known: " + names + ".";
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

Solid read_surface(Reader& inner, const Scope& scope) {
  const std::string type =
      inner.text("type", "plane, sphere, hollow_sphere, capsule, box, cylinder, ellipsoid, superquadric or mesh");
  const auto length = [&](const char* key, const char* text) { return inner.number(key, unit::metre, positive, text); };
  if (type == "plane") return Solid::plane();
  if (type == "sphere") return Solid::sphere(length("radius", "of the sphere"));
  if (type == "hollow_sphere") return Solid::hollow_sphere(length("radius", "of the hollow"));
  if (type == "capsule") {
    const double radius = length("radius", "of the capsule");
    return Solid::capsule(radius, length("length", "between the centres of its ends"));
  }
  if (type == "cylinder") {
    const double radius = length("radius", "of the cylinder");
    return Solid::cylinder(radius, length("length", "of the cylinder"));
  }
  if (type == "box") {
    const Vec3<> size = three_lengths(inner, type, "size");
    return Solid::box(size[0], size[1], size[2]);
  }
  if (type == "ellipsoid") {
    const Vec3<> half = three_lengths(inner, type, "half_axes");
    return Solid::ellipsoid(half[0], half[1], half[2]);
  }
  if (type == "superquadric") return read_superquadric(inner);
  if (type == "mesh") {
    const auto solid = convex_mesh(mesh_of(inner, scope));
    if (!solid)
      inner.fail(inner.has("file") ? "file" : "points",
                 "the mesh is not convex; surfaces that touch must be. Cut it into convex parts, one contact for each");
    return *solid;
  }
  static const std::vector<std::string> known = {"plane",    "sphere",    "hollow_sphere", "capsule", "box",
                                                 "cylinder", "ellipsoid", "superquadric",  "mesh"};
  inner.fail("type", "there is no surface '" + shortened(type) + "'." + did_you_mean(type, known) + known_ones(known));
}

}  // namespace bristle
