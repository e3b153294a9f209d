#pragma once
#include <vector>

#include "bristle/core/archive.h"
#include "bristle/core/layout.h"

namespace bristle {

/// Energy of the whole system at one state.
struct Energy {
  double kinetic = 0, stored = 0;
  double total() const { return kinetic + stored; }
};

/// Who supplied, stored and dissipated what. Work is summed by the integrator with its own weights; what nobody explains is the
/// residual: kinetic + stored + dissipated - supplied + numerical = start + residual.
class Ledger {
 public:
  void prepare(const Layout& layout);
  void start(const Energy& now, const double* stored_by_account);
  void add_power(const double* watt, double weight) {  // stage methods: weight = h b_i
    for (std::size_t i = 0; i < step_.size(); ++i) step_[i] += weight * watt[i];
  }
  double* step_work() { return step_.data(); }  ///< [J] per account, of the step under way
  void add_numerical(double joule) { step_numerical_ += joule; }
  void drop_step();  ///< a rejected step leaves no trace
  /// The step was accepted: its work counts.
  void close_step() {
    const std::size_t n = step_.size();
    for (std::size_t i = 0; i < n; ++i) {
      // compensated sums: a million small steps must not cost digits
      const double add = step_[i] - lost_[i], sum = work_[i] + add;
      lost_[i] = (sum - work_[i]) - add;
      work_[i] = sum;
      step_[i] = 0;
    }
    numerical_ += step_numerical_;
    step_numerical_ = 0;
  }
  /// Strikes the balance at a state: what follows reads it.
  void balance(const Energy& now, const double* stored_by_account);

  const Energy& energy() const { return now_; }
  double supplied() const { return supplied_; }
  double dissipated() const { return dissipated_; }
  double numerical() const { return numerical_; }
  double residual() const;
  /// [J] largest energy that moved: kinetic, the change of what is stored, and what was dissipated. Energy that only lies there, as the weight
  /// of a machine on a tower, is none of it.
  double scale() const { return scale_; }
  double worst_residual() const { return worst_; }  ///< [J] largest |residual| so far; infinite when one had no finite value
  double created() const { return created_; }       ///< [J] most that the method itself had brought in
  /// An account that dissipates must not give back: the largest fall from its highest value so far [J].
  struct Fall {
    int account = -1;
    double joule = 0;
  };
  Fall worst_fall() const;
  /// Dissipated by, or supplied by, an account.
  double of(int account) const;
  /// The last balance of which every number was finite: what is left to tell of a motion that has run away.
  struct Balance {
    Energy energy;
    double supplied = 0, dissipated = 0, numerical = 0, worst = 0, created = 0;
  };
  const Balance& last_finite() const { return kept_; }
  const std::vector<double>& last_finite_values() const { return kept_values_; }
  const std::vector<double>& by_account() const { return value_; }

  void save(Archive&) const;
  void load(Archive&);

 private:
  std::vector<int> sign_;  // +1 dissipated, -1 supplied
  std::vector<double> work_, lost_, step_, stored0_, value_;
  std::vector<double> peak_, fall_;  // per account: highest value, largest fall from it
  double energy_sum() const;
  Balance kept_;
  std::vector<double> kept_values_;  // by account
  Energy start_, now_;
  double supplied_ = 0, dissipated_ = 0, numerical_ = 0, step_numerical_ = 0, scale_ = 0, worst_ = 0, created_ = 0;
};

}  // namespace bristle
