// Contacts whose outcome is known: collisions, rolling, restitution, rest in a bearing, play, and what must not change.
#include <gtest/gtest.h>

#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846, kG = 9.81;

/// Follows one number from step to step.
struct Watch {
  double t = 0, value = 0;
  bool any = false;
  /// Time at which it passed through zero in the last step, or -1.
  double crossing(double time, double now) {
    const double at = any && value * now < 0 ? t + (time - t) * value / (value - now) : -1;
    t = time, value = now, any = true;
    return at;
  }
};

TEST(Collision, spheres_meet_as_hertz_says) {
  const double m1 = 0.03, m2 = 0.25, r1 = 0.01, r2 = 0.02, v = 0.15, young = 210e9, poisson = 0.3;
  const double modulus = young / (2 * (1 - poisson * poisson)), radius = r1 * r2 / (r1 + r2),
               K = 4.0 / 3 * modulus * std::sqrt(radius);
  const double mass = m1 * m2 / (m1 + m2), depth = std::pow(1.25 * mass * v * v / K, 0.4);
  const double stay = 0.8 * std::sqrt(kPi) * std::tgamma(0.4) / std::tgamma(0.9) * depth / v;
  Mechanism m(fmt::format(R"(bristle: 1
bodies:
  a: {{type: rigid, mass: {0}, inertia: [1e-5, 1e-5, 1e-5], position: [0, 0, 0], velocity: [0.1, 0, 0]}}
  b: {{type: rigid, mass: {1}, inertia: [1e-4, 1e-4, 1e-4], position: [{2:.17g}, 0, 0], velocity: [-0.05, 0, 0]}}
joints:
  hit:
    type: contact
    between: [a, b]
    surfaces: [{{type: sphere, radius: {3}}}, {{type: sphere, radius: {4}}}]
    contact: {{type: hertz, young: 210 GPa, poisson: 0.3}}
analysis: {{type: transient, end: 1 ms, integrator: {{type: rk4, step: {5:.17g} s}}}}
)",
                          m1, m2, r1 + r2 + 0.1 * depth, r1, r2, stay / 1000));
  m.start();
  Watch gap;
  double in = -1, out = -1, most = 0;
  while (out < 0 && m.run().state().t < 3 * stay) {
    ASSERT_TRUE(m.run().advance(3 * stay)) << m.run().message();
    const double at = gap.crossing(m.run().state().t, m.read("hit.gap"));
    if (at > 0) (in < 0 ? in : out) = at;
    most = std::max(most, m.read("hit.normal_force"));
  }
  // samples a thousandth of the contact apart: the peak is flat, the ends are straight
  EXPECT_NEAR(most, K * std::pow(depth, 1.5), 1e-5 * most);
  EXPECT_NEAR(out - in, stay, 1e-5 * stay);
  EXPECT_NEAR(m.read("a.velocity.x"), 0.1 - 2 * m2 / (m1 + m2) * v, 1e-7 * v);
  EXPECT_NEAR(m.read("b.velocity.x"), -0.05 + 2 * m1 / (m1 + m2) * v, 1e-7 * v);
  EXPECT_LT(m.residual(), 1e-7);
}

/// The restitution that F = K d^n (1 + a d'/v) delivers: 1/a - ln(1+a)/a^2 = -e/a - ln(1 - a e)/a^2, from the energy over one impact.
double delivered(double a) {
  const auto G = [a](double u) { return u / a - std::log1p(a * u) / (a * a); };
  double low = 0, high = std::min(1.0, (1 - 1e-15) / a);
  for (int k = 0; k < 200; ++k) {
    const double e = 0.5 * (low + high);
    (G(-e) < G(1) ? low : high) = e;
  }
  return low;
}

TEST(Collision, every_bounce_keeps_the_share_of_speed_that_the_law_delivers) {
  const struct {
    const char* law;
    double asked, factor;
  } laws[] = {{"flores", 0.7, 8 * 0.3 / (5 * 0.7)},      {"flores", 0.3, 8 * 0.7 / (5 * 0.3)},
              {"hunt_crossley", 0.9, 1.5 * 0.1},         {"lankarani_nikravesh", 0.9, 0.75 * (1 - 0.81)},
              {"lankarani_nikravesh", 0.5, 0.75 * 0.75}, {"gonthier", 0.5, 0.75 / 0.5}};
  for (const auto& law : laws) {
    // between two walls, without gravity
    Mechanism m(fmt::format(R"(bristle: 1
bodies:
  ball: {{type: particle, mass: 1, position: [0, 0, 0.03], velocity: [0, 0, -1]}}
joints:
  floor: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 20 mm}}], contact: {0}}}
  roof: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, at: [0, 0, 0.06], axis: -z}}, {{type: sphere, radius: 20 mm}}], contact: {0}}}
