#pragma once
// Random choices that are the same on every machine.
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bristle::fuzz {

/// A stream of random numbers. Streams by name are independent of each other, so that a choice more in one part of a model changes
/// nothing in the others.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(mixed(seed + kStep)) {}
  /// A stream of its own; the same for the same name, however much was drawn from this one.
  Dice at(std::string_view name, int number = 0) const {
    std::uint64_t h = origin();
    for (const char c : name) h = mixed(h ^ static_cast<unsigned char>(c));
    return Dice(mixed(h + static_cast<std::uint64_t>(number)));
  }
  std::uint64_t next() {
    ++drawn_;
    return mixed(state_ += kStep);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< 0 <= x < 1
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Equally likely in every decade.
  double size(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  int whole(int low, int high) { return low + static_cast<int>(unit() * (high - low + 1)); }  ///< both included
  bool chance(double p) { return unit() < p; }
  double sign() { return chance(0.5) ? 1 : -1; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(whole(0, static_cast<int>(from.size()) - 1))];
  }
  const char* word(std::initializer_list<const char*> from) {
    return from.begin()[static_cast<std::size_t>(whole(0, static_cast<int>(from.size()) - 1))];
  }
  /// One of a list of things with a name. Every name draws a lot, and the largest wins: a new entry takes its share and changes
  /// no other choice.
  template <class T>
  const T& elect(const std::vector<T>& from) {
    const Dice lots(next());
    const T* best = nullptr;
    std::uint64_t most = 0;
    for (const T& entry : from) {
      const std::uint64_t lot = lots.at(entry.name).origin();
      if (best == nullptr || lot > most) best = &entry, most = lot;
    }
    return *best;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  static std::uint64_t mixed(std::uint64_t x) {  // the finisher of splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  std::uint64_t origin() const { return state_ - drawn_ * kStep; }
  std::uint64_t state_, drawn_ = 0;
};

}  // namespace bristle::fuzz
