#include "closed_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace bristle::test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSeparatrix = 1e-12;  // complement of the modulus below which motions are those of the separatrix

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple times(const Matrix33& m, const Triple& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }
Matrix33 times(const Matrix33& a, const Matrix33& b) {
  Matrix33 c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  }
  return c;
}
Matrix33 transposed(const Matrix33& a) {
  return {{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
}
Matrix33 turn_z(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}
Matrix33 turn_x(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
}

/// Carlson's R_F by duplication.
double carlson_rf(double x, double y, double z) {
  for (;;) {
    const double mean = (x + y + z) / 3;
    const double dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
    if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < 1e-3) {
      // series up to the seventh order: below 1e-17 here
      const double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
      return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(mean);
    }
    const double lambda = std::sqrt(x * y) + std::sqrt(y * z) + std::sqrt(z * x);
    x = 0.25 * (x + lambda), y = 0.25 * (y + lambda), z = 0.25 * (z + lambda);
  }
}

}  // namespace

Modulus::Modulus(double modulus) : k(modulus), complement(std::sqrt((1 - modulus) * (1 + modulus))) {}

double complete_k(const Modulus& k) {
  double a = 1, b = k.complement;
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  return kPi / (a + b);
}

double incomplete_f(double phi, const Modulus& k) {
  // whole half turns apart, so that Carlson's form holds
  const double turns = std::round(phi / kPi);
  const double rest = phi - turns * kPi;
  const double s = std::sin(rest), c = std::cos(rest);
  const double part = s * carlson_rf(c * c, c * c + k.complement * k.complement * s * s, 1);
  return turns == 0 ? part : part + 2 * turns * complete_k(k);
}

Jacobi jacobi(double u, const Modulus& k) {
  if (k.complement < kSeparatrix) return {std::tanh(u), 1 / std::cosh(u), 1 / std::cosh(u), 2 * std::atan(std::tanh(0.5 * u))};
  // into half a period, so that the recursion keeps its digits
  const double half = 2 * complete_k(k);
  const double turns = std::round(u / half);
  u -= turns * half;
  std::array<double, 32> a{}, c{};
  a[0] = 1, c[0] = k.k;
  double b = k.complement;
  std::size_t n = 0;
  while (std::abs(c[n]) > 1e-16 && n + 1 < a.size()) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, static_cast<int>(n));
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(std::clamp(c[n] / a[n] * std::sin(phi), -1.0, 1.0)));
  const double sn = std::sin(phi), cn = std::cos(phi);
  const double odd = std::abs(std::remainder(turns, 2.0)) > 0.5 ? -1 : 1;
  // dn from cn where sn is near one: no digits lost when k is near one
  const double dn = std::hypot(k.complement * sn, cn);
  return {odd * sn, odd * cn, dn, phi + turns * kPi};
}

double quadrature(const std::function<double(double)>& f, double from, double to, int panels) {
  // nodes of Gauss's rule of 20 points, by Newton from the Chebyshev places, once
  static const auto rule = [] {
    std::array<std::array<double, 2>, 20> r{};
    for (int i = 0; i < 20; ++i) {
      double x = std::cos(kPi * (i + 0.75) / 20.5), slope = 1;
      for (int step = 0; step < 20; ++step) {
        double p0 = 1, p1 = x;
        for (int n = 2; n <= 20; ++n) {
          const double p = ((2 * n - 1) * x * p1 - (n - 1) * p0) / n;
          p0 = p1, p1 = p;
        }
        slope = 20 * (x * p1 - p0) / (x * x - 1);
        x -= p1 / slope;
      }
      r[static_cast<std::size_t>(i)] = {x, 2 / ((1 - x * x) * slope * slope)};
    }
    return r;
  }();
  double sum = 0;
  const double h = (to - from) / panels;
  for (int p = 0; p < panels; ++p) {
    const double middle = from + (p + 0.5) * h;
    double part = 0;
    for (const auto& [x, weight] : rule) part += weight * f(middle + 0.5 * h * x);
    sum += 0.5 * h * part;
  }
  return sum;
}

// ---- pendulum ------------------------------------------------------------------------------------------------------------

