#include "bristle/analyse/transient.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bristle/analyse/resolution.h"
#include "bristle/analyse/statics.h"
#include "bristle/analyse/trust.h"
#include "bristle/base/index.h"
#include "bristle/base/stopwatch.h"
#include "bristle/base/text.h"
#include "bristle/record/scene.h"

namespace bristle {

namespace {

using Clock = Stopwatch::Clock;
constexpr int kEnergyChannels = 6;
constexpr int kConstraintChannels = 2;  // where rows are held

bool is_set(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(std::memory_order_relaxed); }

/// Samples of the channels a user asked for, at given times, ledger included.
class Sampler {
 public:
  Sampler(Run& run, const TransientPlan& plan, RunHeader& header)
      : run_(run), every_(plan.every), start_(plan.start), trust_(run, plan.start) {
    const Layout& layout = run.system().layout();
    outputs_.assign(layout.channels.size(), 0);
    ledger_.assign(kEnergyChannels + layout.accounts.size(), 0);
    ledger_before_ = ledger_;
    const std::vector<Channel> channels = recordable_channels(layout);
    all_.assign(channels.size(), 0);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      // the sums of the ledger and the errors of the joints belong to every run
      bool wanted =
          plan.channels.empty() || channels[i].name.starts_with("energy.") || channels[i].name.starts_with("constraint_error.");
      for (const std::string& pattern : plan.channels) wanted = wanted || wildcard_match(pattern, channels[i].name);
      if (!wanted) continue;
      chosen_.push_back(static_cast<int>(i));
      header.channels.push_back(channels[i]);
      names_.push_back(channels[i].name);
    }
    values_.assign(chosen_.size(), 0);
    header.bodies = layout.bodies;
    header.joints = layout.joints;
    poses_.assign(u(kPose * moving_bodies(layout.bodies)), 0);
    probe_ = run.system().make_state();
  }

  void first(Sink& sink) {
    read_ledger();
    ledger_before_ = ledger_;
    put(sink, run_.state(), 1);
    next_ = 1;
  }
  /// All samples inside the last step. False: there are many, and the run was stopped on the way.
  bool after_step(Sink& sink, const std::atomic<bool>* stop) {
    const double t1 = run_.state().t, t0 = run_.previous().t;
    // the balance is struck where a sample is due in this step or may be in the next one
    if (every_ > 0 && t1 + 10 * (t1 - t0) < start_ + static_cast<double>(next_) * every_) return true;
    std::swap(ledger_, ledger_before_);
    read_ledger();
    if (every_ <= 0) {
      put(sink, run_.state(), 1);
      return true;
    }
    constexpr int kMany = 10000;  // fewer are soon done, and the run stays resumable here
    for (int inside = 0;; ++next_, ++inside) {
      const double t = start_ + static_cast<double>(next_) * every_;
      if (t > t1 + 1e-9 * every_) return true;
      if (t >= t1 - 1e-9 * every_ || !(t1 > t0)) {
        put(sink, run_.state(), 1);
      } else {
        if (inside > kMany && is_set(stop)) return false;
        run_.interpolate(t, probe_);
        put(sink, probe_, (t - t0) / (t1 - t0));
      }
    }
  }
  /// The last state, where the samples do not land on it.
  void last(Sink& sink) {
    if (run_.state().t - last_t_ > 1e-9 * every_) put(sink, run_.state(), 1);
  }
  void save(Archive& a) const { a.put(next_), a.put(ledger_), a.put(last_t_), trust_.save(a); }
  void load(Archive& a) {
    const std::size_t size = ledger_.size();
    a.get(next_), a.get(ledger_), a.get(last_t_), trust_.load(a);
    if (ledger_.size() != size) throw std::runtime_error("the checkpoint belongs to another model");
  }
  const Trust& trust() const { return trust_; }

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
    trust_.look();
    // joints are judged at the ends of steps: between them states are interpolated
    if (run_.system().held_count() == 0) return;
    run_.system().look(run_.state(), run_.workspace());
    trust_.sampled(run_.state().t, run_.constraint_error());
  }
  void put(Sink& sink, const State& x, double part) {
    run_.calc_outputs(x, outputs_.data());
    std::copy(outputs_.begin(), outputs_.end(), all_.begin());
    for (std::size_t i = 0; i < ledger_.size(); ++i)
      all_[outputs_.size() + i] = ledger_before_[i] + part * (ledger_[i] - ledger_before_[i]);
    if (run_.system().held_count() > 0) {
      const ConstraintError off = run_.constraint_error();
      all_[all_.size() - kConstraintChannels] = off.position;
      all_.back() = off.velocity;
    }
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      values_[i] = all_[u(chosen_[i])];
      if (!std::isfinite(values_[i])) trust_.undefined(x.t, names_[i]);
    }
    calc_poses(run_.system().layout().bodies, x, run_.workspace().pose.data(), poses_.data());
    sink.sample(x.t, values_.data(), poses_.data());
    last_t_ = x.t;
  }

  Run& run_;
  double every_, start_;
  long long next_ = 1;
  double last_t_ = -1e300;
  Trust trust_;
  std::vector<int> chosen_;
  std::vector<std::string> names_;  // of those
  std::vector<double> outputs_, all_, values_, poses_, ledger_, ledger_before_;
  State probe_;
};

