#include "bristle/record/hdf_sink.h"

#include <filesystem>

#include "bristle/record/checkpoint.h"
#include "bristle/record/run_reader.h"

namespace bristle {

namespace {

/// A checkpoint is for the run and the program that wrote it.
std::string owner_of(const std::string& program, const std::string& id) { return program + "\n" + id; }

}  // namespace

std::optional<KeptRun> HdfSink::kept_run(const RunHeader& header) {
  if (start_ == Start::anew) return std::nullopt;
  goes_on_ = true;
  return KeptRun{read_checkpoint(folder_.path(), owner_of(header.program, read_run_head(file()).header.id)), checkpoint_file()};
}

void HdfSink::take_begin(const RunHeader& header, const SinkCounts& from) {
  program_ = header.program;
  if (goes_on_) {
    writer_.emplace(RunWriter::append(file(), header, from.samples, from.events, from.steps));
    return;
  }
  if (start_ == Start::anew) folder_.begin(header.model_text);
  writer_.emplace(RunWriter::create(file(), header));
}

void HdfSink::keep(const Archive& archive) {
  writer_->flush();
  write_checkpoint(folder_.path(), archive, owner_of(program_, writer_->id()));
}

bool HdfSink::keeps_one() const { return has_checkpoint(folder_.path()); }

void HdfSink::take_end(const RunStatus& status) {
  writer_->close(status);
  // what is finished cannot be resumed
  if (status.end == RunStatus::End::finished || status.end == RunStatus::End::untrusted)
    std::filesystem::remove(checkpoint_file());
}

}  // namespace bristle
