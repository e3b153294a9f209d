#pragma once
#include <string>

namespace bristle {

/// The spatial slider-crank of "Frictional Contacts in Multibody Dynamics", section 2.4: models/slider_crank.yaml with other settings.
struct SliderCrank {
  enum class Cross { natural, rod_axis, tilted_rod };
  Cross cross = Cross::rod_axis;  ///< axes of the universal joint, which the source does not print; this one gives its table
  std::string guide;              ///< further keys of the guide, such as its friction
  std::string worn = {};          ///< keys of a main bearing with clearance, a hole in the crank around a pin of the ground
  double end = 20, step = 1e-3;   ///< [s]
  std::string text() const;
};

}  // namespace bristle
