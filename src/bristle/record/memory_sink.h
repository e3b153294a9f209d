#pragma once
#include <string_view>
#include <vector>

#include "bristle/record/run_reader.h"
#include "bristle/record/sink.h"

namespace bristle {

/// Results as columns in memory: what a result file would hold, without the file.
class MemorySink final : public Sink {
 public:
  /// What reports, tables and `convert` take as well.
  const RunFile& run() const { return run_; }
  const RunStatus& status() const { return run_.status; }
  const std::vector<double>& time() const { return run_.time; }  ///< or what else samples go along: run().header.axis
  /// The numbers of a channel, one for each sample. Throws InputError with a suggestion.
  const std::vector<double>& channel(std::string_view name) const;
  const std::vector<RunEvent>& events() const { return run_.events; }

 private:
  void take_begin(const RunHeader& header, const SinkCounts&) override;
  void take_sample(double at, const double* values, const double* poses) override;
  void take_event(double t, int element, int kind) override;
  void take_step(double t, double h, int reason) override { run_.steps.push_back({t, h, reason}); }
  void take_end(const RunStatus& status) override { run_.status = status; }

  RunFile run_;
};

}  // namespace bristle
