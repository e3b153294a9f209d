#pragma once
#include <vector>

#include "bristle/core/system.h"
#include "bristle/math/block_lu.h"

namespace bristle {

/// The matrix of Newton's method for a step of an energy scheme. Unknowns are [increments | h velocities after the jump | h^2/2 multipliers
/// of the step, held rows and dry places | h^2 multipliers of the jump, the same]; without a jump the second and fourth are missing. Rows are the balance of forces times
/// h^2/2, that of impulses times h, the held rows at the end, their rates after the jump times h: so all entries are of the size of a
/// mass, whatever the step. Entries come in the same order every time; the pattern is learnt once. Bodies in space are groups of unknowns.
class StepMatrix final : public JacobianSink {
 public:
  void prepare(const System&, bool jumps);
  int size() const { return size_; }
  int jump(int unknown) const { return n_ + unknown; }
  int multiplier(int slot) const { return (jumps_ ? 2 : 1) * n_ + slot; }
  int jump_multiplier(int slot) const { return 2 * n_ + slots_ + slot; }

  void begin(double h, double* b);  ///< all entries zero; b: right-hand side, read by `finish`
  void put(int row, int column, double value);
  void add(Part part, int row, int column, double value) override;
  void add_block(Part part, const int* index, int count, const double* values) override;
  bool finish();                                 ///< leaves the solution in b
  void solve(double* b) const { lu_.solve(b); }  ///< once more with the same factors

 private:
  static constexpr int kSmall = 40;  // unknowns that are not worth a grouping
  double factor_of(Part part) const;
  void learn();
  void land(int step);

  const Layout* layout_ = nullptr;
  int n_ = 0, slots_ = 0, size_ = 0;
  bool jumps_ = false, learning_ = true;
  double h_ = 0;
  double* b_ = nullptr;
  struct Block {
    int first, count;               // entries
    bool packed;                    // do they stand by sixes side by side?
    int first_step = 0, steps = 0;  // in touched_
  };
  struct Entry {
    int from, to;
  };
  std::size_t next_ = 0, next_block_ = 0, next_run_ = 0;
  std::vector<std::pair<int, int>> entries_;  // while learning
  std::vector<double> single_;                // values of entries that are not packed; while learning, of all
  std::vector<Entry> landing_;                // where they land, step by step
  std::vector<int> landing_end_;              // of every step, then of what is left
  std::vector<Block> blocks_;                 // entries that came together
  std::vector<int> touched_;                  // by the packed ones: steps of the elimination
  std::vector<int> runs_;                     // where the sixes of the packed ones start
  BlockLu lu_;
};

}  // namespace bristle
