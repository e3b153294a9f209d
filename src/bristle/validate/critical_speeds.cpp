// Whirl and critical speeds of rotors: a rigid rotor on two springs against its closed form, and the stepped shaft with a disk that
// H. D. Nelson and J. M. McVaugh, "The Dynamics of Rotor-Bearing Systems Using Finite Elements" (1976), made the yardstick of such programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bristle/analyse/campbell.h"
#include "bristle/model/model.h"
#include "bristle/validate/cases.h"

namespace bristle {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRpm = 60 / (2 * kPi);

CampbellResult campbell_of(const std::string& text) {
  const Model model = read_model_text(text, "validation.yaml");
  return calc_campbell(assemble(model, {.friction = false}), plan_campbell(model));
}

/// The computed value nearest to an expected one.
template <class List, class Value>
double nearest(const List& list, double expected, const Value& value) {
  double best = kInfinity;
  for (const auto& one : list) {
    if (std::abs(value(one) - expected) < std::abs(best - expected)) best = value(one);
  }
  return best;
}

double critical_near(const CampbellResult& result, double speed, int whirl) {
  std::vector<CriticalSpeed> list;
  for (const CriticalSpeed& c : result.critical) {
    if (whirl == 0 || c.whirl * whirl > 0.5) list.push_back(c);
  }
  return nearest(list, speed, [](const CriticalSpeed& c) { return c.speed; });
}

/// Springs of stiffness k at both sides, a from the middle: bounce 2 k = m w^2, and tilt It w^2 - Ip speed w - 2 k a^2 = 0.
void rigid_rotor(Rows& rows) {
  constexpr double m = 2, It = 0.04, Ip = 0.025, k = 4e3, a = 0.2;
  const CampbellResult result = campbell_of(fmt::format(R"yaml(bristle: 1
bodies:
  rotor: {{type: rigid, mass: {}, inertia: [{}, {}, {}]}}
forces:
  left: {{type: bushing, between: [ground, rotor], at: [-{}, 0, 0], stiffness: [1e5, {}, {}]}}
  right: {{type: bushing, between: [ground, rotor], at: [{}, 0, 0], stiffness: [1e5, {}, {}]}}
analysis: {{type: campbell, axis: x, frame: stationary, speeds: {{from: 0, to: 440, count: 12}}, orders: [1]}}
)yaml",
                                                        m, Ip, It, It, a, k, k, a, k, k));
  const auto frequency = [](const RotorMode& mode) { return mode.s.imag(); };
  for (std::size_t i = 0; i < result.speeds.size(); ++i) {
    const double half = 0.5 * Ip * result.speeds[i] / It, root = std::sqrt(half * half + 2 * k * a * a / It);
    const auto row = [&](const char* what, double expected) {
      rows.relative(fmt::format("rigid rotor at {:.4g} rad/s: {} [rad/s]", result.speeds[i], what), expected,
                    nearest(result.modes[i], expected, frequency), 1e-6);
    };
    row("bounce, one way", std::sqrt(2 * k / m));
    row("bounce, other way", std::sqrt(2 * k / m));
    row("tilt, forward", root + half);
    row("tilt, backward", root - half);
  }
  const auto critical = [&](const char* what, double expected, int whirl) {
    rows.relative(fmt::format("rigid rotor: critical speed of {} [rad/s]", what), expected,
                  critical_near(result, expected, whirl), 1e-6);
  };
  critical("bounce", std::sqrt(2 * k / m), 0);
  critical("tilt, forward", std::sqrt(2 * k * a * a / (It - Ip)), 1);
  critical("tilt, backward", std::sqrt(2 * k * a * a / (It + Ip)), -1);
}

/// Eighteen cylinders [cm], rotary inertia and no shear as in the source; each is divided into elements of about 1.27 cm.
std::string stepped_shaft() {
  constexpr std::array x = {0.00,  1.27,  5.08,  7.62,  8.89,  10.16, 10.67, 11.43, 12.70, 13.46,
                            16.51, 19.05, 22.86, 26.67, 28.70, 30.48, 31.50, 34.54, 35.50};
  constexpr std::array inner = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.52, 1.78, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.52};
  constexpr std::array outer = {0.51, 1.02, 0.76, 2.03, 2.03, 3.30, 3.30, 2.54, 2.54,
                                1.27, 1.27, 1.52, 1.52, 1.27, 1.27, 3.81, 2.03, 2.03};
  constexpr double E = 2.078e11, density = 7806, rigid = 1e3;
  std::string sections, bodies, joints;
  for (std::size_t k = 0; k < outer.size(); ++k) {
    const double r = 0.01 * inner[k], R = 0.01 * outer[k], A = kPi * (R * R - r * r),
                 I = kPi / 4 * (std::pow(R, 4) - std::pow(r, 4));
    sections += fmt::format(
        "  s{}: {{type: general, EA: {:.17g}, GA2: {:.17g}, GJ: {:.17g}, EI2: {:.17g}, mass_per_length: {:.17g}, rotary_inertia: "
        "[{:.17g}, {:.17g}, {:.17g}]}}\n",
        k, E * A, rigid * E * A, E * I / 1.3, E * I, density * A, 2 * density * I, density * I, density * I);
    bodies += fmt::format("  b{}: {{type: beam, from: [{:.6g}, 0, 0], to: [{:.6g}, 0, 0], elements: {}, section: s{}}}\n", k,
                          0.01 * x[k], 0.01 * x[k + 1], std::max(1L, std::lround((x[k + 1] - x[k]) / 1.27)), k);
    if (k > 0)
      joints +=
          fmt::format("  j{}: {{type: fixed, between: [b{}.tip, b{}.start], at: [{:.6g}, 0, 0]}}\n", k, k - 1, k, 0.01 * x[k]);
  }
  return fmt::format(R"yaml(bristle: 1
sections:
{}bodies:
{}  disk: {{type: rigid, mass: 1.401, inertia: [0.0020, 0.00136, 0.00136], position: [0.0889, 0, 0]}}
joints:
{}  seat: {{type: fixed, between: [b4.start, disk], at: [0.0889, 0, 0]}}
forces:
  first: {{type: bushing, between: [ground, b10.start], at: [0.1651, 0, 0], stiffness: [1e5, 4.378e7, 4.378e7]}}
  second: {{type: bushing, between: [ground, b14.start], at: [0.2870, 0, 0], stiffness: [0, 4.378e7, 4.378e7]}}
analysis: {{type: campbell, axis: x, frame: stationary, speeds: {{from: 0, to: 100000 rpm, count: 6}}, orders: [1]}}
)yaml",
                     sections, bodies, joints);
}

}  // namespace

std::vector<ValidationRow> validate_critical_speeds() {
  Rows rows;
  rigid_rotor(rows);
  const CampbellResult result = campbell_of(stepped_shaft());
  // The paper was not at hand: the figures are quoted by heart, so they are shown and not held against ours.
  const auto row = [&](int number, const char* way, int whirl, double rpm) {
    rows.shown(fmt::format("stepped shaft: critical speed {}, {} [rpm]", number, way), fmt::format("{:.0f}", rpm),
               fmt::format("{:.0f}", kRpm * critical_near(result, rpm / kRpm, whirl)));
  };
  row(1, "forward", 1, 17159), row(2, "forward", 1, 49983), row(3, "forward", 1, 96457);
  row(1, "backward", -1, 15470), row(2, "backward", -1, 46612), row(3, "backward", -1, 64752);
  return rows.take();
}

}  // namespace bristle
