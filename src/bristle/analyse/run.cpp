#include "bristle/analyse/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "bristle/analyse/constraint_error.h"
#include "bristle/analyse/ledger_limits.h"
#include "bristle/analyse/step_end.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {

/// The first number of the first-order form that is not finite, or -1.
int first_undefined(const Layout& layout, const State& x) {
  const int n = layout.free();
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(x.v()[layout.v_index(i)])) return n + i;
  }
  for (int i = 0; i < layout.scalars; ++i) {
    if (!std::isfinite(x.q()[i])) return i;
  }
  for (int i = 0; i < layout.sizes.z; ++i) {
    if (!std::isfinite(x.z()[i])) return 2 * n + i;
  }
  return -1;
}
/// The sum of numbers is finite when all of them are.
double sum_of(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  return sum;
}

/// Work that counts as none: the largest force of a joint, a contact or a place at rest over a billionth of the largest coordinate (at least a picometre), or
/// over a hundred times what the method does not resolve; and what rounding leaves of the stored energy.
double least_energy(const State& x, const std::vector<double>& row_force, double stored, double absolute_tolerance) {
  double force = 0, way = 1e-3;
  for (int i = 0; i < x.sizes().lambda; ++i) force = std::max(force, std::abs(x.lambda()[i]));
  for (double T : row_force) force = std::max(force, std::abs(T));
  for (int i = 0; i < x.sizes().q && force > 0; ++i) way = std::max(way, std::abs(x.q()[i]));
  return std::max(force * std::max(1e-9 * way, 100 * absolute_tolerance), ledger_limits::kRounding * std::abs(stored));
}

/// Kinetic energy at speeds that the method does not resolve: of what moves no faster than that nothing is known, and so of its energy.
double unresolved_energy(RunContext& run) {
  constexpr double kAtom = 1e-11;  // [m/s, rad/s] where the method has no tolerance
  State x = *run.x0;
  const Layout& layout = run.system.layout();
  for (int i = 0; i < layout.free(); ++i) x.v()[layout.v_index(i)] = 1;
  const double speed = std::max(kAtom, 100 * run.method.absolute_tolerance), unit = run.system.calc_energy(x, run.work).kinetic;
  run.system.calc_energy(*run.x0, run.work);  // the workspace looks at the state again
  return std::isfinite(unit) ? unit * speed * speed : 0;
}

constexpr double kShortest = 1e-9;  // of the step that was wanted: where Newton's method fails still, no shorter step will help
constexpr int kDoubtful = 4;        // rejections of one step: is there a solution at all?
}  // namespace

Run::Run(const System& system, std::unique_ptr<Integrator> integrator, std::vector<std::unique_ptr<StepController>> controllers,
         RunOptions options)
    : run_(system, std::move(integrator), std::move(options)),
      choice_(run_, std::move(controllers)),
      failure_(run_, choice_),
      crossings_(run_, choice_),
      switches_(run_, choice_, failure_),
      judge_(run_) {
  modes_.assign(u(system.readings().pace_count()), Mode::stick);
  modes_before_ = modes_;
  load_work_.prepare(system);
  memory_before_.reserve(u(system.layout().sizes.z));
  marks_before_.reserve(u(system.layout().sizes.marks));
  events_.reserve(modes_.size() + system.dry().size());
}

const Ledger& Run::ledger() const {
  if (!balanced_) {
    const Energy energy = run_.system.calc_energy(*run_.x0, run_.work);
    run_.ledger.balance(energy, run_.work.stored.data());
    least_energy_ =
        std::max(least_energy_, least_energy(*run_.x0, run_.work.row_force, energy.stored, run_.method.absolute_tolerance));
    balanced_ = true;
  }
  return run_.ledger;
}

