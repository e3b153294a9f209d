#pragma once
#include <algorithm>
#include <utility>
#include <vector>

namespace bristle {

/// Which entries of a sparse matrix are not zero, in compressed columns: collected once; after that the values, which stand in an array of their
/// own, are refilled at the places that `at` told.
class SparsePattern {
 public:
  void clear() { entries_.clear(), starts_.clear(), rows_.clear(); }
  void add(int row, int column) { entries_.push_back({column, row}); }
  /// All entries are there.
  void compress(int columns) {
    std::sort(entries_.begin(), entries_.end());
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    starts_.assign(static_cast<std::size_t>(columns) + 1, 0);
    rows_.clear();
    for (const auto& [column, row] : entries_) ++starts_[static_cast<std::size_t>(column) + 1], rows_.push_back(row);
    for (std::size_t c = 1; c < starts_.size(); ++c) starts_[c] += starts_[c - 1];
    entries_ = {};
  }
  /// The place of an entry among the values; -1: it is always zero.
  int at(int row, int column) const {
    const auto from = rows_.begin() + begin(column), to = rows_.begin() + end(column), it = std::lower_bound(from, to, row);
    return it == to || *it != row ? -1 : static_cast<int>(it - rows_.begin());
  }
  int columns() const { return static_cast<int>(starts_.size()) - 1; }
  int count() const { return static_cast<int>(rows_.size()); }
  int begin(int column) const { return starts_[static_cast<std::size_t>(column)]; }
  int end(int column) const { return starts_[static_cast<std::size_t>(column) + 1]; }
  int row(int place) const { return rows_[static_cast<std::size_t>(place)]; }
  const std::vector<int>& starts() const { return starts_; }
  const std::vector<int>& rows() const { return rows_; }

 private:
  std::vector<std::pair<int, int>> entries_;  // (column, row), until they are compressed
  std::vector<int> starts_, rows_;
};

}  // namespace bristle
