#include "bristle/analyse/state_recorder.h"

#include "bristle/base/text.h"
#include "bristle/record/scene.h"

namespace bristle {

std::vector<Channel> state_channels(const Layout& layout) {
  std::vector<Channel> all = layout.channels;
  all.push_back({"energy.kinetic", "J", "kinetic energy"});
  all.push_back({"energy.stored", "J", "energy stored in springs, and of weights"});
  return all;
}

StateRecorder::StateRecorder(const System& system, const std::vector<std::string>& patterns, RunHeader& header)
    : system_(system), work_(system.make_workspace()) {
  const Layout& layout = system.layout();
  const std::vector<Channel> channels = state_channels(layout);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    bool wanted = patterns.empty();
    for (const std::string& p : patterns) wanted = wanted || wildcard_match(p, channels[i].name);
    if (!wanted) continue;
    chosen_.push_back(static_cast<int>(i));
    header.channels.push_back(channels[i]);
  }
  header.bodies = layout.bodies;
  header.joints = layout.joints;
  all_.assign(channels.size(), 0);
  values_.assign(chosen_.size(), 0);
  poses_.assign(static_cast<std::size_t>(kPose * moving_bodies(layout.bodies)), 0);
}

void StateRecorder::put(Sink& sink, const State& x, double at, double share) {
  work_.load_factor = share;
  system_.readings().calc_outputs(system_.look(x, work_), all_.data());
  const Energy energy = system_.calc_energy(x, work_);
  all_[all_.size() - 2] = energy.kinetic;
  all_[all_.size() - 1] = energy.stored;
  for (std::size_t i = 0; i < chosen_.size(); ++i) values_[i] = all_[static_cast<std::size_t>(chosen_[i])];
  calc_poses(system_.layout().bodies, x, work_.pose.data(), poses_.data());
  sink.sample(at, values_.data(), poses_.data());
}

}  // namespace bristle
