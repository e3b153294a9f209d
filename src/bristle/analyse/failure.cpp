#include "bristle/analyse/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
constexpr double kSliver = 1e-6;            // of the way to the end: steps that Newton's method holds back so far are looked at
constexpr double kTiny = 1e-7;              // [s] longer steps are no stall, whatever the end
}  // namespace

Failure::Failure(RunContext& run, const StepChoice& choice) : run_(run), choice_(choice) {
  pace_.resize(u(run_.system.pace_count()));
  speed_.assign(pace_.size(), 0);
  outputs_.assign(run_.system.layout().channels.size(), 0);
}

void Failure::say(const std::string& what) { message_ = fmt::format("t = {:.9g} s: {}", run_.x0->t, what); }

void Failure::begin() {
  message_.clear();
  pause_ = {run_.counts.attempts(), run_.counts.rejected, run_.counts.rejected_for(Cause::newton), run_.x0->t};
}

/// Where the model starts, held rows may depend on each other in that position alone; an equilibrium that was looked for is another one.
bool Failure::starts_singular() const {
  if (run_.system.layout().singular.empty()) return false;
  const State model = run_.system.make_state();
  return std::equal(model.q(), model.q() + model.sizes().q, run_.x0->q());
}

/// Moves nothing but time: what is undefined then is so by an expression, not because the state has run away.
std::string Failure::undefined_name(State x, double h) {
  for (int i = 0; i < x.sizes().lambda; ++i) x.lambda()[i] = 0;
  for (int i = 0; i < x.sizes().v; ++i) x.a()[i] = 0;
  const double start = run_.x0->t;
  for (double t : {start, start + h, start + run_.last.length, start + 1e-9 * std::max(1.0, std::abs(start))}) {
    run_.system.set_time(x, t);
    run_.system.calc_outputs(x, run_.work, outputs_.data());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (!std::isfinite(outputs_[i])) return "'" + run_.system.layout().channels[i].name + "'";
    }
    for (const HeldRow& held : run_.system.layout().held) {
      if (!std::isfinite(run_.work.row_value[u(held.row)] + run_.work.row_rate[u(held.row)] + run_.work.row_drift[u(held.row)]))
        return held.owner + " (" + held.name + ")";
    }
  }
  return "";
}

bool Failure::has_values() {
  double sum = 0;
  for (double rate : run_.here.rate) sum += rate;
  for (double watt : run_.here.power) sum += watt;
  if (std::isfinite(sum)) return true;
  if (outran_memory() || ran_away()) return false;
  const std::string name = undefined_name(*run_.x0, 0);
  int worst = -1;
  for (std::size_t i = 0; i < run_.here.rate.size() && worst < 0; ++i) {
    if (!std::isfinite(run_.here.rate[i])) worst = static_cast<int>(i);
  }
  std::size_t account = 0;
  while (account + 1 < run_.here.power.size() && std::isfinite(run_.here.power[account])) ++account;
  const std::string what = !name.empty() ? name
                           : worst >= 0  ? "the rate of " + run_.system.layout().name_of(worst)
                                         : "the power of '" + run_.system.layout().accounts[account].name + "'";
  if (name.empty() && run_.counts.accepted > 0) {  // no expression is to blame
    say(fmt::format(
        "the motion has run away: {} has no finite value from here on. Try a smaller step or tolerance, or another integrator.",
        what));
    return false;
  }
  say(fmt::format("{} has no finite value{}. Check the expression that gives it, or what it divides by.", what,
                  run_.counts.accepted == 0 ? " at the start" : " from here on"));
  return false;
}

/// Past the wedging limit: the reactions to friction make more friction than there was.
void Failure::tell_jam(const Jam& jam) {
  const HeldRow& pressed = run_.system.layout().held[u(jam.slot)];
  int strongest = jam.slot;  // of its reactions
  for (int k = 0; k < run_.system.held_count(); ++k) {
    if (run_.system.layout().held[u(k)].owner == pressed.owner &&
        std::abs(run_.x0->lambda()[k]) > std::abs(run_.x0->lambda()[strongest]))
      strongest = k;
  }
  say(fmt::format(
      "{} jams: it locks itself. The reactions to its friction ({}) make {:.3g} times as much friction again{}; from 1 on "
      "nothing balances them while it slides. Its largest reaction up to here: {:.3g} ({}). Give it less friction, a "
      "longer guide or bearing, or a smaller lever from it to the loads and masses it carries.",
      pressed.owner, pressed.name, jam.gain, jam.gain < 1 ? ", and more with every step from here" : "",
      std::abs(run_.x0->lambda()[strongest]), run_.system.layout().held[u(strongest)].name));
}

