#include "bristle/record/h5.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace bristle::h5 {

namespace {
constexpr std::size_t kManySets = 2000;
constexpr std::size_t kLongTable = 4096, kTableChunk = 1 << 20;  // bytes of texts: longer tables are compressed
constexpr unsigned kCompact = 64;                                // links or attributes that a group holds without an index
}  // namespace

bool has_memory() {
  constexpr std::size_t kEnough = 16 << 20;
  void* probe = std::malloc(kEnough);
  std::free(probe);
  return probe != nullptr;
}

Quiet::Quiet() {
  // HDF5 crashes where there is no memory for its own start
  [[maybe_unused]] static const bool room = has_memory() ? true : throw std::bad_alloc();
  // A file that could not be written to its end (disk full) stays open inside HDF5, which tries again when the process ends and
  // crashes on what is left of it. All files are closed by us.
  [[maybe_unused]] static const herr_t no_last_try = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }

namespace {

/// Texts that were read in a copy of the process (there: written to a pipe), and which comes next.
struct Handover {
  enum class Role { none, giving, taking } role = Role::none;
  int pipe = -1;
  std::string texts;  // each with its length in front
  std::size_t at = 0;
};
thread_local Handover handover;

void give(const std::string& text) {
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += text;
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t n = ::write(handover.pipe, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string take_over() {
  std::uint64_t length = 0;
  const std::size_t left = handover.texts.size() - handover.at;
  if (left >= sizeof length) std::memcpy(&length, handover.texts.data() + handover.at, sizeof length);
  if (left < sizeof length || length > left - sizeof length) throw std::runtime_error("a text cannot be read");
  std::string text = handover.texts.substr(handover.at + sizeof length, length);
  handover.at += sizeof length + length;
  return text;
}

/// Texts of variable length: `read` reads them here.
template <class Read>
std::vector<std::string> variable_texts(std::size_t n, Read&& read) {
  std::vector<std::string> texts;
  if (handover.role == Handover::Role::taking) {
    for (std::size_t i = 0; i < n; ++i) texts.push_back(take_over());
    return texts;
  }
  std::vector<char*> p(n, nullptr);
  read(p.data());
  for (char* text : p) {
    texts.emplace_back(text ? text : "");
    if (text) H5free_memory(text);
  }
  if (handover.role == Handover::Role::giving)
    for (const std::string& text : texts) give(text);
  return texts;
}

}  // namespace

TextsFromElsewhere::TextsFromElsewhere(const std::function<void()>& work) {
  constexpr rlim_t kSeconds = 10;  // of work: a list that leads back to itself has no end
  int ends[2];
  if (::pipe(ends) != 0) return;  // do without
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU}) std::signal(crash, SIG_DFL);
    const rlimit none{0, 0}, time{kSeconds, kSeconds};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_CPU, &time);
    const int nowhere = ::open("/dev/null", O_WRONLY);  // "double free", says the C library on its way down
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
    ::close(ends[0]);
    handover = {Handover::Role::giving, ends[1], {}, 0};
    try {
      work();
    } catch (...) {
      // met again by the one who asked
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string texts;
  std::array<char, 1 << 14> buffer;
  for (ssize_t n = 1; child > 0 && n != 0;) {
    n = ::read(ends[0], buffer.data(), buffer.size());
    if (n > 0) texts.append(buffer.data(), static_cast<std::size_t>(n));
    else if (n < 0 && errno != EINTR) break;
  }
  ::close(ends[0]);
  if (child < 0) return;  // no room for another process: do without
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  crashed_ = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  handover = {Handover::Role::taking, -1, std::move(texts), 0};
}

TextsFromElsewhere::~TextsFromElsewhere() { handover = {}; }

std::string last_error() {
  std::string innermost;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* e, void* out) -> herr_t {
        if (depth == 0 && e->desc) *static_cast<std::string*>(out) = e->desc;
        return 0;
      },
      &innermost);
  // of a long list the words of the system: "file write failed: time = ..., error message = 'No space left on device', ..."
  constexpr std::string_view kWords = "error message = '";
  if (const std::size_t at = innermost.find(kWords); at != std::string::npos) {
    const std::size_t from = at + kWords.size();
    innermost = innermost.substr(from, innermost.find('\'', from) - from);
  }
  return innermost.empty() ? "unknown error of HDF5" : innermost;
}

