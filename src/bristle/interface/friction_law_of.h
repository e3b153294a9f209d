#pragma once
#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "bristle/interface/friction_law.h"

namespace bristle {

/// Largest memory of one law at one place (numbers with a rate) where its size depends on parameters: buffers of that size keep evaluations
/// free of allocation. Who asks for more is refused when the model is read (FrictionLawOf::size_problem).
inline constexpr int kMaxMemory = 128;

/// Makes a FrictionLaw<D> from a plain struct L. What an author writes (everything but eval, visit and holding is optional):
///
///   void visit(Visitor&);                                     parameters
///   std::string problem() const;                              impossible combinations of parameters, "" when fine
///   void prepare();                                           derived numbers, once after the parameters are read
///   static constexpr int kVectors, kScalars, kMarks;          memory z: kVectors times D components, then kScalars
///   int vectors() const; int scalars() const; int marks(int D) const;    the same where it depends on parameters
///   static constexpr bool kTravel;                            asks for Patch::travel
///   bool outside;                                             a parameter is in Patch::input (Visitor::input); laws without z alone
///   static constexpr bool kSetValued;                         dry: eval gives the sliding force, zero at zero slip
///   template <int D, class T> void eval(const Patch<D, T>&, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const;
///   template <int D> void start(double* z, double* marks, int stream) const;            default: all zero
///   template <int D> void project(const Patch<D>&, double* z, const double* marks) const;
///   template <int D> void accept(const Patch<D>&, double t, double* z, double* marks) const;   after project
///   template <int D> double stored(const Patch<D>&, const double* z, const double* marks) const;
///   template <int D> double holding(const Patch<D>&, const double* marks) const;
///   template <int D> double bound(const Patch<D>&, const double* marks) const;          default: holding
///   double reach() const;                                                               default: 2
///   double largest_stretch() const;                           memory that is force over load in vectors, see FrictionLaw
///   template <int D, class T> Vec<D, T> elastic(const Patch<D, T>&) const;    conservative share, added to eval's force
///   template <int D, class T> Vec<D, T> elastic_over(const Patch<D, T>&, const Vec<D, T>& way) const;   the same over a whole step of a
///                                                             set-valued law, see SetValued::offset_over
///   std::string step_problem() const;                         set-valued: why it cannot be taken over whole steps
///   template <int D> Mode mode(const Patch<D>&, const double* z, const double* marks) const;
///   template <int D> Pace pace(const Patch<D>&, const double* z, const double* marks) const;
///   template <int D> Overrun overrun(const Vec<D>& before, const Patch<D>& after, double h, const double* z0, const double* z1,
///                                    const double* marks) const;    rates that change inside a step, see FrictionLaw
///   double band() const;                                      set-valued: speeds treated as rest in threshold mode
///   template <int D> Vec<D> at_rest(const Vec<D>& holding, const Patch<D>&, double mobility, const double* marks) const;
template <class L, int D>
class FrictionLawOf final : public FrictionLaw<D>, private SetValued<D> {
 public:
  explicit FrictionLawOf(L law) : law_(std::move(law)) {
    if constexpr (requires { law_.prepare(); }) law_.prepare();
    size_.z = vectors() * D + scalars();
    if constexpr (requires { law_.marks(D); }) {
      size_.marks = law_.marks(D);
    } else if constexpr (requires { L::kMarks; }) {
      size_.marks = L::kMarks;
    }
    if constexpr (requires { L::kTravel; }) size_.travel = L::kTravel;
    if constexpr (kInput) size_.input = law_.outside;
  }
  /// Why there is no room for the memory of this law, in a sentence; "" when there is.
  std::string size_problem() const {
    if (size_.z <= kRoom) return {};
    return "its memory takes " + std::to_string(size_.z) + " numbers where the slip has " + std::to_string(D) +
           (D == 1 ? " component" : " components") + "; there is room for " + std::to_string(kRoom) + ". Give it fewer elements";
  }
  const L& law() const { return law_; }

  MemorySize memory() const override { return size_; }

  void start(double* z, double* marks, int stream) const override {
    std::fill_n(z, size_.z, 0.0);
    std::fill_n(marks, size_.marks, 0.0);
    if constexpr (requires { law_.template start<D>(z, marks, stream); }) law_.template start<D>(z, marks, stream);
  }

  void eval(const Patch<D>& p, const double* z, const double* marks, Vec<D>& force, double* zdot) const override {
    evaluate<double>(p, z, marks, force, zdot);
  }

