#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "bristle/record/memory_sink.h"
#include "bristle/study/study.h"

/// A channel of a model, over the samples of its run.
inline std::vector<double> run_in_memory(const std::string& model_file, const std::string& channel) {
  bristle::Study study(bristle::read_model(model_file));
  bristle::MemorySink results;
  const auto result = study.run(results);
  if (result->exit_code() != bristle::kOk) throw std::runtime_error(result->message);
  return results.channel(channel);
}
