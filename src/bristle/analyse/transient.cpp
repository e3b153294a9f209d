#include "bristle/analyse/transient.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bristle/analyse/statics.h"
#include "bristle/base/index.h"
#include "bristle/base/text.h"
#include "bristle/record/checkpoint.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kEnergyChannels = 6;
// of the energy involved: what is not explained is no matter of accuracy any more, or the run has failed
constexpr double kDoubtfulResidual = 0.01, kWrongResidual = 0.1;

/// Samples of the channels a user asked for, at given times, ledger included.
class Sampler {
 public:
  Sampler(Run& run, const TransientPlan& plan, RunHeader& header) : run_(run), every_(plan.every), start_(plan.start) {
    const Layout& layout = run.system().layout();
    outputs_.assign(layout.channels.size(), 0);
    all_.assign(layout.channels.size() + kEnergyChannels + layout.accounts.size(), 0);
    ledger_.assign(kEnergyChannels + layout.accounts.size(), 0);
    ledger_before_ = ledger_;
    const std::vector<Channel> channels = recordable_channels(layout);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      // the sums of the ledger belong to every run
      bool wanted = plan.channels.empty() || channels[i].name.starts_with("energy.");
      for (const std::string& pattern : plan.channels) wanted = wanted || wildcard_match(pattern, channels[i].name);
      if (!wanted) continue;
      chosen_.push_back(static_cast<int>(i));
      header.channels.push_back(channels[i]);
    }
    values_.assign(chosen_.size(), 0);
    header.bodies = layout.bodies;
    header.joints = layout.joints;
    poses_.assign(u(kPose * moving_bodies(layout.bodies)), 0);
    probe_ = run.system().make_state();
  }

  void first(RunWriter& writer) {
    read_ledger();
    ledger_before_ = ledger_;
    put(writer, run_.state(), 1);
    next_ = 1;
  }
  /// All samples inside the last step.
  void after_step(RunWriter& writer) {
    const double t1 = run_.state().t, t0 = run_.previous().t;
    // the balance is struck where a sample is due in this step or may be in the next one
    if (every_ > 0 && t1 + 10 * (t1 - t0) < start_ + static_cast<double>(next_) * every_) return;
    std::swap(ledger_, ledger_before_);
    read_ledger();
    if (every_ <= 0) {
      put(writer, run_.state(), 1);
      return;
    }
    for (;;) {
      const double t = start_ + static_cast<double>(next_) * every_;
      if (t > t1 + 1e-9 * every_) break;
      if (t >= t1 - 1e-9 * every_ || !(t1 > t0)) {
        put(writer, run_.state(), 1);
      } else {
        run_.interpolate(t, probe_);
        put(writer, probe_, (t - t0) / (t1 - t0));
      }
      ++next_;
    }
  }
  /// The last state, where the samples do not land on it.
  void last(RunWriter& writer) {
    if (last_t_ < run_.state().t) put(writer, run_.state(), 1);
  }
  void save(Archive& a) const { a.put(next_), a.put(ledger_), a.put(last_t_), a.put(loss_); }
  void load(Archive& a) { a.get(next_), a.get(ledger_), a.get(last_t_), a.get(loss_); }
  /// Where the ledger lost most: a sentence.
  std::string worst_loss(double share) const {
    std::string carries;
    if (loss_.row >= 0) {
      const HeldRow& held = run_.system().layout().held[u(loss_.row)];
      carries = fmt::format(" The largest reaction there is that of {} ({}).", held.owner, held.name);
    }
    return fmt::format(
        "t = {:.9g} s: the energy ledger does not close. {:.3g} of the energy involved is not explained; what is missing grew most ({:.3g} J) "
        "between {:.9g} s and here.{} Do not trust the motion from there on: try a smaller step or tolerance, or another integrator.",
        loss_.to, share, loss_.most, loss_.from, carries);
  }

 private:
  void read_ledger() {
    const Ledger& l = run_.ledger();
    double* p = ledger_.data();
    *p++ = l.energy().kinetic;
    *p++ = l.energy().stored;
    *p++ = l.supplied();
    *p++ = l.dissipated();
    *p++ = l.numerical();
    *p++ = l.residual();
    std::copy(l.by_account().begin(), l.by_account().end(), p);
    note_loss();
  }
  /// Between two balances: how much the residual changed, and which joint carried most then.
  void note_loss() {
    const double residual = ledger_[kEnergyChannels - 1], change = residual - loss_.residual, before = std::max(loss_.t, start_);
    loss_.residual = residual, loss_.t = run_.state().t;
    if (!(std::abs(change) > std::abs(loss_.most))) return;
    loss_.most = change, loss_.from = before, loss_.to = loss_.t, loss_.row = -1;
    const double* lambda = run_.state().lambda();
    for (int k = 0; k < run_.system().held_count(); ++k) {
      if (loss_.row < 0 || std::abs(lambda[k]) > std::abs(lambda[loss_.row])) loss_.row = k;
    }
  }
  void put(RunWriter& writer, const State& x, double part) {
    run_.calc_outputs(x, outputs_.data());
    std::copy(outputs_.begin(), outputs_.end(), all_.begin());
    for (std::size_t i = 0; i < ledger_.size(); ++i)
      all_[outputs_.size() + i] = ledger_before_[i] + part * (ledger_[i] - ledger_before_[i]);
    for (std::size_t i = 0; i < chosen_.size(); ++i) values_[i] = all_[u(chosen_[i])];
    calc_poses(run_.system().layout().bodies, x, poses_.data());
    writer.sample(x.t, values_.data(), poses_.data());
    last_t_ = x.t;
  }

  Run& run_;
  double every_, start_;
  long long next_ = 1;
  double last_t_ = -1e300;
  struct Loss {
    double residual = 0, t = -1e300;    // at the last balance
    double most = 0, from = 0, to = 0;  // largest change of the residual [J], and when
    int row = -1;                       // held row with the largest reaction then
  } loss_;
  std::vector<int> chosen_;
  std::vector<double> outputs_, all_, values_, poses_, ledger_, ledger_before_;
  State probe_;
};

