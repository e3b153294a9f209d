#include "bristle/analyse/transient.h"

#include <fmt/format.h>

#include <chrono>

#include "bristle/analyse/momentum.h"
#include "bristle/analyse/resolution.h"
#include "bristle/analyse/ringing.h"
#include "bristle/analyse/sampler.h"
#include "bristle/analyse/singular_positions.h"
#include "bristle/analyse/statics.h"
#include "bristle/base/stopwatch.h"

namespace bristle {

namespace {

using Clock = Stopwatch::Clock;

bool is_set(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(std::memory_order_relaxed); }

/// Calls f(cause in words, count) for those that have rejected steps.
template <class F>
void each_cause(const RunCounts& counts, F f) {
  for (int i = 0; i < kCauses; ++i) {
    const auto cause = static_cast<Cause>(i);
    if (counts.rejected_for(cause) > 0)
      f(cause == Cause::none ? "the method names no cause" : text_of(cause), counts.rejected_for(cause));
  }
}

void add_counts(RunStatus& status, const Run& run) {
  const RunCounts& c = run.counts();
  status.counts = {{"accepted steps", static_cast<double>(c.accepted)},  {"rejected steps", static_cast<double>(c.rejected)},
                   {"Newton iterations", static_cast<double>(c.newton)}, {"contact sweeps", static_cast<double>(c.sweeps)},
                   {"evaluations", static_cast<double>(c.evaluations)},  {"located events", static_cast<double>(c.events)}};
  each_cause(c, [&](const char* why, long long count) {
    status.counts.emplace_back(std::string("rejected steps: ") + why, static_cast<double>(count));
  });
  const StepReasons& reasons = run.choice().reasons();
  for (std::size_t i = 0; i < reasons.names().size(); ++i) {
    if (reasons.counts()[i] > 0) status.reasons.emplace_back(reasons.names()[i], static_cast<double>(reasons.counts()[i]));
  }
}

std::string stopped_text(const Run& run, const TransientPlan& plan) {
  return fmt::format("stopped at t = {:.9g} s of {:.9g} s", run.state().t, plan.end);
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
  for (Channel& c : TotalMomentum::channels(layout)) all.push_back(std::move(c));
  if (layout.held.empty()) return all;
  all.push_back({"constraint_error.position", "m, rad", "largest error of a held row"});
  all.push_back({"constraint_error.velocity", "m/s, rad/s", "largest error of the rate of a held row"});
  return all;
}

std::string constraint_text(const ConstraintError& e) {
  return fmt::format("{:.2e} m or rad, {:.2e} m/s or rad/s", e.position, e.velocity);
}

std::string steps_text(const RunCounts& counts) {
  std::string text = fmt::format("{} accepted, {} rejected", counts.accepted, counts.rejected);
  std::string causes;
  each_cause(counts, [&](const char* why, long long count) {
    causes += fmt::format("{}{}: {}", causes.empty() ? "" : "; ", count, why);
  });
  if (!causes.empty()) text += " (" + causes + ")";
  if (counts.newton > 0) text += fmt::format(", {} Newton iterations", counts.newton);
  if (counts.sweeps > 0) text += fmt::format(", {} sweeps over contacts", counts.sweeps);
  return text;
}

namespace {

/// A run with all that is recorded of it.
class Course {
 public:
  Course(Run& run, const TransientPlan& plan, const RunHeader& header, Sink& sink, const std::atomic<bool>* stop,
         const std::function<void(const Progress&)>& progress)
      : run_(run),
        plan_(plan),
        sink_(sink),
        stop_(stop),
        progress_(progress),
        header_(complete(header)),
        singular_(run.system().layout(), header_),
        sampler_(run, plan, header_) {
    if (run.integrator().traits().estimates_error) ringing_.emplace(run);
    else resolution_.emplace(run);
  }

  TransientResult lead() {
    run_.heed(stop_);
    begin();
    resume_command_ = sink_.resume_command();
    watch_ = {};
    last_checkpoint_ = last_progress_ = Clock::now();
    bool whole = true;
    while (whole && run_.state().t < plan_.end) {
      if (is_set(stop_)) {
        interrupted(resume_command_.empty() ? "" : fmt::format("; `{}` goes on", resume_command_));
        break;
      }
      if (!run_.advance(plan_.end)) {
        if (run_.message().empty() && is_set(stop_)) continue;  // between attempts at a step
        result_.end = RunStatus::End::failed;
        result_.message = run_.message();
        break;
      }
      whole = record_step();
    }
    run_.heed(nullptr);
    if (whole && result_.end == RunStatus::End::interrupted) sink_.keep(checkpoint());
    else if (whole) sampler_.last(sink_);
    conclude();
    return std::move(result_);
  }

