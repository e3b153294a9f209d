#include <fmt/format.h>

#include "bristle/study/analysis.h"
#include "commands.h"

namespace bristle::app {

int info(const InfoArguments& arguments) {
  const KindEntry& entry = kind_entry(kind_group(all_kinds(), arguments.kind), arguments.name);
  fmt::print("{} {}: {}\n\n", arguments.kind, entry.name, entry.summary);
  if (!entry.page.empty()) fmt::print("{}\n", entry.page);
  if (!entry.fields.empty()) fmt::print("{}\n", parameter_table_text(entry.fields));
  fmt::print("{}", entry.example);
  return kOk;
}

int schema() {
  fmt::print("{}", model_schema());
  return kOk;
}

}  // namespace bristle::app
