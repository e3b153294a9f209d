#include "bristle/analyse/singular_positions.h"

namespace bristle {

SingularPositions::SingularPositions(const Layout& layout, RunHeader& header) : first_(header.places.size()) {
  for (const PlaceInfo& p : header.places) header.event_elements.push_back(p.name);
  for (const HeldRow& held : layout.held) {
    if (!owners_.empty() && owners_.back() == held.owner) continue;
    owners_.push_back(held.owner);
    const std::size_t from = held.owner.find('\''), to = held.owner.rfind('\'');
    header.event_elements.push_back(to > from ? held.owner.substr(from + 1, to - from - 1) : held.owner);
  }
  kind_ = static_cast<int>(header.event_kinds.size());
  header.event_kinds.emplace_back("near a singular position");
}

void SingularPositions::after_step(Run& run, Sink& sink) {
  const bool near = run.kernel().near();
  if (near && !near_) {
    const std::string row = run.kernel().weakest_row(run.system(), run.state());
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      if (!row.starts_with(owners_[i] + " (")) continue;
      sink.event(run.state().t, static_cast<int>(first_ + i), kind_);
      break;
    }
  }
  near_ = near;
}

}  // namespace bristle
