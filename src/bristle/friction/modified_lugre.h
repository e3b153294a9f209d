#pragma once
#include "bristle/friction/lugre.h"

namespace bristle {

/** Bristles beside a spring: a bolted or riveted joint that keeps some stiffness after it has begun to slip.

Equations ("Modeling of Frictional Contact Conditions in Structures", modified LuGre model beside 2.1): the force of `lugre`
plus a parallel spring along the travel x, per unit of load N:

    F = N (mu_kinetic z + sigma1 rate + sigma2 v + tangent_stiffness x)

With sigma0 = e0 - e_t, tangent_stiffness = e_t, mu_static = mu_kinetic = a0 (1 - e_t/e0) and sigma1 = sigma2 = 0 it nearly
coincides with `valanis` of smooth transition.

Parameters: all of `lugre`; `tangent_stiffness` [1/m] stiffness in slip over load, >= 0 (or N/m, divided by `reference_load`);
typically 0.02 to 0.2 of sigma0.

Memory: one vector z, dimensionless, 0 at the start. The spring is relaxed at zero travel and keeps no memory.

Cannot: what `lugre` cannot: it creeps under a vibrating load until the spring carries it, its minor loops stay open, and with
sigma1 > 0 it is not passive. Otherwise it is passive at constant load: what bristles and spring store is proportional to the
load and changes with it without work. For a joint whose macroslip is free use `lugre`.

Reference: C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of systems with friction, IEEE
Trans. Automatic Control 40 (1995), doi:10.1109/9.376053; the spring: "Modeling of Frictional Contact Conditions in
Structures".
*/
struct ModifiedLuGre {
  LuGre bristles;
  double tangent_stiffness = 0;  // [1/m]
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;
  static constexpr bool kTravel = true;

  void visit(Visitor& v) {
    v.per_load("tangent_stiffness", tangent_stiffness, unit::per_metre, non_negative, "stiffness in slip over load");
    bristles.visit(v);
  }
  std::string problem() const { return bristles.problem(); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    bristles.template eval<D, T>(p, z, marks, F, zdot);
  }
  template <int D, class T>
  Vec<D, T> elastic(const Patch<D, T>& p) const {
    return T(tangent_stiffness * p.load) * p.travel;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double* marks) const {
    return bristles.template stored<D>(p, z, marks) + 0.5 * p.load * tangent_stiffness * dot(p.travel, p.travel);
  }
  template <int D>
  double holding(const Patch<D>& p, const double* marks) const {
    return bristles.template holding<D>(p, marks);
  }
  template <int D>
  double bound(const Patch<D>& p, const double* marks) const {
    return bristles.template bound<D>(p, marks) + p.load * tangent_stiffness * norm(p.travel);
  }
  double reach() const { return bristles.reach(); }
  template <int D>
  Mode mode(const Patch<D>& p, const double* z, const double* marks) const {
    return bristles.template mode<D>(p, z, marks);
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double* z, const double* marks) const {
    return bristles.template pace<D>(p, z, marks);
  }
};

}  // namespace bristle