void Run::start(State x) {
  *run_.x0 = std::move(x);
  run_.size = calc_size(run_.system.layout(), run_.system.look(*run_.x0, run_.work).pose);
  clock_ = {};
  *run_.x1 = *run_.x0;
  run_.counts = {};
  failure_.begin();
  const double t = run_.x0->t;
  run_.x0->t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
  run_.system.set_time(*run_.x0, t);
  switches_.begin();
  crossings_.begin();
  run_.evaluate_here(*run_.x0);
  if (run_.method.enforces) run_.kernel.held().begin_watch();
  choice_.prepare(run_.x0->t);
  failure_.refuse(choice_.course().refusal());
  if (!failure_.has_spoken() && failure_.starts_singular()) {
    failure_.say(fmt::format(
        "the mechanism starts in a singular position: here {} follows from the other joints, beside it no longer, as in a linkage that "
        "lies flat. Several ways go on from there and nothing tells which: start it a little beside, by 1e-6 rad say.",
        run_.system.layout().singular.front()));
  }
  if (failure_.has_spoken()) return;
  run_.take_samples(*run_.x0);
  const Energy energy = run_.system.calc_energy(*run_.x0, run_.work);
  run_.ledger.start(energy, run_.work.stored.data());
  load_work_.start(run_.system, *run_.x0, run_.work);
  least_energy_ = unresolved_energy(run_);
  balanced_ = true;
  run_.last.outcome = {};
  run_.last.length = run_.last.usual = next_step_ = 0;
  run_.integrator->restart();
  if (run_.method.estimates_error) {
    StepContext c = run_.step_context();
    choice_.begin_with(run_.integrator->first_step(c, *run_.x0));
    run_.evaluate_here(*run_.x0);
  }
  if (run_.options.watch_modes) run_.system.calc_modes(*run_.x0, run_.work, modes_.data());
  failure_.has_values();
}

bool Run::advance_to(double end) {
  while (run_.x0->t < end) {
    if (!advance(end)) return false;
  }
  return true;
}

bool Run::advance(double end) {
  events_.clear();
  if (failure_.has_spoken()) return false;
  if (failure_.stalls(end)) {
    name_chatter(true);
    return false;
  }
  leave_corner();
  double h = run_.options.late_clock && next_step_ > 0 ? std::min(next_step_, std::max(end - run_.x0->t, next_step_ * 1e-9))
                                                       : choice_.choose(end);
  if (!take_step(h)) {
    if (failure_.has_spoken()) name_chatter(true);
    return false;
  }
  if (crossings_.watches() && crossings_.locate(run_.last.outcome) && run_.last.outcome.verdict != Outcome::Verdict::ok) {
    failure_.tell(run_.last.outcome, h);
    name_chatter(true);
    return false;
  }
  bool located = false;
  if (switches_.watches()) {
    located = switches_.locate(run_.last.outcome);
    if (failure_.has_spoken()) return false;
  }
  end_step(end, h);
  run_.turn_rates();
  settle(located);
  if (crossings_.watches()) name_chatter(false);
  else crossings_.look_at_fixed_step();
  if (run_.system.layout().held_count() > 0 && !run_.method.owns_forces &&
      !(run_.last.outcome.evaluated && run_.method.enforces)) {
    run_.kernel.held().watch(run_.system, *run_.x0, run_.work, run_.method.enforces);
    if (!run_.kernel.held().trouble().empty()) failure_.say(run_.kernel.held().trouble());
  }
  run_.last.usual = std::max(run_.last.length, 0.999 * run_.last.usual);
  load_work_.step(run_.system, *run_.x0, run_.work, run_.ledger.step_work());
  close_step();
  if (run_.system.readings().may_be_troubled() && !failure_.has_spoken()) {
    const std::string trouble = run_.system.readings().trouble(run_.system.look(*run_.x0, run_.work));
    if (!trouble.empty()) failure_.say(trouble);
  }
  if (failure_.has_spoken() || !failure_.has_values()) return false;
  if (run_.options.late_clock) {
    const double before = run_.x1->t;
    next_step_ = choice_.choose(kInfinity);
    run_.system.set_time(*run_.x0, std::min(before + next_step_, end));
    run_.evaluate_here(*run_.x0);
  }
  return true;
}

