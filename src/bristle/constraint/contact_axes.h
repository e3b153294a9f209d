#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bristle/constraint/row_wrench.h"
#include "bristle/core/block.h"

namespace bristle {

/// Channels of the directions at the points where surfaces may touch: the normal, and the first tangent, along which the first
/// components of slip and friction force count.
class ContactAxes final : public Block {
 public:
  struct Item {
    std::string name;       ///< of the place
    int A = 0, B = 0;       ///< bodies
    int gap = 0, slip = 0;  ///< rows
  };
  ContactAxes(std::vector<Item> items, const std::vector<BodyInfo>& bodies)
      : items_(std::move(items)), frames_(frame_maps(bodies)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return 6 * static_cast<int>(items_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (const Item& it : items_) {
      for (int row : {it.gap, it.slip}) {
        const Vec3<> axis = row_wrench(e, row, frames_, it.A, it.B).F;
        for (int k = 0; k < 3; ++k) *out++ = axis[k];
      }
    }
  }

 private:
  std::vector<Item> items_;
  std::vector<FrameMap> frames_;
};

}  // namespace bristle
