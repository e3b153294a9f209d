#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/run.h"

namespace bristle {

/// Whether steps that no error leads are short enough for what happens in them: impacts on surfaces with stiffness, and the turning of
/// bodies. It changes nothing; it says what a reader of the result should know.
class Resolution {
 public:
  explicit Resolution(const Run&);

  void after_step();
  std::vector<std::string> notes() const;

  void save(Archive&) const;
  void load(Archive&);

 private:
  void look_at_touches();
  void look_at_turns();

  const Run& run_;
  Workspace work_;
  std::vector<Pace> pace_;
  std::vector<double> speed_;
  struct Touch {
    double t = 0, approach = 0;  // [s], [m/s]
    long long step = -1;         // number of the step it began in; -1: none is under way, or it began at the start
    long long parted = 0;        // number of the step in which the last one ended
    long long chatter = 0;       // touches of a step or two, one after the other
    double since = 0;            // [s] when they began
  };
  std::vector<Touch> touch_;  // per place
  struct Short {
    double t = 0, approach = 0, lasted = 0;  // [s], [m/s], [s]
    long long steps = 0;
    int place = -1;
  } short_;  // the fastest of the impacts that took few steps
  struct Chatter {
    double from = 0, to = 0;  // [s]
    long long touches = 0;
    int place = -1;
  } chatter_;           // the longest
  double fastest_ = 0;  // [m/s] of all impacts
  struct Turn {
    double angle = 0, t = 0, step = 0;  // [rad], [s], [s]
    int body = -1;
  } turn_;  // the largest in a step
};

}  // namespace bristle
