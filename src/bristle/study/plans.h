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
#include "bristle/assemble/assemble.h"
#include "bristle/core/system.h"
#include "bristle/model/model.h"

// What a model says about its analysis, for who leads the analysis by hand; Study does it all at once.
namespace bristle {

TransientPlan plan_transient(const Model&, const Elements& = all_elements());
/// A run as the model asks for it, ready to start. The System must outlive it.
std::unique_ptr<Run> make_run(const Model&, const System&, const TransientPlan&, const Elements& = all_elements());

/// Of kinematics or inverse dynamics.
KinematicsPlan plan_kinematics(const Model&);
StaticsPlan plan_statics(const Model&);
CampbellPlan plan_campbell(const Model&);

/// About which state modes and matrices are taken, and what goes with them.
struct LinearPlan {
  bool equilibrium = false;  ///< false: as the model gives it
  double time = 0;           ///< [s] for loads and drives
  LinearAxes axes = LinearAxes::world;
  std::vector<std::string> inputs, outputs;                 ///< linearise: names of loads, patterns of channels
  enum class Write { json, csv, npz } write = Write::json;  ///< linearise: also A.csv, B.csv, C.csv, D.csv, or linear.npz
  std::optional<double> speed;                              ///< [rad/s] modes: about a steady rotation
  RotationAxis rotation;
};
LinearPlan plan_linear(const Model&);
/// The state that the plan asks for. Throws SolveError when there is no equilibrium.
State linear_state(const System&, const LinearPlan&);

/// x' = A x + B u, y = C x + D u.
struct StateSpace {
  Linearisation linear;
  std::vector<std::string> inputs;
  Eigen::MatrixXd B, D;
};
/// Small motions of a model, without friction; the system is that of the model without it.
StateSpace linearise_model(const Model&, const System&, const LinearPlan&, const Elements& = all_elements());
StateSpace linearise_model(const Model&, const LinearPlan&);

/// Kind of analysis: "transient", "modes", ...; unknown ones are refused.
std::string analysis_type(const Model&);
std::string title_of(const Model&);
/// Everything of the model is looked at, so that every mistake is found; used by `bristle check`.
void check_model(const Model&);

}  // namespace bristle
