#include "bristle/record/run_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/base/error.h"
#include "bristle/record/h5.h"

// Why a killed run opens
// ----------------------
// HDF5 changes its tables inside the file in place, with many writes. Between two flushes, or in the middle of one, a file that
// is open for writing can be unreadable, and no setting of the library makes a flush as a whole atomic. So the file under the
// user's name is never written to. There are two files of equal contents, `run.h5` and `run.h5.spare`:
//
//   write    goes to the spare only;
//   flush    completes the spare, then swaps the two names: a hard link keeps the old file, rename() replaces `run.h5` in one
//            step of the file system. At every moment `run.h5` is a complete file;
//   catch up the former `run.h5` is now the spare and lacks what was written since. Before the next write its chunks are copied
//            from `run.h5` as they are, compressed; no numbers are kept in memory for it.
//
// Somebody may be reading the file that becomes the spare. HDF5 holds a shared lock on a file it reads; while there is one, the
// spare is left to the reader and a new one is made by copying. The same copy serves file systems without hard links.
// The guarantee is for the death of the process; against loss of power the file is synchronised to disk at close only.
namespace bristle {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kFlushSeconds = 1.0;
constexpr double kFlushShare = 0.05;  // of the wall time, at most: slow disks are flushed less often
constexpr std::size_t kBufferBytes = 4 << 20;

Clock::duration seconds(double s) { return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s)); }

// A lock of ours on a file; nobody else's reads begin while it is held.
class FileLock {
 public:
  enum class Result { locked, busy };
  ~FileLock() { release(); }
  Result take(const std::string& path) {
    release();
    fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    // file systems without locks: nothing to wait for
    if (fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      release();
      return Result::busy;
    }
    return Result::locked;
  }
  void release() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// A column of a table is a data set: numbers, or names that the numbers stand for.
struct Column {
  std::string path;
  const std::vector<std::string>* names = nullptr;
  std::size_t bytes = sizeof(double);
};

// Rows of numbers, collected until a chunk is full.
struct Table {
  std::vector<Column> columns;
  std::size_t chunk = 0;          // rows
  std::vector<double> rows;       // chunk x columns
  long long n = 0;                // rows so far
  long long stored[2] = {0, 0};   // rows in each of the two files

  void choose_chunk(std::size_t most_rows) {
    chunk = most_rows;
    while (chunk > 64 && chunk * columns.size() * sizeof(double) > kBufferBytes) chunk /= 2;
  }
  void prepare() { rows.assign(chunk * columns.size(), 0.0); }
  double* next() { return rows.data() + static_cast<std::size_t>(n) % chunk * columns.size(); }
};

std::size_t longest(const std::vector<std::string>& names) {
  std::size_t n = 1;
  for (const std::string& name : names) n = std::max(n, name.size());
  return n;
}

std::size_t chunk_of(hid_t set) {
  h5::Handle how = h5::own(H5Dget_create_plist(set), H5Pclose, "chunk");
  hsize_t rows = 0;
  h5::check(H5Pget_chunk(how, 1, &rows) == 1 && rows > 0, "chunk");
  return rows;
}

void make_column(hid_t file, const Column& column, std::size_t chunk) {
  const std::size_t slash = column.path.rfind('/');
  if (slash > 0) h5::make_group(file, column.path.substr(0, slash).c_str());
  const hsize_t none = 0, any = H5S_UNLIMITED, rows = chunk;
  h5::Handle space = h5::own(H5Screate_simple(1, &none, &any), H5Sclose, column.path.c_str());
  h5::Handle how = h5::own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, column.path.c_str());
  H5Pset_chunk(how, 1, &rows);
  H5Pset_shuffle(how);
  H5Pset_deflate(how, 1);
  h5::Handle text;
  if (column.names) text = h5::fixed_text_type(column.bytes);
  const hid_t type = column.names ? static_cast<hid_t>(text) : H5T_IEEE_F64LE;
  h5::own(H5Dcreate2(file, column.path.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose, column.path.c_str());
}

void put_status(hid_t file, const RunStatus& status) {
  h5::Handle group = h5::make_group(file, "/status");
  h5::put_attribute(group, "end", std::string(name_of(status.end)));
  h5::put_attribute(group, "message", status.message);
  h5::Rows rows;
  for (const auto& [name, value] : status.summary) rows.push_back({name, value});
  h5::put_rows(group, "summary", 2, rows);
  h5::Handle solver = h5::make_group(file, "/solver");
  for (const auto& [name, value] : status.counts) h5::put_attribute(solver, name.c_str(), value);
  h5::Handle reasons = h5::make_group(file, "/solver/reasons");
  for (const auto& [name, value] : status.reasons) h5::put_attribute(reasons, name.c_str(), value);
}

void put_header(hid_t file, const RunHeader& header) {
  h5::Handle root = h5::open_group(file, "/");
  h5::put_attribute(root, "format", std::string(h5::kFormat));
  h5::put_attribute(root, "version", h5::kVersion);
  h5::Handle model = h5::make_group(file, "/model");
  h5::put_attribute(model, "title", header.title);
  h5::put_attribute(model, "program", header.program);
  h5::put_attribute(model, "command", header.command);
  h5::put_attribute(model, "created", header.created);
  h5::put_attribute(model, "file", header.model_file);
  h5::put_text(model, "text", header.model_text);
  std::vector<std::string> names;
  for (const Channel& c : header.channels) names.push_back(c.name);
  h5::put_names(model, "channels", names);
  h5::Rows places;
  for (const PlaceInfo& p : header.places) places.push_back({p.name, p.law, std::to_string(p.components)});
  h5::put_rows(model, "places", 3, places);
  h5::put_names(model, "event_elements", header.event_elements);
  h5::put_names(model, "event_kinds", header.event_kinds);
  h5::put_names(model, "step_reasons", header.step_reasons);
  h5::make_group(file, "/channels");
  h5::Handle solver = h5::make_group(file, "/solver");
  h5::put_attribute(solver, "integrator", header.integrator);
}

void refuse_odd_channels(const std::string& path, const std::vector<Channel>& channels) {
  std::set<std::string> paths;
  for (const Channel& c : channels)
    if (!paths.insert(h5::channel_path(c.name)).second)
      throw InputError({path}, fmt::format("channel '{}' would be written twice", c.name));
  for (const Channel& c : channels)
    if (const auto next = paths.upper_bound(h5::channel_path(c.name) + "/");
        next != paths.end() && next->starts_with(h5::channel_path(c.name) + "/"))
      throw InputError({path}, fmt::format("channel '{}' has the name of an element that has channels of its own", c.name));
}

}  // namespace

