#include "bristle/body/beam_section.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace bristle {

namespace {

/// Torsion constant of a rectangle with sides a >= b.
double torsion_of_rectangle(double a, double b) {
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(0.5 * n * std::numbers::pi * a / b) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(std::numbers::pi, 5) * b / a * sum);
}

}  // namespace

BeamSection make_section(const BeamMaterial& m, double area, double I_y, double I_z, double torsion, double shear_y,
                         double shear_z) {
  BeamSection s;
  const double diagonal[6] = {m.young * area,    m.shear * shear_y, m.shear * shear_z,
                              m.shear * torsion, m.young * I_y,     m.young * I_z};
  for (std::size_t i = 0; i < 6; ++i) s.stiffness[7 * i] = diagonal[i];
  s.mass = m.density * area;
  s.inertia(0, 0) = m.density * (I_y + I_z);
  s.inertia(1, 1) = m.density * I_y;
  s.inertia(2, 2) = m.density * I_z;
  return s;
}

BeamSection circle_section(const BeamMaterial& m, double radius) { return tube_section(m, radius, 0); }

BeamSection tube_section(const BeamMaterial& m, double outer, double inner) {
  const double nu = m.poisson(), a = inner / outer, sum = (1 + a * a) * (1 + a * a);
  const double factor = 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * a * a);
  const double area = std::numbers::pi * (outer * outer - inner * inner),
               I = 0.25 * std::numbers::pi * (std::pow(outer, 4) - std::pow(inner, 4));
  BeamSection s = make_section(m, area, I, I, 2 * I, factor * area, factor * area);
  s.outline = inner > 0 ? BeamSection::Outline::tube : BeamSection::Outline::circle;
  s.size[0] = outer, s.size[1] = inner;
  return s;
}

BeamSection rectangle_section(const BeamMaterial& m, double height, double width) {
  const double nu = m.poisson(), factor = 10 * (1 + nu) / (12 + 11 * nu), area = height * width;
  BeamSection s =
      make_section(m, area, height * std::pow(width, 3) / 12, width * std::pow(height, 3) / 12,
                   torsion_of_rectangle(std::fmax(height, width), std::fmin(height, width)), factor * area, factor * area);
  s.outline = BeamSection::Outline::rectangle;
  s.size[0] = height, s.size[1] = width;
  return s;
}

BeamSection i_section(const BeamMaterial& m, double height, double width, double web, double flange) {
  const double inside = height - 2 * flange, area = 2 * width * flange + inside * web;
  const double I_z = (width * std::pow(height, 3) - (width - web) * std::pow(inside, 3)) / 12;
  const double I_y = (2 * flange * std::pow(width, 3) + inside * std::pow(web, 3)) / 12;
  const double torsion = (2 * width * std::pow(flange, 3) + (height - flange) * std::pow(web, 3)) / 3;
  BeamSection s = make_section(m, area, I_y, I_z, torsion, (height - flange) * web, 5.0 / 6 * 2 * width * flange);
  s.outline = BeamSection::Outline::rectangle;
  s.size[0] = height, s.size[1] = width;
  return s;
}

Mat6 add_residual_flexibility(const Mat6& stiffness, double length) {
  Eigen::Matrix<double, 6, 6> F;
  for (int i = 0; i < 36; ++i) F(i) = stiffness[static_cast<std::size_t>(i)];
  F = F.inverse().eval();
  const double by = length * length / 12;
  // a shear force along y bends about z, one along z about -y
  F(1, 1) += by * F(5, 5);
  F(2, 2) += by * F(4, 4);
  F(1, 2) -= by * F(5, 4);
  F(2, 1) -= by * F(4, 5);
  F = F.inverse().eval();
  Mat6 out;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) out[static_cast<std::size_t>(6 * i + j)] = 0.5 * (F(i, j) + F(j, i));
  }
  return out;
}

MassProperties half_of(const BeamSection& section, double length, const Mat3<>& E) {
  MassProperties p;
  p.mass = 0.5 * length * section.mass;
  p.inertia = section.inertia;
  for (double& x : p.inertia.m) x *= 0.5 * length;
  p.center = section.center;
  return placed(p, {}, E);
}

}  // namespace bristle
