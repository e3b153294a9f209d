#pragma once
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

struct Proposal {
  double h = kInfinity;
  const char* reason = "";
};

/// Proposes a step; the smallest proposal of all wins.
class StepController {
 public:
  virtual ~StepController() = default;
  virtual const char* reason() const = 0;  ///< the reason of its proposals
  virtual Proposal propose(const StepView&) = 0;
  virtual void save(Archive&) const {}
  virtual void load(Archive&) {}
};

struct ControllerEntry {
  std::string name, summary;
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
  Proposal propose(const StepView&) override { return {step, reason()}; }
};

/// What the local error of the integrator asks for. Added by itself to every integrator that estimates its error.
class ErrorStep final : public StepController {
 public:
  double h = 0;
  void visit(Visitor&) {}
  const char* reason() const override { return "error"; }
  Proposal propose(const StepView& view) override {
    if (view.last.next > 0) h = view.last.next;
    return {h > 0 ? h : kInfinity, reason()};
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
  Proposal propose(const StepView& view) override {
    for (std::size_t i = 0; i < view.pace.size(); ++i) {
      if (!(view.pace[i].speed > 0)) continue;
      const double r = view.speed[i] / view.pace[i].speed;
      if (r >= low && r < high) return {fine, reason()};
    }
    return {coarse, reason()};
  }
};

/// Time-constant switching: where the memory of a law has a time constant below `threshold`, a fine step (`fine`, or `fraction` of
/// the time constant), otherwise a coarse one ("Efficient Simulation of a Dynamic System with LuGre Friction", step rules).
class TimeConstantSwitch final : public StepController {
 public:
  double threshold = kInfinity, share = 0, fine = 0, coarse = kRequired;
  bool limited = true;
  void visit(Visitor& v) {
    v("threshold", threshold, unit::second, positive, "time constant below which steps are fine");
    v("fraction", share, unit::one, non_negative, "fine step as a share of the time constant");
    v("fine", fine, unit::second, non_negative, "fine step, when no fraction is given");
    v("coarse", coarse, unit::second, positive, "step otherwise");
    v.flag("limited", limited, "a fine step is never larger than the coarse one");
  }
  std::string problem() const {
    if ((share > 0) == (fine > 0)) return "give either fraction or fine";
    return {};
  }
  const char* reason() const override { return "time constant"; }
  Proposal propose(const StepView& view) override {
    double rate = 0;
    for (const Pace& p : view.pace) rate = p.rate > rate ? p.rate : rate;
    const double tau = rate > 0 ? 1 / rate : kInfinity;
    if (!(tau < threshold)) return {coarse, reason()};
    const double h = share > 0 ? share * tau : fine;
    return {limited && h > coarse ? coarse : h, reason()};
  }
};

}  // namespace bristle
