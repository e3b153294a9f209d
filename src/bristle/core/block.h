#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bristle/core/layout.h"
#include "bristle/core/step_eval.h"
#include "bristle/interface/contact_law.h"
#include "bristle/interface/patch.h"

namespace bristle {

/// Takes the entries of the Jacobian. Rows and columns are indices of v (force), q (as the velocity index of the coordinate) and
/// z; columns of force_lambda and rate_lambda are slots of lambda. A block emits the same sequence of entries at every call; the values
/// land in a fixed pattern. Over a step (StepEval) force_q and force_v are derivatives by the mean configuration and velocity, of blocks
/// that act in the middle; others give derivatives by the increments of the step (force_step) and by the velocities after the jump; rows
/// of rest_step, rest_jump and rest_lambda are slots of lambda.
class JacobianSink {
 public:
  enum class Part : int {
    force_q,
    force_v,
    force_z,
    rate_q,
    rate_v,
    rate_z,
    mass,
    force_lambda,
    rate_lambda,
    force_step,
    force_jump,
    impulse_step,
    impulse_jump,
    rest_step,
    rest_jump,
    rest_lambda
  };
  virtual ~JacobianSink() = default;
  virtual void add(Part part, int row, int column, double value) = 0;
  /// The same for a square block, row by row: values[count * i + j] at (index[i], index[j]).
  virtual void add_block(Part part, const int* index, int count, const double* values) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) add(part, index[i], index[j], *values++);
    }
  }
};

/// A place with a dry law, as the kernel that solves sticking places sees it.
struct RestView {
  int components = 1;
  double slip[3] = {0, 0, 0};  ///< [m/s]
  double limit = 0;            ///< [N] of the force beside the offset
  double band = 0;             ///< [m/s] threshold rule
  bool resting = false;        ///< to be kept at rest in this evaluation
  bool open = false;           ///< the surfaces are apart
};

/// One component of the slip of a dry place, and where its force goes: the slip is `arm` times the rate of a row of the system, and the force F
/// adds -force_arm * F times the row to f.
struct RestRow {
  int row = 0;
  double arm = 1, force_arm = 1;
  /// Power per force times slip.
  double lever() const { return force_arm / arm; }
};

/// Inertia of consecutive velocities, symmetric, row-major. That of rigid bodies is constant, as their rates of rotation are those of
/// their own axes; one that changes with the configuration is renewed by Block::calc_mass.
struct MassBlock {
  int v = 0, count = 0;
  std::vector<double> mass;
  bool constant = true;
};

/// The derivative of the force on a row by a multiplier: a place whose load is a reaction.
struct LoadSlope {
  int row = 0, slot = 0;
};

/// What a block with dry places offers; places are numbered 0 .. dry_count()-1 inside the block.
class DryPlaces {
 public:
  virtual ~DryPlaces() = default;
  virtual int dry_count() const = 0;
  virtual int dry_components(int i) const = 0;
  /// Called once by System; a measure of scalar coordinates asks for a row.
  virtual RestRow dry_row(int i, int component, ConstantRows&) const = 0;
  virtual int dry_account(int i) const = 0;
  virtual int dry_mark(int i) const = 0;    ///< marks: [mode, direction (components)]
  virtual bool dry_opens(int i) const = 0;  ///< the surfaces may come apart
  virtual const char* dry_name(int i) const = 0;
  virtual void set_slot(int i, int slot) = 0;  ///< first slot in lambda; called once by System
  virtual void view(const Eval&, int i, RestView&) const = 0;
  virtual void step_view(const StepEval&, int i, RestView&) const = 0;  ///< over a whole step: its mean slip, its load
  /// Over a whole step the force of the place is the multiplier of its slots: the equation it fulfils, and its derivatives (rest_step by
  /// the increments, rest_lambda by multipliers; rows are slots). Returns whether it rests; `along`: where it slides to.
  virtual bool step_rest(const StepEval&, int i, double* residual, double* along) const = 0;
  virtual void step_rest_jacobian(const StepEval&, int i, JacobianSink&) const = 0;
  /// Threshold rule: force at rest, given the force that would keep the slip; writes `force`, returns true if it holds.
  virtual bool at_rest(const Eval&, int i, const double* holding, double mobility, double* force) const = 0;
};

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

