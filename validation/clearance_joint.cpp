// Main bearing of the spatial slider-crank with clearance, without and with friction. The source prints curves and describes them;
// figures in the column of published values are from an independent program written from the printed equations (RK4, steps of 0.25 to
// 1 us, several axes of the cross). After the first impacts the motion is chaotic: means of several runs are compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "validation/cases.h"
#include "validation/rows.h"
#include "validation/slider_crank.h"
#include "validation/trial.h"

namespace bristle {

namespace {

struct Size {
  double pin, radial, length, axial;  ///< [mm] pin radius and length, clearances
};
constexpr Size kSizes[] = {{9.5, 0.5, 19, 1}, {9.5, 0.5, 19.5, 0.5}, {9.75, 0.25, 19, 1}};

struct Law {
  const char *name, *text;
};
constexpr Law kLaws[] = {
    {"coulomb", ", friction: {type: coulomb, mu_kinetic: 0.1}"},
    {"stribeck", ", friction: {type: stribeck, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s}"},
    {"dahl", ", friction: {type: dahl, mu_kinetic: 0.1, sigma0: 1e5 N/m, reference_load: 10 N, vector_form: printed}"},
    {"lugre",
     ", friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s, sigma0: 1e5 N/m, sigma1: "
     "316.227766016837933 N s/m, sigma2: 0 N s/m, reference_load: 10 N, cap: true, vector_form: printed}"}};
constexpr const char* kIsotropic =
    ", friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s, sigma0: 1e5 N/m, sigma1: "
    "316.227766016837933 N s/m, sigma2: 0 N s/m, reference_load: 10 N, cap: true}";
constexpr const char* kUncapped =
    ", friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s, sigma0: 1e5 N/m, sigma1: "
    "316.227766016837933 N s/m, sigma2: 0 N s/m, reference_load: 10 N, vector_form: printed}";

struct Variant {
  SliderCrank::Cross cross;
  const char *axes, *tolerance;
};
constexpr SliderCrank::Cross kU1 = SliderCrank::Cross::natural, kU2 = SliderCrank::Cross::rod_axis;
constexpr Variant kVariants[] = {{kU2, "U2", "1e-6"}, {kU1, "U1", "1e-6"}, {kU2, "U2", "7e-7"}, {kU1, "U1", "7e-7"},
                                 {kU2, "U2", "5e-7"}, {kU1, "U1", "5e-7"}, {kU2, "U2", "3e-7"}, {kU1, "U1", "3e-7"}};
constexpr Variant kTight = {kU2, "U2", "1e-7"};  // where runs do not part company, and errors would show
constexpr std::size_t kRuns = std::size(kVariants);
// Student's factors that hold 99.7 % of all means of so many runs, and of differences of two: what three is for very many
constexpr double kSure = 4.53, kSureOfTwo = 3.64;
constexpr const char* kPoints[] = {"main.A.axial", "main.A.radial", "main.B.axial", "main.B.radial"};

struct Contact {
  std::string who;
  double time = 0, approach = 0;
};

struct Course {
  std::array<double, 1001> y{};  ///< slider every ms [m]
  double energy[3] = {0, 0, 0};  ///< change of kinetic and gravity energy at 0.5, 0.6 and 1 s [J]
  double lowest = 0;             ///< crank angle [rad]
  double most_y = 0, least_a = 0, most_a = 0, load = 0;
  Contact first;
  double apart = 0;           ///< largest change of energy over a flight without contact [J]
  double lost = 0, slow = 0;  ///< lost in all contacts, and in those that last 1 ms and longer [J]
  double rubbed = 0;          ///< by friction, of what was dissipated
  double residual = 0;
  int contacts = 0;
  std::string message;
};

std::string bearing(const Size& s, const std::string& more) {
  return fmt::format(
      "clearance: {} mm, axial_clearance: {} mm, pin_radius: {} mm, length: {} mm, "
      "contact: {{type: lankarani_nikravesh, stiffness: 6.71e10 N/m^1.5, restitution: 0.9}}{}",
      s.radial, s.axial, s.pin, s.length, more);
}

Course follow(const std::string& worn, const Variant& variant, double end = 1) {
  SliderCrank mechanism;
  mechanism.cross = variant.cross;
  mechanism.worn = worn;
  mechanism.end = end;
  Trial trial(mechanism.text(), {"analysis.enforcement={type: baumgarte, alpha: 5, beta: 5}",
                                 fmt::format("analysis.integrator={{type: dormand_prince, tolerance: {}}}", variant.tolerance)});
  Run& run = trial.start();
  const Layout& layout = trial.system().layout();
  const double mass[3] = {0.12, 0.5, 0.5};
  const int slider = layout.bodies[3].q + 1, crank = layout.bodies[1].q + 3;
  const auto index = [&](const std::string& name) { return static_cast<std::size_t>(trial.channel(name)); };
  const std::size_t a = index("slider.acceleration.y");
  std::size_t gap[4], force[4];
  for (std::size_t k = 0; k < 4 && !worn.empty(); ++k)
    gap[k] = index(std::string(kPoints[k]) + ".gap"), force[k] = index(std::string(kPoints[k]) + ".normal_force");

  Course c;
  struct Sample {
    double t = 0, gap[4] = {0, 0, 0, 0};
  } past[3];
  int samples = 0;
  const auto mechanical = [&] {
    double sum = run.ledger().energy().kinetic;
    for (std::size_t k = 0; k < 3; ++k) sum += mass[k] * 9.81 * run.state().q()[layout.bodies[k + 1].q + 2];
    return sum;
  };
  const auto angle_of = [&] {  // of the crank about y: where its z axis points
    const double *p = run.state().q() + crank, w = p[0], x = p[1], y = p[2], z = p[3];
    return std::atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y));
  };
  const double start = mechanical();
  double angle = 0, turned = angle_of(), t0 = 0, y0 = run.state().q()[slider];
  double event_energy = start, closed_since = 0, before = start;
  bool closed = false;
  c.y[0] = c.most_y = y0;
  std::size_t grid = 1;
  const double stops[] = {0.5, 0.6, 1};
  for (std::size_t s = 0; s < 3 && t0 < end; ++s) {
    const double stop = std::min(stops[s], end);
    while (run.state().t < stop) {
      if (!run.advance(stop)) {
        c.message = run.message();
        return c;
      }
      const double t = run.state().t, y = run.state().q()[slider], now = angle_of();
      angle += std::remainder(now - turned, 2 * M_PI);
      turned = now;
      c.lowest = std::min(c.lowest, angle);
      c.most_y = std::max(c.most_y, y);
      for (; grid < c.y.size() && 1e-3 * static_cast<double>(grid) <= t + 1e-12; ++grid)
        c.y[grid] = y0 + (1e-3 * static_cast<double>(grid) - t0) / (t - t0) * (y - y0);
      t0 = t, y0 = y;
      const std::vector<double>& out = trial.outputs();
      c.least_a = std::min(c.least_a, out[a]), c.most_a = std::max(c.most_a, out[a]);
      if (worn.empty()) continue;
      bool touches = false;
      past[0] = past[1], past[1] = past[2];
      past[2].t = t;
      ++samples;
      for (std::size_t k = 0; k < 4; ++k) {
        past[2].gap[k] = out[gap[k]];
        touches = touches || out[force[k]] > 0;
        c.load = std::max(c.load, out[force[k]]);
        if (c.first.who.empty() && out[gap[k]] < 0 && samples > 2) {  // a parabola through the last open gaps and this one
          const double h1 = past[1].t - past[0].t, h2 = t - past[1].t, g0 = past[0].gap[k], g1 = past[1].gap[k], g2 = out[gap[k]];
          const double curve = ((g2 - g1) / h2 - (g1 - g0) / h1) / (h1 + h2), slope = (g1 - g0) / h1 + curve * h1;
          double at = -g1 / slope;
          for (int i = 0; i < 5; ++i) at -= (g1 + at * (slope + curve * at)) / (slope + 2 * curve * at);
          c.first = {kPoints[k], past[1].t + at, -(slope + 2 * curve * at)};
        }
      }
      const double energy = mechanical();
      if (touches != closed) {
        if (touches) {  // over the flight up to the last step that ended in it
          c.apart = std::max(c.apart, std::abs(before - event_energy));
          closed_since = t;
          ++c.contacts;
        } else {
          c.lost += event_energy - energy;
          if (t - closed_since > 1e-3) c.slow += event_energy - energy;
        }
        event_energy = touches ? before : energy;
        closed = touches;
      }
      before = energy;
    }
    c.energy[s] = mechanical() - start;
  }
  const Ledger& ledger = run.ledger();
  double all = 0;
  for (std::size_t k = 0; k < layout.accounts.size(); ++k) {
    if (layout.accounts[k].kind != Account::Kind::dissipated) continue;
    const double joule = ledger.of(static_cast<int>(k));
    all += joule;
    if (layout.accounts[k].name.find(".contact") == std::string::npos) c.rubbed += joule;
  }
  c.rubbed /= std::max(all, 1e-300);
  c.residual = ledger.worst_residual() / ledger.scale();
  return c;
}

