#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/core/dry_marks.h"
#include "bristle/interface/friction_law.h"
#include "bristle/measure/bearing.h"
#include "bristle/measure/form.h"
#include "bristle/place/item.h"
#include "bristle/place/place_slopes.h"
#include "bristle/place/place_step.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// Reads gap and slip, applies load and law, pushes the force back: the only code that knows all parts of a place.
/// `Law` is FrictionLaw<D>, called through its virtual functions, or one law by type: a block whose places all have that law calls it
/// directly.
template <class M, int D, class Law = FrictionLaw<D>>
class PlaceBlock final : public Block, private DryPlaces, private RigidPlaces {
 public:
  using Item = Place<M, D>;
  explicit PlaceBlock(std::vector<Item> items) : items_(std::move(items)) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      items_[i].rest = items_[i].law->set_valued();
      items_[i].memory = items_[i].law->memory();
      if (items_[i].press && items_[i].press->law->rigid()) {  // its friction is solved together with the impacts
        items_[i].rest = nullptr;
        rigid_.push_back(static_cast<int>(i));
      }
      if (items_[i].rest != nullptr) dry_.push_back(static_cast<int>(i));
      if (items_[i].load.is_constant() && !items_[i].bearing && !items_[i].press)
        items_[i].constant_load = std::max(0.0, items_[i].load.signal().constant());
      reactive_ = reactive_ || items_[i].bearing.has_value();
      if (items_[i].law->overruns()) watched_ += D;
      if (dents(items_[i])) watched_ += 2;
      told_ = told_ || items_[i].input;
      if (items_[i].load_account >= 0) ++loaded_;
      remembers_ =
          remembers_ || items_[i].press || items_[i].law->remembers() || (items_[i].constant_load < 0 && items_[i].memory.z > 0);
    }
    std::vector<LoadSlope> list;
    load_slopes(list);
    slopes_ = static_cast<int>(list.size());
  }
  /// Numbers a place needs in marks (rigid ones use none of them): mode and direction of a dry place, then the law's.
  static int marks_needed(const FrictionLaw<D>& law) { return (law.set_valued() ? 1 + D : 0) + law.memory().marks; }
  /// Numbers of memory that are channels: all, where they are not too many to look at.
  static int bristle_count(const FrictionLaw<D>& law) { return law.memory().z <= 4 * D ? law.memory().z : 0; }
  static constexpr int kWay = 2 * D + 1;                                   ///< marks of Place::way
  static constexpr double kNever = std::numeric_limits<double>::lowest();  ///< [s] time of a way that has not started

  unsigned roles() const override { return kForces | kStored | (reactive_ ? kReactive : 0U); }
  int scratch_needed() const override {
    int most = 0;
    for (const Item& p : items_) most = std::max(most, scratch_of_place<D>(p.law->memory().z));
    return most;
  }
  std::string cannot_step() const override {
    for (const Item& p : items_) {
      if (p.press && p.press->law->rigid())
        return "rigid contact at '" + p.name + "'. Use moreau_jean, or contact with stiffness";
      if (p.rest == nullptr) continue;
      if (const std::string why = p.rest->step_problem(); !why.empty()) return "'" + p.name + "', " + why;
    }
    return {};
  }
  const std::vector<Item>& items() const { return items_; }

  void start(State& x) const override {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& p = items_[i];
      double* marks = x.marks() + p.marks;
      if (items_[i].rest) DryMarks(marks, D).set_mode(DryMode::slip);
      if (p.press) p.press->law->start(x.marks() + p.press->marks);
      if (p.way >= 0) {
        std::fill_n(x.marks() + p.way, kWay, 0.0);
        x.marks()[p.way + 2 * D] = kNever;
      }
      p.law->start(x.z() + p.z, marks + own_marks(i), p.stream);
    }
  }

  [[gnu::flatten]] void calc_forces(Eval& e) const override { rub(e, false); }
  void calc_reactive(Eval& e) const override { rub(e, true); }
  int step_room() const override {
    int n = 0;
    for (const Item& p : items_) n += PlaceStep<D>::room(p.memory.z);
    return n;
  }
  void set_step_room(int first) override {
    for (Item& p : items_) {
      p.room = first;
      first += PlaceStep<D>::room(p.memory.z);
    }
  }
  void calc_step(StepEval& e) const override { rub_over_step(e, false); }
  void calc_step_reactive(StepEval& e) const override { rub_over_step(e, true); }

  void load_slopes(std::vector<LoadSlope>& list) const override {
    for (const Item& p : items_) {
      if (!p.bearing) continue;
      for (int d = 0; d < D; ++d) {
        for (const BearingTerm& t : p.bearing->terms) {
          for (int k = 0; k < t.count; ++k) list.push_back({row_of(p.measure[d]), t.slot[k]});
        }
      }
      for (const BearingMoment& m : p.bearing->moments) list.push_back({m.row, m.slot});
    }
  }
  int load_slope_count() const override { return slopes_; }
  void calc_load_slopes(const Eval& e, double* slope) const override {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& p = items_[i];
      if (!p.bearing) continue;
      const int nz = p.memory.z;
      RubPartials J{e.scratch, rub_columns(D, nz)};
      Vec<D> F;
      Patch<D> patch = read(i, e);
      if (!slides(i, e, patch)) {
        std::fill_n(e.scratch, rub_rows(D, nz) * J.columns, 0.0);
        F[0] = force_at_rest(i, e, patch);
      } else {
        if (p.rest) steer(i, e, patch);
        p.law->eval(patch, e.z + p.z, e.marks + p.marks + own_marks(i), F, e.scratch + rub_rows(D, nz) * J.columns, J);
      }
      for (int d = 0; d < D; ++d) {
        p.bearing->each(e.lambda, [&](int, double by_lambda) { *slope++ = J(d, D) * by_lambda * p.force_arm; });
      }
      for (const BearingMoment& m : p.bearing->moments) *slope++ = patch.load > 0 ? F[0] / patch.load * m.factor : 0.0;
    }
  }

 private:
  /// Only measures of rows are pressed by an overlap or by reactions, and may lack a position.
  static constexpr bool kInSpace = OfRows<M>;

  /// Has a force of its own in this evaluation: neither open nor held.
  bool slides(std::size_t i, const Eval& e, const Patch<D>& patch) const {
    return patch.load > 0 && !(items_[i].rest && (rests(i, e, patch) || lands(i, e)));
  }

  /// Touches down inside this step without slipping: whether it rests is decided when the step is done.
  bool lands(std::size_t i, const Eval& e) const {
    if (e.rest != RestRule::events || !items_[i].press) return false;
    const ConstDryMarks marks(e.marks + items_[i].marks, D);
    if (!marks.open()) return false;
    for (int d = 0; d < D; ++d) {
      if (marks.direction(d) != 0) return false;
    }
    return true;
  }

  /// What keeps a place at rest: it acts at the same faces as sliding friction, or rest would carry less than sliding.
  double force_at_rest(std::size_t i, const Eval& e, const Patch<D>& patch) const {
    const Item& p = items_[i];
    return p.rest && p.slot >= 0 && patch.load > 0 && rests(i, e, patch) ? e.lambda[p.slot] : 0.0;
  }

  void rub(Eval& e, bool reactive) const {
    const std::size_t n = items_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Item& p = items_[i];
      if (p.bearing.has_value() != reactive) continue;
      if (p.press && p.press->law->rigid()) {
        e.power[p.account] = e.power[p.press->account] = 0;
        continue;
      }
      Patch<D> patch = read(i, e);
      Vec<D> F;
      if (!(patch.load > 0)) {
        F = open_force(p, patch, e);
      } else if (items_[i].rest == nullptr) {
        law(p).eval(patch, e.z + p.z, e.marks + p.marks, F, e.zdot + p.z);
      } else if (rests(i, e, patch)) {
        F = items_[i].rest->offset(patch);
      } else if (!lands(i, e)) {
        const Vec<D> slip = patch.slip;
        steer(i, e, patch);
        law(p).eval(patch, e.z + p.z, e.marks + p.marks + 1 + D, F, e.zdot + p.z);
        patch.slip = slip;
      }
      push(p, patch, F, e);
      if constexpr (kInSpace) {
        if (p.press) {
          e.row_force[p.press->gap] -= patch.load;
          e.power[p.press->account] = -patch.load * patch.gap_rate;
        }
        if (p.travel >= 0) move_travel(p, patch, e);
        if (p.bearing) push_moments(p, patch, F[0] + force_at_rest(i, e, patch), e);
      }
    }
  }

  void rub_over_step(StepEval& e, bool reactive) const {
    const std::size_t n = items_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Item& p = items_[i];
      if (p.bearing.has_value() != reactive) continue;
      PlaceStep<D>& s = make_in_room<PlaceStep<D>>(e.room + p.room);
      s.patch = look(p, e);
      if (p.press) s.press = p.press->over_step(e);
      s.patch.load = p.press ? s.press.mean : load_of(p, e);
      if (s.patch.load > 0) find_force(p, e, s);
      else s.force = open_force(p, s.patch, e);
      if (p.rest != nullptr) s.rest = calc_rest(p, e, s.patch);
      push(p, s.patch, s.force, e);
      if (p.press) push_step(p, e, s);
      if (p.travel >= 0) move_travel(p, s.patch, e);
      if (p.bearing) push_moments(p, s.patch, s.force[0], e);
    }
  }

  /// Surfaces that are apart: no force, and nothing to remember. An expression without a value is no open contact.
  static Vec<D> open_force(const Item& p, const Patch<D>& patch, Eval& e) {
    for (int m = 0; m < p.memory.z; ++m) e.zdot[p.z + m] = 0;
    Vec<D> F;
    for (int d = 0; d < D && std::isnan(patch.load); ++d) F[d] = patch.load;
    return F;
  }
  static void push(const Item& p, const Patch<D>& patch, const Vec<D>& F, Eval& e) {
    double power = 0;
    for (int d = 0; d < D; ++d) {
      p.measure[d].push(F[d] * p.force_arm, e);
      power += F[d] * patch.slip[d];
    }
    e.power[p.account] = power * p.lever;
  }
  /// What surfaces do while they are apart is no travel: they would touch down with a spring already stretched.
  static void move_travel(const Item& p, const Patch<D>& patch, Eval& e) {
    for (int d = 0; d < D; ++d) e.zdot[p.travel + d] = travels(p, patch) ? patch.slip[d] : 0;
  }
  static void push_moments(const Item& p, const Patch<D>& patch, double force, Eval& e) {
    if (!(patch.load > 0)) return;
    for (const BearingMoment& m : p.bearing->moments) {
      const double T = force / patch.load * m.factor * e.lambda[m.slot];
      e.row_force[m.row] += T;
      e.power[p.account] += T * e.row_rate[m.row];
    }
  }

 public:
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    for (std::size_t i = 0; i < items_.size(); ++i) with_chain(items_[i], sink, [&](JacobianSink& to) { emit(i, e, to); });
  }
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override {
    for (const Item& p : items_) with_chain(p, sink, [&](JacobianSink& to) { emit_step(p, e, to); });
  }

  double stored(const Eval& e, double* by_account) const override {
    double sum = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& p = items_[i];
      if (p.press && p.press->slot >= 0) continue;
      if (p.press) {
        const double joule = p.press->law->stored(-e.row_value[p.press->gap], e.marks + p.press->marks);
        by_account[p.press->account] += joule;
        sum += joule;
      }
      if (items_[i].memory.z == 0 && !items_[i].memory.travel) continue;
      const double joule = law(p).stored(read(i, e), e.z + p.z, e.marks + p.marks + own_marks(i)) * p.lever;
      by_account[p.account] += joule;
      sum += joule;
    }
    return sum;
  }

  int watch_count() const override { return watched_; }
  void calc_watched(const Eval& e, double* watched) const override {
    for (const Item& p : items_) {
      for (int d = 0; d < D && p.law->overruns(); ++d) *watched++ = p.measure[d].rate(e) * p.arm;
      if (!dents(p)) continue;
      *watched++ = -e.row_value[p.press->gap];
      *watched++ = -e.row_rate[p.press->gap];
    }
  }
  Overrun calc_overrun(const Eval& e, double h, const double* watched, const double* z) const override;
  Overrun calc_turn(const StepEval& e, const Eval& end) const override;

  int pace_count() const override { return static_cast<int>(items_.size()); }
  void calc_paces(const Eval& e, Pace* pace, double* speed) const override;

  double calc_excess(const double* z) const override;
  int loaded_count() const override { return loaded_; }
  void loaded_accounts(int* friction, int* load) const override;
  void calc_loaded(const Eval& e, LoadedMemory* at) const override;

  void calc_modes(const Eval& e, Mode* mode) const override {
    for (std::size_t i = 0; i < items_.size(); ++i) mode[i] = mode_of(i, e, read(i, e));
  }
  bool remembers() const override { return remembers_; }
  bool may_be_troubled() const override { return told_; }
  std::string trouble(const Eval& e) const override;

  /// slip (D), travel (D), normal_force, friction_force (D), mode; gap of places that may open; indentation where they yield; memory
  /// (bristle_count)
  int output_count() const override {
    int n = 0;
    for (const Item& p : items_) n += 3 * D + 2 + (p.press ? 1 : 0) + (dents(p) ? 1 : 0) + bristle_count(*p.law);
    return n;
  }
  void calc_outputs(const Eval& e, double* out) const override;

  void accept(const Eval& e, State& x) const override;
  void follow(const Eval&, State&) const override {}
  void keep_elastic(State& x) const override {
    for (const Item& p : items_) {
      if (dents(p)) p.press->law->keep_elastic(x.marks() + p.press->marks);
    }
  }

  DryPlaces* dry() override { return dry_.empty() ? nullptr : this; }
  RigidPlaces* rigid() override { return rigid_.empty() ? nullptr : this; }

 private:
  static const Law& law(const Item& p) { return static_cast<const Law&>(*p.law); }
  int own_marks(std::size_t i) const { return items_[i].rest ? 1 + D : 0; }
  static bool dents(const Item& p) { return p.press && p.press->law->dents(); }

  Patch<D> read(std::size_t i, const Eval& e) const {
    const Item& p = items_[i];
    Patch<D> patch = look(p, e);
    if (!p.press) patch.load = load_of(p, e);
    else if (p.press->slot >= 0) patch.load = e.lambda[p.press->slot];
    else patch.load = p.press->law->force(-patch.gap, -patch.gap_rate, e.marks + p.press->marks);
    return patch;
  }
  /// All but the load.
  static Patch<D> look(const Item& p, const Eval& e) {
    Patch<D> patch;
    for (int d = 0; d < D; ++d) patch.slip[d] = p.measure[d].rate(e) * p.arm;
    if (p.memory.travel) {
      for (int d = 0; d < D; ++d) patch.travel[d] = travel(p, e, d);
    }
    if (p.press) patch.gap = e.row_value[p.press->gap], patch.gap_rate = e.row_rate[p.press->gap];
    if (p.input) patch.input = std::clamp(p.input->signal.value(e), p.input->low, p.input->high);
    return patch;
  }
  /// Of a place that nothing presses but a signal or reactions.
  static double load_of(const Item& p, const Eval& e) {
    if (p.constant_load >= 0) return p.constant_load;
    return std::max(p.bearing ? p.bearing->load(e.lambda) : p.load.value(e), 0.0);  // in this order: no value stays none
  }
  static bool travels(const Item& p, const Patch<D>& patch) { return !p.press || patch.load > 0; }
  static double travel(const Item& p, const Eval& e, int d) {
    if (p.way >= 0) {  // between two accepted states the last slip goes on
      const double* way = e.marks + p.way;
      return way[d] + (way[2 * D] == kNever ? 0 : (e.t - way[2 * D]) * way[D + d]);
    }
    return p.travel >= 0 ? e.z[p.travel + d] : p.measure[d].position(e) * p.arm;
  }

  /// Is a dry place at rest in this evaluation?
  bool rests(std::size_t i, const Eval& e, const Patch<D>& patch) const {
    if (e.rest == RestRule::events) return ConstDryMarks(e.marks + items_[i].marks, D).rests();
    return (!items_[i].press || patch.load > 0) && norm(patch.slip) <= items_[i].rest->band();
  }
  Mode mode_of(std::size_t i, const Eval& e, const Patch<D>& patch) const {
    const Item& p = items_[i];
    if (!(patch.load > 0)) return Mode::open;
    if (p.press && p.press->slot >= 0) {
      double size = 0;
      for (int d = 0; d < D; ++d) size += e.lambda[p.press->slot + 1 + d] * e.lambda[p.press->slot + 1 + d];
      return std::sqrt(size) < (1 - 1e-6) * coefficient(p, e) * patch.load ? Mode::stick : Mode::slip;
    }
    if (items_[i].rest) return rests(i, e, patch) ? Mode::stick : Mode::slip;
    return p.law->mode(patch, e.z + p.z, e.marks + p.marks + own_marks(i));
  }
  /// Under `events` a sliding place keeps its direction, also at and just beyond zero slip. True where the slip was replaced.
  bool steer(std::size_t i, const Eval& e, Patch<D>& patch) const {
    if (e.rest != RestRule::events) return false;
    constexpr double kBarely = 1e-100;  // [m/s] sliding, but at no speed to speak of
    // [m/s] in several directions what is left of a slip that was stopped points anywhere: round-off of bodies at 1e4 m/s counts as none
    constexpr double kStopped = D > 1 ? 1e-12 : kBarely;
    const double* dir = e.marks + items_[i].marks + 1;
    double along = 0, size = 0;
    for (int d = 0; d < D; ++d) {
      along += patch.slip[d] * dir[d];
      size += dir[d] * dir[d];
    }
    if (size == 0) return false;  // not sliding in a fixed direction
    if (along > kStopped)
      return false;  // in the plane too: that a slip turns back inside a step is for the run to see (Run::guard)
    for (int d = 0; d < D; ++d) patch.slip[d] = kBarely * dir[d];
    return true;
  }

  using Slopes = PlaceSlopes<M, D>;

  template <class F>
  static void with_chain(const Item& p, JacobianSink& sink, F&& emit_to) {
    if constexpr (kInSpace) {
      if (p.chain.nodes > 0) {
        ChainSink near(sink, p.chain);
        emit_to(near);
        return;
      }
    }
    emit_to(sink);
  }

  void emit(std::size_t i, const Eval& e, JacobianSink& sink) const {
    const Item& p = items_[i];
    if (p.press && p.press->slot >= 0) return;
    const int nz = p.memory.z;
    const Slopes s = find_slopes(i, e);
    for (int d = 0; d < D; ++d) {
      p.measure[d].each(e, [&](int at, double c) { s.emit_law(p, d, Slopes::Target::force(at, -c * p.force_arm), e, sink); });
    }
    for (int m = 0; m < nz; ++m) s.emit_law(p, D + m, Slopes::Target::memory(p.z + m), e, sink);
    for (int d = 0; d < D && p.travel >= 0; ++d) {
      const double by_slip = travels(p, s.patch) ? p.arm : 0;
      p.measure[d].each(e,
                        [&](int column, double c) { sink.add(JacobianSink::Part::rate_v, p.travel + d, column, c * by_slip); });
    }
    if (p.press) s.emit_press(p, e, sink);
    if (p.bearing) s.emit_moments(p, e, sink);
  }

  Slopes find_slopes(std::size_t i, const Eval& e) const {
    const Item& p = items_[i];
    const int nz = p.memory.z, columns = rub_columns(D, nz), rows = rub_rows(D, nz);
    Slopes s{.patch = read(i, e), .F = {}, .J = {e.scratch, columns}};
    double* zdot = e.scratch + rows * columns;
    if (!slides(i, e, s.patch)) {
      std::fill_n(e.scratch, rows * columns, 0.0);
      s.F[0] = force_at_rest(i, e, s.patch);
    } else {
      const bool steered = p.rest && steer(i, e, s.patch);
      p.law->eval(s.patch, e.z + p.z, e.marks + p.marks + own_marks(i), s.F, zdot, s.J);
      for (int r = 0; r < rows && steered; ++r) {
        for (int d = 0; d < D; ++d) s.J(r, d) = 0;
      }
    }
    if (!p.bearing && !p.press) p.load.value(e, s.by_reading);
    if (p.input && slides(i, e, s.patch)) s.find_input(p, p.law->by_input(s.patch, e.marks + p.marks + own_marks(i)), e);
    if (p.press) p.press->law->force(-s.patch.gap, -s.patch.gap_rate, e.marks + p.press->marks, s.by_gap);
    s.open = s.patch.load > 0 ? 1 : 0;
    return s;
  }

  /// Friction force per load at the present slip; at rest, what it can hold.
  double coefficient(const Item& p, const Eval& e) const {
    Patch<D> patch;
    for (int d = 0; d < D; ++d) patch.slip[d] = p.measure[d].rate(e) * p.arm;
    patch.load = 1;
    if (p.input) patch.input = std::clamp(p.input->signal.value(e), p.input->low, p.input->high);
    const double* marks = e.marks + p.marks + (p.law->set_valued() ? 1 + D : 0);
    if (!(norm(patch.slip) > 1e-9)) return p.law->holding(patch, marks);
    Vec<D> F;
    p.law->eval(patch, e.z + p.z, marks, F, e.scratch);
    return norm(F);
  }

  // RigidPlaces
  const Item& hard(int i) const { return items_[static_cast<std::size_t>(rigid_[static_cast<std::size_t>(i)])]; }
  int rigid_count() const override { return static_cast<int>(rigid_.size()); }
  int rigid_gap(int i) const override { return hard(i).press->gap; }
  int rigid_slips(int) const override { return D; }
  int rigid_slip(int i, int component) const override { return row_of(hard(i).measure[component]); }
  const Unilateral& rigid_law(int i) const override { return *hard(i).press->law->rigid(); }
  double rigid_friction(const Eval& e, int i) const override { return coefficient(hard(i), e); }
  int rigid_account(int i, bool friction) const override { return friction ? hard(i).account : hard(i).press->account; }
  const char* rigid_name(int i) const override { return hard(i).name.c_str(); }
  void set_rigid_slot(int i, int slot) override {
    items_[static_cast<std::size_t>(rigid_[static_cast<std::size_t>(i)])].press->slot = slot;
  }

  // DryPlaces
  std::size_t at(int i) const { return static_cast<std::size_t>(dry_[static_cast<std::size_t>(i)]); }
  int dry_count() const override { return static_cast<int>(dry_.size()); }
  int dry_components(int) const override { return D; }
  int dry_account(int i) const override { return items_[at(i)].account; }
  int dry_mark(int i) const override { return items_[at(i)].marks; }
  bool dry_opens(int i) const override { return items_[at(i)].press.has_value(); }
  const char* dry_name(int i) const override { return items_[at(i)].name.c_str(); }
  RestRow dry_row(int i, int component, ConstantRows& constant) const override {
    const Item& p = items_[at(i)];
    const int row = row_of(p.measure[component]);
    return {row >= 0 ? row : constant.add(columns_of(p.measure[component])), p.arm, p.force_arm};
  }
  void set_slot(int i, int slot) override { items_[at(i)].slot = slot; }
  void step_view(const StepEval& e, int i, RestView& out) const override { see(at(i), step_of(items_[at(i)], e).patch, e, out); }
  bool step_rest(const StepEval& e, int i, double* residual, double* along) const override {
    const StepRest<D>& rest = step_of(items_[at(i)], e).rest;
    for (int d = 0; d < D; ++d) residual[d] = rest.residual[d], along[d] = rest.along[d];
    return rest.rests;
  }
  void step_rest_jacobian(const StepEval& e, int i, JacobianSink& sink) const override { emit_rest(items_[at(i)], e, sink); }
  void view(const Eval& e, int i, RestView& out) const override { see(at(i), read(at(i), e), e, out); }
  void see(std::size_t k, const Patch<D>& patch, const Eval& e, RestView& out) const {
    const double* marks = e.marks + items_[k].marks + own_marks(k);
    out.components = D;
    for (int d = 0; d < D; ++d) out.slip[d] = patch.slip[d];
    out.limit = items_[k].rest->limit(patch, marks);
    // what has let go has the force of sliding, at the speed it has by now
    if (D > 1 && e.rest == RestRule::events && ConstDryMarks(e.marks + items_[k].marks, D).creeps())
      out.limit = sliding_force(k, patch, e);
    out.band = items_[k].rest->band();
    out.resting = rests(k, e, patch);
    out.open = items_[k].press && !(patch.load > 0);
  }
  double sliding_force(std::size_t k, Patch<D> patch, const Eval& e) const {
    const Item& p = items_[k];
    if (!(patch.load > 0)) return 0;
    if (!(norm(patch.slip) > 1e-100)) {
      const ConstDryMarks marks(e.marks + p.marks, D);
      for (int d = 0; d < D; ++d) patch.slip[d] = 1e-100 * marks.direction(d);
    }
    Vec<D> F;
    p.law->eval(patch, e.z + p.z, e.marks + p.marks + own_marks(k), F, e.scratch);
    return norm(F - p.rest->offset(patch));
  }
  bool at_rest(const Eval& e, int i, const double* holding, double mobility, double* force) const override {
    const std::size_t k = at(i);
    const Patch<D> patch = read(k, e);
    const double* marks = e.marks + items_[k].marks + own_marks(k);
    Vec<D> pull;
    for (int d = 0; d < D; ++d) pull[d] = holding[d];
    const Vec<D> F = items_[k].rest->at_rest(pull, patch, mobility, marks);
    bool holds = true;
    for (int d = 0; d < D; ++d) {
      force[d] = F[d];
      holds = holds && F[d] == holding[d];
    }
    return holds;
  }

  std::vector<Item> items_;
  std::vector<int> dry_, rigid_;
  int slopes_ = 0;          // derivatives of forces by multipliers
  bool reactive_ = false;   // some load is a reaction
  bool remembers_ = false;  // some law has something to do on accept
  int watched_ = 0;         // numbers of calc_watched
  bool told_ = false;       // some law takes an input
  int loaded_ = 0;          // places whose memory stores energy in proportion to a load that varies
};

}  // namespace bristle

#include "bristle/place/place_readings.h"  // what methods and results read of a place
