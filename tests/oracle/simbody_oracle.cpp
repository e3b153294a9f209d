#include "simbody_oracle.h"

#include <Simbody.h>

#include <ctime>
#include <functional>
#include <memory>

namespace bristle::test {
namespace {

using SimTK::Body;
using SimTK::Constraint;
using SimTK::Inertia;
using SimTK::MassProperties;
using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

constexpr double kQuarter = 1.5707963267948966;  // of a turn

struct World {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  explicit World(const Vec3& gravity) { SimTK::Force::UniformGravity(forces, matter, gravity); }
};

Vec3 of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Body::Rigid body(double mass, const Vec3& principal) { return Body::Rigid(MassProperties(mass, Vec3(0), Inertia(principal))); }
double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Runs from a start state; takes a sample at each time, without interpolation.
template <class Sample>
SimbodyRun<Sample> run(const World& world, const SimTK::State& start, const std::vector<double>& times,
                       const SimbodySettings& settings, const std::function<Sample(const SimTK::State&)>& sample) {
  std::unique_ptr<SimTK::Integrator> integrator;
  switch (settings.method) {
    case SimbodySettings::Method::runge_kutta_merson:
      integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(world.system);
      break;
    case SimbodySettings::Method::cpodes_bdf:
      integrator = std::make_unique<SimTK::CPodesIntegrator>(world.system, SimTK::CPodes::BDF);
      break;
    case SimbodySettings::Method::cpodes_adams:
      integrator = std::make_unique<SimTK::CPodesIntegrator>(world.system, SimTK::CPodes::Adams);
      break;
  }
  integrator->setAccuracy(settings.accuracy);
  integrator->setAllowInterpolation(false);
  integrator->setInternalStepLimit(10000000);
  SimbodyRun<Sample> out;
  double begin = cpu_now();
  integrator->initialize(start);
  for (const double t : times) {
    while (integrator->getTime() < t) integrator->stepTo(t, t);
    out.cpu += cpu_now() - begin;
    const SimTK::State& x = integrator->getState();
    world.system.realize(x, SimTK::Stage::Acceleration);
    out.samples.push_back(sample(x));
    if (x.getNQErr() > 0) out.constraint_error = std::max(out.constraint_error, SimTK::max(SimTK::abs(x.getQErr())));
    begin = cpu_now();
  }
  out.steps = integrator->getNumStepsTaken();
  out.evaluations = integrator->getNumRealizations();
  return out;
}

}  // namespace

SimbodyRun<SpatialSliderCrank::Sample> simbody_spatial_slider_crank(const SpatialSliderCrank& m, const std::vector<double>& times,
                                                                    const SimbodySettings& settings) {
  World world(Vec3(0, 0, -m.g));
  // a pin turns about z and a slider moves along x of its frame
  const Rotation pin(-kQuarter, SimTK::XAxis), along(kQuarter, SimTK::ZAxis);
  MobilizedBody::Pin crank(world.matter.Ground(), Transform(pin), body(m.crank_mass, of(m.crank_inertia)),
                           Transform(pin, Vec3(0, 0, -0.5 * m.crank_length)));
  MobilizedBody::Slider slider(world.matter.Ground(), Transform(along, Vec3(0, 0, m.guide_z)),
                               body(m.slider_mass, of(m.slider_inertia)), Transform(along));
  // the rod as it starts; its universal joint turns about x of the slider's frame, then about y of the rod's
  const double across = m.crank_length - m.guide_z, reach = std::sqrt(m.rod_length * m.rod_length - across * across);
  const Vec3 to_pin(0, -reach, across);
  const Rotation rod_start(UnitVec3(-to_pin), SimTK::YAxis, Vec3(1, 0, 0), SimTK::XAxis);
  const UnitVec3 h(of(m.slider_axis())), k(of(m.rod_axis()));
  const Vec3 k_world = rod_start * Vec3(k);
  const Rotation cross(h, SimTK::XAxis, k_world, SimTK::YAxis);
  MobilizedBody::Universal rod(slider, Transform(cross), body(m.rod_mass, of(m.rod_inertia)),
                               Transform(~rod_start * cross, Vec3(0, 0.5 * m.rod_length, 0)));
  Constraint::Ball(crank, Vec3(0, 0, 0.5 * m.crank_length), rod, Vec3(0, -0.5 * m.rod_length, 0));

  SimTK::State x = world.system.realizeTopology();
  world.system.realizeModel(x);
  slider.setOneQ(x, 0, reach);
  crank.setOneU(x, 0, m.start_rate);
  // the rod follows the pin: w x to_pin = speed of the pin, w = a h + b k
  const Vec3 wanted(m.crank_length * m.start_rate, 0, 0), by_h = Vec3(h) % to_pin, by_k = k_world % to_pin;
  const SimTK::Mat22 normal(SimTK::dot(by_h, by_h), SimTK::dot(by_h, by_k), SimTK::dot(by_h, by_k), SimTK::dot(by_k, by_k));
  const SimTK::Vec2 u = normal.invert() * SimTK::Vec2(SimTK::dot(by_h, wanted), SimTK::dot(by_k, wanted));
  rod.setOneU(x, 0, u[0]);
  rod.setOneU(x, 1, u[1]);
  return run<SpatialSliderCrank::Sample>(world, x, times, settings, [&](const SimTK::State& s) {
    return SpatialSliderCrank::Sample{s.getTime(),
                                      crank.getAngle(s),
                                      crank.getRate(s),
                                      slider.getBodyOriginLocation(s)[1],
                                      slider.getBodyOriginVelocity(s)[1],
                                      slider.getBodyOriginAcceleration(s)[1]};
  });
}

SimbodyRun<PlanarSliderCrank::Sample> simbody_planar_slider_crank(const PlanarSliderCrank& m, const std::vector<double>& times,
                                                                  const SimbodySettings& settings) {
  World world(Vec3(0, -m.g, 0));
  const double crank_inertia = m.crank_inertia(), rod_inertia = m.rod_inertia();
  MobilizedBody::Pin crank(world.matter.Ground(), Transform(), body(m.crank_mass, Vec3(0, crank_inertia, crank_inertia)),
                           Transform(Vec3(-0.5 * m.crank_length, 0, 0)));
  MobilizedBody::Slider slider(world.matter.Ground(), Transform(), body(m.slider_mass, Vec3(1e-4)), Transform());
  MobilizedBody::Pin rod(slider, Transform(), body(m.rod_mass, Vec3(0, rod_inertia, rod_inertia)),
                         Transform(Vec3(0.5 * m.rod_length, 0, 0)));
  // two rows: the loop is plane
  const Vec3 pin(0.5 * m.crank_length, 0, 0), end(-0.5 * m.rod_length, 0, 0);
  Constraint::PointInPlane(crank, UnitVec3(1, 0, 0), pin[0], rod, end);
  Constraint::PointInPlane(crank, UnitVec3(0, 1, 0), 0, rod, end);

  SimTK::State x = world.system.realizeTopology();
  world.system.realizeModel(x);
  const double r = m.crank_length, l = m.rod_length, a = m.start_angle, w = m.start_rate;
  const double b = -std::asin(r * std::sin(a) / l), rod_rate = -r * std::cos(a) * w / (l * std::cos(b));
  crank.setOneQ(x, 0, a), crank.setOneU(x, 0, w);
  rod.setOneQ(x, 0, b), rod.setOneU(x, 0, rod_rate);
  slider.setOneQ(x, 0, r * std::cos(a) + l * std::cos(b)),
      slider.setOneU(x, 0, -r * std::sin(a) * w - l * std::sin(b) * rod_rate);
  return run<PlanarSliderCrank::Sample>(world, x, times, settings, [&](const SimTK::State& s) {
    return PlanarSliderCrank::Sample{s.getTime(),
                                     crank.getAngle(s),
                                     crank.getRate(s),
                                     slider.getBodyOriginLocation(s)[0],
                                     slider.getBodyOriginVelocity(s)[0],
                                     slider.getBodyOriginAcceleration(s)[0]};
  });
}

SimbodyRun<Chain::State> simbody_chain(const Chain& chain, const std::vector<double>& times, const SimbodySettings& settings) {
  World world(Vec3(0, -chain.g, 0));
  const double inertia = chain.mass * chain.length * chain.length / 12;
  const Vec3 half(0.5 * chain.length, 0, 0);
  MobilizedBody before = world.matter.Ground();
  std::vector<MobilizedBody::Pin> rods;
  for (int i = 0; i < chain.links; ++i) {
    rods.emplace_back(before, Transform(i == 0 ? Vec3(0) : half), body(chain.mass, Vec3(0, inertia, inertia)), Transform(-half));
    before = rods.back();
  }
  SimTK::State x = world.system.realizeTopology();
  world.system.realizeModel(x);
  return run<Chain::State>(world, x, times, settings, [&](const SimTK::State& s) {
    Chain::State out;
    out.t = s.getTime();
    double angle = 0, rate = 0;
    for (const MobilizedBody::Pin& rod : rods) {
      angle += rod.getAngle(s), rate += rod.getRate(s);
      out.angle.push_back(angle), out.rate.push_back(rate);
    }
    return out;
  });
}

SimbodyRun<BricardMechanism::Sample> simbody_bricard(const BricardMechanism& m, const std::vector<double>& times,
                                                     const SimbodySettings& settings) {
  World world(Vec3(0, -m.g, 0));
  const auto place = [&](std::size_t i) {
    const Triple& p = BricardProblem::points[i];
    return m.length * Vec3(p[0], p[1], p[2]);
  };
  // body frames stay parallel to the world in the cube
  MobilizedBody before = world.matter.Ground();
  Vec3 centre_before(0);
  std::vector<MobilizedBody::Pin> rods;
  for (std::size_t i = 0; i < 5; ++i) {
    const Vec3 from = place(i), to = place(i + 1), centre = 0.5 * (from + to), along = (to - from) / m.length;
    const double thick = m.mass * m.section * m.section / 12, slender = m.mass * m.length * m.length / 12;
    Vec3 principal;
    for (int j = 0; j < 3; ++j) principal[j] = thick + (std::abs(along[j]) > 0.5 ? thick : slender);
    const Triple& a = BricardProblem::axes[i];
    const Rotation axis(UnitVec3(a[0], a[1], a[2]), SimTK::ZAxis);
    rods.emplace_back(before, Transform(axis, from - centre_before), body(m.mass, principal), Transform(axis, from - centre));
    before = rods.back();
    centre_before = centre;
  }
  // the last joint turns about x at point 5: place, and one of its two directions; the other one is redundant
  const Vec3 end = place(5);
  Constraint::Ball(world.matter.Ground(), end, rods[4], end - centre_before);
  Constraint::ConstantAngle(world.matter.Ground(), UnitVec3(0, 1, 0), rods[4], UnitVec3(1, 0, 0));
  SimTK::State x = world.system.realizeTopology();
  world.system.realizeModel(x);
  const Vec3 corner = place(3) - 0.5 * (place(2) + place(3));
  return run<BricardMechanism::Sample>(world, x, times, settings, [&](const SimTK::State& s) {
    const Vec3 p = rods[2].findStationLocationInGround(s, corner);
    return BricardMechanism::Sample{s.getTime(), rods[0].getAngle(s), rods[0].getRate(s), Eigen::Vector3d(p[0], p[1], p[2])};
  });
}

SimbodyRun<SpinSample> simbody_free_body(const Triple& inertia, const Triple& spin, const std::vector<double>& times,
                                         const SimbodySettings& settings) {
  World world(Vec3(0));
  MobilizedBody::Free free(world.matter.Ground(), Transform(), body(1, Vec3(inertia[0], inertia[1], inertia[2])), Transform());
  SimTK::State x = world.system.realizeTopology();
  world.system.realizeModel(x);
  free.setUToFitAngularVelocity(x, Vec3(spin[0], spin[1], spin[2]));  // the body starts parallel to the world
  return run<SpinSample>(world, x, times, settings, [&](const SimTK::State& s) {
    const Rotation& R = free.getBodyRotation(s);
    const Vec3 w = ~R * free.getBodyAngularVelocity(s);
    SpinSample out{s.getTime(), {w[0], w[1], w[2]}, {}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out.attitude[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = R.asMat33()(i, j);
    }
    return out;
  });
}

}  // namespace bristle::test
