#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/model/model.h"
#include "bristle/model/reader.h"

namespace bristle {

struct Elements;

/** Walks over the keys of an analysis: one list of them reads the model file and makes the JSON Schema, `bristle info` and the reference
    page. Where a key is not given its value stays as it was; `usual` says in words what that means. */
class Keys {
 public:
  explicit Keys(const Elements& elements) : elements_(elements) {}
  virtual ~Keys() = default;
  const Elements& elements() const { return elements_; }  ///< what models may be made of: methods and their rules are among them
  virtual void required(const char* key, double& value, const Unit&, const Range&, const char* text) = 0;
  virtual void number(const char* key, double& value, const Unit&, const Range&, const char* usual, const char* text) = 0;
  virtual void number(const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
                      const char* text) = 0;
  virtual void integer(const char* key, int& value, int low, int high, const char* text) = 0;
  virtual void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) = 0;
  virtual void list(const char* key, std::vector<double>& value, const Unit&, const Range&, const char* usual,
                    const char* text) = 0;
  virtual void names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) = 0;
  /// A key with a form of its own, which `read` reads; `shape` is that form in the JSON Schema, "" for none. An empty `usual`: it must
  /// be given.
  virtual void form(const char* key, const char* shape, const char* usual, const char* text,
                    const std::function<void(Reader&, const ParameterScope&)>& read) = 0;

  virtual bool has(const char* key) const = 0;  ///< the user gives it
  /// An impossible value or combination: a sentence at the key.
  virtual void refuse(const char* key, const std::string& sentence) const = 0;

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
  const Elements& elements_;
};

/// Fills them from the model file.
class KeyReader final : public Keys {
 public:
  KeyReader(Reader& reader, const ParameterScope& scope, const Elements& elements)
      : Keys(elements), reader_(reader), scope_(scope) {}
  void required(const char* key, double& value, const Unit&, const Range&, const char* text) override;
  void number(const char* key, double& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void number(const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
              const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) override;
  void form(const char* key, const char* shape, const char* usual, const char* text,
            const std::function<void(Reader&, const ParameterScope&)>& read) override;
  bool has(const char* key) const override { return reader_.has(key); }
  void refuse(const char* key, const std::string& sentence) const override { reader_.fail(key, sentence); }

 private:
  Reader& reader_;
  const ParameterScope& scope_;
};

/// Collects them for people and editors.
class KeyDescriber final : public Keys {
 public:
  explicit KeyDescriber(const Elements& elements) : Keys(elements) {}
  std::vector<Field> fields;

  void required(const char* key, double& value, const Unit&, const Range&, const char* text) override;
  void number(const char* key, double& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void number(const char* key, std::optional<double>& value, const Unit&, const Range&, const char* usual,
              const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit&, const Range&, const char* usual, const char* text) override;
  void names(const char* key, std::vector<std::string>& value, const char* usual, const char* text) override;
  void form(const char* key, const char* shape, const char* usual, const char* text,
            const std::function<void(Reader&, const ParameterScope&)>& read) override;
  bool has(const char*) const override { return false; }
  void refuse(const char*, const std::string&) const override {}
};

}  // namespace bristle
