#include "bristle/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "bristle/base/visitor.h"

namespace bristle {
namespace {

const std::vector<std::string> kKeys = {"clearance", "contact", "friction", "mu_static", "mu_kinetic", "k"};

TEST(Text, suggests_the_nearest_word) {
  EXPECT_EQ(nearest("clearence", kKeys), "clearance");
  EXPECT_EQ(nearest("mu_statik", kKeys), "mu_static");
  EXPECT_EQ(nearest("frcition", kKeys), "friction");
  EXPECT_EQ(nearest("Clearance", kKeys), "clearance");
  EXPECT_EQ(nearest("clear", kKeys), "clearance");
  EXPECT_EQ(did_you_mean("clearence", kKeys), " Did you mean 'clearance'?");
}

TEST(Text, suggests_nothing_when_nothing_is_near) {
  EXPECT_EQ(nearest("temperature", kKeys), "");
  EXPECT_EQ(nearest("", kKeys), "");
  EXPECT_EQ(nearest("q", kKeys), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), kKeys), "");
  EXPECT_EQ(did_you_mean("temperature", kKeys), "");
  EXPECT_EQ(nearest("clearance", std::vector<std::string>{}), "");
}

TEST(Text, numbers_are_short_and_read_back_exactly) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1500), "1500");
  EXPECT_EQ(number_text(-1e5), "-1e5");
  EXPECT_EQ(number_text(2.5e-7), "2.5e-7");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  for (double x : {1.0 / 3, 6.02214076e23, 5e-324, 1.7976931348623157e308, -1e-10, 123456.789})
    EXPECT_EQ(std::strtod(number_text(x).c_str(), nullptr), x) << number_text(x);
}

TEST(Text, wildcards_match_names_with_dots) {
  EXPECT_TRUE(wildcard_match("pin.*", "pin.gap"));
  EXPECT_TRUE(wildcard_match("pin.*", "pin.a.b"));
  EXPECT_TRUE(wildcard_match("*.gap", "pin.gap"));
  EXPECT_TRUE(wildcard_match("p?n.*", "pin.gap"));
  EXPECT_TRUE(wildcard_match("*", ""));
  EXPECT_FALSE(wildcard_match("pin.*", "pin"));
  EXPECT_FALSE(wildcard_match("pin", "pin.gap"));
  EXPECT_FALSE(wildcard_match("", "x"));
  // many stars against a long name: no explosion
  EXPECT_FALSE(wildcard_match("*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(Text, ranges_read_as_people_say_them) {
  EXPECT_EQ(positive.text(), "> 0");
  EXPECT_EQ(non_negative.text(), ">= 0");
  EXPECT_EQ(fraction.text(), "between 0 and 1");
  EXPECT_EQ((Range{0, 1, true, false}.text()), "> 0 and <= 1");
  EXPECT_EQ(any.text(), "any number");
}

TEST(Text, long_texts_are_cut_between_characters) {
  EXPECT_EQ(shortened("abcdef", 3), "abc...");
  EXPECT_EQ(shortened("abµdef", 3), "ab...");
  EXPECT_EQ(count_characters("5 µm"), 4);
  EXPECT_TRUE(is_identifier("k_0"));
  EXPECT_FALSE(is_identifier("0k"));
  EXPECT_FALSE(is_identifier(""));
}

}  // namespace
}  // namespace bristle
