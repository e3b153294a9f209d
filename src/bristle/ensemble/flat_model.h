#pragma once
#include "bristle/core/fused.h"
#include "bristle/ensemble/flat_law.h"
#include "bristle/ensemble/free_coordinates.h"
#include "bristle/force/pull_laws.h"
#include "bristle/measure/form.h"

namespace bristle {

/// How much there is of everything; the same in all runs that go side by side.
struct FlatSizes {
  int free = 0, driven = 0;  ///< coordinates
  int coordinates = 0;       ///< with the ground
  int forces = 0;            ///< numbers that take forces
  int memory = 0, accounts = 0;
  int springs = 0, places = 0;
  bool steady = true;    ///< all drives have a constant speed
  bool sliding = false;  ///< no lever arms, so nothing need be multiplied by them
  friend bool operator==(const FlatSizes&, const FlatSizes&) = default;
};

/// Which coordinates an element acts on, and where its memory and its account are.
struct FlatEnds {
  Relative measure;
  int z = 0, account = 0;
};

template <class R>
struct FlatDrive {
  R start, velocity;
};
template <class R>
struct FlatSpring {
  FlatEnds ends;
  SpringForce<R> force;
};
template <class R, class Law>
struct PlaceNumbers {
  R arm, force_arm, lever, load;
  Law law;
};
template <class R, class Law>
struct FlatPlace {
  FlatEnds ends;
  PlaceNumbers<R, Law> numbers;
};

/// What a whole step, or an evaluation, works with: arrays of the numbers of a state, of its rates and of the workspace.
template <class R>
struct FlatArrays {
  const R *q0, *v0, *z0, *rate0, *power0;  ///< at the start of the step
  R *q, *v, *z;                            ///< where it leads to
  R *rate, *power;                         ///< of the state there
  R *f, *sum;                              ///< room for forces and for a rate
  R* work;                                 ///< [J] per account, added to
};

/** A small model as flat rows of numbers: scalar masses, drives, springs, and places under constant load that share one law. How the law is
asked, and what a number is, says Form: one run, or several side by side. In the order of the blocks of a System, so that sums come out the
same to the bit. */
template <class Form>
struct FlatModel {
  using R = typename Form::Number;
  using Place = FlatPlace<R, typename Form::Law>;

  FlatSizes sizes;
  const R* inverse = nullptr;  ///< 1/mass by coordinate
  const FlatDrive<R>* drives = nullptr;
  const FlatSpring<R>* springs = nullptr;
  const Place* places = nullptr;

  /// Of drives at constant speed.
  void set_time(double t, R* q, R* v) const {
    for (int i = 0; i < sizes.driven; ++i) {
      v[sizes.free + i] = drives[i].velocity;
      q[sizes.free + i] = drives[i].start + drives[i].velocity * t;
    }
  }

  /// Forces, rates of memory, power but for that of the drives, accelerations. `room` is as long as the memory.
  void evaluate(R* q, R* v, R* f, const R* z, R* zdot, R* power, R* a) const {
    ManyFree<R> free(q, v, f, a, nullptr, sizes.free);
    if (sizes.sliding) add_forces<true>(free, z, zdot, ToArrays<R>{zdot, power});
    else add_forces<false>(free, z, zdot, ToArrays<R>{zdot, power});
    for (int i = 0; i < sizes.free; ++i) a[i] = free.f(i) * inverse[i];
  }

  void add_drive_power(const R* v, const R* f, R* power) const {
    for (int i = 0; i < sizes.driven; ++i) power[i] = -f[sizes.free + i] * v[sizes.free + i];
  }

  /// All stages, their work, and the evaluation of the end. `set_time(t)` moves the drives where they are not there yet.
  template <class SetTime>
  void step(const StageChain& chain, double t0, double h, const FlatArrays<R>& s, SetTime&& set_time) const {
    if (sizes.free == 1) {
      if (sizes.sliding) step_with<OneFree<R>, true>(chain, t0, h, s, set_time);
      else step_with<OneFree<R>, false>(chain, t0, h, s, set_time);
    } else {
      if (sizes.sliding) step_with<ManyFree<R>, true>(chain, t0, h, s, set_time);
      else step_with<ManyFree<R>, false>(chain, t0, h, s, set_time);
    }
  }

