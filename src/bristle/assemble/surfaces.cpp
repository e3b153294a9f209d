// Surfaces of contacts and of collision groups, as the model file has them.
#include "bristle/assemble/surfaces.h"

#include <cmath>

#include "bristle/assemble/shapes.h"
#include "bristle/assemble/space.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

/// Three lengths under one key.
struct Lengths {
  std::optional<Vec3<>> given;
  void visit(Keys& keys, const char* key, const char* text) {
    keys.vector(key, given, unit::metre, "", text);
    for (int k = 0; k < 3 && given; ++k) {
      if (!((*given)[k] > 0)) keys.refuse(key, "lengths must be > 0");
    }
  }
  double operator[](int k) const { return (*given)[k]; }
};

struct PlaneSurface {
  void visit(Keys&) {}
  Solid solid() const { return Solid::plane(); }
};
struct SphereSurface {
  double radius = 0;
  void visit(Keys& keys) { keys.required("radius", radius, unit::metre, positive, "of the sphere"); }
  Solid solid() const { return Solid::sphere(radius); }
};
struct HollowSphereSurface {
  double radius = 0;
  void visit(Keys& keys) { keys.required("radius", radius, unit::metre, positive, "of the hollow"); }
  Solid solid() const { return Solid::hollow_sphere(radius); }
};
struct CapsuleSurface {
  double radius = 0, length = 0;
  void visit(Keys& keys) {
    keys.required("radius", radius, unit::metre, positive, "of the capsule");
    keys.required("length", length, unit::metre, positive, "between the centres of its ends");
  }
  Solid solid() const { return Solid::capsule(radius, length); }
};
struct CylinderSurface {
  double radius = 0, length = 0;
  void visit(Keys& keys) {
    keys.required("radius", radius, unit::metre, positive, "of the cylinder");
    keys.required("length", length, unit::metre, positive, "of the cylinder");
  }
  Solid solid() const { return Solid::cylinder(radius, length); }
};
struct TubeSurface {
  double outer_radius = 0, inner_radius = 0, length = 0;
  void visit(Keys& keys) {
    keys.required("outer_radius", outer_radius, unit::metre, positive, "outer radius");
    keys.required("inner_radius", inner_radius, unit::metre, positive, "radius of the bore");
    keys.required("length", length, unit::metre, positive, "along its axis");
    if (!(inner_radius < outer_radius))
      keys.refuse("inner_radius", "inner_radius must be smaller than outer_radius = " + number_text(outer_radius) + " [m], got " +
                                      number_text(inner_radius) + " [m]");
  }
  Solid solid() const { return Solid::tube(outer_radius, inner_radius, length); }
};
struct BoxSurface {
  Lengths size;
  void visit(Keys& keys) { size.visit(keys, "size", "its edges [x, y, z]"); }
  Solid solid() const { return Solid::box(size[0], size[1], size[2]); }
};
struct EllipsoidSurface {
  Lengths half;
  void visit(Keys& keys) { half.visit(keys, "half_axes", "along x, y, z"); }
  Solid solid() const { return Solid::ellipsoid(half[0], half[1], half[2]); }
};
struct SuperquadricSurface {
  Lengths half;
  std::vector<double> exponents;
  void visit(Keys& keys) {
    half.visit(keys, "half_axes", "a, b, c along x, y, z");
    keys.form(
        "exponents", "vector", "", "[p, q], each > 1 and at most 20; 2 and 2: an ellipsoid", [&](Reader& reader, const Scope&) {
          const Node* given = reader.node().find("exponents");
          if (given != nullptr && given->is_list()) reader.list("exponents", exponents, unit::one, any, "[p, q]");
          if (exponents.size() != 2)
            reader.fail("exponents", "a superquadric needs exponents: [p, q], across and along its axis z, for example [4, 4]");
        });
    for (double p : exponents) {
      if (!(p > 1) || !(p <= 20))
        keys.refuse("exponents",
                    "an exponent of a superquadric must be > 1 and at most 20 (2: an ellipsoid), got " + number_text(p));
    }
  }
  Solid solid() const { return Solid::superquadric(half[0], half[1], half[2], exponents[0], exponents[1]); }
};

