#pragma once
#include <vector>

#include "bristle/analyse/decision_numbers.h"
#include "bristle/analyse/run_context.h"
#include "bristle/analyse/step_choice.h"

namespace bristle {

/// Where an expression of the motion goes another way (a comparison, a sign, the choice of a minimum, a whole number changes) it may jump or have a corner.
/// Steps of methods with error control end there: an estimate of the error knows what the stages of a step have met, and nothing of what
/// lies between.
class Crossings {
 public:
  Crossings(RunContext&, StepChoice&);

  bool watches() const { return watches_; }
  void begin();
  /// Makes the step that the method has taken anew up to just before the first crossing in it. False: there is none.
  bool locate(Outcome& advice);
  /// Did the step that ends at t come to a crossing?
  bool waits_at(double t) const { return waits_ && t == at_; }
  /// Moves the state at the end of such a step on by a few roundings, to behind it; not beyond `end`.
  void pass(State& x, double end);
  /// Why no motion goes on from the present state: an expression whose jump drives back to it from both sides. "" where the last step says nothing of the
  /// kind. `failed`: there was none, and any expression may be why.
  std::string chatter(bool failed);
  /// The same of steps that do not end at crossings, which go on: every now and then.
  void look_at_fixed_step();
  const std::string& note() const { return note_; }  ///< what that has found; "" for nothing

  void save(Archive&) const;
  void load(Archive&);

 private:
  double nothing(std::size_t decision) const;
  bool turns(std::size_t decision, double to) const;
  double level_of(std::size_t decision) const;
  bool goes_elsewhere(const std::vector<double>& to) const;
  double first_zero(double lo, double hi) const;
  bool redo(StepContext&, double h, Outcome&);
  double look_inside(double h);
  void search(StepContext&, bool known, Outcome&);
  bool stop_before(Outcome&);
  void note_progress(double usual);
  double number_after(std::size_t decision, const State& from, const std::vector<double>& rate, double dt);
  struct Slope;
  Slope slope_of(std::size_t decision, const State& from, const std::vector<double>& rate);
  bool drives_back(std::size_t decision, const std::vector<double>& rate, const std::vector<double>* behind);
  bool is_near(std::size_t decision);
  void measure_present();
  std::string text_of(std::size_t decision, const char* why);

  RunContext& run_;
  StepChoice& choice_;
  bool watches_ = false;
  Workspace look_;
  State inside_, beyond_;
  DecisionNumbers decisions_;
  std::vector<double> most_;  // the largest numbers so far
  // numbers at both ends of the step, at a state, at both ends of a bracket
  std::vector<double> before_, end_, here_, low_, high_;
  std::vector<double> rate_start_, rate_end_;
  bool waits_ = false, high_known_ = false;
  double lo_ = 0, hi_ = 0, tried_ = 0;  // [s] the bracket, from the start of the step; the step that found it
  double at_ = 0;                       // [s] the end of a step before a crossing
  double last_ = 0;                     // [s] of the last crossing
  int in_vain_ = 0;                     // crossings with next to no time between them
  int pause_ = 0, longest_pause_ = 1;   // steps in which nobody looks, as a force that drives back to where it jumps
  double longest_ = 0;                  // [s] of all steps
  int passed_ = -1;                     // the decision that has changed sides in the last step; -1: none
  int lingers_ = 0;                     // steps in a row that change no side
  int steps_ = 0, hits_ = 0;            // fixed steps; of those looked at, which chatter
  std::string note_;
};

}  // namespace bristle
