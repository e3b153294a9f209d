#include "bristle/body/space.h"

#include <Eigen/Dense>
#include <cmath>
#include <utility>

namespace bristle {

namespace {

using Kind = SpaceBody::Kind;

Mat3<> inverse_of(const Mat3<>& A) {
  Eigen::Matrix3d a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a(i, j) = A(i, j);
  }
  const Eigen::Matrix3d b = a.inverse();
  Mat3<> B;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) B(i, j) = b(i, j);
  }
  return B;
}

void add_weight(const SpaceBody& b, Eval& e) {
  const int n = b.kind == Kind::planar ? 2 : 3;
  for (int k = 0; k < n; ++k) e.f[b.v + k] += e.load_factor * b.mass * b.gravity[k];
}

}  // namespace

Mat3<> SpaceBody::start_axes() const {
  return matrix_of(kind == Kind::planar ? rotation_of({0, 0, angle}, Chart::exponential) : orientation);
}

BodyInfo space_frame(const std::string& name, Kind kind, int q, int v) {
  switch (kind) {
    case Kind::rigid:
      return {FrameMap::space(q, v),
              name,
              "rigid",
              {{".x"}, {".y"}, {".z"}, {".turn_x", true}, {".turn_y", true}, {".turn_z", true}}};
    case Kind::planar: return {FrameMap::plane(q, v), name, "planar", {{".x"}, {".y"}, {".turn", true}}};
    case Kind::point: break;
  }
  return {FrameMap::point(q, v), name, "point", {{".x"}, {".y"}, {".z"}}};
}

SpaceBodies::SpaceBodies(std::vector<SpaceBody> bodies) {
  for (SpaceBody& b : bodies) {
    Item it{std::move(b), {}};
    if (it.b.kind == Kind::rigid) it.inverse = inverse_of(it.b.inertia);
    if (it.b.shown) outputs_ += static_cast<int>(channels("", it.b.kind).size());
    items_.push_back(std::move(it));
  }
}

std::vector<Channel> SpaceBodies::channels(const std::string& name, Kind kind) {
  std::vector<Channel> list;
  const auto vector = [&](const char* quantity, const char* unit, const char* text, int n) {
    const char* axis[] = {".x", ".y", ".z"};
    for (int k = 0; k < n; ++k) list.push_back({name + "." + quantity + axis[k], unit, text});
  };
  const int n = kind == Kind::planar ? 2 : 3;
  vector("position", "m", "position of the centre of mass", n);
  if (kind == Kind::rigid) {
    for (const char* part : {"w", "x", "y", "z"}) {
      list.push_back({name + ".orientation." + part, "1", "unit quaternion from body to world"});
    }
  }
  if (kind == Kind::planar) list.push_back({name + ".angle", "rad", "angle about z"});
  vector("velocity", "m/s", "velocity of the centre of mass", n);
  if (kind == Kind::rigid) vector("angular_velocity", "rad/s", "angular velocity in world axes", 3);
  if (kind == Kind::planar) list.push_back({name + ".angular_velocity", "rad/s", "angular velocity about z"});
  vector("acceleration", "m/s^2", "acceleration of the centre of mass", n);
  if (kind == Kind::rigid) vector("angular_acceleration", "rad/s^2", "angular acceleration in world axes", 3);
  if (kind == Kind::planar) list.push_back({name + ".angular_acceleration", "rad/s^2", "angular acceleration about z"});
  return list;
}

void SpaceBodies::start(State& x) const {
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    double *q = x.q() + b.q, *v = x.v() + b.v;
    const int n = b.kind == Kind::planar ? 2 : 3;
    for (int k = 0; k < n; ++k) {
      q[k] = b.position[k];
      v[k] = b.velocity[k];
    }
    if (b.kind == Kind::planar) {
      q[2] = b.angle;
      v[2] = b.angular_velocity[2];
    }
    if (b.kind != Kind::rigid) continue;
    for (std::size_t k = 0; k < 4; ++k) q[3 + k] = b.orientation[k];
    const Vec3<> w = transposed(matrix_of(b.orientation), b.angular_velocity);
    for (int k = 0; k < 3; ++k) v[3 + k] = w[k];
  }
}

void SpaceBodies::calc_poses(Eval& e) const {
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    Pose& pose = e.pose[b.body];
    const double *q = e.q + b.q, *v = e.v + b.v;
    switch (b.kind) {
      case Kind::rigid:
        pose.R = matrix_of(q + 3);
        pose.p = vec3(q);
        pose.v = vec3(v);
        pose.w = pose.R * vec3(v + 3);
        break;
      case Kind::planar: {
        const double c = std::cos(q[2]), s = std::sin(q[2]);
        pose.R(0, 0) = pose.R(1, 1) = c;
        pose.R(1, 0) = s;
        pose.R(0, 1) = -s;
        pose.p[0] = q[0], pose.p[1] = q[1];
        pose.v[0] = v[0], pose.v[1] = v[1];
        pose.w[2] = v[2];
        break;
      }
      default: pose.p = vec3(q), pose.v = vec3(v);
    }
  }
}

