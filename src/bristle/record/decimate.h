#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace bristle {

/// Indices, ascending, of at most about max_points of n samples: evenly spread ones, and in each of equal stretches the places of
/// the smallest and the largest value of every series. The first and last sample and the extremes of every series are always
/// among them. Values that are not numbers are passed over.
std::vector<std::size_t> thin(std::size_t n, std::span<const std::vector<double>* const> series, int max_points);

}  // namespace bristle
