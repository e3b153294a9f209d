#pragma once
#include <string>
#include <vector>

#include "bristle/core/jacobian_sink.h"
#include "bristle/core/state.h"
#include "bristle/core/step_eval.h"
#include "bristle/interface/patch.h"

namespace bristle {

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

/// What a block of bodies says of their inertia.
class MassFacet {
 public:
  virtual void mass_blocks(std::vector<MassBlock>&) const {}  ///< at the initial values where it changes
  /// Acceleration from force, for the coordinates the block owns.
  virtual void solve_mass(const double* q, const double* f, double* a) const { (void)q, (void)f, (void)a; }
  /// Of inertia that changes: that of a configuration, for a block of theirs. Their forces have what comes of the change, and their
  /// Jacobian -(dM/dq) a as well, with the accelerations of Eval.
  virtual void calc_mass(const double* q, MassBlock& m) const { (void)q, (void)m; }
  /// Bodies with frames that are moved by a matrix: force_q of the wrench on them (FrameMap::load) while it stands still, d(B' w)/dq.
  virtual void calc_map_jacobian(const Eval&, JacobianSink&) const {}
  virtual double kinetic(const Eval&) const { return 0; }  ///< [J]

 protected:
  ~MassFacet() = default;
};

/// Forces that depend on the multipliers in Eval::lambda, on rows only; the rest of a place belongs to calc_forces.
class ReactiveFacet {
 public:
  virtual void calc_reactive(Eval&) const {}
  virtual void calc_step_reactive(StepEval& e) const { calc_reactive(e); }  ///< over a whole step
  virtual void load_slopes(std::vector<LoadSlope>&) const {}                ///< pattern of calc_load_slopes
  virtual int load_slope_count() const { return 0; }
  virtual void calc_load_slopes(const Eval&, double* slope) const { (void)slope; }

 protected:
  ~ReactiveFacet() = default;
};

/// A whole step of an energy scheme. A block that says nothing about steps acts in the middle of each.
class StepFacet {
 public:
  virtual void calc_step_rows(StepEval&) const = 0;
  virtual void pass_step_forces(StepEval&) const = 0;
  virtual void calc_step(StepEval&) const = 0;
  virtual void calc_step_jacobian(const StepEval&, JacobianSink&) const = 0;
  virtual int step_room() const { return 0; }             ///< numbers of StepEval::room that it keeps
  virtual void set_step_room(int first) { (void)first; }  ///< where they start; called once by System
  /// A step sees the mean slip: what that hides of the memory of a place whose slip turns back inside the step. `end` has the measures at
  /// its end.
  virtual Overrun calc_turn(const StepEval&, const Eval& end) const { return (void)end, Overrun{}; }
  /// Why an energy scheme cannot step over this block, by the user's name; "" when it can. Who stores energy has to say so.
  virtual std::string cannot_step() const = 0;
  /// Gives the jump of an energy scheme a share of its own (StepEval::impulse).
  virtual bool has_stage() const { return false; }

 protected:
  ~StepFacet() = default;
};

/// A place whose memory stores energy in proportion to a load that varies.
struct LoadedMemory {
  double load = 0;    ///< [N]
  double stored = 0;  ///< [J/N] per load
};

/// What methods and results read of a block, beside its forces.
class ReadingFacet {
 public:
  /// Slips of laws whose rates change inside a step; depths, and their rates, of surfaces that yield.
  virtual int watch_count() const { return 0; }
  virtual void calc_watched(const Eval&, double* watched) const { (void)watched; }
  /// What the step to this evaluation passed over; `watched` and `z` are those of its start.
  virtual Overrun calc_overrun(const Eval&, double h, const double* watched, const double* z) const {
    return (void)h, (void)watched, (void)z, Overrun{};
  }
  virtual int pace_count() const { return 0; }
  virtual void calc_paces(const Eval&, Pace* pace, double* speed) const { (void)pace, (void)speed; }
  virtual void calc_modes(const Eval&, Mode* mode) const { (void)mode; }  ///< one per pace
  /// The largest number of memory over what its law lets it reach: above 1 it has run away, wherever the load is now.
  virtual double calc_excess(const double* z) const { return (void)z, 0; }
  virtual int loaded_count() const { return 0; }  ///< places with a LoadedMemory
  virtual void loaded_accounts(int* friction, int* load) const { (void)friction, (void)load; }
  virtual void calc_loaded(const Eval&, LoadedMemory* at) const { (void)at; }
  virtual int output_count() const { return 0; }
  virtual void calc_outputs(const Eval&, double* out) const { (void)out; }  ///< after the held forces are known
  /// Who is in a pose that it cannot answer for, and why; "" when nobody is. Asked after accepted steps where `may_be_troubled`.
  virtual std::string trouble(const Eval&) const { return {}; }
  virtual bool may_be_troubled() const { return false; }

 protected:
  ~ReadingFacet() = default;
};

}  // namespace bristle
