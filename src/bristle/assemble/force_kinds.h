#pragma once
#include <array>
#include <string>
#include <vector>

#include "bristle/assemble/elements.h"
#include "bristle/assemble/keys.h"
#include "bristle/force/register.h"
#include "bristle/measure/relation.h"

namespace bristle {

/// The types of force in the order of the documentation, which is also that of their blocks.
void add_forces(ElementRegistry& registry);

// Each in a source of its own.
ElementEntry load_force();       ///< along one measure, by an expression
ElementEntry bushing_force();    ///< six springs and dampers between two frames
ElementEntry vector_force();     ///< at a point of a body, by expressions
ElementEntry torque_force();     ///< on a body, by expressions
ElementEntry line_load_force();  ///< along a beam
ElementEntry drag_force();       ///< of a fluid at a point
/// Elements of a law of pull; blocks of laws stand in the order in which they were added.
void add_pull_force(ElementRegistry& registry, const PullEntry& law);
/// One line per law of a program's own: add_law<SofteningSpring>(mine.forces, "softening_spring", "...", "  pad: {...}\n").
template <class L>
void add_law(ElementRegistry& registry, const char* name, const char* summary, const char* example) {
  PullRegistry one(registry.kind());
  add_law<L>(one, name, summary, example);
  add_pull_force(registry, one.all()[0]);
}

/// What expressions may read of forces along one coordinate, or along one measure of bodies in space.
void announce_reach(Plan& plan, Reader& reader, const std::string& name);
/// Where a force acts at a point of a body.
struct PointKeys {
  const Node* on = nullptr;
  std::optional<Vec3<>> at;
  void visit(Keys& keys);
  /// The point, of a body that moves.
  Marker point(const Plan& plan, const Reader& reader) const;
};
/// Axes of components: those of the world, or those of the body.
enum class Axes { world, body };
void visit_axes(Keys& keys, Axes& axes, const char* text);
/// Three numbers or expressions [x, y, z] that stand under a key; `flat`: the third may be left out.
std::array<Signal, 3> read_signals(const Reader& reader, const char* key, const Node& list, const Unit& unit, const Scope& scope,
                                   bool flat);
/// The point of a body that moves which `on` and, where there is a key for it, `at` say.
Marker moving_point(const Plan& plan, const Reader& reader, const Node& on, const char* key, const std::optional<Vec3<>>& at);
/// Three rows of it against the ground.
std::array<int, 3> point_rows(Plan& plan, const Marker& point, Relation::Kind kind);
/// Of a body in the plane, components along z, or of torques along x and y, must be zero.
void check_flat(const Plan& plan, const Reader& reader, const Marker& point, bool torque, const char* key,
                const std::array<Signal, 3>& components);
/// Three numbers that expressions read as they were at the last accepted step: `<name>.<quantity>.x`, ...
void offer_vector(Plan& plan, const std::string& name, const std::string& quantity);
/// Channels `<name>.x`, `.y`, `.z`.
void vector_channels(Plan& plan, const std::string& name, const char* unit, const char* text);

/// A body to push in examples.
constexpr const char* kPushedArm =
    "bodies:\n  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.01], frames: {tip: {at: [0.5, 0, 0]}}}\n";

}  // namespace bristle
