#pragma once
// Simbody as the peer of mechanisms, where it is installed (BRISTLE_HAVE_SIMBODY): time and error of the same problems, to be run in turns with ours.
#include "oracle/simbody_oracle.h"

using SimbodyMethod = bristle::test::SimbodySettings::Method;

struct SimbodyResult {
  double cpu_per_second = 0;  ///< processor time per simulated second, integration alone
  double error = 0;           ///< largest angle error at the end [rad], against minimal coordinates integrated to round-off
  int steps = 0, evaluations = 0;
  double constraint_error = 0;
};

const char* name_of(SimbodyMethod method);
/// The spatial slider-crank of the dissertation (universal joint, loop closed by a ball constraint), frictionless.
SimbodyResult run_simbody_slider_crank(double accuracy, SimbodyMethod method, double end = 5);
/// A slider-crank in the plane, loop closed by two rows.
SimbodyResult run_simbody_planar_slider_crank(double accuracy, SimbodyMethod method, double end = 5);
/// Rods of 1 m and 1 kg, pinned in a row, released from the horizontal.
SimbodyResult run_simbody_chain(int links, double accuracy, SimbodyMethod method, double end = 1);
