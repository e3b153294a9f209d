#include "bristle/analyse/run_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kOff =
    1e-5;  // of the mechanism's size, or of a radian: held rows that are corrected and still off by this cannot be kept
constexpr double kBroken = 1e-2;  // the same where nothing corrects them: they drift, but not that far

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
}  // namespace

RunContext::RunContext(const System& of, std::unique_ptr<Integrator> moves, RunOptions given)
    : system(of), integrator(std::move(moves)), method(integrator->traits()), options(std::move(given)) {
  kernel.prepare(system, options.enforcement);
  kernel.let_creep(method.starts_by_kernel);
  work = system.make_workspace();
  work.rest = options.rest;
  integrator->prepare(system);
  ledger.prepare(system.layout());
  here.rate.assign(work.rate.size(), 0);
  here.power.assign(work.power.size(), 0);
  before = here;
  last_switch.rate = here.rate;
  end_ = system.make_state();
  outputs_.assign(system.layout().channels.size(), 0);
  forces_kept_.reserve(u(system.layout().sizes.lambda + system.layout().sizes.v));
}

void RunContext::evaluate_here(State& x) {
  work.eval = system.view(x, work);
  kernel.evaluate_bound(system, x, x.t, work);
  double *to_rate = here.rate.data(), *to_power = here.power.data(), *lambda = x.lambda();
  const double *new_rate = work.rate.data(), *new_power = work.power.data();
  const std::size_t n = here.rate.size(), accounts = here.power.size();
  for (std::size_t i = 0; i < n; ++i) to_rate[i] = new_rate[i];
  for (std::size_t i = 0; i < accounts; ++i) to_power[i] = new_power[i];
  const Layout& layout = system.layout();
  if (layout.frames.empty()) {
    double* a = x.a();
    for (int i = 0; i < layout.scalars; ++i) a[i] = to_rate[layout.scalars + i];
  } else {
    kernel.accelerations(system, x, work, x.a());
  }
  const std::size_t held = work.lambda.size();
  for (std::size_t i = 0; i < held; ++i) lambda[i] = work.lambda[i];
  ++counts.evaluations;
}

void RunContext::take_evaluation(State& x) {
  std::swap(here.rate, work.rate);
  std::swap(here.power, work.power);
  const int n = system.layout().scalars;
  const double* acceleration = here.rate.data() + n;
  double* a = x.a();
  for (int i = 0; i < n; ++i) a[i] = acceleration[i];
  ++counts.evaluations;
}

void RunContext::evaluate_beside(State& x) {
  const Sizes& sizes = x.sizes();
  forces_kept_.assign(x.lambda(), x.lambda() + sizes.lambda);
  forces_kept_.insert(forces_kept_.end(), x.a(), x.a() + sizes.v);
  evaluate_here(x);
  std::copy_n(forces_kept_.begin(), sizes.lambda, x.lambda());
  std::copy_n(forces_kept_.begin() + sizes.lambda, sizes.v, x.a());
}

void RunContext::take_solution() {
  std::copy(work.rate.begin(), work.rate.end(), here.rate.begin());
  std::copy(work.power.begin(), work.power.end(), here.power.begin());
}

void RunContext::take_samples(State& x) {
  if (system.layout().sampled.empty()) return;
  system.readings().calc_outputs(system.look(x, work), outputs_.data());
  for (const auto& [mark, channel] : system.layout().sampled) x.marks()[mark] = outputs_[u(channel)];
  if (method.owns_forces) return;
  if (method.takes_impacts) evaluate_beside(x);
  else evaluate_here(x);
}

/// Drives that contradict each other, a mechanism driven beyond its reach: no step keeps the rows.
bool RunContext::keeps_rows(const State& x, double limit) {
  const auto worst = [&](double& off) {
    int row = -1;
    off = 0;
    for (int k = 0; k < system.layout().held_count(); ++k) {
      const HeldRow& held = system.layout().held[u(k)];
      const double value = std::abs(work.row_value[u(held.row)]) / (held.length ? std::min(size, 1.0) : 1);
      if (value > off) off = value, row = k;
    }
    return row;
  };
  double off = 0;
  worst(off);  // as they were last evaluated: no need to look again while they are kept
  if (!(off > limit)) return true;
  system.look(x, work);
  const int row = worst(off);
  if (!(off > limit)) return true;
  const HeldRow& held = system.layout().held[u(row)];
  joints_apart_ = fmt::format("the joints cannot be kept together: {} ({}) is off by {:.3g}", held.owner, held.name,
                              std::abs(work.row_value[u(held.row)]));
  return false;
}

Outcome RunContext::take_step(StepContext& c, double h) {
  const bool plain = system.layout().held_count() == 0 && !system.layout().spatial();
  if (plain && system.dry().empty()) return integrator->step(c, *x0, h, *x1);
  kernel.set_step(h);
  Outcome out = integrator->step(c, *x0, h, *x1);
  if (!method.enforces && !kernel.converged()) {
    if (out.verdict == Outcome::Verdict::ok) out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::balance;
  }
  if (plain) return out;
  if (out.verdict != Outcome::Verdict::ok) return out;
  if (const double swing = swing_of(system.layout(), *x0, *x1); swing > kSwing) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::turn;
    out.next = h * std::sqrt(0.7 * kSwing / swing);
    return out;
  }
  const auto judged = [&](double limit) {
    if (system.layout().held_count() > 0 && !keeps_rows(*x1, limit)) {
      out.verdict = Outcome::Verdict::reject;
      out.cause = Cause::joints;
    }
    return out;
  };
  const auto ends_beside = [&] {
    if (c.forced || !kernel.held().ends_beside()) return false;
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::singular_position;
    out.next = 0.7 * h;
    return true;
  };
  if (method.enforces) return judged(kBroken);
  if (method.estimates_error && ends_beside()) return out;
  const double taken = kernel.held().finish_step(system, *x1, work);
  if (taken != 0) c.ledger.add_numerical(taken);
  if (!method.estimates_error && kernel.held().near()) {  // the rows at its end have not been looked at yet
    end_ = *x1;
    kernel.evaluate(system, end_, work);
    ++out.evaluations;
    if (ends_beside()) return out;
  }
  if (kernel.held().turned()) {
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::branch;
    out.next = 0.6 * h;
    return out;
  }
  return judged(options.enforcement.corrects || options.enforcement.completes ? kOff : kBroken);
}

}  // namespace bristle
