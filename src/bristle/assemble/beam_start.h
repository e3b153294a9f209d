#pragma once
#include "bristle/assemble/keys.h"
#include "bristle/math/space.h"

namespace bristle {

/// A section of a beam at the start of a run: where it is and how it moves.
struct SectionStart {
  Vec3<> p;
  Mat3<> D;
  Vec3<> v, w;  ///< velocity, angular velocity, in world axes
};

/// How a beam is bent at the start and how it swings, on top of its shape at rest and its motion as a rigid body: vectors in world axes whose
/// numbers are expressions of s [m], the way along the undeformed beam, and xi = s/length.
struct BeamStartKeys {
  std::optional<Vec3<>> displacement, rotation, velocity, angular_velocity;
  void visit(Keys& keys);
};

/// Deforms the section that is at s of a beam of that length. Sections stay square to the axis where no rotation is given, and turn with it
/// where no angular velocity is.
void start_section(const Reader& reader, const Node& start, const Scope& scope, double s, double length, SectionStart& section);

}  // namespace bristle
