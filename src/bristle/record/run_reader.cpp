#include "bristle/record/run_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <thread>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/record/h5.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

// Shared with other readers; a writer that sees it leaves the file alone (twin_file.h).
class ReadLock {
 public:
  explicit ReadLock(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    // a run that is being written swaps its files now and then
    for (int attempt = 0; fd_ >= 0 && attempt < 10; ++attempt) {
      if (::flock(fd_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ::close(fd_);
      fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    }
  }
  ~ReadLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;
  /// The lock is on the file that has this name now.
  bool is_on(const std::string& path) const {
    struct stat ours, there;
    return fd_ < 0 || ::fstat(fd_, &ours) != 0 || ::stat(path.c_str(), &there) != 0 ||
           (ours.st_ino == there.st_ino && ours.st_dev == there.st_dev);
  }

 private:
  int fd_ = -1;
};

h5::Handle open_run(const std::string& path) {
  if (H5Fis_hdf5(path.c_str()) == 0)
    throw InputError({path}, "this is not a result file of bristle: it is not an HDF5 file. Result files are named run.h5.");
  h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, h5::access_list()), H5Fclose);
  if (!file) throw InputError({path}, fmt::format("the file is damaged or cannot be opened ({})", h5::last_error()));
  h5::Handle root = h5::open_group(file, "/");
  if (h5::text_attribute(root, "format") != h5::kFormat)
    throw InputError({path}, "this HDF5 file is not a result file of bristle. Result files are named run.h5.");
  for (const auto& [name, value] : h5::number_attributes(root))
    if (name == "version" && value > h5::kVersion)
      throw InputError(
          {path}, fmt::format("the file has format {}, this program reads up to {}. Use a newer bristle.", value, h5::kVersion));
  return file;
}

std::vector<double> numbers(hid_t file, const std::string& path, std::size_t width = 1) {
  h5::Handle set = h5::open_set(file, path.c_str());
  std::vector<double> values(static_cast<std::size_t>(h5::rows_of(set, width)) * width);
  if (!values.empty())
    h5::check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, path.c_str());
  return values;
}

std::vector<std::string> names(hid_t file, const std::string& path) {
  h5::Handle set = h5::open_set(file, path.c_str());
  h5::Handle type = h5::own(H5Dget_type(set), H5Tclose, path.c_str());
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw std::runtime_error(path + " is not a list of names");
  const std::size_t width = H5Tget_size(type), n = static_cast<std::size_t>(h5::rows_of(set));
  std::vector<char> bytes(n * width);
  if (n > 0) h5::check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0, path.c_str());
  std::vector<std::string> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i].assign(bytes.data() + i * width, strnlen(bytes.data() + i * width, width));
  return result;
}

RunHeader read_header(hid_t file) {
  RunHeader header;
  h5::Handle model = h5::open_group(file, "/model");
  header.title = h5::text_attribute(model, "title");
  header.program = h5::text_attribute(model, "program");
  header.command = h5::text_attribute(model, "command");
  header.created = h5::text_attribute(model, "created");
  header.model_file = h5::text_attribute(model, "file");
  header.model_text = h5::get_text(model, "text");
  header.integrator = h5::text_attribute(h5::open_group(file, "/solver"), "integrator");
  for (std::string& name : h5::get_names(model, "channels")) {
    h5::Handle set = h5::open_set(file, h5::channel_path(name).c_str());
    header.channels.push_back({std::move(name), h5::text_attribute(set, "unit"), h5::text_attribute(set, "text")});
  }
  for (const auto& row : h5::get_rows(model, "places"))
    if (row.size() == 3) header.places.push_back({row[0], row[1], std::max(1, std::atoi(row[2].c_str()))});
  header.event_elements = h5::get_names(model, "event_elements");
  header.event_kinds = h5::get_names(model, "event_kinds");
  h5::Handle axis = h5::open_set(file, "/time");
  header.axis = h5::text_attribute(axis, "name");
  header.axis_unit = h5::text_attribute(axis, "unit");
  header.step_reasons = h5::get_names(model, "step_reasons");
  if (const std::string scene = h5::get_text(file, "/scene"); !scene.empty()) read_scene(scene, header.bodies, header.joints);
  return header;
}

RunStatus read_status(hid_t file) {
  RunStatus status;
  h5::Handle group = h5::open_group(file, "/status");
  const std::string end = h5::text_attribute(group, "end");
  for (const auto e : {RunStatus::End::running, RunStatus::End::finished, RunStatus::End::interrupted, RunStatus::End::failed})
    if (end == name_of(e)) status.end = e;
  status.message = h5::text_attribute(group, "message");
  for (const auto& row : h5::get_rows(group, "summary"))
    if (row.size() == 2) status.summary.emplace_back(row[0], row[1]);
  status.counts = h5::number_attributes(h5::open_group(file, "/solver"));
  status.reasons = h5::number_attributes(h5::open_group(file, "/solver/reasons"));
  return status;
}