  void eval(const Patch<D>& p, const double* z, const double* marks, Vec<D>& force, double* zdot,
            RubPartials partials) const override {
    assert(size_.z <= kRoom);
    // sweep over the columns in groups of N directions
    constexpr int N = kGroup;
    using T = Dual<N>;
    const int nz = kCapacity == 1 ? 0 : size_.z;  // known to be none: the loops over z go away
    const int columns = rub_columns(D, nz);
    Uninitialised<T> zt_storage, zdot_storage;
    T *zt = zt_storage.x, *zdot_t = zdot_storage.x;
    for (int first = 0; first < columns; first += N) {
      Patch<D, T> q;
      const auto seed = [&](double v, int column) {
        const int i = column - first;
        return i >= 0 && i < N ? T::variable(v, i) : T(v);
      };
      for (int d = 0; d < D; ++d) q.slip[d] = seed(p.slip[d], d);
      q.load = seed(p.load, D);
      for (int d = 0; d < D; ++d) q.travel[d] = seed(p.travel[d], D + 1 + d);
      q.gap = T(p.gap);
      q.gap_rate = T(p.gap_rate);
      q.input = T(p.input);
      for (int i = 0; i < nz; ++i) zt[i] = seed(z[i], 2 * D + 1 + i);
      Vec<D, T> f;
      evaluate<T>(q, zt, marks, f, zdot_t);
      const int last = std::min(columns, first + N);
      for (int r = 0; r < D + nz; ++r) {
        const T& y = r < D ? f[r] : zdot_t[r - D];
        for (int c = first; c < last; ++c) partials(r, c) = y.d[static_cast<std::size_t>(c - first)];
      }
      if (first == 0) {
        for (int d = 0; d < D; ++d) force[d] = f[d].value;
        for (int i = 0; i < nz; ++i) zdot[i] = zdot_t[i].value;
      }
    }
  }

  Vec<D> by_input(const Patch<D>& p, const double* marks) const override {
    Vec<D> slope;
    if constexpr (kInput) {
      static_assert(kCapacity == 1, "what a memory has taken over a step from an input that changes is not differentiated");
      using T = Dual<1>;
      Patch<D, T> q;
      for (int d = 0; d < D; ++d) q.slip[d] = T(p.slip[d]), q.travel[d] = T(p.travel[d]);
      q.load = T(p.load);
      q.gap = T(p.gap);
      q.gap_rate = T(p.gap_rate);
      q.input = T::variable(p.input, 0);
      Vec<D, T> f;
      T none[1];
      evaluate<T>(q, none, marks, f, none);
      for (int d = 0; d < D; ++d) slope[d] = f[d].d[0];
    }
    return (void)p, (void)marks, slope;
  }

  void project(const Patch<D>& p, double* z, const double* marks) const override {
    if constexpr (requires { law_.template project<D>(p, z, marks); }) law_.template project<D>(p, z, marks);
  }
  void accept(const Patch<D>& p, double t, double* z, double* marks) const override {
    project(p, z, marks);
    if constexpr (requires { law_.template accept<D>(p, t, z, marks); }) law_.template accept<D>(p, t, z, marks);
  }
  bool remembers() const override {
    return requires(const Patch<D>& p, double* z, double* marks) { law_.template project<D>(p, z, marks); }
    || requires(const Patch<D>& p, double* z, double* marks) { law_.template accept<D>(p, 0.0, z, marks); };
  }
  double stored(const Patch<D>& p, const double* z, const double* marks) const override {
    if constexpr (requires { law_.template stored<D>(p, z, marks); }) return law_.template stored<D>(p, z, marks);
    return 0;
  }
  bool stores_by_load() const override {
    return (size_.z > 0 || size_.travel) && requires(const Patch<D>& p, const double* z) { law_.template stored<D>(p, z, z); };
  }
  double largest_stretch() const override {
    if constexpr (requires { law_.largest_stretch(); }) return law_.largest_stretch();
    return 0;
  }
  double holding(const Patch<D>& p, const double* marks) const override { return law_.template holding<D>(p, marks); }
  double bound(const Patch<D>& p, const double* marks) const override {
    if constexpr (requires { law_.template bound<D>(p, marks); }) return law_.template bound<D>(p, marks);
    return law_.template holding<D>(p, marks);
  }
  double reach() const override {
    if constexpr (requires { law_.reach(); }) return law_.reach();
    return 2;
  }
  Mode mode(const Patch<D>& p, const double* z, const double* marks) const override {
    if constexpr (requires { law_.template mode<D>(p, z, marks); }) return law_.template mode<D>(p, z, marks);
    const double rest = [&] {
      if constexpr (requires { law_.band(); }) return law_.band();
      return 0.0;
    }();
    return norm(p.slip) > rest ? Mode::slip : Mode::stick;
  }
  Pace pace(const Patch<D>& p, const double* z, const double* marks) const override {
    if constexpr (requires { law_.template pace<D>(p, z, marks); }) return law_.template pace<D>(p, z, marks);
    return {};
  }
  static constexpr bool kOverruns = requires(const L& l, const Vec<D>& v, const Patch<D>& p, const double* z) {
    l.template overrun<D>(v, p, 0.0, z, z, z);
  };
  Overrun overrun(const Vec<D>& before, const Patch<D>& after, double h, const double* z0, const double* z1,
                  const double* marks) const override {
    if constexpr (kOverruns) return law_.template overrun<D>(before, after, h, z0, z1, marks);
    return {};
  }
  bool overruns() const override { return kOverruns; }
  const SetValued<D>* set_valued() const override {
    if constexpr (requires { requires L::kSetValued; }) return this;
    return nullptr;
  }

