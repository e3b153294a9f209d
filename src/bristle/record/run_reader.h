#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/record/run_writer.h"

namespace bristle {

struct RunChannel {
  Channel channel;
  std::vector<double> values;
};
struct RunFrames {
  std::string body;
  std::vector<double> poses;  ///< kPose numbers for each time (scene.h)
};
struct RunEvent {
  double t = 0;
  std::string element, what;
};
struct RunStep {
  double t = 0, h = 0;
  int reason = -1;  ///< index into header.step_reasons
};

/// A result file in memory.
struct RunFile {
  std::string path;
  RunHeader header;  ///< with the names of all channels of the file; unit and text of those that were read
  RunStatus status;  ///< end == running: the run goes on, or was killed
  std::vector<double> time;
  std::vector<RunChannel> channels;  ///< the selected ones, in the order of the patterns, each once
  std::vector<RunEvent> events;
  std::vector<RunStep> steps;
  std::vector<RunFrames> frames;  ///< of the bodies that move, in the order of the header; read by the pattern `*` only

  const RunChannel* find(std::string_view name) const;  ///< nullptr when it was not read
};

/// Reads a result file, or `run.h5` of a folder. A pattern is a channel name, with `*` and `?` as wildcards; one that fits
/// nothing is an InputError with a suggestion. Without patterns only the header, status, times, events and steps are read.
RunFile read_run(const std::string& path, const std::vector<std::string>& patterns = {"*"});

/// Header and status alone.
RunFile read_run_head(const std::string& path);

/// The same with a choice of one's own among the channels of run.header.
using ChooseChannels = std::function<std::vector<std::size_t>(const RunFile& run)>;
RunFile read_run(const std::string& path, const ChooseChannels& choose, bool with_frames);

}  // namespace bristle
