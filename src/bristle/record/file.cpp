#include "bristle/record/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
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

// a name that is free, and a file of that name
int open_part(const std::string& path, std::string& part) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    part = path + ".part-";
    for (int i = 0; i < 6; ++i) part += kLetters[random() % kLetters.size()];
    const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// all of it, or the number of the error
int write_all(int fd, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

/// Closes at the end of a scope.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

int open_anew(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return -1;
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

void copy_anew(const std::string& from, const std::string& to) {
  const auto fail = [&](int error) {
    throw std::runtime_error(fmt::format("'{}' cannot be copied to '{}': {}", from, to, std::strerror(error)));
  };
  const Descriptor in{::open(from.c_str(), O_RDONLY | O_CLOEXEC)};
  if (in.fd < 0) fail(errno);
  const Descriptor out{open_anew(to)};
  if (out.fd < 0) fail(errno);
  std::string buffer(kBuffer, '\0');
  for (;;) {
    const ssize_t n = ::read(in.fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    if (n == 0) return;
    if (const int error = write_all(out.fd, std::string_view(buffer).substr(0, static_cast<std::size_t>(n)))) fail(error);
  }
}

int open_regular(const std::string& path) {
  // a pipe without a writer would wait for one
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT) throw InputError({path}, "there is no such file");
    throw InputError({path}, fmt::format("the file cannot be read: {}", std::strerror(errno)));
  }
  struct stat about {};
  if (::fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
  ::close(fd);
  throw InputError({path}, S_ISDIR(about.st_mode) ? "this is a folder, not a file" : "this is not a regular file");
}

std::string read_whole_file(const std::string& path) {
  const Descriptor in{open_regular(path)};
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t n = ::read(in.fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw InputError({path}, fmt::format("the file cannot be read: {}", std::strerror(errno)));
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

WholeFile::WholeFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path_, ignored).type();
  if (kind == std::filesystem::file_type::directory)
    throw InputError({path_}, "a folder has the name of the file that is to be written");
  special_ = kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found;
  fd_ = special_ ? ::open(path_.c_str(), O_WRONLY | O_CLOEXEC) : open_part(path_, part_);
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
  if (const int error = write_all(fd_, buffer_)) fail(error);
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
