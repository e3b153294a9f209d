#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bristle/integrate/integrator.h"

namespace bristle {

/// What controllers look at: the last outcome, and the pace and speed of every friction place at the present state.
struct StepView {
  const Outcome& last;
  double last_step;  ///< [s] 0 before the first step
  const std::vector<Pace>& pace;
  const std::vector<double>& speed;
};

/// Proposes a step; the smallest proposal of all wins.
class StepController {
 public:
  virtual ~StepController() = default;
  virtual const char* reason() const = 0;             ///< the name under which steps that it has chosen are counted
  virtual double propose(const StepView&) = 0;        ///< [s] infinite: no opinion
  virtual double fixed_step() const { return 0; }     ///< [s] > 0: it proposes this one always
  virtual bool stands_alone() const { return true; }  ///< false: only limits what others propose
  /// Whether steps of an explicit method must follow what the rule looks at stably: a step is then no longer than its start allows, and is rejected where
  /// it ends in something faster.
  virtual bool minds_stability() const { return false; }
  /// How many times more than the rule meant to allow it something has changed in such a step.
  virtual double excess(const std::vector<Pace>& start, const std::vector<Pace>& end, double h) const {
    return (void)start, (void)end, (void)h, 0;
  }
  virtual bool minds_forces() const { return false; }  ///< and the stiffness of contacts, not the memory of laws alone
  virtual void save(Archive&) const {}
  virtual void load(Archive&) {}
};

/// Whether a rule of the literature looks at the start of a step only, as its source does.
class StableRule : public StepController {
 public:
  bool start_only = false;
  bool minds_stability() const override { return !start_only; }

 protected:
  void visit_start_only(Visitor& v) {
    v.flag("start_only", start_only,
           "look at the start of a step only, as the source does: an explicit method may then outrun what grows fast inside it");
  }
};

struct ControllerEntry {
  std::string name, summary;
  std::string example;  ///< keys of an example beside those that it must have: ", fraction: 0.5"
  void (*describe)(Visitor&) = nullptr;
  std::unique_ptr<StepController> (*make)(Visitor&) = nullptr;
};
using ControllerRegistry = Registry<ControllerEntry>;
const ControllerRegistry& controller_registry();

/// The same step always.
class ConstantStep final : public StepController {
 public:
  double step = kRequired;
  void visit(Visitor& v) { v("step", step, unit::second, positive, "step"); }
  const char* reason() const override { return "constant"; }
  double fixed_step() const override { return step; }
  double propose(const StepView&) override { return step; }
};

/// What the local error of the integrator asks for. Added by itself to every integrator that estimates its error.
class ErrorStep final : public StepController {
 public:
  double h = 0;
  void visit(Visitor&) {}
  const char* reason() const override { return "error"; }
  double propose(const StepView& view) override {
    if (view.last.next > 0) h = view.last.next;
    return h > 0 ? h : kInfinity;
  }
  void save(Archive& a) const override { a.put(h); }
  void load(Archive& a) override { a.get(h); }
};

/// Velocity switching: a fine step while a place slips at between `low` and `high` times the speed at which its law changes character
/// (the Stribeck velocity), a coarse one otherwise ("Efficient Simulation of a Dynamic System with LuGre Friction", step rules).
class VelocitySwitch final : public StepController {
 public:
  double low = 0.1, high = 5, fine = kRequired, coarse = kRequired;
  void visit(Visitor& v) {
    v("low", low, unit::one, non_negative, "fine steps from this multiple of the Stribeck velocity");
    v("high", high, unit::one, positive, "up to this one");
    v("fine", fine, unit::second, positive, "step between the two");
    v("coarse", coarse, unit::second, positive, "step outside");
  }
  const char* reason() const override { return "velocity"; }
  double propose(const StepView& view) override {
    for (std::size_t i = 0; i < view.pace.size(); ++i) {
      if (!(view.pace[i].speed > 0)) continue;
      const double r = view.speed[i] / view.pace[i].speed;
      if (r >= low && r < high) return fine;
    }
    return coarse;
  }
};

/// Time-constant switching: where the memory of a law has a time constant below `threshold`, a fine step (`fine`, or `fraction` of
/// the time constant), otherwise a coarse one ("Efficient Simulation of a Dynamic System with LuGre Friction", step rules).
class TimeConstantSwitch final : public StableRule {
 public:
  double threshold = kInfinity, share = 0, fine = 0, coarse = kRequired;
  bool limited = true;
  void visit(Visitor& v) {
    v("threshold", threshold, unit::second, positive, "time constant below which steps are fine");
    v("fraction", share, unit::one, non_negative, "fine step as a share of the time constant");
    v("fine", fine, unit::second, non_negative, "fine step, when no fraction is given");
    v("coarse", coarse, unit::second, positive, "step otherwise");
    v.flag("limited", limited, "a fine step is never larger than the coarse one");
    visit_start_only(v);
  }
  std::string problem() const {
    if ((share > 0) == (fine > 0)) return "give either fraction or fine";
    return {};
  }
  const char* reason() const override { return "time constant"; }
  double propose(const StepView& view) override {
    double rate = 0;
    for (const Pace& p : view.pace) rate = p.rate > rate ? p.rate : rate;
    const double tau = rate > 0 ? 1 / rate : kInfinity;
    if (!(tau < threshold)) return coarse;
    const double h = share > 0 ? share * tau : fine;
    return limited && h > coarse ? coarse : h;
  }
};

/// Contact proximity: the gap of a place changes by about `penetration` per step while the surfaces overlap or are near, and by more
/// the farther they are apart ("Modeling Friction Phenomena in Flexible Multibody Dynamics", eqs. 19 and 20).
class ContactStep final : public StableRule {
 public:
  double penetration = 3e-6, nearness = 5, exponent = 1.2, slowest = 1e-6;
  void visit(Visitor& v) {
    v("penetration", penetration, unit::metre, positive, "change of a gap per step near contact");
    v("near", nearness, unit::one, positive, "gaps up to this multiple of the penetration are near");
    v("exponent", exponent, unit::one, non_negative, "how steps grow with the gap beyond");
    v("slowest", slowest, unit::metre_per_second, positive, "approach that counts as none");
    visit_start_only(v);
  }
  const char* reason() const override { return "contact"; }
  bool minds_forces() const override { return !start_only; }
  /// Surfaces that were far apart a step ago may have gone deep into each other, or hit and parted again: nothing at the start said so.
  double excess(const std::vector<Pace>& start, const std::vector<Pace>& end, double h) const override {
    constexpr double kSlack = 4;  // times the change that is meant
    double most = 0;
    for (std::size_t i = 0; i < end.size() && !start_only; ++i) {
      const Pace &a = start[i], &b = end[i];
      if (!b.opens) continue;
      const double change = std::max({std::abs(b.gap - a.gap), h * std::abs(a.gap_rate), h * std::abs(b.gap_rate)});
      most = std::max(most, change / (kSlack * penetration * growth(std::min(a.gap, b.gap))));
    }
    return most;
  }
  double propose(const StepView& view) override {
    const std::size_t n = view.pace.size();
    if (gap_.size() != n) gap_.assign(n, kInfinity), before_ = 0;
    double h = kInfinity;
    for (std::size_t i = 0; i < n; ++i) {
      if (!view.pace[i].opens) continue;
      const double now = view.pace[i].gap;
      if (view.last_step > 0 && gap_[i] < kInfinity) {
        const double between = before_ > 0 ? 0.5 * (before_ + view.last_step) : view.last_step;
        const double speed = std::max(std::abs(now - gap_[i]) / between, slowest);
        h = std::min(h, penetration * growth(now) / speed);
      }
      gap_[i] = now;
    }
    before_ = view.last_step;
    return h;
  }
  void save(Archive& a) const override { a.put(gap_), a.put(before_); }
  void load(Archive& a) override { a.get(gap_), a.get(before_); }

