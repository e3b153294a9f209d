#pragma once
#include <string>
#include <string_view>

namespace bristle {

enum class Durable { no, yes };

/// Writes a file as a whole: under its name there is the old contents or, after commit, the new one, never a part. Durable: also
/// after a loss of power. Throws InputError when the place cannot be written, std::runtime_error when the disk is full.
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
