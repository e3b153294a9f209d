#include "bristle/core/layout.h"

namespace bristle {

std::string Layout::name_of(int i) const {
  const int n = free();
  const auto coordinate = [&](int k) {
    if (k < scalars) return coordinates[static_cast<std::size_t>(k)];
    const int v = v_index(k);
    for (const BodyInfo& b : bodies) {
      if (v >= b.v && v < b.v + b.count) return b.name;
    }
    std::size_t frame = 0;
    while (frame + 1 < frames.size() && frames[frame + 1].unknown <= k) ++frame;
    return "frame " + std::to_string(frame);
  };
  if (i < 0) return "nothing";
  if (i < n) return "position of '" + coordinate(i) + "'";
  if (i < 2 * n) return "force balance of '" + coordinate(i - n) + "'";
  const auto m = static_cast<std::size_t>(i - 2 * n);
  return m < memory.size() ? "memory of '" + memory[m] + "'" : "memory";
}

const FrameCoordinates& Layout::add_frame(int more) {
  FrameCoordinates f;
  f.q = frames.empty() ? ground + 1 : frames.back().q + 7 + frames.back().more;
  f.v = frames.empty() ? ground + 1 : frames.back().v + 6 + frames.back().more;
  f.unknown = unknown(f.v);
  f.more = more;
  sizes.q = f.q + 7 + more;
  sizes.v = f.v + 6 + more;
  frames.push_back(f);
  return frames.back();
}

}  // namespace bristle
