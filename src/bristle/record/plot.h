#pragma once
#include <string>
#include <vector>

#include "bristle/record/run_reader.h"

namespace bristle {

struct PlotOptions {
  std::string x;       ///< channel on the horizontal axis; empty: time
  std::string title;   ///< empty: title of the run
  double width = 8;    ///< [inch]
  bool steps = false;  ///< length of every step in a panel of its own; only over time
};

/// Draws the channels of the run into a png, svg or pdf (by the ending of the path), one panel for each unit. The drawing is done
/// by Python's matplotlib; without it, an InputError says what to do.
void write_plot(const RunFile& run, const std::string& path, const PlotOptions& options = {});

}  // namespace bristle
