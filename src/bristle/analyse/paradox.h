#pragma once
#include <memory>
#include <string>

#include "bristle/core/archive.h"
#include "bristle/enforce/multipliers.h"

namespace bristle {

/** Friction of ideal joints whose reactions make as much friction again, and more: Painlevé's paradox. With a load that is the size of a
reaction N = N0 + c mu |N|, two reactions balance where |c mu| > 1, or none; methods that find one of two find different ones, each with a
ledger that closes. Looked for now and then along a run, in places that slide. */
class Paradox {
 public:
  void look(const System&, const State&);
  /// A sentence, or "": none was found.
  std::string doubt(const Layout&) const;

  void save(Archive&) const;
  void load(Archive&);

 private:
  struct Found {
    double t = 0, gain = 0;
    int slot = -1;
  } found_;
  struct Turn {
    int count = 0, stride = 1;
  } turn_;
  std::unique_ptr<Multipliers> kernel_;  // of its own: looking leaves no trace in the run
  Workspace work_;
};

}  // namespace bristle