struct Statistics {
  double mean = 0, spread = 0, least = 1e9, most = -1e9;  ///< spread: standard deviation
};
template <class Read>
Statistics over(const std::array<Course, kRuns>& runs, Read read) {
  Statistics s;
  for (const Course& c : runs) {
    s.mean += read(c) / kRuns;
    s.least = std::min(s.least, read(c)), s.most = std::max(s.most, read(c));
  }
  for (const Course& c : runs) s.spread += std::pow(read(c) - s.mean, 2) / (kRuns - 1);
  s.spread = std::sqrt(s.spread);
  return s;
}

/// Chaotic runs: the mean of ours lies in the range of the reference's runs, widened by what the mean of so few is uncertain by.
void compare(Rows& rows, const std::string& quantity, double low, double high, const Statistics& s) {
  const double error = s.spread / std::sqrt(static_cast<double>(kRuns));
  rows.truth(quantity + ", mean", fmt::format("{:.4g} to {:.4g}", low, high),
             fmt::format("{:.4f} ({:.4f} to {:.4f})", s.mean, s.least, s.most),
             s.mean >= low - kSure * error && s.mean <= high + kSure * error, fmt::format("99.7 %: {:.4f}", kSure * error));
}

bool finished(Rows& rows, const std::string& name, const std::array<Course, kRuns>& runs) {
  std::string said = "run";
  for (const Course& c : runs) {
    if (!c.message.empty()) said = c.message;
  }
  rows.truth(fmt::format("{}: {} runs of 1 s", name, kRuns), "run", said, said == "run");
  double residual = 0;
  for (const Course& c : runs) residual = std::max(residual, c.residual);
  rows.truth(fmt::format("{}: energy ledger, largest residual over the energy involved", name), "0",
             fmt::format("{:.1e}", residual), residual < 1e-5);
  return said == "run";
}

