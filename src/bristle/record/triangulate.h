#pragma once
#include <vector>

#include "bristle/core/layout.h"

namespace bristle {

/// Surfaces of shapes, in the frame of the centre of mass of their body.
struct Triangles {
  std::vector<double> points;  ///< three numbers per corner
  std::vector<int> corners;    ///< three per triangle, counter-clockwise seen from outside
};

/// Appends the surface of a shape. Round ones have about 32 corners around their axis; a mesh is taken as it is.
void triangulate(const Shape& shape, Triangles& to);

}  // namespace bristle
