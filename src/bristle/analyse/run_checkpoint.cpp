// What a run remembers beside its state: resumed, it goes on to the bit.
#include <stdexcept>

#include "bristle/analyse/run.h"

namespace bristle {

void Run::save(Archive& a) const {
  const State& x = *run_.x0;
  a.put(x.t);
  a.put(std::vector<double>(x.numbers().begin(), x.numbers().end()));
  a.put(run_.here.rate), a.put(run_.here.power);
  a.put(run_.last.length), a.put(next_step_), a.put(run_.last.usual), a.put(run_.last.outcome.next),
      a.put(run_.last.outcome.error);
  a.put(run_.counts), a.put(modes_), a.put(balanced_), a.put(least_energy_), a.put(run_.size);
  switches_.save(a);
  crossings_.save(a);
  choice_.save(a);
  clock_.save(a);
  run_.ledger.save(a);
  load_work_.save(a);
  run_.kernel.held().save(a);
  run_.integrator->save(a);
}

void Run::load(Archive& a) {
  State& x = *run_.x0;
  x = run_.system.make_state();
  std::vector<double> numbers;
  a.get(x.t);
  a.get(numbers);
  if (numbers.size() != x.numbers().size()) throw std::runtime_error("the checkpoint belongs to another model");
  std::copy(numbers.begin(), numbers.end(), x.numbers().begin());
  *run_.x1 = x;
  std::vector<double> rate, power;
  a.get(rate), a.get(power);
  if (rate.size() != run_.here.rate.size() || power.size() != run_.here.power.size())
    throw std::runtime_error("the checkpoint belongs to another model");
  a.get(run_.last.length), a.get(next_step_), a.get(run_.last.usual), a.get(run_.last.outcome.next),
      a.get(run_.last.outcome.error);
  a.get(run_.counts), a.get(modes_), a.get(balanced_), a.get(least_energy_), a.get(run_.size);
  failure_.begin();
  switches_.load(a);
  crossings_.load(a);
  choice_.load(a);
  clock_.load(a);
  run_.ledger.load(a);
  load_work_.load(a);
  run_.kernel.held().load(a);
  run_.integrator->load(a);
  const long long evaluations = run_.counts.evaluations;
  run_.evaluate_here(x);
  run_.counts.evaluations = evaluations;
  // methods that keep the held rows themselves have their own accelerations and multipliers
  std::copy(numbers.begin(), numbers.end(), x.numbers().begin());
  run_.here.rate = std::move(rate);
  run_.here.power = std::move(power);
}

}  // namespace bristle
