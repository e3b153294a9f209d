// Cross-sections of beams: what stands in `sections:`.
#include <fmt/format.h>

#include <cmath>

#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/cross_sections.h"
#include "bristle/assemble/keys.h"
#include "bristle/base/text.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

constexpr Unit kMomentArea{"N m^2", {3, 1, -2, 0}};
constexpr Unit kRotary{"kg m", {1, 1, 0, 0}};

using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct MaterialKeys {
  double young = 0, density = 0;
  std::optional<double> poisson, shear_modulus;
  void visit(Keys& keys) {
    keys.required("young", young, unit::pascal, positive, "elastic modulus E");
    keys.number("poisson", poisson, unit::one, Range{-1, 0.5, true, false}, "0.3", "Poisson's ratio: G = E / 2 (1 + poisson)");
    keys.number("shear_modulus", shear_modulus, unit::pascal, positive, "none", "instead of poisson: G");
    keys.required("density", density, unit::kilogram_per_metre3, positive, "mass per volume");
    if (shear_modulus && poisson) keys.refuse("poisson", "give shear_modulus or poisson, not both");
  }
  BeamMaterial material() const {
    BeamMaterial m;
    m.young = young;
    m.shear = shear_modulus ? *shear_modulus : young / (2 * (1 + poisson.value_or(0.3)));
    m.density = density;
    return m;
  }
};

/// Numbers in mixed units: those of displacements, of both, of rotations.
Matrix6 matrix6_of(const Reader& reader, const char* key, const Node& rows, const Unit& linear, const Unit& mixed,
                   const Unit& turn, const Scope& scope) {
  Matrix6 A;
  for (int i = 0; i < 6; ++i) {
    const auto r = static_cast<std::size_t>(i);
    if (!rows.is_list() || rows.size() != 6 || !rows[r].is_list() || rows[r].size() != 6)
      reader.fail(key, std::string(key) + " needs six rows of six numbers");
    for (int j = 0; j < 6; ++j) {
      const Node& entry = rows[r][static_cast<std::size_t>(j)];
      const Quantity q = parse_quantity(entry.text, scope, entry.where_of_text());
      require_dimension(q.dimension, i < 3 && j < 3 ? linear : i >= 3 && j >= 3 ? turn : mixed, entry.where);
      A(i, j) = q.value;
    }
  }
  if (!A.allFinite()) reader.fail(key, "every entry must be a finite number");
  if (const std::string off = asymmetry_text(A, 1e-9); !off.empty()) reader.fail(key, "the matrix must be symmetric: " + off);
  A = (0.5 * (A + A.transpose())).eval();
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(A)).eigenvalues()[0];
  if (!(smallest > 0))
    reader.fail(key, "its smallest eigenvalue is " + fmt::format("{:.6g}", smallest) +
                         ": a section must resist every strain. All eigenvalues must be > 0");
  return A;
}

struct GeneralKeys {
  double EA = 0, GA2 = 0, GJ = 0, EI2 = 0, mass_per_length = 0;
  std::optional<double> GA3, EI3;
  std::vector<double> rotary_inertia, center;
  void visit(Keys& keys) {
    keys.required("EA", EA, unit::newton, positive, "axial stiffness");
    keys.required("GA2", GA2, unit::newton, positive, "shear stiffness along axis 2");
    keys.number("GA3", GA3, unit::newton, positive, "GA2", "shear stiffness along axis 3");
    keys.required("GJ", GJ, kMomentArea, positive, "torsional stiffness");
    keys.required("EI2", EI2, kMomentArea, positive, "bending stiffness about axis 2");
    keys.number("EI3", EI3, kMomentArea, positive, "EI2", "bending stiffness about axis 3");
    keys.required("mass_per_length", mass_per_length, unit::kilogram_per_metre, positive, "mass per length");
    keys.list("rotary_inertia", rotary_inertia, kRotary, any, "mass_per_length times EI/EA",
              "per length about the centre of mass, about the axes [1, 2, 3]");
    keys.list("center", center, unit::metre, any, "[0, 0]", "centre of mass [along axis 2, along axis 3]");
    if (keys.has("rotary_inertia") && rotary_inertia.size() != 3)
      keys.refuse("rotary_inertia", "rotary_inertia must have 3 numbers, about the axes 1, 2, 3");
    if (keys.has("center") && center.size() != 2)
      keys.refuse("center", "center must have 2 numbers, along axis 2 and along axis 3");
  }
};

