#pragma once

namespace bristle {

/// What the program ends with, and what a result counts as.
enum ExitCode : int {
  kOk = 0,
  kFault = 1,     ///< the machine failed us: disk full, out of memory
  kBadInput = 2,  ///< model file or command line
  kNoConvergence = 3,
  kCheckFailed = 4,  ///< a check the model asked for, or a published number
  kInterrupted = 5,  ///< `bristle resume` goes on
  kUntrusted = 6     ///< it has reached its end, but its own checks speak against the result
};

}  // namespace bristle
