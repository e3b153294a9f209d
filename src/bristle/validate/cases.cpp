#include "bristle/validate/cases.h"

#include <fmt/format.h>

#include <cmath>
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
  run_->calc_outputs(run_->state(), outputs_.data());
  return outputs_;
}

double Trial::read(int channel) { return outputs()[static_cast<std::size_t>(channel)]; }

void Rows::relative(const std::string& quantity, double published, double ours, double tolerance, const std::string& note) {
  rows_.push_back({quantity, fmt::format("{:.5g}", published), fmt::format("{:.5g}", ours),
                   std::abs(ours - published) <= tolerance * std::abs(published), note});
}

void Rows::absolute(const std::string& quantity, double published, double ours, double tolerance, const std::string& note) {
  rows_.push_back(
      {quantity, fmt::format("{:.7g}", published), fmt::format("{:.7g}", ours), std::abs(ours - published) <= tolerance, note});
}

void Rows::truth(const std::string& quantity, const std::string& published, const std::string& ours, bool pass,
                 const std::string& note) {
  rows_.push_back({quantity, published, ours, pass, note});
}

void Rows::shown(const std::string& quantity, const std::string& published, const std::string& ours, const std::string& note) {
  rows_.push_back({quantity, published, ours, true, note, false});
}

void Rows::differs(const std::string& quantity, const std::string& published, const std::string& ours,
                   const std::string& reason) {
  rows_.push_back({quantity, published, ours, true, "differs: " + reason, false});
}

}  // namespace bristle
