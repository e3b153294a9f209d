#pragma once
#include <array>
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/measure/form.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/** A force at a point of a body, or a torque on it, by three expressions of time and channels: jets, thrusters, motors. It supplies
energy: power = F . v of the point, or M . w.

The three measures are the motion of the point along fixed axes of the world or of the body (of a torque: the rotation about them); a
force that follows the body has measures without position, and in general no potential. */
class VectorLoads final : public Block {
 public:
  struct Item {
    std::array<int, 3> row{};            ///< measures of the point along the three axes
    std::array<BoundSignal, 3> force{};  ///< [N] or [N m]
    int account = 0;
  };
  explicit VectorLoads(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces; }

  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      double power = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double F = e.load_factor * it.force[k].value(e);
        RowMeasure{it.row[k]}.push(-F, e);
        power += F * e.row_rate[it.row[k]];
      }
      e.power[it.account] = power;
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    for (const Item& it : items_) {
      for (std::size_t k = 0; k < 3; ++k) {
        double slope[BoundSignal::kMaxReadings] = {};
        it.force[k].value(e, slope);
        const auto& readings = it.force[k].readings();
        for (std::size_t i = 0; i < readings.size(); ++i) {
          add_slope(e, sink, readings[i], e.load_factor * slope[i], it.row[k]);
        }
      }
    }
  }
  int output_count() const override { return 3 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      for (const BoundSignal& F : it.force) *out++ = e.load_factor * F.value(e);
    }
  }

  /// Entries of a force `slope` times a reading, along a row.
  static void add_slope(const Eval& e, JacobianSink& sink, const BoundSignal::Reading& reading, double slope, int row) {
    using Kind = Signal::Input::Kind;
    using Part = JacobianSink::Part;
    each_column(reading, e, [&](Kind kind, int column, double factor) {
      const Part part = kind == Kind::position ? Part::force_q : kind == Kind::velocity ? Part::force_v : Part::force_z;
      e.rows->each(row, e.D, [&](int v, double r) { sink.add(part, v, column, r * factor * slope); });
    });
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bristle
