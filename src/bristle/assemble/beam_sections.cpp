// Cross-sections of beams: what stands in `sections:`.
#include <fmt/format.h>

#include <cmath>

#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/cross_sections.h"
#include "bristle/base/text.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

constexpr Unit kMomentArea{"N m^2", {3, 1, -2, 0}};
constexpr Unit kRotary{"kg m", {1, 1, 0, 0}};

using Matrix6 = Eigen::Matrix<double, 6, 6>;

BeamMaterial read_material(Reader& reader) {
  BeamMaterial m;
  m.young = reader.number("young", unit::pascal, positive, "elastic modulus");
  const auto shear = reader.optional_number("shear_modulus", unit::pascal, positive);
  const auto poisson = reader.optional_number("poisson", unit::one, Range{-1, 0.5, true, false});
  if (shear && poisson) reader.fail("poisson", "give shear_modulus or poisson, not both");
  m.shear = shear ? *shear : m.young / (2 * (1 + poisson.value_or(0.3)));
  m.density = reader.number("density", unit::kilogram_per_metre3, positive, "mass per volume");
  return m;
}

/// Numbers in mixed units: those of displacements, of both, of rotations.
Matrix6 read_matrix6(Reader& reader, const char* key, const Unit& linear, const Unit& mixed, const Unit& turn,
                     const Scope& scope) {
  const Node& rows = reader.child(key, "six rows of six numbers");
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

void set_center(Reader& reader, BeamSection& s) {
  const auto center = reader.optional_numbers("center", 2, unit::metre);
  if (center) s.center = {{0, (*center)[0], (*center)[1]}};
}

BeamSection read_general(Reader& reader) {
  BeamSection s;
  const auto number = [&](const char* key, const Unit& unit, const char* text) {
    return reader.number(key, unit, positive, text);
  };
  const double EA = number("EA", unit::newton, "axial stiffness"), GJ = number("GJ", kMomentArea, "torsional stiffness");
  const double GA2 = number("GA2", unit::newton, "shear stiffness along axis 2");
  const double EI2 = number("EI2", kMomentArea, "bending stiffness about axis 2");
  const double GA3 = reader.optional_number("GA3", unit::newton, positive).value_or(GA2);
  const double EI3 = reader.optional_number("EI3", kMomentArea, positive).value_or(EI2);
  const double diagonal[6] = {EA, GA2, GA3, GJ, EI2, EI3};
  for (std::size_t i = 0; i < 6; ++i) s.stiffness[7 * i] = diagonal[i];
  s.mass = number("mass_per_length", unit::kilogram_per_metre, "mass per length");
  const double J2 = s.mass * EI2 / EA, J3 = s.mass * EI3 / EA;
  const std::vector<double> rotary =
      reader.optional_numbers("rotary_inertia", 3, kRotary).value_or(std::vector<double>{J2 + J3, J2, J3});
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
  set_center(reader, s);
  return s;
}

BeamSection read_matrices(Reader& reader, const Scope& scope) {
  BeamSection s;
  const Matrix6 C = read_matrix6(reader, "stiffness", unit::newton, unit::newton_metre, kMomentArea, scope);
  const Matrix6 M = read_matrix6(reader, "mass", unit::kilogram_per_metre, unit::kilogram, kRotary, scope);
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

double profile_length(Reader& reader, const char* key, const char* text) {
  return reader.number(key, unit::metre, positive, text);
}
Field profile_field(const char* key, const char* text) {
  return plain_field(Field::Kind::number, key, unit::metre, positive, "", text);
}

BeamSection read_circle_profile(Reader& reader, const Scope&) {
  const BeamMaterial m = read_material(reader);
  return circle_section(m, profile_length(reader, "radius", "radius"));
}

BeamSection read_tube_profile(Reader& reader, const Scope&) {
  const BeamMaterial m = read_material(reader);
  const double outer = profile_length(reader, "outer_radius", "outer radius"),
               inner = profile_length(reader, "inner_radius", "radius of the bore");
  if (!(inner < outer))
    reader.fail("inner_radius", "the inner radius must be smaller than outer_radius = " + number_text(outer) + " [m], got " +
                                    number_text(inner) + " [m]");
  return tube_section(m, outer, inner);
}

BeamSection read_rectangle_profile(Reader& reader, const Scope&) {
  const BeamMaterial m = read_material(reader);
  const double height = profile_length(reader, "height", "along axis 2");
  return rectangle_section(m, height, profile_length(reader, "width", "along axis 3"));
}

BeamSection read_i_beam_profile(Reader& reader, const Scope&) {
  const BeamMaterial m = read_material(reader);
  const double height = profile_length(reader, "height", "along axis 2"), width = profile_length(reader, "width", "along axis 3");
  const double web = profile_length(reader, "web", "thickness of the web"),
               flange = profile_length(reader, "flange", "thickness of the flanges");
  if (!(2 * flange < height))
    reader.fail("flange", "two flanges must be thinner than height = " + number_text(height) + " [m], got twice " +
                              number_text(flange) + " [m]");
  if (!(web < width))
    reader.fail("web", "the web must be thinner than width = " + number_text(width) + " [m], got " + number_text(web) + " [m]");
  return i_section(m, height, width, web, flange);
}

/// A profile of one material: its own lengths and what it is made of.
CrossSectionEntry profile(const char* name, const char* summary, std::vector<Field> own, const std::string& example,
                          const char* page, BeamSection (*read)(Reader&, const Scope&)) {
  using enum Field::Kind;
  const std::vector<Field> material = {
      plain_field(number, "young", unit::pascal, positive, "", "elastic modulus E"),
      plain_field(number, "poisson", unit::one, Range{-1, 0.5, true, false}, "0.3", "Poisson's ratio: G = E / 2 (1 + poisson)"),
      plain_field(number, "shear_modulus", unit::pascal, positive, "none", "instead of poisson: G"),
      plain_field(number, "density", unit::kilogram_per_metre3, positive, "", "mass per volume")};
  return {{name,
           summary,
           joined(std::move(own), material),
           std::string("sections:\n  profile: {type: ") + name + example + ", young: 210 GPa, density: 7850 kg/m^3}\n",
           page,
           {}},
          read};
}

KindEntry general_kind() {
  using enum Field::Kind;
  return {
      "general",
      "a section by its stiffnesses",
      {plain_field(number, "EA", unit::newton, positive, "", "axial stiffness"),
       plain_field(number, "GA2", unit::newton, positive, "", "shear stiffness along axis 2"),
       plain_field(number, "GA3", unit::newton, positive, "GA2", "shear stiffness along axis 3"),
       plain_field(number, "GJ", kMomentArea, positive, "", "torsional stiffness"),
       plain_field(number, "EI2", kMomentArea, positive, "", "bending stiffness about axis 2"),
       plain_field(number, "EI3", kMomentArea, positive, "EI2", "bending stiffness about axis 3"),
       plain_field(number, "mass_per_length", unit::kilogram_per_metre, positive, "", "mass per length"),
       shaped_field("rotary_inertia", "mass_per_length times EI/EA",
                    "per length about the centre of mass, about the axes [1, 2, 3] [kg m]", "vector"),
       shaped_field("center", "[0, 0]", "centre of mass [along axis 2, along axis 3]", "vector")},
      "sections:\n  shaft: {type: general, EA: 22.7 MN, GA2: 2 MN, GJ: 22.1e3, EI2: 28.2e3, EI3: 28.7e3, mass_per_length: 0.848}\n",
      ""};
}

KindEntry matrix_section_kind() {
  return {
      "matrix",
      "a section by full matrices of stiffness and mass",
      {shaped_field("stiffness", "",
                    "six rows of six numbers: (stretch, shear 2, shear 3, twist, curvature 2, curvature 3) to forces [N] and "
                    "moments [N m]",
                    "matrix"),
       shaped_field(
           "mass", "",
           "six rows of six numbers: velocity of the axis and angular velocity to momentum and angular momentum about the "
           "axis, per length",
           "matrix")},
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
  r.add(profile("circle", "a round bar", {profile_field("radius", "radius")}, ", radius: 10 mm", "", read_circle_profile));
  r.add(profile("tube", "a round tube",
                {profile_field("outer_radius", "outer radius"), profile_field("inner_radius", "radius of the bore")},
                ", outer_radius: 20 mm, inner_radius: 18 mm", "", read_tube_profile));
  r.add(profile("rectangle", "a flat or square bar",
                {profile_field("height", "along axis 2"), profile_field("width", "along axis 3")}, ", height: 20 mm, width: 5 mm",
                "Shear factors after Cowper (1966), torsion by Saint-Venant's series; warping is free.\n",
                read_rectangle_profile));
  r.add(profile(
      "i_beam", "an I profile, its web along axis 2",
      {profile_field("height", "along axis 2"), profile_field("width", "of the flanges, along axis 3"),
       profile_field("web", "thickness of the web"), profile_field("flange", "thickness of the flanges")},
      ", height: 100 mm, width: 55 mm, web: 4.1 mm, flange: 5.7 mm",
      "As of thin walls: the web takes the shear along axis 2, the flanges take it along axis 3, torsion is the sum of b t^3/3.\n"
      "Warping is free: its stiffness, which counts in torsion near clamped ends, is left out.\n",
      read_i_beam_profile));
  r.add({general_kind(), [](Reader& reader, const Scope&) { return read_general(reader); }});
  r.add({matrix_section_kind(), read_matrices});
}

BeamSection read_section(Reader& reader, const Scope& scope, const CrossSectionRegistry& known) {
  const BeamSection s = read_kind(reader, known).read(reader, scope);
  reader.finish({"type"});
  return s;
}

}  // namespace bristle
