#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/record/run_reader.h"

namespace bristle {

/// A text as a cell of comma-separated values: in quotes where a comma, a quote or an end of line would be misread; with an apostrophe
/// in front where a spreadsheet would take it for a formula (=, +, -, @).
std::string csv_text(std::string_view text);

/// Comma-separated values, one row for each sample; header `time [s],pin.gap [m]`. Numbers read back to the same bits;
/// not-a-number is `nan`, infinity `inf`.
void write_csv(const RunFile& run, const std::string& path);

/// NumPy archive: `numpy.load(path)["pin.gap"]`; keys are `time` and the channel names, all float64. Poses of bodies are under
/// `frames/<body>`, seven numbers for each time (scene.h).
void write_npz(const RunFile& run, const std::string& path);

/// A table of numbers, row by row.
struct NamedMatrix {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<double> numbers;
};
/// NumPy archive of matrices, all of two dimensions.
void write_matrices_npz(const std::vector<NamedMatrix>& matrices, const std::string& path);

/// For ParaView: `path` is a collection (.pvd) of the times with one file of surfaces (.vtp) for each in the folder `<path>_vtk`
/// beside it. Bodies are drawn as their shapes, those without as lines from the centre of mass to their joints; the cell array
/// `body` tells them apart. At most max_frames of the samples, evenly spread. Returns how many. InputError without bodies in space.
int write_vtk(const RunFile& run, const std::string& path, int max_frames = 2000);

}  // namespace bristle
