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
#include "bristle/core/state.h"
#include "bristle/math/rotation.h"

namespace bristle {

/// Every buffer of an evaluation; one per thread. Never saved, never needed to reproduce a result.
struct Workspace {
  std::vector<double> f, power, stored;
  std::vector<double> scratch;  ///< of blocks, see Eval
  std::vector<double> step;     ///< an increment in the first-order form; of the method that interpolates
  std::vector<double> rate;     ///< first-order form [tangent of q | acceleration | zdot]; blocks write zdot, the kernel the rest
  std::vector<double> a, lambda;
  std::vector<Pose> pose;     ///< bodies in space
  std::vector<double> map;    ///< maps of frames that are matrices
  const double* q = nullptr;  ///< configuration of the state that was viewed last
  std::vector<double> D, row_value, row_rate, row_partial, row_drift, row_force;
  std::vector<char> resting;  ///< per dry place: kept at rest in the last evaluation
  RestRule rest = RestRule::events;
  double share = 1;  ///< of the loads; see Eval
  Eval eval;         ///< what blocks see; see System::bind
};

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
  int watch_count() const { return watch_count_; }                            ///< slips of laws whose rates change inside a step
  int pace_count() const { return pace_count_; }
  bool remembers() const { return remembers_; }  ///< accept changes something

  State make_state() const;  ///< at the time 0, with the initial values of the model
  /// Replaces the initial values, and says what initial assembly found about the held rows.
  void set_start(State x, std::vector<std::string> redundant, std::vector<std::string> singular, int freedoms) {
    start_ = std::move(x);
    layout_.redundant = std::move(redundant);
    layout_.singular = std::move(singular);
    layout_.freedoms = freedoms;
  }
  int held_count() const { return held_; }   ///< multipliers of held rows come first in lambda
  bool spatial() const { return spatial_; }  ///< bodies in space, or rows
  bool reactive() const { return !reactive_.empty(); }
  const std::vector<MassBlock>& mass_blocks() const { return mass_blocks_; }  ///< those that change: at the initial values
  bool constant_mass() const { return constant_mass_; }                       ///< none of them changes
  /// Number i of mass_blocks() at a configuration; `m` is a copy of it that is made anew.
  void calc_mass(std::size_t i, const double* q, MassBlock& m) const {
    if (!m.constant) mass_owners_[i]->calc_mass(q, m);
  }
  const std::vector<LoadSlope>& load_slopes() const { return load_slopes_; }
  Workspace make_workspace() const;

  /// Also moves the driven coordinates.
  void set_time(State& x, double t) const {
    if (x.t == t) return;  // the driven coordinates of a state always belong to its time
    x.t = t;
    for (const Block* block : drives_) block->set_time(x, t);
  }
  /// out = x moved by h * rate, rate in the first-order form; time, multipliers and marks are copied.
  void move(const State& x, double h, const double* rate, State& out, Chart chart = Chart::exponential) const {
    const int n = layout_.scalars, m = layout_.sizes.z, free = free_;
    const double *q = x.q(), *v = x.v(), *z = x.z(), *vdot = rate + free, *zdot = vdot + free;
    double *oq = out.q(), *ov = out.v(), *oz = out.z();
    for (int i = 0; i < n; ++i) {
      oq[i] = q[i] + h * rate[i];
      ov[i] = v[i] + h * vdot[i];
    }
    for (int i = 0; i < m; ++i) oz[i] = z[i] + h * zdot[i];
    if (!layout_.frames.empty()) move_frames(x, h, rate, out, chart);
  }
  /// Moves positions alone, by a displacement that is indexed as velocities are.
  void shift(State& x, const double* by) const;
  /// The step from one state to another in the first-order form: move(from, 1, step) gives to.
  void difference(const State& from, const State& to, double* step, Chart = Chart::exponential) const;

