#include "bristle/analyse/sampler.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bristle/analyse/constraint_error.h"
#include "bristle/base/index.h"
#include "bristle/base/text.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

constexpr int kEnergyChannels = 6;
constexpr int kConstraintChannels = 2;  // where rows are held

}  // namespace

Sampler::Sampler(Run& run, const TransientPlan& plan, RunHeader& header)
    : run_(run), every_(plan.every), start_(plan.start), trust_(run, plan.start), momentum_(run.system()) {
  const Layout& layout = run.system().layout();
  outputs_.assign(layout.channels.size(), 0);
  ledger_.assign(kEnergyChannels + layout.accounts.size(), 0);
  ledger_before_ = ledger_;
  const std::vector<Channel> channels = recordable_channels(layout);
  all_.assign(channels.size(), 0);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    // the sums of the ledger and the errors of the joints belong to every run
    bool wanted =
        plan.channels.empty() || channels[i].name.starts_with("energy.") || channels[i].name.starts_with("constraint_error.");
    for (const std::string& pattern : plan.channels) wanted = wanted || wildcard_match(pattern, channels[i].name);
    if (!wanted) continue;
    chosen_.push_back(static_cast<int>(i));
    header.channels.push_back(channels[i]);
    names_.push_back(channels[i].name);
  }
  values_.assign(chosen_.size(), 0);
  header.bodies = layout.bodies;
  header.joints = layout.joints;
  poses_.assign(u(kPose * moving_bodies(layout.bodies)), 0);
  probe_ = run.system().make_state();
}

void Sampler::first(Sink& sink) {
  read_ledger();
  ledger_before_ = ledger_;
  put(sink, run_.state(), 1);
  next_ = 1;
}

bool Sampler::after_step(Sink& sink, const std::atomic<bool>* stop) {
  const double t1 = run_.state().t, t0 = run_.previous().t;
  // the balance is struck where a sample is due in this step or may be in the next one
  if (every_ > 0 && t1 + 10 * (t1 - t0) < start_ + static_cast<double>(next_) * every_) return true;
  std::swap(ledger_, ledger_before_);
  read_ledger();
  if (every_ <= 0) {
    put(sink, run_.state(), 1);
    return true;
  }
  constexpr int kMany = 10000;  // fewer are soon done, and the run stays resumable here
  for (int inside = 0;; ++next_, ++inside) {
    const double t = start_ + static_cast<double>(next_) * every_;
    if (t > t1 + 1e-9 * every_) return true;
    if (t >= t1 - 1e-9 * every_ || !(t1 > t0)) {
      put(sink, run_.state(), 1);
    } else {
      if (inside > kMany && stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
      run_.interpolate(t, probe_);
      put(sink, probe_, (t - t0) / (t1 - t0));
    }
  }
}

void Sampler::last(Sink& sink) {
  if (!(run_.state().t - last_t_ > 1e-9 * every_)) return;
  read_ledger();  // the end may lie between two samples, where no balance is struck
  put(sink, run_.state(), 1);
}

void Sampler::load(Archive& a) {
  const std::size_t size = ledger_.size();
  a.get(next_), a.get(ledger_), a.get(last_t_), trust_.load(a);
  if (ledger_.size() != size) throw std::runtime_error("the checkpoint belongs to another model");
}

void Sampler::read_ledger() {
  const Ledger& l = run_.ledger();
  double* p = ledger_.data();
  *p++ = l.energy().kinetic;
  *p++ = l.energy().stored;
  *p++ = l.supplied();
  *p++ = l.dissipated();
  *p++ = l.numerical();
  *p++ = l.residual();
  std::copy(l.by_account().begin(), l.by_account().end(), p);
  trust_.look();
  // joints are judged at the ends of steps: between them states are interpolated
  if (run_.system().layout().held_count() == 0) return;
  run_.system().look(run_.state(), run_.workspace());
  trust_.sampled(run_.state().t, calc_constraint_error(run_.system(), run_.workspace(), run_.size()));
}

void Sampler::put(Sink& sink, const State& x, double part) {
  run_.system().readings().calc_outputs(run_.system().look(x, run_.workspace()), outputs_.data());
  std::copy(outputs_.begin(), outputs_.end(), all_.begin());
  for (std::size_t i = 0; i < ledger_.size(); ++i)
    all_[outputs_.size() + i] = ledger_before_[i] + part * (ledger_[i] - ledger_before_[i]);
  momentum_.calc(run_.system(), x, run_.workspace(), all_.data() + outputs_.size() + ledger_.size());
  if (run_.system().layout().held_count() > 0) {
    const ConstraintError off = calc_constraint_error(run_.system(), run_.workspace(), run_.size());
    all_[all_.size() - kConstraintChannels] = off.position;
    all_.back() = off.velocity;
  }
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    values_[i] = all_[u(chosen_[i])];
    if (!std::isfinite(values_[i])) trust_.undefined(x.t, names_[i]);
  }
  calc_poses(run_.system().layout().bodies, x, run_.workspace().pose.data(), poses_.data());
  sink.sample(x.t, values_.data(), poses_.data());
  last_t_ = x.t;
}

}  // namespace bristle
