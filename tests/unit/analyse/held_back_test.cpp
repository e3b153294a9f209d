// How long steps stay short after a cut: by hand.
#include "bristle/analyse/held_back.h"

#include <gtest/gtest.h>

namespace bristle {
namespace {

/// Steps taken at the limit until it changes; every one of them holds.
int wait(HeldBack& held, double wanted) {
  const double limit = held.limit();
  int count = 0;
  for (; held.limit() == limit && count < 1000; ++count) held.taken(limit, wanted);
  return count;
}

TEST(HeldBack, doubles_after_three_steps_until_nothing_is_held_back) {
  HeldBack held;
  held.cut(0.25, 1);
  EXPECT_EQ(held.limit(), 0.25);
  EXPECT_EQ(wait(held, 1), 3);
  EXPECT_EQ(held.limit(), 0.5);
  EXPECT_EQ(wait(held, 1), 3);
  EXPECT_EQ(held.limit(), 1);
  EXPECT_EQ(wait(held, 1), 3);
  EXPECT_EQ(held.limit(), kInfinity);
}

TEST(HeldBack, a_length_that_fails_again_and_again_is_tried_less_and_less_often) {
  HeldBack held;
  held.cut(0.25, 1);
  for (int patience : {3, 6, 12, 24, 48, 48}) {
    EXPECT_EQ(wait(held, 1), 3) << "a quarter of what failed";
    EXPECT_EQ(held.limit(), 0.5);
    EXPECT_EQ(wait(held, 1), patience);
    EXPECT_EQ(held.limit(), 1);
    held.cut(0.25, 1);
  }
}

TEST(HeldBack, patience_is_forgotten_once_the_length_that_failed_is_taken) {
  HeldBack held;
  held.cut(0.25, 64);
  // steps of 4 wait longer and longer
  for (int i = 0; i < 6; ++i) {
    while (held.limit() < 4) wait(held, 64);
    held.cut(1, 16);
  }
  EXPECT_EQ(wait(held, 64), 3);
  EXPECT_EQ(held.limit(), 2);
  EXPECT_EQ(wait(held, 64), 48);
  // this time they hold: on to 64 in three steps each
  for (double limit : {4, 8, 16, 32, 64}) {
    EXPECT_EQ(held.limit(), limit);
    EXPECT_EQ(wait(held, 64), 3);
  }
  EXPECT_EQ(held.limit(), kInfinity);
}

TEST(HeldBack, time_passes_in_shorter_steps_too) {
  HeldBack held;
  held.cut(0.25, 1);
  for (int i = 0; i < 29; ++i) held.taken(0.025, 0.025);
  EXPECT_EQ(held.limit(), 0.25);
  held.taken(0.025, 1);
  EXPECT_EQ(held.limit(), 0.5);
}

TEST(HeldBack, is_not_below_a_sixteenth_of_what_is_wanted) {
  HeldBack held;
  held.cut(1e-6, 1);
  EXPECT_EQ(held.limit(), 1.0 / 16);
}

}  // namespace
}  // namespace bristle