 private:
  static constexpr int kStepsPerLook = 64;  // at the clock

  RunHeader complete(RunHeader header) const {
    header.integrator = plan_.integrator;
    header.places = run_.system().layout().places;
    header.event_kinds = {"stick -> slip", "slip -> stick", "stick -> open", "slip -> open", "open -> stick", "open -> slip"};
    header.step_reasons = run_.choice().reasons().names();
    return header;
  }
  static int kind_of(Mode from, Mode to) {  // index into event_kinds
    if (from == Mode::stick) return to == Mode::slip ? 0 : 2;
    if (from == Mode::slip) return to == Mode::stick ? 1 : 3;
    return to == Mode::stick ? 4 : 5;
  }

  Archive checkpoint() const {
    Archive a;
    a.put(sink_.counts().samples), a.put(sink_.counts().events), a.put(sink_.counts().steps);
    sampler_.save(a);
    if (resolution_) resolution_->save(a);
    if (ringing_) ringing_->save(a);
    run_.save(a);
    return a;
  }

  /// From the start of the model, or from what the sink has kept.
  void begin() {
    if (std::optional<KeptRun> kept = sink_.kept_run(header_)) {
      go_on(*kept);
    } else {
      State x = run_.system().make_state();
      run_.system().set_time(x, plan_.start);
      if (plan_.from_equilibrium) x = equilibrium_start(run_.system(), x);
      run_.start(std::move(x));
      sink_.begin(header_);
      sampler_.first(sink_);
    }
    singular_.begin(run_);
  }
  void go_on(KeptRun& kept) {
    Archive& a = kept.archive;
    SinkCounts from;
    a.get(from.samples), a.get(from.events), a.get(from.steps);
    sink_.begin(header_, from);
    try {
      sampler_.load(a);
      if (resolution_) resolution_->load(a);
      if (ringing_) ringing_->load(a);
      run_.load(a);
      // what was read would be written again
      if (checkpoint().bytes().size() != a.bytes().size()) throw std::runtime_error("the checkpoint belongs to another model");
    } catch (const std::runtime_error& error) {
      throw InputError({kept.place}, std::string(error.what()) + ". Start the run again with 'bristle run'.");
    }
  }

  void interrupted(const std::string& advice) {
    result_.end = RunStatus::End::interrupted;
    result_.message = stopped_text(run_, plan_) + advice;
  }

  /// What the last step gave. False: the run was stopped among the many samples inside it; what the step went through is not kept, and
  /// the state before it is that of the last checkpoint.
  bool record_step() {
    if (resolution_) resolution_->after_step();
    if (ringing_) ringing_->after_step();
    if (!sampler_.after_step(sink_, stop_)) {
      if (resume_command_.empty()) interrupted("");
      else if (sink_.keeps_one()) interrupted(fmt::format("; `{}` goes on from its last checkpoint", resume_command_));
      else interrupted("; there was no checkpoint yet, so it has to be started again");
      return false;
    }
    for (const ModeEvent& e : run_.events()) sink_.event(e.t, e.place, kind_of(e.from, e.to));
    singular_.after_step(run_, sink_);
    sink_.step(run_.state().t, run_.last_step(), static_cast<int>(run_.choice().reason()));
    if (++steps_ % kStepsPerLook == 0) look_at_the_clock();
    return true;
  }
  void look_at_the_clock() {
    const Clock::time_point now = Clock::now();
    if (now - last_checkpoint_ > std::chrono::seconds(10)) {
      sink_.keep(checkpoint());
      last_checkpoint_ = now;
    }
    if (!progress_ || now - last_progress_ <= std::chrono::milliseconds(200)) return;
    last_progress_ = now;
    Progress p{run_.state().t, plan_.start, plan_.end, run_.last_step(), watch_.wall()};
    p.places = static_cast<int>(run_.modes().size());
    for (Mode m : run_.modes()) p.sticking += m == Mode::stick, p.open += m == Mode::open;
    progress_(p);
  }