BeamSection read_general(Reader& reader, const Scope& scope) {
  const GeneralKeys keys = read_keys<GeneralKeys>(reader, scope);
  BeamSection s;
  const double EI3 = keys.EI3.value_or(keys.EI2);
  const double diagonal[6] = {keys.EA, keys.GA2, keys.GA3.value_or(keys.GA2), keys.GJ, keys.EI2, EI3};
  for (std::size_t i = 0; i < 6; ++i) s.stiffness[7 * i] = diagonal[i];
  s.mass = keys.mass_per_length;
  const double J2 = s.mass * keys.EI2 / keys.EA, J3 = s.mass * EI3 / keys.EA;
  const std::vector<double> rotary = keys.rotary_inertia.empty() ? std::vector<double>{J2 + J3, J2, J3} : keys.rotary_inertia;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(rotary[i] > 0)) reader.fail("rotary_inertia", "every number must be > 0, got " + number_text(rotary[i]) + " [kg m]");
    s.inertia(static_cast<int>(i), static_cast<int>(i)) = rotary[i];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (rotary[i] > (rotary[(i + 1) % 3] + rotary[(i + 2) % 3]) * (1 + 1e-3))
      reader.fail(
          "rotary_inertia",
          fmt::format(
              "no section has these numbers: each is at most the sum of the other two, and {:.6g} > {:.6g} + {:.6g} [kg m]",
              rotary[i], rotary[(i + 1) % 3], rotary[(i + 2) % 3]));
  }
  if (!keys.center.empty()) s.center = {{0, keys.center[0], keys.center[1]}};
  return s;
}

struct SectionMatrixKeys {
  const Node *stiffness = nullptr, *mass = nullptr;
  void visit(Keys& keys) {
    keys.node("stiffness", "matrix", stiffness, "",
              "six rows of six numbers: (stretch, shear 2, shear 3, twist, curvature 2, curvature 3) to forces [N] and "
              "moments [N m]");
    keys.node("mass", "matrix", mass, "",
              "six rows of six numbers: velocity of the axis and angular velocity to momentum and angular momentum about the "
              "axis, per length");
  }
};

BeamSection read_matrices(Reader& reader, const Scope& scope) {
  const SectionMatrixKeys keys = read_keys<SectionMatrixKeys>(reader, scope);
  BeamSection s;
  const Matrix6 C = matrix6_of(reader, "stiffness", *keys.stiffness, unit::newton, unit::newton_metre, kMomentArea, scope);
  const Matrix6 M = matrix6_of(reader, "mass", *keys.mass, unit::kilogram_per_metre, unit::kilogram, kRotary, scope);
  for (int i = 0; i < 36; ++i) s.stiffness[static_cast<std::size_t>(i)] = C(i);
  // [m, -m c~; m c~, J]: velocity of the axis and angular velocity to momentum and angular momentum about the axis
  s.mass = M(0, 0);
  s.center = {{M(5, 1) / s.mass, M(3, 2) / s.mass, M(4, 0) / s.mass}};
  Eigen::Matrix3d arm;
  arm << 0, -s.center[2], s.center[1], s.center[2], 0, -s.center[0], -s.center[1], s.center[0], 0;
  Matrix6 made = Matrix6::Zero();
  made.topLeftCorner<3, 3>() = s.mass * Eigen::Matrix3d::Identity();
  made.bottomLeftCorner<3, 3>() = s.mass * arm;
  made.topRightCorner<3, 3>() = -s.mass * arm;
  const Eigen::Matrix3d J = M.bottomRightCorner<3, 3>() + s.mass * arm * arm;
  made.bottomRightCorner<3, 3>() = M.bottomRightCorner<3, 3>();
  if ((made - M).norm() > 1e-9 * M.norm())
    reader.fail(
        "mass",
        "this is no mass matrix of a section: it has the form [m, -m c~; m c~, J] with one mass m and one centre of mass c, "
        "c~ the matrix of the cross product with c");
  if (!(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J).eigenvalues()[0] > 0))
    reader.fail("mass", "the rotary inertia about the centre of mass must be positive about every axis");
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s.inertia(i, j) = J(i, j);
  }
  return s;
}

// Profiles of one material: their own lengths, and the section that they make of it.

struct CircleProfile {
  double radius = 0;
  void visit(Keys& keys) { keys.required("radius", radius, unit::metre, positive, "radius"); }
  BeamSection section(const BeamMaterial& m) const { return circle_section(m, radius); }
};

struct TubeProfile {
  double outer = 0, inner = 0;
  void visit(Keys& keys) {
    keys.required("outer_radius", outer, unit::metre, positive, "outer radius");
    keys.required("inner_radius", inner, unit::metre, positive, "radius of the bore");
    if (!(inner < outer))
      keys.refuse("inner_radius", "the inner radius must be smaller than outer_radius = " + number_text(outer) + " [m], got " +
                                      number_text(inner) + " [m]");
  }
  BeamSection section(const BeamMaterial& m) const { return tube_section(m, outer, inner); }
};

