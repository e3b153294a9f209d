#include <fmt/format.h>

#include <algorithm>

#include "bristle/study/analysis.h"
#include "commands.h"

namespace bristle::app {

int list(const ListArguments& arguments) {
  const auto show = [](const KindGroup& group) {
    std::size_t width = 0;
    for (const KindEntry& e : group.entries) width = std::max(width, e.name.size());
    for (const KindEntry& e : group.entries) fmt::print("  {:<{}}  {}\n", e.name, width, e.summary);
  };
  if (!arguments.kind.empty()) {
    show(kind_group(all_kinds(), arguments.kind));
    return kOk;
  }
  for (const KindGroup& group : all_kinds()) {
    fmt::print("{}: {}\n", group.kind, group.summary);
    show(group);
    fmt::print("\n");
  }
  fmt::print("`bristle info <kind> <name>` tells more.\n");
  return kOk;
}

}  // namespace bristle::app