void check(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(std::string(what) + ": " + last_error());
}

Handle own(hid_t id, Handle::Close close, const char* what) {
  check(id >= 0, what);
  return {id, close};
}

Handle access_list() {
  Handle list = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access");
  H5Pset_file_locking(list, false, true);
  // whole chunks are written and read at once: a cache of chunks would only hold memory
  H5Pset_cache(list, 0, 1, 0, 1.0);
  // what is written is smaller than in the oldest form, and links of small groups are found at once
  H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18);
  // descriptions of many data sets stay in memory until they are written as a whole
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(list, &cache) >= 0) {
    cache.set_initial_size = true;
    cache.initial_size = cache.min_size = 16 << 20;
    cache.max_size = 64 << 20;
    H5Pset_mdc_config(list, &cache);
  }
  return list;
}

Handle creation_list(std::size_t sets) {
  Handle list = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file creation");
  // Half the places in a node of the index of chunks. Every data set has a node at least: 2 kB with the value of HDF5, 32, 560 bytes
  // with 8, 176 with 2. Larger nodes are better filled in long runs.
  H5Pset_istore_k(list, sets > kManySets ? 2 : 8);
  return list;
}

Handle text_type() {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle fixed_text_type(std::size_t bytes) {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  H5Tset_size(type, std::max<std::size_t>(bytes, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle open_group(hid_t at, const char* path) { return own(H5Gopen2(at, path, H5P_DEFAULT), H5Gclose, path); }

Handle make_group(hid_t at, const char* path, std::size_t links) {
  if (exists(at, path)) return open_group(at, path);
  Handle with_parents = own(H5Pcreate(H5P_LINK_CREATE), H5Pclose, path);
  H5Pset_create_intermediate_group(with_parents, 1);
  Handle how = own(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, path);
  H5Pset_link_phase_change(how, kCompact, kCompact / 2);
  H5Pset_est_link_info(how, static_cast<unsigned>(std::min<std::size_t>(links, kCompact)), 20);
  // attributes keep the order in which they were written
  H5Pset_attr_phase_change(how, kCompact, kCompact / 2);
  return own(H5Gcreate2(at, path, with_parents, how, H5P_DEFAULT), H5Gclose, path);
}

Handle open_set(hid_t at, const char* path) { return own(H5Dopen2(at, path, H5P_DEFAULT), H5Dclose, path); }

bool exists(hid_t at, const std::string& path) {
  // HDF5 wants every group on the way to exist
  for (std::size_t i = path.find('/', 1); i != std::string::npos; i = path.find('/', i + 1))
    if (H5Lexists(at, path.substr(0, i).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(at, path.c_str(), H5P_DEFAULT) > 0;
}

namespace {

Handle make_attribute(hid_t at, const char* name, hid_t type, hsize_t length = 0) {
  if (H5Aexists(at, name) > 0) check(H5Adelete(at, name) >= 0, name);
  Handle space = own(length > 0 ? H5Screate_simple(1, &length, nullptr) : H5Screate(H5S_SCALAR), H5Sclose, name);
  return own(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
}

/// Texts side by side, each filled up with zeros to the length of the longest.
struct EqualTexts {
  explicit EqualTexts(const std::vector<std::string_view>& texts) {
    for (const std::string_view text : texts) width = std::max(width, text.size());
    bytes.assign(texts.size() * width, '\0');
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(bytes.data() + i * width, width);
  }
  std::size_t width = 1;
  std::vector<char> bytes;
};

bool is_variable_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0; }

}  // namespace

void put_attribute(hid_t at, const char* name, const std::string& text) {
  Handle type = text_type();
  Handle attribute = make_attribute(at, name, type);
  const char* p = text.c_str();
  check(H5Awrite(attribute, type, &p) >= 0, name);
}

void put_attribute(hid_t at, const char* name, double x) {
  Handle attribute = make_attribute(at, name, H5T_IEEE_F64LE);
  check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &x) >= 0, name);
}

void put_attribute(hid_t at, const char* name, const std::vector<int>& numbers) {
  Handle attribute = make_attribute(at, name, H5T_STD_I32LE, numbers.size());
  check(H5Awrite(attribute, H5T_NATIVE_INT, numbers.data()) >= 0, name);
}

void put_labels(hid_t at, const char* name, const std::vector<std::string>& labels) {
  const EqualTexts texts({labels.begin(), labels.end()});
  Handle type = fixed_text_type(texts.width);
  Handle attribute = make_attribute(at, name, type, labels.size());
  check(H5Awrite(attribute, type, texts.bytes.data()) >= 0, name);
}

void put_attribute(hid_t at, const char* name, const std::vector<std::string>& texts) {
  if (std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts[0]; }))
    return put_attribute(at, name, texts.empty() ? std::string() : texts[0]);
  Handle type = text_type();
  Handle attribute = make_attribute(at, name, type, texts.size());
  std::vector<const char*> p;
  for (const std::string& t : texts) p.push_back(t.c_str());
  check(H5Awrite(attribute, type, p.data()) >= 0, name);
}

std::vector<std::string> text_attributes(hid_t at, const char* name, std::size_t n) {
  if (H5Aexists(at, name) <= 0) return std::vector<std::string>(n);
  Handle attribute = own(H5Aopen(at, name, H5P_DEFAULT), H5Aclose, name);
  Handle stored = own(H5Aget_type(attribute), H5Tclose, name);
  Handle space = own(H5Aget_space(attribute), H5Sclose, name);
  const auto there = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  if (H5Tget_class(stored) != H5T_STRING || (there != 1 && there != n)) return std::vector<std::string>(n);
  std::vector<std::string> texts;
  if (is_variable_text(stored)) {
    texts = variable_texts(there, [&](char** p) { check(H5Aread(attribute, text_type(), p) >= 0, name); });
  } else {
    const std::size_t width = H5Tget_size(stored);
    std::vector<char> bytes(there * width);
    check(H5Aread(attribute, stored, bytes.data()) >= 0, name);
    for (std::size_t i = 0; i < there; ++i)
      texts.emplace_back(bytes.data() + i * width, strnlen(bytes.data() + i * width, width));
  }
  if (there < n) texts.resize(n, texts[0]);
  return texts;
}

std::string text_attribute(hid_t at, const char* name) { return text_attributes(at, name, 1)[0]; }

std::vector<std::pair<std::string, double>> number_attributes(hid_t at) {
  std::vector<std::string> names;
  H5Aiterate2(
      at, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
      [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->push_back(name);
        return 0;
      },
      &names);
  std::vector<std::pair<std::string, double>> result;
  for (const std::string& name : names) {
    Handle attribute = own(H5Aopen(at, name.c_str(), H5P_DEFAULT), H5Aclose, name.c_str());
    Handle type = own(H5Aget_type(attribute), H5Tclose, name.c_str());
    Handle space = own(H5Aget_space(attribute), H5Sclose, name.c_str());
    double x = 0;
    if (H5Tget_class(type) != H5T_FLOAT || H5Sget_simple_extent_npoints(space) != 1) continue;
    check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &x) >= 0, name.c_str());
    result.emplace_back(name, x);
  }
  return result;
}

