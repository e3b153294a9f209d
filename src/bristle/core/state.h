#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace bristle {

/// Sizes of the parts of a State. A scalar coordinate has one index in q, v and f: [free | driven | ground]; frames follow
/// (seven numbers in q: position and unit quaternion w x y z; six in v: world velocity of the origin, body angular velocity; see
/// Layout::frames).
struct Sizes {
  int q = 0, v = 0, z = 0, lambda = 0, marks = 0;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

/// Everything that changes, in one buffer. A value: assigning it to one of equal sizes copies memory and allocates nothing.
class State {
 public:
  State() = default;
  explicit State(const Sizes& s)
      : sizes_(s),
        v_(s.q),
        z_(v_ + s.v),
        lambda_(z_ + s.z),
        a_(lambda_ + s.lambda),
        marks_(a_ + s.v),
        numbers_(static_cast<std::size_t>(marks_ + s.marks), 0.0) {}

  double t = 0;  ///< [s]

  double* q() { return numbers_.data(); }
  double* v() { return q() + v_; }
  double* z() { return q() + z_; }
  double* lambda() { return q() + lambda_; }
  double* a() { return q() + a_; }
  double* marks() { return q() + marks_; }
  const double* q() const { return numbers_.data(); }     ///< configuration
  const double* v() const { return q() + v_; }            ///< velocity
  const double* z() const { return q() + z_; }            ///< memory that has a rate; dimensionless, of order one
  const double* lambda() const { return q() + lambda_; }  ///< multipliers: forces held at sticking places, reactions
  const double* a() const { return q() + a_; }            ///< accelerations of the last evaluation
  const double* marks() const { return q() + marks_; }    ///< memory without a rate: modes, stacks, counters

  const Sizes& sizes() const { return sizes_; }
  std::span<double> numbers() { return numbers_; }
  std::span<const double> numbers() const { return numbers_; }

 private:
  Sizes sizes_;
  std::ptrdiff_t v_ = 0, z_ = 0, lambda_ = 0, a_ = 0, marks_ = 0;  // where the parts begin
  std::vector<double> numbers_;
};

}  // namespace bristle
