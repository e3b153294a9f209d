#pragma once
#include "bristle/enforce/row_choice.h"
#include "bristle/integrate/held_forces.h"
#include "bristle/integrate/integrator.h"
#include "bristle/integrate/shared_rest.h"
#include "bristle/integrate/step_matrix.h"

namespace bristle {

/** Steps whose energy is balanced exactly, for any step size: momenta at both ends of the step, forces whose work over the step is the
change of what they come from, rotations by Cayley vectors. Per step the increments of all coordinates are unknown; velocities follow,
(v_j + v_f)/2 = increment/h.

`energy_preserving`: v_j is the velocity before the step. Nothing is lost; second order.
`energy_decaying`: v_j comes from a jump at the start of the step, an internal impulse of strains that change faster than the velocities say,
and the projection of the velocities onto the joints. What the jump takes out is known and never negative; it damps strains that the step
cannot resolve, and no rigid motion. For small vibrations it is the linear time-discontinuous Galerkin method: third order, and
infinitely fast vibrations vanish in one step.

A dry place that rests has no slip after the jump and none over the step; what stops it is an impulse at the start, which only takes
energy out.

Contact and friction act over the step as constant forces (O. A. Bauchau and C. Ju, "Modeling Friction Phenomena in Flexible Multibody
Dynamics"). Derivation: docs/theory/energy-schemes.md. */
class EnergyScheme : public Integrator {
 public:
  EnergyScheme() { tolerances_.relative = 0; }
  MethodTraits traits() const override {
    MethodTraits t{.enforces = true, .owns_forces = true};
    if (controls_error()) t.control_error(tolerances_, 2);
    return t;
  }
  double first_step(const StepContext&, const State& x0) const override;
  std::string needs_refused(const System&) const override;
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;
  void restart() override;
  void save(Archive&) const override;
  void load(Archive&) override;
  /// Relative changes of the unknowns in the iterations of the last step.
  const std::vector<double>& changes() const { return changes_; }

 protected:
  void visit_common(Visitor& v);
  double jump_ = 0;  ///< 0: none
  JumpContact jump_contact_ = JumpContact::none;

 private:
  bool controls_error() const { return tolerances_.relative > 0; }
  struct Inertia {
    int v = 0, unknown = 0, count = 0;
    bool frame = false;        ///< six: mass and tensor of a body that turns in space
    std::vector<double> mass;  ///< row-major
  };
  void begin(const System&, const State& x0, double h);
  void find_mobilities(const System&);
  void predict(const State& x0, const double* rate0, double h, bool moving);
  void evaluate(const System&, Workspace&, const State& x0, State& x1);
  void put_ends(const System&, Workspace&, const State& x0, State& x1);
  void balance(const System&, const Workspace&, const State& x0);
  bool linearise(const System&);
  struct Balance;
  bool iterate(const System&, Workspace&, const State& x0, State& x1, Outcome&);
  // dry places at rest: energy_rest.cpp
  bool settle(StepContext&, const State& x0, State& x1, Outcome&);
  /// How a dry place is taken over the step: it slides (none), it is kept at rest whatever that takes (all), or it is kept with what it can
  /// hold, while others hold the rest (yields).
  enum class Hold { none, all, yields };
  void keep(const DryPlace&, int place, Hold);
  void share_rest(const System&);
  void calc_creep(const std::vector<double>& forces);
  bool reconsider(const System&, const State& x0, const State& x1, bool may_stop);
  template <class Take>
  void each_slip(const System&, int place, int component, const Take& take) const;
  /// Slip at the start of the step that no velocity makes, as on a belt.
  double given_slip(const RestRow& row) const { return row.arm * start_.row_partial[static_cast<std::size_t>(row.row)]; }
  bool stays(const System&, int place, double limit) const;
  bool stands_still(const System&, const DryPlace&, const State& x1, double limit);
  void balance_stops(const System&);
  void linearise_stops(const System&);
  double finish_stops(StepContext&, const State& x0);
  double estimate(const StepContext&, const State& x0, const State& x1, int* worst);
  bool turns_back(const System&, const State& x1, Outcome&);
  void control(const StepContext&, const State& x0, Outcome&);
  void finish(StepContext&, const State& x0, State& x1);

  Tolerances tolerances_;  // relative 0: fixed step
  double newton_tolerance_ = 1e-10;
  bool keep_factors_ = true;
  int limit_ = 25;

  int n_ = 0, held_ = 0, slots_ = 0, memory_ = 0;
  bool jumps_ = false, redundant_ = false, keeps_rates_ = false;
  // per dry place: held as Hold::all or as Hold::yields, as the marks of the middle say; has let go in this step and is not held again; has
  // been taken back once, after it yielded to one that has let go since
  std::vector<char> kept_, yields_, let_go_, returned_;
  std::vector<char> kept_slot_;  // at rest, by slot of lambda
  SharedRest shared_;
  std::vector<double> limit_start_, creep_;  // limits of dry places at the start of the step; by slot, C T of SharedRest
  std::vector<Inertia> inertia_;
  std::vector<int> planar_;        // unknowns that are angles about z
  std::vector<char> turns_;        // by unknown: 1: such an angle; 3: the first of a turn in space
  std::vector<double> lightness_;  // one over the inertia, by unknown
  RowChoice choice_;               // of held rows, where some follow from others
  HeldForces forces_;
  StepMatrix matrix_;

  double h_ = 0;
  StepEval eval_;
  Workspace start_, end_;
  State middle_;
  std::vector<Pose> half_;
  std::vector<double> room_;  // of the blocks, over a step
  std::vector<double> by_step_, impulse_, v_jump_, increments_, v_after_, lambda_, mu_, mobility_, b_, step_, z_;
  std::vector<double> changes_, error_;
  // what is learnt from step to step for the error: mean rates of coordinates and memory over the last step, and their divided differences
  // to the steps before; where the middles of those steps were
  std::vector<double> mean_, slope_, bend_, new_mean_, new_slope_, new_bend_;
  std::vector<double> third_;  // third derivatives of velocities, as the last four equal steps showed them
  double middles_[3] = {0, 0, 0}, last_h_ = 0;
  int known_ = 0, equal_ = 0;  // mean rates; steps of the same length
  bool first_ = true, rejected_ = false;
  struct Ended {
    double end = -1, h = 0;  // [s]
  } finished_, accepted_;    // the last step, and the last one that a step began where it ended
  double numerical_ = 0, z_change_ = 0;
  double noise_ = 0;    // what round-off leaves in the increments
  double mass_ = 0;     // largest
  double q_scale_ = 0;  // of coordinates: what round-off is measured by
  // what dry friction can move scalar coordinates by in the step: where they rest at their origin, the round-off of their places has nothing
  // else to be measured by
  double rest_scale_ = 0;
};

class EnergyPreserving final : public EnergyScheme {
 public:
  void visit(Visitor& v) { visit_common(v); }
};

class EnergyDecaying final : public EnergyScheme {
 public:
  EnergyDecaying() { jump_ = 1.0 / 6; }
  void visit(Visitor& v) {
    v("jump", jump_, unit::one, Range{0, 0.5, true, false},
      "share of the jump: 1/6 is of third order for vibrations; less damps less and is of second order");
    v.choice_of(
        "jump_contact", jump_contact_, {"none", "closed", "pushing"},
        "contact in the jump. closed: with the stiffness of its law at the start of the step; it may pull in the step in which surfaces part. "
        "pushing: with a stiffness that never makes it pull. Both stop stiff contact from chattering and take energy out of impacts that "
        "the step does not resolve");
    visit_common(v);
  }
};

}  // namespace bristle
