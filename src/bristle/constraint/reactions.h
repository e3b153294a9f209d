#pragma once
#include <utility>
#include <vector>

#include "bristle/constraint/row_wrench.h"
#include "bristle/core/block.h"
#include "bristle/measure/relation.h"

namespace bristle {

/// Channels of what joints carry, held and pressed: force and moment on B at its frame of the joint, in world axes. Its block stands after
/// the places, which leave in row_force what presses and rubs.
class Reactions final : public Block {
 public:
  struct Item {
    Marker A, B;
    std::vector<std::pair<Relation, int>> held;  ///< and its slot in lambda
    std::vector<double> scale;                   ///< of each relation
    std::vector<int> pressed;                    ///< rows of gaps and slips, of a joint with clearance
  };
  Reactions(std::vector<Item> items, const std::vector<BodyInfo>& bodies)
      : items_(std::move(items)), frames_(frame_maps(bodies)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return 6 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      Frame<> A, B;
      const Pose &PA = e.pose[it.A.body], &PB = e.pose[it.B.body];
      A.R = PA.R * it.A.R;
      B.R = PB.R * it.B.R;
      A.p = PA.p + PA.R * it.A.s;
      B.p = PB.p + PB.R * it.B.s;
      Vec3<> F, M;
      for (std::size_t k = 0; k < it.held.size(); ++k) {
        const RelationRow<> row = calc_relation(it.held[k].first, A, B);
        const double T = -e.lambda[it.held[k].second] * it.scale[k];
        F = F + T * row.F;
        M = M + T * row.M;
      }
      for (int row : it.pressed) {
        const double T = -e.row_force[row];
        if (T == 0) continue;
        const RowWrench w = row_wrench(e, row, frames_, it.A.body, it.B.body);
        F = F + T * w.F;
        M = M + T * (w.M + cross(w.at - B.p, w.F));
      }
      for (int k = 0; k < 3; ++k) *out++ = F[k];
      for (int k = 0; k < 3; ++k) *out++ = M[k];
    }
  }

 private:
  std::vector<Item> items_;
  std::vector<FrameMap> frames_;
};

}  // namespace bristle
