#pragma once
// The mechanisms of support/reference_mechanisms.h in Simbody, where it is installed (BRISTLE_HAVE_SIMBODY): joint coordinates, loops closed
// by constraints with projection. A peer for results and for time.
#include <vector>

#include "support/closed_forms.h"
#include "support/reference_mechanisms.h"

namespace bristle::test {

struct SimbodySettings {
  enum class Method {
    runge_kutta_merson,
    cpodes_bdf,
    cpodes_adams,  ///< not for closed loops: Simbody 3.7 ends with NaN there
  };
  Method method = Method::runge_kutta_merson;
  double accuracy = 1e-10;  ///< of each step, relative; constraints are kept to a tenth of it
};
/// What a run gave at the asked times, and what it cost.
template <class Sample>
struct SimbodyRun {
  std::vector<Sample> samples;
  double cpu = 0;  ///< [s] of the processor, integration alone
  int steps = 0, evaluations = 0;
  double constraint_error = 0;  ///< largest position error of a constraint at the asked times
};

struct SpinSample {
  double t;
  Triple spin;  ///< body axes
  Matrix33 attitude;
};

SimbodyRun<SpatialSliderCrank::Sample> simbody_spatial_slider_crank(const SpatialSliderCrank& m, const std::vector<double>& times,
                                                                    const SimbodySettings& settings = {});
SimbodyRun<PlanarSliderCrank::Sample> simbody_planar_slider_crank(const PlanarSliderCrank& m, const std::vector<double>& times,
                                                                  const SimbodySettings& settings = {});
SimbodyRun<Chain::State> simbody_chain(const Chain& chain, const std::vector<double>& times,
                                       const SimbodySettings& settings = {});
/// The last joint closes the loop by its place and one of its two directions: the other one is the redundant row.
SimbodyRun<BricardMechanism::Sample> simbody_bricard(const BricardMechanism& m, const std::vector<double>& times,
                                                     const SimbodySettings& settings = {});
SimbodyRun<SpinSample> simbody_free_body(const Triple& inertia, const Triple& spin, const std::vector<double>& times,
                                         const SimbodySettings& settings = {});

}  // namespace bristle::test
