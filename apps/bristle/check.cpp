#include <fmt/format.h>

#include "bristle/study/describe.h"
#include "commands.h"

namespace bristle::app {

int check(const CheckArguments& arguments) {
  const Study study(read_model(arguments.model, arguments.overrides));
  if (!arguments.quiet) fmt::print("{}: fine\n{}", arguments.model, describe(study));
  return kOk;
}

}  // namespace bristle::app