/// `keys`: as an example has them, ", radius: 20 mm".
SurfaceEntry surface_entry(const char* name, const char* summary, const std::vector<Field>& own, const std::string& keys,
                           Solid (*read)(Reader&, const Scope&)) {
  SurfaceEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.fields = joined(own, key_fields<SurfaceStand>());
  entry.example =
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n  body: {type: rigid, mass: 1 kg, inertia: [4e-4, 4e-4, 4e-4], position: [0, 0, 0.2]}\n"
      "joints:\n  touch:\n    type: contact\n    between: [body, ground]\n    surfaces: [{type: sphere, radius: 20 mm}, {type: " +
      entry.name + keys + "}]\n    contact: {type: flores, stiffness: 10 MN/m^1.5, restitution: 0.7}\n";
  entry.read = read;
  return entry;
}

/// S: its keys, and the solid that they give.
template <class S>
SurfaceEntry surface(const char* name, const char* summary, const std::string& keys) {
  return surface_entry(name, summary, key_fields<S>(), keys,
                       [](Reader& inner, const Scope& scope) { return read_keys<S>(inner, scope).solid(); });
}

Solid read_convex_mesh(Reader& inner, const Scope& scope) {
  const auto solid = convex_mesh(mesh_of(inner, scope));
  if (!solid)
    inner.fail(
        inner.has("file") ? "file" : "points",
        "the mesh is not convex; surfaces that touch must be. Cut it into convex parts, one contact for each, or use a collision group, "
        "which cuts the meshes of its bodies itself");
  return *solid;
}

}  // namespace

void SurfaceStand::visit(Keys& keys) {
  keys.vector("at", at, unit::metre, "[0, 0, 0]", "where it is in the body's frame");
  axes.visit(keys, "its z axis in the body's frame", "its x axis in the body's frame");
}

void OutlineStand::visit(Keys& keys) {
  keys.flag("hollow", hollow, "solid around the outline, not inside it");
  keys.vector("at", at, unit::metre, "[0, 0]", "where it is in the body's frame");
  keys.number("angle", angle, unit::one, any, "0", "by which it is turned in the body's frame");
  axes.visit(keys, "its z axis in the body's frame", "its x axis in the body's frame, in place of angle", "x");
}

Mat3<> OutlineStand::frame() const {
  Mat3<> turn = Mat3<>::identity();
  turn(0, 0) = turn(1, 1) = std::cos(angle.value_or(0));
  turn(1, 0) = std::sin(angle.value_or(0));
  turn(0, 1) = -turn(1, 0);
  return axes.frame() * turn;
}

void add_surfaces(SurfaceRegistry& r) {
  r.add(surface<PlaneSurface>("plane", "all below its axes x, y is solid", ""));
  r.add(surface<SphereSurface>("sphere", "a ball around its origin", ", radius: 20 mm, at: [0, 0, -0.1]"));
  r.add(surface<HollowSphereSurface>("hollow_sphere", "solid around a ball-shaped hollow", ", radius: 400 mm"));
  r.add(surface<CapsuleSurface>("capsule", "a cylinder around its z axis with round ends",
                                ", radius: 20 mm, length: 100 mm, axis: x"));
  r.add(surface<CylinderSurface>("cylinder", "a cylinder around its z axis", ", radius: 50 mm, length: 20 mm"));
  r.add(surface<TubeSurface>("tube", "a cylinder around its z axis with a round bore",
                             ", outer_radius: 50 mm, inner_radius: 30 mm, length: 20 mm"));
  r.add(surface<BoxSurface>("box", "a box around its origin", ", size: [0.2, 0.2, 0.04]"));
  r.add(surface<EllipsoidSurface>("ellipsoid", "an ellipsoid around its origin", ", half_axes: [0.1, 0.06, 0.04]"));
  r.add(surface<SuperquadricSurface>("superquadric", "between an ellipsoid and a box: (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1",
                                     ", half_axes: [0.1, 0.06, 0.04], exponents: [4, 4]"));
  r.add(surface_entry("mesh", "a convex solid inside a closed surface of triangles", key_fields<MeshKeys>(),
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

SurfaceStand read_surface(Reader& inner, const Scope& scope, const SurfaceRegistry& known, std::vector<Solid>& list) {
  list.push_back(named_entry(inner, known).read(inner, scope));
  return read_keys<SurfaceStand>(inner, scope);
}

OutlineStand read_outline(Reader& inner, const Scope& scope, const OutlineRegistry& known, std::vector<Profile>& list) {
  const Profile p = named_entry(inner, known).read(inner, scope);
  OutlineStand stand = read_keys<OutlineStand>(inner, scope);
  list.push_back(stand.hollow ? p.hollow() : p);
  return stand;
}

}  // namespace bristle
