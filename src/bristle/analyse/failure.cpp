#include "bristle/analyse/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analyse/fastest_rate.h"
#include "bristle/analyse/step_stability.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
// Gain of friction by its own reactions. 1 is the end; no step gets there, as friction grows by 1/(1 - gain) on the way: tenfold here.
constexpr double kSelfLocking = 0.9;
// Progress is looked at after so many attempts at a step; a run that would need so many more is out of reach (a day, at 1e3 a second)
constexpr long long kAttempts = 8000;
constexpr long long kAttemptsBeside = 500;     // the same next to a singular position
constexpr long long kAttemptsLaboured = 2000;  // the same where evaluations count as attempts
constexpr double kBeside = 0.2;                // distance to it over the usual one: whoever fails here may have it just behind
constexpr double kOutOfReach = 1e8;            // attempts that the way to the end would take
constexpr double kCut = 1e-3;                  // of the step that was asked for, per attempt
constexpr double kLaboured = 3e-4;             // the same where evaluations count as attempts
constexpr double kSliver = 1e-6;  // of the way to the end: steps that Newton's method holds back so far are looked at
constexpr double kTiny = 1e-7;    // [s] longer steps are no stall, whatever the end
constexpr double kLight = 3e8;    // [m/s, rad/s] whatever moves faster has run away
}  // namespace