Pendulum::Pendulum(double w, double angle, double rate) : w_(w) {
  // (theta'/2w)^2 + sin^2(theta/2) = e: below one it swings
  const double s = std::sin(0.5 * angle), c = std::cos(0.5 * angle), r = 0.5 * rate / w, e = s * s + r * r;
  const double beyond = (r - c) * (r + c);  // e - 1
  rotates_ = beyond > 0;
  if (rotates_) {
    k_ = {1 / std::sqrt(e), std::sqrt(beyond / e)};
    sign_ = rate > 0 ? 1 : -1;
    phase_ = incomplete_f(sign_ * 0.5 * angle, k_);
  } else {
    if (std::abs(angle) >= kPi) throw std::invalid_argument("a pendulum that swings starts with an angle between -pi and pi");
    k_ = {std::sqrt(e), std::sqrt(-beyond)};
    phase_ = k_.k > 0 ? incomplete_f(std::atan2(s, r), k_) : 0;
  }
}
double Pendulum::angle(double t) const {
  if (rotates_) return 2 * sign_ * jacobi(w_ * t / k_.k + phase_, k_).am;
  const Jacobi j = jacobi(w_ * t + phase_, k_);
  // asin loses digits near pi: there by the cosine, which is dn
  return 2 * std::atan2(k_.k * j.sn, j.dn);
}
double Pendulum::rate(double t) const {
  if (rotates_) return 2 * sign_ * w_ / k_.k * jacobi(w_ * t / k_.k + phase_, k_).dn;
  return 2 * w_ * k_.k * jacobi(w_ * t + phase_, k_).cn;
}
double Pendulum::period() const { return rotates_ ? 2 * k_.k * complete_k(k_) / w_ : 4 * complete_k(k_) / w_; }

// ---- free rigid body -----------------------------------------------------------------------------------------------------

