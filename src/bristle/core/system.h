#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/core/dry_marks.h"
#include "bristle/core/fused.h"
#include "bristle/core/layout.h"
#include "bristle/core/ledger.h"
#include "bristle/core/masses.h"
#include "bristle/core/reactive_forces.h"
#include "bristle/core/readings.h"
#include "bristle/core/state_motion.h"
#include "bristle/core/step_forces.h"
#include "bristle/core/workspace.h"

namespace bristle {

/// A place with a dry law: its slots in lambda and who owns it.
struct DryPlace {
  const DryPlaces* owner = nullptr;
  int item = 0;
  int components = 1;
  int lambda = 0;  ///< first slot
  int account = 0;
  int mark = 0;               ///< [mode, direction (components)]
  bool opens = false;         ///< the surfaces may come apart
  std::vector<RestRow> rows;  ///< per component
  bool constant = false;      ///< on scalar coordinates: its rows never change, and are free of round-off
  bool driven = false;        ///< nothing that is free moves its slip
  std::string name;

  DryMarks marks(double* of_state) const { return {of_state + mark, components}; }
  ConstDryMarks marks(const double* of_state) const { return {of_state + mark, components}; }
  DryMarks marks(State& x) const { return marks(x.marks()); }
  ConstDryMarks marks(const State& x) const { return marks(x.marks()); }
};

/// A place of rigid contact with its rows and its slots in lambda (normal, then the slip components).
struct RigidPlace {
  const RigidPlaces* owner = nullptr;
  int item = 0;
  int gap = 0, slips = 0, slip[2] = {-1, -1};  ///< rows
  int lambda = 0;
  Unilateral law;
  int contact_account = 0, friction_account = 0;
  std::string name;
};

/// All that a method may call. Const after assembly; shared by threads.
class System {
 public:
  System(Layout layout, std::vector<std::unique_ptr<Block>> blocks);

  /// Evaluates the blocks by type from now on. For assembly; the fused blocks are all that drive, pull and weigh.
  void fuse(std::unique_ptr<FusedEvaluation> fused) { fused_ = std::move(fused); }

  const FusedEvaluation* fused() const { return fused_.get(); }  ///< nullptr: block by block

  const Layout& layout() const { return layout_; }
  const std::vector<DryPlace>& dry() const { return dry_; }
  const std::vector<RigidPlace>& rigid() const { return rigid_; }  ///< contacts that only time stepping over impacts solves
  const std::vector<const FreeContacts*>& groups() const { return groups_; }  ///< contacts that come and go
  bool remembers() const { return remembers_; }                               ///< accept changes something
  StateMotion motion() const { return StateMotion(layout_); }
  const Masses& masses() const { return masses_; }
  const ReactiveForces& reactive() const { return reactive_; }
  const Readings& readings() const { return readings_; }
  StepForces steps() const { return StepForces(*this); }

  State make_state() const;  ///< at the time 0, with the initial values of the model
  /// Replaces the initial values, and says what initial assembly found about the held rows.
  void set_start(State x, std::vector<std::string> redundant, std::vector<std::string> singular, int freedoms) {
    start_ = std::move(x);
    layout_.redundant = std::move(redundant);
    layout_.singular = std::move(singular);
    layout_.freedoms = freedoms;
  }
  Workspace make_workspace() const;

