#include "bristle/model/model.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "bristle/base/text.h"
#include "bristle/input/yaml.h"
#include "bristle/model/repeat.h"
#include "bristle/model/sections.h"

namespace bristle {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxIncludes = 100;

std::vector<std::string_view> keys_of(const Node& node) {
  std::vector<std::string_view> keys;
  if (node.is_map())
    for (const auto& [key, child] : node.children) keys.push_back(key);
  return keys;
}

void require_map(const Node& root) {
  if (root.is_map()) return;
  throw InputError(root.where, "a model is a map of sections, found " +
                                   std::string(root.is_list() ? "a list" : "a single value") +
                                   ". Write 'bristle: 1' first, then sections such as 'bodies:'");
}

/// Reads included files and merges their sections.
class Includer {
 public:
  explicit Includer(const std::string& main_file) { chain_.push_back(identity(main_file)); }

  void merge_includes(Node& root, const std::string& file) {
    const Node* include = root.find("include");
    if (!include) return;
    std::vector<Node> wanted;
    if (include->is_list())
      for (const auto& [key, child] : include->children) wanted.push_back(child);
    else wanted.push_back(*include);
    remove_key(root, "include");
    for (const Node& name : wanted) merge_file(root, file, name);
  }

 private:
  static std::string identity(const std::string& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    return error ? file : path.string();
  }

