#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/base/node.h"
#include "bristle/signal/scope.h"

namespace bristle {

/// The values of `parameters:`, all computed when it is made, whatever the order they are written in. A parameter is a number, a
/// number with a unit, or an expression of other parameters. Refused: circles (with the chain of names), unknown names,
/// t and channels, reserved names, values that are not finite.
class ParameterScope : public Scope {
 public:
  ParameterScope() = default;
  /// `parameters` is the map under the key parameters: of a model; nullptr or null when there is none.
  explicit ParameterScope(const Node* parameters);

  std::optional<Quantity> find(std::string_view name) const override;
  std::vector<std::string_view> names() const override;

 private:
  std::map<std::string, Quantity, std::less<>> values_;
  std::vector<std::string> names_;  ///< as written; complete before the first value is computed
};

}  // namespace bristle
