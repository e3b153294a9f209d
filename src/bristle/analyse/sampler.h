#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "bristle/analyse/momentum.h"
#include "bristle/analyse/transient.h"

namespace bristle {

/// Samples of the channels a user asked for, at given times, ledger included.
class Sampler {
 public:
  /// Names what it records in the header.
  Sampler(Run& run, const TransientPlan& plan, RunHeader& header);
  void first(Sink& sink);
  /// All samples inside the last step. False: there are many, and the run was stopped on the way.
  bool after_step(Sink& sink, const std::atomic<bool>* stop);
  /// The last state, where the samples do not land on it.
  void last(Sink& sink);
  void save(Archive& a) const { a.put(next_), a.put(ledger_), a.put(last_t_), trust_.save(a); }
  void load(Archive& a);
  const Trust& trust() const { return trust_; }

 private:
  void read_ledger();
  void put(Sink& sink, const State& x, double part);  ///< part: of the step, where x lies in it

  Run& run_;
  double every_, start_;
  long long next_ = 1;
  double last_t_ = -1e300;
  Trust trust_;
  TotalMomentum momentum_;
  std::vector<int> chosen_;
  std::vector<std::string> names_;  // of those
  std::vector<double> outputs_, all_, values_, poses_, ledger_, ledger_before_;
  State probe_;
};

}  // namespace bristle
