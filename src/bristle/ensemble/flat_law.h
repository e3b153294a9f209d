#pragma once
#include <type_traits>

#include "bristle/interface/friction_law_of.h"
#include "bristle/measure/form.h"

namespace bristle {

/// A law that models on the fast path may have: memory of a fixed size with rates, nothing that changes when a step is accepted, no containers.
template <class L>
concept StepsAlone = requires {
  L::kVectors;
  L::kScalars;
  L::kMarks;
}
&&L::kMarks == 0 && std::is_trivially_copyable_v<L> && !requires { requires L::kSetValued; }
&&!requires(const L& l, const Patch<1>& p, double* z, double* marks) { l.template project<1>(p, z, marks); }
&&!requires(const L& l, const Patch<1>& p, double* z, double* marks) { l.template accept<1>(p, 0.0, z, marks); }
&&!requires(const L& l, const Patch<1>& p, const Vec<1>& v, const double* z) { l.template overrun<1>(v, p, 0.0, z, z, z); };

/// A law whose common form is a plain struct of numbers, `L::Flat<R>`, R being one number or several side by side. It has
///   template <int D, class T> void eval(const Patch<D, T>&, const T* z, Vec<D, T>& F, T* zdot) const;    without z and zdot if there is no memory
/// or, in two parts of which the first takes most of the time,
///   template <int D, class T> T curve(const Patch<D, T>&) const;
///   template <int D, class T> void eval(const Patch<D, T>&, const T& curve, const T* z, Vec<D, T>& F, T* zdot) const;
/// and the law itself `flat()`, its numbers, and `is_flat()` where its parameters may ask for another form.
template <class L>
concept HasFlat = StepsAlone<L> && requires(const L& l) {
  typename L::template Flat<double>;
  l.flat();
};
template <class L>
bool is_flat(const L& law) {
  if constexpr (!HasFlat<L>) return false;
  else if constexpr (requires { law.is_flat(); }) return law.is_flat();
  else return true;
}

/// How a place of the fast path asks its law: by the flat form.
template <class L, class R>
struct FlatForm {
  using Number = R;
  using Law = typename L::template Flat<R>;
  static constexpr int kMemory = L::kVectors + L::kScalars;
  static constexpr bool kTravel = false;
  /// Is there a curve that is better had for all places first? It waits where the rate of the memory goes later.
  static constexpr bool kCurve = kMemory > 0 && requires(const Law& l, const Patch<1, R>& p) { l.template curve<1, R>(p); };

  static R curve(const Law& law, const Patch<1, R>& p) { return law.template curve<1, R>(p); }
  static void eval(const Law& law, const Patch<1, R>& p, const R* z, Vec<1, R>& F, R* zdot, const R& curve) {
    law.template eval<1, R>(p, curve, z, F, zdot);
  }
  static void eval(const Law& law, const Patch<1, R>& p, const R* z, Vec<1, R>& F, R* zdot) {
    if constexpr (kCurve) eval(law, p, z, F, zdot, curve(law, p));
    else if constexpr (kMemory > 0) law.template eval<1, R>(p, z, F, zdot);
    else law.template eval<1, R>(p, F);
  }
};

/// The same by the law as a whole: one number at a time.
template <class L>
struct WholeForm {
  using Number = double;
  using Law = const FrictionLawOf<L, 1>*;
  static constexpr int kMemory = L::kVectors + L::kScalars;
  static constexpr bool kTravel = requires { requires L::kTravel; };
  static constexpr bool kCurve = false;
  static void eval(const Law& law, const Patch<1>& p, const double* z, Vec<1>& F, double* zdot) {
    law->eval(p, z, nullptr, F, zdot);
  }
};

}  // namespace bristle
