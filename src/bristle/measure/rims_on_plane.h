#pragma once
#include <cmath>
#include <cstddef>

#include "bristle/measure/circle_touch.h"
#include "bristle/measure/solid.h"

namespace bristle {

/// A cylinder or tube over the plane z < 0, four points: the lowest of each rim and, of a rim that lies nearly flat, four places that stay.
/// Upright it stands on those four, whatever it carries; rolling on its edge it has the lowest one.
struct RimsOnPlane {
  const Solid& shape;
  bool mirrored;  ///< the plane is B

  /// F: of the plane; G: of the cylinder.
  template <class T>
  void touch(const Frame<T>& F, const Frame<T>& G, Touch<T>* out) const {
    const double r = shape.half()[0], half = shape.half()[2];
    const double cosine = value_of(dot(F.R.column(2), G.R.column(2)));
    const auto lowest = [&](const Circle& rim) {
      const Spot<T> s = circle_on_face(G, rim, F, 1, 0);
      return touch_over(s.height, s.normal, s.point, 0, mirrored);
    };
    if (std::abs(cosine) < 0.9) {
      out[0] = lowest({r, half}), out[1] = lowest({r, -half});
      for (std::size_t i = 2; i < 4; ++i) out[i] = out[0], out[i].gap = out[0].gap + shape.reach();
      return;
    }
    const Circle rim{r, cosine < 0 ? half : -half};
    std::size_t low = 0, high = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const double c = k % 2 == 0 ? 1.0 - static_cast<double>(k) : 0, s = k % 2 == 1 ? 2.0 - static_cast<double>(k) : 0;
      const Spot<T> spot = point_on_face(Vec3<T>(centre_of(G, rim) + arm_of(G, rim, T(c), T(s))), F, 1, 0);
      out[k] = touch_over(spot.height, spot.normal, spot.point, 0, mirrored);
      if (value_of(out[k].gap) < value_of(out[low].gap)) low = k;
      if (value_of(out[k].gap) > value_of(out[high].gap)) high = k;
    }
    const Touch<T> edge = lowest(rim);  // in place of the highest one, once it is lower than all
    if (value_of(edge.gap) < value_of(out[low].gap) - 1e-5 * r) out[high] = edge;
  }
};

}  // namespace bristle
