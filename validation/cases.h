#pragma once
#include <vector>

#include "validation/validation.h"

namespace bristle {

std::vector<ValidationRow> validate_lugre(int jobs);
std::vector<ValidationRow> validate_belt(int jobs);
std::vector<ValidationRow> validate_energy_transfer(int jobs);
std::vector<ValidationRow> validate_slider_crank(int jobs);
std::vector<ValidationRow> validate_translational_joint(int jobs);
std::vector<ValidationRow> validate_clearance_joint(int jobs);
std::vector<ValidationRow> validate_sleeve_joint(int jobs);
std::vector<ValidationRow> validate_spatial_mechanism(int jobs);
std::vector<ValidationRow> validate_supercritical_rotor(int jobs);
std::vector<ValidationRow> validate_critical_speeds(int jobs);
/// All runs of the energy map over load and tuning, one after the other; the largest dissipated energy [J].
double energy_map_peak();

}  // namespace bristle
