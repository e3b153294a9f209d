#pragma once
#include <utility>
#include <vector>

#include "bristle/assemble/fuse_views.h"
#include "bristle/body/scalar.h"
#include "bristle/core/fused.h"
#include "bristle/force/pull.h"
#include "bristle/force/pull_laws.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/measure/form.h"
#include "bristle/place/place.h"

namespace bristle {

/// A coordinate driven at constant speed.
struct FlatDrive {
  int index = 0;
  double start = 0, velocity = 0;
};

/// A place under constant load: what a step needs of it, law included, side by side.
template <class L>
struct FlatPlace {
  Relative measure;
  int z = 0, marks = 0, account = 0;
  double arm = 1, force_arm = 1, lever = 1, load = 0;
  L law;
};

/// Scalar masses, drives, springs and places under constant load that share one law L, as flat rows of numbers; takes whole steps.
/// kSliding: no lever arms, so nothing is multiplied by them.
template <class L, bool kSliding>
class Lumped final : public FusedEvaluation {
 public:
  using Springs = PullBlock<Spring, Relative>;
  using Places = PlaceBlock<Relative, 1, FrictionLawOf<L, 1>>;
  static constexpr int kMemory = L::kVectors + L::kScalars;
  static_assert(kMemory > 0);

  Lumped(const DrivenCoordinates& drives, const Springs& springs, const Places& places, const ScalarMasses& masses)
      : driven_(&drives), pulls_(springs.items()) {
    for (const auto& d : drives.items()) {
      constant_ = constant_ && d.rate;
      drives_.push_back({d.index, d.start, d.rate ? d.velocity.signal().constant() : 0});
    }
    for (const auto& p : places.items()) {
      places_.push_back({p.measure[0], p.z, p.marks, p.account, p.arm, p.force_arm, p.lever, p.constant_load,
                         static_cast<const FrictionLawOf<L, 1>&>(*p.law).law()});
    }
    inverse_.resize(masses.items().size());
    for (const auto& m : masses.items()) inverse_[static_cast<std::size_t>(m.index)] = m.inverse;
  }

  bool steps() const override { return true; }

  [[gnu::flatten]] void evaluate(State& x, bool drive, Eval& e, int, double* a) const override {
    if (drive) set_time(x);
    ManyFree free(x, e.f, a, nullptr, static_cast<int>(inverse_.size()));
    add_forces(free, e.z, e.zdot, ToWorkspace{e.zdot, e.power});
    for (int i = 0; i < free.count(); ++i) free.a(i) = free.f(i) * inverse_[static_cast<std::size_t>(i)];
  }

  void step(const ChainStep& s) const override {
    if (inverse_.size() == 1) step_with<OneFree>(s);
    else step_with<ManyFree>(s);
  }

  bool calc_modes(const State& x, Mode* mode) const override {
    const double *v = x.v(), *z = x.z(), *marks = x.marks();
    for (const auto& p : places_) *mode++ = p.law.template mode<1>(patch_of(p, p.measure.read(v)), z + p.z, marks + p.marks);
    return true;
  }

 private:
  void set_time(State& x) const {
    if (!constant_) {
      set_signals(x);
      return;
    }
    double *q = x.q(), *v = x.v(), *a = x.a();
    const double t = x.t;
    for (const FlatDrive& d : drives_) {
      v[d.index] = d.velocity;
      q[d.index] = d.start + d.velocity * t;
      a[d.index] = 0;
    }
  }
  [[gnu::noinline]] void set_signals(State& x) const { driven_->set_time(x, x.t); }

  static Patch<1> patch_of(const FlatPlace<L>& p, double reading) {
    Patch<1> patch;
    patch.slip[0] = kSliding ? reading : reading * p.arm;
    patch.load = p.load;
    return patch;
  }

