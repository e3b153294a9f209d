#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bristle/base/error.h"
#include "bristle/base/text.h"

namespace bristle {

/// An explicit list of named makers of one kind (friction law, integrator, ...); the list is the table of contents.
/// Entry has `name` and `summary`.
template <class Entry>
class Registry {
 public:
  explicit Registry(const char* kind) : kind_(kind) {}
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  const std::vector<Entry>& all() const { return entries_; }
  const char* kind() const { return kind_; }
  const Entry* find(std::string_view name) const {
    for (const Entry& e : entries_) {
      if (e.name == name) return &e;
    }
    return nullptr;
  }
  /// The entry of that name, or a sentence with the nearest one.
  const Entry& find(std::string_view name, const Where& where) const {
    if (const Entry* e = find(name)) return *e;
    std::vector<std::string> names;
    for (const Entry& e : entries_) names.push_back(e.name);
    throw InputError(where, "unknown " + std::string(kind_) + " '" + std::string(name) + "'." + did_you_mean(name, names) +
                                " `bristle list " + kind_ + "` shows all.");
  }

 private:
  const char* kind_;
  std::vector<Entry> entries_;
};

}  // namespace bristle
