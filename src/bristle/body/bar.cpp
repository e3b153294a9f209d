#include "bristle/body/bar.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/core/step_room.h"

namespace bristle {

namespace {

using Part = JacobianSink::Part;

/// A bar at one configuration.
struct Line {
  Vec3<> d, n;  ///< from end to end, its direction
  double length, strain;
  Line(const BarElement& el, const Pose* pose) : d(pose[el.body[1]].p - pose[el.body[0]].p), length(norm(d)) {
    n = direction(d);
    strain = length / el.length - 1;
  }
};

bool slack(const BarElement& el, double strain) { return el.tension_only && strain <= 0; }

void push(const BarElement& el, const Vec3<>& f, double* to) {
  for (int k = 0; k < 3; ++k) {
    to[el.v[0] + k] -= f[k];
    to[el.v[1] + k] += f[k];
  }
}

/// A 3 x 3 block of the distance between the ends, for both particles.
void emit(const BarElement& el, const Mat3<>& K, Part part, JacobianSink& sink) {
  for (int I = 0; I < 2; ++I) {
    for (int J = 0; J < 2; ++J) {
      const double sign = I == J ? 1 : -1;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) sink.add(part, el.v[I] + r, el.v[J] + c, sign * K(r, c));
      }
    }
  }
}

Mat3<> outer(double by, const Vec3<>& a, const Vec3<>& b, double diagonal = 0) {
  Mat3<> m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = by * a[i] * b[j];
    m(i, i) += diagonal;
  }
  return m;
}

/// A bar over a step of an energy scheme.
struct Step {
  Line start, end;
  Vec3<> along;      ///< the change of length is along . change of d
  double over;       ///< 1 / sum of both lengths
  double change;     ///< of the strain
  double force;      ///< that acts over the step
  double slope;      ///< of the force by the strain at the end
  double rate = 0;   ///< of the strain after the jump
  double stiffness;  ///< [N] of the jump

  Step(const BarElement& el, const StepEval& e) : start(el, e.pose_ends[0]), end(el, e.pose_ends[1]) {
    over = 1 / std::max(start.length + end.length, 1e-300);
    along = over * (start.d + end.d);
    change = e.h / el.length * dot(along, vec3(e.v + el.v[1]) - vec3(e.v + el.v[0]));
    const bool off0 = slack(el, start.strain), off1 = slack(el, end.strain);
    if (off0 == off1) {
      force = off0 ? 0 : 0.5 * el.EA * (start.strain + end.strain);
      slope = off0 ? 0 : 0.5 * el.EA;
    } else {  // the quotient of stored energy and strain
      const double taut = off0 ? end.strain : start.strain, step = end.strain - start.strain;
      force = 0.5 * el.EA * taut * taut / std::abs(step);
      slope = ((off0 ? el.EA * taut : 0) - force) / step;
    }
    if (!off0 && !off1) {
      force += el.EA * el.damping / e.h * change;
      slope += el.EA * el.damping / e.h;
    }
    stiffness = off0 ? 0 : el.EA;
    if (!(e.jump > 0)) return;
    const double a = e.jump;
    rate = dot(start.n, vec3(e.v_jump + el.v[1]) - vec3(e.v_jump + el.v[0])) / el.length;
    force += stiffness * (2 * a * a * change + a * (1 - 2 * a) * e.h * rate);
    slope += stiffness * 2 * a * a;
  }
  bool damped(const BarElement& el) const { return !slack(el, start.strain) && !slack(el, end.strain); }
};

}  // namespace

Bars::Bars(std::vector<Bar> bars) : bars_(std::move(bars)) {
  for (const Bar& b : bars_) outputs_ += static_cast<int>(channels(b).size());
}

void Bars::calc_forces(Eval& e) const {
  for (const Bar& bar : bars_) {
    double power = 0;
    for (const BarElement& el : bar.elements) {
      const Line line(el, e.pose);
      if (slack(el, line.strain)) continue;
      const double rate = dot(line.n, vec3(e.v + el.v[1]) - vec3(e.v + el.v[0])) / el.length;
      power += el.length * el.EA * el.damping * rate * rate;
      push(el, (-el.EA * (line.strain + el.damping * rate)) * line.n, e.f);
    }
    if (bar.account >= 0) e.power[bar.account] = power;
  }
}

int Bars::step_room() const {
  std::size_t count = 0;
  for (const Bar& bar : bars_) count += bar.elements.size();
  return room_for<Step>() * static_cast<int>(count);
}

