#pragma once
#include <string>
#include <utility>
#include <vector>

#include "validation/validation.h"

namespace bristle {

/// Collects rows; a figure passes when it is within its tolerance.
class Rows {
 public:
  void relative(const std::string& quantity, double published, double ours, double tolerance, const std::string& note = "");
  void absolute(const std::string& quantity, double published, double ours, double tolerance, const std::string& note = "");
  void truth(const std::string& quantity, const std::string& published, const std::string& ours, bool pass,
             const std::string& note = "");
  /// For the record: not held against the published figure.
  void shown(const std::string& quantity, const std::string& published, const std::string& ours, const std::string& note = "");
  /// For the record: a figure that does not come out, with the reason.
  void differs(const std::string& quantity, const std::string& published, const std::string& ours, const std::string& reason);
  void append(std::vector<ValidationRow> rows);
  std::vector<ValidationRow> take() { return std::move(rows_); }

 private:
  std::vector<ValidationRow> rows_;
};

}  // namespace bristle
