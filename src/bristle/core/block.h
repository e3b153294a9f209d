#pragma once
#include <string>

#include "bristle/core/dry_places.h"
#include "bristle/core/facets.h"
#include "bristle/core/layout.h"
#include "bristle/core/rigid_places.h"

namespace bristle {

/// What a block takes part in; asked once at assembly, so that a step calls nobody in vain.
enum Role : unsigned {
  kDrives = 1,
  kForces = 2,
  kMass = 4,
  kKinetic = 8,
  kStored = 16,
  kPoses = 32,     ///< places bodies in space
  kRows = 64,      ///< evaluates measures of them
  kReactive = 128  ///< has forces that depend on multipliers
};

/// All elements of one kind, contiguous; the virtual boundary below System. Capabilities are the functions that are overridden; those of
/// a kind stand together in a facet.
class Block : public MassFacet, public ReactiveFacet, public StepFacet, public ReadingFacet {
 public:
  virtual ~Block() = default;
  virtual unsigned roles() const = 0;                         ///< bits of Role
  virtual int scratch_needed() const { return 0; }            ///< numbers of Eval::scratch that it writes to
  virtual void set_time(State&, double t) const { (void)t; }  ///< driven coordinates
  virtual void start(State&) const {}                         ///< initial values and memory
  virtual void calc_poses(Eval&) const {}                     ///< bodies in space: place them
  virtual void calc_rows(Eval&) const {}                      ///< measures: value, rate, row, drift
  virtual void pass_forces(Eval&) const {}                    ///< measures made of others: hand row_force on to them
  virtual void calc_forces(Eval&) const {}                    ///< read the measure, apply the law, push back
  virtual void calc_jacobian(const Eval&, JacobianSink&) const {}
  /// Adds the stored energy; what belongs to an account also goes to by_account.
  virtual double stored(const Eval&, double* by_account) const {
    (void)by_account;
    return 0;
  }
  /// For small motions about a state: surfaces that yield spring to both sides.
  virtual void keep_elastic(State&) const {}
  virtual bool remembers() const { return false; }  ///< accept changes something
  virtual void accept(const Eval&, State&) const {}
  /// The same at a state that nobody has been at, as those on the way of a search: what follows from the pose, but not what surfaces remember.
  virtual void follow(const Eval& e, State& x) const { accept(e, x); }
  virtual DryPlaces* dry() { return nullptr; }
  virtual RigidPlaces* rigid() { return nullptr; }
  virtual const FreeContacts* free_contacts() const { return nullptr; }

  void calc_step_rows(StepEval& e) const override { calc_rows(e); }
  void pass_step_forces(StepEval& e) const override { pass_forces(e); }
  void calc_step(StepEval& e) const override { calc_forces(e); }
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override { calc_jacobian(e, sink); }
  std::string cannot_step() const override { return (roles() & kStored) != 0 ? "an element of this model" : ""; }
};

}  // namespace bristle
