#pragma once
#include "bristle/core/jacobian_sink.h"
#include "bristle/core/rows.h"
#include "bristle/core/step_eval.h"

namespace bristle {

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

}  // namespace bristle
