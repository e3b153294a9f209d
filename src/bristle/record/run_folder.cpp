#include "bristle/record/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bristle/base/error.h"
#include "bristle/base/sha256.h"
#include "bristle/record/file.h"
#include "bristle/record/run_reader.h"

namespace bristle {

namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "model.yaml";
constexpr const char* kMark = "model.sha256";
/// All that runs write. The file with the samples goes first: what is left of a folder when this is cut short says less, not something else.
constexpr const char* kResults[] = {"run.h5",        "checkpoint.bin", "report.html",  "modes.json", "linear.json",
                                    "campbell.json", "statics.json",   "run.h5.spare", "run.h5.old"};
constexpr std::string_view kPart = ".part-";  // of a file that was being written when the run was killed (file.h)
constexpr const char* kMatrices[] = {"A.csv", "B.csv", "C.csv", "D.csv", "linear.npz"};  // beside linear.json

std::string mark_of(const std::string& model_text) { return fmt::format("{}  {}\n", sha256(model_text), kModel); }

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

void remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    throw InputError({path}, fmt::format("the result of the former run cannot be removed: {}", std::strerror(errno)));
}

}  // namespace

RunFolder::RunFolder(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (status.type() == fs::file_type::not_found) return;
  if (!fs::is_directory(status))
    throw InputError({path_}, "the folder for the results cannot be made: there is a file of that name");
  take();
  refuse_files_of_the_user();
}

RunFolder::~RunFolder() {
  if (fd_ >= 0) ::close(fd_);
}

std::string RunFolder::in(const char* name) const { return (fs::path(path_) / name).string(); }

void RunFolder::take() {
  if (fd_ >= 0) return;
  fd_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // on file systems without locks there is nobody to wait for
  if (fd_ < 0 || ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw InputError({path_}, "another run is writing into this folder. Choose another one with --out, or stop that run");
}

void RunFolder::refuse_files_of_the_user() const {
  const auto refuse = [&](const char* name, const char* why) {
    throw InputError({in(name)},
                     fmt::format("the run would replace this file, {}. Choose another folder, for example --out results", why));
  };
  std::error_code ignored;
  for (const char* name : kResults)
    if (fs::is_directory(in(name), ignored))
      throw InputError({in(name)},
                       "a folder has the name of a file that a run writes. Choose another folder, for example --out results");
  const bool kept = is_there(in(kModel)), marked = is_there(in(kMark));
  const std::string text = kept ? read_whole_file(in(kModel)) : std::string();
  if (marked) {
    if (kept && read_whole_file(in(kMark)) != mark_of(text)) refuse(kModel, "which was changed after a run had kept it");
    return;
  }
  // before there were marks the result file alone said whose model it is
  if (kept && is_there(in("run.h5"))) {
    try {
      if (read_run_head(path_).header.model_text == text) return;
    } catch (const InputError&) {
      // nothing that a run has left in order
    }
  }
  if (kept) refuse(kModel, "which no run has written");
  for (const char* name : kResults)
    if (is_there(in(name))) refuse(name, "and without model.yaml and model.sha256 beside it nobody knows whose it is");
}

void RunFolder::begin(const std::string& model_text) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_)) {
    throw InputError({path_}, "the folder for the results cannot be made: " +
                                  (error ? error.message() : std::string("there is a file of that name")));
  }
  take();
  refuse_files_of_the_user();
  std::vector<std::string> parts;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    const std::size_t end = name.find(kPart);
    if (end == std::string::npos || name.size() != end + kPart.size() + 6) continue;
    const std::string_view whole = std::string_view(name).substr(0, end);
    if (whole == kModel || whole == kMark || std::find(std::begin(kResults), std::end(kResults), whole) != std::end(kResults))
      parts.push_back(entry.path().string());
  }
  for (const std::string& part : parts) remove_file(part);
  const bool matrices = is_there(in("linear.json"));
  for (const char* name : kResults) remove_file(in(name));
  if (matrices)
    for (const char* name : kMatrices) remove_file(in(name));
  remove_file(in(kModel));
  write_file(in(kMark), mark_of(model_text));
  write_file(in(kModel), model_text);
}

}  // namespace bristle
