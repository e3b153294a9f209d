#pragma once
#include <vector>

#include "bristle/core/block.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// Scalar masses and inertias: one coordinate each.
class ScalarMasses final : public Block {
 public:
  struct Item {
    int index = 0;
    double mass = 1, position = 0, velocity = 0;
    double inverse = 1;  ///< 1/mass, filled here: a product is several times faster than a quotient
  };
  explicit ScalarMasses(std::vector<Item> items) : items_(std::move(items)) {
    for (Item& m : items_) m.inverse = 1 / m.mass;
  }
  unsigned roles() const override { return kMass | kKinetic; }
  const std::vector<Item>& items() const { return items_; }

  void start(State& x) const override {
    for (const Item& m : items_) {
      x.q()[m.index] = m.position;
      x.v()[m.index] = m.velocity;
    }
  }
  void calc_jacobian(const Eval&, JacobianSink& sink) const override {
    for (const Item& m : items_) sink.add(JacobianSink::Part::mass, m.index, m.index, m.mass);
  }
  void solve_mass(const double*, const double* f, double* a) const override {
    for (const Item& m : items_) a[m.index] = f[m.index] * m.inverse;
  }
  void mass_blocks(std::vector<MassBlock>& list) const override {
    for (const Item& m : items_) list.push_back({m.index, 1, {m.mass}});
  }
  double kinetic(const Eval& e) const override {
    double sum = 0;
    for (const Item& m : items_) sum += 0.5 * m.mass * e.v[m.index] * e.v[m.index];
    return sum;
  }

 private:
  std::vector<Item> items_;
};

/// Coordinates whose motion is a given function of time: belts, base motion, prescribed motion. Their drives supply energy.
class DrivenCoordinates final : public Block {
 public:
  struct Item {
    int index = 0;
    BoundSignal position;  ///< of time alone; used when `rate` is false
    BoundSignal velocity;  ///< of time alone, integrated from `start`: only constants
    bool rate = false;
    double start = 0;
    void motion(double t, double& q, double& v, double& a) const {
      if (!rate) {
        position.motion(t, q, v, a);
        return;
      }
      v = velocity.signal().constant();
      q = start + v * t;
      a = 0;
    }
  };
  explicit DrivenCoordinates(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kDrives; }
  const std::vector<Item>& items() const { return items_; }

  void set_time(State& x, double t) const override {
    for (const Item& d : items_) d.motion(t, x.q()[d.index], x.v()[d.index], x.a()[d.index]);
  }

 private:
  std::vector<Item> items_;
};

/// Channels of the coordinates: position, velocity, acceleration.
class CoordinateOutputs final : public Block {
 public:
  explicit CoordinateOutputs(std::vector<int> indices) : indices_(std::move(indices)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return 3 * static_cast<int>(indices_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int k : indices_) {
      *out++ = e.q[k];
      *out++ = e.v[k];
      *out++ = e.a[k];
    }
  }

 private:
  std::vector<int> indices_;
};

}  // namespace bristle
