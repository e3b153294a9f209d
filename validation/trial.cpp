#include "validation/trial.h"

#include <stdexcept>

namespace bristle {

Trial::Trial(const std::string& text, const std::vector<std::string>& overrides)
    : model_(read_model_text(text, "validation.yaml", overrides)),
      system_(std::make_unique<System>(assemble(model_))),
      plan_(plan_transient(model_)),
      outputs_(system_->layout().channels.size()) {}

Run& Trial::start() {
  State x = system_->make_state();
  system_->set_time(x, plan_.start);
  return start(std::move(x));
}

Run& Trial::start(State x) {
  run_ = make_run(model_, *system_, plan_);
  run_->start(std::move(x));
  return *run_;
}

int Trial::channel(const std::string& name) const {
  const auto& channels = system_->layout().channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name == name) return static_cast<int>(i);
  }
  throw std::logic_error("no channel " + name);
}

const std::vector<double>& Trial::outputs() {
  system_->readings().calc_outputs(system_->look(run_->state(), run_->workspace()), outputs_.data());
  return outputs_;
}

double Trial::read(int channel) { return outputs()[static_cast<std::size_t>(channel)]; }

}  // namespace bristle
