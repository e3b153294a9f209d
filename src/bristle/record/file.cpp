#include "bristle/record/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/base/error.h"

namespace bristle {

namespace {

// 0, or what went wrong
int write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t n = ::write(fd, contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    contents.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void write_file(const std::string& path, std::string_view contents, Durable durable) {
  // a device or a pipe cannot be replaced
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind == std::filesystem::file_type::directory) throw InputError({path}, "a folder has the name of the file that is to be written");
  const bool special = kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found;
  const std::string part = special ? path : path + ".part";

  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) throw InputError({path}, fmt::format("the file cannot be written: {}", std::strerror(errno)));
  int error = write_all(fd, contents);
  if (error == 0 && durable == Durable::yes && ::fsync(fd) != 0 && errno != EINVAL) error = errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && !special && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    if (!special) ::unlink(part.c_str());
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
  }
  if (durable == Durable::yes) sync_folder(path);
}

}  // namespace bristle