/// Tells when held rows come near depending on each other: an event of the joint whose row follows from the others there.
class SingularPositions {
 public:
  /// Its elements come behind the places.
  SingularPositions(const Layout& layout, RunHeader& header) : first_(header.places.size()) {
    for (const PlaceInfo& p : header.places) header.event_elements.push_back(p.name);
    for (const HeldRow& held : layout.held) {
      if (!owners_.empty() && owners_.back() == held.owner) continue;
      owners_.push_back(held.owner);
      const std::size_t from = held.owner.find('\''), to = held.owner.rfind('\'');
      header.event_elements.push_back(to > from ? held.owner.substr(from + 1, to - from - 1) : held.owner);
    }
    kind_ = static_cast<int>(header.event_kinds.size());
    header.event_kinds.emplace_back("near a singular position");
  }
  void begin(Run& run) { near_ = run.kernel().near(); }
  void after_step(Run& run, Sink& sink) {
    const bool near = run.kernel().near();
    if (near && !near_) {
      const std::string row = run.kernel().weakest_row(run.system(), run.state());
      for (std::size_t i = 0; i < owners_.size(); ++i) {
        if (!row.starts_with(owners_[i] + " (")) continue;
        sink.event(run.state().t, static_cast<int>(first_ + i), kind_);
        break;
      }
    }
    near_ = near;
  }

 private:
  std::size_t first_;
  std::vector<std::string> owners_;  // of held rows
  int kind_ = 0;
  bool near_ = false;
};

