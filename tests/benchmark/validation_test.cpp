// The published studies of `bristle validate`: every figure within its tolerance, or named as different with the reason.
#include "validation/validation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <ostream>
#include <stdexcept>

#include "validation/side_by_side.h"

namespace bristle {

void PrintTo(const ValidationCase& study, std::ostream* out) { *out << study.name; }

namespace {

class Validation : public testing::TestWithParam<ValidationCase> {};

TEST_P(Validation, published_figures_come_out_or_the_reason_is_given) {
  const std::vector<ValidationRow> rows = GetParam().run(2);
  EXPECT_GT(rows.size(), 50u);
  for (const ValidationRow& row : rows) {
    EXPECT_NE(row.verdict, ValidationRow::Verdict::kFails)
        << row.quantity << ": published " << row.published << ", ours " << row.ours << ". " << row.note;
  }
}

TEST(SideBySide, makes_every_task_once_and_keeps_the_order_of_rows) {
  for (int jobs : {1, 2, 5}) {
    std::vector<std::atomic<int>> made(40);
    std::vector<std::function<void(Rows&)>> parts;
    for (std::size_t i = 0; i < made.size(); ++i) {
      parts.emplace_back([&made, i](Rows& rows) {
        ++made[i];
        rows.shown(std::to_string(i), "", "");
      });
    }
    const std::vector<ValidationRow> rows = in_parts(jobs, parts).take();
    ASSERT_EQ(rows.size(), made.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
      EXPECT_EQ(made[i], 1);
      EXPECT_EQ(rows[i].quantity, std::to_string(i));
    }
  }
}

TEST(SideBySide, throws_on_what_a_task_throws) {
  const std::vector<std::function<void()>> tasks(5, [] { throw std::runtime_error("no channel"); });
  for (int jobs : {1, 3}) EXPECT_THROW(side_by_side(jobs, tasks), std::runtime_error);
}

/// Studies of many runs, which take ten seconds and more of processor time, or the others.
std::vector<ValidationCase> studies(bool lengthy) {
  std::vector<ValidationCase> list;
  for (const ValidationCase& one : validation_cases()) {
    const bool takes_long = one.name != "lugre" && one.name != "belt";
    if (takes_long == lengthy) list.push_back(one);
  }
  return list;
}
const auto name_of = [](const auto& study) { return study.param.name; };

INSTANTIATE_TEST_SUITE_P(Studies, Validation, testing::ValuesIn(studies(false)), name_of);
INSTANTIATE_TEST_SUITE_P(LongStudies, Validation, testing::ValuesIn(studies(true)), name_of);

}  // namespace
}  // namespace bristle
