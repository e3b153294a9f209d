#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/assemble/beams.h"
#include "bristle/assemble/names.h"
#include "bristle/assemble/numbers.h"
#include "bristle/assemble/parts.h"
#include "bristle/assemble/space.h"
#include "bristle/assemble/space_forces.h"
#include "bristle/force/user_state.h"
#include "bristle/interface/friction_law.h"
#include "bristle/measure/form.h"
#include "bristle/measure/profile.h"
#include "bristle/measure/solid.h"
#include "bristle/model/reader.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// A coordinate as assembly knows it.
struct Coordinate {
  std::string name;
  bool driven = false, rotary = false;
  int index = 0;
  bool space = false;  ///< of a body in space: its channels come with the body
};

/// A reading of B relative to A: index and coefficient of each coordinate, A negative.
struct Span {
  std::vector<std::pair<int, double>> terms;
  bool rotary = false;
  std::optional<Relative> relative() const;  ///< when it is just the difference of two coordinates
};

/// Collects blocks while the sections of a model are read one after the other.
class Builder {
 public:
  Builder(const Model& model, const AssembleOptions& options);
  System build();
  const std::vector<std::string>& moved() const { return moved_; }  ///< who was moved apart at the start, and by how much

 private:
  // sections, each in a source of its own
  void read_sections();
  void read_bodies();
  void read_states();
  void read_forces();
  void read_joints();
  void read_collisions();    ///< bodies of which any two may meet
  void read_space_joints();  ///< joints between bodies in space: rows, motions, drives, stops, friction
  void make_reactions();     ///< what these joints carry; after all places, whose forces belong to it

  /// Calls f(name, where, reader) for every element of a section; refuses keys nobody asked for.
  template <class F>
  void each(const char* section, const char* kind, F f);
  const Node* section(const char* name) const { return model_.root.find(name); }
  const Coordinate& coordinate(const std::string& name, const Where& where, const std::string& owner) const;
  int components(const Reader& reader) const;     ///< 1, or how many names an end lists
  std::vector<Span> spans(Reader& reader) const;  ///< `between: [A, B]` or `on: B`
  void add_end(const Node& end, std::size_t component, double sign, const std::string& owner, std::map<int, double>& terms,
               int& rotary) const;
  void channel(const std::string& name, const std::string& unit, const std::string& text) {
    layout_.channels.push_back({name, unit, text});
  }

