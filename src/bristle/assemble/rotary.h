#pragma once
#include "bristle/base/visitor.h"

namespace bristle {

/// Reads the fields of a translational law for a rotary measure: metres become radians, newtons become newton metres.
class RotaryVisitor final : public Visitor {
 public:
  explicit RotaryVisitor(Visitor& inner) : inner_(inner) {}
  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override {
    inner_(key, value, rotary(unit), range, text);
  }
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override {
    inner_.per_load(key, value, rotary(unit), range, text);
  }
  void integer(const char* key, int& value, int low, int high, const char* text) override {
    inner_.integer(key, value, low, high, text);
  }
  void flag(const char* key, bool& value, const char* text) override { inner_.flag(key, value, text); }
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override {
    inner_.choice(key, value, words, text);
  }
  void list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) override {
    inner_.list(key, value, rotary(unit), range, text);
  }
  void signal(const char* key, Signal& value, const Unit& unit, const char* text) override {
    inner_.signal(key, value, rotary(unit), text);
  }
  void check(const std::string& problem) override { inner_.check(problem); }
  void reference_load() override { inner_.reference_load(); }

  /// A quantity with b powers of force and any of length: (N m)^b.
  static Unit rotary(const Unit& unit);

 private:
  Visitor& inner_;
};

}  // namespace bristle
