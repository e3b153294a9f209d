#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/core/layout.h"
#include "bristle/core/ledger.h"
#include "bristle/core/state.h"
#include "bristle/math/rotation.h"

namespace bristle {

/// Every buffer of an evaluation; one per thread. Never saved, never needed to reproduce a result.
struct Workspace {
  std::vector<double> f, zdot, power, stored, scratch;
  std::vector<double> rate;    ///< first-order form [tangent of q | acceleration | zdot], filled by the kernel of enforce/
  std::vector<double> a, lambda;
  std::vector<char> resting;   ///< per dry place: held in the last evaluation
  RestRule rest = RestRule::events;
};

/// A place with a dry law: its slots in lambda and who owns it.
struct DryPlace {
  const DryPlaces* owner = nullptr;
  int item = 0;
  int components = 1;
  int lambda = 0;   ///< first slot
  int account = 0;
  int mark = 0;     ///< [mode, direction (components)]
  std::vector<RestRow> rows;
  std::string name;
};

/// All that a method may call. Const after assembly; shared by threads.
class System {
 public:
  System(Layout layout, std::vector<std::unique_ptr<Block>> blocks);

  const Layout& layout() const { return layout_; }
  const std::vector<DryPlace>& dry() const { return dry_; }
  int guard_count() const { return guard_count_; }
  int pace_count() const { return pace_count_; }
  bool remembers() const { return remembers_; }  ///< accept changes something

  State make_state() const;  ///< at the time 0, with the initial values of the model
  Workspace make_workspace() const;

  void set_time(State&, double t) const;  ///< also moves the driven coordinates
  /// out = x moved by h * rate, rate in the first-order form; time, multipliers and marks are copied.
  void move(const State& x, double h, const double* rate, State& out, Chart = Chart::exponential) const;
  /// The step from one state to another in the first-order form: move(from, 1, step) gives to.
  void difference(const State& from, const State& to, double* step, Chart = Chart::exponential) const;

  Eval view(const State&, Workspace&) const;
  /// f, zdot and power of all elements; forces held at resting dry places are not in them.
  void calc_forces(const State&, Workspace&) const;
  void solve_mass(const State&, const double* f, double* a) const;
  /// Power of the drives of driven coordinates, once f holds everything that acts on them.
  void calc_drive_power(const State&, Workspace&) const;
  void calc_jacobian(const State&, Workspace&, JacobianSink&) const;
  void calc_guards(const State&, Workspace&, double* g) const;
  void calc_paces(const State&, Workspace&, Pace* pace, double* speed) const;
  void calc_modes(const State&, Workspace&, Mode* mode) const;  ///< of every friction place; pace_count() of them
  void calc_outputs(const State&, Workspace&, double* out) const;
  Energy calc_energy(const State&, Workspace&) const;  ///< fills Workspace::stored by account
  void accept(State&, Workspace&) const;               ///< once per accepted step: project memory, update marks

 private:
  Layout layout_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<const Block*> drives_, forces_, masses_, kinetic_, stored_;  // by role
  std::vector<DryPlace> dry_;
  int guard_count_ = 0, pace_count_ = 0;
  bool remembers_ = false;
};

}  // namespace bristle