void add_counts(RunStatus& status, const Run& run) {
  const RunCounts& c = run.counts();
  status.counts = {{"accepted steps", static_cast<double>(c.accepted)},
                   {"rejected steps", static_cast<double>(c.rejected)},
                   {"Newton iterations", static_cast<double>(c.newton)},
                   {"evaluations", static_cast<double>(c.evaluations)},
                   {"located events", static_cast<double>(c.events)}};
  for (std::size_t i = 0; i < run.reasons().size(); ++i) {
    if (c.by_reason[i] > 0) status.reasons.emplace_back(run.reasons()[i], static_cast<double>(c.by_reason[i]));
  }
}

}  // namespace

std::vector<Channel> recordable_channels(const Layout& layout) {
  std::vector<Channel> all = layout.channels;
  all.push_back({"energy.kinetic", "J", "kinetic energy"});
  all.push_back({"energy.stored", "J", "energy stored in springs and bristles"});
  all.push_back({"energy.supplied", "J", "work of loads and drives since the start"});
  all.push_back({"energy.dissipated", "J", "energy turned into heat since the start"});
  all.push_back({"energy.numerical", "J", "energy taken out by the method itself"});
  all.push_back({"energy.residual", "J", "what nobody explains"});
  for (const Account& a : layout.accounts) {
    const bool supplied = a.kind == Account::Kind::supplied;
    all.push_back({a.name + (supplied ? ".supplied" : ".dissipated"), "J",
                   supplied ? "work supplied since the start" : "energy dissipated since the start"});
  }
  return all;
}

std::string steps_text(const RunCounts& counts) {
  std::string text = fmt::format("{} accepted, {} rejected", counts.accepted, counts.rejected);
  if (counts.newton > 0) text += fmt::format(", {} Newton iterations", counts.newton);
  return text;
}