void SpaceBodies::calc_step(StepEval& e) const {
  for (const Item& it : items_) add_weight(it.b, e);
}

void SpaceBodies::calc_forces(Eval& e) const {
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    add_weight(b, e);
    if (b.kind != Kind::rigid) continue;
    const Vec3<> w = vec3(e.v + b.v + 3), gyro = cross(w, b.inertia * w);
    for (int k = 0; k < 3; ++k) e.f[b.v + 3 + k] -= gyro[k];
  }
}

void SpaceBodies::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  using Part = JacobianSink::Part;
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    const int n = b.kind == Kind::planar ? 2 : 3;
    for (int k = 0; k < n; ++k) sink.add(Part::mass, b.v + k, b.v + k, b.mass);
    if (b.kind == Kind::planar) sink.add(Part::mass, b.v + 2, b.v + 2, b.inertia(2, 2));
    if (b.kind != Kind::rigid) continue;
    const Vec3<> w = vec3(e.v + b.v + 3), L = b.inertia * w;
    for (int c = 0; c < 3; ++c) {
      Vec3<> unit;
      unit[c] = 1;
      const Vec3<> change = cross(unit, L) + cross(w, b.inertia.column(c));
      for (int r = 0; r < 3; ++r) {
        sink.add(Part::mass, b.v + 3 + r, b.v + 3 + c, b.inertia(r, c));
        sink.add(Part::force_v, b.v + 3 + r, b.v + 3 + c, -change[r]);
      }
    }
  }
}

void SpaceBodies::solve_mass(const double*, const double* f, double* a) const {
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    const int n = b.kind == Kind::planar ? 2 : 3;
    for (int k = 0; k < n; ++k) a[b.v + k] = f[b.v + k] / b.mass;
    if (b.kind == Kind::planar) a[b.v + 2] = f[b.v + 2] / b.inertia(2, 2);
    if (b.kind != Kind::rigid) continue;
    const Vec3<> turn = it.inverse * vec3(f + b.v + 3);
    for (int k = 0; k < 3; ++k) a[b.v + 3 + k] = turn[k];
  }
}

void SpaceBodies::mass_blocks(std::vector<MassBlock>& list) const {
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    const int n = b.kind == Kind::rigid ? 6 : 3, linear = b.kind == Kind::planar ? 2 : 3;
    MassBlock m{b.v, n, std::vector<double>(static_cast<std::size_t>(n * n), 0)};
    for (int k = 0; k < linear; ++k) m.mass[static_cast<std::size_t>(k * n + k)] = b.mass;
    if (b.kind == Kind::planar) m.mass[8] = b.inertia(2, 2);
    for (int r = 0; r < 3 && b.kind == Kind::rigid; ++r) {
      for (int c = 0; c < 3; ++c) m.mass[static_cast<std::size_t>((3 + r) * n + 3 + c)] = b.inertia(r, c);
    }
    list.push_back(std::move(m));
  }
}

double SpaceBodies::kinetic(const Eval& e) const {
  double sum = 0;
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    const double* v = e.v + b.v;
    const int n = b.kind == Kind::planar ? 2 : 3;
    for (int k = 0; k < n; ++k) sum += 0.5 * b.mass * v[k] * v[k];
    if (b.kind == Kind::planar) sum += 0.5 * b.inertia(2, 2) * v[2] * v[2];
    if (b.kind == Kind::rigid) sum += 0.5 * dot(vec3(v + 3), b.inertia * vec3(v + 3));
  }
  return sum;
}

double SpaceBodies::stored(const Eval& e, double*) const {
  double sum = 0;
  for (const Item& it : items_) {
    const int n = it.b.kind == Kind::planar ? 2 : 3;
    for (int k = 0; k < n; ++k) sum -= e.load_factor * it.b.mass * it.b.gravity[k] * e.q[it.b.q + k];
  }
  return sum;
}

void SpaceBodies::calc_outputs(const Eval& e, double* out) const {
  for (const Item& it : items_) {
    const SpaceBody& b = it.b;
    if (!b.shown) continue;
    const double *q = e.q + b.q, *v = e.v + b.v, *a = e.a + b.v;
    const int n = b.kind == Kind::rigid ? 7 : 3;
    for (int k = 0; k < n; ++k) *out++ = q[k];
    for (const double* rate : {v, a}) {
      for (int k = 0; k < 3; ++k) *out++ = rate[k];
      if (b.kind != Kind::rigid) continue;
      const Vec3<> turn = e.pose[b.body].R * vec3(rate + 3);
      for (int k = 0; k < 3; ++k) *out++ = turn[k];
    }
  }
}

}  // namespace bristle
