#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bristle/base/units.h"
#include "bristle/signal/scope.h"
#include "bristle/signal/signal.h"

namespace bristle {

/** The one expression grammar of model files: parameters, loads, targets, controllers.

    or ||    and &&    not !    < <= > >= == !=    + -    * /    unary -    ^        (loosest to tightest; ^ goes right to left)
    sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign floor step min max clamp mod if(condition, a, b)
    pi e    t    parameters    channels such as pin.gap

Truth is 1, falsehood 0; anything but 0 counts as true. step(x) is 1 from x = 0 on. log is natural. mod(a, b) has the sign of b.

Units stand behind number literals. A text that is nothing but a number and a unit may carry any unit: `66 GN/m^1.5`, `2 N s/m`. Inside
a larger expression a literal carries one unit word, with a power if need be (`3 mm + 2 um`, `2 mm^2`), or a unit in brackets
(`5 [mm/s] * t`); `3 mm/s * t` is refused, since s could be a name. A word behind a number is always a unit, also when a parameter
has the same name.

Dimensions are followed through constants and parameters: sums and comparisons of different ones are refused; a plain number in a
sum counts as SI. As soon as t or a channel takes part, the dimension is unknown and not checked. */
struct Expression {
  Signal signal;
  Dimension dimension;          ///< of a constant expression
  bool knows_dimension = true;  ///< false when t or channels take part
};
Expression parse_expression(std::string_view text, const Scope& scope, const Where& where);

/// The signal alone, without regard to its dimension.
Signal parse_signal(std::string_view text, const Scope& scope, const Where& where);
/// For a field with a unit: a plain number is in SI, a known dimension must be that of the unit.
Signal parse_signal(std::string_view text, const Scope& scope, const Where& where, const Unit& unit);
/// A constant: t and channels are refused.
Quantity parse_quantity(std::string_view text, const Scope& scope, const Where& where);

/// Throws an InputError when a dimension is neither plain nor that of the unit.
void require_dimension(const Dimension& dimension, const Unit& unit, const Where& where);

/// The names that the value of an expression depends on: parameters, channels, t; each once, in order of appearance.
std::vector<std::string> names_in_expression(std::string_view text, const Where& where);

/// t, pi, e, and, or, not, if, and the function names: not to be used for parameters.
bool is_reserved_name(std::string_view name);

/// The place `offset` bytes into a text that starts at `where`.
Where where_inside(const Where& where, std::string_view text, std::size_t offset);

inline constexpr std::size_t kMaxExpressionLength = 10000;  ///< bytes
inline constexpr int kMaxExpressionDepth = 200;             ///< nesting of parentheses, powers and signs

}  // namespace bristle