struct RectangleProfile {
  double height = 0, width = 0;
  void visit(Keys& keys) {
    keys.required("height", height, unit::metre, positive, "along axis 2");
    keys.required("width", width, unit::metre, positive, "along axis 3");
  }
  BeamSection section(const BeamMaterial& m) const { return rectangle_section(m, height, width); }
};

struct IBeamProfile {
  double height = 0, width = 0, web = 0, flange = 0;
  void visit(Keys& keys) {
    keys.required("height", height, unit::metre, positive, "along axis 2");
    keys.required("width", width, unit::metre, positive, "of the flanges, along axis 3");
    keys.required("web", web, unit::metre, positive, "thickness of the web");
    keys.required("flange", flange, unit::metre, positive, "thickness of the flanges");
    if (!(2 * flange < height))
      keys.refuse("flange", "two flanges must be thinner than height = " + number_text(height) + " [m], got twice " +
                                number_text(flange) + " [m]");
    if (!(web < width))
      keys.refuse("web", "the web must be thinner than width = " + number_text(width) + " [m], got " + number_text(web) + " [m]");
  }
  BeamSection section(const BeamMaterial& m) const { return i_section(m, height, width, web, flange); }
};

template <class P>
CrossSectionEntry profile(const char* name, const char* summary, const std::string& example, const char* page) {
  const auto read = [](Reader& reader, const Scope& scope) {
    const BeamMaterial m = read_keys<MaterialKeys>(reader, scope).material();
    return read_keys<P>(reader, scope).section(m);
  };
  return {{name,
           summary,
           joined(key_fields<P>(), key_fields<MaterialKeys>()),
           std::string("sections:\n  profile: {type: ") + name + example + ", young: 210 GPa, density: 7850 kg/m^3}\n",
           page,
           {}},
          read};
}

KindEntry general_kind() {
  return {
      "general", "a section by its stiffnesses", key_fields<GeneralKeys>(),
      "sections:\n  shaft: {type: general, EA: 22.7 MN, GA2: 2 MN, GJ: 22.1e3, EI2: 28.2e3, EI3: 28.7e3, mass_per_length: 0.848}\n",
      ""};
}

KindEntry matrix_section_kind() {
  return {
      "matrix", "a section by full matrices of stiffness and mass", key_fields<SectionMatrixKeys>(),
      R"(sections:
  blade:
    type: matrix
    stiffness: [[1e6, 0, 0, 0, 0, 2e3], [0, 3e5, 0, 0, 0, 0], [0, 0, 3e5, 0, 0, 0], [0, 0, 0, 80, 5, 0], [0, 0, 0, 5, 100, 0], [2e3, 0, 0, 0, 0, 400]]
    mass: [[0.5, 0, 0, 0, 0, 0], [0, 0.5, 0, 0, 0, 0], [0, 0, 0.5, 0, 0, 0], [0, 0, 0, 3e-4, 0, 0], [0, 0, 0, 0, 1e-4, 0], [0, 0, 0, 0, 0, 2e-4]]
)",
      "Both must be symmetric and positive definite. With a centre of mass off the axis the mass matrix is [m, -m c~; m c~, J], c~ the\n"
      "matrix of the cross product with c.\n"};
}

}  // namespace

void add_cross_sections(CrossSectionRegistry& r) {
  r.add(profile<CircleProfile>("circle", "a round bar", ", radius: 10 mm", ""));
  r.add(profile<TubeProfile>("tube", "a round tube", ", outer_radius: 20 mm, inner_radius: 18 mm", ""));
  r.add(profile<RectangleProfile>("rectangle", "a flat or square bar", ", height: 20 mm, width: 5 mm",
                                  "Shear factors after Cowper (1966), torsion by Saint-Venant's series; warping is free.\n"));
  r.add(profile<IBeamProfile>(
      "i_beam", "an I profile, its web along axis 2", ", height: 100 mm, width: 55 mm, web: 4.1 mm, flange: 5.7 mm",
      "As of thin walls: the web takes the shear along axis 2, the flanges take it along axis 3, torsion is the sum of b t^3/3.\n"
      "Warping is free: its stiffness, which counts in torsion near clamped ends, is left out.\n"));
  r.add({general_kind(), read_general});
  r.add({matrix_section_kind(), read_matrices});
}

BeamSection read_section(Reader& reader, const Scope& scope, const CrossSectionRegistry& known) {
  const BeamSection s = read_kind(reader, known).read(reader, scope);
  reader.finish({"type"});
  return s;
}

}  // namespace bristle