/// A step that is long beside the time in which a law follows the slip makes an explicit method blow its memory up; what comes of that may look
/// like anything.
bool Failure::outran_memory() {
  constexpr double kStable = 2.785;  // of rk4, along the negative axis
  if (!run_.method.is_explicit || run_.method.estimates_error || pace_.empty()) return false;
  const auto slower = [](const Pace& a, const Pace& b) { return a.rate < b.rate; };
  run_.system.calc_paces(*run_.x0, run_.work, pace_.data(), speed_.data());
  const auto fastest = std::max_element(pace_.begin(), pace_.end(), slower);
  if (!(choice_.wanted() * fastest->rate > kStable)) return false;
  const std::size_t place = u(static_cast<int>(fastest - pace_.begin()));
  // a state that has blown up is no measure of the time; how the run began is
  const double here = fastest->rate;
  run_.system.calc_paces(run_.system.make_state(), run_.work, pace_.data(), speed_.data());
  const double rate = std::min(here, std::max(pace_[place].rate, kStable / choice_.wanted()));
  say(fmt::format(
      "steps of {:.3g} s are too long for the friction of place '{}': its memory follows the slip within {:.2g} s{}, and an "
      "explicit method stands {:.2g} times that. Use a shorter step, the step rule time_constant, or an implicit method such as radau5.",
      choice_.wanted(), run_.system.layout().places[place].name, 1 / rate, rate < here ? " or less" : " here", kStable));
  return true;
}

