#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/// Axes in which turns of rigid bodies are counted. They matter only about a state that moves: a symmetric rotor has constant
/// matrices in both, an asymmetric one only in its own axes, one on asymmetric supports only in those of the world.
enum class LinearAxes { world, body };

/// Small motions about a state, in the independent coordinates that the held rows leave:
///   x = [s | s' | z],   x' = A x,   y = C x,
/// where s are changes of some of the free coordinates (the others follow: basis * s) and s' changes of their velocities. Drives stand
/// still at their time, friction should be left out of the system (AssembleOptions::friction).
struct Linearisation {
  std::vector<std::string> coordinates;  ///< of s: "arm.turn_z"
  std::vector<std::string> memory;       ///< of z
  std::vector<std::string> outputs;      ///< of y
  Eigen::MatrixXd A, C;
  Eigen::MatrixXd basis;                    ///< free velocities by s
  Eigen::MatrixXd mass;                     ///< of s
  std::vector<int> independent;             ///< the free velocities that s are
  Eigen::VectorXd rate;                     ///< of s' at the state itself: not zero where it is no equilibrium
  bool moving = false;                      ///< the state has velocities
  double doubt = 0;                         ///< how far two widths of differences disagree, of the largest number of A
  std::vector<std::string> states() const;  ///< names of x
};

struct LineariseOptions {
  LinearAxes axes = LinearAxes::world;
  bool memory = true;                ///< states of the user are part of x; false: they stand still
  std::vector<std::string> outputs;  ///< patterns of channels
};

/// By central differences of the accelerations on the constraint manifold, extrapolated: about ten digits of the largest numbers in a row.
/// Throws SolveError where the joints cannot be followed, as at a dead centre.
Linearisation linearise(const System&, const State& x, const LineariseOptions& = {});

/// How the rates of x and the outputs change with a force: both systems are of one layout and differ in a load.
void calc_input(const System&, const System& loaded, const State& x, const Linearisation&, LinearAxes, Eigen::VectorXd& B,
                Eigen::VectorXd& D);

}  // namespace bristle
