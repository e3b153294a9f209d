#pragma once
#include <string>

#include "bristle/record/run_reader.h"

namespace bristle {

/// Comma-separated values, one row for each sample; header `time [s],pin.gap [m]`. Numbers read back to the same bits;
/// not-a-number is `nan`, infinity `inf`.
void write_csv(const RunFile& run, const std::string& path);

/// NumPy archive: `numpy.load(path)["pin.gap"]`; keys are `time` and the channel names, all float64.
void write_npz(const RunFile& run, const std::string& path);

}  // namespace bristle