void show_runs(Rows& rows, const std::string& name, const std::array<Course, kRuns>& runs, const std::string& published) {
  for (std::size_t k = 0; k < kRuns; ++k) {
    const Course& c = runs[k];
    rows.shown(fmt::format("{}, axes {}, tolerance {}: change of energy at 0.5, 0.6, 1 s [J]; lowest crank angle [rad]; slider "
                           "acceleration [m/s^2]; load [N]",
                           name, kVariants[k].axes, kVariants[k].tolerance),
               k == 0 ? published : "",
               fmt::format("{:.4f}, {:.4f}, {:.4f}; {:.2f}; {:.0f} to {:.0f}; {:.0f}", c.energy[0], c.energy[1], c.energy[2],
                           c.lowest, c.least_a, c.most_a, c.load),
               "one chaotic run; means are compared");
  }
}

double distance(const Course& a, const Course& b, std::size_t from, std::size_t to, bool largest) {
  double sum = 0, most = 0;
  for (std::size_t k = from; k <= to; ++k) {
    sum += std::pow(a.y[k] - b.y[k], 2) / static_cast<double>(to - from + 1);
    most = std::max(most, std::abs(a.y[k] - b.y[k]));
  }
  return largest ? most : std::sqrt(sum);
}

using Runs = std::array<Course, kRuns>;
Runs run_all(const std::string& worn) {
  Runs runs;
  for (std::size_t k = 0; k < kRuns; ++k) runs[k] = follow(worn, kVariants[k]);
  return runs;
}

