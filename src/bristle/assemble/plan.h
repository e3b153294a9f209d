#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/assemble/beams.h"
#include "bristle/assemble/elements.h"
#include "bristle/assemble/names.h"
#include "bristle/assemble/numbers.h"
#include "bristle/assemble/parts.h"
#include "bristle/assemble/space.h"
#include "bristle/model/reader.h"
#include "bristle/model/scope.h"

namespace bristle {

/// A coordinate as assembly knows it.
struct Coordinate {
  std::string name;
  bool driven = false, rotary = false;
  int index = 0;
  bool space = false;  ///< of a body in space: its channels come with the body
};

/// A system in the making: what elements add themselves to while the sections of a model are read one after the other.
struct Plan {
  Plan(const Model& model, const AssembleOptions& options);
  Plan(const Plan&) = delete;  // its parts refer to each other
  Plan& operator=(const Plan&) = delete;

  const Model& model;
  AssembleOptions options;
  const Elements& elements;
  ParameterScope scope;
  Layout layout;
  Numbers numbers{layout};
  Names names{layout, numbers};
  std::vector<std::unique_ptr<Block>> blocks;

  // bodies
  Vec3<> gravity;                       ///< [m/s^2]
  std::vector<Coordinate> coordinates;  ///< free, then driven
  BeamSections sections;
  std::vector<BeamPlan> beams;
  // elements, by kind, until each kind becomes a block
  Parts parts;
  SpaceParts space;
  // joints
  std::vector<int> motion_rows;          ///< with channels
  std::set<int> shown_only;              ///< of motion_rows: nobody acts on them
  std::vector<std::string> joint_names;  ///< of space.reactions
  std::vector<int> drive_slots;          ///< in lambda, of drives of joints and of rolling
  std::vector<Channel> drive_channels;

  void channel(const std::string& name, const std::string& unit, const std::string& text) {
    layout.channels.push_back({name, unit, text});
  }
  /// What elements of one kind leave until all are read, and `make` finds: one T, empty at first.
  template <class T>
  T& list() {
    std::shared_ptr<void>& kept = lists_[typeid(T)];
    if (kept == nullptr) kept = std::make_shared<T>();
    return *static_cast<T*>(kept.get());
  }
  /// A scalar coordinate, behind those there are. Gives its index.
  int add_coordinate(const std::string& name, bool rotary) {
    coordinates.push_back({name, false, rotary, static_cast<int>(coordinates.size())});
    return coordinates.back().index;
  }
  const Node* section(const char* name) const { return model.root.find(name); }
  /// Calls f(name, where, reader) for every element of a section; `kind` is the word for one.
  template <class F>
  void each(const char* section, const char* kind, F f) const;

 private:
  std::map<std::type_index, std::shared_ptr<void>> lists_;
};

template <class F>
void Plan::each(const char* name, const char* kind, F f) const {
  const Node* map = section(name);
  if (map == nullptr || map->kind == Node::Kind::null) return;
  if (!map->is_map()) throw InputError(map->where, std::string(name) + " must be a map of names, each with what it is");
  for (const auto& [key, value] : map->children) {
    const std::string owner = std::string(kind) + " '" + key + "'";
    if (!value.is_map())
      throw InputError(value.where, owner + ": write what it is as a map, for example " + key + ": {type: ...}");
    Reader reader(value, scope, {owner, {}});
    const Where& spot = map->where_of_key(key);
    f(key, spot.file.empty() ? value.where : spot, reader);
  }
}

}  // namespace bristle
