#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "bristle/base/units.h"

namespace bristle {

/// A number in SI and its dimension.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

/// The names an expression may use besides t, pi, e, the functions, and channels. This one knows none.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual std::optional<Quantity> find(std::string_view) const { return std::nullopt; }
  /// Names without a dot that are channels at this place, such as `slip`. Channels with a dot need no announcement.
  virtual bool is_channel(std::string_view) const { return false; }
  /// All names, for suggestions.
  virtual std::vector<std::string_view> names() const { return {}; }
};

}  // namespace bristle
