#include "bristle/analyse/fastest_rate.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kWay = 1e-7;        // in SI: small beside what makes forces bend, large beside rounding
constexpr double kMostMemory = 1e3;  // times the size of the rest of a direction
constexpr double kFading = 0.7;      // of what was found before, where less is found now: directions turn slowly
}  // namespace

FastestRate::FastestRate(RunContext& run) : run_(run), moved_(run.system.make_state()), at_(moved_) {
  way_.assign(run.here.rate.size(), 0);
  next_ = here_ = way_;
  forget();
}

void FastestRate::forget() {
  for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = std::sin(12.9898 * static_cast<double>(i + 1));
  rate_ = 0;
}

double FastestRate::look(const State& at, Workspace& w, int powers) {
  at_ = at;
  run_.kernel.evaluate(run_.system, at_, w);
  ++run_.counts.evaluations;
  here_ = w.rate;
  return look(at, here_.data(), w, powers);
}

double FastestRate::look(const State& at, const double* rates, Workspace& w, int powers) {
  const std::size_t n = way_.size(), free = u(run_.system.layout().free());
  const auto size_of = [&](const std::vector<double>& x) {
    double size = 0;
    for (std::size_t i = 0; i < 2 * free; ++i) {
      const double part = std::abs(x[i]) * (i < free ? std::max(rate_, 1.0) : 1.0);
      if (!(part <= size)) size = part;
    }
    return size;
  };
  double found = 0, before = 0;
  moved_ = at;
  for (int k = 0; k < powers; ++k) {
    double memory = 0, size = size_of(way_);
    for (std::size_t i = 2 * free; i < n; ++i) memory = std::max(memory, std::abs(way_[i]));
    size = std::max(size, memory / kMostMemory);
    if (!(size > 0) || !std::isfinite(size)) {
      forget();
      break;
    }
    for (std::size_t i = 0; i < n; ++i) way_[i] /= size;
    run_.system.motion().move(at, kWay, way_.data(), moved_);
    run_.kernel.evaluate(run_.system, moved_, w);
    ++run_.counts.evaluations;
    for (std::size_t i = 0; i < n; ++i) next_[i] = (w.rate[i] - rates[i]) / kWay;
    const double was = std::max(size_of(way_), 1e-300), grown = size_of(next_) / was;
    if (!std::isfinite(grown)) break;
    found = k == 0 ? grown : std::sqrt(before * grown);
    before = grown;
    way_.swap(next_);
    const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
    who_ = static_cast<int>(std::max_element(way_.begin(), way_.end(), less) - way_.begin());
    if (k > 0) rate_ = found;
  }
  return rate_ = std::max(found, kFading * rate_);
}

}  // namespace bristle
