#include "bristle/core/ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {

void Ledger::prepare(const Layout& layout) {
  sign_.clear();
  for (const Account& a : layout.accounts) sign_.push_back(a.kind == Account::Kind::supplied ? -1 : 1);
  const std::size_t n = sign_.size();
  work_.assign(n, 0);
  lost_.assign(n, 0);
  step_.assign(n, 0);
  stored0_.assign(n, 0);
  value_.assign(n, 0);
  peak_.assign(n, 0);
  fall_.assign(n, 0);
  kept_values_.assign(n, 0);
}

void Ledger::start(const Energy& now, const double* stored_by_account) {
  start_ = now_ = now;
  std::copy_n(stored_by_account, stored0_.size(), stored0_.begin());
  std::fill(work_.begin(), work_.end(), 0.0);
  std::fill(lost_.begin(), lost_.end(), 0.0);
  for (auto* list : {&value_, &peak_, &fall_}) std::fill(list->begin(), list->end(), 0.0);
  drop_step();
  supplied_ = dissipated_ = numerical_ = worst_ = created_ = 0;
  scale_ = now.kinetic;
  kept_ = {now, 0, 0, 0, 0, 0};
  std::fill(kept_values_.begin(), kept_values_.end(), 0.0);
}

void Ledger::drop_step() {
  std::fill(step_.begin(), step_.end(), 0.0);
  step_numerical_ = 0;
}

void Ledger::balance(const Energy& now, const double* stored_by_account) {
  supplied_ = dissipated_ = 0;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    value_[i] = work_[i] - (stored_by_account[i] - stored0_[i]);
    (sign_[i] > 0 ? dissipated_ : supplied_) += value_[i];
    if (sign_[i] < 0) continue;
    peak_[i] = std::max(peak_[i], value_[i]);
    fall_[i] = std::max(fall_[i], peak_[i] - value_[i]);
  }
  now_ = now;
  scale_ = std::max(scale_, now.kinetic + std::abs(now.stored - start_.stored) + std::abs(dissipated_));
  created_ = std::max(created_, -numerical_);
  const double off = std::abs(residual());
  if (std::isfinite(off) && std::isfinite(energy_sum())) {
    kept_ = {now_, supplied_, dissipated_, numerical_, std::max(kept_.worst, off), created_};
    kept_values_ = value_;
  }
  worst_ = std::isfinite(off) ? std::max(worst_, off) : std::numeric_limits<double>::infinity();
}

double Ledger::energy_sum() const {
  double sum = now_.kinetic + now_.stored;
  for (double v : value_) sum += v;
  return sum;
}

Ledger::Fall Ledger::worst_fall() const {
  Fall worst;
  for (std::size_t i = 0; i < fall_.size(); ++i) {
    if (fall_[i] > worst.joule) worst = {static_cast<int>(i), fall_[i]};
  }
  return worst;
}

double Ledger::residual() const {
  return now_.kinetic + now_.stored + dissipated_ - supplied_ + numerical_ - start_.kinetic - start_.stored;
}

double Ledger::of(int account) const { return value_[static_cast<std::size_t>(account)]; }

void Ledger::save(Archive& a) const {
  a.put(work_), a.put(lost_), a.put(stored0_), a.put(value_), a.put(peak_), a.put(fall_);
  a.put(start_), a.put(now_);
  a.put(supplied_), a.put(dissipated_), a.put(numerical_), a.put(scale_), a.put(worst_), a.put(created_);
  a.put(kept_), a.put(kept_values_);
}

void Ledger::load(Archive& a) {
  a.get(work_), a.get(lost_), a.get(stored0_), a.get(value_), a.get(peak_), a.get(fall_);
  a.get(start_), a.get(now_);
  a.get(supplied_), a.get(dissipated_), a.get(numerical_), a.get(scale_), a.get(worst_), a.get(created_);
  a.get(kept_), a.get(kept_values_);
  drop_step();
}

}  // namespace bristle
