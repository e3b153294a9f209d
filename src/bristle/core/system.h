#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/core/fused.h"
#include "bristle/core/layout.h"
#include "bristle/core/ledger.h"
#include "bristle/core/state.h"
#include "bristle/math/rotation.h"

namespace bristle {

/// Every buffer of an evaluation; one per thread. Never saved, never needed to reproduce a result.
struct Workspace {
  std::vector<double> f, power, stored, scratch;
  std::vector<double> rate;  ///< first-order form [tangent of q | acceleration | zdot]; blocks write zdot, the kernel the rest
  std::vector<double> a, lambda;
  std::vector<char> resting;  ///< per dry place: held in the last evaluation
  RestRule rest = RestRule::events;
  Eval eval;  ///< what blocks see; see System::bind
};

/// A place with a dry law: its slots in lambda and who owns it.
struct DryPlace {
  const DryPlaces* owner = nullptr;
  int item = 0;
  int components = 1;
  int lambda = 0;  ///< first slot
  int account = 0;
  int mark = 0;  ///< [mode, direction (components)]
  std::vector<RestRow> rows;
  std::string name;
};

/// All that a method may call. Const after assembly; shared by threads.
class System {
 public:
  System(Layout layout, std::vector<std::unique_ptr<Block>> blocks);

  /// Evaluates the blocks by type from now on. For assembly; the fused blocks are all that drive, pull and weigh.
  void fuse(std::unique_ptr<FusedEvaluation> fused) { fused_ = std::move(fused); }

  const Layout& layout() const { return layout_; }
  const std::vector<DryPlace>& dry() const { return dry_; }
  int guard_count() const { return guard_count_; }
  int pace_count() const { return pace_count_; }
  bool remembers() const { return remembers_; }  ///< accept changes something

  State make_state() const;  ///< at the time 0, with the initial values of the model
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
    if (layout_.frames > 0) move_frames(x, h, rate, out, chart);
  }
  /// The step from one state to another in the first-order form: move(from, 1, step) gives to.
  void difference(const State& from, const State& to, double* step, Chart = Chart::exponential) const;

  Eval view(const State& x, Workspace& w) const {
    Eval e;
    e.t = x.t;
    e.q = x.q(), e.v = x.v(), e.z = x.z(), e.lambda = x.lambda(), e.a = x.a(), e.marks = x.marks();
    e.f = w.f.data(), e.zdot = w.rate.data() + 2 * free_, e.power = w.power.data(), e.scratch = w.scratch.data();
    e.rest = w.rest;
    return e;
  }
  /// Points Workspace::eval at a state. It stays valid while neither is resized: stages that move one state bind once.
  void bind(const State& x, Workspace& w) const { w.eval = view(x, w); }
  /// f, zdot and power of all elements; forces held at resting dry places are not in them.
  void calc_forces(Eval& e) const {
    double* f = e.f;
    for (int i = 0; i < velocities_; ++i) f[i] = 0;
    for (const Block* block : forces_) block->calc_forces(e);
  }
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
  }
  void calc_jacobian(const State&, Workspace&, JacobianSink&) const;
  void calc_guards(const State&, Workspace&, double* g) const;
  void calc_paces(const State&, Workspace&, Pace* pace, double* speed) const;
  void calc_modes(const State&, Workspace&, Mode* mode) const;  ///< of every friction place; pace_count() of them
  void calc_outputs(const State&, Workspace&, double* out) const;
  Energy calc_energy(const State&, Workspace&) const;  ///< fills Workspace::stored by account
  void accept(State&, Workspace&) const;               ///< once per accepted step: project memory, update marks

 private:
  void move_frames(const State& x, double h, const double* rate, State& out, Chart) const;
  Layout layout_;
  std::unique_ptr<FusedEvaluation> fused_;
  int free_ = 0, velocities_ = 0;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<const Block*> drives_, forces_, masses_, kinetic_, stored_;  // by role
  std::vector<DryPlace> dry_;
  int guard_count_ = 0, pace_count_ = 0;
  bool remembers_ = false;
};

}  // namespace bristle