void put_text(hid_t at, const char* path, const std::string& text) {
  Handle type = text_type();
  Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, path);
  Handle set = own(H5Dcreate2(at, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose, path);
  const char* p = text.c_str();
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &p) >= 0, path);
}

std::string get_text(hid_t at, const char* path) {
  if (!exists(at, path)) return {};
  Handle set = open_set(at, path);
  Handle stored = own(H5Dget_type(set), H5Tclose, path);
  Handle space = own(H5Dget_space(set), H5Sclose, path);
  if (!is_variable_text(stored) || H5Sget_simple_extent_npoints(space) != 1) return {};
  return variable_texts(1, [&](char** p) { check(H5Dread(set, text_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, p) >= 0, path); })[0];
}

namespace {

// of a data set that is to be read: a damaged or forged file must not make us ask for more memory than it can fill
void refuse_absurd_size(hid_t set, const hsize_t* dims, std::size_t rank, std::size_t bytes_of_one) {
  constexpr double kDeflate = 1032;  // what zlib packs at most
  double bytes = static_cast<double>(bytes_of_one);
  for (std::size_t i = 0; i < rank; ++i) bytes *= static_cast<double>(dims[i]);
  Handle file = own(H5Iget_file_id(set), H5Fclose, "size of the file");
  hsize_t there = 0;
  check(H5Fget_filesize(file, &there) >= 0, "size of the file");
  if (bytes > kDeflate * static_cast<double>(there))
    throw std::runtime_error("a data set claims to be larger than the file can hold");
}

}  // namespace

