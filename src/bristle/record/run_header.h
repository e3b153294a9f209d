#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bristle/core/layout.h"

namespace bristle {

/// What results say about their run before the first sample.
struct RunHeader {
  std::string axis = "time", axis_unit = "s";    ///< what one sample after the other goes along
  std::string title, program, command, created;  ///< program "bristle 0.1.0", created in ISO form
  std::string model_file, model_text;            ///< the exact input
  std::string id;                                ///< tells this run from every other one; a file makes one where it is empty
  std::string integrator;
  std::vector<Channel> channels;
  std::vector<PlaceInfo> places;
  std::vector<BodyInfo> bodies;  ///< in space; those but the ground have poses
  std::vector<JointInfo> joints;
  /// Names that the numbers of events and steps stand for.
  std::vector<std::string> event_elements;  ///< empty: the places, in their order
  std::vector<std::string> event_kinds = {"stick", "slip", "open"};
  std::vector<std::string> step_reasons;
};

/// How a run ended, and what is to be told about it.
struct RunStatus {
  enum class End {
    running,
    finished,
    interrupted,
    failed,
    untrusted
  };  ///< untrusted: it has reached its end, but see the message
  End end = End::running;
  std::string message;
  std::vector<std::pair<std::string, double>> counts;   ///< steps, Newton iterations, ...
  std::vector<std::pair<std::string, double>> reasons;  ///< what limited or rejected steps, how often
  std::vector<std::pair<std::string, std::string>> summary;
};
const char* name_of(RunStatus::End end);

}  // namespace bristle
