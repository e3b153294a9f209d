#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/record/sink.h"

namespace bristle {

struct KinematicsPlan {
  double start = 0, end = 0;          ///< [s]
  double every = 0;                   ///< [s] between states
  std::vector<std::string> channels;  ///< patterns of what is recorded; empty: everything
  bool forces = false;                ///< the drive forces are what is asked for: they are part of the summary
};

/// What one drive has to give.
struct DriveForce {
  std::string name, unit;          ///< "crank.drive", N or N m
  double peak = 0, peak_time = 0;  ///< the largest, with its sign, and when [s]
  double rms = 0;                  ///< over the time of the run
  double work = 0;                 ///< [J] by the trapezoidal rule
};

struct KinematicsResult {
  RunStatus::End end = RunStatus::End::finished;
  std::string message;
  double t = 0;                    ///< [s] reached
  double wall = 0, processor = 0;  ///< [s] spent
  long long samples = 0;
  long long steps = 0;  ///< of the prediction; more than samples where a position was hard to find
  std::vector<DriveForce> drives;
};

/// Called with every state asked for: positions, velocities, accelerations and multipliers belong together.
using SeeState = std::function<void(const State&)>;

/// The motion of a system whose freedoms are all driven, from positions alone: Newton's method from a prediction by velocity and
/// acceleration; velocities, accelerations and reactions from the linear systems; drives by speed add up theirs by Gauss quadrature.
/// A position that does not exist ends it with a sentence, `end` failed. Throws InputError when freedoms are left, or when a
/// friction law has memory, whose history this analysis does not follow.
KinematicsResult run_kinematics(const System&, const KinematicsPlan&, const SeeState& see,
                                const std::atomic<bool>* stop = nullptr);

/// The same with channels, poses and status for a sink of results.
KinematicsResult record_kinematics(const System&, const KinematicsPlan&, const RunHeader&, Sink&,
                                   const std::atomic<bool>* stop = nullptr);

/// What keeps run_kinematics from starting: a sentence, or nothing.
std::string kinematics_problem(const System&);

}  // namespace bristle