/// Clearance alone. Returns the runs of the first geometry.
Runs clearance(Rows& rows) {
  const Course ideal = follow("", kTight);
  Runs runs[3];
  const struct {
    const char* who;
    double time, approach;
    double at6[2], at1[2];
    double y;
    const char* shown;
  } published[3] = {
      {"main.B.axial", 0.015717, 0.06265, {-0.087, -0.073}, {-0.122, -0.110}, 0.2907, "-5.71 to -5.83; -1492 to 856; 4326"},
      {"main.B.axial", 0.011071, 0.04482, {-0.049, -0.028}, {-0.051, -0.032}, 0.2869, "full turn in 4 of 6; -826 to 588; 3837"},
      {"main.B.radial", 0.011600, 0.04319, {-0.072, -0.064}, {-0.114, -0.103}, 0.2883, "-5.84 to -5.90; -857 to 1066; 3308"}};
  Statistics at6[3], peak[3];
  double rms[3], early[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = fmt::format("simulation {}", k + 1);
    runs[k] = run_all(bearing(kSizes[k], ""));
    if (!finished(rows, name, runs[k])) return runs[0];
    // deterministic: before it nothing has touched. Half a unit of the last printed digit, and what a step of 0.5 us leaves open
    const Course& c = runs[k][0];
    rows.truth(name + ": first contact", published[k].who, c.first.who, c.first.who == published[k].who);
    rows.absolute(name + ": time of the first contact [s]", published[k].time, c.first.time, 1.5e-6);
    rows.absolute(name + ": speed of approach there [m/s]", published[k].approach, c.first.approach, 1e-5);
    rows.absolute(name + ", axes U1: time of the first contact [s]", published[k].time, runs[k][1].first.time, 1e-5);
    at6[k] = over(runs[k], [](const Course& one) { return one.energy[1]; });
    peak[k] = over(runs[k], [](const Course& one) { return std::max(-one.least_a, one.most_a); });
    compare(rows, name + ": change of energy at 0.6 s [J]", published[k].at6[0], published[k].at6[1], at6[k]);
    compare(rows, name + ": change of energy at 1 s [J]", published[k].at1[0], published[k].at1[1],
            over(runs[k], [](const Course& one) { return one.energy[2]; }));
    const Statistics y = over(runs[k], [](const Course& one) { return one.most_y; });
    rows.absolute(name + ": largest y of the slider, mean [m]", published[k].y, y.mean, 5e-4,
                  fmt::format("{:.4f} to {:.4f}; ideal {:.5f}", y.least, y.most, ideal.most_y));
    show_runs(rows, name, runs[k], published[k].shown);
    rms[k] = early[k] = 0;
    for (const Course& one : runs[k])
      rms[k] += distance(one, ideal, 0, 1000, false) / kRuns, early[k] += distance(one, ideal, 0, 500, false) / kRuns;
  }
  for (std::size_t k = 0; k < 3; ++k)
    rows.truth(fmt::format("CL1, CL5: simulation {}: largest acceleration of the slider over that of the ideal joint", k + 1),
               "far above 1", fmt::format("{:.0f}", peak[k].mean / -ideal.least_a), peak[k].least > 10 * -ideal.least_a);
  const auto lowest = [](const Course& one) { return one.lowest; };
  const auto full = [&](std::size_t k) {
    return std::count_if(runs[k].begin(), runs[k].end(), [](const Course& one) { return one.lowest < -2 * M_PI; });
  };
  rows.truth("CL2: simulation 1: lowest crank angle of all runs [rad]", "above -6.283: no full turn",
             fmt::format("{:.2f}", over(runs[0], lowest).least), full(0) == 0);
  compare(rows, "CL2: simulation 1: lowest crank angle [rad]", -5.83, -5.71, over(runs[0], lowest));
  const double kinetic = 0.042029;
  rows.truth("CL2: simulation 1: energy lost at 0.6 s exceeds the kinetic energy of the start, 0.042 J, in all runs", "yes",
             fmt::format("{:.4f} J and more", -at6[0].most), -at6[0].most > kinetic);
  rows.truth("CL4: simulation 2: runs with a full turn", "4 of 6", fmt::format("{} of {}", full(1), kRuns), full(1) > 0,
             "marginal: its loss is about the kinetic energy of the start");
  rows.truth("CL5: simulation 3: lowest crank angle of all runs [rad]", "above -6.283: no full turn",
             fmt::format("{:.2f}", over(runs[2], lowest).least), full(2) == 0);
  compare(rows, "CL5: simulation 3: lowest crank angle [rad]", -5.90, -5.84, over(runs[2], lowest));
  rows.truth("CL4: largest acceleration: simulation 2 below simulation 1, means [m/s^2]", "yes",
             fmt::format("{:.0f}, {:.0f}", peak[1].mean, peak[0].mean), peak[1].mean < peak[0].mean);
  rows.truth("CL5: largest acceleration: simulation 3 below simulation 1, means [m/s^2]", "yes, less markedly",
             fmt::format("{:.0f}, {:.0f}", peak[2].mean, peak[0].mean), peak[2].mean < peak[0].mean);
  const auto list = [&](const double* of) {
    return fmt::format("{:.1f}, {:.1f}, {:.1f}", 1e3 * of[0], 1e3 * of[1], 1e3 * of[2]);
  };
  rows.truth("CL4: slider position: rms distance from the ideal joint up to 0.5 s, simulations 1, 2, 3 [mm]", "2 nearest",
             list(early), early[1] < early[0] && early[1] < early[2]);
  rows.differs("CL4: slider position: rms distance from the ideal joint up to 1 s, simulations 1, 2, 3 [mm]", "2 nearest",
               list(rms),
               "simulation 2 passes its upper dead point, at 0.58 s, with next to no speed: early, late or not at all");
  rows.truth("CL6: loss at 0.6 s, means: simulation 1 > 3 > 2 [J]", "yes",
             fmt::format("{:.4f}, {:.4f}, {:.4f}", -at6[0].mean, -at6[2].mean, -at6[1].mean),
             at6[0].mean < at6[2].mean && at6[2].mean < at6[1].mean);

  // clearances to zero: the ideal joint
  double before = 0;
  for (double share : {1.0, 0.1, 0.01}) {
    Size small = kSizes[0];
    small.radial *= share, small.axial *= share;
    const Course c = share == 1 ? runs[0][0] : follow(bearing(small, ""), kTight, 0.25);
    const double off = distance(c, ideal, 0, 250, true);
    rows.truth(fmt::format("limit: clearances of simulation 1 times {}: slider off the ideal joint up to 0.25 s [mm]", share),
               share == 1 ? "approaches 0" : "", c.message.empty() ? fmt::format("{:.4f}", 1e3 * off) : c.message,
               c.message.empty() && (share == 1 || off < 0.3 * before));
    before = off;
  }
  return runs[0];
}

