#pragma once
// Mechanisms in minimal coordinates, written by hand and integrated to round-off: what a simulation with joints and constraints is
// measured by. None of it uses the engine.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace bristle::test {

/// y' = f(t, y) from t0 to t1 by extrapolation of the modified midpoint rule (Gragg, Bulirsch, Stoer; order 16) with step control.
/// What is extrapolated are increments, so that round-off stays near one unit per step.
template <class Rate>
void integrate_tightly(const Rate& rate, double t0, double t1, std::vector<double>& y, double tolerance = 1e-13) {
  constexpr int kColumns = 8;
  const std::size_t n = y.size();
  std::vector<double> slope(n), before(n), now(n), next(n), at(n), change(n);
  std::vector<std::vector<double>> table(kColumns, std::vector<double>(n));
  double t = t0, h = t1 - t0;
  while ((t1 - t) * (t1 - t0) > 0) {
    if ((t + 1.0000001 * h - t1) * (t1 - t0) > 0) h = t1 - t;
    rate(t, y.data(), slope.data());
    double error = 0;
    for (int k = 0; k < kColumns; ++k) {
      const int parts = 2 * (k + 1);
      const double part = h / parts;
      for (std::size_t i = 0; i < n; ++i) before[i] = 0, now[i] = part * slope[i];
      for (int m = 1; m <= parts; ++m) {
        for (std::size_t i = 0; i < n; ++i) at[i] = y[i] + now[i];
        rate(t + m * part, at.data(), change.data());
        if (m == parts) break;
        for (std::size_t i = 0; i < n; ++i) next[i] = before[i] + 2 * part * change[i];
        std::swap(before, now), std::swap(now, next);
      }
      // Gragg's smoothing, then Neville towards a step of zero
      std::vector<double> fresh(n);
      for (std::size_t i = 0; i < n; ++i) fresh[i] = 0.5 * (now[i] + before[i] + part * change[i]);
      for (int j = 0; j < k; ++j) {
        const double ratio = static_cast<double>(parts) / (2 * (k - j));
        for (std::size_t i = 0; i < n; ++i) {
          const double better = fresh[i] + (fresh[i] - table[static_cast<std::size_t>(j)][i]) / (ratio * ratio - 1);
          table[static_cast<std::size_t>(j)][i] = fresh[i];
          fresh[i] = better;
        }
      }
      table[static_cast<std::size_t>(k)] = fresh;
    }
    const std::vector<double>& best = table[kColumns - 1];
    for (std::size_t i = 0; i < n; ++i) {
      const double e = std::abs(best[i] - table[kColumns - 2][i]) / (1 + std::max(std::abs(y[i]), std::abs(best[i])));
      error = e <= 1 ? std::max(error, e) : 1;  // also for what is not a number
      if (error == 1) break;
    }
    const double factor = std::clamp(0.8 * std::pow(tolerance / std::max(error, 1e-18), 1.0 / 15), 0.2, 3.0);
    if (error <= tolerance) {
      for (std::size_t i = 0; i < n; ++i) y[i] += best[i];
      t = std::abs(t + h - t1) <= 1e-15 * std::abs(t1) ? t1 : t + h;
    }
    h *= factor;
  }
}

// ---- one coordinate ------------------------------------------------------------------------------------------------------

/// A number with its first and second derivative in one variable.
struct Jet {
  double v = 0, d = 0, dd = 0;
  Jet() = default;
  Jet(double value, double first = 0, double second = 0) : v(value), d(first), dd(second) {}  // NOLINT: numbers are constants
};
Jet operator+(const Jet& a, const Jet& b);
Jet operator-(const Jet& a, const Jet& b);
Jet operator-(const Jet& a);
Jet operator*(const Jet& a, const Jet& b);
Jet operator/(const Jet& a, const Jet& b);
Jet sqrt(const Jet& a);
Jet sin(const Jet& a);
Jet cos(const Jet& a);