// "a, b, c and 12 more"
std::string some_of(const std::vector<std::string_view>& names) {
  if (names.empty()) return "no channels";
  const std::size_t shown = std::min<std::size_t>(names.size(), 8);
  const std::string text = join_words(std::span(names).first(shown));
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

// indices of the channels that fit, in the order of the patterns
std::vector<std::size_t> select(const std::string& path, const std::vector<Channel>& channels,
                                const std::vector<std::string>& patterns) {
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(channels.size(), false);
  for (const std::string& pattern : patterns) {
    bool fits = pattern == "*";
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (!wildcard_match(pattern, channels[i].name)) continue;
      fits = true;
      if (!taken[i]) chosen.push_back(i);
      taken[i] = true;
    }
    if (fits) continue;
    std::vector<std::string_view> all;
    for (const Channel& c : channels) all.push_back(c.name);
    if (pattern.find_first_of("*?") == std::string::npos)
      throw InputError({path}, fmt::format("there is no channel '{}'.{}", pattern, did_you_mean(pattern, all)));
    throw InputError({path}, fmt::format("no channel fits '{}'. The file has {}.", pattern, some_of(all)));
  }
  return chosen;
}

void read_series(hid_t file, RunFile& run, const std::vector<std::size_t>& chosen, bool with_frames) {
  run.time = numbers(file, "/time");
  for (const std::size_t i : chosen) {
    const Channel& c = run.header.channels[i];
    run.channels.push_back({c, numbers(file, h5::channel_path(c.name))});
    if (run.channels.back().values.size() != run.time.size())
      throw std::runtime_error(
          fmt::format("channel '{}' has {} values for {} times", c.name, run.channels.back().values.size(), run.time.size()));
  }
  if (with_frames)
    for (const BodyInfo& b : run.header.bodies) {
      if (!is_moving(b)) continue;
      run.frames.push_back({b.name, numbers(file, h5::frame_path(b.name), kPose)});
      if (run.frames.back().poses.size() != kPose * run.time.size())
        throw std::runtime_error(fmt::format("body '{}' has not as many poses as there are times", b.name));
    }
  const auto t = numbers(file, "/events/time");
  const auto element = names(file, "/events/element"), what = names(file, "/events/what");
  if (element.size() != t.size() || what.size() != t.size()) throw std::runtime_error("the lists of events differ in length");
  for (std::size_t i = 0; i < t.size(); ++i) run.events.push_back({t[i], element[i], what[i]});

  const auto end = numbers(file, "/solver/time"), h = numbers(file, "/solver/step");
  const auto reason = names(file, "/solver/reason");
  if (h.size() != end.size() || reason.size() != end.size()) throw std::runtime_error("the lists of steps differ in length");
  const auto& known = run.header.step_reasons;
  run.steps.reserve(end.size());
  for (std::size_t i = 0; i < end.size(); ++i) {
    const auto found = std::find(known.begin(), known.end(), reason[i]);
    run.steps.push_back({end[i], h[i], found == known.end() ? -1 : static_cast<int>(found - known.begin())});
  }
}

}  // namespace

const RunChannel* RunFile::find(std::string_view name) const {
  for (const RunChannel& c : channels)
    if (c.channel.name == name) return &c;
  return nullptr;
}

RunFile read_run(const std::string& path, const std::vector<std::string>& patterns) {
  const h5::Quiet quiet;
  RunFile run;
  run.path = std::filesystem::is_directory(path) ? (std::filesystem::path(path) / "run.h5").string() : path;
  if (!std::filesystem::exists(run.path))
    throw InputError({run.path}, "there is no such file. 'bristle run' writes one into the folder given by --out.");
  try {
    auto lock = std::make_unique<ReadLock>(run.path);
    h5::Handle file = open_run(run.path);
    for (int attempt = 0; !lock->is_on(run.path) && attempt < 5; ++attempt) {  // the writer swapped the files in between
      file.reset();
      lock = std::make_unique<ReadLock>(run.path);
      file = open_run(run.path);
    }
    run.header = read_header(file);
    run.status = read_status(file);
    const bool everything = std::find(patterns.begin(), patterns.end(), "*") != patterns.end();
    read_series(file, run, select(run.path, run.header.channels, patterns), everything);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& e) {
    throw InputError({run.path}, fmt::format("the file is damaged ({})", e.what()));
  }
  return run;
}

}  // namespace bristle
