#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// The program as a user starts it: another process, with its output in files.
namespace bristle::test {

namespace fs = std::filesystem;

inline std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
inline void write_text(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder that is gone at the end of the test.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "bristle_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Ended {
  int code = -1;  ///< exit code; minus the number of the signal that ended it
  std::string out, err;
};

/// A started program.
class Process {
 public:
  /// Relative paths are relative to `folder`.
  Process(const std::vector<std::string>& arguments, const fs::path& folder)
      : out_(folder / "stdout.txt"), err_(folder / "stderr.txt") {
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    const int out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              err = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (chdir(folder.c_str()) != 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  void signal(int number) const { kill(pid_, number); }
  bool running() {
    if (!done_ && waitpid(pid_, &status_, WNOHANG) == pid_) done_ = true;
    return !done_;
  }
  Ended wait() {
    if (!done_) waitpid(pid_, &status_, 0);
    done_ = true;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), read_text(out_), read_text(err_)};
  }

 private:
  fs::path out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool done_ = false;
};

inline std::vector<std::string> with_program(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BRISTLE_PROGRAM);
  return arguments;
}
/// Runs `bristle <arguments>` in a folder.
inline Ended bristle_in(const Scratch& scratch, const std::vector<std::string>& arguments) {
  return Process(with_program(arguments), scratch.path()).wait();
}
inline Ended command_in(const Scratch& scratch, const std::vector<std::string>& arguments) {
  return Process(arguments, scratch.path()).wait();
}

inline void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

inline const fs::path kExamples = fs::path(BRISTLE_SOURCE_DIR) / "examples";

}  // namespace bristle::test
