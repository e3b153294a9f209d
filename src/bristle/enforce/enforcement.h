#pragma once
#include <memory>
#include <string>

#include "bristle/base/registry.h"
#include "bristle/base/visitor.h"

namespace bristle {

/// How held rows are enforced: the terms and the linear algebra in which the methods differ. All of them answer
///   M a + D' lambda = f,   D a + drift + 2 alpha Phi' + beta^2 Phi = softness * lambda
/// and differ in what stands on the right, in how it is solved and in what is done to the state around a step. Names and numbers M1 to M8
/// follow Frictional Contacts in Multibody Dynamics, section 2.3.
struct Enforcement {
  enum class Algebra {
    cholesky,       ///< of D M^-1 D'
    null_space,     ///< accelerations in the null space of D (M6)
    pseudo_inverse  ///< of D M^-1/2 (M7)
  };
  std::string name = "projection";
  double alpha = 0, beta = 0;  ///< [1/s] feedback of violations
  bool automatic = false;      ///< alpha = 1/h, beta = sqrt(2)/h
  double penalty = 0;          ///< [kg] softness = 1/penalty; 0: none
  int iterations = 1;          ///< passes that take the softness out again (M4)
  double tolerance = 0;        ///< [m/s^2] passes end early below this change
  Algebra algebra = Algebra::cholesky;
  bool completes = false;             ///< dependent coordinates follow from independent ones in every stage (M5)
  bool corrects = false;              ///< positions and velocities are corrected after every step (M8)
  bool plain_metric = false;          ///< corrections of least length, not of least kinetic energy
  double position_tolerance = 1e-12;  ///< of corrected positions
  double damping(double h) const { return automatic && h > 0 ? 2 / h : 2 * alpha; }
  double stiffness(double h) const { return automatic && h > 0 ? 2 / (h * h) : beta * beta; }
};

struct EnforcementEntry {
  std::string name, summary, reference;
  void (*describe)(Visitor&) = nullptr;
  Enforcement (*make)(Visitor&) = nullptr;
};
using EnforcementRegistry = Registry<EnforcementEntry>;
const EnforcementRegistry& enforcement_registry();

}  // namespace bristle