TransientResult run_transient(Run& run, const TransientPlan& plan, const RunHeader& given, const std::string& folder, bool resume,
                              const std::atomic<bool>& stop, const std::function<void(const Progress&)>& progress) {
  RunHeader header = given;
  header.integrator = plan.integrator;
  header.places = run.system().layout().places;
  header.event_kinds = {"stick -> slip", "slip -> stick", "stick -> open", "slip -> open", "open -> stick", "open -> slip"};
  const auto kind_of = [](Mode from, Mode to) {
    if (from == Mode::stick) return to == Mode::slip ? 0 : 2;
    if (from == Mode::slip) return to == Mode::stick ? 1 : 3;
    return to == Mode::stick ? 4 : 5;
  };
  header.step_reasons.assign(run.reasons().begin(), run.reasons().end());

  Sampler sampler(run, plan, header);
  const std::string file = folder + "/run.h5";
  RunWriter writer = [&] {
    if (!resume) {
      State x = run.system().make_state();
      run.system().set_time(x, plan.start);
      if (plan.from_equilibrium) x = equilibrium_start(run.system(), x);
      run.start(std::move(x));
      return RunWriter::create(file, header);
    }
    Archive a = read_checkpoint(folder);
    long long samples = 0, events = 0, steps = 0;
    a.get(samples), a.get(events), a.get(steps);
    sampler.load(a);
    run.load(a);
    return RunWriter::append(file, samples, events, steps);
  }();
  if (!resume) sampler.first(writer);

  const auto checkpoint = [&] {
    writer.flush();
    Archive a;
    a.put(writer.samples()), a.put(writer.events()), a.put(writer.steps());
    sampler.save(a);
    run.save(a);
    write_checkpoint(folder, a);
  };

  const Clock::time_point begin = Clock::now();
  Clock::time_point last_checkpoint = begin, last_progress = begin;
  TransientResult result;
  long long steps = 0;
  while (run.state().t < plan.end) {
    if (stop.load(std::memory_order_relaxed)) {
      result.end = RunStatus::End::interrupted;
      result.message =
          fmt::format("stopped at t = {:.9g} s of {:.9g} s; `bristle resume {}` goes on", run.state().t, plan.end, folder);
      break;
    }
    if (!run.advance(plan.end)) {
      result.end = RunStatus::End::failed;
      result.message = run.message();
      break;
    }
    sampler.after_step(writer);
    for (const ModeEvent& e : run.events()) writer.event(e.t, e.place, kind_of(e.from, e.to));
    writer.step(run.state().t, run.last_step(), run.last_reason_index());
    if (++steps % 64 == 0) {
      const Clock::time_point now = Clock::now();
      if (now - last_checkpoint > std::chrono::seconds(10)) {
        checkpoint();
        last_checkpoint = now;
      }
      if (progress && now - last_progress > std::chrono::milliseconds(200)) {
        last_progress = now;
        Progress p{run.state().t, plan.start, plan.end, run.last_step(), std::chrono::duration<double>(now - begin).count()};
        p.places = static_cast<int>(run.modes().size());
        for (Mode m : run.modes()) p.sticking += m == Mode::stick, p.open += m == Mode::open;
        progress(p);
      }
    }
  }
  if (result.end == RunStatus::End::interrupted) checkpoint();
  else sampler.last(writer);

  result.counts = run.counts();
  result.t = run.state().t;
  result.wall = std::chrono::duration<double>(Clock::now() - begin).count();
  const Ledger& ledger = run.ledger();
  result.energy = ledger.energy();
  result.supplied = ledger.supplied();
  result.dissipated = ledger.dissipated();
  result.numerical = ledger.numerical();
  const double involved = run.energy_involved();
  result.energy_residual = involved > 0 ? ledger.worst_residual() / involved : 0;
  result.energy_failed = plan.energy_check > 0 && !(result.energy_residual <= plan.energy_check);
  // a check that was asked for decides alone; a late clock puts every state at a wrong time on purpose
  const bool judged = result.end == RunStatus::End::finished && plan.energy_check == 0 && !plan.options.late_clock;
  if (judged && !(result.energy_residual <= kDoubtfulResidual)) {
    if (!(result.energy_residual <= kWrongResidual)) result.end = RunStatus::End::failed;
    result.message = sampler.worst_loss(result.energy_residual);
  }
  const auto& accounts = run.system().layout().accounts;
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    const double value = ledger.of(static_cast<int>(i));
    result.accounts.emplace_back(accounts[i].name, accounts[i].kind == Account::Kind::supplied ? -value : value);
  }
  result.samples = writer.samples();
  result.events = writer.events();

  RunStatus status;
  status.end = result.end;
  status.message = result.message;
  add_counts(status, run);
  status.summary = {{"simulated time", fmt::format("{:.6g} s", result.t)},
                    {"integrator", plan.integrator},
                    {"steps", steps_text(result.counts)},
                    {"energy residual", fmt::format("{:.3g} of the energy involved", result.energy_residual)},
                    {"dissipated", fmt::format("{:.6g} J", result.dissipated)},
                    {"supplied", fmt::format("{:.6g} J", result.supplied)}};
  writer.close(status);
  return result;
}

}  // namespace bristle