  /// Also moves the driven coordinates.
  void set_time(State& x, double t) const {
    if (x.t == t) return;  // the driven coordinates of a state always belong to its time
    x.t = t;
    for (const Block* block : drives_) block->set_time(x, t);
  }
  Eval view(const State& x, Workspace& w) const {
    Eval e;
    e.t = x.t;
    e.q = x.q(), e.v = x.v(), e.z = x.z(), e.lambda = x.lambda(), e.a = x.a(), e.marks = x.marks();
    e.f = w.f.data(), e.zdot = w.rate.data() + 2 * free_, e.power = w.power.data(), e.scratch = w.scratch.data();
    e.rest = w.rest, e.load_factor = w.load_factor;
    e.map = w.map.data();
    w.q = e.q;
    e.pose = w.pose.data(), e.rows = &layout_.rows, e.D = w.D.data();
    e.row_value = w.row_value.data(), e.row_rate = w.row_rate.data(), e.row_partial = w.row_partial.data();
    e.row_drift = w.row_drift.data(), e.row_force = w.row_force.data();
    return e;
  }
  /// A view with poses and measures of that state.
  Eval look(const State& x, Workspace& w) const;
  /// f, zdot and power of all elements; forces of dry places at rest are not in them.
  void calc_forces(Eval& e) const {
    double* f = e.f;
    for (int i = 0; i < velocities_; ++i) f[i] = 0;
    if (!spatial_) {
      for (const Block* block : forces_) block->calc_forces(e);
      return;
    }
    for (double* T = e.row_force; T != e.row_force + layout_.rows.count(); ++T) *T = 0;
    calc_rows(e);
    for (const Block* block : forces_) block->calc_forces(e);
    spread(e);
  }
  void calc_rows(Eval& e) const;  ///< poses and measures of bodies in space; nothing acts on them yet
  /// Adds the forces that depend on the multipliers in Eval::lambda (friction loaded by reactions) to f, zdot and power.
  void calc_reactive(Eval& e) const {
    for (double* T = e.row_force; T != e.row_force + layout_.rows.count(); ++T) *T = 0;
    reactive_.calc(e);
    spread(e);
  }
  /// Time, forces and accelerations of the free scalar coordinates at once, where nothing can rest; e views x.
  void evaluate(State& x, double t, Eval& e, double* a) const {
    const bool drive = x.t != t;
    x.t = e.t = t;
    if (fused_) {
      fused_->evaluate(x, drive, e, velocities_, a);
    } else {
      if (drive) {
        for (const Block* block : drives_) block->set_time(x, t);
      }
      calc_forces(e);
      masses_.solve(e.q, e.f, a);
    }
  }
  /// Power of the drives of driven coordinates, once f holds everything that acts on them.
  void calc_drive_power(const Eval& e) const {
    const double *f = e.f + layout_.scalars, *v = e.v + layout_.scalars;
    for (int i = 0; i < layout_.driven; ++i) e.power[i] = -f[i] * v[i];
    for (int k = 0; k < held_; ++k) {  // drives of joints: force -lambda along a measure that moves
      const HeldRow& h = layout_.held[static_cast<std::size_t>(k)];
      if (h.account >= 0) e.power[h.account] = e.lambda[k] * e.row_partial[h.row];
    }
  }
  void calc_jacobian(const State&, Workspace&, JacobianSink&) const;
  /// Where row_force has all that acts on the rows; it is handed on, and changes.
  void calc_jacobian(Eval&, JacobianSink&) const;
  void calc_modes(const State&, Workspace&, Mode* mode) const;  ///< of every friction place; Readings::pace_count() of them
  Energy calc_energy(const State&, Workspace&) const;           ///< fills Workspace::stored by account
  Energy calc_energy(const Eval&, Workspace&) const;            ///< the same where poses and measures are at hand
  void accept(State&, Workspace&) const;                        ///< once per accepted step: project memory, update marks
  void keep_elastic(State&) const;                              ///< see Block::keep_elastic
  void follow(State&, Workspace&) const;                        ///< per state that a search passes, see Block::follow

 private:
  friend class StepForces;

  // parts of the constructor
  void add_roles(Block&);
  void add_rigid(RigidPlaces&, int& slot);
  void add_dry(DryPlaces&, ConstantRows&, int& slot);
  void spread(Eval& e) const;  // f -= D' row_force
  void hold_rows(Eval& e) const;
  void load_rows(Eval& e) const;
  void clear_loads(const Eval& e) const;
  Layout layout_;
  std::unique_ptr<FusedEvaluation> fused_;
  // of the layout, as steps ask for them often
  int free_ = 0, velocities_ = 0, held_ = 0;
  bool spatial_ = false;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<const Block*> drives_, forces_, kinetic_, stored_;  // by role
  std::vector<DryPlace> dry_;
  std::vector<RigidPlace> rigid_;
  std::vector<const FreeContacts*> groups_;
  std::vector<const Block*> poses_, rows_;
  std::vector<std::size_t> matrices_;  // bodies whose map is a matrix
  Masses masses_;
  ReactiveForces reactive_;
  Readings readings_;
  std::vector<double> constant_D_;  // values of rows that no block writes, the last ones
  std::optional<State> start_;
  bool remembers_ = false;
};

}  // namespace bristle
