#pragma once
#include "bristle/interface/patch.h"

namespace bristle {

/// Curvatures and sizes of the two surfaces of one contact point, from which laws may take their stiffness.
struct ContactPair {
  double radius_a = 0, radius_b = 0;  ///< [m] of curvature at the point; negative: hollow; 0: flat
  double length = 0;                  ///< [m] of a line contact; 0: contact in a point
};

/// Rigid contact: no depth, an impact law in its place.
struct Unilateral {
  enum class Impact { newton, poisson };
  double restitution = 0;
  Impact impact = Impact::newton;
  double rest_speed = 0;  ///< [m/s] slower impacts do not bounce
};

/// How deep two surfaces are in each other at one instant, and how fast that grows.
struct Depth {
  double value = 0, rate = 0;  ///< [m], [m/s]
};

/// How hard two surfaces press at a depth of penetration [m] > 0 that grows with a rate [m/s]. Between two accepted steps a plain
/// function of both and of its marks. Derive through ContactLawOf (contact_law_of.h).
class ContactLaw {
 public:
  virtual ~ContactLaw() = default;
  virtual int marks() const = 0;                ///< numbers it remembers: speed of approach, largest depth
  virtual void start(double* marks) const = 0;  ///< apart, and as new
  /// [J] Its slope is the force without a rate, as long as the marks stay as they are.
  virtual double potential(double depth, const double* marks) const = 0;
  /// [J] What the surfaces give back of it: less, where they yield.
  virtual double stored(double depth, const double* marks) const { return potential(depth, marks); }
  /// [N] never negative; slope: derivatives by depth and rate, where asked for. Zero at depth <= 0.
  virtual double force(double depth, double rate, const double* marks, double* slope = nullptr) const = 0;
  /// Once per accepted step, also while apart (depth <= 0).
  virtual void accept(double depth, double rate, double* marks) const = 0;
  virtual bool damped() const = 0;  ///< takes energy out at all
  /// Surfaces that yield keep a dent: how deep it is, the depth at which they part [m].
  virtual bool dents() const { return false; }
  virtual double dent(const double* marks) const { return (void)marks, 0; }
  /// For small motions about a state: what has yielded springs to both sides.
  virtual void keep_elastic(double* marks) const { (void)marks; }
  /// Does a step (not yet accepted) pass over the largest depth, which is a mark? Asked where it dents.
  virtual Overrun overrun(const Depth& before, const Depth& after, double h, const double* marks) const {
    return (void)before, (void)after, (void)h, (void)marks, Overrun{};
  }
  /// Constants that follow from the surfaces; once at assembly. A sentence about what is missing, or null.
  virtual const char* bind(const ContactPair&) { return nullptr; }
  virtual const Unilateral* rigid() const { return nullptr; }
};

}  // namespace bristle
