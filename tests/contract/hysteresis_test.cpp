// Laws that remember, led to and fro with a smaller loop inside the larger one, by every method of order two and more: work around the path, loops that
// close, Masing's rule. What is expected is each law written down once more, moved along the path in very small steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "support/models.h"

namespace bristle::contract {
namespace {

using namespace test;

constexpr double kLoad = 10, kAmplitude = 3e-4;                 // [N], [m]
constexpr double kMu = 0.4, kMuStatic = 0.5, kStiffness = 4e3;  // [1/m] yields at 1e-4 m
constexpr double kThreshold = 1e-3;                             // [m/s] default of `liang`
constexpr double kStribeck = 2e-3;                              // [m/s]; the fastest slip is 4.7e-3

/// Out, back by about half, out to the same place, and all of it mirrored; one second.
struct Path {
  static constexpr double w = 2 * std::numbers::pi;
  static double x(double t) { return kAmplitude * (std::sin(w * t) + 0.5 * std::sin(3 * w * t)); }
  static double v(double t) { return kAmplitude * w * (std::cos(w * t) + 1.5 * std::cos(3 * w * t)); }
  /// cos(w t) + 1.5 cos(3 w t) = cos(w t) (6 cos(w t)^2 - 3.5)
  static double tip() { return std::acos(std::sqrt(3.5 / 6)) / w; }
  static double inner() { return 0.25; }
  static double again() { return 0.5 - tip(); }
};

/// Work [m] per load of the friction over a small move of one sense.
using Work = std::function<double(double dx, double dt)>;

/// A spring that holds on to its limit, with the force of sliding there.
struct Bond {
  double stiffness, most, sliding, stretch = 0;
  double move(double dx) {
    const double from = std::clamp(stretch, -most, most);
    stretch = std::clamp(from + dx, -most, most);
    const double elastic = stretch - from;
    return 0.5 * stiffness * (stretch * stretch - from * from) + sliding * std::abs(dx - elastic);
  }
};
Bond slider(double stiffness, double force) { return {stiffness, force / stiffness, force}; }
std::vector<Bond> side_by_side(const std::vector<double>& level) {  // of equal stiffness
  std::vector<Bond> bonds;
  double sum = 0;
  for (double c : level) sum += c;
  for (double c : level) bonds.push_back(slider(kStiffness / static_cast<double>(level.size()), kMu * c / sum));
  return bonds;
}
Work of_bonds(std::vector<Bond> bonds) {
  return [bonds](double dx, double) mutable {
    double work = 0;
    for (Bond& b : bonds) work += b.move(dx);
    return work;
  };
}
double stribeck(double speed) { return 1 + (kMuStatic / kMu - 1) * std::exp(-speed * speed / (kStribeck * kStribeck)); }
/// What settles at `target` over a way or time; its mean on the way.
double settle(double& z, double target, double share) {
  const double from = z - target, left = std::exp(-share);
  z = target + from * left;
  return target + (share > 1e-12 ? from * (1 - left) / share : from);
}
/// One number whose rate per way `rate(z, side)` is given, by the middle of the step.
template <class Rate>
double midpoint(double& z, double dx, const Rate& rate) {
  const double side = dx < 0 ? -1 : 1, s = std::abs(dx), half = z + 0.5 * s * rate(z, side);
  z += s * rate(half, side);
  return half;
}

struct Case {
  std::string name, keys;
  std::function<Work()> work;
  std::vector<Bond> bonds = {};  ///< of those that are Masing's: they close, too
  bool closes = false;
  bool jumps = false;  ///< the force, or the course of the memory: energy schemes do not cut steps that are given for it
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

Work of_liang() {
  return [bond = slider(kStiffness, kMu)](double dx, double dt) mutable {
    constexpr double kDamping = 8;
    const double speed = std::abs(dx) / dt, limit = speed > kThreshold ? kMu : kMuStatic;
    bond.most = limit / kStiffness, bond.sliding = limit;
    const double before = std::clamp(bond.stretch, -bond.most, bond.most), work = bond.move(dx);
    return work + kDamping * (dx / dt) * (bond.stretch - before);
  };
}
Work of_maxwell() {
  struct Element {
    double z = 0;
    bool slips = false;
  };
  return [e = std::vector<Element>(4)](double dx, double dt) mutable {
    constexpr double kShare[] = {0.4, 0.3, 0.2, 0.1}, kForce = 0.25, kAttraction = 2e-3;
    const double side = dx < 0 ? -1 : 1, s = stribeck(std::abs(dx) / dt);
    double work = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double per_way = kShare[i] * kStiffness / (kForce * kMu);
      if (e[i].slips && e[i].z * side < 0) e[i].slips = false;
      const double from = e[i].z;
      double mean = 0;
      if (e[i].slips) {
        mean = settle(e[i].z, s * side, per_way * kForce * kAttraction * dt / s);
      } else {
        e[i].z += per_way * dx;
        mean = 0.5 * (from + e[i].z);
        if (e[i].z * side >= s) e[i].slips = true, e[i].z = s * side;
      }
      work += kForce * kMu * mean * dx;
    }
    return work;
  };
}
Work of_leuven() {
  struct Turn {
    double z, h;
  };
  return [z = 0.0, turns = std::vector<Turn>()](double dx, double dt) mutable {
    const double m = kMuStatic / kMu, side = dx < 0 ? -1 : 1, s = stribeck(std::abs(dx) / dt);
    const auto first = [&](double y) { return std::copysign(m * (1 - std::exp(-std::abs(y) / m)), y); };
    const auto force = [&](double at) {
      return turns.empty() ? first(at) : turns.back().h + 2 * first(0.5 * (at - turns.back().z));
    };
    const double out = turns.empty() ? z : z - turns.back().z;
    if (out * side < 0) turns.push_back({z, force(z)});
    const double half = midpoint(z, dx, [&](double at, double to) { return kStiffness / kMu * (to - force(at) / s); });
    const double work = kMu * force(half) * dx;
    while (!turns.empty()) {  // loops that have closed
      const double end = turns.size() > 1 ? turns[turns.size() - 2].z : -turns.back().z;
      if (std::abs(z - turns.back().z) < std::abs(end - turns.back().z)) break;
      turns.pop_back();
      if (!turns.empty()) turns.pop_back();
    }
    return work;
  };
}
Work of_gonthier() {
  return [z = 0.0, w = 0.0](double dx, double dt) mutable {
    constexpr double kDamping = 20, kDwell = 2;
    const double v = dx / dt, side = dx < 0 ? -1 : 1, r = std::abs(v) / kStribeck, s = std::exp(-r * r);
    const double small = std::abs(v) / (0.01 * kStribeck), e = small < 1 ? side * small * (1.5 - 0.5 * small * small) : side;
    const double longest = 2 * kMuStatic / kMu;
    const auto rate = [&](double at) { return s * v + (1 - s) * kMu / kDamping * (e - std::clamp(at, -longest, longest)); };
    const double lag = s - w, half_w = w + 0.5 * dt * lag * (lag < 0 ? kStiffness / kDamping : 1 / kDwell);
    const double half = z + 0.5 * dt * kStiffness / kMu * rate(z), lag_half = s - half_w;
    z = std::clamp(z + dt * kStiffness / kMu * rate(half), -longest, longest);
    w += dt * lag_half * (lag_half < 0 ? kStiffness / kDamping : 1 / kDwell);
    const double most = kMu + (kMuStatic - kMu) * half_w;
    return std::clamp(kMu * std::clamp(half, -longest, longest) + kDamping * rate(half), -most, most) * dx;
  };
}
Work of_elasto_plastic() {
  return [z = 0.0](double dx, double dt) mutable {
    constexpr double kRatio = 0.7;
    const double s = stribeck(std::abs(dx) / dt);
    const double mean = midpoint(z, dx, [&](double at, double side) {
      const double bent = std::abs(at) / s;
      double share = bent > kRatio ? 0.5 + 0.5 * std::sin(std::numbers::pi * (bent - 0.5 * (1 + kRatio)) / (1 - kRatio)) : 0;
      if (bent >= 1) share = 1;
      return kStiffness / kMu * (side - share * std::max(0.0, at * side) * (at < 0 ? -1 : 1) / s);
    });
    return kMu * mean * dx;
  };
}
Work of_valanis() {
  return [z = 0.0](double dx, double) mutable {
    constexpr double kKappa = 0.5, kTangent = 400, kRatio = kTangent / kStiffness;
    constexpr double c = kKappa * (1 - kRatio) / (1 - kKappa * kRatio);
    const double mean =
        midpoint(z, dx, [&](double at, double side) { return kStiffness / kMu * (side - at) / (1 - c * side * at); });
    return kMu * (1 - kRatio) * mean * dx;  // the spring beside it gives back what it takes
  };
}
/// Yielding spring: force `mu`, settling over `way`.
Work of_yielding(double mu, double way) {
  return [=, z = 0.0](double dx, double) mutable { return mu * settle(z, dx < 0 ? -1 : 1, std::abs(dx) / way) * dx; };
}

std::vector<Case> cases() {
  const std::string mu = fmt::format("mu_kinetic: {}", kMu), both = mu + fmt::format(", mu_static: {}", kMuStatic),
                    curve = both + fmt::format(", stribeck_velocity: {} m/s", kStribeck),
                    stiffness = fmt::format(", stiffness: {} 1/m", kStiffness),
                    sigma0 = fmt::format(", sigma0: {} 1/m", kStiffness);
  std::vector<double> uniform, power;
  for (int i = 0; i < 5; ++i) {
    const double u = (i + 0.5) / 5;
    uniform.push_back(2 * u), power.push_back(u * u);
  }
  std::vector<Bond> maxwell;
  for (double share : {0.4, 0.3, 0.2, 0.1}) maxwell.push_back(slider(share * kStiffness, 0.25 * kMu));
  const auto masing = [](const std::string& name, const std::string& keys, const std::vector<Bond>& bonds) {
    return Case{name, keys, [bonds] { return of_bonds(bonds); }, bonds, true};
  };
  return {
      masing("iwan", mu + stiffness, {slider(kStiffness, kMu)}),
      masing("parallel_series_iwan", mu + stiffness + ", elements: 5", side_by_side(uniform)),
      masing("parallel_series_iwan", mu + stiffness + ", elements: 5, distribution: power_law", side_by_side(power)),
      // at equal coefficients its sliders stand at their limits
      masing("generalised_maxwell_slip", mu + fmt::format(", mu_static: {}", kMu) + sigma0, maxwell),
      {"generalised_maxwell_slip", curve + sigma0, of_maxwell, {}, false, true},
      // one bond closes what it opens; its force falls where it begins to slide, which is not Masing's
      {"reset_integrator",
       both + sigma0,
       [] {
         return of_bonds({{kStiffness * kMuStatic / kMu, kMu / kStiffness, kMu}});
       },
       {},
       true,
       true},
      {"liang", both + stiffness + ", damping: 8 s/m", of_liang, {}, false, true},
      {"dahl", mu + sigma0, [] { return of_yielding(kMu, kMu / kStiffness); }},
      {"busarov_ostrovskii", mu + fmt::format(", sharpness: {} 1/m", kStiffness / kMu),
       [] { return of_yielding(kMu, kMu / kStiffness); }},
      {"bliman_sorine", both + ", f1: 0.7, path: 1e-4, eta: 0.2",
       [] {
         return [fast = of_yielding(0.7, 2e-5), slow = of_yielding(0.7 - kMu, 1e-4)](double dx, double dt) {
           return fast(dx, dt) - slow(dx, dt);
         };
       }},
      {"lugre", curve + sigma0,
       [] {
         return [z = 0.0](double dx, double dt) mutable {
           const double s = stribeck(std::abs(dx) / dt);
           return kMu * settle(z, dx < 0 ? -s : s, kStiffness / kMu * std::abs(dx) / s) * dx;
         };
       }},
      {"elasto_plastic", curve + sigma0, of_elasto_plastic},
      {"valanis", fmt::format("stick_stiffness: {} 1/m, tangent_stiffness: 400 1/m, knee: {}, kappa: 0.5", kStiffness, kMu),
       of_valanis},
      {"leuven", curve + sigma0, of_leuven},
      {"gonthier", curve + sigma0 + ", sigma1: 20 s/m", of_gonthier},
  };
}

/// [J] once around, after one round. Moves end where the slip turns back, and where it passes the speed at which the limit of `liang` changes.
double expected_work(const Case& c) {
  constexpr int kSteps = 1000000;
  const Work work = c.work();
  double sum = 0;
  for (int i = 0; i < 2 * kSteps; ++i) {
    double t = static_cast<double>(i) / kSteps;
    const double end = (i + 1.0) / kSteps;
    const auto move = [&](double to) {
      if (!(to > t)) return;
      const double joule = kLoad * work(Path::x(to) - Path::x(t), to - t);
      if (i >= kSteps) sum += joule;
      t = to;
    };
    const double before = Path::v(t), after = Path::v(end), start = t;
    for (const double level : {kThreshold, 0.0, -kThreshold}) {
      if ((before > level) == (after > level)) continue;
      move(start + (level - before) / (after - before) * (end - start));
    }
    move(end);
  }
  return sum;
}

std::string led(const Case& c) {
  return fmt::format(
      "bristle: 1\nbodies: {{hand: {{type: driven, position: \"{}*(sin(2*pi*t) + 0.5*sin(6*pi*t))\"}}, idle: {{type: mass, mass: 1 kg}}}}\n"
      "joints: {{pad: {{type: sliding, between: [ground, hand], load: {} N, friction: {{type: {}, {}}}}}}}\n"
      // nothing that is solved for depends on the work: error control alone would let steps grow
      "analysis: {{type: transient, end: 3 s, max_step: 0.1 ms, integrator: radau5}}\n",
      kAmplitude, kLoad, c.name, c.keys);
}

/// Settings of all methods of order two and more.
std::vector<std::string> settings() {
  std::vector<std::string> list;
  for (const std::string& name : integrators(true)) list.push_back(setting(name, 5e-5, 1e-10));
  for (const char* name : {"generalized_alpha", "energy_decaying"})  // both ways
    list.push_back(fmt::format("analysis.integrator={{type: {}, tolerance: 1e-9}}", name));
  return list;
}

class Hysteresis : public testing::TestWithParam<Case> {};

TEST_P(Hysteresis, takes_the_work_of_the_law_with_every_method) {
  const Case& c = GetParam();
  const double expected = expected_work(c);
  for (const std::string& method : settings()) {
    if (c.jumps && method.find("energy") != std::string::npos && method.find("step") != std::string::npos) continue;
    Trial trial(led(c), {method});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1)) << method << ": " << run.message();
    const double before = run.ledger().supplied();
    ASSERT_TRUE(run.advance_to(2)) << method << ": " << run.message();
    EXPECT_NEAR((run.ledger().supplied() - before) / expected, 1, 1e-6) << c.name << ", " << method;
  }
}

