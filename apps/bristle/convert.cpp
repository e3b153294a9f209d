#include <fmt/format.h>

#include <filesystem>

#include "bristle/record/convert.h"
#include "commands.h"
#include "run_path.h"

namespace bristle::app {

int convert(const ConvertArguments& arguments) {
  const RunFile run = read_run(arguments.run, arguments.channels.empty() ? std::vector<std::string>{"*"} : arguments.channels);
  const std::string ending = arguments.to == "vtk" ? ".pvd" : "." + arguments.to;
  const std::string path = arguments.output.empty() ? beside(run, ending) : arguments.output;
  refuse_other_file(path, ending);
  if (arguments.to == "csv") {
    write_csv(run, path);
  } else if (arguments.to == "npz") {
    write_npz(run, path);
  } else if (const int frames = write_vtk(run, path); static_cast<std::size_t>(frames) < run.time.size()) {
    fmt::print(stderr, "{} of {} samples were written\n", frames, run.time.size());
  }
  fmt::print("{}\n", path);
  return kOk;
}

}  // namespace bristle::app
