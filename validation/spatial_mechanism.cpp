// Mechanism of flexible beams with a ball joint, ideal and with clearance. The source prints curves without scales and leaves positions
// open; the side on which the crank's axis lies and its distance from the guide are inferred from two of its statements, M1 and M2. Figures in the column of published
// values that the source does not print are from an independent program of the same step scheme.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "validation/cases.h"
#include "validation/rows.h"
#include "validation/side_by_side.h"
#include "validation/trial.h"

namespace bristle {

namespace {

constexpr double kSpeed = 20, kTurn = 2 * M_PI / kSpeed;  ///< [rad/s], [s] of the crank
constexpr double kStribeck = 1e-3;                        ///< [m/s]
const char* const kProgram = "independent program";
constexpr double kInferred = -0.51;  ///< [m] axis of the crank beside the guide, inferred from M1 and M2
constexpr double kProgrammed = 0.4;  ///< [m] where it is in the independent program

struct Setup {
  bool worn = false;
  double axis_y = kInferred;              ///< [m] axis of the crank
  double damping = 0;                     ///< [s]
  bool free_spin = false;                 ///< the link hangs on the crank by a ball: nothing spins it
  double end = 1.885;                     ///< [s]
  double mu = 0.3;                        ///< of the ball joint
  const char* vector_form = "isotropic";  ///< of its bristles
  const char* integrator = "energy_decaying";
  double tolerance = 1e-13;  ///< Newton's
};

std::vector<std::string> overrides(const Setup& s) {
  const char* const rules =
      s.worn ? ", adapt: [{type: contact, penetration: 3 um}, {type: friction, share: 5e-4, slow: 5, exponent: 1.5}]" : "";
  std::vector<std::string> set = {
      fmt::format("axis_y={:.17g}", s.axis_y), fmt::format("damping={:.17g}", s.damping),
      fmt::format("analysis.end={:.17g}", s.end),
      fmt::format("analysis.integrator={{type: {}, step: 1 ms, newton_tolerance: {}{}}}", s.integrator, s.tolerance, rules)};
  if (s.free_spin) {
    set.emplace_back("bodies.link.angular_velocity=[4*pin_y, -4*along, 0]");
    set.emplace_back("joints.pin={type: spherical, between: [crank.tip, link.start], at: [axis_x, pin_y, 0]}");
  }
  if (s.worn)
    set.push_back(fmt::format(
        "joints.ball={{type: spherical, between: [slider, link.tip], at: [ball_x, 0, 0], pin_radius: 49.5 mm, clearance: 0.5 mm, "
        "contact: {{type: linear, stiffness: 15 MN/m}}, friction: {{type: lugre, mu_static: {0}, mu_kinetic: {0}, "
        "sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s, vector_form: {1}}}}}",
        s.mu, s.vector_form));
  return set;
}

enum { kRootY, kRootZ, kLink1, kLink2, kLink3, kSignals };
const char* const kNames[] = {"root.force.y", "root.force.z", "link.element.2.force.1", "link.element.2.force.2",
                              "link.element.2.force.3"};

struct Sample {
  double t;
  std::array<double, kSignals> signal;
  double force, slip;            ///< [N], [m/s] in the ball joint
  double x;                      ///< of the slider [m]
  double around;                 ///< angle of the contact normal about the link, counted on [rad]
  bool by_friction, by_contact;  ///< which rule chose the step
};

struct Course {
  std::vector<Sample> samples;
  double start = 0, energy = 0, supplied = 0, numerical = 0, dissipated = 0, residual = 0, growth = -1e9;
  double pull[2] = {0, 0};  ///< extremes of the force in the joint along x [N]
  std::array<double, 3> slider{};
  std::string message;
};

Course turn(const Setup& setup) {
  Trial trial(model_text("spatial_mechanism"), overrides(setup));
  Run& run = trial.start();
  const auto at = [&](const std::string& name) { return static_cast<std::size_t>(trial.channel(name)); };
  std::array<std::size_t, kSignals> signal{};
  for (std::size_t k = 0; k < kSignals; ++k) signal[k] = at(kNames[k]);
  std::array<std::size_t, 3> slider{}, normal{}, tip{}, start{};
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    slider[k] = at(std::string("slider.position.") + axes[k]);
    tip[k] = at(std::string("link.tip.position.") + axes[k]);
    start[k] = at(std::string("link.start.position.") + axes[k]);
    if (setup.worn) normal[k] = at(std::string("ball.normal.") + axes[k]);
  }
  const std::size_t pull = at("ball.force.x"), force = setup.worn ? at("ball.normal_force") : 0,
                    slip[] = {setup.worn ? at("ball.slip.1") : 0, setup.worn ? at("ball.slip.2") : 0};
  Course c;
  c.start = run.ledger().energy().total();
  double before = c.start, around = 0;
  while (run.state().t < setup.end) {
    if (!run.advance(setup.end)) {
      c.message = run.message();
      break;
    }
    const std::vector<double>& o = trial.outputs();
    Sample s{};
    s.t = run.state().t;
    for (std::size_t k = 0; k < kSignals; ++k) s.signal[k] = o[signal[k]];
    s.x = o[slider[0]];
    if (setup.worn) {
      s.force = o[force];
      s.slip = std::hypot(o[slip[0]], o[slip[1]]);
      Vec3<> axis, n;
      for (int k = 0; k < 3; ++k) {
        const auto i = static_cast<std::size_t>(k);
        axis[k] = o[tip[i]] - o[start[i]], n[k] = o[normal[i]];
      }
      axis = (1 / norm(axis)) * axis;
      const Vec3<> u = cross(axis, Vec3<>{{0, 0, 1}}), v = cross(axis, u);
      const double angle = std::atan2(dot(n, v), dot(n, u));
      around += std::remainder(angle - around, 2 * M_PI);
      s.around = around;
    }
    s.by_friction = run.choice().reason_name() == "friction";
    s.by_contact = run.choice().reason_name() == "contact";
    c.samples.push_back(s);
    c.pull[0] = std::min(c.pull[0], o[pull]), c.pull[1] = std::max(c.pull[1], o[pull]);
    for (std::size_t k = 0; k < 3; ++k) c.slider[k] = o[slider[k]];
    const Ledger& ledger = run.ledger();
    const double now = ledger.energy().total() - ledger.supplied();
    c.growth = std::max(c.growth, now - before);
    before = now;
  }
  const Ledger& ledger = run.ledger();
  c.energy = ledger.energy().total(), c.supplied = ledger.supplied(), c.numerical = ledger.numerical();
  c.dissipated = ledger.dissipated(), c.residual = ledger.worst_residual() / ledger.scale();
  return c;
}

/// Harmonics of the crank's speed in one turn; the rest is in `fast`.
struct Spectrum {
  static constexpr std::size_t kSlow = 15;  ///< 15 times 3.18 Hz is just below 50 Hz
  std::array<std::complex<double>, kSlow + 1> line{};
  double fast = 0;  ///< mean square beyond

