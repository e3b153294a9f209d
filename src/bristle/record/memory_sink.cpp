#include "bristle/record/memory_sink.h"

#include <limits>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/record/scene.h"

namespace bristle {

const std::vector<double>& MemorySink::channel(std::string_view name) const {
  if (const RunChannel* found = run_.find(name)) return found->values;
  std::vector<std::string> names;
  for (const RunChannel& c : run_.channels) names.push_back(c.channel.name);
  throw InputError({}, "there is no channel '" + shortened(name) + "' among the results." + did_you_mean(name, names));
}

void MemorySink::take_begin(const RunHeader& header, const SinkCounts&) {
  run_ = {};
  run_.header = header;
  if (run_.header.event_elements.empty())
    for (const PlaceInfo& p : header.places) run_.header.event_elements.push_back(p.name);
  for (const Channel& c : header.channels) run_.channels.push_back({c, {}});
  for (const BodyInfo& b : header.bodies)
    if (is_moving(b)) run_.frames.push_back({b.name, {}});
}

void MemorySink::take_sample(double at, const double* values, const double* poses) {
  run_.time.push_back(at);
  for (RunChannel& c : run_.channels) c.values.push_back(*values++);
  for (RunFrames& f : run_.frames) {
    if (poses == nullptr) {
      f.poses.insert(f.poses.end(), kPose, std::numeric_limits<double>::quiet_NaN());
    } else {
      f.poses.insert(f.poses.end(), poses, poses + kPose);
      poses += kPose;
    }
  }
}

void MemorySink::take_event(double t, int element, int kind) {
  const RunHeader& h = run_.header;
  run_.events.push_back({t, h.event_elements[static_cast<std::size_t>(element)], h.event_kinds[static_cast<std::size_t>(kind)]});
}

}  // namespace bristle
