#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bristle/assemble/assemble.h"
#include "bristle/ensemble/ensemble.h"
#include "bristle/model/model.h"

/// The highest speed of a body, for several stiffnesses of the spring that pulls it.
inline std::vector<double> highest_speeds(const std::string& model_file, const std::vector<double>& stiffness) {
  bristle::Ensemble ensemble;
  for (double k : stiffness) {
    const std::vector<std::string> overrides{fmt::format("forces.spring.stiffness={} N/m", k)};
    ensemble.add(bristle::assemble(bristle::read_model(model_file, overrides)));
  }
  const bristle::EnsembleResult result = ensemble.run({.end = 10, .step = 50e-6, .every = 20, .channels = {"mass.velocity"}});
  std::vector<double> highest;
  for (const bristle::VariantResult& variant : result.variants) highest.push_back(variant.channels[0].highest);
  return highest;
}