void friction(Rows& rows, const Runs& none) {
  const struct {
    double at5[2], at1[2];
    const char* shown;
  } published[4] = {{{-0.32, -0.29}, {-0.47, -0.45}, "-1257 to 634"},
                    {{-0.31, -0.31}, {-0.53, -0.47}, "-1302 to 635"},
                    {{-0.29, -0.27}, {-0.45, -0.44}, "-1494 to 695"},
                    {{-0.39, -0.36}, {-0.56, -0.54}, "-1011 to 833"}};
  Runs runs[4];
  Statistics at1[4], lowest[4];
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string name = kLaws[k].name;
    runs[k] = run_all(bearing(kSizes[0], kLaws[k].text));
    if (!finished(rows, name, runs[k])) return;
    compare(rows, name + ": change of energy at 0.5 s [J]", published[k].at5[0], published[k].at5[1],
            over(runs[k], [](const Course& c) { return c.energy[0]; }));
    at1[k] = over(runs[k], [](const Course& c) { return c.energy[2]; });
    lowest[k] = over(runs[k], [](const Course& c) { return c.lowest; });
    compare(rows, name + ": change of energy at 1 s [J]", published[k].at1[0], published[k].at1[1], at1[k]);
    show_runs(rows, name, runs[k], published[k].shown);
  }
  Runs isotropic;
  for (std::size_t k = 0; k < kRuns; ++k) isotropic[k] = follow(bearing(kSizes[0], kIsotropic), kVariants[k], 0.5);
  const Statistics round = over(isotropic, [](const Course& c) { return c.energy[0]; });
  rows.differs("lugre, isotropic vector form (the default): change of energy at 0.5 s, mean [J]", "-0.39 to -0.36",
               fmt::format("{:.4f} ({:.4f} to {:.4f})", round.mean, round.least, round.most),
               "the reference uses the printed form, in which a deflection across the slip never relaxes; so do the rows above");
  rows.truth("CF1 coulomb: lowest crank angle of all runs [rad]", "not below -5", fmt::format("{:.2f}", lowest[0].least),
             lowest[0].least > -5);
  std::vector<double> between;
  for (std::size_t k = 0; k < kRuns; ++k) between.push_back(1e3 * distance(runs[0][k], runs[1][k], 0, 500, true));
  const double mean = std::accumulate(between.begin(), between.end(), 0.0) / kRuns;
  rows.truth("CF2 slider position, stribeck against coulomb up to 0.5 s, mean [mm]", "within 10",
             fmt::format("{:.2f} ({:.2f})", mean, fmt::join(between, ", ")), mean < 10, "single runs in brackets");
  const double error = std::sqrt((std::pow(at1[0].spread, 2) + std::pow(at1[2].spread, 2)) / kRuns);
  rows.truth("CF3 change of energy at 1 s, dahl and coulomb, means [J]", "close",
             fmt::format("{:.4f}, {:.4f}", at1[2].mean, at1[0].mean), std::abs(at1[2].mean - at1[0].mean) <= kSureOfTwo * error,
             fmt::format("99.7 %: {:.4f}", kSureOfTwo * error));
  rows.truth("CF4: largest loss at 1 s of coulomb, stribeck, dahl, lugre, means [J]", "lugre",
             fmt::format("{:.3f}, {:.3f}, {:.3f}, {:.3f}", -at1[0].mean, -at1[1].mean, -at1[2].mean, -at1[3].mean),
             at1[3].mean < std::min({at1[0].mean, at1[1].mean, at1[2].mean}));
  rows.truth("CF4: the crank turns least with lugre, lowest angles, means [rad]", "yes; -4.55 with lugre",
             fmt::format("{:.2f}, {:.2f}, {:.2f}, {:.2f}", lowest[0].mean, lowest[1].mean, lowest[2].mean, lowest[3].mean),
             lowest[3].mean > std::max({lowest[0].mean, lowest[1].mean, lowest[2].mean}));
  const Statistics dry = over(none, [](const Course& c) { return c.energy[2]; });
  for (std::size_t k = 0; k < 4; ++k)
    rows.truth(fmt::format("CF5 {}: loss at 1 s over that without friction, means", kLaws[k].name), "far above 1",
               fmt::format("{:.1f}", at1[k].mean / dry.mean), at1[k].mean < 2 * dry.mean);
  double apart = 0;
  for (const Course& c : none) apart = std::max(apart, c.apart);
  rows.truth("CF6 without friction: largest change of energy between two contacts [J]", "0", fmt::format("{:.1e}", apart),
             apart < 1e-6, "tolerance of the steps, feedback of Baumgarte");
  rows.shown("CF6: share of the loss in contacts of more than 1 ms, without friction and with coulomb",
             "steps; also continuously",
             fmt::format("{:.2f}, {:.2f}", none[0].slow / none[0].lost, runs[0][0].slow / runs[0][0].lost), "one run each");
  rows.truth("CF6 coulomb: share of the loss that friction takes", "most of it", fmt::format("{:.2f}", runs[0][0].rubbed),
             runs[0][0].rubbed > 0.5);
  const Course loose = follow(bearing(kSizes[0], kUncapped), kVariants[0]);
  rows.shown("CF4, CF7 lugre without cap: change of energy at 0.5, 1 s [J]; slider acceleration [m/s^2]",
             "-0.57 to -0.62, -0.645; -1450 to 1456; diverged once",
             loose.message.empty()
                 ? fmt::format("{:.3f}, {:.3f}; {:.0f} to {:.0f}", loose.energy[0], loose.energy[2], loose.least_a, loose.most_a)
                 : loose.message);
}

}  // namespace

std::vector<ValidationRow> validate_clearance_joint() {
  Rows rows;
  friction(rows, clearance(rows));
  return rows.take();
}

}  // namespace bristle