analysis: {{type: transient, end: 10 s, integrator: {{type: dormand_prince, tolerance: 1e-9, step: 1 ms}}}}
)",
                            fmt::format("{{type: {}, stiffness: 1e8 N/m^1.5, restitution: {}}}", law.law, law.asked)));
    m.start();
    const double e = delivered(law.factor);
    double speed = 1;
    int bounces = 0;
    bool touched = false;
    while (bounces < 5) {
      ASSERT_TRUE(m.run().advance(10)) << m.run().message();
      const bool apart = m.read("floor.gap") > 0 && m.read("roof.gap") > 0;
      if (touched && apart) {
        const double now = std::abs(m.read("ball.velocity.z"));
        // the speed at touch-down is that of the first step inside
        EXPECT_NEAR(now / speed, e, 1e-4) << law.law << " " << law.asked << " bounce " << bounces;
        speed = now;
        ++bounces;
      }
      touched = !apart;
    }
    EXPECT_LT(m.residual(), 1e-6) << law.law;
  }
}

TEST(Collision, spinning_bodies_keep_momentum_and_angular_momentum) {
  for (const char* law :
       {"{type: lugre, mu_static: 0.4, mu_kinetic: 0.3, sigma0: 1e5 1/m, sigma1: 30 s/m}", "{type: coulomb, mu_kinetic: 0.3}"}) {
    Mechanism m(fmt::format(R"(bristle: 1
bodies:
  a: {{type: rigid, mass: 1, inertia: [2e-4, 3e-4, 4e-4], position: [0, 0, 0], velocity: [1, 0.1, 0], angular_velocity: [3, -20, 40]}}
  b: {{type: rigid, mass: 2, inertia: [5e-4, 4e-4, 6e-4], position: [0.06, 0.012, 0.005], velocity: [-1, 0, 0.2], angular_velocity: [0, 15, 30]}}
joints:
  hit:
    type: contact
    between: [a, b]
    surfaces: [{{type: sphere, radius: 20 mm}}, {{type: sphere, radius: 30 mm}}]
    contact: {{type: hunt_crossley, stiffness: 1e8 N/m^1.5, restitution: 0.8}}
    friction: {}
analysis: {{type: transient, end: 20 ms, integrator: {{type: dormand_prince, tolerance: 1e-10}}}}
)",
                            law));
    const auto before = m.momentum(m.state());
    double load = 0;
    m.start();
    while (m.run().state().t < 0.02) {
      ASSERT_TRUE(m.run().advance(0.02)) << m.run().message();
      load = std::max(load, m.read("hit.normal_force"));
    }
    const auto after = m.momentum(m.run().state());
    EXPECT_GT(load, 100) << law;
    EXPECT_GT(m.run().ledger().dissipated(), 0.1) << law;
    // gyroscopic motion is integrated to 1e-10; the contact itself pushes both bodies at one point
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm() + 1e-12) << law;
    EXPECT_LT((after.angular - before.angular).norm(), 1e-8 * before.angular.norm()) << law;
    EXPECT_LT(m.residual(), 1e-7) << law;
  }
}

/// A solid ball on a slope, resting on it at the depth of its weight.
struct Slope {
  double angle, mu, mass = 1, radius = 0.02, K = 1e9;
  double depth() const { return std::pow(mass * kG * std::cos(angle) / K, 2.0 / 3); }
  std::string text(double speed) const {
    const Vector3d normal(std::sin(angle), 0, std::cos(angle)), along(std::cos(angle), 0, -std::sin(angle));
    return fmt::format(R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {{type: rigid, mass: {0}, inertia: [{1:.17g}, {1:.17g}, {1:.17g}], position: {2}, velocity: {3}}}
joints:
  slope:
    type: contact
    between: [ground, ball]
    surfaces: [{{type: plane, axis: {4}}}, {{type: sphere, radius: {5}}}]
    overlap: keep
    contact: {{type: hertz, stiffness: {6} N/m^1.5, dissipation: 1}}
    friction: {{type: coulomb, mu_kinetic: {7}}}
analysis: {{type: transient, end: 10 s, integrator: {{type: dormand_prince, tolerance: 1e-8}}}}
)",
                       mass, 0.4 * mass * radius * radius, text_of(Vector3d((radius - depth()) * normal)),
                       text_of(Vector3d(speed * along)), text_of(normal), radius, K, mu);
  }
};