/// The largest rate |lambda| of motions about a state, by powers of the Jacobian on one direction; `who` takes the number of the first-order form that moves most in
/// it. Positions and velocities have different units and take turns: two powers at a time.
double Failure::fastest_rate(const State& at, int& who) {
  constexpr double kWay = 1e-7;  // in SI: small beside what makes forces bend, large beside rounding
  const std::size_t n = run_.here.rate.size();
  State x = at;
  run_.kernel.evaluate(run_.system, x, run_.work);
  const std::vector<double> here = run_.work.rate;
  std::vector<double> way(n), next(n);
  for (std::size_t i = 0; i < n; ++i) way[i] = std::sin(12.9898 * static_cast<double>(i + 1));
  double rate = 0, before = 1;
  for (int k = 0; k < 40; ++k) {
    run_.system.move(at, kWay, way.data(), x);
    run_.kernel.evaluate(run_.system, x, run_.work);
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = (run_.work.rate[i] - here[i]) / kWay;
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
bool Failure::ran_away() {
  constexpr double kStable = 2.785;  // of rk4, on the negative axis; 2.83 on the imaginary one
  if (!run_.method.is_explicit || run_.method.estimates_error || run_.counts.accepted == 0) return false;
  State x = run_.system.make_state();
  if (!undefined_name(x, choice_.wanted()).empty()) return false;  // what is given over time ends here, whatever moves
  run_.system.set_time(x, run_.x0->t);
  int who = -1;
  const double rate = fastest_rate(x, who);
  if (who < 0 || !(choice_.wanted() * rate > 0.9 * kStable)) return false;
  say(fmt::format(
      "the motion has run away: steps of {:.3g} s are too long for {}. Where the run starts, the fastest motion there has a rate of {:.3g} "
      "1/s, and an explicit method stands steps of {:.2g} s at most. Use a shorter step, or an implicit method such as radau5.",
      choice_.wanted(), run_.system.layout().name_of(who), rate, kStable / rate));
  return true;
}

/// A run whose steps have become so short that it will not see its end stops and says where it stands.
bool Failure::stalls(double end) {
  const long long attempts = run_.counts.attempts(), tried = attempts - pause_.attempts;
  if (tried >= (pause_.looks + 1) * kAttemptsBeside) {
    ++pause_.looks;
    near_singular();
    // Newton's method keeps the steps short: friction that feeds itself may be why
    const bool held_back =
        run_.counts.rejected_for(Cause::newton) > pause_.by_newton && run_.last.length < kSliver * (end - run_.x0->t);
    if (held_back && jams(1)) return true;
  }
  const bool beside = run_.kernel.near() || !run_.system.layout().redundant.empty();
  if (tried < (beside ? kAttemptsBeside : kAttempts)) return false;
  const double progress = run_.x0->t - pause_.t;
  // a fixed step of which next to nothing is ever taken
  const bool cut = choice_.fixed_step() > 0 && 4 * (run_.counts.rejected - pause_.rejected) > tried &&
                   progress < kCut * choice_.fixed_step() * static_cast<double>(tried);
  pause_ = {attempts, run_.counts.rejected, run_.counts.rejected_for(Cause::newton), run_.x0->t};
  if (!cut &&
      (progress > kTiny * static_cast<double>(tried) || (end - run_.x0->t) * static_cast<double>(tried) < kOutOfReach * progress))
    return false;
  if (!cut && choice_.is_as_asked()) return false;
  const std::string last = run_.cause_text(run_.last.outcome);
  tell(run_.last.outcome, run_.last.length,
       fmt::format("the last {} attempts at a step have come no further than {:.2g} s: the end is out of reach{}{}", tried,
                   progress, last.empty() ? "" : "; last cause: ", last));
  return true;
}

/// Methods that keep the joints by equations of their own are not watched in every step: has it come next to a singular position?
bool Failure::near_singular() {
  if (run_.system.held_count() == 0) return false;
  if (run_.method.enforces) {
    State x = *run_.x0;
    run_.kernel.evaluate(run_.system, x, run_.work);
    run_.kernel.watch(run_.system, x, run_.work, true);
  }
  return run_.kernel.near() || run_.kernel.distance() < kBeside;
}

bool Failure::jams(double least) {
  const Jam jam = run_.kernel.find_jam(run_.system, *run_.x0, run_.work);
  if (!(jam.gain >= least)) return false;
  tell_jam(jam);
  return true;
}

/// A method that keeps the joints itself may creep on in ever shorter steps where no accelerations and reactions exist.
bool Failure::jammed() {
  State x = *run_.x0;
  run_.kernel.evaluate(run_.system, x, run_.work);
  if (run_.kernel.converged()) return false;
  return jams(kSelfLocking);
}

void Failure::tell(const Outcome& out, double h, const std::string& what) {
  const std::string cause = what.empty() ? run_.cause_text(out) : what;
  const std::string at = out.cause == Cause::shrunk ? "" : fmt::format(" at a step of {:.3g} s", h);
  // a fixed step that is cut and cut may be so because the motion has run away
  if (outran_memory() || ((out.cause == Cause::undefined || !what.empty()) && ran_away())) return;
  // not every method notices: whose step has shrunk to nothing may have met an expression without a value
  const auto defined_here = [&] {
    run_.system.calc_outputs(*run_.x0, run_.work, outputs_.data());
    return std::all_of(outputs_.begin(), outputs_.end(), [](double y) { return std::isfinite(y); });
  };
  const std::string undefined = out.cause == Cause::undefined || defined_here() ? undefined_name(*run_.x0, h) : "";
  if (!undefined.empty()) {
    say(fmt::format("{} has no finite value from here on. Check the expression that gives it.", undefined));
    return;
  }
  if (jams(kSelfLocking)) return;
  int strongest = -1;  // of the reactions
  for (int k = 0; k < run_.system.held_count(); ++k) {
    if (strongest < 0 || std::abs(run_.x0->lambda()[k]) > std::abs(run_.x0->lambda()[strongest])) strongest = k;
  }
  std::string reaction;
  if (strongest >= 0) {
    const HeldRow& held = run_.system.layout().held[u(strongest)];
    reaction = fmt::format(
        " Largest reaction: {} ({}), {:.3g}; a mechanism that is jammed, at a dead centre or driven beyond its reach ends like this.",
        held.owner, held.name, std::abs(run_.x0->lambda()[strongest]));
  }
  if (!run_.system.layout().redundant.empty()) {
    say(fmt::format(
        "{}{}. Where the mechanism starts, {} follows from the other joints. If that is so in this position alone, as "
        "of a linkage that lies flat, several ways go on from there and none is told: start it a little beside, by 1e-6 rad say. If it is so "
        "everywhere, try a smaller step, a looser tolerance or another integrator.{}",
        cause, at, run_.system.layout().redundant.front(), reaction));
    return;
  }
  if (near_singular()) {
    say(fmt::format(
        "{}. The mechanism is next to a position in which {} follows from the other joints, as a linkage that lies flat: several "
        "ways go on from there, and this method does not find its own at this tolerance.{} Try another step or tolerance, or another method: dormand_prince "
        "and rk4 with enforcement: projection, and generalized_alpha, pass most such positions.",
        cause, run_.kernel.weakest_row(run_.system, *run_.x0), reaction));
    return;
  }
  std::string resting;
  bool several = false;
  for (const DryPlace& p : run_.system.dry()) {
    if (!p.marks(*run_.x0).rests()) continue;
    several = !resting.empty();
    resting += (resting.empty() ? "'" : ", '") + p.name + "'";
  }
  if (!resting.empty() && what.empty() && out.cause == Cause::balance) {
    say(fmt::format(
        "friction locks the mechanism: joints that rest by friction ({}) and what they carry do not find a common answer, as "
        "near a dead centre, where many are possible. Use smoothing in these joints, or a law with memory (dahl, lugre): then there is one.",
        resting));
    return;
  }
  // joints are to blame for neither
  const bool by_rest = !resting.empty() && (out.cause == Cause::rest || out.cause == Cause::error);
  if (by_rest)
    reaction = fmt::format(" {} by friction here, near what {} can hold.", resting + (several ? " rest" : " rests"),
                           several ? "they" : "it");
  std::string worst = out.worst >= 0 ? " Largest residual: " + run_.system.layout().name_of(out.worst) + "." : "";
  worst += reaction;
  if (worst.empty() && !run_.here.rate.empty()) {
    const auto fastest = std::max_element(run_.here.rate.begin(), run_.here.rate.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    worst = " What changes fastest: " + run_.system.layout().name_of(static_cast<int>(fastest - run_.here.rate.begin())) + ".";
  }
  say(fmt::format("{}{}.{} Try a smaller step, a looser tolerance or another integrator.", cause, at, worst));
}

}  // namespace bristle
