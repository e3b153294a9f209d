#pragma once
#include <functional>
#include <string>

#include "bristle/assemble/assemble.h"
#include "bristle/assemble/cross_sections.h"
#include "bristle/assemble/drives.h"
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/shape_registry.h"
#include "bristle/assemble/surfaces.h"
#include "bristle/base/registry.h"
#include "bristle/contact/registry.h"
#include "bristle/enforce/enforcement.h"
#include "bristle/friction/registry.h"
#include "bristle/integrate/controller.h"
#include "bristle/integrate/integrator.h"
#include "bristle/model/reader.h"

namespace bristle {

struct Plan;
struct Elements;

/** One type of element that a section of the model may have: what the model file, the schema and the reference know of it, and how an
element of it gets into a system. The keys were checked against the fields before its steps are called; with a reader of the element
and the user's name for it. */
struct ElementEntry : KindEntry {
  using Step = std::function<void(Plan&, Reader&, const std::string& name)>;

  /// What it acts on, which must be announced before it. Of joints: forces are announced after all that act on bodies or motions.
  enum class ActsOn {
    bodies,   ///< a joint: it gives motions that others act on
    motions,  ///< couplings of motions of joints
    all       ///< forces; what rubs on coordinates
  };
  ActsOn acts_on = ActsOn::all;
  bool input = false;                           ///< a force whose key `force` may be an input of linearised equations
  bool in_space = false;                        ///< a body whose block stands before those of bodies of one coordinate
  Step announce = nullptr;                      ///< what others may read or name: its rows, motions, channels
  Step add = nullptr;                           ///< what it does, once all others are announced
  std::function<void(Plan&)> make = nullptr;    ///< blocks of all its elements and their channels, once they are added
  std::function<void(Plan&)> number = nullptr;  ///< of bodies: the free scalar coordinates of all its elements
  /// Adds to what is shown of it what depends on the lists that models are made of.
  std::function<void(KindEntry&, const Elements&)> complete = nullptr;
  std::function<void(const Reader&)> look_over =
      nullptr;  ///< refuses keys about which more can be said than that they are unknown
};
using ElementRegistry = Registry<ElementEntry>;

/// All that a model may be made of: lists to which a program may add types of its own, for AssembleOptions or a Study.
struct Elements {
  ElementRegistry bodies{"body"}, forces{"force"}, joints{"joint"};
  DriveRegistry drives{"drive"};                         ///< of joints
  ShapeRegistry shapes{"shape"};                         ///< of bodies
  CrossSectionRegistry cross_sections{"cross_section"};  ///< of beams
  SurfaceRegistry surfaces{"surface"};                   ///< of contacts in space and collision groups
  OutlineRegistry outlines{"outline"};                   ///< of contacts in the plane
  FrictionRegistry friction = friction_registry();
  ContactRegistry contacts = contact_registry();
  IntegratorRegistry integrators = integrator_registry();
  ControllerRegistry controllers = controller_registry();  ///< rules that choose steps
  EnforcementRegistry enforcements = enforcement_registry();
};

/// friction, contact, integrator, controller, body, force, joint, section: all kinds of types that models may name.
std::vector<KindGroup> assembled_kinds(const Elements&);
KindGroup controller_group(const ControllerRegistry&);

/// For lists, pages and the schema.
template <class Entry>
KindGroup kind_group(const Registry<Entry>& registry, const std::string& summary) {
  return {registry.kind(), summary, {registry.all().begin(), registry.all().end()}};
}

// Reading a section by the entries of its types.
void announce_elements(Plan& plan, const char* section, const ElementRegistry& registry, ElementEntry::ActsOn acts_on);
void add_elements(Plan& plan, const char* section, const ElementRegistry& registry);
void make_elements(Plan& plan, const ElementRegistry& registry);

}  // namespace bristle
