#include "bristle/ensemble/ensemble.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "bristle/analyse/ledger_limits.h"
#include "bristle/analyse/step_clock.h"
#include "bristle/analyse/step_end.h"
#include "bristle/base/error.h"
#include "bristle/base/index.h"
#include "bristle/base/text.h"
#include "bristle/ensemble/flat_system.h"
#include "bristle/integrate/rk4.h"

namespace bristle {

namespace {

const FlatSystem* flat_of(const System& system) { return dynamic_cast<const FlatSystem*>(system.fused()); }

/// Numbers of several lanes, aligned to the widest registers.
class LaneRoom {
 public:
  explicit LaneRoom(std::size_t numbers) : numbers_(numbers + kLaneAlignment / sizeof(double)) {
    const auto at = reinterpret_cast<std::uintptr_t>(numbers_.data());
    first_ = reinterpret_cast<double*>((at + kLaneAlignment - 1) / kLaneAlignment * kLaneAlignment);
  }
  double* get() const { return first_; }

 private:
  std::vector<double> numbers_;
  double* first_ = nullptr;
};

/// What of the channels is wanted.
struct Watched {
  std::vector<int> channels;  // into Layout::channels
  bool keep = false;
};

/// Variants that go side by side.
class Group {
 public:
  Group(const FlatText& text, std::vector<const System*> systems, std::vector<const State*> starts,
        std::vector<VariantResult*> results)
      : text_(text),
        lanes_(u(text.lanes)),
        systems_(std::move(systems)),
        starts_(std::move(starts)),
        results_(std::move(results)),
        sizes_(flat_of(*systems_[0])->sizes()),
        model_(text.room(sizes_) / sizeof(double)),
        room_(lanes_ *
              (4 * u(sizes_.coordinates) + 2 * u(sizes_.memory) + 3 * rates() + 5 * u(sizes_.accounts) + u(sizes_.forces))),
        work_(systems_[0]->make_workspace()) {
    std::vector<const void*> models;
    // the lanes that are left over repeat the last variant
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const FlatSystem* flat = flat_of(*systems_[std::min(lane, systems_.size() - 1)]);
      flat_.push_back(flat);
      models.push_back(flat->numbers());
      steady_ = steady_ && flat->sizes().steady;
    }
    text_.gather(model_.get(), models.data());
    if (!steady_) drives_ = {move_drives, this};
    double* next = room_.get();
    const auto take = [&](std::size_t count) { return std::exchange(next, next + count * lanes_); };
    const std::size_t q = u(sizes_.coordinates), z = u(sizes_.memory), accounts = u(sizes_.accounts);
    at_ = {take(q),        take(q),        take(z),       take(rates()),  take(accounts),         take(q),
           take(q),        take(z),        take(rates()), take(accounts), take(u(sizes_.forces)), take(rates()),
           take(accounts), take(accounts), take(accounts)};
  }

