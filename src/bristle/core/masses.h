#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "bristle/core/block.h"

namespace bristle {

/// Inertia of a system, block by block.
class Masses {
 public:
  void add(const Block& block) {
    if (block.roles() & kMass) solvers_.push_back(&block);
    block.mass_blocks(blocks_);
    owners_.resize(blocks_.size(), &block);
    constant_ = std::all_of(blocks_.begin(), blocks_.end(), [](const MassBlock& m) { return m.constant; });
  }
  const std::vector<MassBlock>& blocks() const { return blocks_; }  ///< those that change: at the initial values
  bool constant() const { return constant_; }                       ///< none of them changes
  /// Number i of blocks() at a configuration; `m` is a copy of it that is made anew.
  void calc(std::size_t i, const double* q, MassBlock& m) const {
    if (!m.constant) owners_[i]->calc_mass(q, m);
  }
  /// Accelerations from forces, for the coordinates that blocks own.
  void solve(const double* q, const double* f, double* a) const {
    for (const MassFacet* block : solvers_) block->solve_mass(q, f, a);
  }

 private:
  std::vector<const MassFacet*> solvers_;
  std::vector<MassBlock> blocks_;
  std::vector<const MassFacet*> owners_;
  bool constant_ = true;
};

}  // namespace bristle
