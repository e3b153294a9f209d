#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/record/sink.h"

namespace bristle {

struct StaticsOptions {
  enum class Control {
    descent,    ///< goes downhill to a stable equilibrium; where that fails, follows the loads
    load,       ///< follows the loads in steps
    arc_length  ///< follows the curve of equilibria, through points where the load has to fall
  };
  Control control = Control::descent;
  double step = 1;    ///< largest step of the load factor, or of the arc, in one step
  int points = 2000;  ///< on the way, at most
  int iterations = 500;
  double tolerance = 1e-11;  ///< of the forces that are left, relative to the largest force in the system; no physics
  bool stability = true;     ///< also look at the reduced stiffness; not beyond 400 freedoms
  bool leave = true;         ///< from an equilibrium that is unstable go on to another one; needs `stability`
};

struct Equilibrium {
  enum class Kind { unknown, stable, neutral, unstable };
  bool found = false;
  std::string message;     ///< when it was not found: what is off, and where
  State state;             ///< at rest, with the multipliers that hold it; the last one when it was not found
  double load_factor = 1;  ///< of the loads that the state is in balance with
  double residual = 0;     ///< relative
  int iterations = 0;
  Kind kind = Kind::unknown;
  int freedoms = 0;
  std::vector<double>
      squares;        ///< [1/s^2] eigenvalues of the reduced stiffness over the mass, rising: squares of the frequencies
  double stored = 0;  ///< [J]
};
const char* name_of(Equilibrium::Kind kind);

/// A state of rest near the start: f(q) - D' lambda = 0 and Phi(q) = 0 with v = 0. Newton's method with a falling multiple of a
/// metric of displacements and turns added to the stiffness (pseudo-transient continuation): far away it follows the forces downhill, near
/// by it is Newton's method; masses have no part in it. Steps that would go uphill are taken back, and where the start happens to be an unstable equilibrium it is
/// pushed off along the mode that grows, so that the end is stable wherever there is a stable one to be found. Drives stand still at the time of the state, memory and states of the user keep their values. Friction that
/// could hold another position should be left out of the system (AssembleOptions::friction).
Equilibrium find_equilibrium(const System&, const State& start, const StaticsOptions& = {});

/// The start of a run from rest: an equilibrium near a state, without what friction could hold; drives have their speeds.
/// Throws SolveError when there is none.
State equilibrium_start(const System&, const State& start);

struct StaticsPlan {
  double time = 0;                    ///< [s] for loads and drives
  std::vector<std::string> channels;  ///< patterns; empty: everything
  StaticsOptions options;
};
/// find_equilibrium from the start of the system, which becomes a run of one sample; or follow_loads, one sample for each point.
Equilibrium run_statics(const System&, const StaticsPlan&, const RunHeader&, Sink&);

/// A table for people: positions and what joints carry.
std::string statics_text(const System&, const Equilibrium&);

}  // namespace bristle
