#include "bristle/record/plot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/record/convert.h"

extern char** environ;

namespace bristle {

std::string_view plot_script();  // tools/plot.py, embedded by cmake/embed_report.py

namespace {

constexpr int kNoMatplotlib = 3;  // exit code of the script
constexpr int kNotStarted = 127;

// A folder of our own that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "bristle-plot-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw std::runtime_error(fmt::format("cannot make a folder for the plot data: {}", std::strerror(errno)));
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// Runs a program without a shell; what it prints goes to a file.
int run_program(std::vector<std::string> arguments, const std::string& printed) {
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, printed.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return kNotStarted;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return kNotStarted;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string last_line(const std::string& path) {
  std::ifstream in(path);
  std::string line, last;
  while (std::getline(in, line))
    if (!trim(line).empty()) last = trim(line);
  return last;
}

// the one the user names, else the system's, which has the packages, else the first on the path
std::vector<std::string> pythons() {
  if (const char* named = std::getenv("BRISTLE_PYTHON"); named && *named) return {named};
  return {"/usr/bin/python3", "python3"};
}

void write_steps(const RunFile& run, const std::string& path) {
  NamedMatrix ends{"time", run.steps.size(), 1, {}}, lengths{"step", run.steps.size(), 1, {}};
  for (const RunStep& s : run.steps) ends.numbers.push_back(s.t), lengths.numbers.push_back(s.h);
  write_matrices_npz({ends, lengths}, path);
}

}  // namespace

void write_plot(const RunFile& run, const std::string& path, const PlotOptions& options) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".png" && ending != ".svg" && ending != ".pdf")
    throw InputError({path}, fmt::format("a plot is written as .png, .svg or .pdf, not '{}'", ending));
  if (run.time.empty()) throw InputError({run.path}, "the run has no samples to plot");
  if (!options.x.empty() && !run.find(options.x)) {
    std::vector<std::string> known;
    for (const RunChannel& c : run.channels) known.push_back(c.channel.name);
    throw InputError({run.path}, fmt::format("there is no channel '{}' for the horizontal axis.{}", options.x,
                                             did_you_mean(options.x, known)));
  }

  if (options.steps && !options.x.empty())
    throw InputError({run.path}, fmt::format("the lengths of steps are drawn over time, not over '{}'", options.x));
  if (options.steps && run.steps.empty()) throw InputError({run.path}, "the run has no steps to plot: only runs over time do");

  const ScratchFolder scratch;
  const std::string data = scratch.file("data.npz"), steps = scratch.file("steps.npz"), printed = scratch.file("printed");
  write_npz(run, data);
  if (options.steps) write_steps(run, steps);
  std::vector<std::string> arguments = {"",
                                        "-c",
                                        std::string(plot_script()),
                                        data,
                                        options.steps ? steps : "",
                                        path,
                                        ending.substr(1),
                                        options.title.empty() ? run.header.title : options.title,
                                        fmt::format("{}", options.width),
                                        options.x,
                                        run.header.axis,
                                        run.header.axis_unit};
  int drawn = options.steps;
  for (const RunChannel& c : run.channels) {
    drawn += c.channel.name != options.x;
    arguments.insert(arguments.end(), {c.channel.name, c.channel.unit});
  }
  if (drawn == 0) throw InputError({run.path}, "no channel to plot was named");

  int code = kNotStarted;
  for (const std::string& python : pythons()) {
    arguments[0] = python;
    code = run_program(arguments, printed);
    if (code != kNotStarted && code != kNoMatplotlib) break;
  }
  if (code == 0) return;
  if (code == kNotStarted || code == kNoMatplotlib)
    throw InputError(
        {path}, fmt::format("plots need python3 with matplotlib, {}. Install it (Debian: apt install python3-matplotlib), name "
                            "another Python in BRISTLE_PYTHON, or take the data along with 'bristle convert'.",
                            code == kNotStarted ? "and python3 was not found" : "and matplotlib is missing"));
  throw InputError({path}, fmt::format("the plot could not be drawn: {}", last_line(printed)));
}

}  // namespace bristle