FreeBody::FreeBody(Triple inertia, Triple spin, Matrix33 attitude) {
  const Triple L = {inertia[0] * spin[0], inertia[1] * spin[1], inertia[2] * spin[2]};
  twice_energy_ = dot(L, spin);
  const double L2 = dot(L, L);
  momentum_ = std::sqrt(L2);
  // the part of axis 3 is played by the axis that the momentum circles
  std::array<int, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return inertia[static_cast<std::size_t>(a)] < inertia[static_cast<std::size_t>(b)]; });
  if (L2 < twice_energy_ * inertia[static_cast<std::size_t>(order[1])]) std::swap(order[0], order[2]);
  axis_ = order;
  const bool even = (order[1] - order[0] + 3) % 3 == 1;
  axis_sign_[1] = even ? 1 : -1;
  Triple w{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    inertia_[i] = inertia[from];
    w[i] = axis_sign_[i] * spin[from];
  }
  const auto [J1, J2, J3] = inertia_;
  // 2 T J3 - L^2 and L^2 - 2 T J1 without cancellation
  const double c1 = J1 * (J3 - J1) * w[0] * w[0] + J2 * (J3 - J2) * w[1] * w[1];
  const double c3 = J2 * (J2 - J1) * w[1] * w[1] + J3 * (J3 - J1) * w[2] * w[2];
  amplitude_ = {std::sqrt(std::max(0.0, c1 / (J1 * (J3 - J1)))), std::sqrt(std::max(0.0, c1 / (J2 * (J3 - J2)))),
                std::sqrt(std::max(0.0, c3 / (J3 * (J3 - J1))))};
  speed_ = std::sqrt((J3 - J2) * c3 / (J1 * J2 * J3));
  // 1 - k^2, also without cancellation
  const double rest = (J3 - J1) * (J3 * (J3 - J2) * w[2] * w[2] - J1 * (J2 - J1) * w[0] * w[0]) / ((J3 - J2) * c3);
  k_ = {std::sqrt(std::clamp((J2 - J1) * c1 / ((J3 - J2) * c3), 0.0, 1.0)), std::sqrt(std::clamp(rest, 0.0, 1.0))};
  plain_ = amplitude_[0] < 1e-14 * amplitude_[2];
  sign3_ = w[2] < 0 ? -1 : 1;
  sign2_ = sign3_ * (J3 > J2 ? 1 : -1);
  if (!plain_) {
    const double s = sign2_ * w[1] / amplitude_[1], c = w[0] / amplitude_[0];
    phase_ = k_.complement < kSeparatrix ? std::atanh(std::clamp(s, -1.0, 1.0)) : incomplete_f(std::atan2(s, c), k_);
  }
  // world <- frame of the momentum, so that the attitude at t = 0 is the given one
  const Angles a = angles(0);
  const Matrix33 start = times(times(turn_z(a.precession), turn_x(a.nutation)), turn_z(a.spin));
  Matrix33 principal{};  // body axes of the user to those here
  for (std::size_t i = 0; i < 3; ++i) principal[i][static_cast<std::size_t>(axis_[i])] = axis_sign_[i];
  home_ = times(attitude, transposed(times(start, principal)));
}
Triple FreeBody::principal_spin(double t) const {
  if (plain_) return {0, 0, sign3_ * amplitude_[2]};
  const Jacobi j = jacobi(speed_ * t + phase_, k_);
  return {amplitude_[0] * j.cn, sign2_ * amplitude_[1] * j.sn, sign3_ * amplitude_[2] * j.dn};
}
Triple FreeBody::spin(double t) const {
  const Triple w = principal_spin(t);
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i) out[static_cast<std::size_t>(axis_[i])] = axis_sign_[i] * w[i];
  return out;
}
double FreeBody::precession(double t) const {
  const auto rate = [&](double at) {
    const Triple w = principal_spin(at);
    const double a = inertia_[0] * w[0] * w[0], b = inertia_[1] * w[1] * w[1];
    return momentum_ * (a + b) / (inertia_[0] * a + inertia_[1] * b);
  };
  if (k_.complement < kSeparatrix) return quadrature(rate, 0, t, 1 + static_cast<int>(std::abs(speed_ * t)) * 2);
  // the rate repeats after 2 K
  const double half = 2 * complete_k(k_) / speed_, whole = std::floor(t / half);
  const double once = whole == 0 ? 0 : quadrature(rate, 0, half, 16);
  const double rest = t - whole * half;
  return whole * once + quadrature(rate, 0, rest, 1 + static_cast<int>(16 * rest / half));
}
FreeBody::Angles FreeBody::angles(double t) const {
  if (plain_) return {0, sign3_ > 0 ? 0.0 : kPi, amplitude_[2] * sign3_ * t};
  const Triple w = principal_spin(t);
  const double x = inertia_[0] * w[0], y = inertia_[1] * w[1], z = inertia_[2] * w[2];
  return {precession(t), std::atan2(std::hypot(x, y), z), std::atan2(x, y)};
}
Matrix33 FreeBody::attitude(double t) const {
  const Angles a = angles(t);
  const Matrix33 turned = times(times(turn_z(a.precession), turn_x(a.nutation)), turn_z(a.spin));
  Matrix33 principal{};
  for (std::size_t i = 0; i < 3; ++i) principal[i][static_cast<std::size_t>(axis_[i])] = axis_sign_[i];
  return times(home_, times(turned, principal));
}
Triple FreeBody::momentum() const { return times(home_, Triple{0, 0, momentum_}); }
double FreeBody::period() const {
  return plain_ ? 0 : k_.complement < kSeparatrix ? std::numeric_limits<double>::infinity() : 4 * complete_k(k_) / speed_;
}

// ---- heavy top -----------------------------------------------------------------------------------------------------------