  double slow_rms() const {
    double sum = 0;
    for (std::size_t k = 1; k <= kSlow; ++k) sum += 2 * std::norm(line[k]);
    return std::sqrt(sum);
  }
};

Spectrum spectrum(const Course& c, std::size_t signal, int number) {
  constexpr int kPoints = 8192;
  Spectrum out;
  std::vector<double> y;
  std::size_t i = 1;
  for (int n = 0; n < kPoints; ++n) {
    const double t = (number - 1 + (n + 0.5) / kPoints) * kTurn;
    while (i + 1 < c.samples.size() && c.samples[i].t < t) ++i;
    const Sample &a = c.samples[i - 1], &b = c.samples[i];
    y.push_back(a.signal[signal] + (b.signal[signal] - a.signal[signal]) * std::clamp((t - a.t) / (b.t - a.t), 0.0, 1.0));
  }
  double all = 0, slow = 0;
  for (double one : y) all += one * one / kPoints;
  for (std::size_t k = 0; k <= Spectrum::kSlow; ++k) {
    for (int n = 0; n < kPoints; ++n)
      out.line[k] +=
          y[static_cast<std::size_t>(n)] / double{kPoints} * std::polar(1.0, -2 * M_PI * static_cast<double>(k) * n / kPoints);
    slow += (k > 0 ? 2 : 1) * std::norm(out.line[k]);
  }
  out.fast = all - slow;
  return out;
}

/// Correlation of what is slower than 50 Hz.
double alike(const Spectrum& a, const Spectrum& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 1; k <= Spectrum::kSlow; ++k) {
    ab += (a.line[k] * std::conj(b.line[k])).real();
    aa += std::norm(a.line[k]), bb += std::norm(b.line[k]);
  }
  return ab / std::sqrt(aa * bb);
}