Failure::Failure(RunContext& run, const StepChoice& choice) : run_(run), choice_(choice) {
  pace_.resize(u(run_.system.readings().pace_count()));
  speed_.assign(pace_.size(), 0);
  outputs_.assign(run_.system.layout().channels.size(), 0);
  looked_at_ = run_.system.make_state();
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
    run_.system.readings().calc_outputs(run_.system.look(x, run_.work), outputs_.data());
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
  int worst = -1;
  for (std::size_t i = 0; i < run_.here.rate.size() && worst < 0; ++i) {
    if (!std::isfinite(run_.here.rate[i])) worst = static_cast<int>(i);
  }
  std::size_t account = 0;
  while (account + 1 < run_.here.power.size() && std::isfinite(run_.here.power[account])) ++account;
  const std::string number = worst >= 0 ? "the rate of " + run_.system.layout().name_of(worst)
                                        : "the power of '" + run_.system.layout().accounts[account].name + "'";
  if (flew_away(number + " has no finite value from here on, ")) return false;
  const std::string name = undefined_name(*run_.x0, 0), what = !name.empty() ? name : number;
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
  for (int k = 0; k < run_.system.layout().held_count(); ++k) {
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

/// [s] Rules that look at a state that has blown up ask for steps of nothing: those of before count.
double Failure::step_in_use() const { return std::max(choice_.wanted(), run_.last.usual); }

/// A step that is long beside the time in which a law follows the slip makes an explicit method blow its memory up; what comes of that may look
/// like anything.
bool Failure::outran_memory() {
  constexpr double kStable = StepStability::kStands;
  if (!run_.method.is_explicit || run_.method.estimates_error || pace_.empty()) return false;
  const auto slower = [](const Pace& a, const Pace& b) { return a.rate < b.rate; };
  run_.system.readings().calc_paces(run_.system.look(*run_.x0, run_.work), pace_.data(), speed_.data());
  const auto fastest = std::max_element(pace_.begin(), pace_.end(), slower);
  const double h = step_in_use();
  if (!(h * fastest->rate > kStable)) return false;
  const std::size_t place = u(static_cast<int>(fastest - pace_.begin()));
  // a state that has blown up is no measure of the time; how the run began is
  const double here = fastest->rate;
  run_.system.readings().calc_paces(run_.system.look(run_.system.make_state(), run_.work), pace_.data(), speed_.data());
  const double rate = std::min(here, std::max(pace_[place].rate, kStable / h));
  say(fmt::format(
      "steps of {:.3g} s are too long for the friction of place '{}': its memory follows the slip within {:.2g} s{}, and an "
      "explicit method stands {:.2g} times that. Use a shorter step, the step rule time_constant (without start_only), or an implicit method such as radau5.",
      h, run_.system.layout().places[place].name, 1 / rate, rate < here ? " or less" : " here", kStable));
  return true;
}

/// Steps too long for a spring or a damper make an explicit method blow the motion up.
bool Failure::ran_away() {
  constexpr double kStable = StepStability::kStands;
  if (!run_.method.is_explicit || run_.method.estimates_error || run_.counts.accepted == 0) return false;
  State x = run_.system.make_state();
  if (!undefined_name(x, choice_.wanted()).empty()) return false;  // what is given over time ends here, whatever moves
  run_.system.set_time(x, run_.x0->t);
  FastestRate fastest(run_);
  const double h = step_in_use();
  const double rate = fastest.look(x, run_.work, 40);
  const int who = fastest.who();
  if (who < 0 || !(h * rate > 0.9 * kStable)) return false;
  say(fmt::format(
      "the motion has run away: steps of {:.3g} s are too long for {}. Where the run starts, the fastest motion there has a rate of {:.3g} "
      "1/s, and an explicit method stands steps of {:.2g} s at most. Use a shorter step, or an implicit method such as radau5.",
      h, run_.system.layout().name_of(who), rate, kStable / rate));
  return true;
}

/// What moves faster than light does so because the method has blown it up, and whatever has no value then has none for that.
bool Failure::flew_away(const std::string& what) {
  const Layout& layout = run_.system.layout();
  int who = -1;
  double fastest = kLight;
  for (const State* x : {run_.x0, run_.x1}) {
    for (int i = 0; i < layout.free(); ++i) {
      const double speed = std::abs(x->v()[layout.v_index(i)]);
      if (speed > fastest) fastest = speed, who = i;
    }
  }
  if (who < 0) return false;
  const bool outran = run_.method.is_explicit && !run_.method.estimates_error;
  say(fmt::format(
      "the motion has run away: {}{} changes by {:.2g} per second. {}", what, layout.name_of(who), fastest,
      outran
          ? "An explicit method does that where its steps are too long for something stiff: a contact, a spring, or friction with "
            "memory. Use a shorter step, the step rules contact and friction together and without start_only, or an implicit method such as radau5."
          : "Try a smaller step or tolerance, or another integrator."));
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
  const bool beside = run_.kernel.held().near() || !run_.system.layout().redundant.empty();
  // attempts that take evaluations without end: Newton's method finds it with whole matrices of differences, trial by trial
  const bool labours = run_.counts.attempts() > 4 * (run_.counts.accepted + run_.counts.rejected);
  if (tried < (beside ? kAttemptsBeside : labours ? kAttemptsLaboured : kAttempts)) return false;
  const double progress = run_.x0->t - pause_.t;
  // a fixed step of which next to nothing is ever taken
  const bool rejects = 4 * (run_.counts.rejected - pause_.rejected) > tried;
  const double share = rejects ? kCut : labours ? kLaboured : 0;
  const bool cut = progress < share * choice_.fixed_step() * static_cast<double>(tried);
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
  if (run_.system.layout().held_count() == 0) return false;
  if (run_.method.enforces) {
    State x = *run_.x0;
    run_.kernel.evaluate(run_.system, x, run_.work);
    run_.kernel.held().watch(run_.system, x, run_.work, true);
  }
  return run_.kernel.held().near() || run_.kernel.held().distance() < kBeside;
}

bool Failure::jams(double least) {
  const Jam jam = run_.kernel.find_jam(run_.system, *run_.x0, run_.work);
  if (!(jam.gain >= least)) return false;
  tell_jam(jam);
  return true;
}

/// A method that keeps the joints itself may creep on in ever shorter steps where no accelerations and reactions exist.
bool Failure::jammed() {
  looked_at_ = *run_.x0;  // asked within a step: nothing is allocated
  run_.kernel.evaluate(run_.system, looked_at_, run_.work);
  if (run_.kernel.converged()) return false;
  return jams(kSelfLocking);
}

void Failure::tell(const Outcome& out, double h, const std::string& what) {
  const std::string cause = what.empty() ? run_.cause_text(out) : what;
  const std::string at = out.cause == Cause::shrunk ? "" : fmt::format(" at a step of {:.3g} s", h);
  // a fixed step that is cut and cut may be so because the motion has run away
  if (outran_memory() || ((out.cause == Cause::undefined || !what.empty()) && (ran_away() || flew_away("")))) return;
  // not every method notices: whose step has shrunk to nothing may have met an expression without a value
  const auto defined_here = [&] {
    run_.system.readings().calc_outputs(run_.system.look(*run_.x0, run_.work), outputs_.data());
    return std::all_of(outputs_.begin(), outputs_.end(), [](double y) { return std::isfinite(y); });
  };
  const std::string undefined = out.cause == Cause::undefined || defined_here() ? undefined_name(*run_.x0, h) : "";
  if (!undefined.empty()) {
    say(fmt::format("{} has no finite value from here on. Check the expression that gives it.", undefined));
    return;
  }
  if (jams(kSelfLocking)) return;
  int strongest = -1;  // of the reactions
  for (int k = 0; k < run_.system.layout().held_count(); ++k) {
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
        cause, run_.kernel.held().weakest_row(run_.system, *run_.x0), reaction));
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