TEST(Rolling, ball_on_a_slope_rolls_or_slides) {
  const double angle = std::atan(0.3);
  for (double mu : {0.2, 0.12, 0.07, 0.03}) {  // it rolls above 2/7 tan(angle) = 0.0857
    const Slope s{angle, mu};
    Mechanism m(s.text(0));
    ASSERT_TRUE(m.go(0.5));
    const bool rolls = mu > 2.0 / 7 * 0.3;
    const double a = rolls ? 5.0 / 7 * kG * std::sin(angle) : kG * (std::sin(angle) - mu * std::cos(angle));
    const double spin = rolls ? a / s.radius : 2.5 * mu * kG * std::cos(angle) / s.radius;
    const double slack = 2 * s.depth() / s.radius;  // the lever arm is shorter by the depth
    EXPECT_NEAR(m.vector("ball.velocity").norm(), 0.5 * a, slack * 0.5 * a) << mu;
    EXPECT_NEAR(m.read("ball.angular_velocity.y"), 0.5 * spin, slack * 0.5 * spin) << mu;
    EXPECT_EQ(m.read("slope.mode"), rolls ? 0 : 1) << mu;
    EXPECT_LT(m.residual(), 1e-6);
  }
}

TEST(Rolling, sliding_ball_rolls_on_with_five_sevenths_of_its_speed) {
  const Slope s{0, 0.2};
  Mechanism m(s.text(1));
  m.start();
  double rolls = -1;
  while (m.run().state().t < 0.4) {
    ASSERT_TRUE(m.run().advance(0.4)) << m.run().message();
    if (rolls < 0 && m.read("slope.mode") == 0) rolls = m.run().state().t;
  }
  const double slack = 2 * s.depth() / s.radius;
  EXPECT_NEAR(rolls, 2.0 / (7 * 0.2 * kG), slack * rolls);
  EXPECT_NEAR(m.read("ball.velocity.x"), 5.0 / 7, slack);
  EXPECT_NEAR(m.read("ball.angular_velocity.y"), 5.0 / 7 / s.radius, slack / s.radius);
  // what friction takes: mu N times the slip travelled, 1/7 of the kinetic energy at the start times 2
  EXPECT_NEAR(m.run().ledger().dissipated(), 0.5 * 2.0 / 7, slack);
}

TEST(Bearing, journal_at_rest_sinks_in_as_its_load_says) {
  const double K = 5e9, load = 2 * kG;
  for (const bool ends : {false, true}) {
    Mechanism m(fmt::format(R"(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  rotor: {{type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, -0.1 mm, 0]}}
joints:
  main: {{type: revolute, between: [{{body: ground, at: [0, 0, 0]}}, {{body: rotor, at: [0, 0, 0]}}], clearance: 0.1 mm, pin_radius: 10 mm{},
    contact: {{type: hertz, stiffness: {} N/m^1.5, dissipation: 50}}}}
analysis: {{type: transient, end: 2 s, integrator: {{type: radau5, tolerance: 1e-9}}}}
)",
                            ends ? ", length: 40 mm" : "", K));
    ASSERT_TRUE(m.go(2));
    const double depth = std::pow((ends ? 0.5 : 1) * load / K, 2.0 / 3);
    EXPECT_NEAR(m.read("rotor.position.y"), -1e-4 - depth, 1e-6 * depth);
    if (ends) {
      EXPECT_NEAR(m.read("main.A.radial.normal_force"), load / 2, 1e-6 * load);
      EXPECT_NEAR(m.read("main.B.radial.normal_force"), load / 2, 1e-6 * load);
    } else {
      EXPECT_NEAR(m.read("main.normal_force"), load, 1e-6 * load);
    }
  }
}