  static void remove_key(Node& map, std::string_view key) {
    for (std::size_t i = 0; i < map.children.size(); ++i) {
      if (map.children[i].first != key) continue;
      map.children.erase(map.children.begin() + static_cast<std::ptrdiff_t>(i));
      if (i < map.key_where.size()) map.key_where.erase(map.key_where.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }

  void merge_file(Node& root, const std::string& file, const Node& name) {
    if (!name.is_scalar() || name.text.empty())
      throw InputError(name.where, "include takes a file name, or a list of file names: include: [bodies.yaml, joints.yaml]");
    const std::string path = (fs::path(file).parent_path() / name.text).string();
    const std::string id = identity(path);
    if (std::find(chain_.begin(), chain_.end(), id) != chain_.end())
      throw InputError(name.where,
                       "'" + shortened(name.text) + "' includes itself, directly or through others. Delete one include:");
    if (std::find(seen_.begin(), seen_.end(), id) != seen_.end())
      throw InputError(name.where, "'" + shortened(name.text) + "' is included twice. Delete one include:");
    if (seen_.size() >= kMaxIncludes)
      throw InputError(name.where, "more than " + std::to_string(kMaxIncludes) + " files are included");
    seen_.push_back(id);
    chain_.push_back(id);
    Node part = read_yaml_text(read_text_file(path, name.where), path);
    require_map(part);
    merge_includes(part, path);
    merge_sections(root, std::move(part));
    chain_.pop_back();
  }

  static void merge_sections(Node& root, Node part) {
    for (std::size_t i = 0; i < part.children.size(); ++i) {
      auto& [key, section] = part.children[i];
      Node* own = root.find(key);
      if (!own) {
        append(root, key, std::move(section), part.key_where[i]);
      } else if (own->kind == Node::Kind::null) {
        *own = std::move(section);
      } else if (own->is_map() && section.is_map()) {
        merge_entries(*own, key, std::move(section));
      } else if (!(key == "bristle" && own->equals(section)) && section.kind != Node::Kind::null) {
        throw InputError(part.key_where[i], "'" + shortened(key) + "' is given twice; also at " + root.where_of_key(key).text() +
                                                ". Delete one of them");
      }
    }
  }
  static void merge_entries(Node& own, const std::string& section_name, Node section) {
    const std::vector<std::string_view> listed = keys_of(own);
    const std::set<std::string, std::less<>> given(listed.begin(), listed.end());
    for (std::size_t k = 0; k < section.children.size(); ++k) {
      auto& [name, value] = section.children[k];
      if (given.contains(name))
        throw InputError(section.key_where[k], "'" + shortened(section_name) + "." + shortened(name) +
                                                   "' is given twice; also at " + own.where_of_key(name).text() +
                                                   ". Delete or rename one of them");
      append(own, name, std::move(value), section.key_where[k]);
    }
  }
  static void append(Node& map, const std::string& key, Node value, const Where& spot) {
    map.children.emplace_back(key, std::move(value));
    map.key_where.push_back(spot);
  }

  std::vector<std::string> chain_, seen_;
};

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    parts.emplace_back(trim(path.substr(start, dot - start)));
    start = dot + 1;
  }
  return parts;
}

Node override_value(std::string_view text, const Where& spot) {
  Node value;
  if (!text.empty() && std::string_view("[{\"'").find(text[0]) != std::string_view::npos) {
    try {
      value = read_yaml_text(text, spot.file);
    } catch (const InputError& error) {  // lines and columns are those of a file
      throw InputError(spot, "the value cannot be read: " + error.sentence());
    }
  } else {
    value = Node::scalar(std::string(text));
  }
  // every place inside is the override itself
  std::vector<Node*> open{&value};
  while (!open.empty()) {
    Node& node = *open.back();
    open.pop_back();
    node.where = spot;
    for (Where& w : node.key_where) w = spot;
    for (auto& [key, child] : node.children) open.push_back(&child);
  }
  return value;
}

bool is_count(std::string_view part) { return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos; }

/// Child of a map by key (first level also in the singular: joint for joints), or of a list by number from 0.
Node* step_into(Node& node, const std::string& part, bool first) {
  if (Node* child = node.find(part)) return child;
  if (first && !part.empty()) {
    if (Node* child = node.find(part + "s")) return child;
    if (part.back() == 'y')
      if (Node* child = node.find(part.substr(0, part.size() - 1) + "ies")) return child;
  }
  if (!node.is_list() || part.size() > 6 || !is_count(part)) return nullptr;
  const std::size_t index = std::stoul(part);
  return index < node.size() ? &node.children[index].second : nullptr;
}

/// Sections that are there, and those that there may be.
std::vector<std::string_view> known_sections(const Node& root) {
  std::vector<std::string_view> names = keys_of(root);
  for (const ModelSection& section : model_sections()) names.push_back(section.name);
  return names;
}

Node made_map(const Where& spot) {
  Node map = Node::map();
  map.where = spot;
  return map;
}

/// A name that is short for a map with nothing but this type: `integrator: radau5`, a step rule under adapt.
bool is_short_map(const Node& node, const std::vector<std::string>& parts, std::size_t i) {
  if (!node.is_scalar() || node.text.empty()) return false;
  return parts[i] == "integrator" || parts[i] == "enforcement" || (i > 0 && parts[i - 1] == "adapt");
}

/// An item of a list that is not there.
[[noreturn]] void refuse_item(const Where& spot, const std::string& walked, const std::vector<std::string>& parts, std::size_t i,
                              const std::string& hint) {
  const std::string list =
      parts[i] == "gravity" ? "gravity=[0, 0, -9.81]" : shortened(walked + (walked.empty() ? "" : ".") + parts[i]) + "=[...]";
  throw InputError(spot, "there is no '" + shortened(parts[i]) + "' in " +
                             (walked.empty() ? "the model" : "'" + shortened(walked) + "'") + " whose item " +
                             shortened(parts[i + 1]) + " this could be." + hint +
                             " Where it is a list, give all of it, for example --set '" + list + "'");
}

/// A part of a path that is not there: sections are made, and keys within an element or a section without elements, but no elements,
/// whose names are much more likely mistyped; nor what looks like a key that is there.
bool may_be_made(const Node& node, const std::vector<std::string>& parts, std::size_t i) {
  if (!node.is_map()) return false;
  if (i == 0) return find_section(parts[0]) != nullptr;
  const ModelSection* section = find_section(parts[0]);
  const bool element = i == 1 && (section == nullptr || section->elements || section->name == "parameters");
  return !element && nearest(parts[i], keys_of(node)).empty();
}

Model finish_model(std::string text, const std::string& file, std::span<const std::string> overrides) {
  Model model;
  model.root = read_yaml_text(text, file);
  require_map(model.root);
  Includer(file).merge_includes(model.root, file);
  for (const std::string& assignment : overrides) apply_override(model.root, assignment);
  if (const Node* version = model.root.find("bristle"); version && version->text != "1")
    throw InputError(version->where, "bristle: the version of the model language must be 1, got '" +
                                         shortened(version->text, 20) + "'. Write bristle: 1");
  expand_repeats(model.root);
  model.source_text = std::move(text);
  model.file = file;
  return model;
}

}  // namespace

