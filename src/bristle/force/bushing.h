#pragma once
#include <array>
#include <utility>
#include <vector>

#include "bristle/core/jump_strain.h"
#include "bristle/measure/form.h"

namespace bristle {

/** A soft connection of two frames: T = K u + C u', u = displacement of B from A along the axes of A and rotation vector from A to B
in the axes of A.

The stored energy u' K u / 2 is a function of where the bodies are, so that nothing is gained or lost when they turn far; the moments are
those that do work on the rotation vector, which are the physical ones while the rotation is small. It may not reach half a turn. */
class BushingBlock final : public Block {
 public:
  struct Item {
    std::array<int, 6> row{};         ///< measures: displacement, rotation vector
    std::array<double, 36> K{}, C{};  ///< symmetric, row-major
    int account = -1;                 ///< -1: no damping
  };
  explicit BushingBlock(std::vector<Item> items) : items_(std::move(items)) {}
  unsigned roles() const override { return kForces | kStored; }
  std::string cannot_step() const override { return {}; }  // linear: the mean is exact

  bool has_stage() const override { return true; }

  void calc_forces(Eval& e) const override {
    for (const Item& it : items_) {
      double power = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        double elastic = 0, damping = 0;
        for (std::size_t j = 0; j < 6; ++j) {
          elastic += it.K[6 * i + j] * e.row_value[it.row[j]];
          damping += it.C[6 * i + j] * e.row_rate[it.row[j]];
        }
        RowMeasure{it.row[i]}.push(elastic + damping, e);
        power += damping * e.row_rate[it.row[i]];
      }
      if (it.account >= 0) e.power[it.account] = power;
    }
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    for (const Item& it : items_) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          const double k = it.K[6 * i + j], c = it.C[6 * i + j];
          if (k == 0 && c == 0) continue;
          e.rows->each(it.row[i], e.D, [&](int row, double r) {
            e.rows->each(it.row[j], e.D, [&](int column, double d) {
              sink.add(Part::force_q, row, column, -r * d * k);
              sink.add(Part::force_v, row, column, -r * d * c);
            });
          });
        }
      }
    }
  }
  /// Over a whole step the mean of a linear force is exact; the jump takes its share.
  void calc_step(StepEval& e) const override {
    if (e.jump > 0) add_stage(e);
    calc_forces(e);
  }
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override {
    using Part = JacobianSink::Part;
    for (const Item& it : items_) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          const double k = it.K[6 * i + j], c = it.C[6 * i + j];
          if (k == 0 && c == 0) continue;
          const JumpStrain jump(e, k, 0, 0);
          const double slope = 0.5 * k + c / e.h + jump.stress_change;
          const RowMeasure row{it.row[i]}, column{it.row[j]};
          row.each(e, [&](int at, double r) {
            each_step(column, e, [&](int by, double d) { sink.add(Part::force_step, at, by, -r * slope * d); });
            if (e.jump == 0) return;
            each_start(column, e, [&](int by, double d) { sink.add(Part::force_jump, at, by, -r * jump.stress_rate * d); });
          });
          if (e.jump == 0) continue;
          each_start(row, e, [&](int at, double r) {
            each_step(column, e, [&](int by, double d) { sink.add(Part::impulse_step, at, by, r * jump.impulse_change * d); });
            each_start(column, e, [&](int by, double d) { sink.add(Part::impulse_jump, at, by, r * jump.impulse_rate * d); });
          });
        }
      }
    }
  }
  double stored(const Eval& e, double*) const override {
    double sum = 0;
    for (const Item& it : items_) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) sum += 0.5 * it.K[6 * i + j] * e.row_value[it.row[i]] * e.row_value[it.row[j]];
      }
    }
    return sum;
  }
  int output_count() const override { return 12 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      for (int row : it.row) *out++ = e.row_value[row];
      for (std::size_t i = 0; i < 6; ++i) {
        *out = 0;
        for (std::size_t j = 0; j < 6; ++j)
          *out += it.K[6 * i + j] * e.row_value[it.row[j]] + it.C[6 * i + j] * e.row_rate[it.row[j]];
        ++out;
      }
    }
  }

 private:
  void add_stage(StepEval& e) const {
    for (const Item& it : items_) {
      double change[6], rate[6];
      for (std::size_t i = 0; i < 6; ++i) {
        change[i] = e.value_ends[1][it.row[i]] - e.value_ends[0][it.row[i]];
        rate[i] = jump_rate(RowMeasure{it.row[i]}, e);
      }
      for (std::size_t i = 0; i < 6; ++i) {
        const double y = change[i] - e.h * rate[i];
        for (std::size_t j = 0; j < 6; ++j) {
          const JumpStrain jump(e, it.K[6 * i + j], change[j], rate[j]);
          RowMeasure{it.row[i]}.push(jump.stress, e);
          e.rows->each(it.row[i], e.D_start, [&](int v, double c) { e.impulse[v] += c * jump.impulse; });
          *e.numerical += 2 * e.jump * e.jump * it.K[6 * i + j] * y * (change[j] - e.h * rate[j]);
        }
      }
    }
  }

  std::vector<Item> items_;
};

}  // namespace bristle
