#pragma once
#include <string>
#include <vector>

#include "bristle/core/facets.h"

namespace bristle {

/// What methods and results read of the elements of a system, at an evaluation with poses and measures (System::look).
class Readings {
 public:
  void add(const ReadingFacet&);
  int watch_count() const { return watch_count_; }  ///< numbers of calc_watched
  int pace_count() const { return pace_count_; }
  void calc_watched(const Eval&, double* watched) const;  ///< before a step, see ReadingFacet
  Overrun calc_overrun(const Eval& end, double h, const double* watched, const double* z_start) const;  ///< after it
  void calc_paces(const Eval&, Pace* pace, double* speed) const;
  void calc_modes(const Eval&, Mode* mode) const;     ///< of every friction place; pace_count() of them
  double calc_excess(const double* z) const;          ///< of any memory, over what its law lets it reach
  int loaded_count() const { return loaded_count_; }  ///< places whose memory stores energy in proportion to a load that varies
  void loaded_accounts(int* friction, int* load) const;
  void calc_loaded(const Eval&, LoadedMemory* at) const;
  void calc_outputs(const Eval&, double* out) const;
  std::string trouble(
      const Eval&) const;  ///< a sentence about a pose that no element can answer for, or ""; poses are all it takes
  bool may_be_troubled() const { return !troubled_.empty(); }

 private:
  std::vector<const ReadingFacet*> blocks_, watched_, troubled_, loaded_;
  int pace_count_ = 0, watch_count_ = 0, loaded_count_ = 0;
};

}  // namespace bristle
