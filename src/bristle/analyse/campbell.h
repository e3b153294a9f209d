#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/modes.h"
#include "bristle/analyse/steady_rotation.h"
#include "bristle/record/sink.h"

namespace bristle {

struct CampbellPlan {
  RotationAxis axis;
  double time = 0;             ///< [s] for loads
  std::vector<double> speeds;  ///< [rad/s] rising, at least two
  std::vector<double> orders;  ///< of critical speeds: forces that turn so many times as fast, as seen in the frame
  int modes = 8;               ///< that are followed, at most
};

/// A speed at which a force of an order meets a resonance of the system without its damping.
struct CriticalSpeed {
  double speed = 0;  ///< [rad/s]
  double order = 0;
  double whirl = 0, across = 0;  ///< of the motion, as in RotorMode
  std::string largest;           ///< coordinate that moves the most
};

struct CampbellResult {
  RotationFrame frame = RotationFrame::turning;
  std::vector<double> speeds;                 ///< [rad/s]
  std::vector<State> states;                  ///< the steady rotations
  std::vector<std::vector<RotorMode>> modes;  ///< per speed; a mode keeps its place from speed to speed
  std::vector<CriticalSpeed> critical;        ///< by order and speed
  std::vector<double> orders;
};

/// Modes over speed, each followed by its shape, and critical speeds, each solved for. Leave friction out of the system.
/// Throws SolveError where the model has no steady rotation.
CampbellResult calc_campbell(const System&, const CampbellPlan&);
/// Samples over the speed instead of the time.
void record_campbell(const System&, const CampbellResult&, const RunHeader&, Sink&);
std::string campbell_text(const CampbellResult&);  ///< a table for people

/// Modes about a steady rotation.
ModesResult calc_rotor_modes(const System&, const RotationAxis&, double speed, const State& start);

/// What of a mode stands in tables: its undamped frequency, negative where it grows without swinging.
double frequency_of(const RotorMode&);
double damping_ratio_of(const RotorMode&);
const char* whirl_name(double whirl, double across);  ///< forward, backward, mixed or ""

}  // namespace bristle
