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
#include <utility>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/record/file.h"
#include "bristle/record/h5.h"
#include "bristle/record/run_layout.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

constexpr std::size_t kBlockBytes = 16 << 20;  // of columns side by side that are read at once

// Shared with other readers; a writer that sees it leaves the file alone (twin_file.h).
class ReadLock {
 public:
  explicit ReadLock(const std::string& path) : fd_(open_regular(path)) {
    // a run that is being written swaps its files now and then
    for (int attempt = 0; fd_ >= 0 && attempt < 10; ++attempt) {
      if (::flock(fd_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ::close(std::exchange(fd_, -1));
      fd_ = open_regular(path);
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
    return ::fstat(fd_, &ours) != 0 || ::stat(path.c_str(), &there) != 0 ||
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
  if (const double version = h5::version_of(file); version > h5::kVersion)
    throw InputError(
        {path}, fmt::format("the file has format {}, this program reads up to {}. Use a newer bristle.", version, h5::kVersion));
  return file;
}

std::vector<double> numbers(hid_t file, const std::string& path) {
  h5::Handle set = h5::open_set(file, path.c_str());
  std::vector<double> values(static_cast<std::size_t>(h5::rows_of(set)));
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
  header.id = h5::text_attribute(model, "id");
  header.model_text = h5::get_text(model, "text");
  header.integrator = h5::text_attribute(h5::open_group(file, "/solver"), "integrator");
  for (std::string& name : h5::get_names(model, "channels")) header.channels.push_back({std::move(name), {}, {}});
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
  for (const auto e : {RunStatus::End::running, RunStatus::End::finished, RunStatus::End::interrupted, RunStatus::End::failed,
                       RunStatus::End::untrusted})
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
    const bool exact = pattern.find_first_of("*?") == std::string::npos;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (exact ? pattern != channels[i].name : !wildcard_match(pattern, channels[i].name)) continue;
      fits = true;
      if (!taken[i]) chosen.push_back(i);
      taken[i] = true;
    }
    if (fits) continue;
    std::vector<std::string_view> all;
    for (const Channel& c : channels) all.push_back(c.name);
    if (exact) throw InputError({path}, fmt::format("there is no channel '{}'.{}", pattern, did_you_mean(pattern, all)));
    throw InputError({path}, fmt::format("no channel fits '{}'. The file has {}.", pattern, some_of(all)));
  }
  return chosen;
}

/// Where the numbers of a column of a data set go.
struct Target {
  std::size_t column = 0;
  std::vector<double>* values = nullptr;
};

// Columns of a set, each of `size` numbers in a row; what lies between them is read in blocks of rows and passed over.
void read_columns(hid_t set, const SampleSet& s, std::size_t size, std::size_t samples, const std::vector<Target>& targets) {
  h5::Shape row;
  if (s.is_gathered()) row.push_back(s.members.size());
  if (size > 1) row.push_back(size);
  const long long there = h5::rows_of(set, row);
  if (there != static_cast<long long>(samples))
    throw std::runtime_error(fmt::format("'{}' has {} values for {} times", s.name, there, samples));
  for (const Target& t : targets) t.values->resize(samples * size);
  if (samples == 0) return;
  if (!s.is_gathered()) {
    h5::check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, targets[0].values->data()) >= 0, s.path.c_str());
    return;
  }
  const auto less = [](const Target& a, const Target& b) { return a.column < b.column; };
  const auto [first, last] = std::minmax_element(targets.begin(), targets.end(), less);
  const std::size_t from = first->column, columns = last->column - from + 1, chunk = h5::chunk_of(set)[0];
  const std::size_t fitting = kBlockBytes / (columns * size * sizeof(double) * chunk);
  const std::size_t block = std::min(samples, std::max<std::size_t>(fitting, 1) * chunk);  // whole chunks
  std::vector<double> buffer(block * columns * size);
  h5::Handle disk = h5::own(H5Dget_space(set), H5Sclose, s.path.c_str());
  for (std::size_t k = 0; k < samples; k += block) {
    const std::size_t rows = std::min(block, samples - k);
    const hsize_t start[3] = {k, from, 0}, count[3] = {rows, columns, size};
    h5::Handle memory = h5::own(H5Screate_simple(static_cast<int>(row.size()) + 1, count, nullptr), H5Sclose, s.path.c_str());
    h5::check(H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0, s.path.c_str());
    h5::check(H5Dread(set, H5T_NATIVE_DOUBLE, memory, disk, H5P_DEFAULT, buffer.data()) >= 0, s.path.c_str());
    for (const Target& t : targets)
      for (std::size_t i = 0; i < rows; ++i)
        std::copy_n(buffer.data() + (i * columns + t.column - from) * size, size, t.values->data() + (k + i) * size);
  }
}