 private:
  double growth(double gap) const {
    const double far = gap / penetration / nearness;
    return far > 1 ? std::pow(far, exponent) : 1.0;
  }
  std::vector<double> gap_;  // at the last step; infinite: unknown
  double before_ = 0;        // [s] the step before the last one
};

/// Friction: steps are a share of the time constant that the memory of a law has at the speed on which its character changes, and
/// longer the faster the place slips ("Modeling Friction Phenomena in Flexible Multibody Dynamics", eq. 33).
class FrictionStep final : public StableRule {
 public:
  double share = 0.02, slow = 5, exponent = 1.2;
  void visit(Visitor& v) {
    v("share", share, unit::one, positive, "smallest step times the rate of the memory");
    v("slow", slow, unit::one, positive, "slips up to this multiple of the Stribeck velocity are slow");
    v("exponent", exponent, unit::one, non_negative, "how steps grow with the slip beyond");
    visit_start_only(v);
  }
  const char* reason() const override { return "friction"; }
  bool minds_forces() const override { return !start_only; }
  double propose(const StepView& view) override {
    double h = kInfinity;
    for (std::size_t i = 0; i < view.pace.size(); ++i) {
      const Pace& p = view.pace[i];
      if (!(p.rate_at_speed > 0)) continue;
      const double fast = view.speed[i] / p.speed / slow;
      h = std::min(h, share * (fast > 1 ? std::pow(fast, exponent) : 1.0) / p.rate_at_speed);
    }
    return h;
  }
};

/// Growth: no step is longer than a multiple of the one before. Beside rules that let steps jump, as that of contact does where a gap is as large as
/// at the step before.
class GrowthStep final : public StepController {
 public:
  double factor = 2;
  void visit(Visitor& v) { v("factor", factor, unit::one, Range{1, kInfinity, true, true}, "of the last step, at most"); }
  const char* reason() const override { return "growth"; }
  bool stands_alone() const override { return false; }
  double propose(const StepView& view) override { return view.last_step > 0 ? factor * view.last_step : kInfinity; }
};

}  // namespace bristle
