#pragma once
#include <cstdint>
#include <vector>

#include "bristle/core/eval.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/// What a block with places of rigid contact offers: gaps that may not close, impacts, dry friction bounded by the normal force.
/// Only methods that step over impacts can solve them; they leave the forces in lambda: normal, then one per slip component.
class RigidPlaces {
 public:
  virtual ~RigidPlaces() = default;
  virtual int rigid_count() const = 0;
  virtual int rigid_gap(int i) const = 0;                  ///< row
  virtual int rigid_slips(int i) const = 0;                ///< components of slip
  virtual int rigid_slip(int i, int component) const = 0;  ///< row
  virtual const Unilateral& rigid_law(int i) const = 0;
  virtual double rigid_friction(const Eval&, int i) const = 0;  ///< coefficient at the present slip
  virtual int rigid_account(int i, bool friction) const = 0;
  virtual const char* rigid_name(int i) const = 0;
  virtual void set_rigid_slot(int i, int slot) = 0;  ///< first slot in lambda; called once by System
};

/// A contact between two bodies of a collision group at one configuration.
struct FreeContact {
  std::uint64_t key = 0;                 ///< of the pair and the point: the same from step to step
  int v[2] = {0, 0}, count[2] = {0, 0};  ///< velocities of the two bodies; none of a body that does not move
  int slips = 2;                         ///< components of slip: one in a planar model
  double gap = 0;                        ///< [m]
  Vec3<> axis[3];                        ///< normal (the force on the second body points along it) and tangents, world
  double row[3][12] = {};                ///< of the gap and the slips: columns of the first body, then of the second
  double friction = 0;                   ///< coefficient at the present slip
};

/// What a block of contacts that come and go offers: thousands of bodies of which any two may meet.
class FreeContacts {
 public:
  virtual ~FreeContacts() = default;
  virtual const char* group_name() const = 0;
  virtual const Unilateral* group_law() const = 0;  ///< null: a law with stiffness, which pushes by itself
  virtual int group_account(bool friction) const = 0;
  /// Appends all contacts that may close within a time [s], and those nearer than a margin [m]; poses are those of the evaluation.
  virtual void find(const Eval&, double horizon, double margin, std::vector<FreeContact>& list) const = 0;
};

}  // namespace bristle