double rigid_slider(double angle) { return 1.9 - std::sqrt(1 - 0.16 - 0.04 - 0.16 * std::cos(angle)); }

void ideal(Rows& rows) {
  const Course c = turn({.axis_y = kProgrammed}), kept = turn({.axis_y = kProgrammed, .integrator = "energy_preserving"});
  rows.truth("case 1, six turns in steps of 1 ms", "runs", c.message.empty() ? "runs" : c.message, c.message.empty());
  rows.absolute("case 1: energy at the start [J]", 3.552161875, c.start, 1e-9, kProgram);
  rows.absolute("case 1: work of the drive [J]", 0.129094172, c.supplied, 1e-8, kProgram);
  rows.absolute("case 1: taken out by the method [J]", 0.005050523, c.numerical, 1e-8, kProgram);
  rows.absolute("case 1: energy at the end [J]", 3.676205524, c.energy, 1e-8, kProgram);
  const double slider[] = {1.10124642, -0.00160668, 0.00135697};
  for (std::size_t k = 0; k < 3; ++k)
    rows.absolute(fmt::format("case 1: slider at the end, {} [m]", "xyz"[k]), slider[k], c.slider[k], 1e-8, kProgram);
  const char* const jump =
      "ours has the share of the jump at the start of the step in it; energies and positions agree to nine digits";
  rows.differs("case 1: least force in the joint along the beam [N]", "-213.70", fmt::format("{:.2f}", c.pull[0]), jump);
  rows.differs("case 1: largest force in the joint along the beam [N]", "253.44", fmt::format("{:.2f}", c.pull[1]), jump);
  rows.absolute("case 1, energy preserving: work of the drive [J]", 0.165233345, kept.supplied, 1e-8, kProgram);
  rows.absolute("case 1, energy preserving: least force in the joint along the beam [N]", -288.96, kept.pull[0], 0.01, kProgram);
  rows.absolute("case 1, energy preserving: largest force in the joint along the beam [N]", 327.24, kept.pull[1], 0.01, kProgram);
  rows.truth("case 1: energy less what was supplied: largest growth in a step [J]", "0", fmt::format("{:.1e}", c.growth),
             c.growth < 1e-11);
  rows.truth("case 1, energy preserving: energy ledger, largest residual over the energy involved", "0",
             fmt::format("{:.1e}", kept.residual), kept.residual < 1e-11);
  double off = 0, low = 9, high = 0;
  for (const Sample& s : c.samples) {
    off = std::max(off, std::abs(s.x - rigid_slider(kSpeed * s.t)));
    low = std::min(low, s.x), high = std::max(high, s.x);
  }
  rows.relative("stroke of the slider [m]", rigid_slider(0) - rigid_slider(M_PI), high - low, 0.02, "rigid members");
  rows.shown("largest distance from the slider of rigid members [mm]", "", fmt::format("{:.2f}", 1e3 * off), "the beams bend");
}

/// What a run with clearance shows in turn five.
struct Fifth {
  int slow = 0, elsewhere = 0;  ///< minima of the slip: between 150 and 250 degrees, and the others
  int touching = 0, by_friction = 0, by_contact = 0;
  double least_slip = kInfinity;                            ///< in contact [m/s]
  double mean = 0, most = 0, least = kInfinity, where = 0;  ///< normal force [N], angle of the least one [degrees]
  double open = 0;                                          ///< share of the time without contact
  double open_last = 0;                                     ///< angle at which it was without contact last [degrees]
  double shortest = kInfinity, mean_step = 0;               ///< [s]
};

Fifth fifth_turn(const Course& c) {
  Fifth f;
  int steps = 0;
  for (std::size_t i = 1; i + 1 < c.samples.size(); ++i) {
    const Sample &s = c.samples[i], &a = c.samples[i - 1], &b = c.samples[i + 1];
    if (s.t < 4 * kTurn || s.t > 5 * kTurn) continue;
    const double degree = (s.t / kTurn - 4) * 360, h = s.t - a.t;
    ++steps;
    f.shortest = std::min(f.shortest, h);
    f.most = std::max(f.most, s.force);
    f.mean += s.force * h / kTurn;
    if (s.force < f.least) f.least = s.force, f.where = degree;
    if (s.force == 0) {
      f.open += h / kTurn;
      f.open_last = degree;
      continue;
    }
    ++f.touching;
    if (s.by_friction) ++f.by_friction;
    if (s.by_contact) ++f.by_contact;
    f.least_slip = std::min(f.least_slip, s.slip);
    if (s.slip < 10 * kStribeck && s.slip < a.slip && s.slip <= b.slip) ++(degree >= 150 && degree <= 250 ? f.slow : f.elsewhere);
  }
  f.mean_step = kTurn / std::max(steps, 1);
  return f;
}