const char* name_of(RunStatus::End end) {
  switch (end) {
    case RunStatus::End::running: return "running";
    case RunStatus::End::finished: return "finished";
    case RunStatus::End::interrupted: return "interrupted";
    case RunStatus::End::failed: return "failed";
  }
  return "failed";
}

struct RunWriter::Impl {
  explicit Impl(std::string file_path) : path(std::move(file_path)), spare_path(path + ".spare") {}

  std::string path, spare_path;
  std::vector<std::string> event_elements, event_kinds, step_reasons;
  Table samples, events, steps;
  struct Slot {
    h5::Handle file;
    std::vector<h5::Handle> sets;  // of all tables in order
  };
  Slot slots[2];
  int spare = 1;            // index of the slot that is written to; the other one is published
  bool ready = false;       // the spare has caught up and is locked
  bool broken = false;      // a write failed: the published file stays as it is
  FileLock lock;
  std::vector<char> scratch;
  h5::Handle set_access;
  int countdown = 1, interval = 1;
  Clock::time_point looked = Clock::now(), due = looked + seconds(kFlushSeconds);

  Table* tables[3] = {&samples, &events, &steps};

  void lay_out(const std::vector<Channel>& channels) {
    samples.columns.push_back({"/time"});
    for (const Channel& c : channels) samples.columns.push_back({h5::channel_path(c.name)});
    events.columns = {{"/events/time"},
                      {"/events/element", &event_elements, longest(event_elements)},
                      {"/events/what", &event_kinds, longest(event_kinds)}};
    steps.columns = {{"/solver/time"}, {"/solver/step"}, {"/solver/reason", &step_reasons, longest(step_reasons)}};
    samples.choose_chunk(1024);
    events.choose_chunk(256);
    steps.choose_chunk(4096);
  }

  void open(int slot, const std::string& name) {
    Slot& s = slots[slot];
    s.sets.clear();
    s.file = h5::own(H5Fopen(name.c_str(), H5F_ACC_RDWR, h5::access_list()), H5Fclose, "open");
    if (!set_access) {
      // whole chunks are written at once: a cache would only hold memory
      set_access = h5::own(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "access");
      H5Pset_chunk_cache(set_access, 1, 0, 1.0);
    }
    for (const Table* t : tables)
      for (const Column& c : t->columns) s.sets.push_back(h5::open_set(s.file, c.path.c_str(), set_access));
  }

