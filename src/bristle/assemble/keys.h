#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/math/rotation.h"
#include "bristle/math/space.h"
#include "bristle/model/reader.h"
#include "bristle/signal/signal.h"

namespace bristle {

struct Elements;

/** Walks over the keys of an element or an analysis: one list of them reads the model file and makes the JSON Schema, `bristle info` and the
    reference page. Where a key is not given its value stays as it was; `usual` says in words what that means, and an empty one that the key
    must be given. */
class Keys {
 public:
  Keys() = default;
  explicit Keys(const Elements& elements) : elements_(&elements) {}
  virtual ~Keys() = default;
  const Elements& elements() const {
    return *elements_;
  }  ///< of analyses: what models may be made of, methods and their rules among them
  virtual void required(const char* key, double& value, const Unit&, const Range&, const char* text) = 0;
  virtual void number(const char* key, double& value, const Unit&, const Range&, const char* usual, const char* text) = 0;
  virtual void number(const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
                      const char* text) = 0;
  /// A number, or a word that stands for zero.
  virtual void number_or(const char* word, const char* key, std::optional<double>& value, const Unit&, const Range&,
                         const char* usual, const char* text) = 0;
  virtual void integer(const char* key, int& value, int low, int high, const char* usual, const char* text) = 0;
  virtual void flag(const char* key, bool& value, const char* text) = 0;
  virtual void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) = 0;
  virtual void list(const char* key, std::vector<double>& value, const Unit&, const Range&, const char* usual,
                    const char* text) = 0;
  virtual void word(const char* key, std::string& value, const char* usual, const char* text) = 0;
  virtual void names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) = 0;
  /// An expression of time and channels, or a number.
  virtual void signal(const char* key, Signal& value, const Unit&, const char* usual, const char* text) = 0;
  /// [x, y, z]; planar ones may leave out the third.
  virtual void vector(const char* key, std::optional<Vec3<>>& value, const Unit&, const char* usual, const char* text) = 0;
  /// x, -y, [1, 0, 1]
  virtual void direction(const char* key, std::optional<Vec3<>>& value, const char* usual, const char* text) = 0;
  /// Unit quaternion [w, x, y, z], or {axis: z, angle: 30 deg}.
  virtual void orientation(const char* key, std::optional<Quaternion>& value, const char* usual, const char* text) = 0;
  /// What is read elsewhere: null where it is not given. `shape` is its form in the JSON Schema, "" for none.
  virtual void node(const char* key, const char* shape, const Node*& value, const char* usual, const char* text) = 0;
  /// A key with a form of its own, which `read` reads.
  virtual void form(const char* key, const char* shape, const char* usual, const char* text,
                    const std::function<void(Reader&, const Scope&)>& read) = 0;

  virtual bool has(const char* key) const = 0;  ///< the user gives it
  /// An impossible value or combination: a sentence at the key.
  virtual void refuse(const char* key, const std::string& sentence) const = 0;

  void integer(const char* key, int& value, int low, int high, const char* text) {
    integer(key, value, low, high, std::to_string(value).c_str(), text);
  }
  /// A key that must be there, with a sentence of its own about what is missing.
  void need(const char* key, const char* sentence) const {
    if (!has(key)) refuse(key, sentence);
  }
  template <class E>
  void choice_of(const char* key, E& value, std::initializer_list<const char*> words, const char* text) {
    int index = static_cast<int>(value);
    choice(key, index, words, text);
    value = static_cast<E>(index);
  }
  void choice_of(const char* key, bool& second, std::initializer_list<const char*> words, const char* text) {
    int index = second ? 1 : 0;
    choice(key, index, words, text);
    second = index == 1;
  }

 private:
  const Elements* elements_ = nullptr;
};

/// Fills them from the model file.
class KeyReader final : public Keys {
 public:
  KeyReader(Reader& reader, const Scope& scope) : reader_(reader), scope_(scope) {}
  KeyReader(Reader& reader, const Scope& scope, const Elements& elements) : Keys(elements), reader_(reader), scope_(scope) {}
  void required(const char* key, double& value, const Unit&, const Range&, const char* text) override;
  void number(const char* key, double& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void number(const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
              const char* text) override;
  void number_or(const char* word, const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
                 const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* usual, const char* text) override;
  void flag(const char* key, bool& value, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void word(const char* key, std::string& value, const char* usual, const char* text) override;
  void names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) override;
  void signal(const char* key, Signal& value, const Unit&, const char* usual, const char* text) override;
  void vector(const char* key, std::optional<Vec3<>>& value, const Unit&, const char* usual, const char* text) override;
  void direction(const char* key, std::optional<Vec3<>>& value, const char* usual, const char* text) override;
  void orientation(const char* key, std::optional<Quaternion>& value, const char* usual, const char* text) override;
  void node(const char* key, const char* shape, const Node*& value, const char* usual, const char* text) override;
  void form(const char* key, const char* shape, const char* usual, const char* text,
            const std::function<void(Reader&, const Scope&)>& read) override;
  bool has(const char* key) const override { return reader_.has(key); }
  void refuse(const char* key, const std::string& sentence) const override { reader_.fail(key, sentence); }

 private:
  Reader& reader_;
  const Scope& scope_;
};

/// Collects them for people and editors.
class KeyDescriber final : public Keys {
 public:
  KeyDescriber() = default;
  explicit KeyDescriber(const Elements& elements) : Keys(elements) {}
  std::vector<Field> fields;

  void required(const char* key, double& value, const Unit&, const Range&, const char* text) override;
  void number(const char* key, double& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void number(const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
              const char* text) override;
  void number_or(const char* word, const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
                 const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* usual, const char* text) override;
  void flag(const char* key, bool& value, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void word(const char* key, std::string& value, const char* usual, const char* text) override;
  void names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) override;
  void signal(const char* key, Signal& value, const Unit&, const char* usual, const char* text) override;
  void vector(const char* key, std::optional<Vec3<>>& value, const Unit&, const char* usual, const char* text) override;
  void direction(const char* key, std::optional<Vec3<>>& value, const char* usual, const char* text) override;
  void orientation(const char* key, std::optional<Quaternion>& value, const char* usual, const char* text) override;
  void node(const char* key, const char* shape, const Node*& value, const char* usual, const char* text) override;
  void form(const char* key, const char* shape, const char* usual, const char* text,
            const std::function<void(Reader&, const Scope&)>& read) override;
  bool has(const char*) const override { return false; }
  void refuse(const char*, const std::string&) const override {}
};

/// The fields of a struct of keys, `void visit(Keys&)`.
template <class K>
std::vector<Field> key_fields(K keys = {}) {
  KeyDescriber d;
  keys.visit(d);
  return d.fields;
}
/// The struct as the model file fills it.
template <class K>
K read_keys(Reader& reader, const Scope& scope, K keys = {}) {
  KeyReader r(reader, scope);
  keys.visit(r);
  return keys;
}

/// The keys `axis` and `x_axis`: the axes of a frame.
struct AxesKeys {
  std::optional<Vec3<>> axis, x_axis;
  void visit(Keys& keys, const char* text, const char* x_text, const char* x_usual = "any");
  Mat3<> frame() const;
};

}  // namespace bristle
