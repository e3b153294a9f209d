#include "bristle/analyse/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

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

/// Work that counts as none: the largest force of a joint or a place at rest over a billionth of the largest coordinate (at least a picometre), or
/// over a hundred times what the method does not resolve; and what rounding leaves of the stored energy.
double least_energy(const State& x, double stored, double absolute_tolerance) {
  double force = 0, way = 1e-3;
  for (int i = 0; i < x.sizes().lambda; ++i) force = std::max(force, std::abs(x.lambda()[i]));
  for (int i = 0; i < x.sizes().q && force > 0; ++i) way = std::max(way, std::abs(x.q()[i]));
  return std::max(force * std::max(1e-9 * way, 100 * absolute_tolerance), 1e-10 * std::abs(stored));
}

const char* const kConstant = "constant";
const char* const kRetry = "retry";
const char* const kTurn = "turn of a body";
constexpr double kShortest = 1e-9;  // of the step that was wanted: where Newton's method fails still, no shorter step will help
constexpr int kDoubtful = 4;        // rejections of one step: is there a solution at all?
constexpr double kOff =
    1e-5;  // of the mechanism's size, or of a radian: held rows that are corrected and still off by this cannot be kept
constexpr double kBroken = 1e-2;  // the same where nothing corrects them: they drift, but not that far
// not physical: what a step may do to a body that turns, so that angles of joints can tell how many turns they have made. The mean of
// the rates at both ends is off by no more than half of kSwing per body; half a turn would be too much.
constexpr double kLongestTurn = 2;  // [rad] by the speed at its start
constexpr double kSwing = 1;        // [rad] change of speed, times the step

