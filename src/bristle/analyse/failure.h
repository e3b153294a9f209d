#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/run_context.h"
#include "bristle/analyse/step_choice.h"

namespace bristle {

/// What is wrong where a run cannot go on, in the user's words.
class Failure {
 public:
  Failure(RunContext&, const StepChoice&);

  /// At the start of a run, or where it was resumed.
  void begin();
  const std::string& message() const { return message_; }  ///< empty: it can go on
  bool has_spoken() const { return !message_.empty(); }
  /// A sentence about the present state.
  void say(const std::string& what);
  /// A sentence about all of the run; "" is none.
  void refuse(const std::string& why) { message_ = why; }
  /// The last attempt at a step of length h; `what`: instead of the cause of the outcome.
  void tell(const Outcome&, double h, const std::string& what = "");
  /// Steps have become too short to see the end. True: it has told so.
  bool stalls(double end);
  /// A method that keeps the joints itself has come to where no accelerations and reactions exist. True: it has told so.
  bool jammed();
  /// Rate and power at the present state are finite. False: it has told why not.
  bool has_values();
  /// Where the model starts, held rows depend on each other in that position alone.
  bool starts_singular() const;

 private:
  bool jams(double least);  // friction feeds itself, with a gain of this at least; true: it has told so
  void tell_jam(const Jam&);
  bool near_singular();
  double step_in_use() const;
  bool outran_memory();
  bool ran_away();
  bool flew_away(const std::string& what);
  std::string undefined_name(State x, double h);

  RunContext& run_;
  const StepChoice& choice_;
  std::string message_;
  std::vector<Pace> pace_;
  std::vector<double> speed_, outputs_;
  State looked_at_;
  struct Pause {
    long long attempts = 0, rejected = 0, by_newton = 0;
    double t = 0;
    int looks = 0;  // for a singular position, since then
  } pause_;         // where progress was looked at last
};

}  // namespace bristle
