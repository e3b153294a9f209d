#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/multipliers.h"

namespace bristle {

namespace {
constexpr double kFar = 0.5;  // what stretches by less in the first rounds does not come near one
}  // namespace

/// Friction T on the rows of the places gives reactions -A^-1 D M^-1 D_R' T, and these are loads that give friction again. Loads are sums of
/// lengths, so the way round is a map of degree one: what it stretches by is found as the largest eigenvalue of a matrix is, by going round.
Jam Multipliers::find_jam(const System& system, const State& at, Workspace& w, bool resting_too) {
  Jam jam;
  if (system.reactive().empty() || lambdas_ == 0) return jam;
  const Layout& layout = system.layout();
  const std::vector<LoadSlope>& list = system.reactive().slopes();
  State x = at;
  for (const DryPlace& p : system.dry()) {  // who rests is asked how it would slide where it is pulled
    DryMarks marks = p.marks(x);
    if (!marks.rests() || !resting_too) continue;
    double size = 0;
    for (int d = 0; d < p.components; ++d) size += std::abs(x.lambda()[p.lambda + d]);
    marks.set_mode(DryMode::slip);
    for (int d = 0; d < p.components; ++d) marks.set_direction(d, size > 0 ? x.lambda()[p.lambda + d] / size : d == 0);
  }
  w.eval = system.view(x, w);
  Eval& e = w.eval;
  system.calc_forces(e);
  if (!held_.solver().refresh(system, w, nullptr)) return jam;
  double* lambda = w.lambda.data();
  e.lambda = lambda;
  std::copy_n(x.lambda(), lambdas_, lambda);
  if (std::all_of(lambda, lambda + lambdas_, [](double l) { return l == 0; })) std::fill_n(lambda, lambdas_, 1.0);

  constexpr int kRounds = 40;
  double size = 0, most = 0;
  for (int round = 0; round <= kRounds; ++round) {
    system.reactive().calc_slopes(e, slopes_.data());
    // the reactions to the friction that these reactions make
    double strongest = 0;
    std::fill(dv_.begin(), dv_.end(), 0.0);
    for (std::size_t s = 0; s < list.size(); ++s) {
      if (list[s].slot >= lambdas_) continue;
      const double T = slopes_[s] * lambda[list[s].slot];
      if (T == 0) continue;
      held_.solver().respond(w, list[s].row, -T, dv_.data());
      if (std::abs(T) > strongest) strongest = std::abs(T), jam.slot = list[s].slot;
    }
    for (int k = 0; k < lambdas_; ++k) b_[u(k)] = layout.rows.read(layout.held[u(k)].row, w.D.data(), dv_.data());
    held_.solver().solve(b_.data(), last_lambda_.data(), true);
    double next = 0;
    for (int k = 0; k < lambdas_; ++k) next = std::max(next, std::abs(last_lambda_[u(k)]));
    if (!(next > 0) || !std::isfinite(next)) return {};
    constexpr int kFirst = 4;
    if (round > 0) most = std::max(most, next);
    if (round == kFirst && most < kFar) {
      jam.gain = most;
      return jam;
    }
    // in the mean of the last half: two places may take turns
    if (round > kRounds / 2) size += std::log(next) / (kRounds - kRounds / 2);
    for (int k = 0; k < lambdas_; ++k) lambda[k] = last_lambda_[u(k)] / next;
  }
  jam.gain = std::exp(size);
  return jam;
}

}  // namespace bristle
