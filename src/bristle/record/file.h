#pragma once
#include <string>
#include <string_view>

namespace bristle {

enum class Durable { no, yes };

/// A new file for writing, or -1 with errno. What had the name is taken away; a symbolic link is not followed.
int open_anew(const std::string& path);
/// The same with the contents of another file. Throws std::runtime_error.
void copy_anew(const std::string& from, const std::string& to);
/// The contents of a file that is there and a regular one. Throws InputError that says what is wrong: a folder, a pipe, no permission.
std::string read_whole_file(const std::string& path);
/// Opens a file for reading under the same conditions; the descriptor is the caller's.
int open_regular(const std::string& path);

/// Writes a file as a whole: under its name there is the old contents or, after commit, the new one, never a part. Durable: also
/// after a loss of power. Until then it is a file beside it whose name nobody can foresee (`report.html.part-x7Qm2k`).
/// Throws InputError when the place cannot be written, std::runtime_error when the disk is full.
class WholeFile {
 public:
  explicit WholeFile(std::string path);
  ~WholeFile();  ///< without commit: nothing has happened
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  void put(std::string_view text);
  void commit(Durable durable = Durable::no);

 private:
  void write_out();
  [[noreturn]] void fail(int error);
  std::string path_, part_, buffer_;
  bool special_ = false;  // a device or a pipe: cannot be replaced
  int fd_ = -1;
};

void write_file(const std::string& path, std::string_view contents, Durable durable = Durable::no);

}  // namespace bristle
