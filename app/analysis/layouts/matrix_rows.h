// The rows of a matrix that a program keeps in an array of one dimension, found from the elements in use.
#pragma once

#include <cstdint>
#include <span>

namespace lanescope::analysis {

// `cells` ascending, each once. Returns the elements of one row: the distance at which runs of neighbours
// begin; 0: there is only one run, or they begin at distances that have no common measure.
std::uint64_t row_length(std::span<const std::uint64_t> cells);

}  // namespace lanescope::analysis
