#include "simbody_peer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

using namespace bristle::test;

namespace {

template <class Sample>
SimbodyResult result(const SimbodyRun<Sample>& run, double end, double error) {
  return {run.cpu / end, error, run.steps, run.evaluations, run.constraint_error};
}

}  // namespace

const char* name_of(SimbodyMethod method) {
  switch (method) {
    case SimbodyMethod::runge_kutta_merson: return "Runge-Kutta-Merson";
    case SimbodyMethod::cpodes_bdf: return "CPodes BDF";
    case SimbodyMethod::cpodes_adams: break;
  }
  return "CPodes Adams";
}

SimbodyResult run_simbody_slider_crank(double accuracy, SimbodyMethod method, double end) {
  const SpatialSliderCrank m;
  const auto run = simbody_spatial_slider_crank(m, {end}, {method, accuracy});
  return result(run, end, std::abs(run.samples[0].angle - m.run({end})[0].angle));
}

SimbodyResult run_simbody_planar_slider_crank(double accuracy, SimbodyMethod method, double end) {
  const PlanarSliderCrank m;
  const auto run = simbody_planar_slider_crank(m, {end}, {method, accuracy});
  return result(run, end, std::abs(run.samples[0].angle - m.run({end})[0].angle));
}

SimbodyResult run_simbody_chain(int links, double accuracy, SimbodyMethod method, double end) {
  const Chain chain{links};
  // the truth once per problem
  static std::map<std::pair<int, double>, Chain::State> known;
  auto [it, fresh] = known.try_emplace({links, end});
  if (fresh) it->second = chain.advance(chain.horizontal(), end);
  const auto run = simbody_chain(chain, {end}, {method, accuracy});
  double error = 0;
  for (std::size_t i = 0; i < it->second.angle.size(); ++i)
    error = std::max(error, std::abs(run.samples[0].angle[i] - it->second.angle[i]));
  return result(run, end, error);
}