TEST(Bearing, without_clearance_in_the_end_it_is_the_ideal_joint) {
  const struct {
    const char *type, *sizes;
  } joints[] = {{"revolute", "pin_radius: 10 mm"},
                {"revolute", "pin_radius: 10 mm, length: 40 mm"},
                {"revolute", "pin_radius: 10 mm, length: 40 mm, axial_clearance: 0.1 mm"},
                {"cylindrical", "pin_radius: 10 mm, length: 40 mm"},
                {"spherical", "pin_radius: 10 mm"},
                {"point_on_line", "pin_radius: 10 mm"}};
  for (const auto& j : joints) {
    const auto text = [&](const std::string& more) {
      return fmt::format(R"(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  rod: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.3, -0.4, 0]}}
joints:
  pin: {{type: {}, between: [{{body: ground, at: [0, 0, 0]}}, {{body: rod, at: [-0.3, 0.4, 0]}}]{}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: dormand_prince, tolerance: 1e-8}}}}
)",
                         j.type, more);
    };
    Mechanism ideal(text(""));
    ASSERT_TRUE(ideal.go(1));
    std::vector<double> clearance, off;
    for (double c : {1e-3, 3e-4, 1e-4}) {
      Mechanism worn(text(fmt::format(
          ", clearance: {:.17g}, {}, contact: {{type: hertz, stiffness: 1e9 N/m^1.5, dissipation: 10}}", c, j.sizes)));
      ASSERT_TRUE(worn.go(1));
      clearance.push_back(c);
      off.push_back((worn.vector("rod.position") - ideal.vector("rod.position")).norm());
      EXPECT_LT(off.back(), 10 * c) << j.type << " " << j.sizes;
    }
    EXPECT_NEAR(fitted_order(clearance, off), 1, 0.2) << j.type << " " << j.sizes;
  }
}

TEST(Teeth, without_play_in_the_end_are_the_ideal_gear_and_rack) {
  // driven on one side, braked by its own inertia on the other: contact on one flank
  const struct {
    const char *second, *mesh, *arm, *read;
  } pairs[] = {{"q: {type: revolute, between: [ground, b], at: [0.3, 0]}", "type: gear, between: [p.angle, q.angle], ratio: -0.5",
                ", arm: 20 mm", "q.angle"},
               {"q: {type: prismatic, between: [ground, b], at: [0.3, 0], axis: x}",
                "type: rack, between: [p.angle, q.displacement], radius: 40 mm", "", "q.displacement"}};
  for (const auto& pair : pairs) {
    const auto text = [&](const std::string& more) {
      return fmt::format(R"(bristle: 1
bodies:
  a: {{type: planar, mass: 1, inertia: 1e-3}}
  b: {{type: planar, mass: 1, inertia: 4e-3, position: [0.3, 0]}}
joints:
  p: {{type: revolute, between: [ground, a], at: [0, 0]}}
  {}
  mesh: {{{}{}}}
forces:
  torque: {{type: load, on: p.angle, force: 0.01 N m}}
analysis: {{type: transient, end: 1 s, integrator: {{type: dormand_prince, tolerance: 1e-9}}}}
)",
                         pair.second, pair.mesh, more);
    };
    Mechanism ideal(text(""));
    ASSERT_TRUE(ideal.go(1));
    for (double c : {1e-3, 1e-4, 1e-5}) {
      Mechanism worn(text(
          fmt::format(", clearance: {:.17g}{}, contact: {{type: hertz, stiffness: 1e9 N/m^1.5, dissipation: 10}}", c, pair.arm)));
      ASSERT_TRUE(worn.go(1)) << pair.mesh;
      EXPECT_NEAR(worn.read(pair.read), ideal.read(pair.read), 200 * c) << pair.mesh << " " << c;
    }
  }
}

TEST(Bearing, slider_in_a_wide_guide_lies_on_its_wall) {
  const double slope = 0.4;
  for (double c : {1e-3, 1e-4, 1e-5}) {
    Mechanism m(fmt::format(R"(bristle: 1
gravity: [{:.17g}, {:.17g}, 0]
bodies:
  slider: {{type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}
joints:
  guide: {{type: prismatic, between: [{{body: ground, at: [0, 0, 0], axis: x}}, {{body: slider, at: [0, 0, 0], axis: x}}], clearance: {}, width: 20 mm, length: 60 mm,
    contact: {{type: flores, stiffness: 1e9 N/m^1.5, restitution: 0.3}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: dormand_prince, tolerance: 1e-9}}}}
)",
                            kG * std::sin(slope), -kG * std::cos(slope), c));
    ASSERT_TRUE(m.go(1));
    const double depth = std::pow(kG * std::cos(slope) / 4 / 1e9, 2.0 / 3);
    EXPECT_NEAR(m.read("slider.position.x"), 0.5 * kG * std::sin(slope), 2 * c);
    EXPECT_NEAR(m.read("slider.position.y"), -c, 2 * depth + 0.01 * c) << c;
  }
}