  /// In the order of the blocks, so that sums come out the same to the bit. `room` is as long as z.
  template <class Free, class Sink>
  void add_forces(Free& x, const double* z, double* room, const Sink& sink) const {
    const int n = x.count(), end = n + static_cast<int>(drives_.size());
    for (int i = 0; i < n; ++i) x.f(i) = 0;
    for (int i = n; i < end; ++i) x.f_all[i] = 0;
    for (const auto& it : pulls_) {
      const Relative& m = it.measure;
      const double u = x.read_q(m.b) - x.read_q(m.a), rate = x.read_v(m.b) - x.read_v(m.a);
      const double damping = it.law.damping(u, rate), T = it.law.elastic(u) + damping;
      x.push(m.push_a, T);
      x.push(m.push_b, -T);
      if (it.account >= 0) sink.watt(it.account, damping * rate);
    }
    const auto patch_at = [&](const FlatPlace<L>& p) { return patch_of(p, x.read_v(p.measure.b) - x.read_v(p.measure.a)); };
    const auto rub = [&](const FlatPlace<L>& p, const Patch<1>& patch, double shape) {
      Vec<1> F;
      double zdot[kMemory];
      p.law.eval_plain(patch, shape, z + p.z, F, zdot);
      const double T = kSliding ? F[0] : F[0] * p.force_arm, watt = F[0] * patch.slip[0];
      x.push(p.measure.push_a, T);
      x.push(p.measure.push_b, -T);
      for (int i = 0; i < kMemory; ++i) sink.rate(p.z + i, zdot[i]);
      sink.watt(p.account, kSliding ? watt : watt * p.lever);
    };
    if constexpr (Free::kOne) {
      for (const auto& p : places_) {
        const Patch<1> patch = patch_at(p);
        rub(p, patch, p.law.shape(patch));
      }
    } else {
      // all curves first: a loop with a call in it keeps nothing in registers, and one without leaves room for many places at once;
      // a curve waits where the rate of its place goes later
      for (const auto& p : places_) room[p.z] = p.law.shape(patch_at(p));
      for (const auto& p : places_) rub(p, patch_at(p), room[p.z]);
    }
  }

  template <class Free, class Sink>
  void add_drive_power(const Free& x, const Sink& sink) const {
    const int n = x.count(), driven = static_cast<int>(drives_.size());
    for (int i = 0; i < driven; ++i) sink.watt(i, -x.f_all[n + i] * x.v_all[n + i]);
  }

  template <class Free>
  [[gnu::flatten]] void step_with(const ChainStep& s) const {
    const StageChain& chain = s.chain;
    State& x1 = s.x1;
    const double *q0 = s.x0.q(), *v0 = s.x0.v(), *z0 = s.x0.z(), *rate0 = s.rate0, *inverse = inverse_.data();
    const double h = s.h, t0 = s.x0.t;
    const int n = Free::kOne ? 1 : s.layout.scalars, m = s.layout.sizes.z;
    const int accounts = static_cast<int>(s.layout.accounts.size());
    Free x(x1, s.f, s.rate + n, s.sum, n);
    double* z1 = x1.z();

    // from the start of the step to the first stage
    ToNextStage next{s.work, s.sum + 2 * n, z1, z0, chain.weight[0], chain.weight[0] * h, chain.part[1] * h, false};
    for (int i = 0; i < accounts; ++i) next.watt(i, s.power0[i]);
    for (int i = 0; i < m; ++i) {
      next.sum[i] = next.weight * rate0[2 * n + i];
      z1[i] = z0[i] + next.by * rate0[2 * n + i];
    }
    for (int i = 0; i < n; ++i) {
      x.sum_q(i) = next.weight * rate0[i], x.sum_v(i) = next.weight * rate0[n + i];
      x.q(i) = q0[i] + next.by * rate0[i], x.v(i) = v0[i] + next.by * rate0[n + i];
    }
    for (int k = 1; k < chain.stages; ++k) {
      const double t = t0 + chain.part[k] * h;
      if (x1.t != t) {
        x1.t = t;
        set_time(x1);
      }
      next.weight = chain.weight[k];
      next.joule = next.weight * h;
      next.end = k + 1 == chain.stages;
      next.by = next.end ? h : chain.part[k + 1] * h;
      add_forces(x, z1, s.rate + 2 * n, next);
      add_drive_power(x, next);
      for (int i = 0; i < n; ++i) {
        const double v = x.v(i), a = x.f(i) * inverse[i];
        x.sum_q(i) += next.weight * v, x.sum_v(i) += next.weight * a;
        x.q(i) = q0[i] + next.by * (next.end ? x.sum_q(i) : v), x.v(i) = v0[i] + next.by * (next.end ? x.sum_v(i) : a);
      }
    }
    const ToWorkspace end{s.rate + 2 * n, s.power};
    add_forces(x, z1, s.rate + 2 * n, end);
    add_drive_power(x, end);
    for (int i = 0; i < n; ++i) s.rate[i] = x.v(i), x.a(i) = x.f(i) * inverse[i];
    x.store();
  }

  const DrivenCoordinates* driven_;
  bool constant_ = true;  // all drives are
  std::vector<FlatDrive> drives_;
  std::vector<typename Springs::Item> pulls_;
  std::vector<FlatPlace<L>> places_;
  std::vector<double> inverse_;  // 1/mass by coordinate
};

}  // namespace bristle
