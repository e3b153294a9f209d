#pragma once
#include <string>
#include <utility>
#include <vector>

namespace bristle {

/// Consecutive columns of a row: velocity indices v .. v+count-1, values from `at` on.
struct RowPiece {
  int v = 0, count = 0, at = 0;
};

/// Rows are measures of bodies in space: a number whose rate is D v (+ its partial derivative by time). What acts on a measure with
/// the force T that resists it adds -T D to the generalised force. The pattern is fixed; values change with the configuration.
class RowPattern {
 public:
  int count() const { return static_cast<int>(first_.size()) - 1; }
  int values() const { return values_; }  ///< numbers of all rows together

  int add(const std::vector<std::pair<int, int>>& ranges) {
    for (const auto& [v, count] : ranges) {
      pieces_.push_back({v, count, values_});
      values_ += count;
    }
    first_.push_back(static_cast<int>(pieces_.size()));
    return count() - 1;
  }
  const RowPiece* begin(int row) const { return pieces_.data() + first_[static_cast<std::size_t>(row)]; }
  const RowPiece* end(int row) const { return pieces_.data() + first_[static_cast<std::size_t>(row) + 1]; }

  double read(int row, const double* D, const double* x) const {
    double sum = 0;
    for (const RowPiece* p = begin(row); p != end(row); ++p) {
      const double *d = D + p->at, *y = x + p->v;
      for (int k = 0; k < p->count; ++k) sum += d[k] * y[k];
    }
    return sum;
  }
  void push(int row, double T, const double* D, double* f) const {
    for (const RowPiece* p = begin(row); p != end(row); ++p) {
      const double* d = D + p->at;
      double* g = f + p->v;
      for (int k = 0; k < p->count; ++k) g[k] -= T * d[k];
    }
  }
  /// visit(velocity index, coefficient)
  template <class F>
  void each(int row, const double* D, F&& visit) const {
    for (const RowPiece* p = begin(row); p != end(row); ++p) {
      for (int k = 0; k < p->count; ++k) visit(p->v + k, D[p->at + k]);
    }
  }

 private:
  std::vector<int> first_{0};
  std::vector<RowPiece> pieces_;
  int values_ = 0;
};

/// Rows behind those that blocks evaluate: sums of scalar coordinates, whose values never change. Nobody writes their measure and their rate to
/// the workspace; the velocities tell the rate.
class ConstantRows {
 public:
  explicit ConstantRows(RowPattern& rows) : rows_(rows), first_(rows.count()) {}
  int first() const { return first_; }
  int add(const std::vector<std::pair<int, double>>& terms) {  ///< (velocity, coefficient)
    std::vector<std::pair<int, int>> ranges;
    for (const auto& [v, coefficient] : terms) {
      ranges.push_back({v, 1});
      values_.push_back(coefficient);
    }
    return rows_.add(ranges);
  }
  const std::vector<double>& values() const { return values_; }  ///< the last ones of the pattern

 private:
  RowPattern& rows_;
  int first_;
  std::vector<double> values_;
};

/// A row that is held: a constraint, a drive. Its multiplier is the force that holds it: M a + D' lambda = f.
struct HeldRow {
  int row = 0;
  std::string owner;      ///< the user's name: "joint 'pin'"
  std::string name;       ///< what is held: "displacement along x"
  int account = -1;       ///< of the drive that moves it; -1: it does no work
  bool holonomic = true;  ///< false: only its rate is held, as in rolling
  bool length = false;    ///< a distance [m]; others are angles, or what an expression makes them
};

}  // namespace bristle
