#include "bristle/analyse/singular_positions.h"

#include "bristle/base/index.h"

namespace bristle {

SingularPositions::SingularPositions(const Layout& layout, RunHeader& header) {
  for (const PlaceInfo& p : header.places) header.event_elements.push_back(p.name);
  const std::string* owner = nullptr;
  for (const HeldRow& held : layout.held) {
    const bool same = owner != nullptr && *owner == held.owner;
    element_.push_back(static_cast<int>(header.event_elements.size()) - (same ? 1 : 0));
    if (same) continue;
    owner = &held.owner;
    const std::size_t from = held.owner.find('\''), to = held.owner.rfind('\'');
    header.event_elements.push_back(to > from ? held.owner.substr(from + 1, to - from - 1) : held.owner);
  }
  kind_ = static_cast<int>(header.event_kinds.size());
  header.event_kinds.emplace_back("near a singular position");
}

void SingularPositions::after_step(Run& run, Sink& sink) {
  const bool near = run.kernel().held().near();
  if (near && !near_) sink.event(run.state().t, element_[u(run.kernel().held().weakest(run.state()))], kind_);
  near_ = near;
}

}  // namespace bristle