  void start(double t) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const State& x = *starts_[std::min(lane, starts_.size() - 1)];
      put(x.q(), at_.q, sizes_.free, lane);
      put(x.v(), at_.v, sizes_.free, lane);
      put(x.z(), at_.z, sizes_.memory, lane);
    }
    text_.move_drives(model_.get(), at_, drives_, t);
    text_.evaluate(model_.get(), at_);
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      VariantResult& r = *results_[i];
      r.state = *starts_[i];
      r.ledger.prepare(systems_[i]->layout());
      read(i, t);
      const Energy energy = systems_[i]->calc_energy(r.state, work_);
      r.ledger.start(energy, work_.stored.data());
      stored_.push_back(energy.stored);
      moved_.push_back(energy.kinetic);
    }
  }

  /// Over a step h from t: where it ends.
  double step(double t, double h, double end, StepClock& clock) {
    std::swap(at_.q0, at_.q), std::swap(at_.v0, at_.v), std::swap(at_.z0, at_.z);
    std::swap(at_.rate0, at_.rate), std::swap(at_.power0, at_.power);
    text_.step(model_.get(), Rk4::kChain, at_, drives_, t, h);
    const double reached = t + h, to = landing(reached, clock.end_of(t, h), end, reached - t);
    if (to != reached) {
      text_.move_drives(model_.get(), at_, drives_, to);
      text_.evaluate(model_.get(), at_);
    }
    return to;
  }

  /// How much energy moves: at the end of a run it may all be back where it was.
  void look(double t) {
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      read(i, t);
      const Energy energy = systems_[i]->calc_energy(results_[i]->state, work_);
      moved_[i] = std::max(moved_[i], energy.kinetic + std::abs(energy.stored - stored_[i]));
    }
  }

  void sample(double t, const Watched& watched) {
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      VariantResult& r = *results_[i];
      read(i, t);
      if (!r.message.empty()) continue;
      if (const int off = first_undefined(*systems_[i], r.state); off >= 0) {
        r.message = "t = " + number_text(t) + " s or before: " + systems_[i]->layout().name_of(off) +
                    " is not finite. The step is too long for rk4, or the motion without bounds; try a shorter one.";
      }
      outputs_.resize(systems_[i]->layout().channels.size());
      systems_[i]->readings().calc_outputs(systems_[i]->look(r.state, work_), outputs_.data());
      for (std::size_t k = 0; k < watched.channels.size(); ++k) {
        const double value = outputs_[u(watched.channels[k])];
        ChannelRange& range = r.channels[k];
        range.lowest = std::min(range.lowest, value), range.highest = std::max(range.highest, value), range.last = value;
        if (watched.keep) r.samples.push_back(value);
      }
    }
  }

  /// The energy account, at the state that was sampled last.
  void close() {
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      VariantResult& r = *results_[i];
      for (int k = 0; k < sizes_.accounts; ++k) r.ledger.step_work()[k] = at_.work[u(k) * lanes_ + i];
      r.ledger.close_step();
      const Energy energy = systems_[i]->calc_energy(r.state, work_);
      r.ledger.balance(energy, work_.stored.data());
      const double moved = std::max({r.ledger.scale(), moved_[i], ledger_limits::kRounding * std::abs(energy.stored)});
      if (r.message.empty() && !(std::abs(r.ledger.residual()) <= ledger_limits::kResidual * moved)) {
        r.message = "the energy ledger is off by " + number_text(r.ledger.residual()) + " J, where " + number_text(moved) +
                    " J moved. Do not trust the motion: the step is too long for rk4; try a shorter one.";
      }
    }
  }

 private:
  std::size_t rates() const { return 2 * u(sizes_.free) + u(sizes_.memory); }
  void put(const double* from, double* to, int count, std::size_t lane) const {
    for (std::size_t i = 0; i < u(count); ++i) to[i * lanes_ + lane] = from[i];
  }
  void get(const double* from, double* to, int count, std::size_t lane) const {
    for (std::size_t i = 0; i < u(count); ++i) to[i] = from[i * lanes_ + lane];
  }
  /// The state of a variant, driven coordinates and accelerations included.
  void read(std::size_t lane, double t) {
    State& x = results_[lane]->state;
    get(at_.q, x.q(), sizes_.free, lane);
    get(at_.v, x.v(), sizes_.free, lane);
    get(at_.z, x.z(), sizes_.memory, lane);
    get(at_.rate + u(sizes_.free) * lanes_, x.a(), sizes_.free, lane);
    x.t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
    systems_[lane]->set_time(x, t);
  }
  static int first_undefined(const System& system, const State& x) {
    const int n = system.layout().scalars;
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(x.q()[i])) return i;
      if (!std::isfinite(x.v()[i])) return n + i;
    }
    for (int i = 0; i < x.sizes().z; ++i) {
      if (!std::isfinite(x.z()[i])) return 2 * n + i;
    }
    return -1;
  }
  static void move_drives(void* of, double t, double* q, double* v) {
    const Group& group = *static_cast<const Group*>(of);
    for (std::size_t lane = 0; lane < group.lanes_; ++lane) {
      for (const DrivenCoordinates::Item& d : group.flat_[lane]->driven()->items()) {
        const std::size_t at = u(d.index) * group.lanes_ + lane;
        double acceleration = 0;
        d.motion(t, q[at], v[at], acceleration);
      }
    }
  }

  const FlatText& text_;
  std::size_t lanes_;
  std::vector<const System*> systems_;
  std::vector<const State*> starts_;
  std::vector<VariantResult*> results_;
  FlatSizes sizes_;
  LaneRoom model_, room_;
  Workspace work_;
  std::vector<const FlatSystem*> flat_;  // by lane
  LaneDrives drives_;
  LaneArrays at_{};
  std::vector<double> outputs_;
  std::vector<double> stored_, moved_;  // [J] by variant: at the start; most that moved
  bool steady_ = true;
};

}  // namespace

int widest_lanes() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 8;
  if (__builtin_cpu_supports("avx2")) return 4;