/// All elements of one kind, contiguous; the virtual boundary below System. Capabilities are the functions that are overridden.
class Block {
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
  /// Forces that depend on the multipliers in Eval::lambda, on rows only; the rest of a place belongs to calc_forces.
  virtual void calc_reactive(Eval&) const {}
  virtual void load_slopes(std::vector<LoadSlope>&) const {}  ///< pattern of calc_load_slopes
  virtual int load_slope_count() const { return 0; }
  virtual void calc_load_slopes(const Eval&, double* slope) const { (void)slope; }
  virtual void calc_jacobian(const Eval&, JacobianSink&) const {}

  // Over a whole step of an energy scheme. A block that says nothing about steps acts in the middle of each.
  virtual void calc_step_rows(StepEval& e) const { calc_rows(e); }
  virtual void pass_step_forces(StepEval& e) const { pass_forces(e); }
  virtual void calc_step(StepEval& e) const { calc_forces(e); }
  virtual int step_room() const { return 0; }             ///< numbers of StepEval::room that it keeps
  virtual void set_step_room(int first) { (void)first; }  ///< where they start; called once by System
  virtual void calc_step_reactive(StepEval& e) const { calc_reactive(e); }
  virtual void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const { calc_jacobian(e, sink); }
  /// A step sees the mean slip: what that hides of the memory of a place whose slip turns back inside the step. `end` has the measures at
  /// its end.
  virtual Overrun calc_turn(const StepEval&, const Eval& end) const { return (void)end, Overrun{}; }
  /// Why an energy scheme cannot step over this block, by the user's name; "" when it can. Who stores energy has to say so.
  virtual std::string cannot_step() const { return (roles() & kStored) != 0 ? "an element of this model" : ""; }
  /// Gives the jump of an energy scheme a share of its own (StepEval::impulse).
  virtual bool has_stage() const { return false; }

  /// Bodies with frames that are moved by a matrix: force_q of the wrench on them (FrameMap::load) while it stands still, d(B' w)/dq.
  virtual void calc_map_jacobian(const Eval&, JacobianSink&) const {}
  /// Bodies: acceleration from force, for the coordinates they own.
  virtual void solve_mass(const double* q, const double* f, double* a) const { (void)q, (void)f, (void)a; }
  virtual void mass_blocks(std::vector<MassBlock>&) const {}  ///< bodies: their inertia, at the initial values where it changes
  /// Bodies with inertia that changes: that of a configuration, for a block of theirs. Their forces have what comes of the change, and
  /// their Jacobian -(dM/dq) a as well, with the accelerations of Eval.
  virtual void calc_mass(const double* q, MassBlock& m) const { (void)q, (void)m; }
  virtual double kinetic(const Eval&) const { return 0; }  ///< [J]
  /// Adds the stored energy; what belongs to an account also goes to by_account.
  virtual double stored(const Eval&, double* by_account) const {
    (void)by_account;
    return 0;
  }
  virtual int watch_count() const { return 0; }  ///< slips of laws whose rates change inside a step
  virtual void calc_watched(const Eval&, double* slip) const { (void)slip; }
  /// What the step to this evaluation passed over; `slip` and `z` are those of its start.
  virtual Overrun calc_overrun(const Eval&, double h, const double* slip, const double* z) const {
    return (void)h, (void)slip, (void)z, Overrun{};
  }
  virtual int pace_count() const { return 0; }
  virtual void calc_paces(const Eval&, Pace* pace, double* speed) const { (void)pace, (void)speed; }
  virtual void calc_modes(const Eval&, Mode* mode) const { (void)mode; }  ///< one per pace
  virtual bool remembers() const { return false; }                        ///< accept changes something
  virtual int output_count() const { return 0; }
  virtual void calc_outputs(const Eval&, double* out) const { (void)out; }  ///< after the held forces are known
  virtual void accept(const Eval&, State&) const {}
  /// Who is in a pose that it cannot answer for, and why; "" when nobody is. Asked after accepted steps where `may_be_troubled`.
  virtual std::string trouble(const Eval&) const { return {}; }
  virtual bool may_be_troubled() const { return false; }
  virtual DryPlaces* dry() { return nullptr; }
  virtual RigidPlaces* rigid() { return nullptr; }
  virtual const FreeContacts* free_contacts() const { return nullptr; }
};

}  // namespace bristle