  // bodies in space
  struct End {
    int body = 0;                    // index into Layout::bodies
    std::optional<Marker> frame;     // a named or inline frame; none: the joint says where
    const BeamPlan* beam = nullptr;  // a whole beam: the joint says which node
  };
  bool is_space_body(const std::string& name) const;
  int space_body(const std::string& name, const Where& where, const std::string& owner) const;
  End read_end(const Node& node, const std::string& owner, bool whole_beam = false) const;
  void settle(End& end, const Vec3<>& at, const Where& where,
              const std::string& owner) const;  // on the node of a beam that is there
  const BeamPlan* find_beam(const std::string& name) const;
  std::pair<Marker, Marker> read_markers(Reader& reader, bool two_axes) const;
  Frame<> start_frame(const Marker& m) const;                              // in the world, where its body is given to start
  Marker marker_at(int body, const Vec3<>& world, const Mat3<>& R) const;  // from where the body is given to start
  int add_row(const Marker& A, const Marker& B, const RelationPlan& plan, std::optional<Target> target = {});
  void check_particle(Reader& reader, const std::string& type, const JointPlan& plan, const Marker& end, bool first,
                      bool rubs) const;
  void use_row(int row) { shown_only_.erase(row); }  // somebody acts on it or reads it in a step
  int add_combination(BoundSignal value, bool curved = false);
  void hold_row(int row, const std::string& owner, const std::string& name, int account = -1);
  bool vanishes(const Marker& A, const Marker& B, const RelationPlan& plan, double& value) const;
  void offer_motion(const std::string& joint, const RelationPlan& plan, int row);
  void add_joint(const JointEntry& entry, Reader& reader, const std::string& name);
  void add_coupling(const std::string& type, Reader& reader, const std::string& name);
  // joints that are contacts: assemble/space_contacts.cpp
  bool in_plane(const Marker& A, const Marker& B) const;  // both move in the plane x, y
  void add_contact(Reader& reader, const std::string& name);
  void add_sleeve(Reader& reader, const std::string& name);
  void add_rolling(Reader& reader, const std::string& name);
  void add_backlash(Reader& reader, const std::string& name);
  void add_play(Reader& reader, const std::string& name, const std::vector<int>& rows, const std::vector<double>& factors,
                double center, bool rotary);
  Marker read_surface_marker(Reader& inner, int body) const;
  Profile read_profile(Reader& inner) const;
  void add_drives(Reader& reader, const std::string& name, const JointPlan& plan, const Marker& A, const Marker& B);
  void add_course(const Node& node, Reader& reader, const std::string& name, const Marker& A, const Marker& B);
  void hold_drive(int row, const std::string& full, const std::string& owner, const std::string& what, bool rotary);
  void add_stops(Reader& reader, const std::string& name, const JointPlan& plan, const std::vector<int>& rows, bool planar);
  void add_bearing(Reader& reader, const std::string& name, const BearingPlan& plan, const Marker& A, const Marker& B,
                   const std::vector<int>& slots, const std::vector<int>& slip_rows);
  template <int D>
  void add_row_place(PlaceItems<D>& items, Reader& reader, const std::string& name, const BearingPlan& plan, const Marker& A,
                     const Marker& B, const std::vector<int>& slots, const std::vector<int>& slip_rows);
  void add_touch(Reader& reader, const std::string& name, std::unique_ptr<Geometry> geometry, const Marker& A, const Marker& B);
  template <int D>
  bool add_press_place(PlaceItems<D>& items, Reader& reader, const std::string& name, int gap, const int* slip,
                       const ContactPair& pair, bool placed = false);  // placed: slips are positions too; true: its law is dry
  template <int D>
  std::unique_ptr<FrictionLaw<D>> read_law(Reader& reader, std::optional<double> load, std::string& law_name);
  // forces on bodies in space
  struct Reach {
    std::vector<Span> spans;  // of scalar coordinates; empty: of bodies in space, the row
    int row = -1;
    bool rotary = false;
  };
  Reach reach(Reader& reader);
  bool in_space(const Node& end) const;
  Marker read_point(Reader& reader, const Node& node, const char* key) const;
  void check_particle(const Reader& reader, const Marker& m) const;
  void announce_space_force(const std::string& type, Reader& reader, const std::string& name);
  void add_space_force(const std::string& type, Reader& reader, const std::string& name);
  void add_bushing(Reader& reader, const std::string& name);
  void add_line_load(Reader& reader, const std::string& name);  // assemble/beam_loads.cpp
  void make_space_forces();
  bool offer_body(const std::string& name);  // makes a row for "<body>.position.x" when an expression asks for it

  void add_pull(PullList& list, Reader& reader, const std::string& name);
  template <int D>
  void add_place(PlaceItems<D>& items, Reader& reader, const std::string& name);
  template <int D>
  void make_places(PlaceItems<D>& items);

  const Model& model_;
  AssembleOptions options_;
  ParameterScope scope_;
  Layout layout_;
  Numbers numbers_{layout_};
  Names names_{layout_, numbers_};
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Coordinate> coordinates_;  // free, then driven
  Parts parts_;
  SpaceParts space_;
  BeamSections sections_;
  std::vector<BeamPlan> beams_;
  SpaceForces space_forces_;
  std::vector<int> motion_rows_;  // with channels
  std::set<int> shown_only_;      // of motion_rows_: nobody acts on them
  std::vector<std::string> moved_;
  std::vector<std::string> joint_names_;  // of space_.reactions
  std::vector<int> drive_slots_;          // in lambda, of drives of joints and of rolling
  std::vector<Channel> drive_channels_;
  std::vector<UserStates::Item> state_items_;  // bound once everything readable is known
  std::vector<std::pair<std::string, Signal>> state_rates_;
};

template <class F>
void Builder::each(const char* name, const char* kind, F f) {
  const Node* map = section(name);
  if (map == nullptr || map->kind == Node::Kind::null) return;
  if (!map->is_map()) throw InputError(map->where, std::string(name) + " must be a map of names, each with what it is");
  for (const auto& [key, value] : map->children) {
    const std::string owner = std::string(kind) + " '" + key + "'";
    if (!value.is_map())
      throw InputError(value.where, owner + ": write what it is as a map, for example " + key + ": {type: ...}");
    Reader reader(value, scope_, {owner, {}});
    const Where& place = map->where_of_key(key);
    f(key, place.file.empty() ? value.where : place, reader);
  }
}

}  // namespace bristle
