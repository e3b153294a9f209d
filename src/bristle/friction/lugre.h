#pragma once
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Bristles: the surfaces meet through elastic hairs whose mean deflection is the memory; they bend before sliding, slip as
the load on them grows, and their steady force follows the Stribeck curve.

Equations ("Frictional Contacts in Multibody Dynamics", 3.45 to 3.50; "Efficient Simulation of a Dynamic System with LuGre
Friction", 1 to 3), per unit of load N, with the memory z = sigma0 * deflection / mu_kinetic, which is 1 in steady fast
sliding:

    rate   = v - |v| z / s(|v|),        s(v) = 1 + (mu_static/mu_kinetic - 1) exp(-(v/v_s)^2)
    z'     = sigma0 / mu_kinetic * rate
    F      = N (mu_kinetic z + sigma1 rate + sigma2 v)

`vector_form: isotropic` (default) uses |v| z; `printed` uses (z.v) v/|v| as in 3.45, under which a deflection normal to the
slip never relaxes (slide along x, then along y: the force settles at sqrt(2) of its proper size). In one dimension both are
equal. `scalar` has one deflection along the slip, whichever way it goes, as "Modeling Friction Phenomena in Flexible Multibody Dynamics"
writes it (eqs. 22 to 28 with the force along the unit vector of the slip): z' = sigma0 |v| (1 - z / s) / mu_kinetic. Where the slip turns, the
force turns with it at once and at full size; at zero slip it has no direction. So that it has one here, slips below a hundredth of the Stribeck velocity turn the
force in proportion to themselves; a body held by it creeps at such speeds: this form cannot hold anything.

Parameters: `mu_kinetic`, `mu_static`, `stribeck_velocity`; `sigma0` [1/m] bristle stiffness, `sigma1` [s/m] bristle damping,
`sigma2` [s/m] viscosity, each per unit of load. They may be given as forces (N/m, N s/m); they are then divided by
`reference_load`. `damping_velocity` [m/s], when given, lets sigma1 fall off as exp(-(v/v_d)^2). `cap: true` limits bristle
force to mu_static times the load, for impacts.

Memory: one vector z, dimensionless, 0 at the start.

Cannot: hold for ever. Below break-away it creeps while the load vibrates; while the load is constant it settles, but with sigma1 = 0, the default, a body
held by it rings on its bristles for a long time and creeps with every swing, as with `dahl`: 1 kg under 10 N and a push of one half of the limit goes
48 um in 300 s, and tolerances must follow the ringing closely for it (88 um with `radau5` at 1e-6, 400 um with `dormand_prince`); give it damping. Use
`elasto_plastic` where drift matters. Velocities below the absolute tolerance of the method (1e-9 m/s by default) are not followed, and
a place that is held may creep at about that speed: 7e-8 m in 100 s with `radau5` at 1e-6, 1e-10 m at 1e-8. No closed minor loops (use `generalised_maxwell_slip`, or `leuven` with a high exponent).
With sigma1 > 0 and mu_static > mu_kinetic it is not passive: in a fast acceleration out of rest the damping term pushes along
while the bristles shorten; a `damping_velocity` of at most 9 mu_kinetic / sigma1 cures it. Otherwise it is passive at constant
load: what it stores is proportional to the load and changes with it without work, as in a worn pin that bounces. The printed
vector form has no bound on a curling path. The printed force form (sigma0 in N/m with g = mu N) reacts to a change of load with
the gain sigma1 |v| / N, which may exceed mu many times, and its rate grows without bound as N goes to zero; the form here is
exactly proportional to the load, and equal to the printed one at the reference load.

Reference: C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of systems with friction, IEEE
Trans. Automatic Control 40 (1995), doi:10.1109/9.376053.
*/
struct LuGre {
  enum class VectorForm { isotropic, printed, scalar };
  SlipCurve curve;
  double sigma0 = 1e5;                  // [1/m]
  double sigma1 = 0;                    // [s/m]
  double sigma2 = 0;                    // [s/m]
  double damping_velocity = kInfinity;  // [m/s]
  VectorForm vector_form = VectorForm::isotropic;
  bool cap = false;
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    curve.visit_stribeck(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "bristle stiffness over load");
    v.per_load("sigma1", sigma1, unit::second_per_metre, non_negative, "bristle damping over load");
    v.per_load("sigma2", sigma2, unit::second_per_metre, non_negative, "viscosity over load");
    v("damping_velocity", damping_velocity, unit::metre_per_second, positive,
      "speed over which sigma1 fades; infinite: constant");
    v.choice_of("vector_form", vector_form, {"isotropic", "printed", "scalar"}, "how a deflection across the slip relaxes");
    v.flag("cap", cap, "limit the bristle force to mu_static times the load");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }
  void prepare() {
    curve.prepare();
    gain_ = sigma0 / curve.mu_kinetic;
    flat_ = {curve.mu_kinetic, gain_, sigma1, sigma2, curve.fall()};
    is_flat_ = vector_form == VectorForm::isotropic && !cap && damping_velocity == kInfinity && curve.falls_simply();
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double*, Vec<D, T>& F, T* zdot) const {
    using std::exp;
    if (is_flat_) {
      flat_.eval(p, flat_.curve(p), z, F, zdot);
      return;
    }
    const double gain = gain_ > 0 ? gain_ : sigma0 / curve.mu_kinetic;
    const T speed = norm(p.slip);
    const T pull = speed / curve.shape(speed);
    T damping = T(sigma1);
    if (damping_velocity < kInfinity) {
      const T r = speed / damping_velocity;
      damping = sigma1 * exp(-(r * r));
    }
    if (vector_form == VectorForm::scalar) {
      eval_scalar(p, z, curve.shape(speed), damping, F, zdot);
      return;
    }
    Vec<D, T> e;  // printed form: direction of the slip
    T along = T(0);
    if (D > 1 && vector_form == VectorForm::printed) {
      e = direction(p.slip);
      for (int d = 0; d < D; ++d) along += z[d] * e[d];
    }
    for (int d = 0; d < D; ++d) {
      const T relaxing = (D > 1 && vector_form == VectorForm::printed) ? along * e[d] : z[d];
      const T rate = p.slip[d] - pull * relaxing;
      zdot[d] = gain * rate;
      F[d] = curve.mu_kinetic * z[d] + damping * rate;
    }
    press(p, F);
  }
  static constexpr double kTurning = 1e-2;  ///< of the Stribeck velocity: slips that small do not turn the force at once
  /// One deflection, z[0], along the slip.
  template <int D, class T>
  void eval_scalar(const Patch<D, T>& p, const T* z, const T& shape, const T& damping, Vec<D, T>& F, T* zdot) const {
    const double gain = gain_ > 0 ? gain_ : sigma0 / curve.mu_kinetic;
    using std::sqrt;
    const double small = kTurning * curve.stribeck_velocity;
    const T square = dot(p.slip, p.slip), size = sqrt(square + small * small);
    const T along = square / size,
            rate = along - along / shape * z[0];  // along what the force resists: it stores no more than it takes
    for (int d = 0; d < D; ++d) {
      F[d] = (curve.mu_kinetic * z[0] + damping * rate) * (p.slip[d] / size);
      zdot[d] = d == 0 ? gain * rate : T(0);
    }
    press(p, F);
  }
  /// From the force of the bristles per load to that of the place.
  template <int D, class T>
  void press(const Patch<D, T>& p, Vec<D, T>& F) const {
    if (cap) {
      const T size = norm(F);
      if (size > curve.mu_static) {
        for (int d = 0; d < D; ++d) F[d] = F[d] * (curve.mu_static / size);
      }
    }
    for (int d = 0; d < D; ++d) F[d] = p.load * (F[d] + sigma2 * p.slip[d]);
  }
  /// The common form, free of questions, in two parts: the curve, which takes most of the time, and the rest. A row of places may have
  /// all its curves first.
  template <class R>
  struct Flat {
    R mu_kinetic, gain, sigma1, sigma2;
    GaussianFall<R> fall;
    template <int D, class T>
    T curve(const Patch<D, T>& p) const {
      return fall(norm(p.slip));
    }
    template <int D, class T>
    void eval(const Patch<D, T>& p, const T& shape, const T* z, Vec<D, T>& F, T* zdot) const {
      const T relaxation = norm(p.slip) / shape;
      for (int d = 0; d < D; ++d) {
        const T rate = p.slip[d] - relaxation * z[d];
        zdot[d] = gain * rate;
        F[d] = p.load * (mu_kinetic * z[d] + sigma1 * rate + sigma2 * p.slip[d]);
      }
    }
  };
  bool is_flat() const { return is_flat_; }
  const Flat<double>& flat() const { return flat_; }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    double square = 0;
    for (int d = 0; d < D; ++d) square += z[d] * z[d];
    return 0.5 * p.load * curve.mu_kinetic * curve.mu_kinetic / sigma0 * square;
  }
  double largest_stretch() const { return vector_form == VectorForm::isotropic ? curve.mu_static / curve.mu_kinetic : 0; }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return vector_form == VectorForm::scalar ? 0 : curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    if (D > 1 && vector_form == VectorForm::printed && !cap) return kInfinity;
    const double most = curve.mu_static / curve.mu_kinetic;
    return p.load * (curve.mu_static + norm(p.slip) * (sigma1 * (1 + most) + sigma2));
  }
  double reach() const { return vector_form == VectorForm::printed ? kInfinity : 1 + curve.mu_static / curve.mu_kinetic; }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < curve.stribeck_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    const double speed = norm(p.slip);
    // the second: Omega of "Modeling Friction Phenomena in Flexible Multibody Dynamics", eq. 27, whatever the static coefficient
    return {sigma0 * speed / curve.dry(speed), curve.stribeck_velocity, sigma0 * curve.stribeck_velocity / curve.mu_kinetic};
  }

  double gain_ = 0;  // [1/m] rate of z per slip; see prepare
  Flat<double> flat_{0, 0, 0, 0, {0, 0}};
  bool is_flat_ = false;  // isotropic, constant damping, simple fall, no cap
};

}  // namespace bristle
