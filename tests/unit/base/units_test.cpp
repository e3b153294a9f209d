#include "bristle/base/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace bristle {
namespace {

struct Case {
  const char* text;
  double factor;
  const char* dimension;
};

TEST(Units, follow_a_power_of_another_key) {
  for (const double power : {1.0, 1.5, 1.3, 2.0}) {
    const MadeUnit made = over_metres(unit::newton, power);
    const ParsedUnit parsed = parse_unit(made.text);
    EXPECT_TRUE(parsed.ok) << made.text;
    EXPECT_TRUE(same_dimension(parsed.dimension, made.dimension)) << made.text;
  }
  EXPECT_EQ(over_metres(unit::newton, 1).text, "N/m");
  EXPECT_EQ(over_metres(unit::newton, 1.5).text, "N/m^1.5");
  EXPECT_EQ(over_metres(unit::newton_second, 2.5).text, "N s/m^2.5");
}

TEST(Units, gives_factor_and_dimension) {
  const double pi = std::numbers::pi;
  const Case cases[] = {
      {"m", 1, "m"},
      {"kg", 1, "kg"},
      {"g", 1e-3, "kg"},
      {"um", 1e-6, "m"},
      {"µm", 1e-6, "m"},
      {"μm", 1e-6, "m"},
      {"MN/m", 1e6, "kg/s^2"},
      {"GN/m^1.5", 1e9, "kg/(m^0.5 s^2)"},
      {"N s/m", 1, "kg/s"},
      {"N*s/m", 1, "kg/s"},
      {"N·s/m", 1, "kg/s"},
      {"Ns/m", 1, "kg/s"},
      {"N/(m s)", 1, "kg/s^3"},
      {"kNm", 1e3, "kg m^2/s^2"},
      {"1/s", 1, "1/s"},
      {"1/m", 1, "1/m"},
      {"s^-1", 1, "1/s"},
      {"mm^-1", 1e3, "1/m"},
      {"m²", 1, "m^2"},
      {"mm³", 1e-9, "m^3"},
      {"m s⁻²", 1, "m/s^2"},
      {"m/s/s", 1, "m/s^2"},
      {"m^(1/2)", 1, "m^0.5"},
      {"rad/s", 1, "1/s"},
      {"Hz", 1, "1/s"},
      {"kHz", 1e3, "1/s"},
      {"rpm", 2 * pi / 60, "1/s"},
      {"rev/min", 2 * pi / 60, "1/s"},
      {"deg", pi / 180, "1"},
      {"min", 60, "s"},
      {"h", 3600, "s"},
      {"in", 0.0254, "m"},
      {"ft", 0.3048, "m"},
      {"lb", 0.45359237, "kg"},
      {"lbf", 4.4482216152605, "kg m/s^2"},
      {"lbf/in", 175.12683524647636, "kg/s^2"},
      {"bar", 1e5, "kg/(m s^2)"},
      {"mbar", 100, "kg/(m s^2)"},
      {"kW", 1e3, "kg m^2/s^3"},
      {"J/K", 1, "kg m^2/(s^2 K)"},
  };
  for (const Case& c : cases) {
    const ParsedUnit u = parse_unit(c.text);
    EXPECT_TRUE(u.ok) << c.text << ": " << u.problem;
    EXPECT_NEAR(u.factor, c.factor, 1e-14 * c.factor) << c.text;
    EXPECT_EQ(dimension_text(u.dimension), c.dimension) << c.text;
  }
}

TEST(Units, takes_every_SI_prefix) {
  const std::pair<const char*, double> prefixes[] = {
      {"Q", 1e30}, {"R", 1e27},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},  {"T", 1e12},  {"G", 1e9},
      {"M", 1e6},  {"k", 1e3},   {"h", 1e2},   {"da", 10},   {"d", 0.1},   {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},
      {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}, {"r", 1e-27}, {"q", 1e-30}};
  for (const auto& [prefix, factor] : prefixes) {
    const ParsedUnit u = parse_unit(std::string(prefix) + "N");
    EXPECT_TRUE(u.ok) << prefix;
    EXPECT_EQ(u.factor, factor) << prefix;
  }
}

TEST(Units, says_what_is_wrong_and_what_to_write) {
  const std::pair<const char*, const char*> cases[] = {
      {"mn/m", "did you mean 'MN' or 'mN'"},
      {"sec", "Write s"},
      {"degC", "kelvin"},
      {"N/m s", "two ways"},
      {"frob", "unknown unit 'frob'"},
      {"", "empty"},
      {"m/", "ends too early"},
      {"m^", "number is missing"},
      {"m^x", "number is missing"},
      {"(m", "')' is missing"},
      {"m)", "unexpected ')'"},
      {"5 m", "unexpected '5 m'"},
      {"m^99", "between -20 and 20"},
      {"kmin", "unknown unit 'kmin'"},
      {"Qm^20", "out of the range"},
  };
  for (const auto& [text, problem] : cases) {
    const ParsedUnit u = parse_unit(text);
    EXPECT_FALSE(u.ok) << text;
    EXPECT_NE(u.problem.find(problem), std::string::npos) << text << ": " << u.problem;
  }
}

TEST(Units, survives_deep_and_long_texts) {
  EXPECT_FALSE(parse_unit(std::string(100, '(')).ok);
  EXPECT_FALSE(parse_unit(std::string(100000, 'm')).ok);
}

TEST(Units, the_constants_agree_with_their_texts) {
  for (const Unit& u :
       {unit::one, unit::metre, unit::kilogram, unit::second, unit::per_second, unit::metre_per_second, unit::metre_per_second2,
        unit::newton, unit::newton_per_metre, unit::newton_per_metre3, unit::newton_second_per_metre, unit::per_metre,
        unit::second_per_metre, unit::joule, unit::watt, unit::kelvin}) {
    const ParsedUnit parsed = parse_unit(u.text);
    EXPECT_TRUE(parsed.ok) << u.text;
    EXPECT_EQ(parsed.factor, 1) << u.text;
    EXPECT_EQ(parsed.dimension, u.dimension) << u.text;
  }
}

TEST(Units, fractional_exponents_compare_up_to_rounding) {
  EXPECT_TRUE(same_dimension({0.1 + 0.2, 0, 0, 0}, {0.3, 0, 0, 0}));
  EXPECT_FALSE(same_dimension({1, 0, 0, 0}, {1.5, 0, 0, 0}));
  EXPECT_EQ(dimension_text({}), "1");
}

}  // namespace
}  // namespace bristle
