#pragma once
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// Numbers with a rate the user wrote: integral action, filters, temperatures.
class UserStates final : public Block {
 public:
  struct Item {
    int z = 0;
    double start = 0;
    BoundSignal rate;
  };
  explicit UserStates(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces; }

  void start(State& x) const override {
    for (const Item& it : items_) x.z()[it.z] = it.start;
  }
  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) e.zdot[it.z] = it.rate.value(e);
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Kind = Signal::Input::Kind;
    using Part = JacobianSink::Part;
    for (const Item& it : items_) {
      double slope[BoundSignal::kMaxReadings] = {};
      it.rate.value(e, slope);
      const auto& readings = it.rate.readings();
      for (std::size_t k = 0; k < readings.size(); ++k) {
        each_column(readings[k], e, [&](Kind kind, int column, double factor) {
          const Part part = kind == Kind::position ? Part::rate_q : kind == Kind::velocity ? Part::rate_v : Part::rate_z;
          sink.add(part, it.z, column, factor * slope[k]);
        });
      }
    }
  }
  int output_count() const override { return static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) *out++ = e.z[it.z];
  }

 private:
  std::vector<Item> items_;
};

}  // namespace bristle