/// Angles at which contact is lost in one turn [degrees]; one entry for what follows within five of them.
std::string lost(const Course& c, int number) {
  std::string list;
  double last = -10;
  for (const Sample& s : c.samples) {
    if (s.t < (number - 1) * kTurn || s.t > number * kTurn || s.force > 0) continue;
    const double degree = (s.t / kTurn - number + 1) * 360;
    if (degree > last + 5) list += fmt::format("{}{:.0f}", list.empty() ? "" : ", ", degree);
    last = degree;
  }
  return list.empty() ? "never" : list;
}

/// The two cases with the same damping. Case 2 runs several times, with other tolerances of Newton's iteration.
struct Pair {
  Course ideal;
  std::vector<Course> worn;
  std::vector<Fifth> fifth;

  /// A figure of every run.
  template <typename Text>
  std::string each(Text text) const {
    std::string list;
    for (std::size_t i = 0; i < fifth.size(); ++i) list += (i > 0 ? ", " : "") + text(fifth[i]);
    return list;
  }
  template <typename Test>
  bool all(Test test) const {
    return std::all_of(fifth.begin(), fifth.end(), test);
  }
  std::string lost_in(int number) const {
    std::string list;
    for (const Course& c : worn) list += (list.empty() ? "" : "; ") + lost(c, number);
    return list;
  }
};

Pair both_cases(Rows& rows, double damping, std::initializer_list<double> tolerances) {
  Pair p{turn({.damping = damping}), {}, {}};
  double growth = -kInfinity, residual = 0;
  for (double tolerance : tolerances) {
    const bool first = tolerance == *tolerances.begin();  // the sixth turn is for its likeness to the fifth
    Course c = turn({.worn = true, .damping = damping, .end = (first ? 6 : 5) * kTurn, .tolerance = tolerance});
    rows.truth(fmt::format("damping {:g} ms: case 2, {} turns, Newton's tolerance {:g}", 1e3 * damping, first ? "six" : "five",
                           tolerance),
               "runs", c.message.empty() ? "runs" : c.message, c.message.empty());
    if (!c.message.empty()) continue;
    // what Newton leaves over shows in the energy: the tight tolerance tells what the scheme does
    if (first) growth = c.growth, residual = c.residual;
    p.fifth.push_back(fifth_turn(c));
    p.worn.push_back(std::move(c));
  }
  if (p.worn.empty()) return p;
  const std::string title = fmt::format("damping {:g} ms: case 2: ", 1e3 * damping);
  rows.truth(title + "energy less what was supplied: largest growth in a step [J]", "0", fmt::format("{:.1e}", growth),
             growth < 1e-10);
  rows.truth(title + "energy ledger, largest residual over the energy involved", "0", fmt::format("{:.1e}", residual),
             residual < 1e-10);
  const Course& c = p.worn[0];
  rows.shown(title + "supplied, dissipated, taken out by the method [J]", "",
             fmt::format("{:.1f}, {:.1f}, {:.1f}", c.supplied, c.dissipated, c.numerical), "");
  return p;
}