void apply_override(Node& root, const std::string& assignment) {
  const Where spot{"--set " + shortened(assignment, 80), 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos)
    throw InputError(spot, "has no '='. Write --set path=value, for example --set joints.pin.clearance=80um");
  const std::string_view path = trim(std::string_view(assignment).substr(0, equals));
  const std::string_view value = trim(std::string_view(assignment).substr(equals + 1));
  if (value.empty()) throw InputError(spot, "has no value behind '='");
  const std::vector<std::string> parts = split_path(path);
  if (parts.size() > static_cast<std::size_t>(kMaxYamlDepth))
    throw InputError(spot, "the path is longer than " + std::to_string(kMaxYamlDepth) + " names");
  for (const std::string& part : parts)
    if (part.empty())
      throw InputError(spot, "the path '" + shortened(path) + "' has an empty part. Write names with dots between them");

  if (parts[0] == "include")
    throw InputError(
        spot,
        "files are included before values are set. Write include: in the model, or in a file of its own that includes it: include: [" +
            std::string("model.yaml, more.yaml]"));

  // one name alone: a parameter, or a value at the top of the file
  if (parts.size() == 1) {
    Node* parameters = root.find("parameters");
    if (Node* target = parameters ? parameters->find(parts[0]) : nullptr) {
      *target = override_value(value, spot);
    } else if (root.find(parts[0]) != nullptr || find_section(parts[0]) != nullptr) {
      root.set(parts[0], override_value(value, spot));
    } else {
      std::vector<std::string_view> known = known_sections(root);
      if (parameters)
        for (std::string_view key : keys_of(*parameters)) known.push_back(key);
      throw InputError(spot, "there is no parameter or section '" + shortened(parts[0]) + "'." + did_you_mean(parts[0], known));
    }
    return;
  }

  Node* node = &root;
  std::string walked;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Node* next = step_into(*node, parts[i], i == 0);
    if ((!next || next->kind == Node::Kind::null) && node->is_map() && is_count(parts[i + 1]))
      refuse_item(spot, walked, parts, i,
                  i == 0 && find_section(parts[0]) != nullptr
                      ? ""
                      : did_you_mean(parts[i], i == 0 ? known_sections(root) : keys_of(*node)));
    if (!next && may_be_made(*node, parts, i)) next = &node->set(parts[i], made_map(spot));
    if (!next)
      throw InputError(spot, "there is no '" + shortened(parts[i]) + "' in " +
                                 (walked.empty() ? "the model" : "'" + shortened(walked) + "'") + "." +
                                 did_you_mean(parts[i], i == 0 ? known_sections(root) : keys_of(*node)));
    if (next->kind == Node::Kind::null) *next = made_map(spot);
    if (is_short_map(*next, parts, i)) {
      Node map = made_map(next->where);
      map.set("type", *next);
      *next = std::move(map);
    }
    walked += (walked.empty() ? "" : ".") + parts[i];
    node = next;
  }
  if (Node* target = step_into(*node, parts.back(), false)) {
    *target = override_value(value, spot);
  } else if (node->is_map() || node->kind == Node::Kind::null) {
    node->set(parts.back(), override_value(value, spot));
  } else if (node->is_list()) {
    throw InputError(spot, "'" + shortened(walked) + "' is a list of " + std::to_string(node->size()) +
                               "; its items are counted from 0, got '" + shortened(parts.back()) + "'");
  } else {
    const std::string way_out = is_identifier(node->text)
                                    ? ". Where it may be a map, give all of it: --set '" + shortened(walked) +
                                          "={type: " + shortened(node->text) + ", " + shortened(parts.back()) + ": ...}'"
                                    : "";
    throw InputError(
        spot, "'" + shortened(walked) + "' is a single value and has no '" + shortened(parts.back()) + "' in it" + way_out);
  }
}

Model read_model(const std::string& path, std::span<const std::string> overrides) {
  return finish_model(read_text_file(path), path, overrides);
}

Model read_model_text(std::string_view text, const std::string& name, std::span<const std::string> overrides) {
  return finish_model(std::string(text), name, overrides);
}

std::string print_model(const Model& model) { return model.root.print(); }

ParameterScope parameters_of(const Model& model) { return ParameterScope(model.root.find("parameters")); }

}  // namespace bristle