 private:
  template <bool kSliding, class Free, class Sink>
  void add_forces(Free& x, const R* z, R* room, const Sink& sink) const {
    const int n = x.count(), end = n + sizes.driven;
    for (int i = 0; i < n; ++i) x.f(i) = R(0);
    for (int i = n; i < end; ++i) x.f_all[i] = R(0);
    for (int i = 0; i < sizes.springs; ++i) {
      const Relative& m = springs[i].ends.measure;
      const R u = x.read_q(m.b) - x.read_q(m.a), rate = x.read_v(m.b) - x.read_v(m.a);
      const R damping = springs[i].force.damping(u, rate), T = springs[i].force.elastic(u) + damping;
      x.push(m.push_a, T);
      x.push(m.push_b, -T);
      if (springs[i].ends.account >= 0) sink.watt(springs[i].ends.account, damping * rate);
    }
    const auto patch_at = [&](int i) {
      const Relative& m = places[i].ends.measure;
      const R rate = x.read_v(m.b) - x.read_v(m.a);
      Patch<1, R> patch;
      patch.slip[0] = kSliding ? rate : rate * places[i].numbers.arm;
      patch.load = places[i].numbers.load;
      if constexpr (Form::kTravel) patch.travel[0] = (x.read_q(m.b) - x.read_q(m.a)) * places[i].numbers.arm;
      return patch;
    };
    const auto rub = [&](int i, const Patch<1, R>& patch, const auto&... curve) {
      const FlatEnds& ends = places[i].ends;
      Vec<1, R> F;
      R zdot[Form::kMemory > 0 ? Form::kMemory : 1];
      Form::eval(places[i].numbers.law, patch, z + ends.z, F, zdot, curve...);
      const R T = kSliding ? F[0] : F[0] * places[i].numbers.force_arm, watt = F[0] * patch.slip[0];
      x.push(ends.measure.push_a, T);
      x.push(ends.measure.push_b, -T);
      for (int k = 0; k < Form::kMemory; ++k) sink.rate(ends.z + k, zdot[k]);
      sink.watt(ends.account, kSliding ? watt : watt * places[i].numbers.lever);
    };
    if constexpr (Form::kCurve && !Free::kOne) {
      // all curves first: a loop with a call in it keeps nothing in registers, and one without leaves room for many places at once
      for (int i = 0; i < sizes.places; ++i) room[places[i].ends.z] = Form::curve(places[i].numbers.law, patch_at(i));
      for (int i = 0; i < sizes.places; ++i) rub(i, patch_at(i), room[places[i].ends.z]);
    } else {
      for (int i = 0; i < sizes.places; ++i) rub(i, patch_at(i));
    }
  }

  template <class Free, class Sink>
  void add_drive_power(const Free& x, const Sink& sink) const {
    const int n = x.count();
    for (int i = 0; i < sizes.driven; ++i) sink.watt(i, -x.f_all[n + i] * x.v_all[n + i]);
  }

  template <class Free, bool kSliding, class SetTime>
  [[gnu::flatten]] void step_with(const StageChain& chain, double t0, double h, const FlatArrays<R>& s,
                                  SetTime&& set_time) const {
    const R *q0 = s.q0, *v0 = s.v0, *z0 = s.z0, *rate0 = s.rate0;
    const int n = Free::kOne ? 1 : sizes.free, m = sizes.memory;
    Free x(s.q, s.v, s.f, s.rate + n, s.sum, n);
    R *z1 = s.z, *zdot = s.rate + 2 * n;

    // from the start of the step to the first stage
    ToNextStage<R> next{s.work, s.sum + 2 * n, z1, z0, chain.weight[0], chain.weight[0] * h, chain.part[1] * h, false};
    for (int i = 0; i < sizes.accounts; ++i) next.watt(i, s.power0[i]);
    for (int i = 0; i < m; ++i) {
      next.sum[i] = next.weight * rate0[2 * n + i];
      z1[i] = z0[i] + next.by * rate0[2 * n + i];
    }
    for (int i = 0; i < n; ++i) {
      x.sum_q(i) = next.weight * rate0[i], x.sum_v(i) = next.weight * rate0[n + i];
      x.q(i) = q0[i] + next.by * rate0[i], x.v(i) = v0[i] + next.by * rate0[n + i];
    }
    for (int k = 1; k < chain.stages; ++k) {
      set_time(t0 + chain.part[k] * h);
      next.weight = chain.weight[k];
      next.joule = next.weight * h;
      next.end = k + 1 == chain.stages;
      next.by = next.end ? h : chain.part[k + 1] * h;
      add_forces<kSliding>(x, z1, zdot, next);
      add_drive_power(x, next);
      for (int i = 0; i < n; ++i) {
        const R v = x.v(i), a = x.f(i) * inverse[i];
        x.sum_q(i) += next.weight * v, x.sum_v(i) += next.weight * a;
        x.q(i) = q0[i] + next.by * (next.end ? x.sum_q(i) : v), x.v(i) = v0[i] + next.by * (next.end ? x.sum_v(i) : a);
      }
    }
    const ToArrays<R> end{zdot, s.power};
    add_forces<kSliding>(x, z1, zdot, end);
    add_drive_power(x, end);
    for (int i = 0; i < n; ++i) s.rate[i] = x.v(i), x.a(i) = x.f(i) * inverse[i];
    x.store();
  }
};

}  // namespace bristle
