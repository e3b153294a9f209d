#pragma once
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/plan.h"

namespace bristle {

/** Lift of a body that spins in air (Magnus effect): F = c w x v at the origin of its frame. It does no work. */
class SpinLift final : public Block {
 public:
  struct Item {
    std::array<int, 3> way{}, turn{};  ///< measures along and about the axes of the world
    double factor = 0;                 ///< [kg] c
  };
  explicit SpinLift(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces; }
  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      const Vec3<> F = force(it, e);
      for (int k = 0; k < 3; ++k) RowMeasure{it.way[static_cast<std::size_t>(k)]}.push(-F[k], e);
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    const auto add = [&](int along, int by, double slope) {  // force along one row by the rate of another
      e.rows->each(along, e.D, [&](int row, double r) {
        e.rows->each(by, e.D, [&](int column, double c) { sink.add(JacobianSink::Part::force_v, row, column, r * c * slope); });
      });
    };
    for (const Item& it : items_) {
      const double c = e.load_factor * it.factor;
      const Vec3<> v = rate(it.way, e), w = rate(it.turn, e);
      for (std::size_t j = 0; j < 3; ++j) {
        Vec3<> unit;
        unit[static_cast<int>(j)] = 1;
        const Vec3<> by_way = cross(w, unit), by_turn = cross(unit, v);
        for (std::size_t i = 0; i < 3; ++i) {
          add(it.way[i], it.way[j], c * by_way[static_cast<int>(i)]);
          add(it.way[i], it.turn[j], c * by_turn[static_cast<int>(i)]);
        }
      }
    }
  }
  int output_count() const override { return 3 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      for (double F : force(it, e).x) *out++ = F;
    }
  }

 private:
  static Vec3<> rate(const std::array<int, 3>& row, const Eval& e) {
    return Vec3<>{{e.row_rate[row[0]], e.row_rate[row[1]], e.row_rate[row[2]]}};
  }
  static Vec3<> force(const Item& it, const Eval& e) {
    return (e.load_factor * it.factor) * cross(rate(it.turn, e), rate(it.way, e));
  }
  std::vector<Item> items_;
};

/// {type: spin_lift, on: ball, factor: 0.2 kg}
struct SpinLiftKeys {
  const Node* on = nullptr;
  double factor = 0;  // [kg]
  void visit(Keys& keys) {
    keys.node("on", "point", on, "", "the body, or a frame of it");
    keys.required("factor", factor, unit::kilogram, any, "force = factor * w x v");
  }
};

inline ElementEntry spin_lift() {
  struct Lifts {
    std::vector<SpinLift::Item> items;
    std::vector<std::string> names;
  };
  ElementEntry entry{{"spin_lift", "lift of a body that spins in air", key_fields<SpinLiftKeys>(),
                      "bodies:\n  ball: {type: rigid, mass: 0.4 kg, inertia: [1e-3, 1e-3, 1e-3]}\n"
                      "forces:\n  air: {type: spin_lift, on: ball, factor: 10 g}\n",
                      "Does no work. Channels: force.x|y|z on the body.\n"}};
  entry.announce = [](Plan& plan, Reader&, const std::string& name) { offer_vector(plan, name, "force"); };  // for expressions
  entry.add = [](Plan& plan, Reader& reader, const std::string& name) {
    const SpinLiftKeys keys = read_keys<SpinLiftKeys>(reader, plan.scope);
    reader.finish({"type"});
    const Marker point = moving_point(plan, reader, *keys.on, "", {});
    SpinLift::Item item;
    item.factor = keys.factor;
    item.way = point_rows(plan, point, Relation::Kind::along);
    item.turn = point_rows(plan, point, Relation::Kind::spin);
    plan.list<Lifts>().items.push_back(item);
    plan.list<Lifts>().names.push_back(name);
  };
  entry.make = [](Plan& plan) {
    auto& lifts = plan.list<Lifts>();
    if (lifts.items.empty()) return;
    for (const std::string& name : lifts.names) vector_channels(plan, name + ".force", "N", "on the body, world axes");
    plan.blocks.push_back(std::make_unique<SpinLift>(std::move(lifts.items)));
  };
  return entry;
}

}  // namespace bristle
