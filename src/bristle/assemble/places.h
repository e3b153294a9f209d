#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

// Places where elements rub and press.

/// What rubs.
struct RubKeys {
  const Node *friction = nullptr, *smoothing = nullptr;
  std::optional<double> stiffness_at, viscosity;
  void visit(Keys& keys, const char* usual, const char* text);
};
/// What presses, and may rub.
struct PressKeys : RubKeys {
  const Node* contact = nullptr;
  void visit(Keys& keys, const char* usual = "", const char* text = "law of contact: a name, or a map with type and parameters",
             const char* friction_text = "law of friction, loaded by the contact");
};
/// What overlaps at the start, and where in the overlap forces act.
struct OverlapKeys {
  enum class Overlap { refuse, keep, resolve } overlap = Overlap::refuse;
  enum class ActsOn { middle, first, second } acts_on = ActsOn::middle;
  /// From the middle between the surfaces, in gaps along the normal.
  double shift() const { return acts_on == ActsOn::middle ? 0 : acts_on == ActsOn::first ? -0.5 : 0.5; }
  void visit(Keys& keys);
};
/// Surfaces that may touch.
struct TouchKeys {
  PressKeys press;
  OverlapKeys overlap;
  void visit(Keys& keys) { press.visit(keys), overlap.visit(keys); }
};
/// An expression for a parameter of the law at a place.
PlaceInput bind_input(Plan& plan, const GivenInput& given, const std::string& place, const std::string& owner);
/// A law of friction as a place is told of it.
template <int D>
struct GivenLaw {
  std::unique_ptr<FrictionLaw<D>> law;
  std::string name = "none";
  std::optional<GivenInput> input;
  /// The place of that name gets the law. Gives its name.
  template <class M>
  std::string give(Plan& plan, Place<M, D>& place, const std::string& owner) {
    place.law = std::move(law);
    if (input) place.input = bind_input(plan, *input, place.name, owner);
    return std::move(name);
  }
};
/// The law that they name; `load` [N] where it is constant.
template <int D>
GivenLaw<D> read_law(const Plan& plan, const Reader& reader, const RubKeys& rub, std::optional<double> load);
/// No key is left that nobody asked for; what goes with friction needs friction.
void finish_rubbing(Reader& reader, const RubKeys& rub);
/// Blocks of all places.
void make_places(Plan& plan);
/// Where an ideal joint rubs.
void add_bearing(Plan& plan, const Reader& reader, const RubKeys& law, const std::string& name, const BearingPlan& rub,
                 const Marker& A, const Marker& B, const std::vector<int>& slots, const std::vector<int>& slip_rows);
/// A place between surfaces whose gap and slip are rows. `placed`: slips are positions too. True: its law is dry.
template <int D>
bool add_press_place(Plan& plan, PlaceItems<D>& items, const Reader& reader, const PressKeys& keys, const std::string& name,
                     int gap, const int* slip, const ContactPair& pair, bool placed = false);
/// What is said of a place where surfaces may touch, beside its laws.
void finish_touch(Plan& plan, const Reader& reader, const OverlapKeys& keys, const std::string& name, int gap);
/// Surfaces that may touch: rows of gaps and slips, and a place at each of their points.
void add_touch(Plan& plan, const Reader& reader, const TouchKeys& keys, const std::string& name,
               std::unique_ptr<Geometry> geometry, const Marker& A, const Marker& B);
/// Play on a motion: how far, and what presses there.
struct PlayKeys {
  std::optional<double> clearance, arm;
  PressKeys press;
};
/// Two surfaces, one on each side of a sum of motions: gaps clearance -+ (sum - center), both times the arm of a rotary one.
void add_play(Plan& plan, Reader& reader, const PlayKeys& keys, const std::string& name, const std::vector<int>& rows,
              const std::vector<double>& factors, double center, bool rotary);

}  // namespace bristle
