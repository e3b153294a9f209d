// The published studies of `bristle validate`: every figure within its tolerance, or named as different with the reason.
#include "validation/validation.h"

#include <gtest/gtest.h>

#include <ostream>

namespace bristle {

void PrintTo(const ValidationCase& study, std::ostream* out) { *out << study.name; }

namespace {

class Validation : public testing::TestWithParam<ValidationCase> {};

TEST_P(Validation, published_figures_come_out_or_the_reason_is_given) {
  const std::vector<ValidationRow> rows = GetParam().run();
  EXPECT_GT(rows.size(), 50u);
  for (const ValidationRow& row : rows) {
    EXPECT_NE(row.verdict, ValidationRow::Verdict::kFails)
        << row.quantity << ": published " << row.published << ", ours " << row.ours << ". " << row.note;
  }
}

/// Studies of many runs, which take half a minute and more, or the others.
std::vector<ValidationCase> studies(bool lengthy) {
  std::vector<ValidationCase> list;
  for (const ValidationCase& one : validation_cases()) {
    const bool takes_long = one.name == "clearance_joint" || one.name == "sleeve_joint" || one.name == "spatial_mechanism" ||
                            one.name == "supercritical_rotor" || one.name == "critical_speeds";
    if (takes_long == lengthy) list.push_back(one);
  }
  return list;
}
const auto name_of = [](const auto& study) { return study.param.name; };

INSTANTIATE_TEST_SUITE_P(Studies, Validation, testing::ValuesIn(studies(false)), name_of);
INSTANTIATE_TEST_SUITE_P(LongStudies, Validation, testing::ValuesIn(studies(true)), name_of);

}  // namespace
}  // namespace bristle
