// What a run remembers beside its state: resumed, it goes on to the bit.
#include <stdexcept>

#include "bristle/analyse/attempts.h"
#include "bristle/analyse/run.h"

namespace bristle {

void Run::save(Archive& a) const {
  a.put(x0_->t);
  a.put(std::vector<double>(x0_->numbers().begin(), x0_->numbers().end()));
  a.put(rate_), a.put(power_);
  a.put(last_step_), a.put(next_step_), a.put(usual_step_), a.put(last_.next), a.put(last_.error), a.put(error_.h);
  a.put(counts_), a.put(switches_without_progress_), a.put(unbalanced_), a.put(last_switch_time_);
  a.put(modes_), a.put(fastest_), a.put(speed_before_), a.put(turning_);
  a.put(balanced_), a.put(least_energy_), a.put(size_), a.put(given_course_.start());
  clock_.save(a);
  ledger_.save(a);
  held_back_.save(a);
  kernel_.save(a);
  for (const auto& c : controllers_) c->save(a);
  integrator_->save(a);
}

void Run::load(Archive& a) {
  *x0_ = system_.make_state();
  std::vector<double> numbers;
  a.get(x0_->t);
  a.get(numbers);
  if (numbers.size() != x0_->numbers().size()) throw std::runtime_error("the checkpoint belongs to another model");
  std::copy(numbers.begin(), numbers.end(), x0_->numbers().begin());
  *x1_ = *x0_;
  std::vector<double> rate, power;
  a.get(rate), a.get(power);
  if (rate.size() != rate_.size() || power.size() != power_.size())
    throw std::runtime_error("the checkpoint belongs to another model");
  a.get(last_step_), a.get(next_step_), a.get(usual_step_), a.get(last_.next), a.get(last_.error), a.get(error_.h);
  a.get(counts_), a.get(switches_without_progress_), a.get(unbalanced_), a.get(last_switch_time_);
  a.get(modes_), a.get(fastest_), a.get(speed_before_), a.get(turning_);
  pause_ = {attempts_of(counts_), counts_.rejected, x0_->t};
  double start = 0;
  a.get(balanced_), a.get(least_energy_), a.get(size_), a.get(start);
  given_course_.prepare(system_.layout(), start, options_.end);
  clock_.load(a);
  ledger_.load(a);
  held_back_.load(a);
  kernel_.load(a);
  for (const auto& c : controllers_) c->load(a);
  integrator_->load(a);
  const long long evaluations = counts_.evaluations;
  evaluate_here(*x0_);
  counts_.evaluations = evaluations;
  // methods that keep the held rows themselves have their own accelerations and multipliers
  std::copy(numbers.begin(), numbers.end(), x0_->numbers().begin());
  rate_ = std::move(rate);
  power_ = std::move(power);
}

}  // namespace bristle
