#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/body/scalar.h"
#include "bristle/measure/form.h"
#include "bristle/model/reader.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// A coordinate as assembly knows it.
struct Coordinate {
  enum class Kind { free, driven, ground };
  std::string name;
  Kind kind = Kind::free;
  bool rotary = false;
  int index = 0;
};

/// A reading of B relative to A, as the user wrote it.
struct Span {
  std::vector<std::pair<int, double>> terms;  ///< index and coefficient, A negative
  bool rotary = false;
  std::optional<Relative> relative() const;   ///< when it is just two coordinates
};

/// What expressions can read, by channel name.
struct Readable {
  Signal::Input::Kind kind = Signal::Input::Kind::position;
  std::vector<std::pair<int, double>> terms;
};

/// Collects blocks while the sections of a model are read one after the other.
class Builder {
 public:
  Builder(const Model& model, const AssembleOptions& options);
  System build();

 private:
  // sections; each in its own source
  void read_bodies();
  void read_states();
  void read_forces();
  void read_joints();

  const Node* section(const char* name) const;
  const Coordinate& coordinate(const std::string& name, const Where& where) const;
  /// `between: [A, B]` or `on: B` of an element; D components of each end are lists of D names.
  std::vector<Span> spans(Reader& reader, int components);
  int count_components(const Reader& reader) const;
  Span span(const Node* a, const Node& b, const std::string& owner) const;
  void add_end(const Node& node, double sign, const std::string& owner, std::map<int, double>& terms, int& rotary) const;
  /// Binds the channels an expression reads.
  BoundSignal bind(const Signal& signal, const std::string& owner) const;
  int account(const std::string& name, Account::Kind kind);
  void channel(const std::string& name, const std::string& unit, const std::string& text);
  void offer(const std::string& channel, Signal::Input::Kind kind, std::vector<std::pair<int, double>> terms);
  void claim(const std::string& name, const Where& where, const char* kind);

  template <class Law>
  void add_pull(Reader& reader, const std::string& name);
  template <int D>
  void add_place(Reader& reader, const std::string& name);
  template <class M, int D>
  void make_places();

  const Model& model_;
  AssembleOptions options_;
  ParameterScope scope_;
  Layout layout_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Coordinate> coordinates_;
  std::map<std::string, std::string> names_;  ///< every name given by the user, and what it names
  std::map<std::string, Readable> readable_;
  std::vector<std::pair<int, std::string>> sampled_;  ///< mark, channel: forces as they were at the last accepted step
  struct Late;                                        ///< elements collected by kind until blocks are made
  std::shared_ptr<Late> late_;
};

/// Reads the fields of a translational law for a rotary measure: metres become radians, newtons become newton metres.
class RotaryVisitor final : public Visitor {
 public:
  explicit RotaryVisitor(Visitor& inner) : inner_(inner) {}
  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* text) override { inner_.integer(key, value, low, high, text); }
  void flag(const char* key, bool& value, const char* text) override { inner_.flag(key, value, text); }
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override {
    inner_.choice(key, value, words, text);
  }
  void list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) override;
  void signal(const char* key, Signal& value, const Unit& unit, const char* text) override;
  void check(const std::string& problem) override { inner_.check(problem); }
  void reference_load() override { inner_.reference_load(); }

 private:
  Visitor& inner_;
};

}  // namespace bristle
