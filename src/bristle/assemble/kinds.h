#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bristle/base/registry.h"
#include "bristle/model/describe.h"
#include "bristle/model/reader.h"

namespace bristle {

/// One type that a model may name, as shown to people and to editors.
struct KindEntry {
  std::string name, summary;
  std::vector<Field> fields;         ///< all keys beside `type`
  std::string example;               ///< YAML to copy
  std::string page;                  ///< more to read; empty when there is none
  std::vector<KindEntry> maps = {};  ///< fields that are maps, by name: keys of their own
};

/// All types of one kind: what stands in one section of a model, or under one key.
struct KindGroup {
  std::string kind;     ///< "body"
  std::string summary;  ///< what they are
  std::vector<KindEntry> entries;
  const KindEntry* find(std::string_view name) const;
};

/// Those of all that Bristle has.
const std::vector<KindGroup>& assembled_kinds();
/// Of a list of groups, or of the assembled ones. Throws InputError with a suggestion.
const KindGroup& kind_group(const std::vector<KindGroup>& groups, std::string_view kind);
const KindGroup& kind_group(std::string_view kind);
const KindEntry& kind_entry(const KindGroup& group, std::string_view name);
const KindEntry& kind_entry(std::string_view kind, std::string_view name);

/// The entry that the key `type` of an element names; refuses unknown types, and keys that the type does not have.
const KindEntry& read_kind(Reader& reader, const KindGroup& group);
const KindEntry& read_kind(Reader& reader, const std::string& kind, const std::vector<const KindEntry*>& known);
template <class Entry>
const Entry& read_kind(Reader& reader, const Registry<Entry>& registry) {
  std::vector<const KindEntry*> known;
  for (const Entry& e : registry.all()) known.push_back(&e);
  return static_cast<const Entry&>(read_kind(reader, registry.kind(), known));
}
/// Refuses keys that are not among the fields.
void check_keys(const Reader& reader, const KindEntry& entry);

/// The key `smoothing` of what rubs.
KindEntry smoothing_map();
/// Sections that are no lists of types, and what is read of each: states, collisions, record, check.
std::vector<KindEntry> section_kinds();

/// A field that no parameter struct describes. An empty default: it must be given.
Field plain_field(Field::Kind kind, const char* key, const Unit& unit, const Range& range, const std::string& default_value,
                  const char* text);
/// A field with a form of its own: `form` is its name in the JSON Schema, "" where it is a plain text.
Field shaped_field(const char* key, const std::string& default_value, const char* text, const char* form = "");
/// Fields of a parameter struct.
template <class T>
std::vector<Field> fields_of(T params = {}) {
  Describer d;
  params.visit(d);
  return d.fields();
}
std::vector<Field> joined(std::vector<Field> a, const std::vector<Field>& b);

}  // namespace bristle
