#pragma once
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "bristle/force/vector_load.h"

namespace bristle {

/** Drag of a fluid at a point of a body: F = -(c + rho C A |u| / 2) u, u = velocity of the point less that of the fluid.

What the fluid takes from the motion relative to it, -F . u, is dissipated; a wind supplies F . wind. */
class DragBlock final : public Block {
 public:
  struct Item {
    std::array<int, 3> row{};           ///< measures of the point along the axes of the world
    double linear = 0;                  ///< [N s/m]
    double quadratic = 0;               ///< [N s^2/m^2] rho C A / 2
    std::array<BoundSignal, 3> wind{};  ///< [m/s]
    int account = 0;
    int wind_account = -1;  ///< -1: the fluid is at rest
  };
  explicit DragBlock(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces; }

  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      const Flow flow(it, e);
      double dissipated = 0, supplied = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double T = flow.resistance * flow.u[k];
        RowMeasure{it.row[k]}.push(T, e);
        dissipated += T * flow.u[k];
        supplied -= T * flow.wind[k];
      }
      e.power[it.account] = dissipated;
      if (it.wind_account >= 0) e.power[it.wind_account] = supplied;
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    for (const Item& it : items_) {
      const Flow flow(it, e);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          // d T_i / d u_j
          double slope = i == j ? flow.resistance : 0;
          if (flow.speed > 0) slope += e.load_factor * it.quadratic * flow.u[i] * flow.u[j] / flow.speed;
          e.rows->each(it.row[i], e.D, [&](int row, double r) {
            e.rows->each(it.row[j], e.D,
                         [&](int column, double c) { sink.add(JacobianSink::Part::force_v, row, column, -r * c * slope); });
          });
          double by_reading[BoundSignal::kMaxReadings] = {};
          it.wind[j].value(e, by_reading);
          const auto& readings = it.wind[j].readings();
          for (std::size_t k = 0; k < readings.size(); ++k)
            VectorLoads::add_slope(e, sink, readings[k], slope * by_reading[k], it.row[i]);
        }
      }
    }
  }
  int output_count() const override { return 4 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      const Flow flow(it, e);
      *out++ = flow.speed;
      for (double u : flow.u) *out++ = -flow.resistance * u;
    }
  }

 private:
  struct Flow {
    std::array<double, 3> u{}, wind{};
    double speed = 0, resistance = 0;
    Flow(const Item& it, const Eval& e) {
      for (std::size_t k = 0; k < 3; ++k) {
        wind[k] = it.wind[k].value(e);
        u[k] = e.row_rate[it.row[k]] - wind[k];
        speed += u[k] * u[k];
      }
      speed = std::sqrt(speed);
      resistance = e.load_factor * (it.linear + it.quadratic * speed);
    }
  };
  std::vector<Item> items_;
};

}  // namespace bristle