  void conclude() {
    TransientResult& r = result_;
    r.counts = run_.counts();
    if (const ContactReport* contacts = run_.integrator().contact_report()) r.contacts = *contacts;
    r.t = run_.state().t;
    r.wall = watch_.wall();
    r.processor = watch_.processor();
    sum_up_energy();
    r.constraint_error = sampler_.trust().worst_constraints();
    r.notes = sampler_.trust().notes();
    if (resolution_) {
      for (std::string& note : resolution_->notes()) r.notes.push_back(std::move(note));
    }
    if (ringing_) {
      for (std::string& note : ringing_->notes()) r.notes.push_back(std::move(note));
    }
    judge();
    r.samples = sink_.counts().samples;
    r.events = sink_.counts().events;
    sink_.end(status());
  }
  void sum_up_energy() {
    TransientResult& r = result_;
    const Ledger& ledger = run_.ledger();
    const Ledger::Balance& kept = ledger.last_finite();  // of a motion that has run away: how it was while it had values
    const double involved = run_.energy_involved();
    const bool finite = std::isfinite(ledger.worst_residual());
    r.energy = kept.energy;
    r.supplied = kept.supplied;
    r.dissipated = kept.dissipated;
    r.numerical = kept.numerical;
    const auto share = [&](double joule) {
      return involved > 0 && std::isfinite(involved) ? joule / involved : joule > 0 ? 1.0 : 0.0;
    };
    const bool failed = r.end == RunStatus::End::failed;
    r.energy_residual = failed && !finite ? share(kept.worst) : sampler_.trust().residual();
    r.energy_created = failed && !finite ? share(kept.created) : sampler_.trust().created();
    const auto& accounts = run_.system().layout().accounts;
    for (std::size_t i = 0; i < accounts.size(); ++i) {
      const double value = ledger.last_finite_values()[i];
      r.accounts.emplace_back(accounts[i].name, accounts[i].kind == Account::Kind::supplied ? -value : value);
    }
  }
  void judge() {
    TransientResult& r = result_;
    const auto say = [&](const std::string& text) { r.message += (r.message.empty() ? "" : "\n") + text; };
    const bool open = !(r.energy_residual <= plan_.energy_check), brought_in = !(r.energy_created <= plan_.energy_check);
    r.energy_failed = plan_.energy_check > 0 && (open || brought_in);
    // a check that was asked for decides alone about the residual; a late clock puts every state at a wrong time on purpose
    if (r.end == RunStatus::End::finished && !plan_.options.late_clock) {
      r.doubts = sampler_.trust().doubts(plan_.energy_check == 0);
      if (!r.doubts.empty()) r.end = RunStatus::End::untrusted;
      for (const std::string& doubt : r.doubts) say(doubt);
    }
    const bool reached = r.end == RunStatus::End::finished || r.end == RunStatus::End::untrusted;
    if (!r.energy_failed || !reached) return;
    r.failed_check =
        fmt::format("check: energy: {} is {:.3g} of the energy involved, more than {:.3g}. Try a smaller step or tolerance",
                    open ? "the residual of the ledger" : "what the method itself has brought in (energy.numerical)",
                    open ? r.energy_residual : r.energy_created, plan_.energy_check);
    say(r.failed_check);
  }
  RunStatus status() const {
    const TransientResult& r = result_;
    RunStatus status;
    status.end = r.end;
    status.message = r.message;
    add_counts(status, run_);
    status.summary = {{"simulated time", fmt::format("{:.6g} s", r.t)},
                      {"integrator", plan_.integrator},
                      // why some were rejected stands among the counts
                      {"steps", fmt::format("{} accepted, {} rejected", r.counts.accepted, r.counts.rejected)},
                      {"energy residual", fmt::format("{:.3g} of the energy involved", r.energy_residual)},
                      {"dissipated", fmt::format("{:.6g} J", r.dissipated)},
                      {"supplied", fmt::format("{:.6g} J", r.supplied)}};
    if (run_.system().layout().held_count() > 0)
      status.summary.emplace_back("constraint error", constraint_text(r.constraint_error));
    for (const std::string& note : r.notes) status.message += (status.message.empty() ? "Note: " : "\nNote: ") + note;
    if (r.contacts) status.summary.emplace_back("contacts", contacts_text(*r.contacts, r.counts));
    return status;
  }

  Run& run_;
  const TransientPlan& plan_;
  Sink& sink_;
  const std::atomic<bool>* stop_;
  const std::function<void(const Progress&)>& progress_;
  RunHeader header_;
  SingularPositions singular_;
  Sampler sampler_;
  std::optional<Resolution> resolution_;  // where no error leads the steps
  std::optional<Ringing> ringing_;        // where one does
  std::string resume_command_;
  Stopwatch watch_;
  Clock::time_point last_checkpoint_, last_progress_;
  long long steps_ = 0;
  TransientResult result_;
};

}  // namespace

TransientResult run_transient(Run& run, const TransientPlan& plan, const RunHeader& header, Sink& sink,
                              const std::atomic<bool>* stop, const std::function<void(const Progress&)>& progress) {
  return Course(run, plan, header, sink, stop, progress).lead();
}

}  // namespace bristle
