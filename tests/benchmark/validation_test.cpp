// The published studies of `bristle validate`: every figure within its tolerance, or named as different with the reason.
#include "bristle/validate/validation.h"

#include <gtest/gtest.h>

namespace bristle {
namespace {

class Validation : public testing::TestWithParam<ValidationCase> {};

TEST_P(Validation, published_figures_come_out_or_the_reason_is_given) {
  const std::vector<ValidationRow> rows = GetParam().run();
  EXPECT_GT(rows.size(), 50u);
  for (const ValidationRow& row : rows) {
    EXPECT_TRUE(row.pass) << row.quantity << ": published " << row.published << ", ours " << row.ours << ". " << row.note;
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, Validation, testing::ValuesIn(validation_cases()),
                         [](const auto& study) { return study.param.name; });

}  // namespace
}  // namespace bristle
