#pragma once
#include <optional>
#include <string>

#include "bristle/record/run_folder.h"
#include "bristle/record/run_writer.h"
#include "bristle/record/sink.h"

namespace bristle {

/// Writes `run.h5` of a folder, and keeps a checkpoint beside it until the run is finished. Until `begin` nothing in the folder
/// changes: an analysis that is refused, or fails before its first sample, leaves the former run in it as it was.
class HdfSink final : public Sink {
 public:
  enum class Start {
    anew,
    resume  ///< goes on with what the folder has; an analysis that keeps no checkpoints starts again
  };
  /// The folder must outlive it.
  explicit HdfSink(RunFolder& folder, Start start = Start::anew) : folder_(folder), start_(start) {}

  std::optional<KeptRun> kept_run(const RunHeader&) override;
  void keep(const Archive&) override;
  bool keeps_one() const override;
  std::string resume_command() const override { return "bristle resume " + folder_.path(); }

 private:
  void take_begin(const RunHeader&, const SinkCounts&) override;
  void take_sample(double at, const double* values, const double* poses) override { writer_->sample(at, values, poses); }
  void take_event(double t, int element, int kind) override { writer_->event(t, element, kind); }
  void take_step(double t, double h, int reason) override { writer_->step(t, h, reason); }
  void take_end(const RunStatus& status) override;
  std::string file() const { return folder_.path() + "/run.h5"; }
  std::string checkpoint_file() const { return folder_.path() + "/checkpoint.bin"; }

  RunFolder& folder_;
  Start start_;
  bool goes_on_ = false;  // the run has taken what was kept
  std::string program_;
  std::optional<RunWriter> writer_;
};

}  // namespace bristle
