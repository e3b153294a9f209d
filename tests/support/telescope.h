#pragma once
// A body kind that the library does not have: a bead on a massless arm that turns about z and grows. Its frame is moved by a matrix that
// changes with the configuration, its inertia does so, too.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/core/system.h"

namespace bristle::test {

class Telescope final : public Block {
 public:
  /// `body`: its frame, x along the arm, at the bead. Coordinates: length and angle. Gravity points along -y.
  Telescope(const FrameMap& map, int body, double mass, double gravity, const double (&q)[2], const double (&v)[2])
      : map_(map), body_(body), mass_(mass), gravity_(gravity), q_{q[0], q[1]}, v_{v[0], v[1]} {}

  unsigned roles() const override { return kPoses | kForces | kMass | kKinetic | kStored; }
  void start(State& x) const override {
    for (int k = 0; k < 2; ++k) x.q()[map_.q + k] = q_[k], x.v()[map_.v + k] = v_[k];
  }
  void calc_poses(Eval& e) const override {
    Pose& pose = e.pose[body_];
    const double r = e.q[length()], u = e.v[length()], w = e.v[angle()], c = std::cos(e.q[angle()]), s = std::sin(e.q[angle()]);
    pose.R = Mat3<>::identity();
    pose.R(0, 0) = pose.R(1, 1) = c, pose.R(1, 0) = s, pose.R(0, 1) = -s;
    pose.p = Vec3<>{{r * c, r * s, 0}};
    pose.v = Vec3<>{{u * c - r * w * s, u * s + r * w * c, 0}};
    pose.w = Vec3<>{{0, 0, w}};
    const double B[] = {c, s, 0, 0, 0, 0, -r * s, r * c, 0, 0, 0, 1};
    std::copy_n(B, 12, map_.open(e.map, pose));
    const double drift[] = {-r * w * w * c - 2 * u * w * s, -r * w * w * s + 2 * u * w * c, 0, 0, 0, 0};
    std::copy_n(drift, 6, map_.drift(pose));
  }
  void calc_forces(Eval& e) const override {
    const double r = e.q[length()], u = e.v[length()], w = e.v[angle()], g = e.load_factor * gravity_;
    e.f[length()] += mass_ * (r * w * w - g * std::sin(e.q[angle()]));
    e.f[angle()] -= mass_ * (2 * r * u * w + g * r * std::cos(e.q[angle()]));
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    const double r = e.q[length()], u = e.v[length()], w = e.v[angle()], c = std::cos(e.q[angle()]), s = std::sin(e.q[angle()]);
    const double g = e.load_factor * gravity_;
    sink.add(Part::mass, length(), length(), mass_);
    sink.add(Part::mass, angle(), angle(), mass_ * r * r);
    sink.add(Part::force_q, length(), length(), mass_ * w * w);
    sink.add(Part::force_q, length(), angle(), -mass_ * g * c);
    sink.add(Part::force_q, angle(), length(), -mass_ * (2 * u * w + g * c + 2 * r * e.a[angle()]));
    sink.add(Part::force_q, angle(), angle(), mass_ * g * r * s);
    sink.add(Part::force_v, length(), angle(), 2 * mass_ * r * w);
    sink.add(Part::force_v, angle(), length(), -2 * mass_ * r * w);
    sink.add(Part::force_v, angle(), angle(), -2 * mass_ * r * u);
  }
  void calc_map_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    const Pose& pose = e.pose[body_];
    const double* F = map_.load(pose);
    const double r = e.q[length()], c = pose.R(0, 0), s = pose.R(1, 0), along = F[0] * c + F[1] * s, across = F[1] * c - F[0] * s;
    sink.add(Part::force_q, length(), angle(), across);
    sink.add(Part::force_q, angle(), length(), across);
    sink.add(Part::force_q, angle(), angle(), -r * along);
  }
  void solve_mass(const double* q, const double* f, double* a) const override {
    a[length()] = f[length()] / mass_;
    a[angle()] = f[angle()] / (mass_ * q[length()] * q[length()]);
  }
  void mass_blocks(std::vector<MassBlock>& list) const override {
    list.push_back({map_.v, 2, std::vector<double>(4, 0.0), false});
    calc_mass(q_, list.back());
  }
  void calc_mass(const double* q, MassBlock& m) const override {
    m.mass[0] = mass_;
    m.mass[3] = mass_ * q[length()] * q[length()];
  }
  double kinetic(const Eval& e) const override {
    const double across = e.q[length()] * e.v[angle()];
    return 0.5 * mass_ * (e.v[length()] * e.v[length()] + across * across);
  }
  double stored(const Eval& e, double*) const override {
    return e.load_factor * mass_ * gravity_ * e.q[length()] * std::sin(e.q[angle()]);
  }
  std::string cannot_step() const override { return "the telescope"; }
  int output_count() const override { return 2; }
  void calc_outputs(const Eval& e, double* out) const override {
    out[0] = e.pose[body_].p[0];
    out[1] = e.pose[body_].p[1];
  }

