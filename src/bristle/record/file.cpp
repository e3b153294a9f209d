#include "bristle/record/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "bristle/base/error.h"

namespace bristle {

namespace {

constexpr std::size_t kBuffer = 1 << 20;

void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

WholeFile::WholeFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path_, ignored).type();
  if (kind == std::filesystem::file_type::directory)
    throw InputError({path_}, "a folder has the name of the file that is to be written");
  special_ = kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found;
  part_ = special_ ? path_ : path_ + ".part";
  fd_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) throw InputError({path_}, fmt::format("the file cannot be written: {}", std::strerror(errno)));
}

WholeFile::~WholeFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!special_) ::unlink(part_.c_str());
}

void WholeFile::fail(int error) { throw std::runtime_error(fmt::format("cannot write '{}': {}", path_, std::strerror(error))); }

void WholeFile::put(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBuffer) write_out();
}

void WholeFile::write_out() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(n < 0 ? errno : EIO);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
}

void WholeFile::commit(Durable durable) {
  write_out();
  if (durable == Durable::yes && ::fsync(fd_) != 0 && errno != EINVAL) fail(errno);
  if (::close(std::exchange(fd_, -1)) != 0 || (!special_ && ::rename(part_.c_str(), path_.c_str()) != 0)) {
    const int error = errno;
    if (!special_) ::unlink(part_.c_str());
    fail(error);
  }
  if (durable == Durable::yes) sync_folder(path_);
}

void write_file(const std::string& path, std::string_view contents, Durable durable) {
  WholeFile file(path);
  file.put(contents);
  file.commit(durable);
}

}  // namespace bristle
