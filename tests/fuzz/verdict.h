#pragma once
// What became of a model: run in a process of its own, so that crashes and endless loops are seen and belong to somebody.
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "bristle/base/node.h"

namespace bristle::fuzz {

enum class Fate {
  right,        // finished, and nothing speaks against it
  doubtful,     // finished, and the program itself says that it is not to be trusted
  refused,      // the model was not taken, with its place
  stopped,      // the run ended in a sentence that names an element and a way out
  slow,         // stopped by us, with nothing wrong so far, and at its pace at its end within the hour
  vague,        // the same, but the sentence names nothing, or no way out
  crashed,      // killed by a signal, or by an exception that nobody expects
  overran,      // used up its time
  not_finite,   // a number that is none, and no word of it
  open_ledger,  // energy that nobody explains, and no word of it
  creation,     // a passive law, or the method, gave energy, and no word of it
  torn,         // joints that are apart, and no word of it
  differs,      // two other methods agree on another motion
};
constexpr int kFates = 13;
const char* name_of(Fate);
bool is_failure(Fate);

struct Verdict {
  Fate fate = Fate::right;
  std::string detail;     ///< the sentence, or what was found
  double seconds = 0;     ///< of processor time
  bool compared = false;  ///< held against other methods
};

struct Limits {
  double seconds = 20;   ///< of processor time, for the model itself
  bool compare = false;  ///< hold the motion against other methods where it is regular
};

/// Runs the model here, in this process. Called in a child process, unless it is certain to come back.
Verdict run_here(const Node& model, const Limits& limits, const std::function<void(const Verdict&)>& tell);

/// Runs models in processes of their own, several at a time.
class Nursery {
 public:
  Nursery(Limits limits, int jobs);
  using Done = std::function<void(int number, const Verdict&)>;
  /// Models 0 to count - 1, made inside their processes.
  void run(int count, const std::function<Node(int)>& make, const Done& done);
  Verdict run_one(const Node& model);

 private:
  struct Child {
    pid_t pid = 0;
    int pipe = -1, number = 0;
    std::string said;
  };
  Child start(int number, const std::function<Node(int)>& make);
  Verdict finish(Child& child) const;

  Limits limits_;
  int jobs_;
};

}  // namespace bristle::fuzz