 private:
  int length() const { return map_.v; }
  int angle() const { return map_.v + 1; }
  FrameMap map_;
  int body_;
  double mass_, gravity_, q_[2], v_[2];
};

/// {type: telescope, mass: 1 kg, length: 0.5 m, angle: 30 deg}
struct TelescopeKeys {
  double mass = 0, length = 0, angle = 0, speed = 0;
  void visit(Keys& keys) {
    keys.required("mass", mass, unit::kilogram, positive, "of the bead");
    keys.required("length", length, unit::metre, positive, "of the arm at the start");
    keys.number("angle", angle, unit::one, any, "0", "of the arm against x at the start");
    keys.number("speed", speed, unit::per_second, any, "0", "at which it turns at the start");
  }
};

inline ElementEntry telescope_body() {
  struct Item {
    std::size_t body;  // in Plan::space
    double mass, gravity, q[2], v[2];
  };
  struct Telescopes {
    std::vector<Item> items;
  };
  ElementEntry entry{{"telescope",
                      "a bead on a massless arm that turns about z and grows",
                      key_fields<TelescopeKeys>(),
                      "bodies:\n  arm: {type: telescope, mass: 1 kg, length: 0.5 m}\n",
                      "Coordinates: <body>.length, <body>.angle. Channels: x, y of the bead.\n",
                      {}}};
  // reads: the body has a name, and a place where joints find it at the start
  entry.announce = [](Plan& plan, Reader& reader, const std::string& name) {
    const TelescopeKeys keys = read_keys<TelescopeKeys>(reader, plan.scope);
    reader.finish({"type"});
    Item item{};
    item.mass = keys.mass;
    item.gravity = -plan.gravity[1];
    item.q[0] = keys.length, item.q[1] = keys.angle;
    item.v[1] = keys.speed;
    item.body = plan.space.bodies.size();
    SpaceBodyPlan body;
    body.name = name;
    body.frame.emplace();  // a block of its own
    body.body.position = Vec3<>{{item.q[0] * std::cos(item.q[1]), item.q[0] * std::sin(item.q[1]), 0}};
    body.body.orientation = rotation_of({0, 0, item.q[1]}, Chart::exponential);
    body.position_given = body.orientation_given = body.velocity_given = body.rate_given = true;
    plan.space.bodies.push_back(std::move(body));
    plan.list<Telescopes>().items.push_back(item);
  };
  // numbers: its coordinates, and how they move its frame
  entry.number = [](Plan& plan) {
    for (const Item& item : plan.list<Telescopes>().items) {
      SpaceBodyPlan& body = plan.space.bodies[item.body];
      const int first = plan.add_coordinate(body.name + ".length", false);
      plan.add_coordinate(body.name + ".angle", true);
      *body.frame = {FrameMap::matrix(first, first, 2, plan.layout.map_numbers), body.name, "telescope"};
      plan.layout.map_numbers += FrameMap::numbers_of(2);
    }
  };
  // makes blocks
  entry.make = [](Plan& plan) {
    for (const Item& item : plan.list<Telescopes>().items) {
      const int body = plan.space.bodies[item.body].body.body;
      const BodyInfo& frame = plan.layout.bodies[static_cast<std::size_t>(body)];
      plan.blocks.push_back(std::make_unique<Telescope>(frame, body, item.mass, item.gravity, item.q, item.v));
      plan.channel(frame.name + ".x", "m", "of the bead");
      plan.channel(frame.name + ".y", "m", "of the bead");
    }
  };
  entry.in_space = true;
  return entry;
}

}  // namespace bristle::test
