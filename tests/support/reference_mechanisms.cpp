#include "reference_mechanisms.h"

#include <array>
#include <numbers>

namespace bristle::test {

// ---- jets ----------------------------------------------------------------------------------------------------------------

Jet operator+(const Jet& a, const Jet& b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
Jet operator-(const Jet& a, const Jet& b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
Jet operator-(const Jet& a) { return {-a.v, -a.d, -a.dd}; }
Jet operator*(const Jet& a, const Jet& b) { return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd}; }
Jet operator/(const Jet& a, const Jet& b) {
  const double q = a.v / b.v, d = (a.d - q * b.d) / b.v;
  return {q, d, (a.dd - 2 * d * b.d - q * b.dd) / b.v};
}
Jet sqrt(const Jet& a) {
  const double r = std::sqrt(a.v), d = 0.5 * a.d / r;
  return {r, d, (0.5 * a.dd - d * d) / r};
}
Jet sin(const Jet& a) {
  const double s = std::sin(a.v), c = std::cos(a.v);
  return {s, c * a.d, c * a.dd - s * a.d * a.d};
}
Jet cos(const Jet& a) {
  const double s = std::sin(a.v), c = std::cos(a.v);
  return {c, -s * a.d, -s * a.dd - c * a.d * a.d};
}

namespace {

using Point = std::array<Jet, 3>;
using Turn = std::array<Point, 3>;

Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator*(const Jet& a, const Point& b) { return {a * b[0], a * b[1], a * b[2]}; }
Jet dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point unit(const Point& a) { return (1.0 / sqrt(dot(a, a))) * a; }
/// A rotation with these columns.
Turn columns(const Point& x, const Point& y, const Point& z) {
  return {{{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}}};
}
Turn about(int axis, const Jet& angle) {
  const Jet c = cos(angle), s = sin(angle);
  if (axis == 0) return {{{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}}};
  if (axis == 1) return {{{c, 0.0, s}, {0.0, 1.0, 0.0}, {-s, 0.0, c}}};
  return {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}
Turn operator*(const Turn& a, const Turn& b) {
  Turn c;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  }
  return c;
}
Point operator*(const Turn& a, const Point& b) { return {dot(a[0], b), dot(a[1], b), dot(a[2], b)}; }
Turn unturned() { return {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}; }

/// Derivative of a given order as plain numbers.
template <double Jet::*Part>
Eigen::Vector3d part(const Point& p) {
  return {p[0].*Part, p[1].*Part, p[2].*Part};
}
template <double Jet::*Part>
Eigen::Matrix3d part(const Turn& r) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = r[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].*Part;
  }
  return m;
}
Eigen::Vector3d axis_of(const Eigen::Matrix3d& skew) {
  return 0.5 * Eigen::Vector3d(skew(2, 1) - skew(1, 2), skew(0, 2) - skew(2, 0), skew(1, 0) - skew(0, 1));
}

}  // namespace

