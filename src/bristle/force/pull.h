#pragma once
#include <utility>
#include <vector>

#include "bristle/core/block.h"
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
  std::vector<Item> items_;
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
      const double F = it.force.value(e);
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
          it.measure.each(e, [&](int row, double r) { sink.add(part, row, column, r * factor * slope[k]); });
        });
      }
    }
  }
  int output_count() const override { return static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) *out++ = it.force.value(e);
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bristle