void add_counts(RunStatus& status, const Run& run) {
  const RunCounts& c = run.counts();
  status.counts = {{"accepted steps", static_cast<double>(c.accepted)},
                   {"rejected steps", static_cast<double>(c.rejected)},
                   {"steps rejected by Newton's iteration", static_cast<double>(c.rejected_by_newton)},
                   {"steps rejected by the error", static_cast<double>(c.rejected_by_error)},
                   {"Newton iterations", static_cast<double>(c.newton)},
                   {"contact sweeps", static_cast<double>(c.sweeps)},
                   {"evaluations", static_cast<double>(c.evaluations)},
                   {"located events", static_cast<double>(c.events)}};
  for (std::size_t i = 0; i < run.reasons().size(); ++i) {
    if (c.by_reason[i] > 0) status.reasons.emplace_back(run.reasons()[i], static_cast<double>(c.by_reason[i]));
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
  const long long other = counts.rejected - counts.rejected_by_newton - counts.rejected_by_error;
  std::string causes;
  const auto add = [&](long long count, const char* cause) {
    if (count > 0) causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", count, cause);
  };
  add(counts.rejected_by_newton, "by Newton's iteration");
  add(counts.rejected_by_error, "by the error");
  add(other, "for other causes");  // surfaces that met, rests that ended, memory that changed its course, numbers that are none
  if (!causes.empty()) text += " (" + causes + ")";
  if (counts.newton > 0) text += fmt::format(", {} Newton iterations", counts.newton);
  if (counts.sweeps > 0) text += fmt::format(", {} sweeps over contacts", counts.sweeps);
  return text;
}

TransientResult run_transient(Run& run, const TransientPlan& plan, const RunHeader& given, Sink& sink,
                              const std::atomic<bool>* stop, const std::function<void(const Progress&)>& progress) {
  RunHeader header = given;
  run.heed(stop);
  header.integrator = plan.integrator;
  header.places = run.system().layout().places;
  header.event_kinds = {"stick -> slip", "slip -> stick", "stick -> open", "slip -> open", "open -> stick", "open -> slip"};
  SingularPositions singular(run.system().layout(), header);
  const auto kind_of = [](Mode from, Mode to) {
    if (from == Mode::stick) return to == Mode::slip ? 0 : 2;
    if (from == Mode::slip) return to == Mode::stick ? 1 : 3;
    return to == Mode::stick ? 4 : 5;
  };
  header.step_reasons.assign(run.reasons().begin(), run.reasons().end());

  Sampler sampler(run, plan, header);
  std::optional<Resolution> resolution;
  if (!run.controls_error()) resolution.emplace(run);
  const auto save = [&] {
    Archive a;
    a.put(sink.counts().samples), a.put(sink.counts().events), a.put(sink.counts().steps);
    sampler.save(a);
    if (resolution) resolution->save(a);
    run.save(a);
    return a;
  };
  if (std::optional<KeptRun> kept = sink.kept_run(header)) {
    Archive& a = kept->archive;
    SinkCounts from;
    a.get(from.samples), a.get(from.events), a.get(from.steps);
    sink.begin(header, from);
    try {
      sampler.load(a);
      if (resolution) resolution->load(a);
      run.load(a);
      // what was read would be written again
      if (save().bytes().size() != a.bytes().size()) throw std::runtime_error("the checkpoint belongs to another model");
    } catch (const std::runtime_error& error) {
      throw InputError({kept->place}, std::string(error.what()) + ". Start the run again with 'bristle run'.");
    }
  } else {
    State x = run.system().make_state();
    run.system().set_time(x, plan.start);
    if (plan.from_equilibrium) x = equilibrium_start(run.system(), x);
    run.start(std::move(x));
    sink.begin(header);
    sampler.first(sink);
  }
  singular.begin(run);

  const Stopwatch watch;
  Clock::time_point last_checkpoint = Clock::now(), last_progress = last_checkpoint;
  const std::string on = sink.resume_command();
  TransientResult result;
  bool cut_short = false;
  long long steps = 0;
  while (run.state().t < plan.end) {
    if (is_set(stop)) {
      result.end = RunStatus::End::interrupted;
      result.message = stopped_text(run, plan);
      if (!on.empty()) result.message += fmt::format("; `{}` goes on", on);
      break;
    }
    if (!run.advance(plan.end)) {
      if (run.message().empty() && is_set(stop)) continue;  // between attempts at a step
      result.end = RunStatus::End::failed;
      result.message = run.message();
      break;
    }
    if (resolution) resolution->after_step();
    if (!sampler.after_step(sink, stop)) {
      // what the step went through is not kept: the state before it is that of the last checkpoint
      cut_short = true;
      result.end = RunStatus::End::interrupted;
      result.message = stopped_text(run, plan);
      if (!on.empty())
        result.message += sink.keeps_one() ? fmt::format("; `{}` goes on from its last checkpoint", on)
                                           : "; there was no checkpoint yet, so it has to be started again";
      break;
    }
    for (const ModeEvent& e : run.events()) sink.event(e.t, e.place, kind_of(e.from, e.to));
    singular.after_step(run, sink);
    sink.step(run.state().t, run.last_step(), run.last_reason_index());
    if (++steps % 64 == 0) {
      const Clock::time_point now = Clock::now();
      if (now - last_checkpoint > std::chrono::seconds(10)) {
        sink.keep(save());
        last_checkpoint = now;
      }
      if (progress && now - last_progress > std::chrono::milliseconds(200)) {
        last_progress = now;
        Progress p{run.state().t, plan.start, plan.end, run.last_step(), watch.wall()};
        p.places = static_cast<int>(run.modes().size());
        for (Mode m : run.modes()) p.sticking += m == Mode::stick, p.open += m == Mode::open;
        progress(p);
      }
    }
  }
  run.heed(nullptr);
  if (result.end == RunStatus::End::interrupted && !cut_short) sink.keep(save());
  else if (!cut_short) sampler.last(sink);

  result.counts = run.counts();
  if (const ContactReport* contacts = run.contact_report()) result.contacts = *contacts;
  result.t = run.state().t;
  result.wall = watch.wall();
  result.processor = watch.processor();
  const Ledger& ledger = run.ledger();
  result.energy = ledger.energy();
  result.supplied = ledger.supplied();
  result.dissipated = ledger.dissipated();
  result.numerical = ledger.numerical();
  const Trust& trust = sampler.trust();
  result.energy_residual = trust.residual();
  result.energy_failed = plan.energy_check > 0 && !(result.energy_residual <= plan.energy_check);
  result.constraint_error = trust.worst_constraints();
  result.notes = trust.notes();
  if (resolution) {
    for (std::string& note : resolution->notes()) result.notes.push_back(std::move(note));
  }
  // a check that was asked for decides alone about the residual; a late clock puts every state at a wrong time on purpose
  if (result.end == RunStatus::End::finished && !plan.options.late_clock) {
    result.doubts = trust.doubts(plan.energy_check == 0);
    if (!result.doubts.empty()) result.end = RunStatus::End::untrusted;
    for (const std::string& doubt : result.doubts) result.message += (result.message.empty() ? "" : "\n") + doubt;
  }
  const bool reached = result.end == RunStatus::End::finished || result.end == RunStatus::End::untrusted;
  if (result.energy_failed && reached) {
    result.failed_check = fmt::format(
        "check: energy: the residual of the ledger is {:.3g} of the energy involved, more than {:.3g}. Try a smaller step or tolerance",
        result.energy_residual, plan.energy_check);
    result.message += (result.message.empty() ? "" : "\n") + result.failed_check;
  }
  const auto& accounts = run.system().layout().accounts;
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    const double value = ledger.of(static_cast<int>(i));
    result.accounts.emplace_back(accounts[i].name, accounts[i].kind == Account::Kind::supplied ? -value : value);
  }
  result.samples = sink.counts().samples;
  result.events = sink.counts().events;

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
  if (run.system().held_count() > 0) status.summary.emplace_back("constraint error", constraint_text(result.constraint_error));
  for (const std::string& note : result.notes) status.message += (status.message.empty() ? "Note: " : "\nNote: ") + note;
  if (result.contacts) status.summary.emplace_back("contacts", contacts_text(*result.contacts, result.counts));
  sink.end(status);
  return result;
}

}  // namespace bristle
