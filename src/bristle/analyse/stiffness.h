#pragma once
#include <vector>

#include "bristle/core/block.h"
#include "bristle/math/gathered_matrix.h"

namespace bristle {

/// -dF/dq of the free coordinates.
class Stiffness final : public JacobianSink {
 public:
  Stiffness(const Layout& layout, std::vector<MatrixEntry>& entries) : layout_(layout), entries_(entries) {}
  void add(Part part, int row, int column, double value) override {
    if (part != Part::force_q) return;
    const int i = layout_.unknown(row), j = layout_.unknown(column);
    if (i >= 0 && j >= 0) entries_.push_back({i, j, -value});
  }

 private:
  const Layout& layout_;
  std::vector<MatrixEntry>& entries_;
};

}  // namespace bristle
