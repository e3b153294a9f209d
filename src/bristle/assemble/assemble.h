#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/analyse/campbell.h"
#include "bristle/analyse/kinematics.h"
#include "bristle/analyse/linearise.h"
#include "bristle/analyse/statics.h"
#include "bristle/analyse/transient.h"
#include "bristle/core/system.h"
#include "bristle/model/model.h"

namespace bristle {

struct AssembleOptions {
  bool friction = true;  ///< false: leave out all friction, as for linear modes
};

/// Makes the System of a model: numbers the state, makes blocks, checks names, units and combinations. Throws InputError.
System assemble(const Model&, AssembleOptions = {});

/// What the model says about a transient analysis.
TransientPlan plan_transient(const Model&);

/// A run as the model asks for it, ready to start. The System must outlive it.
std::unique_ptr<Run> make_run(const Model&, const System&, const TransientPlan&);

/// What the model says about an analysis of kinematics or inverse dynamics.
KinematicsPlan plan_kinematics(const Model&);
StaticsPlan plan_statics(const Model&);

/// About which state modes and matrices are taken, and what goes with them.
struct LinearPlan {
  bool equilibrium = false;  ///< false: as the model gives it
  double time = 0;           ///< [s] for loads and drives
  LinearAxes axes = LinearAxes::world;
  std::vector<std::string> inputs, outputs;  ///< linearise: names of loads, patterns of channels
  bool csv = false, npz = false;             ///< linearise: also A.csv, B.csv, C.csv, D.csv, or linear.npz
  std::optional<double> speed;               ///< [rad/s] modes: about a steady rotation
  RotationAxis rotation;
};
LinearPlan plan_linear(const Model&);
CampbellPlan plan_campbell(const Model&);
/// The state that the plan asks for. Throws SolveError when there is no equilibrium.
State linear_state(const System&, const LinearPlan&);

/// x' = A x + B u, y = C x + D u.
struct StateSpace {
  Linearisation linear;
  std::vector<std::string> inputs;
  Eigen::MatrixXd B, D;
};
/// Small motions of a model, without friction.
StateSpace linearise_model(const Model&, const LinearPlan&);

/// Kind of analysis: "transient", "kinematics", "inverse_dynamics", "statics", "modes", "campbell" or "linearise".
std::string analysis_type(const Model&);
std::string title_of(const Model&);
/// Everything of the model is looked at, so that every mistake is found; used by `bristle check`.
void check_model(const Model&);

}  // namespace bristle