void Bars::calc_step(StepEval& e) const {
  double* room = e.room + room_;
  for (const Bar& bar : bars_) {
    double power = 0;
    for (const BarElement& el : bar.elements) {
      const auto& step = make_in_room<Step>(room, el, e);
      room += room_for<Step>();
      if (step.damped(el)) power += el.length * el.EA * el.damping * step.change * step.change / (e.h * e.h);
      push(el, (-step.force) * step.along, e.f);
      if (!(e.jump > 0)) continue;
      const double a = e.jump, lag = step.change - e.h * step.rate;
      *e.numerical += 2 * a * a * el.length * step.stiffness * lag * lag;
      push(el, (a * e.h * step.stiffness * (step.change + 2 * a * lag)) * step.start.n, e.impulse);
    }
    if (bar.account >= 0) e.power[bar.account] = power;
  }
}

void Bars::calc_jacobian(const Eval& e, JacobianSink& sink) const {
  for (const Bar& bar : bars_) {
    for (const BarElement& el : bar.elements) {
      const Line line(el, e.pose);
      const bool off = slack(el, line.strain);
      const Vec3<> part = vec3(e.v + el.v[1]) - vec3(e.v + el.v[0]);
      const double rate = dot(line.n, part) / el.length;
      const double N = off ? 0 : el.EA * (line.strain + el.damping * rate), k = off ? 0 : el.EA / el.length;
      const double over = line.length > 0 ? 1 / line.length : 0;
      Mat3<> K = outer(k - N * over, line.n, line.n, N * over);
      if (!off && el.damping > 0) {  // the direction turns, and with it the rate
        const Vec3<> across = over * (part - dot(part, line.n) * line.n);
        const Mat3<> more = outer(k * el.damping, line.n, across);
        for (std::size_t i = 0; i < 9; ++i) K.m[i] += more.m[i];
      }
      for (double& x : K.m) x = -x;
      emit(el, K, Part::force_q, sink);
      if (el.damping > 0) emit(el, outer(-k * el.damping, line.n, line.n), Part::force_v, sink);
    }
  }
}

void Bars::calc_step_jacobian(const StepEval& e, JacobianSink& sink) const {
  double* room = e.room + room_;
  for (const Bar& bar : bars_) {
    for (const BarElement& el : bar.elements) {
      const auto& step = in_room<Step>(room);
      room += room_for<Step>();
      // force times (d0 + d1) / (l0 + l1): all three change with the end
      emit(el, outer(-step.slope / el.length + step.force * step.over, step.along, step.end.n, -step.force * step.over),
           Part::force_step, sink);
      if (e.v_jump == nullptr) continue;
      const double a = e.jump, k = step.stiffness / el.length;
      emit(el, outer(-k * a * (1 - 2 * a) * e.h, step.along, step.start.n), Part::force_jump, sink);
      emit(el, outer(k * a * (1 + 2 * a) * e.h, step.start.n, step.end.n), Part::impulse_step, sink);
      emit(el, outer(-2 * k * a * a * e.h * e.h, step.start.n, step.start.n), Part::impulse_jump, sink);
    }
  }
}

double Bars::stored(const Eval& e, double*) const {
  double energy = 0;
  for (const Bar& bar : bars_) {
    for (const BarElement& el : bar.elements) {
      const Line line(el, e.pose);
      if (!slack(el, line.strain)) energy += 0.5 * el.length * el.EA * line.strain * line.strain;
    }
  }
  return energy;
}

std::vector<Channel> Bars::channels(const Bar& bar) {
  std::vector<Channel> list;
  for (std::size_t k = 1; k <= bar.elements.size(); ++k) {
    const std::string element = bar.name + ".element." + std::to_string(k);
    list.push_back({element + ".force", "N", "axial force, positive in tension"});
    list.push_back({element + ".strain", "1", "stretch over the length at rest"});
  }
  return list;
}

void Bars::calc_outputs(const Eval& e, double* out) const {
  for (const Bar& bar : bars_) {
    for (const BarElement& el : bar.elements) {
      const Line line(el, e.pose);
      const double rate = dot(line.n, vec3(e.v + el.v[1]) - vec3(e.v + el.v[0])) / el.length;
      *out++ = slack(el, line.strain) ? 0 : el.EA * (line.strain + el.damping * rate);
      *out++ = line.strain;
    }
  }
}

}  // namespace bristle
