#pragma once
#include <span>
#include <vector>

namespace bristle {

/// Sizes of the parts of a State. A scalar coordinate has one index in q, v and f: [free | driven | ground]; frames follow
/// (seven numbers in q: position and unit quaternion w x y z; six in v: world velocity of the origin, body angular velocity).
struct Sizes {
  int q = 0, v = 0, z = 0, lambda = 0, marks = 0;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

/// Everything that changes, in one buffer. A value: assigning it to one of equal sizes copies memory and allocates nothing.
class State {
 public:
  State() = default;
  explicit State(const Sizes& s)
      : sizes_(s), numbers_(static_cast<std::size_t>(s.q + 2 * s.v + s.z + s.lambda + s.marks), 0.0) {}

  double t = 0;  ///< [s]

  double* q() { return numbers_.data(); }
  double* v() { return q() + sizes_.q; }
  double* z() { return v() + sizes_.v; }
  double* lambda() { return z() + sizes_.z; }
  double* a() { return lambda() + sizes_.lambda; }
  double* marks() { return a() + sizes_.v; }
  const double* q() const { return numbers_.data(); }            ///< configuration
  const double* v() const { return q() + sizes_.q; }             ///< velocity
  const double* z() const { return v() + sizes_.v; }             ///< memory that has a rate; dimensionless, of order one
  const double* lambda() const { return z() + sizes_.z; }        ///< multipliers: forces held at sticking places, reactions
  const double* a() const { return lambda() + sizes_.lambda; }   ///< accelerations of the last evaluation
  const double* marks() const { return a() + sizes_.v; }         ///< memory without a rate: modes, stacks, counters

  const Sizes& sizes() const { return sizes_; }
  std::span<double> numbers() { return numbers_; }
  std::span<const double> numbers() const { return numbers_; }

 private:
  Sizes sizes_;
  std::vector<double> numbers_;
};

}  // namespace bristle
