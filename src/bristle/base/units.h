#pragma once
#include <array>
#include <string>
#include <string_view>

namespace bristle {

/// Exponents of metre, kilogram, second, kelvin. Angles are numbers; exponents may be fractions (N/m^1.5).
struct Dimension {
  double m = 0, kg = 0, s = 0, K = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// A unit by its SI text, as shown to users, and its dimension.
struct Unit {
  const char* text;
  Dimension dimension;
};

/// Factor to SI and dimension of a unit text such as "MN/m", "um", "rpm", "N s/m", "GN/m^1.5", "deg", "1/s".
struct ParsedUnit {
  double factor = 1;
  Dimension dimension;
  bool ok = false;
  std::string problem;  ///< why it was not understood, with a suggestion where there is one
};
ParsedUnit parse_unit(std::string_view text);
std::string dimension_text(const Dimension&);  ///< "kg m/s^2", "1" for a plain number
/// Equal up to the rounding of fractional exponents.
bool same_dimension(const Dimension&, const Dimension&);

/// A unit that follows from another number: over_metres(unit::newton, 1.5) is N/m^1.5. Keep it while the Unit is in use.
struct MadeUnit {
  std::string text;
  Dimension dimension;
  operator Unit() const { return {text.c_str(), dimension}; }  // NOLINT: a unit like any other
};
MadeUnit over_metres(const Unit&, double power);

namespace unit {
inline constexpr Unit one{"1", {}};
inline constexpr Unit metre{"m", {1, 0, 0, 0}};
inline constexpr Unit kilogram{"kg", {0, 1, 0, 0}};
inline constexpr Unit second{"s", {0, 0, 1, 0}};
inline constexpr Unit per_second{"1/s", {0, 0, -1, 0}};
inline constexpr Unit metre_per_second{"m/s", {1, 0, -1, 0}};
inline constexpr Unit metre_per_second2{"m/s^2", {1, 0, -2, 0}};
inline constexpr Unit newton{"N", {1, 1, -2, 0}};
inline constexpr Unit newton_second{"N s", {1, 1, -1, 0}};
inline constexpr Unit pascal{"Pa", {-1, 1, -2, 0}};
inline constexpr Unit newton_per_metre{"N/m", {0, 1, -2, 0}};
inline constexpr Unit newton_per_metre3{"N/m^3", {-2, 1, -2, 0}};
inline constexpr Unit newton_second_per_metre{"N s/m", {0, 1, -1, 0}};
inline constexpr Unit per_metre{"1/m", {-1, 0, 0, 0}};
inline constexpr Unit second_per_metre{"s/m", {-1, 0, 1, 0}};
inline constexpr Unit joule{"J", {2, 1, -2, 0}};
inline constexpr Unit newton_metre{"N m", {2, 1, -2, 0}};
inline constexpr Unit kilogram_metre2{"kg m^2", {2, 1, 0, 0}};
inline constexpr Unit kilogram_per_metre3{"kg/m^3", {-3, 1, 0, 0}};
inline constexpr Unit kilogram_per_metre{"kg/m", {-1, 1, 0, 0}};
inline constexpr Unit radian_per_second{"rad/s", {0, 0, -1, 0}};
inline constexpr Unit watt{"W", {2, 1, -3, 0}};
inline constexpr Unit kelvin{"K", {0, 0, 0, 1}};
}  // namespace unit

}  // namespace bristle
