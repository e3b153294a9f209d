#pragma once
#include <hdf5.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the writer and the reader of result files share: handles that close themselves, and texts.
namespace bristle::h5 {

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }
  ~Handle() { reset(); }
  bool reset() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }  ///< false when closing failed
  operator hid_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// There is room for what HDF5 needs beside the data. Where there is not, its errors say nothing about the file.
bool has_memory();

/// Keeps HDF5 from printing its own messages in a scope; ours are sentences.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

/// Texts of variable length lie in a heap that has no checksums, and HDF5 follows what the heap says about itself: a damaged file crashes it,
/// or makes it write where it must not. So they are read in a copy of the process, which may crash, and handed over.
class TextsFromElsewhere {
 public:
  /// Does the work in the copy and keeps all texts that were read there. Errors that it throws will be met again here.
  explicit TextsFromElsewhere(const std::function<void()>& work);
  /// Until then the same work here is given these texts, in their order; one too many is a std::runtime_error.
  ~TextsFromElsewhere();
  TextsFromElsewhere(const TextsFromElsewhere&) = delete;
  TextsFromElsewhere& operator=(const TextsFromElsewhere&) = delete;
  bool crashed() const { return crashed_; }

 private:
  bool crashed_ = false;
};

/// The innermost message of HDF5's error stack.
std::string last_error();
/// Throws std::runtime_error "what: last_error" for a negative result.
void check(bool ok, const char* what);
Handle own(hid_t id, Handle::Close close, const char* what);

Handle access_list();  ///< how files are opened: readable by HDF5 1.8, without HDF5's own locks (twin_file.h says why)
Handle text_type();    ///< UTF-8 of any length
Handle fixed_text_type(std::size_t bytes);  ///< UTF-8, padded with zeros
Handle creation_list(std::size_t sets);     ///< how files of that many data sets are made
Handle open_group(hid_t at, const char* path);
Handle make_group(hid_t at, const char* path, std::size_t links = 4);  ///< with room for so many names of twenty characters
Handle open_set(hid_t at, const char* path);
bool exists(hid_t at, const std::string& path);  ///< also false when a group on the way is missing

void put_attribute(hid_t at, const char* name, const std::string& text);  ///< replaces
void put_attribute(hid_t at, const char* name, double x);
void put_attribute(hid_t at, const char* name, const std::vector<int>& numbers);
/// A list of short texts of fixed length.
void put_labels(hid_t at, const char* name, const std::vector<std::string>& labels);
/// One text where all are equal, otherwise a list.
void put_attribute(hid_t at, const char* name, const std::vector<std::string>& texts);
std::string text_attribute(hid_t at, const char* name);  ///< "" when there is none
/// Text for each of `n` columns: one that holds for all, or a list of that length.
std::vector<std::string> text_attributes(hid_t at, const char* name, std::size_t n);
/// All numbers among the attributes, in the order they were written.
std::vector<std::pair<std::string, double>> number_attributes(hid_t at);

void put_text(hid_t at, const char* path, const std::string& text);  ///< scalar data set
std::string get_text(hid_t at, const char* path);                    ///< "" when there is none
/// Rows of texts, as a data set of two dimensions; replaces.
using Rows = std::vector<std::vector<std::string>>;
void put_rows(hid_t at, const char* path, std::size_t columns, const Rows& rows);
Rows get_rows(hid_t at, const char* path);  ///< empty when there is none
void put_names(hid_t at, const char* path, const std::vector<std::string>& names);
std::vector<std::string> get_names(hid_t at, const char* path);

using Shape = std::vector<hsize_t>;
/// Length of a data set whose rows have the given shape; a row without dimensions is one number.
long long rows_of(hid_t set, const Shape& row = {});
Shape chunk_of(hid_t set);

/// Of a result file; 1: no channels side by side in one data set (run_layout.h).
double version_of(hid_t file);

inline constexpr const char* kFormat = "bristle run";
inline constexpr double kVersion = 2;

}  // namespace bristle::h5
