#pragma once

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

/// How hard two surfaces press at a depth of penetration [m] > 0 that grows with a rate [m/s]. Between two accepted steps a plain
/// function of both and of its marks. Derive through ContactLawOf (contact_law_of.h).
class ContactLaw {
 public:
  virtual ~ContactLaw() = default;
  virtual int marks() const = 0;                     ///< numbers it remembers: speed of approach, largest depth
  virtual void start(double* marks) const = 0;       ///< apart
  virtual double potential(double depth) const = 0;  ///< [J]
  /// [N] never negative; slope: derivatives by depth and rate, where asked for. Zero at depth <= 0.
  virtual double force(double depth, double rate, const double* marks, double* slope = nullptr) const = 0;
  /// Once per accepted step, also while apart (depth <= 0).
  virtual void accept(double depth, double rate, double* marks) const = 0;
  virtual bool damped() const = 0;  ///< takes energy out at all
  /// Constants that follow from the surfaces; once at assembly. A sentence about what is missing, or null.
  virtual const char* bind(const ContactPair&) { return nullptr; }
  virtual const Unilateral* rigid() const { return nullptr; }
};

}  // namespace bristle