/// A rigid body whose place and attitude are functions of one coordinate s.
struct BodyOfOne {
  double mass = 0;
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();  ///< principal, in body axes
  std::array<Jet, 3> place{};                         ///< of the centre of mass
  std::array<std::array<Jet, 3>, 3> attitude{};       ///< body to world, rows
};
/// How a body moves with s: first and second derivatives of its place, rotation vectors per unit of s.
struct BodyPath {
  double mass;
  Eigen::Vector3d inertia, place, d, dd, w, dw;
  Eigen::Matrix3d attitude;
};
/// What a body does at a moment.
struct BodyMotion {
  Eigen::Vector3d place, velocity, acceleration, spin, spin_rate;  ///< world axes
  Eigen::Matrix3d attitude;
};

/// Any mechanism with one degree of freedom and ideal joints under gravity: its bodies as functions of s, the equation of motion by
/// projecting Newton's and Euler's onto the motion, M(s) s'' + C(s) s'^2 = Q(s).
class OneFreedom {
 public:
  using Bodies = std::function<std::vector<BodyOfOne>(const Jet& s)>;
  OneFreedom(Bodies bodies, Eigen::Vector3d gravity) : bodies_(std::move(bodies)), gravity_(gravity) {}
  struct Terms {
    double mass, centrifugal, load, potential;
  };
  Terms terms(double s) const;
  std::vector<BodyPath> paths(double s) const;
  double acceleration(double s, double rate) const;
  double energy(double s, double rate) const;
  std::vector<BodyMotion> motion(double s, double rate) const;
  struct State {
    double t = 0, s = 0, rate = 0;
  };
  /// States at increasing times from a start, each to about 1e-13.
  std::vector<State> run(State start, const std::vector<double>& times, double tolerance = 1e-14) const;

 private:
  Bodies bodies_;
  Eigen::Vector3d gravity_;
};

// ---- spatial slider-crank ------------------------------------------------------------------------------------------------

/// The spatial slider-crank of the dissertation "Frictional Contacts in Multibody Dynamics" (University of Minho, 2015),
/// tables 2.1 and 2.2: crank on a revolute joint about y at the origin, rod on a spherical joint at the pin, slider on a universal joint at
/// the rod's end, guided along y at x = 0, z = -0.15. Coordinate: crank angle about y, 0 with the pin on top (+z).
struct SpatialSliderCrank {
  double crank_length = 0.10, rod_length = 0.29, guide_z = -0.15, g = 9.81;
  double crank_mass = 0.12, rod_mass = 0.5, slider_mass = 0.5;
  Eigen::Vector3d crank_inertia{1e-4, 1e-4, 1e-5}, rod_inertia{4e-3, 4e-4, 4e-3}, slider_inertia{1e-4, 1e-4, 1e-4};
  double start_rate = -6.283185307179586;  ///< crank rate about y [rad/s]
  /// Axes of the cross of the universal joint, which the source does not print; the second one gives its table of starting rates.
  enum class Cross {
    natural,     ///< slider: x axis, rod: zeta axis
    rod_axis,    ///< rod: xi axis, slider: (0, 0.697000, 0.717072)
    tilted_rod,  ///< slider: x axis, rod: (0, -0.2650, 0.9643)
  };
  Cross cross = Cross::rod_axis;
  Eigen::Vector3d slider_axis() const;  ///< of the cross, unit, slider axes (= world)
  Eigen::Vector3d rod_axis() const;     ///< of the cross, unit, rod axes
  OneFreedom mechanism() const;         ///< bodies: crank, rod, slider
  struct Sample {
    double t, angle, rate, y, y_rate, y_acceleration;
  };
  std::vector<Sample> run(const std::vector<double>& times) const;
};

