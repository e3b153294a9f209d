#pragma once
#include <optional>
#include <string>

#include "bristle/core/archive.h"
#include "bristle/record/run_header.h"

namespace bristle {

/// How much a sink has been given.
struct SinkCounts {
  long long samples = 0, events = 0, steps = 0;
};

/// What a stopped run needs to go on, and where it is kept, for messages.
struct KeptRun {
  Archive archive;
  std::string place;
};

/** Where the results of an analysis go: a file, memory, both, nowhere. An analysis calls `begin` once, then samples, events and steps
    in the order of time, then `end`; when it breaks off there is no end. A kind of sink overrides the `take_` functions it has use for. */
class Sink {
 public:
  virtual ~Sink() = default;

  /// `from`: what a sink that keeps runs has of this one already, from before it was stopped.
  void begin(const RunHeader& header, const SinkCounts& from = {}) {
    counts_ = from;
    begun_ = true;
    take_begin(header, from);
  }
  /// One number for each channel of the header, and the poses of the bodies that move (calc_poses) where it has such.
  void sample(double at, const double* values, const double* poses = nullptr) {
    ++counts_.samples;
    take_sample(at, values, poses);
  }
  /// Something happened: indices into event_elements and event_kinds of the header.
  void event(double t, int element, int kind) {
    ++counts_.events;
    take_event(t, element, kind);
  }
  /// An accepted step that ended at t; reason is an index into step_reasons, -1 for none.
  void step(double t, double h, int reason) {
    ++counts_.steps;
    take_step(t, h, reason);
  }
  void end(const RunStatus& status) { take_end(status); }

  bool begun() const { return begun_; }
  const SinkCounts& counts() const { return counts_; }

  /// A run that is to go on from where it was stopped; asked before `begin`. Nothing: it starts.
  virtual std::optional<KeptRun> kept_run(const RunHeader&) { return std::nullopt; }
  /// Keeps what the run needs to go on from here, with everything that was given so far.
  virtual void keep(const Archive&) {}
  virtual bool keeps_one() const { return false; }           ///< there is a kept state of this run
  virtual std::string resume_command() const { return {}; }  ///< how a user goes on; empty where nothing is kept

 private:
  virtual void take_begin(const RunHeader&, const SinkCounts&) {}
  virtual void take_sample(double, const double*, const double*) {}
  virtual void take_event(double, int, int) {}
  virtual void take_step(double, double, int) {}
  virtual void take_end(const RunStatus&) {}

  SinkCounts counts_;
  bool begun_ = false;
};

/// Counts, and forgets: for who asks the analysis alone.
class NoSink final : public Sink {};

/// Passes everything on to two sinks. A run that goes on is what the first one has kept; the second gets what is new.
class Tee final : public Sink {
 public:
  Tee(Sink& first, Sink& second) : first_(first), second_(second) {}
  std::optional<KeptRun> kept_run(const RunHeader& header) override { return first_.kept_run(header); }
  void keep(const Archive& archive) override { first_.keep(archive); }
  bool keeps_one() const override { return first_.keeps_one(); }
  std::string resume_command() const override { return first_.resume_command(); }

 private:
  void take_begin(const RunHeader& header, const SinkCounts& from) override {
    first_.begin(header, from);
    second_.begin(header);
  }
  void take_sample(double at, const double* values, const double* poses) override {
    first_.sample(at, values, poses);
    second_.sample(at, values, poses);
  }
  void take_event(double t, int element, int kind) override {
    first_.event(t, element, kind);
    second_.event(t, element, kind);
  }
  void take_step(double t, double h, int reason) override {
    first_.step(t, h, reason);
    second_.step(t, h, reason);
  }
  void take_end(const RunStatus& status) override {
    first_.end(status);
    second_.end(status);
  }

  Sink& first_;
  Sink& second_;
};

}  // namespace bristle
