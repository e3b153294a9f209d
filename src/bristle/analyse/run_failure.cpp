// Steps that cannot be taken: what is wrong, in the user's words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bristle/analyse/attempts.h"
#include "bristle/analyse/run.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
// Gain of friction by its own reactions. 1 is the end; no step gets there, as friction grows by 1/(1 - gain) on the way: tenfold here.
constexpr double kSelfLocking = 0.9;
// Progress is looked at after so many attempts at a step; a run that would need so many more is out of reach (a day, at 1e3 a second)
constexpr long long kAttempts = 8000;
constexpr long long kAttemptsBeside = 500;  // the same next to a singular position
constexpr double kBeside = 0.2;             // distance to it over the usual one: whoever fails here may have it just behind
constexpr double kOutOfReach = 1e8;         // attempts that the way to the end would take
constexpr double kCut = 1e-3;               // of the step that was asked for
constexpr double kTiny = 1e-7;              // [s] longer steps are no stall, whatever the end
}  // namespace

/// Drives that contradict each other, a mechanism driven beyond its reach: no step keeps the rows.
bool Run::keeps_rows(const State& x, double limit) {
  const auto worst = [&](double& off) {
    int row = -1;
    off = 0;
    for (int k = 0; k < system_.held_count(); ++k) {
      const HeldRow& held = system_.layout().held[u(k)];
      const double value = std::abs(work_.row_value[u(held.row)]) / (held.length ? std::min(size_, 1.0) : 1);
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
  cause_ = fmt::format("the joints cannot be kept together: {} ({}) is off by {:.3g}", held.owner, held.name,
                       std::abs(work_.row_value[u(held.row)]));
  return false;
}

/// Moves nothing but time: what is undefined then is so by an expression, not because the state has run away.
std::string Run::undefined_name(State x, double h) {
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

bool Run::has_values() {
  double sum = 0;
  for (double rate : rate_) sum += rate;
  for (double watt : power_) sum += watt;
  if (std::isfinite(sum)) return true;
  if (outran_memory() || ran_away()) return false;
  const std::string name = undefined_name(*x0_, 0);
  int worst = -1;
  for (std::size_t i = 0; i < rate_.size() && worst < 0; ++i) {
    if (!std::isfinite(rate_[i])) worst = static_cast<int>(i);
  }
  std::size_t account = 0;
  while (account + 1 < power_.size() && std::isfinite(power_[account])) ++account;
  const std::string what = !name.empty() ? name
                           : worst >= 0  ? "the rate of " + system_.layout().name_of(worst)
                                         : "the power of '" + system_.layout().accounts[account].name + "'";
  if (name.empty() && counts_.accepted > 0) {  // no expression is to blame
    message_ = fmt::format(
        "t = {:.9g} s: the motion has run away: {} has no finite value from here on. Try a smaller step or tolerance, or another integrator.",
        x0_->t, what);
    return false;
  }
  message_ = fmt::format("t = {:.9g} s: {} has no finite value{}. Check the expression that gives it, or what it divides by.",
                         x0_->t, what, counts_.accepted == 0 ? " at the start" : " from here on");
  return false;
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
  const auto slower = [](const Pace& a, const Pace& b) { return a.rate < b.rate; };
  system_.calc_paces(*x0_, work_, pace_.data(), speed_.data());
  const auto fastest = std::max_element(pace_.begin(), pace_.end(), slower);
  if (!(wanted_ * fastest->rate > kStable)) return false;
  const std::size_t place = u(static_cast<int>(fastest - pace_.begin()));
  // a state that has blown up is no measure of the time; how the run began is
  const double here = fastest->rate;
  system_.calc_paces(system_.make_state(), work_, pace_.data(), speed_.data());
  const double rate = std::min(here, std::max(pace_[place].rate, kStable / wanted_));
  message_ = fmt::format(
      "t = {:.9g} s: steps of {:.3g} s are too long for the friction of place '{}': its memory follows the slip within {:.2g} s{}, and an "
      "explicit method stands {:.2g} times that. Use a shorter step, the step rule time_constant, or an implicit method such as radau5.",
      x0_->t, wanted_, system_.layout().places[place].name, 1 / rate, rate < here ? " or less" : " here", kStable);
  return true;
}

/// The largest rate |lambda| of motions about a state, by powers of the Jacobian on one direction; `who` takes the number of the first-order form that moves most in
/// it. Positions and velocities have different units and take turns: two powers at a time.
double Run::fastest_rate(const State& at, int& who) {
  constexpr double kWay = 1e-7;  // in SI: small beside what makes forces bend, large beside rounding
  const std::size_t n = rate_.size();
  State x = at;
  kernel_.evaluate(system_, x, work_);
  const std::vector<double> here = work_.rate;
  std::vector<double> way(n), next(n);
  for (std::size_t i = 0; i < n; ++i) way[i] = std::sin(12.9898 * static_cast<double>(i + 1));
  double rate = 0, before = 1;
  for (int k = 0; k < 40; ++k) {
    system_.move(at, kWay, way.data(), x);
    kernel_.evaluate(system_, x, work_);
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = (work_.rate[i] - here[i]) / kWay;
      if (!(std::abs(next[i]) <= size)) size = std::abs(next[i]), who = static_cast<int>(i);
    }
    if (!std::isfinite(size) || !(size > 0)) return rate;
    rate = std::sqrt(before * size);
    before = size;
    for (std::size_t i = 0; i < n; ++i) way[i] = next[i] / size;
  }
  return rate;
}

/// Steps too long for a spring or a damper make an explicit method blow the motion up.
bool Run::ran_away() {
  constexpr double kStable = 2.785;  // of rk4, on the negative axis; 2.83 on the imaginary one
  if (!integrator_->is_explicit() || integrator_->estimates_error() || counts_.accepted == 0) return false;
  State x = system_.make_state();
  if (!undefined_name(x, wanted_).empty()) return false;  // what is given over time ends here, whatever moves
  system_.set_time(x, x0_->t);
  int who = -1;
  const double rate = fastest_rate(x, who);
  if (who < 0 || !(wanted_ * rate > 0.9 * kStable)) return false;
  message_ = fmt::format(
      "t = {:.9g} s: the motion has run away: steps of {:.3g} s are too long for {}. Where the run starts, the fastest motion there has a rate of {:.3g} "
      "1/s, and an explicit method stands steps of {:.2g} s at most. Use a shorter step, or an implicit method such as radau5.",
      x0_->t, wanted_, system_.layout().name_of(who), rate, kStable / rate);
  return true;
}

/// A run whose steps have become so short that it will not see its end stops and says where it stands.
bool Run::stalls(double end) {
  const long long attempts = attempts_of(counts_), tried = attempts - pause_.attempts;
  if (tried >= (pause_.looks + 1) * kAttemptsBeside) {
    ++pause_.looks;
    near_singular();
  }
  const bool beside = kernel_.near() || !system_.layout().redundant.empty();
  if (tried < (beside ? kAttemptsBeside : kAttempts)) return false;
  const double progress = x0_->t - pause_.t;
  // a fixed step of which next to nothing is ever taken
  const bool cut = fixed_step_ > 0 && 4 * (counts_.rejected - pause_.rejected) > tried &&
                   progress < kCut * fixed_step_ * static_cast<double>(tried);
  pause_ = {attempts, counts_.rejected, x0_->t};
  if (!cut &&
      (progress > kTiny * static_cast<double>(tried) || (end - x0_->t) * static_cast<double>(tried) < kOutOfReach * progress))
    return false;
  for (const char* wanted : {"constant", "largest step"}) {
    if (!cut && std::strcmp(last_reason_, wanted) == 0) return false;  // by the user
  }
  Outcome out = last_;
  const std::string cause =
      fmt::format("the last {} attempts at a step have come no further than {:.2g} s: the end is out of reach{}{}", tried,
                  progress, out.cause[0] != '\0' ? "; last cause: " : "", out.cause);
  out.cause = cause.c_str();
  fail(out, last_step_);
  return true;
}

/// Methods that keep the joints by equations of their own are not watched in every step: has it come next to a singular position?
bool Run::near_singular() {
  if (system_.held_count() == 0) return false;
  if (integrator_->enforces()) {
    State x = *x0_;
    kernel_.evaluate(system_, x, work_);
    kernel_.watch(system_, x, work_, true);
  }
  return kernel_.near() || kernel_.distance() < kBeside;
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
  if (outran_memory() || (std::strstr(out.cause, "undefined") != nullptr && ran_away())) return;
  // not every method notices: whose step has shrunk to nothing may have met an expression without a value
  const auto defined_here = [&] {
    system_.calc_outputs(*x0_, work_, outputs_.data());
    return std::all_of(outputs_.begin(), outputs_.end(), [](double y) { return std::isfinite(y); });
  };
  const std::string undefined = std::strstr(out.cause, "undefined") != nullptr || defined_here() ? undefined_name(*x0_, h) : "";
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
  int strongest = -1;  // of the reactions
  for (int k = 0; k < system_.held_count(); ++k) {
    if (strongest < 0 || std::abs(x0_->lambda()[k]) > std::abs(x0_->lambda()[strongest])) strongest = k;
  }
  std::string reaction;
  if (strongest >= 0) {
    const HeldRow& held = system_.layout().held[u(strongest)];
    reaction = fmt::format(
        " Largest reaction: {} ({}), {:.3g}; a mechanism that is jammed, at a dead centre or driven beyond its reach ends like this.",
        held.owner, held.name, std::abs(x0_->lambda()[strongest]));
  }
  if (!system_.layout().redundant.empty()) {
    message_ = fmt::format(
        "t = {:.9g} s: {} at a step of {:.3g} s. Where the mechanism starts, {} follows from the other joints. If that is so in this position alone, as "
        "of a linkage that lies flat, several ways go on from there and none is told: start it a little beside, by 1e-6 rad say. If it is so "
        "everywhere, try a smaller step, a looser tolerance or another integrator.{}",
        x0_->t, out.cause, h, system_.layout().redundant.front(), reaction);
    return;
  }
  if (near_singular()) {
    message_ = fmt::format(
        "t = {:.9g} s: {}. The mechanism is next to a position in which {} follows from the other joints, as a linkage that lies flat: several "
        "ways go on from there, and this method does not find its own at this tolerance.{} Try another step or tolerance, or another method: dormand_prince "
        "and rk4 with enforcement: projection, and generalized_alpha, pass most such positions.",
        x0_->t, out.cause, kernel_.weakest_row(system_, *x0_), reaction);
    return;
  }
  std::string resting;
  for (const DryPlace& p : system_.dry()) {
    if (x0_->marks()[p.mark] == static_cast<double>(Mode::stick)) resting += (resting.empty() ? "'" : ", '") + p.name + "'";
  }
  if (!resting.empty() && std::strcmp(out.cause, kNoBalance) == 0) {
    message_ = fmt::format(
        "t = {:.9g} s: friction locks the mechanism: joints that rest by friction ({}) and what they carry do not find a common answer, as "
        "near a dead centre, where many are possible. Use smoothing in these joints, or a law with memory (dahl, lugre): then there is one.",
        x0_->t, resting);
    return;
  }
  std::string worst = out.worst >= 0 ? " Largest residual: " + system_.layout().name_of(out.worst) + "." : "";
  worst += reaction;
  if (worst.empty() && !rate_.empty()) {
    const auto fastest =
        std::max_element(rate_.begin(), rate_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    worst = " What changes fastest: " + system_.layout().name_of(static_cast<int>(fastest - rate_.begin())) + ".";
  }
  message_ =
      fmt::format("t = {:.9g} s: {} at a step of {:.3g} s.{} Try a smaller step, a looser tolerance or another integrator.",
                  x0_->t, out.cause, h, worst);
}

}  // namespace bristle