/// The published outcomes, with the damping that lets the free vibration from the start die out.
void published(Rows& rows) {
  const Pair p = both_cases(rows, 1e-3, {1e-13, 1e-10});
  if (p.worn.empty()) return;
  const Fifth& f = p.fifth[0];
  rows.truth("M1: minima of the slip below 10 Stribeck velocities, 150 to 250 degrees", "several",
             p.each([](const Fifth& one) { return fmt::format("{}", one.slow); }),
             p.all([](const Fifth& one) { return one.slow >= 3; }), "inferred from: the crank's axis was placed by M1 and M2");
  rows.truth("M1: elsewhere", "none is mentioned", p.each([](const Fifth& one) { return fmt::format("{}", one.elsewhere); }),
             p.all([](const Fifth& one) { return 10 * one.elsewhere < one.slow; }));
  rows.truth("M2: contact is lost in turn five at [degrees]", "about 275", p.lost_in(5),
             p.all([](const Fifth& one) { return std::abs(one.open_last - 275) < 15; }),
             "inferred from, as M1; one figure for what follows within five degrees");
  for (int number : {2, 3, 4})
    rows.shown(fmt::format("M2: contact is lost in turn {} at [degrees]", number), "", p.lost_in(number), "");
  rows.shown("M3: normal force, mean and largest [N]", "varies rapidly", fmt::format("{:.0f}, {:.0f}", f.mean, f.most),
             fmt::format("case 1: {:.0f} N at most", std::max(-p.ideal.pull[0], p.ideal.pull[1])));
  for (std::size_t k = 0; k < kSignals; ++k) {
    const Spectrum one = spectrum(p.ideal, k, 5), two = spectrum(p.worn[0], k, 5);
    const char* const check = k < kLink1 ? "M4" : "M5";
    const double same = alike(one, two), periods[] = {alike(one, spectrum(p.ideal, k, 6)), alike(two, spectrum(p.worn[0], k, 6))};
    const std::string correlation = fmt::format("{}: {}: correlation of cases 1 and 2 below 50 Hz", check, kNames[k]),
                      repeats = fmt::format("M7: {}: correlation of turns 5 and 6 below 50 Hz, cases 1 and 2", kNames[k]),
                      values = fmt::format("{:.3f}, {:.3f}", periods[0], periods[1]);
    if (k == kLink2 || k == kLink3) {
      const std::string shear =
          fmt::format("shear below 50 Hz is {:.1f} N rms in case 1 and {:.1f} N in case 2: the ball shakes the link",
                      one.slow_rms(), two.slow_rms());
      rows.differs(correlation, "same shape", fmt::format("{:.3f}", same), shear);
      rows.differs(repeats, "periodic", values, shear);
    } else {
      rows.truth(correlation, "same shape", fmt::format("{:.3f}", same), same > 0.9);
      rows.truth(repeats, "periodic", values, periods[0] > 0.99 && periods[1] > 0.99,
                 "the damping is chosen so that case 1 repeats; that case 2 does is a result");
    }
    rows.truth(fmt::format("{}: {}: rms above 50 Hz, cases 1 and 2 [N]", check, kNames[k]), "case 2 adds oscillation",
               fmt::format("{:.3f}, {:.2f}", std::sqrt(std::max(one.fast, 0.0)), std::sqrt(two.fast)), two.fast > 3 * one.fast);
  }
  rows.truth("M6: steps in contact that the friction rule chose", "most", fmt::format("{} of {}", f.by_friction, f.touching),
             2 * f.by_friction > f.touching, fmt::format("the contact rule chose {}", f.by_contact));
  rows.truth("M6: shortest step in turn five [us]", "1.5 to 10",
             p.each([](const Fifth& one) { return fmt::format("{:.1f}", 1e6 * one.shortest); }),
             p.all([](const Fifth& one) { return one.shortest > 1.4e-6 && one.shortest < 10e-6; }));
  rows.shown("mean step in turn five [ms]", "far below the rotor's", fmt::format("{:.2f}", 1e3 * f.mean_step),
             "the rotor's is in its own table");
}

/// The bristles as the source writes them, one deflection along the slip, beside the vector that is the default.
void scalar_bristle(Rows& rows) {
  const Course c = turn({.worn = true, .damping = 1e-3, .end = 5 * kTurn, .vector_form = "scalar"});
  const std::string title = "one deflection along the slip (vector_form: scalar): ";
  rows.truth(title + "five turns", "runs", c.message.empty() ? "runs" : c.message, c.message.empty());
  if (!c.message.empty()) return;
  const Fifth f = fifth_turn(c);
  rows.shown(title + "M1: minima of the slip, 150 to 250 degrees, and elsewhere", "several",
             fmt::format("{} and {}", f.slow, f.elsewhere), "");
  rows.shown(title + "M2: contact is lost in turn five at [degrees]", "about 275", lost(c, 5), "");
  rows.shown(title + "M3: normal force, mean and largest [N]", "varies rapidly", fmt::format("{:.0f}, {:.0f}", f.mean, f.most),
             "");
  rows.shown(title + "M6: steps in contact that the friction rule chose; shortest [us]", "most; 1.5 to 10",
             fmt::format("{} of {}; {:.1f}", f.by_friction, f.touching, 1e6 * f.shortest), "");
}

