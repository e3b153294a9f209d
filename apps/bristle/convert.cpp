#include <fmt/format.h>

#include <filesystem>

#include "bristle/record/convert.h"
#include "commands.h"
#include "run_path.h"

namespace bristle::app {

int convert(const ConvertArguments& arguments) {
  const RunFile run = read_run(arguments.run, arguments.channels.empty() ? std::vector<std::string>{"*"} : arguments.channels);
  const std::string path = arguments.output.empty() ? beside(run, "." + arguments.to) : arguments.output;
  if (arguments.to == "csv") write_csv(run, path);
  else write_npz(run, path);
  fmt::print("{}\n", path);
  return kOk;
}

}  // namespace bristle::app