TEST(Bearing, plate_between_planes_lies_on_one_of_them) {
  for (const char* plate : {"", ", plate_radius: 50 mm"}) {
    for (double c : {1e-3, 1e-4, 1e-5}) {
      Mechanism m(fmt::format(R"(bristle: 1
gravity: [2, 0, -9.81]
bodies:
  plate: {{type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}
joints:
  table: {{type: planar, between: [ground, plate], at: [0, 0, 0], axis: z, clearance: {}{}, contact: {{type: flores, stiffness: 1e9 N/m^1.5, restitution: 0.3}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: dormand_prince, tolerance: 1e-9}}}}
)",
                              c, plate));
      ASSERT_TRUE(m.go(1)) << plate;
      EXPECT_NEAR(m.read("plate.position.x"), 1, 1e-9) << plate;  // the ideal joint: nothing holds it along the plane
      EXPECT_NEAR(m.read("plate.position.z"), -c, std::pow(kG / 1e9, 2.0 / 3) + 0.01 * c) << plate << " " << c;
    }
  }
}

/// A mass pressed on a plane by its weight, pushed along it.
std::string pushed(const std::string& law, const std::string& push) {
  return fmt::format(R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  block: {{type: particle, mass: 1, position: [0, 0, {:.17g}]}}
joints:
  floor:
    type: contact
    between: [ground, block]
    surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 20 mm}}]
    overlap: keep
    contact: {{type: hertz, stiffness: 1e9 N/m^1.5, dissipation: 10}}
    friction: {}
forces:
  push: {{type: force, on: block, force: ["{}", 0, 0]}}
analysis: {{type: transient, end: 1000 s, integrator: {{type: radau5, tolerance: 1e-9}}}}
)",
                     0.02 - std::pow(kG / 1e9, 2.0 / 3), law, push);
}

TEST(Holding, contact_holds_two_thirds_of_its_limit_for_a_thousand_seconds) {
  const double limit = 0.3 * kG;
  const std::string bristles = "mu_kinetic: 0.3, mu_static: 0.3, sigma0: 1e5 1/m, sigma1: 100 s/m}";
  const std::string steady = fmt::format("{:.17g}", 2.0 / 3 * limit),
                    shaken = fmt::format("{:.17g} + {:.17g}*sin(2*pi*t)", limit / 2, limit / 6);
  const auto drift = [&](const std::string& law, const std::string& push, double end) {
    Mechanism m(pushed(law, push));
    if (!m.go(1)) return 1.0;
    const double start = m.read("block.position.x");
    if (!m.go(end)) return 1.0;
    return m.read("block.position.x") - start;
  };
  EXPECT_EQ(drift("{type: coulomb, mu_kinetic: 0.3}", steady, 1000), 0);
  EXPECT_LT(std::abs(drift("{type: elasto_plastic, " + bristles, steady, 1000)), 1e-12);
  EXPECT_LT(std::abs(drift("{type: lugre, " + bristles, steady, 1000)), 1e-9);
  // under a push that swings between a third and two thirds LuGre's bristles creep, the others hold
  EXPECT_EQ(drift("{type: coulomb, mu_kinetic: 0.3}", shaken, 100), 0);
  EXPECT_LT(std::abs(drift("{type: elasto_plastic, " + bristles, shaken, 100)), 1e-9);
  const double creep = drift("{type: lugre, " + bristles, shaken, 100);
  EXPECT_GT(creep, 1e-5);
  EXPECT_LT(creep, 1e-3);
}

