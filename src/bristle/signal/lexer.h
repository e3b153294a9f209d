#pragma once
#include <string_view>
#include <vector>

#include "bristle/base/error.h"
#include "bristle/base/units.h"

namespace bristle {

/// A piece of an expression: a number with its unit already applied, a name, or a sign.
struct Token {
  enum class Kind { number, name, sign, end };
  Kind kind = Kind::end;
  std::string_view text;   ///< as written; "end of the expression" for the end
  std::size_t offset = 0;  ///< bytes from the start of the expression
  double number = 0;       ///< in SI
  Dimension dimension;
};

/// The pieces of an expression, the last one of kind end. See signal/parse.h for where units may stand.
std::vector<Token> split_expression(std::string_view text, const Where& where);

}  // namespace bristle
