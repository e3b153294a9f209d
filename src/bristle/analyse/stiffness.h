#pragma once
#include <Eigen/SparseCore>
#include <vector>

#include "bristle/core/block.h"

namespace bristle {

/// -dF/dq of the free coordinates.
class Stiffness final : public JacobianSink {
 public:
  Stiffness(const Layout& layout, std::vector<Eigen::Triplet<double>>& entries) : layout_(layout), entries_(entries) {}
  void add(Part part, int row, int column, double value) override {
    if (part != Part::force_q) return;
    const int i = layout_.unknown(row), j = layout_.unknown(column);
    if (i >= 0 && j >= 0) entries_.emplace_back(i, j, -value);
  }

 private:
  const Layout& layout_;
  std::vector<Eigen::Triplet<double>>& entries_;
};

}  // namespace bristle