HeavyTop::HeavyTop(const Data& d, const Start& s) : spin_(s.spin), phi0_(s.phi), psi0_(s.psi) {
  const double A = d.inertia_across, u0 = std::cos(s.theta), sin0 = std::sin(s.theta);
  a_ = d.inertia_along * s.spin / A;
  b_ = s.phi_rate * sin0 * sin0 + a_ * u0;
  beta_ = 2 * d.weight_moment / A;
  const double alpha = s.theta_rate * s.theta_rate + s.phi_rate * s.phi_rate * sin0 * sin0 + beta_ * u0;
  // u'^2 = beta u^3 - (alpha + a^2) u^2 + (2 a b - beta) u + alpha - b^2 = beta (u - u1)(u - u2)(u - u3)
  const double p2 = -(alpha + a_ * a_) / beta_, p1 = (2 * a_ * b_ - beta_) / beta_, p0 = (alpha - b_ * b_) / beta_;
  const auto f = [&](double u) { return ((u + p2) * u + p1) * u + p0; };
  const auto slope = [&](double u) { return (3 * u + 2 * p2) * u + p1; };
  // the largest root is beyond one; Newton from far outside falls monotonically onto it
  double u3 = 2 + std::abs(p2) + std::abs(p1) + std::abs(p0);
  for (int i = 0; i < 200; ++i) {
    const double step = f(u3) / slope(u3);
    u3 -= step;
    if (std::abs(step) < 1e-16 * std::abs(u3)) break;
  }
  // the other two from the start: u0 is between them, (u - u1)(u - u2) = u'^2 / (beta (u - u3)) there
  const double sum = -p2 - u3;                                     // u1 + u2
  const double velocity = -sin0 * s.theta_rate;                    // u'
  const double depth = velocity * velocity / (beta_ * (u3 - u0));  // (u0 - u1)(u2 - u0)
  const double offset = sum - 2 * u0;                              // (u1 - u0) + (u2 - u0)
  const double root = std::sqrt(0.25 * offset * offset + depth);
  u1_ = u0 + 0.5 * offset - root, u2_ = u0 + 0.5 * offset + root, u3_ = u3;
  if (velocity == 0) (offset > 0 ? u1_ : u2_) = u0;
  k_ = {std::sqrt(std::max(0.0, (u2_ - u1_) / (u3_ - u1_))), std::sqrt((u3_ - u2_) / (u3_ - u1_))};
  speed_ = 0.5 * std::sqrt(beta_ * (u3_ - u1_));
  // u = u1 + (u2 - u1) sn^2; u' has the sign of sn cn
  const double sn = std::sqrt(std::max(0.0, u0 - u1_)), cn = std::sqrt(std::max(0.0, u2_ - u0));
  phase_ = u2_ > u1_ ? incomplete_f(std::atan2(sn, velocity < 0 ? -cn : cn), k_) : 0;
}
double HeavyTop::u(double t) const {
  const double sn = jacobi(speed_ * t + phase_, k_).sn;
  return u1_ + (u2_ - u1_) * sn * sn;
}
double HeavyTop::theta(double t) const { return std::acos(u(t)); }
double HeavyTop::theta_rate(double t) const {
  const Jacobi j = jacobi(speed_ * t + phase_, k_);
  const double at = u1_ + (u2_ - u1_) * j.sn * j.sn;
  return -2 * (u2_ - u1_) * speed_ * j.sn * j.cn * j.dn / std::sqrt((1 - at) * (1 + at));
}
double HeavyTop::phi_rate(double t) const {
  const double at = u(t);
  return (b_ - a_ * at) / ((1 - at) * (1 + at));
}
double HeavyTop::nutation_period() const { return 2 * complete_k(k_) / speed_; }
double HeavyTop::lowest() const { return std::acos(u1_); }
double HeavyTop::highest() const { return std::acos(u2_); }
double HeavyTop::integral(const std::function<double(double)>& of_u, double t) const {
  const auto rate = [&](double at) { return of_u(u(at)); };
  const double period = nutation_period(), whole = std::floor(t / period), rest = t - whole * period;
  const double once = whole == 0 ? 0 : quadrature(rate, 0, period, 24);
  return whole * once + quadrature(rate, 0, rest, 1 + static_cast<int>(24 * rest / period));
}
double HeavyTop::phi(double t) const {
  return phi0_ + integral([&](double at) { return (b_ - a_ * at) / ((1 - at) * (1 + at)); }, t);
}
double HeavyTop::psi(double t) const {
  return psi0_ + integral([&](double at) { return spin_ - at * (b_ - a_ * at) / ((1 - at) * (1 + at)); }, t);
}
Matrix33 HeavyTop::attitude(double t) const { return times(times(turn_z(phi(t)), turn_x(theta(t))), turn_z(psi(t))); }
std::array<double, 2> HeavyTop::steady_precession(const Data& d, double theta, double spin) {
  // A cos(theta) W^2 - C n W + m g l = 0, the slow root without cancellation
  const double a = d.inertia_across * std::cos(theta), b = d.inertia_along * spin, c = d.weight_moment;
  const double inside = b * b - 4 * a * c;
  if (inside < 0) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const double q = 0.5 * (b + std::copysign(std::sqrt(inside), b));
  return {c / q, a == 0 ? std::numeric_limits<double>::quiet_NaN() : q / a};
}

