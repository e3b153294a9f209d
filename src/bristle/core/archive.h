#pragma once
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace bristle {

/// Plain numbers in a row, written and read back in the same order: what a checkpoint is made of.
class Archive {
 public:
  Archive() = default;
  explicit Archive(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& x) {
    const auto* p = reinterpret_cast<const std::byte*>(&x);
    bytes_.insert(bytes_.end(), p, p + sizeof(T));
  }
  template <class T>
  void put(const std::vector<T>& x) {
    put(static_cast<long long>(x.size()));
    for (const T& e : x) put(e);
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& x) {
    if (at_ + sizeof(T) > bytes_.size()) throw std::runtime_error("checkpoint is shorter than this program expects");
    std::memcpy(&x, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
  }
  template <class T>
  void get(std::vector<T>& x) {
    long long n = 0;
    get(n);
    if (n < 0 || static_cast<std::size_t>(n) > bytes_.size()) throw std::runtime_error("checkpoint does not fit this program");
    x.resize(static_cast<std::size_t>(n));
    for (T& e : x) get(e);
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace bristle
