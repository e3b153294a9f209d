#include "validation/rows.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace bristle {

namespace {

using Verdict = ValidationRow::Verdict;

Verdict held(bool agrees) { return agrees ? Verdict::kAgrees : Verdict::kFails; }

}  // namespace

void Rows::relative(const std::string& quantity, double published, double ours, double tolerance, const std::string& note) {
  rows_.push_back({quantity, fmt::format("{:.5g}", published), fmt::format("{:.5g}", ours),
                   held(std::abs(ours - published) <= tolerance * std::abs(published)), note});
}

void Rows::absolute(const std::string& quantity, double published, double ours, double tolerance, const std::string& note) {
  rows_.push_back({quantity, fmt::format("{:.7g}", published), fmt::format("{:.7g}", ours),
                   held(std::abs(ours - published) <= tolerance), note});
}

void Rows::truth(const std::string& quantity, const std::string& published, const std::string& ours, bool pass,
                 const std::string& note) {
  rows_.push_back({quantity, published, ours, held(pass), note});
}

void Rows::shown(const std::string& quantity, const std::string& published, const std::string& ours, const std::string& note) {
  rows_.push_back({quantity, published, ours, Verdict::kShown, note});
}

void Rows::differs(const std::string& quantity, const std::string& published, const std::string& ours,
                   const std::string& reason) {
  rows_.push_back({quantity, published, ours, Verdict::kDiffers, reason});
}

void Rows::append(std::vector<ValidationRow> rows) {
  rows_.insert(rows_.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace bristle