// ---- friction on a slope, rolling ----------------------------------------------------------------------------------------

bool SlopeSlider::holds() const { return std::abs(std::tan(slope)) <= mu_static; }
double SlopeSlider::stop_time() const {
  const double pull = g * std::sin(slope), rub = mu_kinetic * g * std::cos(slope);
  if (speed == 0) return 0;
  const double brake = speed > 0 ? pull + rub : rub - pull;
  return brake > 0 ? std::abs(speed) / brake : std::numeric_limits<double>::infinity();
}
double SlopeSlider::stop_place() const { return 0.5 * speed * stop_time(); }
SlopeSlider::At SlopeSlider::at(double t) const {
  const double pull = g * std::sin(slope), rub = mu_kinetic * g * std::cos(slope), stop = stop_time();
  if (t < stop) {
    const double a = speed > 0 ? -pull - rub : rub - pull;
    return {speed * t + 0.5 * a * t * t, speed + a * t, a, Mode::slides};
  }
  const double place = stop_place();
  if (holds()) return {place, 0, 0, Mode::sticks};
  const double a = pull > 0 ? rub - pull : -rub - pull, since = t - stop;
  return {place + 0.5 * a * since * since, a * since, a, Mode::slides};
}

double Roller::acceleration_down(double slope) const { return g * std::sin(slope) / (1 + kappa); }
double Roller::friction_needed(double slope) const { return std::tan(slope) * kappa / (1 + kappa); }
double Roller::wobble_rate(double tilt) const {
  // the centre rests, the body turns about the diameter through the contact with rate w, the contact goes round with W:
  // no slip gives no rate about the vertical beyond that diameter; balance of moments: (kappa/2) m r^2 W^2 sin(tilt) cos(tilt) = m g r cos(tilt)
  return std::sqrt(2 * g / (kappa * radius * std::sin(tilt)));
}

// ---- published problems --------------------------------------------------------------------------------------------------

namespace {
Pendulum simple_pendulum() {
  return Pendulum::released(std::sqrt(SimplePendulumProblem::g), SimplePendulumProblem::side * 0.5 * kPi);
}
}  // namespace
std::array<double, 2> SimplePendulumProblem::position(double t) {
  const double a = simple_pendulum().angle(t);
  return {std::sin(a), -std::cos(a)};
}
std::array<double, 2> SimplePendulumProblem::velocity(double t) {
  const Pendulum p = simple_pendulum();
  const double a = p.angle(t), w = p.rate(t);
  return {w * std::cos(a), w * std::sin(a)};
}

Pendulum FourBarProblem::pendulum() const {
  const double n = windows;
  // inertia: N + 1 rods about their ends, N rods that only translate; moment of the weights alike
  const double inertia = mass * length * length * ((n + 1) / 3 + n), moment = mass * g * length * ((n + 1) / 2 + n);
  return {std::sqrt(moment / inertia), kPi, -speed / length};
}
std::array<double, 2> FourBarProblem::b0(double t) const {
  const double a = pendulum().angle(t);
  return {length * std::sin(a), -length * std::cos(a)};
}
std::array<double, 2> FourBarProblem::b0_velocity(double t) const {
  const Pendulum p = pendulum();
  const double a = p.angle(t), w = p.rate(t);
  return {length * w * std::cos(a), length * w * std::sin(a)};
}
double FourBarProblem::energy() const {
  const double n = windows;
  return mass * g * length * ((n + 1) / 2 + n) + 0.5 * mass * speed * speed * ((n + 1) / 3 + n);
}

}  // namespace bristle::test