/// How much the speeds of turning bodies change over a step, times the step [rad].
double swing_of(const Layout& layout, const State& x0, const State& x1) {
  double most = 0;
  const double h = x1.t - x0.t;
  for (const FrameCoordinates& f : layout.frames) {
    const double *w0 = x0.v() + f.v + 3, *w1 = x1.v() + f.v + 3;
    const double d[3] = {w1[0] - w0[0], w1[1] - w0[1], w1[2] - w0[2]};
    most = std::max(most, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  most = h * std::sqrt(most);
  if (layout.frames.empty()) return most;
  for (const BodyInfo& b : layout.bodies) {  // joined to a rigid body, a planar one counts as that does
    if (b.turns() != 1) continue;
    const int q = b.q + b.shifts(), v = b.v + b.shifts();
    const double way = x1.q()[q] - x0.q()[q], mean = 0.5 * h * (x0.v()[v] + x1.v()[v]);
    most = std::max(most, 2 * std::abs(way - mean));
  }
  return most;
}

/// A step that is free to choose, past a position in which held rows depend on each other: with it in the middle, away from the nodes of methods
/// with stages, or well before it.
double clear_of(double ahead, double h) {
  if (!(h > 0.6 * ahead)) return h;
  return h >= 2 * ahead ? 2 * ahead : 0.5 * ahead;
}
}  // namespace

Run::Run(const System& system, std::unique_ptr<Integrator> integrator, std::vector<std::unique_ptr<StepController>> controllers,
         RunOptions options)
    : system_(system), integrator_(std::move(integrator)), controllers_(std::move(controllers)), options_(options) {
  kernel_.prepare(system_, options_.enforcement);
  kernel_.let_creep(integrator_->is_explicit());
  work_ = system_.make_workspace();
  work_.rest = options_.rest;
  integrator_->prepare(system_);
  ledger_.prepare(system_.layout());
  rate_.assign(work_.rate.size(), 0);
  power_.assign(work_.power.size(), 0);
  rate_before_ = rate_;
  rate_end_ = rate_;
  power_before_ = power_;
  guards_.assign(system_.dry().size(), 0);
  guards_before_ = guards_;
  guards_inside_ = guards_low_ = guards_high_ = guards_;
  named_.assign(system_.dry().size(), 0);
  inside_ = system_.make_state();
  fastest_.assign(system_.dry().size(), 0);
  speed_before_ = fastest_;
  turning_.assign(system_.dry().size(), 0);
  pace_.resize(u(system_.pace_count()));
  speed_.assign(pace_.size(), 0);
  if (integrator_->estimates_error()) {
    pace_before_ = pace_inside_ = pace_behind_ = pace_;
    look_ = std::make_unique<Workspace>(system_.make_workspace());
    system_.calc_paces(system_.make_state(), *look_, pace_.data(), speed_.data());
    const bool holds = integrator_->owns_forces() && !system_.dry().empty() && options_.rest == RestRule::events;
    const bool opens = std::any_of(pace_.begin(), pace_.end(), [](const Pace& p) { return p.opens; });
    may_meet_ = opens;
    if (!opens && !holds) look_.reset();
  }
  modes_.assign(pace_.size(), Mode::stick);
  modes_before_ = modes_;
  outputs_.assign(system_.layout().channels.size(), 0);
  memory_before_.reserve(u(system_.layout().sizes.z));
  watched_.assign(u(system_.watch_count()), 0);
  marks_before_.reserve(u(system_.layout().sizes.marks));
  forces_kept_.reserve(u(system_.layout().sizes.lambda + system_.layout().sizes.v));
  fired_.reserve(system_.dry().size());
  candidates_.reserve(3 * system_.dry().size());  // a place may be named by more than one reason
  landed_.reserve(system_.dry().size());
  released_.reserve(system_.dry().size());
  events_.reserve(pace_.size() + system_.dry().size());
  reasons_.reserve(kReasons);
  reasons_ = {"end", "error", "largest step", "event", kRetry, kConstant, "velocity", "time constant", kTurn};
  for (const auto& c : controllers_) {
    if (dynamic_cast<const ConstantStep*>(c.get()) == nullptr) needs_pace_ = true;
    reason_index(c->reason());  // numbered now, so that a resumed run counts as the unbroken one does
  }
  if (controllers_.size() == 1 && !needs_pace_ && !integrator_->estimates_error() && options_.max_step == kInfinity) {
    fixed_step_ = dynamic_cast<const ConstantStep&>(*controllers_[0]).step;
  }
}

const Ledger& Run::ledger() const {
  if (!balanced_) {
    const Energy energy = system_.calc_energy(*x0_, work_);
    ledger_.balance(energy, work_.stored.data());
    least_energy_ = std::max(least_energy_, least_energy(*x0_, energy.stored, integrator_->absolute_tolerance()));
    balanced_ = true;
  }
  return ledger_;
}

void Run::start(State x) {
  *x0_ = std::move(x);
  size_ = calc_size(system_.layout(), system_.look(*x0_, work_).pose);
  clock_ = {};
  pause_ = {0, 0, x0_->t};
  *x1_ = *x0_;
  counts_ = {};
  message_.clear();
  const double t = x0_->t;
  x0_->t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
  system_.set_time(*x0_, t);
  // dry places at zero slip are candidates for rest, the others slide where they slide
  candidates_.clear();
  const Eval e = system_.look(*x0_, work_);
  for (int i = 0; i < static_cast<int>(system_.dry().size()); ++i) {
    const DryPlace& p = system_.dry()[u(i)];
    RestView view;
    p.owner->view(e, p.item, view);
    double size = 0;
    for (int d = 0; d < p.components; ++d) size += view.slip[d] * view.slip[d];
    size = std::sqrt(size);
    double* mark = x0_->marks() + p.mark;
    if (view.open) {
      mark[0] = static_cast<double>(Mode::open);
      speed_before_[u(i)] = size;
      for (int d = 0; d < p.components; ++d) mark[1 + d] = size > 1e-12 ? view.slip[d] / size : 0;
    } else if (size <= (system_.spatial() ? 1e-12 : 0)) {  // initial assembly leaves round-off
      candidates_.push_back(i);
    } else {
      mark[0] = static_cast<double>(Mode::slip);
      fastest_[u(i)] = speed_before_[u(i)] = size;
      for (int d = 0; d < p.components; ++d) mark[1 + d] = view.slip[d] / size;
    }
  }
  system_.accept(*x0_, work_);
  if (options_.rest == RestRule::events && !candidates_.empty()) kernel_.resolve_modes(system_, *x0_, work_, candidates_, {});
  evaluate_here(*x0_);
  if (integrator_->enforces()) kernel_.begin_watch();
  given_course_.prepare(system_.layout(), x0_->t, options_.end);
  message_ = given_course_.refusal();
  if (message_.empty() && starts_singular()) {
    message_ = fmt::format(
        "t = {:.9g} s: the mechanism starts in a singular position: here {} follows from the other joints, beside it no longer, as in a linkage that "
        "lies flat. Several ways go on from there and nothing tells which: start it a little beside, by 1e-6 rad say.",
        x0_->t, system_.layout().singular.front());
  }
  if (!message_.empty()) return;
  take_samples(*x0_);
  const Energy energy = system_.calc_energy(*x0_, work_);
  ledger_.start(energy, work_.stored.data());
  least_energy_ = 0;
  balanced_ = true;
  last_ = {};
  last_step_ = 0;
  next_step_ = 0;
  usual_step_ = 0;
  std::fill(turning_.begin(), turning_.end(), 0);
  integrator_->restart();
  if (integrator_->estimates_error()) {
    StepContext c{system_, kernel_, work_, ledger_, rate_.data(), power_.data()};
    error_.h = integrator_->first_step(c, *x0_);
    evaluate_here(*x0_);
  }
  if (options_.watch_modes) system_.calc_modes(*x0_, work_, modes_.data());
  has_values();
}

/// Where the model starts, held rows may depend on each other in that position alone; an equilibrium that was looked for is another one.
bool Run::starts_singular() const {
  if (system_.layout().singular.empty()) return false;
  const State model = system_.make_state();
  return std::equal(model.q(), model.q() + model.sizes().q, x0_->q());
}

void Run::evaluate_here(State& x) {
  system_.bind(x, work_);
  kernel_.evaluate_bound(system_, x, x.t, work_);
  double *rate = rate_.data(), *power = power_.data(), *lambda = x.lambda();
  const double *new_rate = work_.rate.data(), *new_power = work_.power.data();
  const std::size_t n = rate_.size(), accounts = power_.size();
  for (std::size_t i = 0; i < n; ++i) rate[i] = new_rate[i];
  for (std::size_t i = 0; i < accounts; ++i) power[i] = new_power[i];
  const Layout& layout = system_.layout();
  if (layout.frames.empty()) {
    double* a = x.a();
    for (int i = 0; i < layout.scalars; ++i) a[i] = rate[layout.scalars + i];
  } else {
    kernel_.accelerations(system_, x, work_, x.a());
  }
  const std::size_t held = work_.lambda.size();
  for (std::size_t i = 0; i < held; ++i) lambda[i] = work_.lambda[i];
  ++counts_.evaluations;
}

/// The same where the method has evaluated the end of its step: rate and power change hands. Nothing is held, no frame turns.
void Run::take_evaluation(State& x) {
  std::swap(rate_, work_.rate);
  std::swap(power_, work_.power);
  const int n = system_.layout().scalars;
  const double* rate = rate_.data() + n;
  double* a = x.a();
  for (int i = 0; i < n; ++i) a[i] = rate[i];
  ++counts_.evaluations;
}

/// The same where the forces of contacts and joints are those of the step: no evaluation at one instant has them.
void Run::evaluate_beside(State& x) {
  const Sizes& sizes = x.sizes();
  forces_kept_.assign(x.lambda(), x.lambda() + sizes.lambda);
  forces_kept_.insert(forces_kept_.end(), x.a(), x.a() + sizes.v);
  evaluate_here(x);
  std::copy_n(forces_kept_.begin(), sizes.lambda, x.lambda());
  std::copy_n(forces_kept_.begin() + sizes.lambda, sizes.v, x.a());
}

/// The same where the method has solved for accelerations and multipliers, which the state already has.
void Run::take_solution() {
  std::copy(work_.rate.begin(), work_.rate.end(), rate_.begin());
  std::copy(work_.power.begin(), work_.power.end(), power_.begin());
}

/// Forces that expressions read as they were at the last accepted step.
void Run::take_samples(State& x) {
  if (system_.layout().sampled.empty()) return;
  system_.calc_outputs(x, work_, outputs_.data());
  for (const auto& [mark, channel] : system_.layout().sampled) x.marks()[mark] = outputs_[u(channel)];
  if (integrator_->owns_forces()) return;
  if (integrator_->takes_impacts()) evaluate_beside(x);
  else evaluate_here(x);
}

double Run::choose_step(double end) {
  if (fixed_step_ > 0) {  // one constant step: nothing to compare
    wanted_ = fixed_step_;
    const double h = std::min(fixed_step_, held_back_.limit());
    last_reason_ = h < fixed_step_ ? kRetry : kConstant;
    const double left = end - x0_->t, rounding = 1e-10 * left + 4e-16 * std::abs(end);
    if (h < left - rounding) return h;
    if (h > left + rounding) last_reason_ = "end";
    return left;
  }
  Proposal best{options_.max_step, "largest step"};
  if (!system_.layout().frames.empty()) {  // attitudes are followed as increments: no more than part of a turn at once
    const Layout& layout = system_.layout();
    double fastest = 0, faster = 0;
    for (const FrameCoordinates& f : layout.frames) {
      const double *w = x0_->v() + f.v + 3, *a = x0_->a() + f.v + 3;
      fastest = std::max(fastest, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      faster = std::max(faster, a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    double longest = kInfinity;
    if (fastest > 0) longest = kLongestTurn / std::sqrt(fastest);
    if (faster > 0)
      longest = std::min(longest, std::sqrt(0.8 * kSwing / std::sqrt(faster)));  // a little less than what is rejected
    if (longest < best.h) best = {longest, kTurn};
  }
  if (needs_pace_) system_.calc_paces(*x0_, work_, pace_.data(), speed_.data());
  const StepView view{last_, last_step_, pace_, speed_};
  for (const auto& c : controllers_) {
    const Proposal p = c->propose(view);
    if (p.h < best.h) best = p;
  }
  if (integrator_->estimates_error()) {
    const Proposal p = error_.propose(view);
    if (p.h < best.h) best = p;
    if (const double corner = given_course_.next(x0_->t); corner > x0_->t) end = std::min(end, corner);
    const double longest = std::min(best.h, end - x0_->t);
    if (!system_.layout().given.empty())
      best.h = given_course_.longest(x0_->t, longest, integrator_->drive_angle(), integrator_->absolute_tolerance());
  }
  if (integrator_->estimates_error() && !integrator_->enforces()) best.h = clear_of(kernel_.crossing(), best.h);
  wanted_ = best.h;
  if (held_back_.limit() < best.h) best = {held_back_.limit(), kRetry};
  last_reason_ = best.reason;
  const double left = end - x0_->t, rounding = 1e-10 * left + 4e-16 * std::abs(end);
  if (best.h >= left - rounding) {
    if (best.h > left + rounding) last_reason_ = "end";
    return left;
  }
  // no crumbs: two halves rather than a step and a sliver, where the step is free to choose
  if (integrator_->estimates_error() && best.h > 0.6 * left) return 0.5 * left;
  return best.h;
}

bool Run::advance_to(double end) {
  while (x0_->t < end) {
    if (!advance(end)) return false;
  }
  return true;
}

bool Run::advance(double end) {
  events_.clear();
  if (!message_.empty() || stalls(end)) return false;
  double h =
      options_.late_clock && next_step_ > 0 ? std::min(next_step_, std::max(end - x0_->t, next_step_ * 1e-9)) : choose_step(end);
  StepContext c{system_, kernel_, work_, ledger_, rate_.data(), power_.data()};
  Outcome& out = last_;
  int tries = 0;
  if (!watched_.empty()) system_.calc_watched(*x0_, work_, watched_.data());
  if (may_meet_) system_.calc_paces(*x0_, *look_, pace_before_.data(), speed_.data());
  for (;;) {
    ::new (&out) Outcome(take_step(c, h));  // in place: a copy would wait for what was just written in pieces
    if (!watched_.empty() && out.verdict == Outcome::Verdict::ok && !c.forced) judge_memory(out);
    if (may_meet_ && out.verdict == Outcome::Verdict::ok && !c.forced) passes_through(out);
    if (look_ && integrator_->owns_forces() && !system_.dry().empty() && out.verdict == Outcome::Verdict::ok && !c.forced)
      judge_rest(out);
    counts_.newton += out.newton;
    counts_.sweeps += out.sweeps;
    counts_.evaluations += out.evaluations;
    bool finite = true;
    if (out.verdict == Outcome::Verdict::ok) {
      const Sizes& sizes = x1_->sizes();
      finite = std::isfinite(sum_of(x1_->q(), sizes.q) + sum_of(x1_->v(), sizes.v) + sum_of(x1_->z(), sizes.z));
    }
    if (out.verdict == Outcome::Verdict::ok && finite) break;
    ledger_.drop_step();
    ++counts_.rejected;
    if (std::strcmp(out.cause, "local error") == 0) ++counts_.rejected_by_error;
    else if (std::strncmp(out.cause, "Newton", 6) == 0) ++counts_.rejected_by_newton;
    ++tries;
    if (!finite) {
      out.cause = "a value became infinite or undefined";
      out.worst = first_undefined(system_.layout(), *x1_);
      integrator_->restart();
    }
    last_reason_ = kRetry;
    const double smallest = options_.min_step > 0 ? options_.min_step : 1e-14 * std::max(std::abs(x0_->t), 1e-3);
    const double next = finite && out.next > 0 && out.next < h ? out.next : 0.25 * h;
    if (out.verdict == Outcome::Verdict::reject && finite && out.error > 1 && next < smallest && !c.forced) {
      // the error does not fall with the step: a rate jumps here, as where surfaces meet. Over the smallest step that changes nothing
      c.forced = true;
      h = smallest;
      integrator_->restart();
      continue;
    }
    const bool hopeless = options_.min_step == 0 && std::strncmp(out.cause, "Newton", 6) == 0 && next < kShortest * wanted_;
    if (out.verdict == Outcome::Verdict::fail || next < smallest || hopeless || tries > 60) {
      // an undefined force spreads over all unknowns of an implicit method: name the rate it came from
      for (std::size_t i = 0; i < work_.rate.size() && out.verdict != Outcome::Verdict::ok; ++i) {
        if (std::isfinite(work_.rate[i])) continue;
        out.cause = "a value became infinite or undefined";
        out.worst = static_cast<int>(i);
        break;
      }
      fail(out, h);
      return false;
    }
    // attempts change what is remembered for the next ones: a resumed run gives the same bits if a step is stopped only before or after it,
    // unless it takes too many of them
    if (tries >= kDoubtful && stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return false;
    if (tries == kDoubtful && integrator_->enforces() && jammed_here()) return false;
    h = integrator_->estimates_error() && !integrator_->enforces() ? clear_of(kernel_.crossing(), next) : next;
    error_.h = h;
  }
  // explicit methods solve no equations of their own: what they meet, rest without an answer, is over in a moment
  if (!integrator_->estimates_error() && !integrator_->is_explicit()) {
    if (tries > 0) held_back_.cut(h, wanted_);
    else held_back_.taken(h, wanted_);
  }

  bool located = false;
  if (options_.rest == RestRule::events && !system_.dry().empty() && !integrator_->owns_forces()) {
    guard(*x0_, *x0_, guards_before_);
    Outcome trial = out;  // what the whole step said stays the advice for the next one
    const double whole = x1_->t - x0_->t;
    located = locate(whole, trial);
    if (!message_.empty()) return false;
    // rest has no error and lets the step grow; what follows a switch has not been seen yet
    if (located) out.next = std::min(out.next, whole);
  }
  // which dry places fired is known; the step is final
  last_step_ = x1_->t - x0_->t;
  std::swap(x0_, x1_);  // x1_ is now the state before the step
  switched_ = false;
  if (!options_.late_clock) {
    // equal steps are counted, and the last one lands exactly on the end
    const double counted = clock_.end_of(x1_->t, h), rounding = 1e-13 * std::max(std::abs(end), last_step_);
    const double off = std::abs(counted - x0_->t),
                 few = 1e-15 * std::abs(counted);  // a few roundings are not worth a new evaluation
    double to = std::abs(end - x0_->t) <= rounding ? end : off > few && off <= rounding ? counted : x0_->t;
    const bool at_corner = integrator_->estimates_error() && given_course_.behind(to) > to;
    if (at_corner) {  // to the other side of a corner of what is given
      to = given_course_.behind(to);
      if (!integrator_->owns_forces()) {
        kernel_.evaluate(system_, *x0_, work_);
        rate_end_ = work_.rate, switched_ = kernel_.converged();
      }
    }
    out.evaluated = out.evaluated && x0_->t == to;
    system_.set_time(*x0_, to);
    if (at_corner) {
      integrator_->restart();
      // where the speed of a drive jumps, the others follow at once
      if (system_.held_count() > 0 && !integrator_->enforces()) ledger_.add_numerical(kernel_.finish_step(system_, *x0_, work_));
    }
  }
  std::swap(rate_, rate_before_);
  std::swap(power_, power_before_);
  settle(located);
  if (system_.held_count() > 0 && !integrator_->owns_forces() && !(out.evaluated && integrator_->enforces())) {
    kernel_.watch(system_, *x0_, work_, integrator_->enforces());
    if (!kernel_.trouble().empty()) message_ = fmt::format("t = {:.9g} s: {}", x0_->t, kernel_.trouble());
  }
  usual_step_ = std::max(last_step_, 0.999 * usual_step_);
  close_step();
  if (system_.may_be_troubled() && message_.empty()) {
    const std::string trouble = system_.trouble(*x0_, work_);
    if (!trouble.empty()) message_ = fmt::format("t = {:.9g} s: {}", x0_->t, trouble);
  }
  if (!message_.empty() || !has_values()) return false;
  if (options_.late_clock) {
    const double before = x1_->t;
    next_step_ = choose_step(kInfinity);
    system_.set_time(*x0_, std::min(before + next_step_, end));
    evaluate_here(*x0_);
  }
  return true;
}

/// A step of the integrator, and back onto the held rows.
Outcome Run::take_step(StepContext& c, double h) {
  const bool plain = system_.held_count() == 0 && !system_.spatial();
  if (plain && system_.dry().empty()) return integrator_->step(c, *x0_, h, *x1_);
  kernel_.set_step(h);
  Outcome out = integrator_->step(c, *x0_, h, *x1_);
  if (!integrator_->enforces() && !kernel_.converged()) {
    if (out.verdict == Outcome::Verdict::ok) out.verdict = Outcome::Verdict::reject;
    out.cause = kNoBalance;
  }
  if (plain) return out;
  if (out.verdict != Outcome::Verdict::ok) return out;
  if (const double swing = swing_of(system_.layout(), *x0_, *x1_); swing > kSwing) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = "a body turns ever faster: the step is too long to count its turns";
    out.next = h * std::sqrt(0.7 * kSwing / swing);
    return out;
  }
  const auto judged = [&](double limit) {
    if (system_.held_count() > 0 && !keeps_rows(*x1_, limit)) {
      out.verdict = Outcome::Verdict::reject;
      out.cause = cause_.c_str();
    }
    return out;
  };
  const auto ends_beside = [&] {
    if (c.forced || !kernel_.ends_beside()) return false;
    out.verdict = Outcome::Verdict::reject;
    out.cause = "the step ends in a singular position of the joints";
    out.next = 0.7 * h;
    return true;
  };
  if (integrator_->enforces()) return judged(kBroken);
  if (integrator_->estimates_error() && ends_beside()) return out;
  const double taken = kernel_.finish_step(system_, *x1_, work_);
  if (taken != 0) c.ledger.add_numerical(taken);
  if (!integrator_->estimates_error() && kernel_.near()) {  // the rows at its end have not been looked at yet
    inside_ = *x1_;
    kernel_.evaluate(system_, inside_, work_);
    ++out.evaluations;
    if (ends_beside()) return out;
  }
  if (kernel_.turned()) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = "in a singular position of the joints the way to go on cannot be told";
    out.next = 0.6 * h;
    return out;
  }
  return judged(options_.enforcement.corrects || options_.enforcement.completes ? kOff : kBroken);
}

/// After a step: dry places at rest, memory accepted, the new state evaluated.
void Run::settle(bool located) {
  if (options_.rest == RestRule::events && !system_.dry().empty() && !integrator_->owns_forces()) settle_rest(located);
  // a method may have evaluated the end of its step: that holds while nothing has touched the state since
  const bool keeps = integrator_->enforces();  // its accelerations and multipliers are those of its own equations
  bool untouched = last_.evaluated && system_.dry().empty() && (keeps || (!system_.spatial() && !system_.remembers()));
  if (system_.remembers()) {
    const Sizes& sizes = x0_->sizes();
    if (untouched) memory_before_.assign(x0_->z(), x0_->z() + sizes.z);
    if (untouched) marks_before_.assign(x0_->marks(), x0_->marks() + sizes.marks);
    system_.accept(*x0_, work_);
    // marks without friction places count turns: they change nothing
    untouched = untouched && std::equal(memory_before_.begin(), memory_before_.end(), x0_->z()) &&
                (system_.pace_count() == 0 || std::equal(marks_before_.begin(), marks_before_.end(), x0_->marks()));
  }
  if ((untouched && keeps) || integrator_->owns_forces()) take_solution();
  else if (untouched) take_evaluation(*x0_);
  else if (integrator_->takes_impacts()) evaluate_beside(*x0_);
  else evaluate_here(*x0_);
  take_samples(*x0_);
}

void Run::close_step() {
  ledger_.close_step();
  balanced_ = false;
  ++counts_.accepted;
  if (last_reason_ != counted_reason_) last_reason_index_ = reason_index(last_reason_), counted_reason_ = last_reason_;
  ++counts_.by_reason[last_reason_index_];
  if (!options_.watch_modes) return;
  std::swap(modes_, modes_before_);
  system_.calc_modes(*x0_, work_, modes_.data());
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] != modes_before_[i]) events_.push_back({x0_->t, static_cast<int>(i), modes_before_[i], modes_[i]});
  }
}

int Run::reason_index(const char* reason) {
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    if (reasons_[i] == reason || std::strcmp(reasons_[i], reason) == 0) return static_cast<int>(i);
  }
  if (reasons_.size() < kReasons) reasons_.push_back(reason);
  return static_cast<int>(reasons_.size()) - 1;
}

void Run::interpolate(double t, State& x) {
  const double h = x0_->t - x1_->t;
  const double part = h > 0 ? (t - x1_->t) / h : 1;
  StepContext c{system_, kernel_, work_, ledger_, rate_before_.data(), power_before_.data()};
  integrator_->interpolate(c, *x1_, *x0_, (switched_ ? rate_end_ : rate_).data(), part, x);
  if (integrator_->takes_impacts() || integrator_->owns_forces()) return;  // forces and accelerations are those of the step
  kernel_.evaluate(system_, x, work_);
  kernel_.accelerations(system_, x, work_, x.a());
  std::copy(work_.lambda.begin(), work_.lambda.end(), x.lambda());
}

}  // namespace bristle
