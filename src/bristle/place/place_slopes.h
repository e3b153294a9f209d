#pragma once
#include "bristle/core/block.h"
#include "bristle/interface/friction_law.h"
#include "bristle/measure/form.h"
#include "bristle/place/item.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// What force and rates of the memory of a place depend on at one instant, and how that becomes entries of the Jacobian.
template <class M, int D>
struct PlaceSlopes {
  using Item = Place<M, D>;
  Patch<D> patch;
  Vec<D> F;
  RubPartials J;
  double by_reading[BoundSignal::kMaxReadings] = {};
  double by_gap[2] = {0, 0};  // of the load: by depth and its rate
  double open = 0;            // 1: it is pressed
  Vec<D> by_input = {};       // of the force
  double input_by_reading[BoundSignal::kMaxReadings] = {};

  /// How the force depends on what an expression gives the law.
  void find_input(const Item& p, const Vec<D>& slope, const Eval& e) {
    const double value = p.input->signal.value(e, input_by_reading);
    if (value >= p.input->low && value <= p.input->high) by_input = slope;
  }

  /// A row of the Jacobian that a row of the law goes to, and the parts of it.
  struct Target {
    JacobianSink::Part by_q, by_v, by_z, by_lambda;
    int at;
    double scale;
    static Target force(int at, double scale) {
      using enum JacobianSink::Part;
      return {force_q, force_v, force_z, force_lambda, at, scale};
    }
    static Target memory(int at) {
      using enum JacobianSink::Part;
      return {rate_q, rate_v, rate_z, rate_lambda, at, 1};
    }
  };

  /// Row r of the law: how it depends on v, q, z, and on what loads the place.
  void emit_law(const Item& p, int r, const Target& to, const Eval& e, JacobianSink& sink) const {
    using Kind = Signal::Input::Kind;
    for (int d = 0; d < D; ++d) {
      p.measure[d].each(e, [&](int column, double c) { sink.add(to.by_v, to.at, column, to.scale * J(r, d) * c * p.arm); });
      if (!p.memory.travel) continue;
      if (p.travel >= 0) {
        sink.add(to.by_z, to.at, p.travel + d, to.scale * J(r, D + 1 + d));
      } else {
        p.measure[d].each(
            e, [&](int column, double c) { sink.add(to.by_q, to.at, column, to.scale * J(r, D + 1 + d) * c * p.arm); });
      }
    }
    const double by_load = to.scale * J(r, D);
    if (p.bearing) {
      p.bearing->each(e.lambda, [&](int slot, double c) { sink.add(to.by_lambda, to.at, slot, by_load * open * c); });
    } else if (p.press) {
      e.rows->each(p.press->gap, e.D, [&](int column, double c) {
        sink.add(to.by_q, to.at, column, -by_load * by_gap[0] * c);
        sink.add(to.by_v, to.at, column, -by_load * by_gap[1] * c);
      });
    } else {
      const auto& readings = p.load.readings();
      for (std::size_t k = 0; k < readings.size(); ++k) {
        each_column(readings[k], e, [&](Kind kind, int column, double factor) {
          const auto part = kind == Kind::position ? to.by_q : kind == Kind::velocity ? to.by_v : to.by_z;
          sink.add(part, to.at, column, by_load * open * by_reading[k] * factor);
        });
      }
    }
    for (std::size_t k = 0; p.input && r < D && k < p.input->signal.readings().size(); ++k) {
      each_column(p.input->signal.readings()[k], e, [&](Kind kind, int column, double factor) {
        const auto part = kind == Kind::position ? to.by_q : kind == Kind::velocity ? to.by_v : to.by_z;
        sink.add(part, to.at, column, to.scale * by_input[r] * input_by_reading[k] * factor);
      });
    }
    for (int m = 0; m < p.memory.z; ++m) sink.add(to.by_z, to.at, p.z + m, to.scale * J(r, 2 * D + 1 + m));
  }

  /// The gap is pushed open by the load.
  void emit_press(const Item& p, const Eval& e, JacobianSink& sink) const {
    e.rows->each(p.press->gap, e.D, [&](int at, double c) {
      e.rows->each(p.press->gap, e.D, [&](int column, double d) {
        sink.add(JacobianSink::Part::force_q, at, column, -c * by_gap[0] * d);
        sink.add(JacobianSink::Part::force_v, at, column, -c * by_gap[1] * d);
      });
    });
  }

  /// T = F/N * factor * lambda, on another row.
  void emit_moments(const Item& p, const Eval& e, JacobianSink& sink) const {
    constexpr auto kBy = JacobianSink::Part::force_lambda;
    for (const BearingMoment& m : p.bearing->moments) {
      const double per_load = patch.load > 0 ? m.factor / patch.load : 0, by_force = per_load * e.lambda[m.slot];
      e.rows->each(m.row, e.D, [&](int at, double c) {
        emit_law(p, 0, Target::force(at, -c * by_force), e, sink);
        sink.add(kBy, at, m.slot, -c * per_load * F[0]);
        const double by_load = patch.load > 0 ? c * by_force * F[0] / patch.load : 0;
        p.bearing->each(e.lambda, [&](int slot, double by) { sink.add(kBy, at, slot, by_load * by); });
      });
    }
  }
};

}  // namespace bristle
