#pragma once

namespace bristle {

/// Why a step was rejected or failed.
enum class Cause {
  none,
  error,               ///< the local error is above the tolerance
  newton,              ///< Newton's iteration did not converge
  singular_matrix,     ///< it has no direction
  impulses,            ///< those of rigid contacts were not found
  friction_unsettled,  ///< friction outside rigid contacts did not settle within the step
  gave_up,             ///< an outside solver did
  shrunk,              ///< its steps have shrunk to nothing
  undefined,           ///< a value became infinite or undefined
  balance,             ///< reactions and friction do not find each other
  joints,              ///< the joints cannot be kept together
  turn,                ///< a body turns ever faster
  singular_position,   ///< the step ends in one of the joints
  branch,              ///< in one the way to go on cannot be told
  memory,              ///< that of a friction law changes its course inside the step
  turned_slip,         ///< the slip of a place with memory turns back inside the step
  rest,                ///< a place at rest uses up its limit inside the step
  meeting,             ///< surfaces meet inside the step
  unstable,            ///< at its end something is too fast for an explicit method and a step so long
};
inline constexpr int kCauses = static_cast<int>(Cause::unstable) + 1;  ///< all of them
/// The cause in words, as it stands in messages: "Newton did not converge".
const char* text_of(Cause);
/// The cause as one word for programs: "newton".
const char* name_of(Cause);

/// How a step ended.
struct Outcome {
  enum class Verdict { ok, reject, fail };
  Verdict verdict = Verdict::ok;
  Cause cause = Cause::none;  ///< why it was rejected or failed
  double error = 0;           ///< scaled local error, 1 = at the tolerance; 0: not estimated
  double next = 0;            ///< [s] step the local error suggests next; 0: no opinion
  int newton = 0;             ///< iterations
  int sweeps = 0;             ///< over the contacts of a step, each solved by itself
  int evaluations = 0;
  int worst = -1;          ///< number of the first-order form with the largest residual
  bool evaluated = false;  ///< the workspace holds rate and power at the end of the step
};

}  // namespace bristle
