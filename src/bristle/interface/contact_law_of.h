#pragma once
#include <algorithm>
#include <utility>

#include "bristle/interface/contact_law.h"
#include "bristle/math/dual.h"

namespace bristle {

/// Makes a ContactLaw of a plain struct L with, as templates on the number type:
///   potential(depth)                   [J]
///   elastic(depth)                     [N] optional: the slope of the potential
///   damping(depth, rate, approach)     [N] optional: added to the elastic force; zero at zero rate
///   minimum_approach                   [m/s] field of laws whose damping asks for the approach, the speed at touch-down: slower
///                                      ones count as this; without the field the approach is zero
/// and, where they apply, prepare() after reading, damped(), bind(pair), rigid(). The sum never pulls.
template <class L>
class ContactLawOf final : public ContactLaw {
 public:
  explicit ContactLawOf(L law) : law_(std::move(law)) {
    if constexpr (requires { law_.prepare(); }) law_.prepare();
  }
  static constexpr bool kApproach = requires(const L& l) { l.minimum_approach; };
  static constexpr bool kDamped = requires(const L& l) { l.damping(0.0, 0.0, 0.0); };

  int marks() const override { return kApproach ? 1 : 0; }
  void start(double* marks) const override {
    if (kApproach) marks[0] = 0;
  }
  double potential(double depth) const override { return depth > 0 ? law_.potential(depth) : 0; }

  double force(double depth, double rate, const double* marks, double* slope) const override {
    if (slope) slope[0] = slope[1] = 0;
    if (!(depth > 0)) return 0;
    if (slope == nullptr) return std::max(0.0, sum(depth, rate, marks));
    using D2 = Dual<2>;
    const D2 F = sum(D2::variable(depth, 0), D2::variable(rate, 1), marks);
    if (!(F.value > 0)) return 0;
    slope[0] = F.d[0], slope[1] = F.d[1];
    return F.value;
  }
  void accept(double depth, double rate, double* marks) const override {
    if constexpr (kApproach) {
      if (!(depth > 0)) marks[0] = 0;
      else if (marks[0] == 0) marks[0] = std::max(rate, law_.minimum_approach);
    }
  }
  bool damped() const override {
    if constexpr (requires { law_.damped(); }) return law_.damped();
    else return kDamped;
  }
  const char* bind(const ContactPair& pair) override {
    if constexpr (requires { law_.bind(pair); }) return law_.bind(pair);
    else return nullptr;
  }
  const Unilateral* rigid() const override {
    if constexpr (requires { law_.rigid(); }) return law_.rigid();
    else return nullptr;
  }
  const L& law() const { return law_; }

 private:
  /// A touch-down inside the step has no mark yet: its speed is what it is now.
  template <class T>
  T approach(const T& rate, const double* marks) const {
    if constexpr (kApproach) return marks[0] > 0 ? T(marks[0]) : larger(rate, T(law_.minimum_approach));
    else return (void)rate, (void)marks, T(0);
  }
  template <class T>
  T sum(const T& depth, const T& rate, const double* marks) const {
    T F = elastic(depth);
    if constexpr (kDamped) F = F + law_.damping(depth, rate, approach(rate, marks));
    else (void)rate, (void)marks;
    return F;
  }
  template <class T>
  T elastic(const T& depth) const {
    if constexpr (requires { law_.elastic(depth); }) {
      return law_.elastic(depth);
    } else {
      return law_.potential(Dual<1, T>::variable(depth, 0)).d[0];
    }
  }
  L law_;
};

}  // namespace bristle
