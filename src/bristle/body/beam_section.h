#pragma once
#include <vector>

#include "bristle/body/beam_element.h"
#include "bristle/body/inertia.h"

namespace bristle {

/// What a beam is made of, per length. Axes: x along the beam, y and z in the section, through the point that the beam's axis passes.
struct BeamSection {
  Mat6 stiffness{};  ///< of (stretch, shear y, shear z; twist, curvature y, curvature z)
  double mass = 0;   ///< [kg/m]
  Vec3<> center;     ///< [m] centre of mass
  Mat3<> inertia;    ///< [kg m] rotary inertia about the centre of mass
  enum class Outline { none, circle, tube, rectangle };
  Outline outline = Outline::none;  ///< for pictures
  double size[2] = {0, 0};          ///< [m] circle: radius; tube: outer and inner radius; rectangle: along y, along z
};

struct BeamMaterial {
  double young = 0, shear = 0;  ///< [Pa]
  double density = 0;           ///< [kg/m^3]
  double poisson() const { return young / (2 * shear) - 1; }
};

/// Stiffness and inertia of a plane section: area, second moments about y and z, torsion constant, shear areas along y and z.
BeamSection make_section(const BeamMaterial&, double area, double I_y, double I_z, double torsion, double shear_y,
                         double shear_z);

// Shear factors: Cowper, The Shear Coefficient in Timoshenko's Beam Theory (1966), table 1. Torsion of rectangles: Saint-Venant's series.
BeamSection circle_section(const BeamMaterial&, double radius);
BeamSection tube_section(const BeamMaterial&, double outer, double inner);
BeamSection rectangle_section(const BeamMaterial&, double height_y, double width_z);
/// Web along y, flanges along z; as of thin walls: the web takes the shear along y, the flanges that along z.
BeamSection i_section(const BeamMaterial&, double height_y, double width_z, double web, double flange);

/// Flexibility of bending within an element of this length, added to that of shear: the element then is the exact one of a straight
/// beam under end forces (MacNeal, A simple quadrilateral shell element, 1978: residual bending flexibility).
Mat6 add_residual_flexibility(const Mat6& stiffness, double length);

/// What half an element gives to the node at one of its ends; E: section axes in node axes.
MassProperties half_of(const BeamSection& section, double length, const Mat3<>& E);

}  // namespace bristle
