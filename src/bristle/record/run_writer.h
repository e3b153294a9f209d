#pragma once
#include <memory>
#include <string>

#include "bristle/record/run_header.h"

namespace bristle {

/// Writes the result file of a run (HDF5). At any moment, also after the process was killed, the file under its name is complete
/// and holds everything up to the last flush; it may be opened while the run goes on. twin_file.h says how.
///
///     /time                            what samples go along: time [s], or what its name and unit say (speed of a Campbell diagram)
///     /channels/<element>/<quantity>   one data set for each channel, with unit, text and name; channels that differ in a number
///                                      alone are columns of one set (run_layout.h)
///     /energy/<quantity>               the channels energy.*
///     /frames/<body>                   poses (scene.h), seven numbers for each sample; those of a beam for each sample and node;
///                                      /scene says what the bodies look like
///     /events/{time,element,what}
///     /solver/{time,step,reason}       accepted steps; counts and integrator as attributes, /solver/reasons
///     /model                           text; sha256 of it, title, file, command, program, created, id; tables of names
///     /status                          end, message, summary
///
/// While a run is being written there is a second file `<path>.spare`; it may be deleted when no run is writing.
class RunWriter {
 public:
  /// Replaces a file of that name.
  static RunWriter create(const std::string& path, const RunHeader& header);
  /// Goes on with a file: cuts it to the counts a checkpoint knew.
  static RunWriter append(const std::string& path, long long samples, long long events, long long steps);
  /// The same, and the file has to be one of this model with these channels: InputError otherwise.
  static RunWriter append(const std::string& path, const RunHeader& header, long long samples, long long events, long long steps);
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  ~RunWriter();  ///< without close: flushes, the status stays `running`

  /// One number for each channel, and the poses of the bodies that move (calc_poses) where the header has such.
  void sample(double t, const double* values, const double* poses = nullptr);
  /// Something happened: indices into event_elements and event_kinds of the header.
  void event(double t, int element, int kind);
  /// An accepted step that ended at t; reason is an index into step_reasons, -1 for none.
  void step(double t, double h, int reason);
  /// Everything so far is in the file afterwards. Happens by itself about once per second.
  void flush();
  /// Flushes, writes the status, and releases the file. Nothing may be written afterwards.
  void close(const RunStatus& status);

  const std::string& id() const;  ///< of the run, as the header of the file has it
  long long samples() const;
  long long events() const;
  long long steps() const;

 private:
  struct Impl;
  explicit RunWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bristle