std::vector<BodyPath> OneFreedom::paths(double s) const {
  std::vector<BodyPath> out;
  for (const BodyOfOne& b : bodies_(Jet(s, 1))) {
    // w = dR/ds R^T and its derivative
    const Eigen::Matrix3d R = part<&Jet::v>(b.attitude), D = part<&Jet::d>(b.attitude), DD = part<&Jet::dd>(b.attitude);
    const Eigen::Vector3d w = axis_of(D * R.transpose()), dw = axis_of(DD * R.transpose() + D * D.transpose());
    out.push_back({b.mass, b.inertia, part<&Jet::v>(b.place), part<&Jet::d>(b.place), part<&Jet::dd>(b.place), w, dw, R});
  }
  return out;
}
OneFreedom::Terms OneFreedom::terms(double s) const {
  Terms t{};
  for (const BodyPath& b : paths(s)) {
    const Eigen::Vector3d momentum = b.attitude * b.inertia.cwiseProduct(b.attitude.transpose() * b.w);
    t.mass += b.mass * b.d.squaredNorm() + b.w.dot(momentum);
    // the gyroscopic moment w x J w does no work on w
    t.centrifugal += b.mass * b.d.dot(b.dd) + b.dw.dot(momentum);
    t.load += b.mass * gravity_.dot(b.d);
    t.potential -= b.mass * gravity_.dot(b.place);
  }
  return t;
}
double OneFreedom::acceleration(double s, double rate) const {
  const Terms t = terms(s);
  return (t.load - t.centrifugal * rate * rate) / t.mass;
}
double OneFreedom::energy(double s, double rate) const {
  const Terms t = terms(s);
  return 0.5 * t.mass * rate * rate + t.potential;
}
std::vector<BodyMotion> OneFreedom::motion(double s, double rate) const {
  const double a = acceleration(s, rate), q = rate * rate;
  std::vector<BodyMotion> out;
  for (const BodyPath& b : paths(s))
    out.push_back({b.place, b.d * rate, b.d * a + b.dd * q, b.w * rate, b.w * a + b.dw * q, b.attitude});
  return out;
}
std::vector<OneFreedom::State> OneFreedom::run(State start, const std::vector<double>& times, double tolerance) const {
  std::vector<State> out;
  std::vector<double> y = {start.s, start.rate};
  double t = start.t;
  for (const double to : times) {
    integrate_tightly(
        [&](double, const double* x, double* dx) {
          dx[0] = x[1];
          dx[1] = acceleration(x[0], x[1]);
        },
        t, to, y, tolerance);
    t = to;
    out.push_back({t, y[0], y[1]});
  }
  return out;
}

// ---- spatial slider-crank ------------------------------------------------------------------------------------------------

Eigen::Vector3d SpatialSliderCrank::slider_axis() const {
  return cross == Cross::rod_axis ? Eigen::Vector3d(0, 0.697000, 0.717072).normalized() : Eigen::Vector3d(1, 0, 0);
}
Eigen::Vector3d SpatialSliderCrank::rod_axis() const {
  switch (cross) {
    case Cross::natural: return {0, 0, 1};
    case Cross::rod_axis: return {1, 0, 0};
    case Cross::tilted_rod: break;
  }
  return Eigen::Vector3d(0, -0.2650, 0.9643).normalized();
}
OneFreedom SpatialSliderCrank::mechanism() const {
  const SpatialSliderCrank m = *this;
  return OneFreedom(
      [m](const Jet& s) {
        const Turn crank = about(1, s);
        const Point pin = m.crank_length * (crank * Point{0.0, 0.0, 1.0});
        // the slider is where the rod reaches its line
        const Jet across = pin[2] - m.guide_z;
        const Point slider = {0.0, sqrt(m.rod_length * m.rod_length - pin[0] * pin[0] - across * across), m.guide_z};
        // the rod's eta axis runs from pin to slider; the cross fixes its spin
        const Point eta = (1 / m.rod_length) * (slider - pin);
        const Eigen::Vector3d h = m.slider_axis(), k = m.rod_axis();
        const Point axis = {h.x(), h.y(), h.z()};
        Point xi, zeta;
        if (m.cross == Cross::rod_axis) {
          xi = unit(test::cross(eta, axis));
          zeta = test::cross(xi, eta);
        } else {
          // zeta is perpendicular to eta, and k = k_eta eta + k_zeta zeta to the slider's axis
          const Jet along = dot(axis, eta);
          const Point left = unit(axis - along * eta), up = test::cross(left, eta);
          const Jet c = -(k.y() / k.z()) * along / dot(left, axis);
          zeta = c * left + sqrt(1.0 - c * c) * up;
          xi = test::cross(eta, zeta);
        }
        return std::vector<BodyOfOne>{{m.crank_mass, m.crank_inertia, 0.5 * pin, crank},
                                      {m.rod_mass, m.rod_inertia, 0.5 * (pin + slider), columns(xi, eta, zeta)},
                                      {m.slider_mass, m.slider_inertia, slider, unturned()}};
      },
      Eigen::Vector3d(0, 0, -g));
}
std::vector<SpatialSliderCrank::Sample> SpatialSliderCrank::run(const std::vector<double>& times) const {
  const OneFreedom m = mechanism();
  std::vector<Sample> out;
  for (const OneFreedom::State& x : m.run({0, 0, start_rate}, times)) {
    const BodyMotion slider = m.motion(x.s, x.rate)[2];
    out.push_back({x.t, x.s, x.rate, slider.place.y(), slider.velocity.y(), slider.acceleration.y()});
  }
  return out;
}

