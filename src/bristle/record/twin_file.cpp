#include "bristle/record/twin_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "bristle/record/file.h"

namespace bristle {

namespace {

constexpr std::size_t kBufferBytes = 4 << 20;    // of rows that wait for their chunk to be full
constexpr std::size_t kMostBytes = 128 << 20;    // the same, where chunks would get small by it
constexpr std::size_t kChunkBytes = 128 << 10;   // of long rows: one column can be read without the others
constexpr std::size_t kFewRows = 16;             // of chunks; so few only where rows are long
constexpr std::size_t kRows = 512, kLeast = 64;  // of chunks of single numbers: below, each costs more than what is in it

int rank(const Column& column) { return static_cast<int>(column.row.size()) + 1; }

h5::Shape with_rows(hsize_t rows, const Column& column) {
  h5::Shape shape = {rows};
  shape.insert(shape.end(), column.row.begin(), column.row.end());
  return shape;
}

h5::Handle make_space(const h5::Shape& now, const h5::Shape* most = nullptr) {
  return h5::own(H5Screate_simple(static_cast<int>(now.size()), now.data(), most ? most->data() : nullptr), H5Sclose, "write");
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

std::size_t Column::width() const {
  std::size_t n = 1;
  for (const hsize_t k : row) n *= k;
  return n;
}

void Table::choose_chunk(std::size_t most_rows) {
  chunk = most_rows;
  const auto rows_of_numbers = [&](std::size_t count) {
    return std::max(count * columns.size() / std::max<std::size_t>(numbers, 1), kFewRows);
  };
  const auto shorten = [&](std::size_t least, std::size_t bytes) {
    while (chunk > least && chunk * numbers * sizeof(double) > bytes) chunk /= 2;
  };
  shorten(rows_of_numbers(kRows), kBufferBytes);
  shorten(rows_of_numbers(kLeast), kMostBytes);
  for (Column& c : columns) {
    c.chunk = with_rows(chunk, c);
    if (c.row.empty()) continue;
    const std::size_t one = chunk * c.width() / c.row[0] * c.bytes;
    c.chunk[1] = std::clamp<hsize_t>(kChunkBytes / one, 1, c.row[0]);
  }
}

void Table::read_chunk(hid_t file) {
  chunk = h5::chunk_of(h5::open_set(file, columns[0].path.c_str()))[0];
  for (Column& c : columns) c.chunk = c.row.empty() ? h5::Shape{chunk} : h5::chunk_of(h5::open_set(file, c.path.c_str()));
}

void Table::add(Column column) {
  numbers += column.width();
  columns.push_back(std::move(column));
}

void Table::make_sets(hid_t file, std::vector<h5::Handle>& sets) const {
  const auto folder_of = [](const Column& c) { return std::string_view(c.path).substr(0, c.path.rfind('/')); };
  h5::Handle group;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column& c = columns[j];
    if (j == 0 || folder_of(c) != folder_of(columns[j - 1])) {
      std::size_t end = j;
      while (end < columns.size() && folder_of(columns[end]) == folder_of(c)) ++end;
      group = folder_of(c).empty() ? h5::open_group(file, "/") : h5::make_group(file, std::string(folder_of(c)).c_str(), end - j);
    }
    h5::Shape most = with_rows(H5S_UNLIMITED, c);
    h5::Handle space = make_space(with_rows(0, c), &most);
    h5::Handle how = h5::own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, c.path.c_str());
    H5Pset_chunk(how, rank(c), c.chunk.data());
    H5Pset_obj_track_times(how, false);
    H5Pset_shuffle(how);
    H5Pset_deflate(how, 1);
    h5::Handle text;
    if (c.names) text = h5::fixed_text_type(c.bytes);
    const hid_t type = c.names ? static_cast<hid_t>(text) : H5T_IEEE_F64LE;
    sets.push_back(
        h5::own(H5Dcreate2(group, c.path.c_str() + folder_of(c).size() + 1, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose,
                c.path.c_str()));
  }
}

void Table::cut_sets(hid_t file) const {
  for (const Column& c : columns) {
    const h5::Shape left = with_rows(static_cast<hsize_t>(n), c);
    h5::check(H5Dset_extent(h5::open_set(file, c.path.c_str()), left.data()) >= 0, "cut");
  }
}

bool FileLock::take(const std::string& path) {
  release();
  fd_ = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
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

void TwinFile::start(h5::Handle made, std::vector<h5::Handle> sets) {
  slots_[spare_].file = std::move(made);
  slots_[spare_].sets = std::move(sets);
  h5::check(H5Fflush(slots_[spare_].file, H5F_SCOPE_LOCAL) >= 0, "create");
  const std::string copy = path_ + ".old";
  copy_anew(spare_path_, copy);
  rename_over(copy, path_);
  for (Table* t : tables_) t->stored[0] = t->stored[1] = t->n;
  lock_.take(spare_path_);
  ready_ = there_ = true;
}

void TwinFile::open_spare() {
  Slot& s = slots_[spare_];
  s.close();
  s.file = h5::own(H5Fopen(spare_path_.c_str(), H5F_ACC_RDWR, h5::access_list()), H5Fclose, "open");
}

hid_t TwinFile::set(int slot, const Table& table, std::size_t column) {
  std::size_t at = column, all = 0;
  for (const Table* t : tables_) {
    if (t == &table) at += all;
    all += t->columns.size();
  }
  Slot& s = slots_[slot];
  s.sets.resize(all);
  if (!s.sets[at]) s.sets[at] = h5::open_set(s.file, table.columns[column].path.c_str());
  return s.sets[at];
}

// the numbers or names of one column, as they are in the file; `first` is its place in a row
const void* TwinFile::column_bytes(const Table& t, const Column& c, std::size_t first, std::size_t from, std::size_t count) {
  const std::size_t stride = c.bytes * c.width();
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
  h5::Handle memory, disk;  // most columns are alike
  for (std::size_t j = 0; j < t.columns.size(); ++j) {
    const Column& c = t.columns[j];
    const h5::Shape total = with_rows(static_cast<hsize_t>(t.n), c);
    if (j == 0 || c.row != t.columns[j - 1].row) {
      const h5::Shape count = with_rows(rows, c);
      h5::Shape start(count.size(), 0);
      start[0] = static_cast<hsize_t>(from);
      memory = make_space(count);
      disk = make_space(total);
      h5::check(H5Sselect_hyperslab(disk, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0, "write");
    }
    const hid_t to = set(spare_, t, j);
    h5::Handle text;
    if (c.names) text = h5::fixed_text_type(c.bytes);
    const hid_t type = c.names ? static_cast<hid_t>(text) : H5T_NATIVE_DOUBLE;
    const void* bytes = column_bytes(t, c, first, static_cast<std::size_t>(from) % t.chunk, rows);
    h5::check(H5Dset_extent(to, total.data()) >= 0, "write");
    h5::check(H5Dwrite(to, type, memory, disk, H5P_DEFAULT, bytes) >= 0, "write");
    first += c.width();
  }
  t.stored[spare_] = t.n;
}

// as it is, compressed
void TwinFile::copy_chunk(hid_t from, hid_t to, const h5::Shape& at) {
  hsize_t bytes = 0;
  std::uint32_t filters = 0;
  h5::check(H5Dget_chunk_storage_size(from, at.data(), &bytes) >= 0, "read back");
  scratch_.resize(std::max<std::size_t>(scratch_.size(), bytes));
  h5::check(H5Dread_chunk(from, H5P_DEFAULT, at.data(), &filters, scratch_.data()) >= 0, "read back");
  h5::check(H5Dwrite_chunk(to, H5P_DEFAULT, filters, at.data(), bytes, scratch_.data()) >= 0, "write");
}

// brings the spare to the state of the published file
void TwinFile::catch_up(Table& t) {
  const int live = 1 - spare_;
  if (t.stored[spare_] >= t.stored[live]) return;
  for (std::size_t j = 0; j < t.columns.size(); ++j) {
    const hid_t from = set(live, t, j), to = set(spare_, t, j);
    const Column& c = t.columns[j];
    const h5::Shape total = with_rows(static_cast<hsize_t>(t.stored[live]), c);
    h5::check(H5Dset_extent(to, total.data()) >= 0, "write");
    h5::Shape at(total.size(), 0);
    for (at[0] = static_cast<hsize_t>(t.stored[spare_]) / t.chunk * t.chunk; at[0] < total[0];) {
      copy_chunk(from, to, at);
      // the next chunk: the last dimension first
      for (std::size_t k = at.size(); k-- > 0;) {
        at[k] += c.chunk[k];
        if (k == 0 || at[k] < total[k]) break;
        at[k] = 0;
      }
    }
  }
  t.stored[spare_] = t.stored[live];
}

void TwinFile::copy_published() {
  slots_[spare_].close();
  copy_anew(path_, spare_path_);
  open_spare();
  lock_.take(spare_path_);
  for (Table* t : tables_) t->stored[spare_] = t->stored[1 - spare_];
}

void TwinFile::make_ready() {
  if (ready_) return;
  if (!there_ || !lock_.take(spare_path_)) {
    copy_published();
  } else {
    if (!slots_[spare_].file) open_spare();
    for (Table* t : tables_) catch_up(*t);
  }
  ready_ = there_ = true;
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
  there_ = linked && ::rename(old_path.c_str(), spare_path_.c_str()) == 0;
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
