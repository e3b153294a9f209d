// Steps that cannot be taken: what is wrong, in the user's words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bristle/analyse/run.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
// Gain of friction by its own reactions. 1 is the end; no step gets there, as friction grows by 1/(1 - gain) on the way: tenfold here.
constexpr double kSelfLocking = 0.9;
}  // namespace

/// Drives that contradict each other, a mechanism driven beyond its reach: no step keeps the rows.
bool Run::keeps_rows(const State& x, double limit) {
  const auto worst = [&](double& off) {
    int row = -1;
    off = 0;
    for (int k = 0; k < system_.held_count(); ++k) {
      const double value = std::abs(work_.row_value[u(system_.layout().held[u(k)].row)]);
      if (value > off) off = value, row = k;
    }
    return row;
  };
  double off = 0;
  worst(off);  // as they were last evaluated: no need to look again while they are kept
  if (!(off > limit)) return true;
  system_.look(x, work_);
  const int row = worst(off);
  if (!(off > limit)) return true;
  const HeldRow& held = system_.layout().held[u(row)];
  cause_ = fmt::format("the joints cannot be kept together: {} ({}) is off by {:.3g}", held.owner, held.name, off);
  return false;
}

/// Moves nothing but time: what is undefined then is so by an expression, not because the state has run away.
std::string Run::undefined_name(double h) {
  State x = *x0_;
  for (int i = 0; i < x.sizes().lambda; ++i) x.lambda()[i] = 0;
  for (int i = 0; i < x.sizes().v; ++i) x.a()[i] = 0;
  const double start = x0_->t;
  for (double t : {start, start + h, start + last_step_, start + 1e-9 * std::max(1.0, std::abs(start))}) {
    system_.set_time(x, t);
    system_.calc_outputs(x, work_, outputs_.data());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (!std::isfinite(outputs_[i])) return "'" + system_.layout().channels[i].name + "'";
    }
    for (const HeldRow& held : system_.layout().held) {
      if (!std::isfinite(work_.row_value[u(held.row)] + work_.row_rate[u(held.row)] + work_.row_drift[u(held.row)]))
        return held.owner + " (" + held.name + ")";
    }
  }
  return "";
}

/// Past the wedging limit: the reactions to friction make more friction than there was.
void Run::fail_jammed(const Jam& jam) {
  const HeldRow& pressed = system_.layout().held[u(jam.slot)];
  int strongest = jam.slot;  // of its reactions
  for (int k = 0; k < system_.held_count(); ++k) {
    if (system_.layout().held[u(k)].owner == pressed.owner && std::abs(x0_->lambda()[k]) > std::abs(x0_->lambda()[strongest]))
      strongest = k;
  }
  message_ = fmt::format(
      "t = {:.9g} s: {} jams: it locks itself. The reactions to its friction ({}) make {:.3g} times as much friction again{}; from 1 on "
      "nothing balances them while it slides. Its largest reaction up to here: {:.3g} ({}). It goes on sliding with less friction, a "
      "longer guide or bearing, or a smaller lever from it to the loads and masses it carries.",
      x0_->t, pressed.owner, pressed.name, jam.gain, jam.gain < 1 ? ", and more with every step from here" : "",
      std::abs(x0_->lambda()[strongest]), system_.layout().held[u(strongest)].name);
}

/// A step that is long beside the time in which a law follows the slip makes an explicit method blow its memory up; what comes of that may look
/// like anything.
bool Run::outran_memory() {
  constexpr double kStable = 2.785;  // of rk4, along the negative axis
  if (!integrator_->is_explicit() || integrator_->estimates_error() || pace_.empty()) return false;
  system_.calc_paces(*x0_, work_, pace_.data(), speed_.data());
  const auto fastest = std::max_element(pace_.begin(), pace_.end(), [](const Pace& a, const Pace& b) { return a.rate < b.rate; });
  if (!(wanted_ * fastest->rate > kStable)) return false;
  message_ = fmt::format(
      "t = {:.9g} s: steps of {:.3g} s are too long for the friction of place '{}': its memory follows the slip within {:.2g} s here, and an "
      "explicit method stands {:.2g} times that. Use a shorter step, the step rule time_constant, or an implicit method such as radau5.",
      x0_->t, wanted_, system_.layout().places[u(static_cast<int>(fastest - pace_.begin()))].name, 1 / fastest->rate, kStable);
  return true;
}

/// A method that keeps the joints itself may creep on in ever shorter steps where no accelerations and reactions exist.
bool Run::jammed_here() {
  State x = *x0_;
  kernel_.evaluate(system_, x, work_);
  if (kernel_.converged()) return false;
  const Jam jam = kernel_.find_jam(system_, *x0_, work_);
  if (!(jam.gain >= kSelfLocking)) return false;
  fail_jammed(jam);
  return true;
}

void Run::fail(const Outcome& out, double h) {
  if (outran_memory()) return;
  // not every method notices: whose step has shrunk to nothing may have met an expression without a value
  const auto defined_here = [&] {
    system_.calc_outputs(*x0_, work_, outputs_.data());
    return std::all_of(outputs_.begin(), outputs_.end(), [](double y) { return std::isfinite(y); });
  };
  const std::string undefined = std::strstr(out.cause, "undefined") != nullptr || defined_here() ? undefined_name(h) : "";
  if (!undefined.empty()) {
    message_ =
        fmt::format("t = {:.9g} s: {} has no finite value from here on. Check the expression that gives it.", x0_->t, undefined);
    return;
  }
  const Jam jam = kernel_.find_jam(system_, *x0_, work_);
  if (jam.gain >= kSelfLocking) {
    fail_jammed(jam);
    return;
  }
  std::string resting;
  for (const DryPlace& p : system_.dry()) {
    if (x0_->marks()[p.mark] == static_cast<double>(Mode::stick)) resting += (resting.empty() ? "'" : ", '") + p.name + "'";
  }
  if (!resting.empty() && std::strcmp(out.cause, kNoBalance) == 0) {
    message_ = fmt::format(
        "t = {:.9g} s: friction locks the mechanism: joints that rest by friction ({}) and what they carry do not find a common answer, as "
        "near a dead centre, where many are possible. Smoothing in these joints or a law with memory (dahl, lugre) makes it one.",
        x0_->t, resting);
    return;
  }
  std::string worst = out.worst >= 0 ? " Largest residual: " + system_.layout().name_of(out.worst) + "." : "";
  int strongest = -1;  // of the reactions
  for (int k = 0; k < system_.held_count(); ++k) {
    if (strongest < 0 || std::abs(x0_->lambda()[k]) > std::abs(x0_->lambda()[strongest])) strongest = k;
  }
  if (strongest >= 0) {
    const HeldRow& held = system_.layout().held[u(strongest)];
    worst += fmt::format(
        " Largest reaction: {} ({}), {:.3g}; a mechanism that is jammed, at a dead centre or driven beyond its reach ends like this.",
        held.owner, held.name, std::abs(x0_->lambda()[strongest]));
  }
  message_ =
      fmt::format("t = {:.9g} s: {} at a step of {:.3g} s.{} Try a smaller step, a looser tolerance or another integrator.",
                  x0_->t, out.cause, h, worst);
}

}  // namespace bristle