/// Where the path comes back to a place from which it had turned back, all is as if it had not.
TEST_P(Hysteresis, closes_inner_loops_and_doubles_the_first_loading) {
  const Case& c = GetParam();
  if (!c.closes) return;  // pages say of the others that their loops stay open
  const auto first = [&](double y) {
    double force = 0;
    for (const Bond& b : c.bonds) force += b.stiffness * std::min(y, b.most);
    return kLoad * force;
  };
  const bool masing = !c.bonds.empty();
  const double tip = Path::tip(), near = 1e-6 * kMu * kLoad;
  for (const std::string& method : settings()) {
    Trial trial(led(c), {method});
    auto& run = trial.start();
    const int channel = trial.channel("pad.friction_force");
    const auto force_at = [&](double t) {
      EXPECT_TRUE(run.advance_to(t)) << method << ": " << run.message();
      return trial.read(channel);
    };
    const double sign = force_at(0.5 * tip) < 0 ? -1 : 1;  // the channel may count the other way
    const double out = sign * force_at(tip);
    const std::vector<double> stretch(run.state().z(), run.state().z() + run.state().sizes().z);
    double inside = 0;
    for (double part : {0.3, 0.8, 1.0}) {
      const double t = tip + part * (Path::inner() - tip);
      inside = sign * force_at(t);
      if (masing) {
        EXPECT_NEAR(inside, out - 2 * first(0.5 * (Path::x(tip) - Path::x(t))), near) << c.name << method;
      }
    }
    for (double part : {0.3, 0.8}) {
      const double t = Path::inner() + part * (Path::again() - Path::inner()), force = sign * force_at(t);
      if (masing) {
        EXPECT_NEAR(force, inside + 2 * first(0.5 * (Path::x(t) - Path::x(0.25))), near) << c.name << method;
      }
    }
    const double back = sign * force_at(Path::again());
    if (masing) {
      EXPECT_NEAR(back, out, near) << c.name << ", " << method;
    }
    for (std::size_t i = 0; i < stretch.size(); ++i)
      EXPECT_NEAR(run.state().z()[i], stretch[i], 1e-6) << c.name << ", " << method;
    for (double t : {0.42, 0.5, 0.55}) {
      const double force = sign * force_at(t);
      if (masing) {
        EXPECT_NEAR(force, out - 2 * first(0.5 * (Path::x(tip) - Path::x(t))), near) << c.name << method;
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return fmt::format("{}_{}", info.param.name, info.index); }
INSTANTIATE_TEST_SUITE_P(Laws, Hysteresis, testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace bristle::contract