/// A control surface on a hinge with play: inertia 0.01 kg m^2, stops at 50 mm, 20 kN/m: 50 N m/rad beyond 2 mrad.
struct Flap {
  double inertia = 0.01, arm = 0.05, stiffness = 2e4, play = 1e-4;
  double rate() const { return std::sqrt(stiffness * arm * arm / inertia); }
  double free() const { return play / arm; }  ///< [rad]
  double share(double amplitude) const {      ///< describing function of free play over the stiffness beyond it
    const double r = free() / amplitude;
    return r >= 1 ? 0 : 1 - 2 / kPi * (std::asin(r) + r * std::sqrt(1 - r * r));
  }
  std::string text(double angle, const std::string& more) const {
    return fmt::format(R"(bristle: 1
bodies:
  flap: {{type: planar, mass: 1, inertia: {}, angle: {:.17g}}}
joints:
  hinge: {{type: revolute, between: [{{body: ground, at: [0, 0]}}, {{body: flap, at: [0, 0]}}]}}
  play: {{type: backlash, on: hinge.angle, clearance: {} m, arm: {} m, contact: {{type: linear, stiffness: {} N/m}}}}
{}analysis: {{type: transient, end: 100 s, integrator: {{type: dormand_prince, tolerance: 1e-10, step: 2 ms}}}}
)",
                       inertia, angle, play, arm, stiffness, more);
  }
};

/// Mean period and largest angle over some cycles.
struct Swing {
  double period = 0, amplitude = 0;
};
Swing swing(Mechanism& m, int skip, int cycles) {
  Watch angle;
  double first = -1, last = -1;
  int crossings = 0;
  Swing s;
  while (crossings <= 2 * (skip + cycles)) {
    if (!m.run().advance(100) || m.run().state().t >= 100) {
      ADD_FAILURE() << m.run().message();
      return s;
    }
    const double now = m.read("hinge.angle"), at = angle.crossing(m.run().state().t, now);
    if (at > 0 && ++crossings == 2 * skip + 1) first = at;
    if (at > 0) last = at;
    if (crossings > 2 * skip) s.amplitude = std::max(s.amplitude, std::abs(now));
  }
  s.period = (last - first) / cycles;
  return s;
}

TEST(FreePlay, frequency_grows_with_the_amplitude_as_the_describing_function_says) {
  const Flap flap;
  for (double over : {1.3, 2.0, 4.0, 10.0}) {
    const double amplitude = over * flap.free();
    Mechanism m(flap.text(amplitude, ""));
    m.start();
    const Swing s = swing(m, 1, 5);
    // half a wave of the spring in each stop, and a flight from stop to stop
    const double exact = (2 * kPi + 4 / (over - 1)) / flap.rate();
    EXPECT_NEAR(s.period, exact, 1e-6 * exact) << over;
    // the describing function keeps one harmonic; against the exact period it is off by 2.3, 0.33 and 0.04 % at 2, 4 and 10
    const double described = flap.rate() * std::sqrt(flap.share(amplitude));
    if (over >= 2) {
      EXPECT_NEAR(2 * kPi / s.period, described, 0.1 / (over * over) * described) << over;
    }
    EXPECT_LT(m.residual(), 1e-8);
  }
}

TEST(FreePlay, lagging_air_makes_a_limit_cycle_where_the_describing_function_says) {
  // air pushes back on the angle with a lag: J a'' + c a' + k(a) + M = 0, tau M' + M = h a. The linear system is unstable below one
  // stiffness: play grows the motion until its equivalent stiffness is that one
  const Flap flap;
  const double damping = 0.02, lag = 0.02;
  for (double neutral : {0.5, 0.7}) {  // share of the stiffness at which the motion neither grows nor decays
    const double k = neutral * flap.stiffness * flap.arm * flap.arm, J = flap.inertia;
    const double air = (k * damping * lag * lag + damping * (J + damping * lag)) / (J * lag);
    double low = flap.free(), high = 1e3 * flap.free();
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      (flap.share(middle) < neutral ? low : high) = middle;
    }
    const double frequency = std::sqrt((damping + k * lag) / (J * lag));
    for (double start : {0.8, 1.25}) {  // 120 cycles leave a tenth of what is off at the start
      Mechanism m(flap.text(
          start * low, fmt::format("states:\n  air: {{rate: \"({:.17g}*hinge.angle - air.value)/{}\"}}\n"
                                   "forces:\n  lift: {{type: load, on: hinge.angle, force: \"-air.value - {}*hinge.speed\"}}\n",
                                   air, lag, damping)));
      m.start();
      const Swing s = swing(m, 120, 10);
      EXPECT_NEAR(2 * kPi / s.period, frequency, 0.02 * frequency) << neutral;
      EXPECT_NEAR(s.amplitude, low, 0.05 * low) << neutral;
    }
  }
}

}  // namespace
}  // namespace bristle