  Eval view(const State& x, Workspace& w) const {
    Eval e;
    e.t = x.t;
    e.q = x.q(), e.v = x.v(), e.z = x.z(), e.lambda = x.lambda(), e.a = x.a(), e.marks = x.marks();
    e.f = w.f.data(), e.zdot = w.rate.data() + 2 * free_, e.power = w.power.data(), e.scratch = w.scratch.data();
    e.rest = w.rest, e.share = w.share;
    e.map = w.map.data();
    w.q = e.q;
    e.pose = w.pose.data(), e.rows = &layout_.rows, e.D = w.D.data();
    e.row_value = w.row_value.data(), e.row_rate = w.row_rate.data(), e.row_partial = w.row_partial.data();
    e.row_drift = w.row_drift.data(), e.row_force = w.row_force.data();
    return e;
  }
  /// A view with poses and measures of that state.
  Eval look(const State& x, Workspace& w) const;
  /// Points Workspace::eval at a state. It stays valid while neither is resized: stages that move one state bind once.
  void bind(const State& x, Workspace& w) const { w.eval = view(x, w); }
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
    for (const Block* block : reactive_) block->calc_reactive(e);
    spread(e);
  }
  /// Over a whole step, whose poses are given, all at once: measures, forces, those that depend on multipliers, and what holds the rows.
  /// row_force has it all, as calc_step_jacobian wants it.
  void calc_step(StepEval& e) const;
  void calc_step_jacobian(StepEval&,
                          JacobianSink&) const;  ///< once calc_step has been called; row_force is handed on, and changes
  /// Their derivatives by the multipliers, in the order of load_slopes().
  void calc_load_slopes(const Eval& e, double* slope) const {
    for (const Block* block : reactive_) {
      block->calc_load_slopes(e, slope);
      slope += block->load_slope_count();
    }
  }
  /// Turns body rates into rates of the increment `step` (first-order form) from which the body's attitude was made by move.
  void chart_rate(const double* step, double* rate, Chart chart = Chart::exponential) const;
  /// Time, forces and accelerations of the free scalar coordinates at once, where nothing can rest; x is bound to the workspace.
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
      solve_mass(e.q, e.f, a);
    }
  }
  void solve_mass(const double* q, const double* f, double* a) const {
    for (const Block* block : masses_) block->solve_mass(q, f, a);
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
  void calc_jacobian(Eval&,
                     JacobianSink&) const;  ///< where row_force has all that acts on the rows; it is handed on, and changes
  void calc_watched(const State&, Workspace&, double* slip) const;  ///< before a step; watch_count() of them
  Overrun calc_overrun(const State& x0, const State& x1, Workspace&, const double* slip) const;  ///< after it
  Overrun calc_turn(const StepEval&, const Eval& end) const;  ///< the worst of all blocks, see Block::calc_turn
  void calc_paces(const State&, Workspace&, Pace* pace, double* speed) const;
  void calc_modes(const State&, Workspace&, Mode* mode) const;  ///< of every friction place; pace_count() of them
  void calc_outputs(const State&, Workspace&, double* out) const;
  Energy calc_energy(const State&, Workspace&) const;   ///< fills Workspace::stored by account
  Energy calc_energy(const Eval&, Workspace&) const;    ///< the same where poses and measures are at hand
  std::string trouble(const State&, Workspace&) const;  ///< a sentence about a pose that no element can answer for, or ""
  bool may_be_troubled() const { return troubled_; }
  int step_room() const { return step_room_; }  ///< numbers of StepEval::room that all blocks need
  std::string cannot_step() const;              ///< who has no force over a whole step, or ""
  bool has_stage() const;                       ///< somebody takes part in the jump of an energy scheme
  void accept(State&, Workspace&) const;        ///< once per accepted step: project memory, update marks

 private:
  // parts of the constructor
  void add_roles(Block&);
  void add_rigid(RigidPlaces&, int& slot);
  void add_dry(DryPlaces&, ConstantRows&, int& slot);
  void spread(Eval& e) const;  // f -= D' row_force
  void hold_rows(Eval& e) const;
  void load_rows(Eval& e) const;
  void clear_loads(const Eval& e) const;
  void move_frames(const State& x, double h, const double* rate, State& out, Chart) const;
  Layout layout_;
  std::unique_ptr<FusedEvaluation> fused_;
  int free_ = 0, velocities_ = 0;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<const Block*> drives_, forces_, masses_, kinetic_, stored_;  // by role
  std::vector<DryPlace> dry_;
  std::vector<RigidPlace> rigid_;
  std::vector<const FreeContacts*> groups_;
  std::vector<const Block*> poses_, rows_, reactive_;
  std::vector<MassBlock> mass_blocks_;
  std::vector<const Block*> mass_owners_;
  bool constant_mass_ = true;
  std::vector<std::size_t> matrices_;  // bodies whose map is a matrix
  std::vector<LoadSlope> load_slopes_;
  std::vector<double> constant_D_;  // values of rows that no block writes, the last ones
  std::optional<State> start_;
  int held_ = 0;
  bool spatial_ = false;
  int pace_count_ = 0, watch_count_ = 0, step_room_ = 0;
  bool remembers_ = false, troubled_ = false;
};

}  // namespace bristle