RubbingSliderCrank::Balance RubbingSliderCrank::balance(double angle, double rate, int direction) const {
  const std::vector<BodyPath> paths = mechanism.mechanism().paths(angle);
  const BodyPath &crank = paths[0], &rod = paths[1], &slider = paths[2];
  const double q = rate * rate;
  const Eigen::Vector3d pin = 2 * crank.place, g(0, 0, -mechanism.g);
  const Eigen::Vector3d to_pin = pin - rod.place, to_slider = slider.place - rod.place;
  const Eigen::Vector3d normal = (rod.attitude * mechanism.rod_axis()).cross(mechanism.slider_axis()).normalized();
  const Eigen::Matrix3d J = rod.attitude * mechanism.rod_inertia.asDiagonal() * rod.attitude.transpose();
  const auto skew = [](const Eigen::Vector3d& a) {
    return (Eigen::Matrix3d() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished();
  };
  // unknowns: pin force on the rod, joint force on the slider, joint torque on the slider, guide force x z, guide moment, acceleration
  enum { kPin = 0, kJoint = 3, kTorque = 6, kGuide = 7, kMoment = 9, kAcceleration = 12, kSize = 13 };
  using Matrix = Eigen::Matrix<double, kSize, kSize>;
  using Vector = Eigen::Matrix<double, kSize, 1>;
  const Eigen::Vector3d u(0, 1, 0), across[2] = {{1, 0, 0}, {0, 0, 1}};
  const double speed = slider.d.y() * rate, factor = direction == 0 ? 0 : mu(std::abs(speed));
  Matrix A = Matrix::Zero();
  Vector b = Vector::Zero();
  // rod: m a - P + U = m g with a = d acceleration + dd rate^2
  A.block<3, 3>(0, kPin) = -Eigen::Matrix3d::Identity();
  A.block<3, 3>(0, kJoint) = Eigen::Matrix3d::Identity();
  A.block<3, 1>(0, kAcceleration) = rod.mass * rod.d;
  b.segment<3>(0) = rod.mass * (g - rod.dd * q);
  // rod, moments about its centre
  A.block<3, 3>(3, kPin) = -skew(to_pin);
  A.block<3, 3>(3, kJoint) = skew(to_slider);
  A.block<3, 1>(3, kTorque) = normal;
  A.block<3, 1>(3, kAcceleration) = J * rod.w;
  b.segment<3>(3) = -q * (J * rod.dw + rod.w.cross(J * rod.w));
  // slider
  A.block<3, 3>(6, kJoint) = -Eigen::Matrix3d::Identity();
  for (int k = 0; k < 2; ++k) A.block<3, 1>(6, kGuide + k) = -across[k];
  A.block<3, 1>(6, kAcceleration) = slider.mass * slider.d;
  b.segment<3>(6) = slider.mass * (g - slider.dd * q);
  // slider, moments: it does not turn
  A.block<3, 1>(9, kTorque) = -normal;
  A.block<3, 3>(9, kMoment) = -Eigen::Matrix3d::Identity();
  // friction of a lateral force acts at the face it presses, half a side off
  for (int k = 0; k < 2; ++k)
    A.block<3, 1>(9, kGuide + k) = -(inner ? 1 : -1) * direction * factor * 0.5 * side * across[k].cross(u);
  // crank about its axis
  A.block<1, 3>(12, kPin) = skew(pin).row(1);
  A(12, kAcceleration) =
      mechanism.crank_inertia.y() + 0.25 * mechanism.crank_mass * mechanism.crank_length * mechanism.crank_length;
  b(12) = crank.place.cross(mechanism.crank_mass * g).y();
  // the friction force needs the signs of the reactions: until they agree with the solution
  Eigen::Matrix<double, 5, 1> sign = Eigen::Matrix<double, 5, 1>::Ones();
  Vector x;
  for (int i = 0; i < 64; ++i) {
    Matrix B = A;
    for (int k = 0; k < 2; ++k) B(7, kGuide + k) += direction * factor * sign(k);
    for (int k = 0; k < 3 && moments; ++k) B(7, kMoment + k) += direction * factor * 2 / side * sign(2 + k);
    x = B.partialPivLu().solve(b);
    bool agree = true;
    for (int k = 0; k < 5; ++k) {
      const double s = x(kGuide + k) < 0 ? -1 : 1;
      // a reaction that is zero but for round-off has no sign to agree on
      if (s != sign(k) && std::abs(x(kGuide + k)) > 1e-13) sign(k) = s, agree = false;
    }
    if (agree) break;
  }
  double load = std::abs(x(kGuide)) + std::abs(x(kGuide + 1));
  for (int k = 0; k < 3 && moments; ++k) load += 2 / side * std::abs(x(kMoment + k));
  return {x(kAcceleration), {x(kGuide), 0, x(kGuide + 1)}, x.segment<3>(kMoment), -direction * factor * load};
}

RubbingSliderCrank::Run RubbingSliderCrank::run(const std::vector<double>& times, double tolerance) const {
  const OneFreedom one = mechanism.mechanism();
  // dy/ds changes its sign at the dead centres, s = 0, pi, ...: between two of them and two reversals the direction is constant
  const auto slope = [](double s) { return std::sin(s) > 0 ? 1 : -1; };
  const auto y_acceleration = [&](double s, double w, double a) {
    const BodyPath slider = one.paths(s)[2];
    return slider.d.y() * a + slider.dd.y() * w * w;
  };
  const auto sample = [&](double t, double s, double w, int direction, bool rests) {
    const Balance f = balance(s, w, direction);
    const BodyMotion slider = one.motion(s, w)[2];
    return Sample{t,
                  s,
                  w,
                  slider.place.y(),
                  slider.velocity.y(),
                  rests ? 0 : y_acceleration(s, w, f.acceleration),
                  one.energy(s, w),
                  f.friction};
  };
  Run out;
  double t = 0;
  std::vector<double> x = {0, mechanism.start_rate};
  // sense of the crank, and where the slider goes
  int sense = mechanism.start_rate > 0 ? 1 : -1;
  constexpr double kPi = std::numbers::pi;
  double ahead = sense > 0 ? kPi : -kPi;  // next dead centre
  int direction = sense * slope(0.5 * ahead);
  bool rests = false;
  const auto go = [&](double to) {
    std::vector<double> y = x;
    integrate_tightly(
        [&](double, const double* v, double* d) {
          d[0] = v[1];
          d[1] = balance(v[0], v[1], direction).acceleration;
        },
        t, to, y, tolerance);
    return y;
  };
  // positive while neither the dead centre is passed nor the crank has turned back
  const auto left = [&](const std::vector<double>& v) { return std::min(sense * (ahead - v[0]), sense * v[1]); };
  for (const double time : times) {
    while (!rests && t < time) {
      // in small strides, so that no turn is missed
      const double to = std::min(time, t + 5e-3);
      const std::vector<double> y = go(to);
      if (left(y) > 0) {
        x = y, t = to;
        continue;
      }
      // where it turns: Newton, kept inside
      const bool centre = sense * y[1] > 0;
      double low = t, high = to, place = 0.5 * (low + high);
      std::vector<double> there = x;
      for (int i = 0; i < 100 && high - low > 1e-15 * (1 + high); ++i) {
        there = go(place);
        (left(there) > 0 ? low : high) = place;
        const double step =
            centre ? (ahead - there[0]) / there[1] : -there[1] / balance(there[0], there[1], direction).acceleration;
        if (std::abs(step) < 1e-15 * (1 + place)) break;
        place = place + step > low && place + step < high ? place + step : 0.5 * (low + high);
      }
      x = there, t = place;
      const Balance then = balance(x[0], x[1], direction);
      Turn turn{Turn::Kind::dead_centre, t, x[0], y_acceleration(x[0], x[1], then.acceleration), 0, then.friction, 0};
      if (centre) {
        x[0] = ahead;
        ahead += sense * kPi;
        direction = -direction;
      } else {
        turn.kind = Turn::Kind::crank_reversal;
        x[1] = 0;
        // turns back if the forces overcome friction in the other direction
        const Balance back = balance(x[0], 0, -direction);
        if (sense * back.acceleration < 0) {
          sense = -sense, direction = -direction;
          ahead += sense * kPi;
          x[1] = sense * 1e-12;  // beyond the turn
        } else {
          rests = true;
          turn.kind = Turn::Kind::rest;
        }
      }
      const Balance now = balance(x[0], x[1], rests ? 0 : direction);
      turn.acceleration_after = rests ? 0 : y_acceleration(x[0], x[1], now.acceleration);
      turn.friction_after = now.friction;
      out.turns.push_back(turn);
    }
    t = std::max(t, time);
    out.samples.push_back(sample(t, x[0], x[1], rests ? 0 : direction, rests));
  }
  return out;
}

// ---- planar slider-crank -------------------------------------------------------------------------------------------------

OneFreedom PlanarSliderCrank::mechanism() const {
  const PlanarSliderCrank m = *this;
  return OneFreedom(
      [m](const Jet& s) {
        const Turn crank = about(2, s);
        const Point pin = m.crank_length * (crank * Point{1.0, 0.0, 0.0});
        const Jet reach = sqrt(m.rod_length * m.rod_length - pin[1] * pin[1]);
        const Point slider = {pin[0] + reach, 0.0, 0.0};
        const Point x = (1 / m.rod_length) * (slider - pin), z = {0.0, 0.0, 1.0};
        return std::vector<BodyOfOne>{
            {m.crank_mass, {0, 0, m.crank_inertia()}, 0.5 * pin, crank},
            {m.rod_mass, {0, 0, m.rod_inertia()}, 0.5 * (pin + slider), columns(x, test::cross(z, x), z)},
            {m.slider_mass, {0, 0, 0}, slider, unturned()}};
      },
      Eigen::Vector3d(0, -g, 0));
}
std::vector<PlanarSliderCrank::Sample> PlanarSliderCrank::run(const std::vector<double>& times) const {
  const OneFreedom m = mechanism();
  std::vector<Sample> out;
  for (const OneFreedom::State& x : m.run({0, start_angle, start_rate}, times)) {
    const BodyMotion slider = m.motion(x.s, x.rate)[2];
    out.push_back({x.t, x.s, x.rate, slider.place.x(), slider.velocity.x(), slider.acceleration.x()});
  }
  return out;
}

// ---- Bricard -------------------------------------------------------------------------------------------------------------

namespace {

/// Cosine and sine of twice the angle whose tangent is u.
struct Half {
  Jet c, s;
};
Half from_half(const Jet& u) {
  const Jet q = 1.0 + u * u;
  return {(1.0 - u * u) / q, 2.0 * u / q};
}
struct BricardPose {
  std::array<Point, 7> points;  // the seventh is the ground pin again when the chain is closed
  std::array<Turn, 6> frames;   // of rods 0..4 and of the ground reached through the chain; x along the rod
};
/// Rods along x, one after the other: at each joint the next rod is turned by the joint angle about the axis of the joint, which is across both rods.
BricardPose bricard_pose(const BricardMechanism& m, const Jet& s) {
  const Jet root = std::sqrt(3.0);
  const Half a = from_half(root * sin(s)), b = from_half(root * cos(s) / sqrt(1.0 + 3.0 * sin(s) * sin(s)));
  BricardPose p;
  // the last rod is the ground, from (0, 0, 1) to the origin; its joint axis at the end is y, at its start x
  Turn frame = columns({0.0, 0.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0});
  Point at = {0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < 6; ++i) {
    // the axis at the end of a rod is its z, the one at its start its y; a quarter of a turn between them, to and fro
    const Half& angle = i % 2 == 0 ? a : b;
    const double sense = i % 2 == 0 ? 1 : -1;
    const Turn bend = {{{angle.c, -sense * angle.s, 0.0}, {sense * angle.s, angle.c, 0.0}, {0.0, 0.0, 1.0}}};
    const Turn twist = {{{1.0, 0.0, 0.0}, {0.0, 0.0, sense}, {0.0, -sense, 0.0}}};
    frame = frame * bend * twist;
    p.points[i] = at;
    p.frames[i] = frame;
    at = at + m.length * (frame * Point{1.0, 0.0, 0.0});
  }
  p.points[6] = at;
  return p;
}

}  // namespace

double BricardMechanism::start() { return std::asin(1 / std::sqrt(3.0)); }
std::array<double, 2> BricardMechanism::angles(double s) {
  const double u = std::sqrt(3.0) * std::sin(s);
  return {2 * std::atan(u), 2 * std::atan2(std::sqrt(3.0) * std::cos(s), std::sqrt(1 + u * u))};
}
double BricardMechanism::gap(double s) const {
  const BricardPose p = bricard_pose(*this, Jet(s, 1));
  const Eigen::Matrix3d home = part<&Jet::v>(columns({0.0, 0.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}));
  return part<&Jet::v>(p.points[6]).norm() + (part<&Jet::v>(p.frames[5]) - home).norm();
}
std::array<Eigen::Vector3d, 6> BricardMechanism::points(double s) const {
  const BricardPose p = bricard_pose(*this, Jet(s, 1));
  std::array<Eigen::Vector3d, 6> out;
  for (std::size_t i = 0; i < 6; ++i) out[i] = part<&Jet::v>(p.points[i]);
  return out;
}
OneFreedom BricardMechanism::mechanism() const {
  const BricardMechanism m = *this;
  return OneFreedom(
      [m](const Jet& s) {
        const BricardPose p = bricard_pose(m, s);
        const double along = m.mass * m.section * m.section / 6,
                     across = m.mass * (m.length * m.length + m.section * m.section) / 12;
        std::vector<BodyOfOne> rods;
        for (std::size_t i = 0; i < 5; ++i)
          rods.push_back({m.mass, {along, across, across}, 0.5 * (p.points[i] + p.points[i + 1]), p.frames[i]});
        return rods;
      },
      Eigen::Vector3d(0, -g, 0));
}
std::vector<BricardMechanism::Sample> BricardMechanism::run(const std::vector<double>& times) const {
  std::vector<Sample> out;
  for (const OneFreedom::State& x : mechanism().run({0, start(), 0}, times)) out.push_back({x.t, x.s, x.rate, points(x.s)[3]});
  return out;
}

// ---- chain of rods -------------------------------------------------------------------------------------------------------

void Chain::accelerations_dense(const double* angle, const double* rate, double* acceleration) const {
  const int n = links;
  Eigen::MatrixXd M(n, n);
  Eigen::VectorXd f(n);
  for (int i = 0; i < n; ++i) {
    // beyond rod i hang n - i - 1 rods
    f(i) = -mass * g * length * (n - i - 0.5) * std::cos(angle[i]);
    for (int j = 0; j < n; ++j) {
      const double weight = i == j ? n - i - 1 + 1.0 / 3 : n - std::max(i, j) - 0.5;
      const double factor = mass * length * length * weight;
      M(i, j) = factor * std::cos(angle[i] - angle[j]);
      f(i) -= factor * std::sin(angle[i] - angle[j]) * rate[j] * rate[j];
    }
  }
  const Eigen::VectorXd a = M.llt().solve(f);
  for (int i = 0; i < n; ++i) acceleration[i] = a(i);
}
void Chain::accelerations(const double* angle, const double* rate, double* acceleration) const {
  // forces in the pins: a block tridiagonal system from the rods' accelerations agreeing at each pin
  const auto n = static_cast<std::size_t>(links);
  const double half = 0.5 * length, inertia = mass * length * length / 12, kappa = half * half / inertia;
  using Block = Eigen::Matrix2d;
  using Pair = Eigen::Vector2d;
  std::vector<Block> upper(n), factor(n);
  std::vector<Pair> force(n + 1, Pair::Zero()), normal(n);
  const Block one = Block::Identity() / mass;
  Block bend_before = Block::Zero();
  Pair pull_before = Pair::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double c = std::cos(angle[i]), s = std::sin(angle[i]);
    normal[i] = {-s, c};
    const Block bend = kappa * normal[i] * normal[i].transpose();
    const Pair pull = half * rate[i] * rate[i] * Pair(c, s);
    Block diagonal = one + bend;
    Pair right = -pull;
    if (i == 0) {
      right += Pair(0, g);
    } else {
      const Block lower = (bend_before - one) * factor[i - 1];
      diagonal += one + bend_before - lower * upper[i - 1];
      right -= pull_before + lower * force[i - 1];
    }
    factor[i] = diagonal.inverse();
    upper[i] = bend - one;
    force[i] = right;
    bend_before = bend, pull_before = pull;
  }
  for (std::size_t i = n; i-- > 0;) {
    // beyond the last rod there is no force
    const Pair beyond = i + 1 < n ? Pair(upper[i] * force[i + 1]) : Pair(Pair::Zero());
    force[i] = factor[i] * (force[i] - beyond);
  }
  for (std::size_t i = 0; i < n; ++i) acceleration[i] = -half / inertia * normal[i].dot(force[i] + force[i + 1]);
}
double Chain::energy(const double* angle, const double* rate) const {
  double sum = 0, y = 0, vx = 0, vy = 0;
  for (int i = 0; i < links; ++i) {
    const double c = std::cos(angle[i]), s = std::sin(angle[i]), w = rate[i];
    const double cx = vx - 0.5 * length * s * w, cy = vy + 0.5 * length * c * w;
    sum += 0.5 * mass * (cx * cx + cy * cy) + mass * length * length / 24 * w * w + mass * g * (y + 0.5 * length * s);
    vx -= length * s * w, vy += length * c * w, y += length * s;
  }
  return sum;
}
Chain::State Chain::horizontal() const {
  const auto n = static_cast<std::size_t>(links);
  return {0, std::vector<double>(n, 0), std::vector<double>(n, 0)};
}
Chain::State Chain::advance(const State& from, double to, double tolerance) const {
  const auto n = static_cast<std::size_t>(links);
  std::vector<double> y = from.angle;
  y.insert(y.end(), from.rate.begin(), from.rate.end());
  integrate_tightly(
      [&](double, const double* x, double* dx) {
        std::copy(x + n, x + 2 * n, dx);
        accelerations(x, x + n, dx + n);
      },
      from.t, to, y, tolerance);
  const auto middle = y.begin() + links;
  return {to, {y.begin(), middle}, {middle, y.end()}};
}
Eigen::Vector2d Chain::tip(const State& x) const {
  Eigen::Vector2d p = Eigen::Vector2d::Zero();
  for (const double a : x.angle) p += length * Eigen::Vector2d(std::cos(a), std::sin(a));
  return p;
}

}  // namespace bristle::test
