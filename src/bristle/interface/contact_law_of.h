#pragma once
#include <algorithm>
#include <limits>
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
/// Surfaces that yield keep a dent, which follows from the largest depth that they have had; in place of potential and elastic:
///   yield_depth()                      [m] up to here they are elastic: no depth counts as less than this
///   loading(depth)                     [N] deeper than ever
///   loading_work(depth)                [J] its integral, from anywhere
///   unloading(depth, deepest)          [N] between the dent and the largest depth
///   unloading_work(depth, deepest)     [J] its integral from the dent
///   dent(deepest)                      [m] depth at which they part
template <class L>
class ContactLawOf final : public ContactLaw {
 public:
  explicit ContactLawOf(L law) : law_(std::move(law)) {
    if constexpr (requires { law_.prepare(); }) law_.prepare();
  }
  static constexpr bool kApproach = requires(const L& l) { l.minimum_approach; };
  static constexpr bool kDamped = requires(const L& l) { l.damping(0.0, 0.0, 0.0); };
  static constexpr bool kDents = requires(const L& l) { l.dent(0.0); };

  int marks() const override { return (kApproach ? 1 : 0) + (kDents ? 2 : 0); }
  void start(double* marks) const override { std::fill_n(marks, this->marks(), 0.0); }
  double potential(double depth, const double* marks) const override {
    if (!(depth > 0)) return 0;
    if constexpr (kDents) {
      const double most = deepest(marks);
      if (yields(depth, marks)) return law_.unloading_work(most, most) + (law_.loading_work(depth) - law_.loading_work(most));
      return depth > law_.dent(most) ? law_.unloading_work(depth, most) : 0;
    } else {
      return (void)marks, law_.potential(depth);
    }
  }
  double stored(double depth, const double* marks) const override {
    if constexpr (kDents) {
      if (yields(depth, marks)) return law_.unloading_work(depth, depth);
    }
    return potential(depth, marks);
  }

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
    if constexpr (kDents) {
      if (yields(depth, marks)) marks[kDeepest] = depth;
    }
    (void)depth, (void)rate, (void)marks;
  }
  bool dents() const override { return kDents; }
  void keep_elastic(double* marks) const override {
    if constexpr (kDents) marks[kElastic] = std::numeric_limits<double>::infinity();
    (void)marks;
  }
  double dent(const double* marks) const override {
    if constexpr (kDents) return law_.dent(deepest(marks));
    else return (void)marks, 0;
  }
  /// The rate taken as straight in time. A depth that turns back inside the step was larger there than at both ends.
  Overrun overrun(const Depth& before, const Depth& after, double h, const double* marks) const override {
    Overrun out;
    const double fall = before.rate - after.rate;
    if constexpr (kDents) {
      if (!(before.rate > 0 && fall > 0)) return out;
      const double known = std::max(after.value, deepest(marks));
      if (after.rate >= 0) {
        if (after.value >= known) out.part = after.rate / fall;  // the turn to come
        return out;
      }
      const double part = before.rate / fall;
      const double peak = std::max(before.value + 0.5 * part * h * before.rate, after.value - 0.5 * (1 - part) * h * after.rate);
      if (peak > known) out.error = (peak - known) / peak, out.part = part;
    }
    return (void)h, (void)marks, out;
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
  static constexpr int kDeepest = kApproach ? 1 : 0;  // among the marks
  static constexpr int kElastic = kDeepest + 1;       // up to this depth nothing yields, however deep it has been
  template <class T>
  bool yields(const T& depth, const double* marks) const {
    return depth > deepest(marks) && depth > marks[kElastic];
  }
  double deepest(const double* marks) const { return std::max(marks[kDeepest], law_.yield_depth()); }
  /// A touch-down inside the step has no mark yet: its speed is what it is now.
  template <class T>
  T approach(const T& rate, const double* marks) const {
    if constexpr (kApproach) return marks[0] > 0 ? T(marks[0]) : larger(rate, T(law_.minimum_approach));
    else return (void)rate, (void)marks, T(0);
  }
  template <class T>
  T sum(const T& depth, const T& rate, const double* marks) const {
    T F = elastic(depth, marks);
    if constexpr (kDamped) F = F + law_.damping(depth, rate, approach(rate, marks));
    else (void)rate, (void)marks;
    return F;
  }
  template <class T>
  T elastic(const T& depth, const double* marks) const {
    if constexpr (kDents) {
      const double most = deepest(marks);
      if (yields(depth, marks)) return law_.loading(depth);
      return depth > law_.dent(most) ? law_.unloading(depth, most) : T(0);
    } else if constexpr (requires { law_.elastic(depth); }) {
      return law_.elastic(depth);
    } else {
      return law_.potential(Dual<1, T>::variable(depth, 0)).d[0];
    }
  }
  L law_;
};

}  // namespace bristle
