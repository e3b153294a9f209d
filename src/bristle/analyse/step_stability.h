#pragma once
#include <memory>
#include <vector>

#include "bristle/analyse/fastest_rate.h"
#include "bristle/integrate/controller.h"

namespace bristle {

/// Explicit methods stand steps of a few times the shortest time in which anything moves, wherever the step ends. How fast that is where step rules look: the memory of
/// laws by what they say themselves; the stiffness of contacts and bristles, with all that they press on, by the motion of the whole.
class StepStability {
 public:
  /// Of rk4: step times rate, on the negative axis; 2.83 on the imaginary one.
  static constexpr double kStands = 2.785;

  StepStability(RunContext&, bool forces);
  void begin();
  /// [1/s] where the next step starts.
  double fastest_at_start(const std::vector<Pace>&);
  /// [1/s] where the step that is judged ends.
  double fastest_at_end();
  const std::vector<Pace>& end() const { return pace_; }  ///< of it

  void save(Archive& a) const { probe_.save(a), a.put(touched_), a.put(since_), a.put(known_); }
  void load(Archive& a) { probe_.load(a), a.get(touched_), a.get(since_), a.get(known_); }

 private:
  RunContext& run_;
  const bool forces_;  // whether rules mind them
  std::unique_ptr<Workspace> work_;
  FastestRate probe_;
  std::vector<Pace> pace_;
  std::vector<double> speed_;
  int touched_ = 0;   // places that touched where the step starts
  int since_ = 0;     // steps since forces were looked at
  double known_ = 0;  // [1/s] by them
};

}  // namespace bristle
