// Whirl and critical speeds of rotors: a rigid rotor on two springs against its closed form, and the stepped shaft with a disk that
// H. D. Nelson and J. M. McVaugh, "The Dynamics of Rotor-Bearing Systems Using Finite Elements" (1976), made the yardstick of such programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bristle/analyse/campbell.h"
#include "bristle/model/model.h"
#include "bristle/study/plans.h"
#include "validation/cases.h"
#include "validation/rows.h"

namespace bristle {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRpm = 60 / (2 * kPi);

CampbellResult campbell_of(const std::string& name) {
  const Model model = read_model_text(model_text(name), name + ".yaml");
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
  const CampbellResult result = campbell_of("rigid_rotor");
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

}  // namespace

std::vector<ValidationRow> validate_critical_speeds(int) {
  Rows rows;
  rigid_rotor(rows);
  const CampbellResult result = campbell_of("stepped_shaft");
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
