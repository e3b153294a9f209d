#pragma once
#include <vector>

#include "bristle/core/archive.h"
#include "bristle/core/system.h"

namespace bristle {

/// Which held rows are solved for, where some of them follow from the others. How many follow is known from the start and stays along a
/// motion: it is counted once, on positions that fulfil the rows, and never again from rows that are off by the error of a stage, where a row
/// that follows looks independent and asks for enormous multipliers. Which ones are left out is a choice, and it is made anew when the rows that
/// are kept come near to depend on each other.
class RowChoice {
 public:
  void prepare(const System&);
  bool any() const { return !left_out_.empty(); }  ///< are there rows that follow from others?
  bool leaves_out(int k) const { return out_[static_cast<std::size_t>(k)] != 0; }
  const std::vector<int>& left_out() const { return left_out_; }
  /// Looks at the rows in the workspace. True: the choice has changed.
  bool review(const System&, const Workspace&);
  void save(Archive&) const;
  void load(Archive&);

 private:
  double smallest_pivot();
  static constexpr int kMost = 240;  // rows; beyond, the choice of the start stays
  int m_ = 0, n_ = 0;
  std::vector<char> out_;
  std::vector<int> left_out_, order_;
  double best_ = 0;  // smallest pivot of the kept rows, when they were chosen
  std::vector<double> D_, gram_, factor_;
};

}  // namespace bristle