/// The same with a tenth of the damping.
void lightly_damped(Rows& rows) {
  const Pair p = both_cases(rows, 1e-4, {1e-13, 1e-10});
  if (p.worn.empty()) return;
  const std::string title = "damping 0.1 ms: ";
  rows.shown(title + "M1: minima of the slip below 10 Stribeck velocities, 150 to 250 degrees, and elsewhere", "several",
             p.each([](const Fifth& one) { return fmt::format("{} and {}", one.slow, one.elsewhere); }),
             "runs differ in Newton's tolerance: how many there are is chance");
  rows.differs(title + "M2: contact is lost in turn five at [degrees]", "about 275", p.lost_in(5),
               "the ball rolls around in its socket, pressed outwards: see the rows below");
  rows.shown(title + "M3: normal force, mean and largest [N]", "varies rapidly",
             fmt::format("{:.0f}, {:.0f}", p.fifth[0].mean, p.fifth[0].most), "");
  std::string same, repeats[2], lines[2];
  for (std::size_t k = 0; k < kSignals; ++k) {
    const Spectrum one = spectrum(p.ideal, k, 5), two = spectrum(p.worn[0], k, 5);
    const char* const comma = k > 0 ? ", " : "";
    same += fmt::format("{}{:.3f}", comma, alike(one, two));
    repeats[0] += fmt::format("{}{:.3f}", comma, alike(one, spectrum(p.ideal, k, 6)));
    repeats[1] += fmt::format("{}{:.3f}", comma, alike(two, spectrum(p.worn[0], k, 6)));
    if (k != kRootY) continue;
    for (std::size_t h = 1; h <= 8; ++h) {
      lines[0] += fmt::format("{}{:.0f}", h > 1 ? ", " : "", 2 * std::abs(one.line[h]));
      lines[1] += fmt::format("{}{:.0f}", h > 1 ? ", " : "", 2 * std::abs(two.line[h]));
    }
  }
  rows.shown(title + "M4, M5: correlation of cases 1 and 2 below 50 Hz", "same shape", same,
             "root y, z, link 1, 2, 3; case 1 still has the free vibration from the start, near harmonic 5.6: see the next row");
  rows.shown(title + "M4: root.force.y: harmonics 1 to 8 in cases 1 and 2 [N]", "", lines[0] + "; " + lines[1], "");
  rows.shown(title + "M7: correlation of turns 5 and 6 below 50 Hz", "periodic",
             fmt::format("case 1: {}; case 2: {}", repeats[0], repeats[1]),
             "free vibration and whirl do not repeat with the crank");
  rows.shown(title + "M6: steps in contact that the friction rule chose", "most",
             p.each([](const Fifth& one) { return fmt::format("{} of {}", one.by_friction, one.touching); }),
             "the ball rolls, and its depth changes all the time");
  rows.shown(title + "M6: shortest step in turn five [us]", "1.5 to 10",
             p.each([](const Fifth& one) { return fmt::format("{:.2f}", 1e6 * one.shortest); }), "");
}

/// Without damping, first turn: with the spin of the link that the universal joint imposes, and without it.
void whirl(Rows& rows) {
  const char* const titles[] = {"link spun by the crank", "link hung on a ball: no spin"};
  for (bool free_spin : {false, true}) {
    const Course c = turn({.worn = true, .axis_y = kProgrammed, .free_spin = free_spin, .end = kTurn});
    rows.truth(fmt::format("no damping, first turn, {}", titles[free_spin]), "runs", c.message.empty() ? "runs" : c.message,
               c.message.empty());
    if (!c.message.empty()) continue;
    double mean = 0, open = 0;
    for (std::size_t i = 1; i < c.samples.size(); ++i) {
      const double h = (c.samples[i].t - c.samples[i - 1].t) / kTurn;
      mean += h * c.samples[i].force;
      if (c.samples[i].force == 0) open += h;
    }
    const double rate = (c.samples.back().around - c.samples[c.samples.size() / 2].around) /
                        (c.samples.back().t - c.samples[c.samples.size() / 2].t);
    rows.shown(fmt::format("{}: mean normal force [N], share of time without contact", titles[free_spin]), "",
               fmt::format("{:.0f}, {:.2f}", mean, open), "");
    if (!free_spin) {
      // the link turns about its own axis, seen towards the slider, at about -20 rad/s; a ball that rolls goes round the other way
      rows.truth("link spun by the crank: contact goes round the link at [rad/s]", "against the spin",
                 fmt::format("{:.0f}", rate), rate > 0, "a ball rolling in the socket: up to 22 rad/s times 49.5 over 0.5");
    } else {
      rows.shown("link hung on a ball: contact goes round the link at [rad/s]", "", fmt::format("{:.0f}", rate),
                 "it rattles instead");
    }
    rows.shown(fmt::format("{}: supplied, dissipated, taken out by the method [J]", titles[free_spin]), "",
               fmt::format("{:.1f}, {:.1f}, {:.1f}", c.supplied, c.dissipated, c.numerical), "");
  }
}

