#include "bristle/record/twin_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace bristle {

namespace {

constexpr std::size_t kBufferBytes = 4 << 20;

int rank(const Column& column) { return column.width > 1 ? 2 : 1; }

void make_set(hid_t file, const Column& column, std::size_t chunk) {
  const char* path = column.path.c_str();
  const std::size_t slash = column.path.rfind('/');
  if (slash > 0) h5::make_group(file, column.path.substr(0, slash).c_str());
  const hsize_t none[2] = {0, column.width}, any[2] = {H5S_UNLIMITED, column.width}, rows[2] = {chunk, column.width};
  h5::Handle space = h5::own(H5Screate_simple(rank(column), none, any), H5Sclose, path);
  h5::Handle how = h5::own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path);
  H5Pset_chunk(how, rank(column), rows);
  H5Pset_shuffle(how);
  H5Pset_deflate(how, 1);
  h5::Handle text;
  if (column.names) text = h5::fixed_text_type(column.bytes);
  const hid_t type = column.names ? static_cast<hid_t>(text) : H5T_IEEE_F64LE;
  h5::own(H5Dcreate2(file, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose, path);
}

void rename_over(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw std::runtime_error(std::strerror(errno));
}

void sync(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void Table::choose_chunk(std::size_t most_rows) {
  chunk = most_rows;
  while (chunk > 64 && chunk * numbers * sizeof(double) > kBufferBytes) chunk /= 2;
}

void Table::add(Column column) {
  numbers += column.width;
  columns.push_back(std::move(column));
}

void Table::make_sets(hid_t file) const {
  for (const Column& c : columns) make_set(file, c, chunk);
}

void Table::cut_sets(hid_t file) const {
  for (const Column& c : columns) {
    const hsize_t left[2] = {static_cast<hsize_t>(n), c.width};
    h5::check(H5Dset_extent(h5::open_set(file, c.path.c_str()), left) >= 0, "cut");
  }
}

std::size_t chunk_of(hid_t set) {
  h5::Handle how = h5::own(H5Dget_create_plist(set), H5Pclose, "chunk");
  hsize_t rows = 0;
  h5::check(H5Pget_chunk(how, 1, &rows) == 1 && rows > 0, "chunk");
  return rows;
}

bool FileLock::take(const std::string& path) {
  release();
  fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  // on file systems without locks there is nobody to wait for
  if (fd_ < 0 || ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
  release();
  return false;
}

void FileLock::release() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void TwinFile::Slot::close() {
  sets.clear();
  file.reset();
}

TwinFile::TwinFile(std::string path, std::vector<Table*> tables)
    : path_(std::move(path)), spare_path_(path_ + ".spare"), tables_(std::move(tables)) {}

bool TwinFile::locked_by_another_writer() { return !lock_.take(spare_path_); }

void TwinFile::start(const std::string& made) {
  rename_over(made, path_);
  std::filesystem::remove(path_ + ".old");
  open(1 - spare_, path_);
  for (Table* t : tables_) t->stored[1 - spare_] = t->n;
  copy_published();
  ready_ = true;
}

void TwinFile::open(int slot, const std::string& name) {
  Slot& s = slots_[slot];
  s.close();
  s.file = h5::own(H5Fopen(name.c_str(), H5F_ACC_RDWR, h5::access_list()), H5Fclose, "open");
  if (!set_access_) {
    // whole chunks are written at once: a cache would only hold memory
    set_access_ = h5::own(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "open");
    H5Pset_chunk_cache(set_access_, 1, 0, 1.0);
  }
  for (const Table* t : tables_)
    for (const Column& c : t->columns) s.sets.push_back(h5::open_set(s.file, c.path.c_str(), set_access_));
}

hid_t TwinFile::set(int slot, const Table& table, std::size_t column) const {
  std::size_t first = 0;
  for (const Table* t : tables_) {
    if (t == &table) break;
    first += t->columns.size();
  }
  return slots_[slot].sets[first + column];
}

// the numbers or names of one column, as they are in the file; `first` is its place in a row
const void* TwinFile::column_bytes(const Table& t, const Column& c, std::size_t first, std::size_t from, std::size_t count) {
  const std::size_t stride = c.bytes * c.width;
  scratch_.resize(std::max(scratch_.size(), count * stride));
  const double* p = t.rows.data() + from * t.numbers + first;
  char* out = scratch_.data();
  for (std::size_t i = 0; i < count; ++i, p += t.numbers, out += stride) {
    if (!c.names) {
      std::memcpy(out, p, stride);
      continue;
    }
    std::memset(out, 0, c.bytes);
    if (*p >= 0 && *p < static_cast<double>(c.names->size())) (*c.names)[static_cast<std::size_t>(*p)].copy(out, c.bytes);
  }
  return scratch_.data();
}

void TwinFile::write(Table& t) {
  if (t.stored[spare_] == t.n) return;
  make_ready();
  const long long from = t.stored[spare_];
  if (from == t.n) return;
  const std::size_t rows = static_cast<std::size_t>(t.n - from);
  std::size_t first = 0;
  for (std::size_t j = 0; j < t.columns.size(); ++j) {
    const Column& c = t.columns[j];
    const hsize_t total[2] = {static_cast<hsize_t>(t.n), c.width}, start[2] = {static_cast<hsize_t>(from), 0};
    const hsize_t count[2] = {rows, c.width};
    h5::Handle memory = h5::own(H5Screate_simple(rank(c), count, nullptr), H5Sclose, "write");
    h5::Handle disk = h5::own(H5Screate_simple(rank(c), total, nullptr), H5Sclose, "write");
    h5::check(H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0, "write");
    const hid_t to = set(spare_, t, j);
    h5::Handle text;
    if (c.names) text = h5::fixed_text_type(c.bytes);
    const hid_t type = c.names ? static_cast<hid_t>(text) : H5T_NATIVE_DOUBLE;
    const void* bytes = column_bytes(t, c, first, static_cast<std::size_t>(from) % t.chunk, rows);
    h5::check(H5Dset_extent(to, total) >= 0, "write");
    h5::check(H5Dwrite(to, type, memory, disk, H5P_DEFAULT, bytes) >= 0, "write");
    first += c.width;
  }
  t.stored[spare_] = t.n;
}

// brings the spare to the state of the published file
void TwinFile::catch_up(Table& t) {
  const int live = 1 - spare_;
  if (t.stored[spare_] >= t.stored[live]) return;
  for (std::size_t j = 0; j < t.columns.size(); ++j) {
    const hid_t from = set(live, t, j), to = set(spare_, t, j);
    const hsize_t total[2] = {static_cast<hsize_t>(t.stored[live]), t.columns[j].width};
    h5::check(H5Dset_extent(to, total) >= 0, "write");
    for (hsize_t row = static_cast<hsize_t>(t.stored[spare_]) / t.chunk * t.chunk; row < total[0]; row += t.chunk) {
      const hsize_t at[2] = {row, 0};
      hsize_t bytes = 0;
      std::uint32_t filters = 0;
      h5::check(H5Dget_chunk_storage_size(from, at, &bytes) >= 0, "read back");
      scratch_.resize(std::max<std::size_t>(scratch_.size(), bytes));
      h5::check(H5Dread_chunk(from, H5P_DEFAULT, at, &filters, scratch_.data()) >= 0, "read back");
      h5::check(H5Dwrite_chunk(to, H5P_DEFAULT, filters, at, bytes, scratch_.data()) >= 0, "write");
    }
  }
  t.stored[spare_] = t.stored[live];
}

void TwinFile::copy_published() {
  slots_[spare_].close();
  std::filesystem::remove(spare_path_);
  std::filesystem::copy_file(path_, spare_path_);
  open(spare_, spare_path_);
  lock_.take(spare_path_);
  for (Table* t : tables_) t->stored[spare_] = t->stored[1 - spare_];
}

void TwinFile::make_ready() {
  if (ready_) return;
  if (!slots_[spare_].file || !lock_.take(spare_path_)) {
    copy_published();
  } else {
    for (Table* t : tables_) catch_up(*t);
  }
  ready_ = true;
}

void TwinFile::flush() {
  const int live = 1 - spare_;
  if (std::all_of(tables_.begin(), tables_.end(), [&](const Table* t) { return t->stored[live] == t->n; })) return;
  make_ready();
  for (Table* t : tables_) write(*t);
  h5::check(H5Fflush(slots_[spare_].file, H5F_SCOPE_LOCAL) >= 0, "flush");
  publish();
}

// swaps the two names
void TwinFile::publish() {
  const std::string old_path = path_ + ".old";
  lock_.release();
  ::unlink(old_path.c_str());
  const bool linked = ::link(path_.c_str(), old_path.c_str()) == 0;
  rename_over(spare_path_, path_);
  spare_ = 1 - spare_;
  ready_ = false;
  // without a link the old file is gone: the next spare is a copy
  if (!linked || ::rename(old_path.c_str(), spare_path_.c_str()) != 0) slots_[spare_].close();
}

void TwinFile::close(const std::function<void(hid_t)>& last_words) {
  make_ready();
  for (Table* t : tables_) write(*t);
  Slot& s = slots_[spare_];
  last_words(s.file);
  s.sets.clear();
  h5::check(H5Fflush(s.file, H5F_SCOPE_LOCAL) >= 0 && s.file.reset(), "close");
  sync(spare_path_);
  lock_.release();
  rename_over(spare_path_, path_);
  drop();
}

void TwinFile::drop() {
  for (Slot& s : slots_) s.close();
  lock_.release();
}

}  // namespace bristle
