#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/layout.h"

namespace bristle {

/// A name with one number in it: "rod.17.position.x" is "rod.*.position.x" and 17.
struct NumberedName {
  std::string pattern;
  int number = 0;
};
/// Of a channel: the first part that is a whole number with words on both sides; "shoe.slip.1" and "order.0.5.frequency" have none.
std::optional<NumberedName> numbered_name(std::string_view channel);

/// A data set of samples: of one channel or body, or of several that are gathered side by side.
struct SampleSet {
  std::string path;
  std::string name;                  ///< of the channel or body; gathered: with `*` in the place of what differs
  std::vector<std::size_t> members;  ///< which channels or bodies, in the order of the columns
  std::vector<std::string> labels;   ///< what differs, for each column; empty: not gathered
  bool is_gathered() const { return !labels.empty(); }
};

/// Where the channels of a result file are. This is the only place that knows.
///
/// "pin.gap" is `/channels/pin/gap`, "energy.kinetic" is `/energy/kinetic`. Numbered channels are columns of one set: all
/// "rod.<number>.position.x" are `/channels/rod/position.x`. Where another channel is there already, the set is
/// `/channels/rod/*.position.x`. Files of version 1 have a set for each channel: `gather` is false for them.
std::vector<SampleSet> channel_sets(const std::vector<Channel>& channels, bool gather);
/// The same for poses. A body is `/frames/<body>`; nodes "<beam>.<node>" are gathered in `/frames/<beam>`, or in `/frames/<beam>.*`
/// where a body has that name. Members count the bodies that move.
std::vector<SampleSet> frame_sets(const std::vector<BodyInfo>& bodies, bool gather);

}  // namespace bristle