 private:
  static constexpr bool kInput = requires(const L& l) { l.outside; };
  static constexpr bool kFixed = requires {  // the memory has a size that no parameter changes
    L::kVectors;
    L::kScalars;
  };
  static constexpr int kRoom = [] {
    if constexpr (kFixed) return L::kVectors * D + L::kScalars;
    else return kMaxMemory;
  }();
  static constexpr int kCapacity = kFixed ? kRoom + 1 : kRoom;  // of buffers: never none
  template <class T>
  struct Uninitialised {  // every entry is written before it is read
    union {
      T x[kCapacity];
    };
    Uninitialised() {}   // NOLINT
    ~Uninitialised() {}  // NOLINT
  };
  template <class T>
  void evaluate(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& force, T* zdot) const {
    law_.template eval<D, T>(p, z, marks, force, zdot);
    if constexpr (requires { law_.template elastic<D, T>(p); }) force = force + law_.template elastic<D, T>(p);
  }
  static constexpr int kGroup = [] {  // directions differentiated at once
    if constexpr (requires {
                    L::kVectors;
                    L::kScalars;
                  }) {
      constexpr int n = 2 * D + 1 + L::kVectors * D + L::kScalars;
      return n <= 12 ? n : 8;
    } else {
      return 8;
    }
  }();
  int vectors() const {
    if constexpr (requires { law_.vectors(); }) return law_.vectors();
    else if constexpr (requires { L::kVectors; }) return L::kVectors;
    else return 0;
  }
  int scalars() const {
    if constexpr (requires { law_.scalars(); }) return law_.scalars();
    else if constexpr (requires { L::kScalars; }) return L::kScalars;
    else return 0;
  }

  // SetValued
  double limit(const Patch<D>& p, const double* marks) const override { return law_.template holding<D>(p, marks); }
  Vec<D> offset(const Patch<D>& p) const override {
    if constexpr (requires { law_.template elastic<D, double>(p); }) return law_.template elastic<D, double>(p);
    return {};
  }
  Vec<D> offset_over(const Patch<D>& p, const Vec<D>& way, double* slope) const override {
    constexpr int N = 2 * D + 1;
    if (slope != nullptr) std::fill_n(slope, D * N, 0.0);
    if constexpr (requires { law_.template elastic_over<D, double>(p, way); }) {
      if (slope == nullptr) return law_.template elastic_over<D, double>(p, way);
      using T = Dual<N>;
      Patch<D, T> q;
      Vec<D, T> w;
      for (int d = 0; d < D; ++d) {
        q.slip[d] = T(p.slip[d]);
        w[d] = T::variable(way[d], d);
        q.travel[d] = T::variable(p.travel[d], D + 1 + d);
      }
      q.load = T::variable(p.load, D);
      const Vec<D, T> F = law_.template elastic_over<D, T>(q, w);
      Vec<D> value;
      for (int d = 0; d < D; ++d) {
        value[d] = F[d].value;
        for (int c = 0; c < N; ++c) slope[d * N + c] = F[d].d[static_cast<std::size_t>(c)];
      }
      return value;
    } else {
      constexpr bool kPushes = requires { law_.template elastic<D, double>(p); };
      constexpr bool kDry = requires { requires L::kSetValued; };
      static_assert(!(kPushes && kDry), "a dry law with a conservative share needs elastic_over");
      return {};
    }
  }
  std::string step_problem() const override {
    if constexpr (requires { law_.step_problem(); }) return law_.step_problem();
    return {};
  }
  double band() const override {
    if constexpr (requires { law_.band(); }) return law_.band();
    return 0;
  }
  Vec<D> at_rest(const Vec<D>& holding, const Patch<D>& p, double mobility, const double* marks) const override {
    if constexpr (requires { law_.template at_rest<D>(holding, p, mobility, marks); }) {
      return law_.template at_rest<D>(holding, p, mobility, marks);
    } else {
      // hold what the limit allows; beyond it slide along the slip, or along the pull where there is none
      if (norm(holding) <= law_.template holding<D>(p, marks)) return holding;
      Vec<D> force;
      Patch<D> sliding = p;
      if (!(norm(p.slip) > 0)) {
        const Vec<D> e = direction(holding);
        for (int d = 0; d < D; ++d) sliding.slip[d] = 1e-12 * e[d];
      }
      double none[kCapacity] = {};
      law_.template eval<D, double>(sliding, none, marks, force, none);
      return force;
    }
  }

  L law_;
  MemorySize size_;
};

}  // namespace bristle
