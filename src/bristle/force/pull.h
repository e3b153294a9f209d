#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/core/jump_strain.h"
#include "bristle/core/step_room.h"
#include "bristle/math/two_point.h"
#include "bristle/measure/form.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// Elements with a law of pull on a measure: springs, dampers, dead bands.
template <class Law, class M>
class PullBlock final : public Block {
 public:
  struct Item {
    M measure;
    Law law;
    int account = 0;  ///< -1: takes no energy out
  };
  explicit PullBlock(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces | kStored; }
  std::string cannot_step() const override { return {}; }
  bool has_stage() const override { return true; }
  const std::vector<Item>& items() const { return items_; }

  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      const double u = it.measure.position(e), rate = it.measure.rate(e);
      const double damping = it.law.damping(u, rate);
      it.measure.push(it.law.elastic(u) + damping, e);
      if (it.account >= 0) e.power[it.account] = damping * rate;
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    for (const Item& it : items_) {
      const auto u = Dual<2>::variable(it.measure.position(e), 0), rate = Dual<2>::variable(it.measure.rate(e), 1);
      const Dual<2> T = it.law.elastic(u) + it.law.damping(u, rate);
      it.measure.each(e, [&](int row, double r) {
        it.measure.each(e, [&](int column, double c) {
          sink.add(Part::force_q, row, column, -r * c * T.d[0]);
          sink.add(Part::force_v, row, column, -r * c * T.d[1]);
        });
      });
    }
  }
  int step_room() const override { return room_for<Known>() * static_cast<int>(items_.size()); }
  void set_step_room(int first) override { room_ = first; }
  /// Over a whole step: the elastic force does the work by which the potential falls.
  void calc_step(StepEval& e) const override {
    double* room = e.room + room_;
    for (const Item& it : items_) {
      const auto& [u0, u1, force, hard] = make_in_room<Known>(room, it, e);
      room += room_for<Known>();
      const double rate = it.measure.rate(e);
      const double damping = it.law.damping(0.5 * (u0 + u1), rate);
      it.measure.push(force + damping, e);
      if (it.account >= 0) e.power[it.account] = damping * rate;
      if (e.jump == 0) continue;
      const JumpStrain jump(e, hard, u1 - u0, jump_rate(it.measure, e));
      it.measure.push(jump.stress, e);
      each_start(it.measure, e, [&](int i, double c) { e.impulse[i] += c * jump.impulse; });
      *e.numerical += jump.taken;
    }
  }
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    double* room = e.room + room_;
    for (const Item& it : items_) {
      const auto& [u0, u1, force, hard] = in_room<Known>(room);
      room += room_for<Known>();
      const double du = u1 - u0;
      const auto um = Dual<2>::variable(0.5 * (u0 + u1), 0), rate = Dual<2>::variable(it.measure.rate(e), 1);
      const Dual<2> damping = it.law.damping(um, rate);
      const bool tiny = std::abs(du) <= 1e-5 * std::max(std::abs(u0), std::abs(u1)) || du == 0;
      double slope = tiny ? 0.5 * it.law.elastic(um).d[0] : (it.law.elastic(u1) - force) / du;
      slope += 0.5 * damping.d[0] + damping.d[1] / e.h;
      const JumpStrain jump(e, hard, 0, 0);
      slope += jump.stress_change;
      it.measure.each(e, [&](int row, double r) {
        each_step(it.measure, e, [&](int column, double c) { sink.add(Part::force_step, row, column, -r * slope * c); });
        if (e.jump == 0) return;
        each_start(it.measure, e,
                   [&](int column, double c) { sink.add(Part::force_jump, row, column, -r * jump.stress_rate * c); });
      });
      if (e.jump == 0) continue;
      each_start(it.measure, e, [&](int row, double r) {
        each_step(it.measure, e,
                  [&](int column, double c) { sink.add(Part::impulse_step, row, column, r * jump.impulse_change * c); });
        each_start(it.measure, e,
                   [&](int column, double c) { sink.add(Part::impulse_jump, row, column, r * jump.impulse_rate * c); });
      });
    }
  }
  double stored(const Eval& e, double*) const override {
    double sum = 0;
    for (const Item& it : items_) sum += it.law.potential(it.measure.position(e));
    return sum;
  }
  int output_count() const override { return 2 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      const double u = it.measure.position(e), rate = it.measure.rate(e);
      *out++ = u;
      *out++ = it.law.elastic(u) + it.law.damping(u, rate);
    }
  }

 private:
  /// Stiffness of the jump: that at the start, where it is one.
  static double stiffness(const Item& it, const StepEval& e) {
    return std::max(0.0, it.law.elastic(Dual<1>::variable(end_of(it.measure, e, 0), 0)).d[0]);
  }

  static double quotient(const Item& it, double u0, double u1) {
    if constexpr (requires { it.law.quotient(u0, u1); }) return it.law.quotient(u0, u1);
    const auto U = apply([&](const auto& u) { return it.law.potential(u); }, TwoPoint<1>::variable(u0, u1, 0));
    return U.row[0];
  }

  /// What both parts of a step know of an item.
  struct Known {
    double u0, u1;  ///< reading at the start and at the end
    double force;   ///< elastic
    double hard;    ///< [N/m] stiffness of the jump; 0: there is none
    Known(const Item& it, const StepEval& e)
        : u0(end_of(it.measure, e, 0)),
          u1(end_of(it.measure, e, 1)),
          force(quotient(it, u0, u1)),
          hard(e.jump == 0 ? 0 : stiffness(it, e)) {}
  };

  std::vector<Item> items_;
  int room_ = 0;
};

/// Forces as expressions of time and channels, on one measure each: loads, drives, controllers. They supply energy.
template <class M>
class LoadBlock final : public Block {
 public:
  struct Item {
    M measure;
    BoundSignal force;  ///< [N] along the reading: pushes B away from A
    int account = 0;
  };
  explicit LoadBlock(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces; }

  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      const double F = e.load_factor * it.force.value(e);
      it.measure.push(-F, e);
      e.power[it.account] = F * it.measure.rate(e);
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Kind = Signal::Input::Kind;
    using Part = JacobianSink::Part;
    for (const Item& it : items_) {
      double slope[BoundSignal::kMaxReadings] = {};
      it.force.value(e, slope);
      const auto& readings = it.force.readings();
      for (std::size_t k = 0; k < readings.size(); ++k) {
        each_column(readings[k], e, [&](Kind kind, int column, double factor) {
          const Part part = kind == Kind::position ? Part::force_q : kind == Kind::velocity ? Part::force_v : Part::force_z;
          it.measure.each(e, [&](int row, double r) { sink.add(part, row, column, e.load_factor * r * factor * slope[k]); });
        });
      }
    }
  }
  int output_count() const override { return static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) *out++ = e.load_factor * it.force.value(e);
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bristle
