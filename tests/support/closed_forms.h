#pragma once
// Motions that are known exactly: what a simulation of rigid bodies is measured by. None of it uses the engine.
#include <array>
#include <functional>

namespace bristle::test {

// ---- elliptic functions --------------------------------------------------------------------------------------------------

/// Modulus k in [0, 1] with its complement sqrt(1 - k^2): near one the complement has the digits.
struct Modulus {
  double k = 0, complement = 1;
  Modulus() = default;
  Modulus(double modulus);  // NOLINT: a plain number is a modulus
  Modulus(double modulus, double its_complement) : k(modulus), complement(its_complement) {}
};
/// Jacobi's sn, cn, dn and the amplitude am at u, by the arithmetic-geometric mean.
/// am grows without bound with u (sn = sin am).
struct Jacobi {
  double sn, cn, dn, am;
};
Jacobi jacobi(double u, const Modulus& k);
/// Complete integral of the first kind K(k), k below one.
double complete_k(const Modulus& k);
/// Incomplete integral F(phi, k) for any phi; for k = 1 only |phi| < pi/2.
double incomplete_f(double phi, const Modulus& k);
/// Integral of a smooth function by Gauss's rule with 20 points on each of so many panels.
double quadrature(const std::function<double(double)>& f, double from, double to, int panels);

using Triple = std::array<double, 3>;
/// Rows of a rotation matrix: body to world.
using Matrix33 = std::array<Triple, 3>;

// ---- pendulum ------------------------------------------------------------------------------------------------------------

/// theta'' = -w^2 sin(theta), theta from the hanging position: a pendulum of any amplitude, also one that goes round.
/// For a point mass w^2 = g/l, for a rigid body w^2 = m g s / J.
/// Cannot sit on the separatrix (released so that it just reaches the top).
class Pendulum {
 public:
  Pendulum(double w, double angle, double rate);
  /// Released from rest at an amplitude in (0, pi).
  static Pendulum released(double w, double amplitude) { return {w, amplitude, 0}; }
  double angle(double t) const;  ///< [rad], continuous also when it goes round
  double rate(double t) const;   ///< [rad/s]
  double period() const;         ///< [s] of a swing there and back, or of one turn
  bool rotates() const { return rotates_; }

 private:
  double w_, phase_ = 0, sign_ = 1;
  Modulus k_;
  bool rotates_ = false;
};

// ---- free rigid body -----------------------------------------------------------------------------------------------------

/// A rigid body without torque, three different principal inertias (Euler, Jacobi; Landau and Lifshitz, "Mechanics", section 37).
/// Body rates by elliptic functions in both cases (turning about the axis of largest or of smallest inertia) and on the
/// separatrix; the attitude from the fixed angular momentum and a quadrature of the precession about it (about 1e-14 per turn).
class FreeBody {
 public:
  /// Principal inertias, rates in body axes and attitude (body to world) at t = 0.
  FreeBody(Triple inertia, Triple spin, Matrix33 attitude = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  Triple spin(double t) const;        ///< body axes [rad/s]
  Matrix33 attitude(double t) const;  ///< body to world
  double energy() const { return 0.5 * twice_energy_; }
  Triple momentum() const;  ///< world axes, constant
  double period() const;    ///< [s] after which the body rates repeat

 private:
  struct Angles {
    double precession, nutation, spin;
  };
  Triple principal_spin(double t) const;
  Angles angles(double t) const;
  double precession(double t) const;
  std::array<int, 3> axis_{};  // which body axis plays the part of 1, 2, 3; axis 3 is never left
  Triple axis_sign_{1, 1, 1};  // keeps the axes right-handed
  Triple inertia_{}, amplitude_{};
  double twice_energy_ = 0, momentum_ = 0, speed_ = 0, phase_ = 0, sign2_ = 1, sign3_ = 1;
  Modulus k_;
  Matrix33 home_{};     // frame of the momentum to the world
  bool plain_ = false;  // turns about a principal axis for ever
};

// ---- heavy symmetric top -------------------------------------------------------------------------------------------------

/// Lagrange's top: symmetric body turning about a fixed point under gravity. Angles phi (precession), theta (from the upward
/// vertical), psi (spin), axes 3-1-3. cos(theta) by Jacobi's sn, phi and psi by quadrature.
class HeavyTop {
 public:
  struct Data {
    double inertia_across;  ///< about any axis across the top through the fixed point [kg m^2]
    double inertia_along;   ///< about the axis of the top [kg m^2]
    double weight_moment;   ///< m g l [N m]
  };
  struct Start {
    double theta, theta_rate, phi_rate, spin;  ///< spin: the body rate about its axis, psi' + phi' cos(theta)
    double phi = 0, psi = 0;
  };
  HeavyTop(const Data& data, const Start& start);
  double theta(double t) const;
  double theta_rate(double t) const;
  double phi(double t) const;
  double phi_rate(double t) const;
  double psi(double t) const;
  double nutation_period() const;
  double lowest() const;   ///< largest theta
  double highest() const;  ///< smallest theta
  Matrix33 attitude(double t) const;
  /// Precession rates [slow, fast] that go on for ever at a constant theta; NaN where the spin is too small.
  static std::array<double, 2> steady_precession(const Data& data, double theta, double spin);