/// The same mechanism whose slider, a cube inside its guide, rubs by a dry law: the friction force is mu(|v|) times
/// |N_x| + |N_z| + (2 / side)(|M_x| + |M_y| + |M_z|) of the guide's reactions, and the friction on the faces has a moment.
/// Reactions and acceleration from Newton and Euler for rod and slider together, changes of direction located.
struct RubbingSliderCrank {
  SpatialSliderCrank mechanism;
  std::function<double(double)> mu = [](double) { return 0.1; };  ///< of the speed of the slider
  double side = 0.01;
  bool inner = true;    ///< the slider is inside the guide; else around it: the moment of the friction is opposite
  bool moments = true;  ///< moments of the guide press on its faces, too
  struct Balance {
    double acceleration;            ///< of the crank [rad/s^2]
    Eigen::Vector3d force, moment;  ///< of the guide on the slider, without friction
    double friction;                ///< along y, on the slider [N]
  };
  /// With friction against the direction (+1: slider moves along +y, 0: none).
  Balance balance(double angle, double rate, int direction) const;
  struct Sample {
    double t, angle, rate, y, y_rate, y_acceleration, energy, friction;
  };
  /// When the slider changes direction: at a dead centre, or where the crank itself comes to rest and turns back (or stays).
  struct Turn {
    enum class Kind { dead_centre, crank_reversal, rest };
    Kind kind;
    double t, angle, acceleration_before, acceleration_after, friction_before, friction_after;  ///< accelerations of the slider
  };
  struct Run {
    std::vector<Sample> samples;
    std::vector<Turn> turns;
  };
  Run run(const std::vector<double>& times, double tolerance = 1e-12) const;
};

// ---- planar slider-crank -------------------------------------------------------------------------------------------------

/// Slider-crank in the plane x-y: crank about z at the origin, uniform rods, slider along x, gravity along -y.
/// Coordinate: crank angle from the x axis.
struct PlanarSliderCrank {
  double crank_length = 0.1, rod_length = 0.29, g = 9.81;
  double crank_mass = 0.12, rod_mass = 0.5, slider_mass = 0.5;
  double start_angle = 1.5707963267948966, start_rate = -6.283185307179586;
  double crank_inertia() const { return crank_mass * crank_length * crank_length / 12; }  ///< about its centre
  double rod_inertia() const { return rod_mass * rod_length * rod_length / 12; }
  OneFreedom mechanism() const;  ///< bodies: crank, rod, slider
  struct Sample {
    double t, angle, rate, x, x_rate, x_acceleration;
  };
  std::vector<Sample> run(const std::vector<double>& times) const;
};

// ---- Bricard -------------------------------------------------------------------------------------------------------------

/// The Bricard mechanism of the IFToMM library (BricardProblem in closed_forms.h): threefold symmetric, joint angles a and b in turn
/// with (1 + cos a)(1 + cos b) = 1, so that tan(a/2) = sqrt(3) sin s, tan(b/2) = sqrt(3) cos s / sqrt(1 + 3 sin^2 s).
struct BricardMechanism {
  double mass = 1, length = 1, section = 0.1, g = 9.81;  ///< section 0: thin rods
  OneFreedom mechanism() const;                          ///< bodies: the five rods
  static double start();                                 ///< s of the cube
  static std::array<double, 2> angles(double s);         ///< a, b
  /// How far the chain of six joints is from being closed at s: place and axis.
  double gap(double s) const;
  std::array<Eigen::Vector3d, 6> points(double s) const;
  struct Sample {
    double t, s, rate;
    Eigen::Vector3d p3;
  };
  std::vector<Sample> run(const std::vector<double>& times) const;
};

// ---- chain of rods -------------------------------------------------------------------------------------------------------

/// n equal uniform rods in a vertical plane, pinned to each other and the first one to the ground; angles from the x axis (horizontal),
/// gravity along -y. Accelerations twice: with the full mass matrix, and in O(n) from the forces in the pins.
struct Chain {
  int links = 10;
  double mass = 1, length = 1, g = 9.81;
  void accelerations_dense(const double* angle, const double* rate, double* acceleration) const;
  void accelerations(const double* angle, const double* rate, double* acceleration) const;
  double energy(const double* angle, const double* rate) const;  ///< potential zero at the height of the ground pin
  struct State {
    double t = 0;
    std::vector<double> angle, rate;
  };
  State horizontal() const;
  State advance(const State& from, double to, double tolerance = 1e-13) const;
  /// End of the last rod.
  Eigen::Vector2d tip(const State& x) const;
};

}  // namespace bristle::test