/// Without whirl, since friction is a tenth of what the source gives: contact is lost.
void slippery(Rows& rows) {
  const Course c = turn({.worn = true, .axis_y = kProgrammed, .damping = 1e-4, .end = 5 * kTurn, .mu = 0.03});
  const std::string title = "damping 0.1 ms, friction 0.03: ";
  rows.truth(title + "five turns", "runs", c.message.empty() ? "runs" : c.message, c.message.empty());
  if (!c.message.empty()) return;
  const Fifth f = fifth_turn(c);
  rows.shown(title + "contact is lost in turn five at [degrees]", "275", lost(c, 5),
             fmt::format("open for {:.2g} % of the time; normal force {:.0f} N on average", 100 * f.open, f.mean));
}

/// The step scheme on a bar that meets a stop.
void stop(Rows& rows) {
  const struct {
    const char* integrator;
    int separations;
    double mean, energy;
  } runs[] = {{"energy_preserving", 26, 0.959415, 1},
              {"energy_decaying", 31, 0.965934, 0.972378},
              {"energy_decaying, jump_contact: closed", 1, 0.957606, 0.972205}};
  for (const auto& one : runs) {
    Trial trial(model_text("bar_on_a_stop"),
                {fmt::format("analysis.integrator={{type: {}, step: 2 ms, newton_tolerance: 1e-13}}", one.integrator)});
    Run& run = trial.start();
    const int force = trial.channel("stop.normal_force");
    double before = 0, first = 0, last = 0, momentum = 0;
    int separations = 0;
    for (bool fine = true; fine && run.state().t < 0.4;) {
      fine = run.advance(0.4);
      const double now = trial.read(force);
      if (before > 0 && now == 0) ++separations;
      if (now > 0) {
        if (first == 0) first = run.previous().t;
        last = run.state().t;
      }
      before = now;
    }
    const char* const nodes[] = {"start", "tip"};
    for (int k = 0; k <= 20; ++k) {
      const std::string node = k == 0 ? nodes[0] : k == 20 ? nodes[1] : fmt::format("{}", k);
      momentum += (k % 20 == 0 ? 0.5 : 1) / 20 * trial.read(trial.channel("bar." + node + ".velocity.x"));
    }
    const std::string who = fmt::format("bar on a stop, {}: ", one.integrator);
    rows.truth(who + "separations", fmt::format("{}", one.separations), fmt::format("{}", separations),
               separations == one.separations, kProgram);
    rows.absolute(who + "mean velocity after it [m/s]", one.mean, momentum, 2e-6, kProgram);
    rows.absolute(who + "energy at the end over that at the start", one.energy, run.ledger().energy().total() / 0.5, 2e-6,
                  kProgram);
    rows.absolute(who + "mean velocity, exact [m/s]", 1, momentum, 0.05, "a wave runs up and down once");
    rows.absolute(who + "contact begins, exact [s]", 0.1, first, 2e-3 + 1e-12);
    rows.absolute(who + "contact ends, exact [s]", 0.3, last, 8e-3, "within a wave over an element, 5 ms, and a step");
  }
}

}  // namespace

std::vector<ValidationRow> validate_spatial_mechanism(int jobs) {
  return in_parts(jobs, {ideal, published, scalar_bristle, lightly_damped, whirl, slippery, stop}).take();
}

}  // namespace bristle
