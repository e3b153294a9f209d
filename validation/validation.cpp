#include "validation/validation.h"

#include <stdexcept>

#include "validation/cases.h"

namespace bristle {

const std::vector<ValidationCase>& validation_cases() {
  static const std::vector<ValidationCase> cases = {
      {"lugre", "LuGre stick–slip: stiffness, reference solution, comparison of integrators",
       "Efficient Simulation of a Dynamic System with LuGre Friction (conference and journal versions); Modeling of Frictional Contact Conditions in "
       "Structures, chapters 1 and 2",
       validate_lugre},
      {"belt", "Block on a moving belt under every law of friction", "Frictional Contacts in Multibody Dynamics, chapter 3",
       validate_belt},
      {"energy_transfer", "Energy transfer in three masses with Stribeck friction",
       "Energy Transfer and Dissipation in a Three-Degree-of-Freedom System with Stribeck Friction; Modeling of Frictional Contact Conditions in "
       "Structures, chapter 3",
       validate_energy_transfer},
      {"slider_crank", "Spatial slider-crank: ways to keep joints closed", "Frictional Contacts in Multibody Dynamics, chapter 2",
       validate_slider_crank},
      {"translational_joint", "Friction in the guide of a spatial slider-crank",
       "Frictional Contacts in Multibody Dynamics, section 4.1", validate_translational_joint},
      {"clearance_joint", "Main bearing of a spatial slider-crank with clearance, without and with friction",
       "Frictional Contacts in Multibody Dynamics, sections 4.2 and 4.3", validate_clearance_joint},
      {"sleeve_joint", "Rigid beam in a fixed sleeve with clearance and friction",
       "Modeling and Analysis of Nonlinear Sleeve Joints of Large Space Structures", validate_sleeve_joint},
      {"spatial_mechanism", "Mechanism of flexible members, ball joint ideal and with clearance",
       "Modeling Friction Phenomena in Flexible Multibody Dynamics, spatial mechanism", validate_spatial_mechanism},
      {"supercritical_rotor", "Unbalanced flexible shaft that passes its critical speed in a bearing with clearance",
       "Modeling Friction Phenomena in Flexible Multibody Dynamics, supercritical rotor", validate_supercritical_rotor},
      {"critical_speeds", "Whirl and critical speeds of a rigid rotor and of a stepped shaft with a disk",
       "Nelson and McVaugh, The Dynamics of Rotor-Bearing Systems Using Finite Elements (1976); closed forms",
       validate_critical_speeds},
  };
  return cases;
}

std::string model_text(std::string_view name) {
  for (const ModelFile& file : validation_models()) {
    if (file.name.starts_with(name) && file.name.substr(name.size()) == ".yaml") return std::string(file.text);
  }
  throw std::logic_error("no model " + std::string(name));
}

}  // namespace bristle
