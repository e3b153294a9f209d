#include <algorithm>
#include <cmath>

#include "bristle/analyse/run.h"
#include "bristle/base/index.h"

namespace bristle {

/// Error control sees a contact at the stages of its step. Where all of them lie before and behind it, two balls fly through each other. Between
/// two instants with the gaps g0 and g1 a gap cannot have closed while g0 + g1 is more than its speed times the time between; where it may have, the
/// step is looked at more closely.
bool Run::passes_through(Outcome& out) {
  constexpr int kLooks = 200;         // into a step
  constexpr double kFinest = 1e-4;    // of the step
  constexpr double kFaster = 1.5;     // a gap may change faster inside the step than at its ends
  constexpr double kTouched = 1e-12;  // [m] overlap that counts
  const double h = x1_->t - x0_->t;
  system_.calc_paces(*x1_, *look_, pace_behind_.data(), speed_.data());
  const auto most = [&](std::size_t i) {  // that the gap may change by in the step
    const Pace &a = pace_before_[i], &b = pace_behind_[i];
    return kFaster * std::max({h * std::abs(a.gap_rate), h * std::abs(b.gap_rate), std::abs(b.gap - a.gap)});
  };
  const auto may_touch = [&](std::size_t i) {
    const Pace &a = pace_before_[i], &b = pace_behind_[i];
    return a.opens && a.gap > 0 && b.gap > 0 && a.gap + b.gap < most(i);
  };
  int looks = 0;
  const auto gap_at = [&](double part, std::size_t i) {
    if (looks++ == 0) {  // rates of positions at the end are its velocities; nobody asks for more
      const Layout& layout = system_.layout();
      std::fill(rate_before_.begin(), rate_before_.end(), 0.0);
      for (int k = 0; k < layout.free(); ++k) rate_before_[u(k)] = x1_->v()[layout.v_index(k)];
    }
    const StepContext c{system_, kernel_, *look_, ledger_, rate_.data(), power_.data()};
    integrator_->interpolate(c, *x0_, *x1_, rate_before_.data(), part, inside_);
    system_.calc_paces(inside_, *look_, pace_inside_.data(), speed_.data());
    return pace_inside_[i].gap;
  };
  struct Span {
    double from, to, gap_from, gap_to;
  };
  for (std::size_t i = 0; i < pace_before_.size(); ++i) {
    if (!may_touch(i)) continue;
    Span stack[32];
    static_assert(kFinest * 0x1p30 > 1, "one more span waits for each time the step is halved");
    int waiting = 0;
    stack[waiting++] = {0, 1, pace_before_[i].gap, pace_behind_[i].gap};
    while (waiting > 0 && looks < kLooks) {
      const Span s = stack[--waiting];
      if (s.gap_from + s.gap_to >= most(i) * (s.to - s.from) || s.to - s.from < kFinest) continue;
      const double middle = 0.5 * (s.from + s.to), gap = gap_at(middle, i);
      if (gap < -kTouched) {
        integrator_->restart();  // it may have counted on the step
        out.verdict = Outcome::Verdict::reject;
        out.cause = "surfaces meet inside the step";
        out.next = middle * h;
        return true;
      }
      stack[waiting++] = {middle, s.to, gap, s.gap_to};  // the earlier half is looked at first
      stack[waiting++] = {s.from, middle, s.gap_from, gap};
    }
  }
  return false;
}

}  // namespace bristle
