#pragma once
#include <vector>

#include "validation/validation.h"

namespace bristle {

std::vector<ValidationRow> validate_lugre();
std::vector<ValidationRow> validate_belt();
std::vector<ValidationRow> validate_energy_transfer();
std::vector<ValidationRow> validate_slider_crank();
std::vector<ValidationRow> validate_translational_joint();
std::vector<ValidationRow> validate_clearance_joint();
std::vector<ValidationRow> validate_sleeve_joint();
std::vector<ValidationRow> validate_spatial_mechanism();
std::vector<ValidationRow> validate_supercritical_rotor();
std::vector<ValidationRow> validate_critical_speeds();
/// All runs of the energy map over load and tuning, one after the other; the largest dissipated energy [J].
double energy_map_peak();

}  // namespace bristle
