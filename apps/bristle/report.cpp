#include "bristle/record/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "commands.h"
#include "run_path.h"

namespace bristle::app {

int report(const ReportArguments& arguments) {
  const RunFile run = read_run_for_report(arguments.run);
  const std::string path =
      arguments.output.empty() ? std::filesystem::path(run.path).replace_filename("report.html").string() : arguments.output;
  refuse_other_file(path, ".html");
  write_report(run, path);
  fmt::print("{}\n", path);
  return kOk;
}

}  // namespace bristle::app