#endif
  return 2;
}

std::string Ensemble::refusal(const System& system) {
  if (flat_of(system) != nullptr) return {};
  return "variants of an ensemble are made of scalar masses, driven coordinates, springs, linear dampers, and friction places under constant load that all have "
         "the same law, one without marks; this model is not. Run it by itself.";
}

void Ensemble::add(System system) {
  State start = system.make_state();
  add(std::move(system), std::move(start));
}

void Ensemble::add(System system, State start) {
  const std::string name = "variant " + std::to_string(size() + 1) + ": ";
  if (const std::string why = refusal(system); !why.empty()) throw InputError({}, name + why);
  if (!systems_.empty()) {
    const Layout &first = systems_[0]->layout(), &other = system.layout();
    if (!flat_of(*systems_[0])->is_like(*flat_of(system)) || first.channels.size() != other.channels.size() ||
        first.sizes != other.sizes)
      throw InputError(
          {}, name +
                  "it has other elements, or another law, than the first one. Variants differ in numbers; a spring with and one "
                  "without damping are two elements.");
  }
  if (start.sizes() != system.layout().sizes) throw InputError({}, name + "its start is the state of another model");
  systems_.push_back(std::make_unique<System>(std::move(system)));
  starts_.push_back(std::move(start));
}

EnsembleResult Ensemble::run(const EnsemblePlan& plan) const {
  if (!(plan.step > 0) || !(plan.end > plan.start))
    throw InputError({}, "an ensemble needs a step > 0 and an end after its start");
  if (plan.lanes != 0 && plan.lanes != 2 && plan.lanes != 4 && plan.lanes != 8)
    throw InputError({}, "lanes is 2, 4 or 8; 0 takes what the processor has room for");
  EnsembleResult result;
  result.variants.resize(systems_.size());
  if (systems_.empty()) return result;
  Watched watched{{}, plan.keep_samples};
  const std::vector<Channel>& known = systems_[0]->layout().channels;
  for (const std::string& name : plan.channels) {
    const auto at = std::find_if(known.begin(), known.end(), [&](const Channel& c) { return c.name == name; });
    if (at == known.end()) {
      std::vector<std::string> names;
      for (const Channel& c : known) names.push_back(c.name);
      throw InputError({}, "there is no channel '" + name + "'." + did_you_mean(name, names));
    }
    watched.channels.push_back(static_cast<int>(at - known.begin()));
  }
  result.lanes = plan.same_bits ? 1 : std::min(plan.lanes > 0 ? plan.lanes : 8, widest_lanes());

  const auto lead = [&](const FlatText& text, const std::vector<std::size_t>& members) {
    std::vector<const System*> systems;
    std::vector<const State*> starts;
    std::vector<VariantResult*> results;
    for (std::size_t i : members) {
      systems.push_back(systems_[i].get());
      starts.push_back(&starts_[i]);
      results.push_back(&result.variants[i]);
      results.back()->channels.resize(watched.channels.size());
    }
    Group group(text, std::move(systems), std::move(starts), std::move(results));
    const bool first = result.times.empty();  // all groups have the same steps
    const auto sample = [&](double t) {
      group.sample(t, watched);
      if (first) result.times.push_back(t);
    };
    constexpr double kLooks = 5;
    const auto apart = static_cast<long long>((plan.end - plan.start) / (kLooks * plan.step)) + 1;
    StepClock clock;
    double t = plan.start;
    group.start(t);
    sample(t);
    for (long long count = 1; t < plan.end; ++count) {
      t = group.step(t, step_towards(plan.end, t, plan.step), plan.end, clock);
      if (first) result.steps = count;
      if (count % apart == apart / 3) group.look(t);
      if (t >= plan.end || (plan.every > 0 && count % plan.every == 0)) sample(t);
    }
    group.close();
  };

  std::vector<std::size_t> together;
  const FlatText* text = nullptr;
  const auto flush = [&] {
    if (!together.empty()) lead(*text, together);
    together.clear();
  };
  for (std::size_t i = 0; i < systems_.size(); ++i) {
    const FlatSystem& flat = *flat_of(*systems_[i]);
    const FlatText* wide = result.lanes > 1 ? flat.text(result.lanes) : nullptr;
    if (wide == nullptr) {
      lead(*flat.text(1), {i});
      continue;
    }
    text = wide;
    together.push_back(i);
    if (together.size() == u(result.lanes)) flush();
  }
  flush();
  return result;
}

}  // namespace bristle
