#include "bristle/analyse/step_stability.h"

#include <algorithm>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr int kFirstLook = 12,
              kNextLook =
                  2;  // powers of the Jacobian: at forces of which nothing is known, and at those that were known a step ago
constexpr double kMostTimes = 8;  // as long as is stable, where a memory says that it has run away
constexpr double kRunAway = 4;    // memory over what its law lets it reach: overshoot is less
constexpr int kNowAndThen = 10;   // steps between looks, where nothing comes or goes

int touching(const std::vector<Pace>& pace) {
  return static_cast<int>(std::count_if(pace.begin(), pace.end(), [](const Pace& p) { return p.opens && p.gap < 0; }));
}
double fastest_memory(const std::vector<Pace>& pace) {
  double rate = 0;
  for (const Pace& p : pace) rate = std::max(rate, p.rate);
  return rate;
}
}  // namespace

StepStability::StepStability(RunContext& run, bool forces)
    : run_(run), forces_(forces), work_(std::make_unique<Workspace>(run.system.make_workspace())), probe_(run) {
  pace_.resize(u(run_.system.readings().pace_count()));
  speed_.assign(pace_.size(), 0);
}

void StepStability::begin() {
  probe_.forget();
  touched_ = since_ = 0;
  known_ = 0;
}

double StepStability::fastest_at_start(const std::vector<Pace>& pace) {
  const double memory = fastest_memory(pace);
  if (!forces_) return memory;
  const int touched = touching(pace);
  if (touched == 0) known_ = 0;
  const bool rubs = std::any_of(pace.begin(), pace.end(), [](const Pace& p) { return !p.opens && p.rate_at_speed > 0; });
  if (touched > 0 || (rubs && (since_ == 0 || since_ >= kNowAndThen))) {
    const bool first = touched > touched_ || known_ == 0;
    known_ = probe_.look(*run_.x0, run_.here.rate.data(), *work_, first ? kFirstLook : kNextLook);
    since_ = 0;
  }
  touched_ = touched, ++since_;
  return std::max(memory, known_);
}

double StepStability::fastest_at_end() {
  run_.system.readings().calc_paces(run_.system.look(*run_.x1, *work_), pace_.data(), speed_.data());
  double memory = fastest_memory(pace_);
  // surfaces that touched and parted inside the step tell nothing at either end; a memory that ran away meanwhile does
  const double excess = run_.system.readings().calc_excess(run_.x1->z());
  if (!(excess <= kRunAway)) memory = std::max(memory, std::min(excess, kMostTimes) * kStands / (run_.x1->t - run_.x0->t));
  if (!forces_ || touching(pace_) <= touched_) return memory;
  return std::max(memory, probe_.look(*run_.x1, *work_, kFirstLook));
}

}  // namespace bristle
