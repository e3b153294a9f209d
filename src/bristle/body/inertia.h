#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bristle/math/space.h"

namespace bristle {

/// Mass, centre of mass and inertia about it, in the axes of the frame that the centre is given in.
struct MassProperties {
  double mass = 0;  ///< [kg]; of unit density: the volume
  Vec3<> center;    ///< [m]
  Mat3<> inertia;   ///< [kg m^2] about the centre
};

// Solids of density one about their own frame: the centre is the origin, round ones have the axis z.
MassProperties solid_box(double x, double y, double z);
MassProperties solid_cylinder(double radius, double length);
MassProperties solid_sphere(double radius);
MassProperties solid_tube(double outer_radius, double inner_radius, double length);

/// Triangles that close around a solid, their corners counted against the clock when seen from outside.
struct Mesh {
  std::vector<Vec3<>> points;
  std::vector<int> triangles;  ///< three corners each
};

/// By the divergence theorem, exact for the polyhedron. Expects a mesh without problem.
MassProperties solid_mesh(const Mesh& mesh);
/// Why the mesh encloses no volume, as the end of a sentence; "" when it does. Turns a mesh outside out that is inside out.
std::string close_mesh(Mesh& mesh);

/// STL (ASCII or binary) or OBJ, told apart by the name; corners at the same place are one. Throws std::runtime_error with a sentence.
Mesh read_mesh(const std::string& path);
Mesh parse_stl(std::string_view bytes);
Mesh parse_obj(std::string_view text);

/// The same solid with `factor` times the density.
MassProperties scaled(const MassProperties& solid, double factor);
/// The same solid seen from a frame in which its own stands at `position`, turned by R.
MassProperties placed(const MassProperties& solid, const Vec3<>& position, const Mat3<>& R);
/// Several solids as one (parallel axis theorem).
MassProperties combined(const std::vector<MassProperties>& solids);

}  // namespace bristle