bool Run::take_step(double& h) {
  StepContext c = run_.step_context();
  Outcome& out = run_.last.outcome;
  int tries = 0, unsolved = 0;
  judge_.begin_step();
  for (;;) {
    ::new (&out) Outcome(run_.take_step(c, h));  // in place: a copy would wait for what was just written in pieces
    if (out.verdict == Outcome::Verdict::ok && !c.forced) judge_.judge(out), choice_.judge_end(out);
    run_.counts.newton += out.newton;
    run_.counts.sweeps += out.sweeps;
    run_.counts.evaluations += out.evaluations;
    bool finite = true;
    if (out.verdict == Outcome::Verdict::ok) {
      const Sizes& sizes = run_.x1->sizes();
      finite = std::isfinite(sum_of(run_.x1->q(), sizes.q) + sum_of(run_.x1->v(), sizes.v) + sum_of(run_.x1->z(), sizes.z));
    }
    if (out.verdict == Outcome::Verdict::ok && finite) {
      choice_.taken(h, unsolved);
      return true;
    }
    run_.ledger.drop_step();
    ++run_.counts.rejected;
    ++tries;
    if (out.cause != Cause::memory) ++unsolved;  // what is located there says nothing about the next step
    if (!finite) {
      out.cause = Cause::undefined;
      out.worst = first_undefined(run_.system.layout(), *run_.x1);
      run_.integrator->restart();
    }
    ++run_.counts.rejected_by[static_cast<int>(out.cause)];
    choice_.set_reason(StepReason::retry);
    const double smallest = run_.options.min_step > 0 ? run_.options.min_step : 1e-14 * std::max(std::abs(run_.x0->t), 1e-3);
    const double next = finite && out.next > 0 && out.next < h ? out.next : 0.25 * h;
    if (out.verdict == Outcome::Verdict::reject && finite && out.error > 1 && next < smallest && !c.forced) {
      // the error does not fall with the step: a rate jumps here, as where surfaces meet. Over the smallest step that changes nothing
      c.forced = true;
      h = smallest;
      run_.integrator->restart();
      continue;
    }
    const bool hopeless = run_.options.min_step == 0 && out.cause == Cause::newton && next < kShortest * choice_.wanted();
    if (out.verdict == Outcome::Verdict::fail || next < smallest || hopeless || tries > 60) {
      // an undefined force spreads over all unknowns of an implicit method: name the rate it came from
      for (std::size_t i = 0; i < run_.work.rate.size() && out.verdict != Outcome::Verdict::ok; ++i) {
        if (std::isfinite(run_.work.rate[i])) continue;
        out.cause = Cause::undefined;
        out.worst = static_cast<int>(i);
        break;
      }
      failure_.tell(out, h);
      return false;
    }
    // attempts change what is remembered for the next ones: a resumed run gives the same bits if a step is stopped only before or after it,
    // unless it takes too many of them
    if (tries >= kDoubtful && stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return false;
    if (unsolved == kDoubtful && out.cause != Cause::memory && run_.method.enforces && failure_.jammed()) return false;
    h = choice_.shorter(next);
  }
}

/// Is it that an expression drives back to its own jump? `failed`: where nothing goes on.
void Run::name_chatter(bool failed) {
  if (const std::string chatter = crossings_.chatter(failed); !chatter.empty()) failure_.say(chatter);
}

/// A run may begin where something given over time goes another way: its first step begins behind that.
void Run::leave_corner() {
  const double t = run_.x0->t, behind = run_.options.late_clock ? t : choice_.course().behind(t);
  if (!(behind > t)) return;
  run_.system.set_time(*run_.x0, behind);
  follow_held();
  run_.evaluate_here(*run_.x0);
}

/// Where the speed of a drive jumps, what it holds follows at once.
void Run::follow_held() {
  if (run_.system.layout().held_count() == 0 || run_.method.enforces) return;
  run_.ledger.add_numerical(run_.kernel.held().finish_step(run_.system, *run_.x0, run_.work));
}

void Run::end_step(double end, double h) {
  // which dry places fired is known; the step is final
  run_.last.length = run_.x1->t - run_.x0->t;
  run_.turn_ends();
  run_.last_switch.ended_step = false;
  if (!run_.options.late_clock) {
    // equal steps are counted, and the last one lands exactly on the end
    double to = landing(run_.x0->t, clock_.end_of(run_.x1->t, h), end, run_.last.length);
    const bool crossed = crossings_.watches() && crossings_.waits_at(run_.x0->t);
    const bool at_corner = crossed || choice_.course().behind(to) > to;
    if (at_corner) {  // to the other side of a corner of what is given, or of what the motion has come to
      to = choice_.course().behind(to);
      if (!run_.method.owns_forces) run_.kernel.evaluate(run_.system, *run_.x0, run_.work);
      run_.last_switch.rate = run_.work.rate, run_.last_switch.ended_step = run_.method.owns_forces || run_.kernel.converged();
    }
    run_.last.outcome.evaluated = run_.last.outcome.evaluated && run_.x0->t == to && !crossed;
    run_.system.set_time(*run_.x0, to);
    if (crossed) crossings_.pass(*run_.x0, end);
    if (at_corner) {
      run_.integrator->restart();
      follow_held();
    }
  }
}

/// After a step: dry places at rest, memory accepted, the new state evaluated.
void Run::settle(bool located) {
  if (switches_.watches()) switches_.settle(located);
  // a method may have evaluated the end of its step: that holds while nothing has touched the state since
  const bool keeps = run_.method.enforces;  // its accelerations and multipliers are those of its own equations
  bool untouched = run_.last.outcome.evaluated && run_.system.dry().empty() &&
                   (keeps || (!run_.system.layout().spatial() && !run_.system.remembers()));
  if (run_.system.remembers()) {
    const Sizes& sizes = run_.x0->sizes();
    if (untouched) memory_before_.assign(run_.x0->z(), run_.x0->z() + sizes.z);
    if (untouched) marks_before_.assign(run_.x0->marks(), run_.x0->marks() + sizes.marks);
    run_.system.accept(*run_.x0, run_.work);
    // marks without friction places count turns: they change nothing
    untouched =
        untouched && std::equal(memory_before_.begin(), memory_before_.end(), run_.x0->z()) &&
        (run_.system.readings().pace_count() == 0 || std::equal(marks_before_.begin(), marks_before_.end(), run_.x0->marks()));
  }
  if (run_.method.owns_forces && run_.last_switch.ended_step) run_.evaluate_beside(*run_.x0);  // the rates behind a corner
  else if ((untouched && keeps) || run_.method.owns_forces) run_.take_solution();
  else if (untouched) run_.take_evaluation(*run_.x0);
  else if (run_.method.takes_impacts) run_.evaluate_beside(*run_.x0);
  else run_.evaluate_here(*run_.x0);
  run_.take_samples(*run_.x0);
}

void Run::close_step() {
  run_.ledger.close_step();
  balanced_ = false;
  ++run_.counts.accepted;
  choice_.count_reason();
  if (!run_.options.watch_modes) return;
  std::swap(modes_, modes_before_);
  run_.system.calc_modes(*run_.x0, run_.work, modes_.data());
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] != modes_before_[i]) events_.push_back({run_.x0->t, static_cast<int>(i), modes_before_[i], modes_[i]});
  }
}

void Run::interpolate(double t, State& x) {
  const double h = run_.x0->t - run_.x1->t;
  const double part = h > 0 ? (t - run_.x1->t) / h : 1;
  StepContext c{run_.system, run_.kernel, run_.work, run_.ledger, run_.before.rate.data(), run_.before.power.data()};
  run_.integrator->interpolate(c, *run_.x1, *run_.x0,
                               (run_.last_switch.ended_step ? run_.last_switch.rate : run_.here.rate).data(), part, x);
  if (run_.method.takes_impacts || run_.method.owns_forces) return;  // forces and accelerations are those of the step
  run_.kernel.evaluate(run_.system, x, run_.work);
  run_.kernel.accelerations(run_.system, x, run_.work, x.a());
  std::copy(run_.work.lambda.begin(), run_.work.lambda.end(), x.lambda());
}

}  // namespace bristle