 private:
  double u(double t) const;
  double integral(const std::function<double(double)>& of_u, double t) const;
  double a_, b_, beta_, spin_, phi0_, psi0_;
  double u1_, u2_, u3_, speed_, phase_;
  Modulus k_;
};

// ---- friction on a slope, rolling ----------------------------------------------------------------------------------------

/// A block on an incline with Coulomb friction, mu_static >= mu_kinetic; place s and speed v count up the slope.
struct SlopeSlider {
  double slope, mu_static, mu_kinetic, g = 9.81, speed = 0;  // slope [rad]; speed at t = 0
  enum class Mode { sticks, slides };
  struct At {
    double place, speed, acceleration;
    Mode mode;
  };
  At at(double t) const;
  /// When and where it first comes to rest; infinite when it never does.
  double stop_time() const;
  double stop_place() const;
  bool holds() const;  ///< stays where it stopped
};

/// A round body (inertia = kappa m r^2: ring 1, disc 1/2, ball 2/5) that rolls.
struct Roller {
  double kappa = 0.5, mass = 1, radius = 1, g = 9.81;
  double kinetic(double speed) const { return 0.5 * mass * speed * speed * (1 + kappa); }
  double translation_share() const { return 1 / (1 + kappa); }
  double acceleration_down(double slope) const;
  double friction_needed(double slope) const;  ///< smallest mu_static that rolls without slip
  /// Thrown over a level plane without spin: when slip ends, speed from then on, energy lost to friction.
  double slip_time(double speed, double mu) const { return speed * kappa / (mu * g * (1 + kappa)); }
  double rolling_speed(double speed) const { return speed / (1 + kappa); }
  double slip_loss(double speed) const { return 0.5 * mass * speed * speed * kappa / (1 + kappa); }
  /// Distance that the contact point slips until it rolls.
  double slip_distance(double speed, double mu) const { return 0.5 * speed * slip_time(speed, mu); }
  /// A thin disc rolling on a level circle, its centre at rest on the axis of the circle's cone: with its plane tilted by `tilt`
  /// from the ground, this is the rate at which the contact point goes round (kappa is the inertia about the axle,
  /// kappa / 2 about a diameter).
  double wobble_rate(double tilt) const;
};

// ---- published problems --------------------------------------------------------------------------------------------------

/// "Simple pendulum", problem of the IFToMM library of computational benchmark problems: a point of 1 kg on a massless bar of 1 m,
/// released at rest from the horizontal position, gravity 9.81 along -y. The first version of the library starts at x = +1 and asks for 2000 s
/// with the position within 1e-1 (low precision) or 1e-3 (high precision); later runs ("MBS Benchmarks in OpenSim") start at x = -1 and last 10 s.
struct SimplePendulumProblem {
  static constexpr double mass = 1, length = 1, g = 9.81, end = 10, long_end = 2000, side = -1;
  static std::array<double, 2> position(double t);
  static std::array<double, 2> velocity(double t);
};

/// "N-four-bar mechanism", IFToMM library (an extension of the double four-bar of Bayo and Avello, "Singularity-free augmented Lagrangian
/// algorithms for constrained multibody dynamics", 1994): N square windows of 2 N + 1 rods of 1 kg and 1 m; N + 1 rods A_i B_i stand
/// upright, N rods B_(i-1) B_i lie on top; gravity 9.81 along -y; B_0 starts with 1 m/s along +x. Library runs: N = 40 for 20 s (first version),
/// N = 2 for 10 s (later). Accepted there: position of B_0 within 1e-1 (low) or 1e-3 (high precision) of the reference.
/// Where the rods are level the constraints lose rank: 1 freedom becomes N + 1. A mechanism that stays a parallelogram is a pendulum
/// that goes round, so the reference is exact.
struct FourBarProblem {
  int windows = 2;
  static constexpr double mass = 1, length = 1, g = 9.81, speed = 1;
  Pendulum pendulum() const;  ///< its angle is that of the rods A B from the downward vertical
  std::array<double, 2> b0(double t) const;
  std::array<double, 2> b0_velocity(double t) const;
  double energy() const;  ///< kinetic and potential (zero at the height of the ground pins)
};
/// B_0 of N = 2 at 10 s as computed by Exudyn (model "double four-bar mechanism according to IFToMM benchmarks") at a step of 0.125 ms.
struct FourBarPublished {
  static constexpr double x = 0.3284573768, y = 0.9445187937, vx = 1.423050003, vy = -0.4948670827;
};

/// "Bricard mechanism", IFToMM library: five rods of 1 kg, 1 m, square section 0.1 m, and six revolute joints on the
/// edges of a cube; gravity 9.81 along -y; released at rest; 10 s; the result is the path of P_3. Always one redundant constraint.
/// Rod i joins points i and i + 1; joint i is at point i. The library publishes its solution as a plot; the numbers of P_3 here are those of
/// BricardMechanism in reference_mechanisms.h (one coordinate), with which Simbody agrees to 1e-11.
struct BricardProblem {
  static constexpr double mass = 1, length = 1, section = 0.1, g = 9.81, end = 10;
  static constexpr std::array<Triple, 6> points{{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}};
  static constexpr std::array<Triple, 6> axes{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  struct Point {
    double t;
    Triple p3;
  };
  static constexpr std::array<Point, 5> solution{{{0.5, {0.9682836791, -1.2246251594, 0.7501466094}},
                                                  {1.0, {0.5105014612, -1.6491675994, 0.1401231146}},
                                                  {2.0, {-0.9693403448, -1.2212468950, 0.7542780108}},
                                                  {5.0, {0.9999999977, -1.0000672577, 0.9999327400}},
                                                  {10.0, {0.9999999638, -1.0002690127, 0.9997309511}}}};
};

}  // namespace bristle::test
