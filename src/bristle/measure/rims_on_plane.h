#pragma once
#include <array>
#include <cmath>

#include "bristle/measure/circle_touch.h"
#include "bristle/measure/gjk.h"
#include "bristle/measure/pick_points.h"
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
    const Frame<> F0 = value_of(F), G0 = value_of(G);
    const double cosine = dot(F0.R.column(2), G0.R.column(2)), sine = norm(cross(F0.R.column(2), G0.R.column(2)));
    Few<Feature, 10> all;
    for (const double side : {1.0, -1.0}) {
      Feature f;
      f.rim = {shape.half()[0], side * shape.half()[2]};
      if (sine > 1e-9) offer(F0, G0, f, all);
      f.stays = true;
      for (int k = 0; k < 4 && side * cosine < -0.9; ++k) {
        f.at = {k % 2 == 0 ? 1.0 - k : 0.0, k % 2 == 1 ? 2.0 - k : 0.0};
        offer(F0, G0, f, all);
      }
    }
    std::array<std::size_t, 4> pick{};
    const std::size_t count = pick_points(all, 1e-4 * shape.half()[0], pick);
    for (std::size_t i = 0; i < count; ++i) out[i] = touch_feature(F, G, all[pick[i]]);
    for (std::size_t i = count; i < 4; ++i) out[i] = out[0], out[i].gap = out[0].gap + shape.reach();
  }

 private:
  struct Feature {
    bool stays = false;
    Circle rim;
    std::array<double, 2> at{1, 0};  ///< cosine and sine where it stays
    double gap = 0;
    Vec3<> point;
  };
  template <class T>
  Touch<T> touch_feature(const Frame<T>& F, const Frame<T>& G, const Feature& f) const {
    Spot<T> s;
    if (f.stays) s = point_on_face(Vec3<T>(centre_of(G, f.rim) + arm_of(G, f.rim, T(f.at[0]), T(f.at[1]))), F, 1, 0);
    else s = circle_on_face(G, f.rim, F, 1, 0);
    return touch_over(s.height, s.normal, s.point, 0, mirrored);
  }
  void offer(const Frame<>& F, const Frame<>& G, Feature f, Few<Feature, 10>& all) const {
    const Touch<> t = touch_feature(F, G, f);
    f.gap = t.gap, f.point = t.point;
    for (const Feature& g : all) {
      if (norm(g.point - f.point) < 1e-6 * shape.half()[0]) return;
    }
    all.push_back(f);
  }
};

}  // namespace bristle