/// What of a file is read: texts are read elsewhere before (h5::TextsFromElsewhere).
enum class Part { texts, all };

void read_channels(hid_t file, RunFile& run, const std::vector<std::size_t>& chosen, bool gathered, Part part) {
  std::vector<Channel>& known = run.header.channels;
  std::vector<RunChannel*> wanted(known.size(), nullptr);
  run.channels.resize(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) wanted[chosen[i]] = &run.channels[i];
  std::vector<Target> targets;
  for (const SampleSet& s : channel_sets(known, gathered)) {
    targets.clear();
    for (std::size_t i = 0; i < s.members.size(); ++i)
      if (RunChannel* c = wanted[s.members[i]]) targets.push_back({i, &c->values});
    if (targets.empty()) continue;
    h5::Handle set = h5::open_set(file, s.path.c_str());
    const auto units = h5::text_attributes(set, "unit", s.members.size()),
               texts = h5::text_attributes(set, "text", s.members.size());
    for (const Target& t : targets) {
      Channel& c = known[s.members[t.column]];
      c.unit = units[t.column];
      c.text = texts[t.column];
      wanted[s.members[t.column]]->channel = c;
    }
    if (part == Part::all) read_columns(set, s, 1, run.time.size(), targets);
  }
}

void read_frames(hid_t file, RunFile& run, bool gathered) {
  for (const BodyInfo& b : run.header.bodies)
    if (is_moving(b)) run.frames.push_back({b.name, {}});
  for (const SampleSet& s : frame_sets(run.header.bodies, gathered)) {
    std::vector<Target> targets;
    for (std::size_t i = 0; i < s.members.size(); ++i) targets.push_back({i, &run.frames[s.members[i]].poses});
    read_columns(h5::open_set(file, s.path.c_str()), s, kPose, run.time.size(), targets);
  }
}

void read_events_and_steps(hid_t file, RunFile& run) {
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

namespace {

[[noreturn]] void fail_without_memory(const std::string& path) {
  throw std::runtime_error(
      fmt::format("there is not enough memory to read '{}'. Ask for fewer channels, or raise the limit of memory", path));
}

/// Opens the file, reads header and status, and then what `more` reads.
RunFile read_open(const std::string& path, const std::function<void(hid_t, RunFile&, Part)>& more) {
  const h5::Quiet quiet;
  RunFile run;
  std::error_code ignored;
  run.path = std::filesystem::is_directory(path, ignored) ? (std::filesystem::path(path) / "run.h5").string() : path;
  if (std::filesystem::status(run.path, ignored).type() == std::filesystem::file_type::not_found)
    throw InputError({run.path}, "there is no such file. 'bristle run' writes one into the folder given by --out.");
  try {
    auto lock = std::make_unique<ReadLock>(run.path);
    const auto read = [&](RunFile& into, Part part) {
      h5::Handle file = open_run(into.path);
      for (int attempt = 0; !lock->is_on(into.path) && attempt < 5; ++attempt) {  // the writer swapped the files in between
        file.reset();
        lock = std::make_unique<ReadLock>(into.path);
        file = open_run(into.path);
      }
      into.header = read_header(file);
      into.status = read_status(file);
      more(file, into, part);
    };
    RunFile trial = run;
    const h5::TextsFromElsewhere texts([&] { read(trial, Part::texts); });
    if (texts.crashed() && h5::has_memory())
      throw InputError({run.path}, "the file is damaged (HDF5 cannot follow what it says about its texts)");
    read(run, Part::all);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    fail_without_memory(run.path);
  } catch (const std::exception& e) {
    if (!h5::has_memory()) fail_without_memory(run.path);
    throw InputError({run.path}, fmt::format("the file is damaged ({})", e.what()));
  }
  return run;
}

}  // namespace

RunFile read_run_head(const std::string& path) {
  return read_open(path, [](hid_t, RunFile&, Part) {});
}

RunFile read_run(const std::string& path, const ChooseChannels& choose, bool with_frames) {
  return read_open(path, [&](hid_t file, RunFile& run, Part part) {
    if (part == Part::all) run.time = numbers(file, "/time");
    const bool gathered = h5::version_of(file) > 1;
    read_channels(file, run, choose(run), gathered, part);
    if (part == Part::texts) return;
    if (with_frames) read_frames(file, run, gathered);
    read_events_and_steps(file, run);
  });
}

RunFile read_run(const std::string& path, const std::vector<std::string>& patterns) {
  const bool everything = std::find(patterns.begin(), patterns.end(), "*") != patterns.end();
  return read_run(
      path, [&](const RunFile& run) { return select(run.path, run.header.channels, patterns); }, everything);
}

}  // namespace bristle
