#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/run.h"

namespace bristle {

/** Places that stick on bristles and ring on them, for as long as error control lets them: an oscillation that nothing damps is not followed below
some thousand times the absolute tolerance, where the method keeps it alive, and with every swing such a place creeps a little. It changes
nothing; it says what a reader of the result should know. Looked at now and then, at times that grow by a half: what friction itself damps has
lost a third from one look to the next. */
class Ringing {
 public:
  explicit Ringing(const Run&);

  void after_step();
  std::vector<std::string> notes() const;

  void save(Archive&) const;
  void load(Archive&);

 private:
  void begin_look();
  void end_look();

  const Run& run_;
  Workspace work_;
  std::vector<Pace> pace_;
  std::vector<double> speed_;
  struct Watch {
    double peak = 0, before = 0;         // [m/s] of the slip, in this look and in the last one
    double last = 0, last_but_one = 0;   // [m/s] slips of the last steps
    int swings = 0;                      // halves of them, in this look
    bool sticks = false, stuck = false;  // throughout this look, and from the last one until now
  };
  std::vector<Watch> watch_;  // per place
  long long next_ = 1000;     // number of the step at which the next look begins
  struct Kept {
    double speed = 0, t = 0;
    int place = -1;
  } kept_;  // the fastest that was kept alive
};

}  // namespace bristle
