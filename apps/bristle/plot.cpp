#include <fmt/format.h>

#include "bristle/record/plot.h"
#include "commands.h"
#include "run_path.h"

namespace bristle::app {

int plot(const PlotArguments& arguments) {
  std::vector<std::string> channels = arguments.channels;
  if (!arguments.x.empty()) channels.push_back(arguments.x);
  const RunFile run = read_run(arguments.run, channels);
  const std::string path = arguments.output.empty() ? beside(run, ".png") : arguments.output;
  PlotOptions options;
  options.x = arguments.x;
  options.title = arguments.title;
  options.steps = arguments.steps;
  write_plot(run, path, options);
  fmt::print("{}\n", path);
  return kOk;
}

}  // namespace bristle::app