void put_rows(hid_t at, const char* path, std::size_t columns, const Rows& rows) {
  if (exists(at, path)) check(H5Ldelete(at, path, H5P_DEFAULT) >= 0, path);
  std::vector<std::string_view> cells;
  for (const auto& row : rows) cells.insert(cells.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(columns));
  const EqualTexts texts(cells);
  const hsize_t dims[2] = {rows.size(), columns};
  Handle type = fixed_text_type(texts.width);
  Handle space = own(H5Screate_simple(2, dims, nullptr), H5Sclose, path);
  Handle how = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path);
  if (texts.bytes.size() > kLongTable) {
    const hsize_t chunk[2] = {std::min<hsize_t>(rows.size(), 1 + kTableChunk / (columns * texts.width)), columns};
    H5Pset_chunk(how, 2, chunk);
    H5Pset_deflate(how, 1);
  }
  Handle set = own(H5Dcreate2(at, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose, path);
  if (!rows.empty()) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.bytes.data()) >= 0, path);
}

Rows get_rows(hid_t at, const char* path) {
  if (!exists(at, path)) return {};
  Handle set = open_set(at, path);
  Handle type = own(H5Dget_type(set), H5Tclose, path);
  Handle space = own(H5Dget_space(set), H5Sclose, path);
  hsize_t dims[2] = {0, 0};
  if (H5Tget_class(type) != H5T_STRING || is_variable_text(type) || H5Sget_simple_extent_ndims(space) != 2) return {};
  H5Sget_simple_extent_dims(space, dims, nullptr);
  const std::size_t width = H5Tget_size(type), columns = dims[1];
  refuse_absurd_size(set, dims, 2, width);
  std::vector<char> bytes(dims[0] * columns * width);
  if (!bytes.empty()) check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0, path);
  Rows rows(dims[0], std::vector<std::string>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const char* p = bytes.data() + (i * columns + j) * width;
      rows[i][j].assign(p, strnlen(p, width));
    }
  return rows;
}

void put_names(hid_t at, const char* path, const std::vector<std::string>& names) {
  Rows rows;
  for (const std::string& name : names) rows.push_back({name});
  put_rows(at, path, 1, rows);
}

std::vector<std::string> get_names(hid_t at, const char* path) {
  std::vector<std::string> names;
  for (auto& row : get_rows(at, path))
    if (!row.empty()) names.push_back(std::move(row[0]));
  return names;
}

long long rows_of(hid_t set, const Shape& row) {
  Handle space = own(H5Dget_space(set), H5Sclose, "size of a data set");
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank != static_cast<int>(row.size()) + 1) throw std::runtime_error("a data set is not a list");
  Shape n(row.size() + 1);
  H5Sget_simple_extent_dims(space, n.data(), nullptr);
  if (!std::equal(row.begin(), row.end(), n.begin() + 1)) throw std::runtime_error("a data set has rows of a wrong length");
  Handle type = own(H5Dget_type(set), H5Tclose, "size of a data set");
  refuse_absurd_size(set, n.data(), n.size(), std::max(H5Tget_size(type), sizeof(double)));
  return static_cast<long long>(n[0]);
}

Shape chunk_of(hid_t set) {
  Handle how = own(H5Dget_create_plist(set), H5Pclose, "chunk");
  hsize_t dims[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(how, H5S_MAX_RANK, dims);
  check(rank > 0 && dims[0] > 0, "chunk");
  return Shape(dims, dims + rank);
}

double version_of(hid_t file) {
  Handle root = open_group(file, "/");
  for (const auto& [name, value] : number_attributes(root))
    if (name == "version") return value;
  return 1;
}

}  // namespace bristle::h5