  hid_t set(int slot, const Table& table, std::size_t column) const {
    std::size_t first = 0;
    for (const Table* t : tables) {
      if (t == &table) break;
      first += t->columns.size();
    }
    return slots[slot].sets[first + column];
  }

  // the numbers or names of one column, as they are in the file
  const void* column_bytes(const Table& t, std::size_t j, std::size_t from, std::size_t count) {
    const Column& c = t.columns[j];
    scratch.resize(std::max(scratch.size(), count * c.bytes));
    const double* p = t.rows.data() + from * t.columns.size() + j;
    char* out = scratch.data();
    for (std::size_t i = 0; i < count; ++i, p += t.columns.size(), out += c.bytes) {
      if (!c.names) {
        std::memcpy(out, p, sizeof(double));
      } else {
        std::memset(out, 0, c.bytes);
        if (*p >= 0 && *p < static_cast<double>(c.names->size())) (*c.names)[static_cast<std::size_t>(*p)].copy(out, c.bytes);
      }
    }
    return scratch.data();
  }

  // rows that the spare does not have yet, all of the chunk that is being filled
  void write_rows(Table& t) {
    const long long from = t.stored[spare];
    if (from == t.n) return;
    const hsize_t total = static_cast<hsize_t>(t.n), start = static_cast<hsize_t>(from), count = total - start;
    h5::Handle memory = h5::own(H5Screate_simple(1, &count, nullptr), H5Sclose, "write");
    h5::Handle disk = h5::own(H5Screate_simple(1, &total, nullptr), H5Sclose, "write");
    h5::check(H5Sselect_hyperslab(disk, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0, "write");
    for (std::size_t j = 0; j < t.columns.size(); ++j) {
      const Column& c = t.columns[j];
      const hid_t to = set(spare, t, j);
      h5::Handle text;
      if (c.names) text = h5::fixed_text_type(c.bytes);
      const void* bytes = column_bytes(t, j, static_cast<std::size_t>(from) % t.chunk, count);
      h5::check(H5Dset_extent(to, &total) >= 0, "write");
      h5::check(H5Dwrite(to, c.names ? static_cast<hid_t>(text) : H5T_NATIVE_DOUBLE, memory, disk, H5P_DEFAULT, bytes) >= 0, "write");
    }
    t.stored[spare] = t.n;
  }

  // brings the spare to the state of the published file
  void catch_up(Table& t) {
    const int live = 1 - spare;
    if (t.stored[spare] >= t.stored[live]) return;
    const hsize_t total = static_cast<hsize_t>(t.stored[live]);
    for (std::size_t j = 0; j < t.columns.size(); ++j) {
      const hid_t from = set(live, t, j), to = set(spare, t, j);
      h5::check(H5Dset_extent(to, &total) >= 0, "write");
      for (hsize_t row = static_cast<hsize_t>(t.stored[spare]) / t.chunk * t.chunk; row < total; row += t.chunk) {
        hsize_t bytes = 0;
        std::uint32_t filters = 0;
        h5::check(H5Dget_chunk_storage_size(from, &row, &bytes) >= 0, "read back");
        scratch.resize(std::max<std::size_t>(scratch.size(), bytes));
        h5::check(H5Dread_chunk(from, H5P_DEFAULT, &row, &filters, scratch.data()) >= 0, "read back");
        h5::check(H5Dwrite_chunk(to, H5P_DEFAULT, filters, &row, bytes, scratch.data()) >= 0, "write");
      }
    }
    t.stored[spare] = t.stored[live];
  }

  void copy_published() {
    slots[spare].sets.clear();
    slots[spare].file.reset();
    std::filesystem::remove(spare_path);
    std::filesystem::copy_file(path, spare_path);
    open(spare, spare_path);
    lock.take(spare_path);
    for (Table* t : tables) t->stored[spare] = t->stored[1 - spare];
  }

  void make_ready() {
    if (ready) return;
    if (!slots[spare].file || lock.take(spare_path) == FileLock::Result::busy) {
      copy_published();
    } else {
      for (Table* t : tables) catch_up(*t);
    }
    ready = true;
  }

  // every failure while writing ends here
  template <class Work>
  void guarded(Work&& work) {
    if (broken) throw std::runtime_error(fmt::format("'{}' could not be written before; it holds what was written up to then", path));
    const h5::Quiet quiet;
    try {
      work();
    } catch (const std::exception& e) {
      broken = true;
      throw std::runtime_error(fmt::format("cannot write '{}' ({}). Is there room on the disk? The file holds what was flushed before.", path, e.what()));
    }
  }

  void row_done(Table& t) {
    ++t.n;
    if (static_cast<std::size_t>(t.n) % t.chunk == 0)
      guarded([&] {
        make_ready();
        write_rows(t);
      });
    if (--countdown <= 0) look_at_clock();
  }

  // The clock is read the more seldom the faster rows come, but several times per second.
  void look_at_clock() {
    const Clock::time_point now = Clock::now();
    const double passed = std::chrono::duration<double>(now - looked).count();
    if (passed < 0.01) interval = std::min(2 * interval, 1024);
    if (passed > 0.1) interval = std::max(interval / 8, 1);
    looked = now;
    countdown = interval;
    if (now >= due) flush();
  }

  bool up_to_date() const {
    return std::all_of(std::begin(tables), std::end(tables), [&](const Table* t) { return t->stored[1 - spare] == t->n; });
  }

  void flush() {
    const Clock::time_point begin = Clock::now();
    if (!up_to_date())
      guarded([&] {
        make_ready();
        for (Table* t : tables) write_rows(*t);
        h5::check(H5Fflush(slots[spare].file, H5F_SCOPE_LOCAL) >= 0, "flush");
        publish();
      });
    const Clock::time_point end = Clock::now();
    const double took = std::chrono::duration<double>(end - begin).count();
    due = end + seconds(std::max(kFlushSeconds, took / kFlushShare));
  }

  // swaps the two names
  void publish() {
    const std::string old_path = path + ".old";
    lock.release();
    ::unlink(old_path.c_str());
    const bool linked = ::link(path.c_str(), old_path.c_str()) == 0;
    if (::rename(spare_path.c_str(), path.c_str()) != 0) throw std::runtime_error(std::strerror(errno));
    spare = 1 - spare;
    ready = false;
    if (!linked || ::rename(old_path.c_str(), spare_path.c_str()) != 0) {  // the next spare is a copy
      slots[spare].sets.clear();
      slots[spare].file.reset();
    }
  }

  void close(const RunStatus& status) {
    guarded([&] {
      make_ready();
      for (Table* t : tables) write_rows(*t);
      Slot& s = slots[spare];
      put_status(s.file, status);
      s.sets.clear();
      h5::check(H5Fflush(s.file, H5F_SCOPE_LOCAL) >= 0 && s.file.reset(), "close");
      if (const int fd = ::open(spare_path.c_str(), O_RDWR | O_CLOEXEC); fd >= 0) {
        ::fsync(fd);
        ::close(fd);
      }
      lock.release();
      if (::rename(spare_path.c_str(), path.c_str()) != 0) throw std::runtime_error(std::strerror(errno));
    });
    drop();
  }

  void drop() {
    for (Slot& s : slots) {
      s.sets.clear();
      s.file.reset();
    }
    lock.release();
  }

  // both files from one that is complete and closed
  void start(const std::string& made) {
    std::filesystem::rename(made, path);
    std::filesystem::remove(path + ".old");
    open(1 - spare, path);
    for (Table* t : tables) t->stored[1 - spare] = t->n;
    copy_published();
    ready = true;
  }

  void refuse_other_writer() {
    if (lock.take(spare_path) == FileLock::Result::busy)
      throw InputError({path}, "another run is writing this file. Choose another folder, or stop that run.");
  }
};

RunWriter::RunWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;

RunWriter::~RunWriter() {
  if (!impl_ || !impl_->slots[1 - impl_->spare].file) return;
  const h5::Quiet quiet;
  try {
    if (!impl_->broken) impl_->flush();
  } catch (const std::exception&) {
    // the file keeps what was flushed before
  }
  impl_->drop();
  ::unlink(impl_->spare_path.c_str());
}

RunWriter RunWriter::create(const std::string& path, const RunHeader& given) {
  const h5::Quiet quiet;
  RunHeader header = given;
  if (header.event_elements.empty())
    for (const PlaceInfo& p : header.places) header.event_elements.push_back(p.name);
  refuse_odd_channels(path, header.channels);

  if (std::filesystem::is_directory(path)) throw InputError({path}, "a folder has the name of the file that is to be written");
  auto impl = std::make_unique<Impl>(path);
  impl->refuse_other_writer();
  const int fd = ::open(impl->spare_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) throw InputError({path}, fmt::format("the file cannot be written: {}", std::strerror(errno)));
  ::close(fd);

  impl->event_elements = header.event_elements;
  impl->event_kinds = header.event_kinds;
  impl->step_reasons = header.step_reasons;
  impl->lay_out(header.channels);
  for (Table* t : impl->tables) t->prepare();
  impl->guarded([&] {
    h5::Handle file = h5::own(H5Fcreate(impl->spare_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, h5::access_list()), H5Fclose, "create");
    put_header(file, header);
    for (const Table* t : impl->tables)
      for (const Column& c : t->columns) make_column(file, c, t->chunk);
    put_status(file, {});
    const auto describe = [&](const std::string& at, const std::string& name, const std::string& unit, const std::string& text) {
      h5::Handle set = h5::open_set(file, at.c_str());
      h5::put_attribute(set, "name", name);
      h5::put_attribute(set, "unit", unit);
      h5::put_attribute(set, "text", text);
    };
    for (const Channel& c : header.channels) describe(h5::channel_path(c.name), c.name, c.unit, c.text);
    describe("/time", "time", "s", "time");
    describe("/events/time", "time", "s", "time of the event");
    describe("/solver/time", "time", "s", "end of the step");
    describe("/solver/step", "step", "s", "length of the step");
    h5::check(file.reset(), "create");
    impl->start(impl->spare_path);
  });
  return RunWriter(std::move(impl));
}

RunWriter RunWriter::append(const std::string& path, long long samples, long long events, long long steps) {
  const h5::Quiet quiet;
  if (!std::filesystem::exists(path)) throw InputError({path}, "there is no such file to go on with");
  auto impl = std::make_unique<Impl>(path);
  impl->refuse_other_writer();
  const std::string work = impl->spare_path;
  std::filesystem::copy_file(path, work, std::filesystem::copy_options::overwrite_existing);
  h5::Handle file(H5Fopen(work.c_str(), H5F_ACC_RDWR, h5::access_list()), H5Fclose);
  if (!file || h5::text_attribute(h5::open_group(file, "/"), "format") != h5::kFormat) {
    file.reset();
    ::unlink(work.c_str());
    throw InputError({path}, "this is not a result file of bristle");
  }
  impl->event_elements = h5::get_names(file, "/model/event_elements");
  impl->event_kinds = h5::get_names(file, "/model/event_kinds");
  impl->step_reasons = h5::get_names(file, "/model/step_reasons");
  std::vector<Channel> channels;
  for (std::string& name : h5::get_names(file, "/model/channels")) channels.push_back({std::move(name), {}, {}});
  impl->lay_out(channels);

  const long long wanted[3] = {samples, events, steps};
  const char* what[3] = {"samples", "events", "steps"};
  for (int i = 0; i < 3; ++i) {
    Table& t = *impl->tables[i];
    for (const Column& c : t.columns) {
      const long long there = h5::rows_of(h5::open_set(file, c.path.c_str()));
      if (wanted[i] >= 0 && there >= wanted[i]) continue;
      file.reset();
      ::unlink(work.c_str());
      throw InputError({path}, fmt::format("the file has {} {} but the checkpoint knows of {}: they do not belong together", there, what[i], wanted[i]));
    }
    t.n = wanted[i];
    t.chunk = chunk_of(h5::open_set(file, t.columns[0].path.c_str()));
    t.prepare();
  }
  impl->guarded([&] {
    for (const Table* t : impl->tables)
      for (const Column& c : t->columns) {
        const hsize_t n = static_cast<hsize_t>(t->n);
        h5::check(H5Dset_extent(h5::open_set(file, c.path.c_str()), &n) >= 0, "cut");
      }
    put_status(file, {});
    h5::check(file.reset(), "cut");
    impl->start(work);
  });
  return RunWriter(std::move(impl));
}

void RunWriter::sample(double t, const double* values) {
  Table& table = impl_->samples;
  double* row = table.next();
  row[0] = t;
  std::copy_n(values, table.columns.size() - 1, row + 1);
  impl_->row_done(table);
}

void RunWriter::event(double t, int element, int kind) {
  double* row = impl_->events.next();
  row[0] = t;
  row[1] = element;
  row[2] = kind;
  impl_->row_done(impl_->events);
}

void RunWriter::step(double t, double h, int reason) {
  double* row = impl_->steps.next();
  row[0] = t;
  row[1] = h;
  row[2] = reason;
  impl_->row_done(impl_->steps);
}

void RunWriter::flush() { impl_->flush(); }
void RunWriter::close(const RunStatus& status) { impl_->close(status); }
long long RunWriter::samples() const { return impl_->samples.n; }
long long RunWriter::events() const { return impl_->events.n; }
long long RunWriter::steps() const { return impl_->steps.n; }

}  // namespace bristle
