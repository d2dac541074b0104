// What a step adds to the bars of an array.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "scene/stage/stage_arrays.h"

namespace lanescope::scene {

// The values that a cell held before the lanes of one instruction wrote it, in any order.
using ValuesBefore = std::map<std::uint64_t, std::vector<double>>;

// By cell of the array: before the first instruction of the step that writes it.
ValuesBefore values_before(std::span<const trace::TurnDetail> details, std::span<const StageArray> arrays,
                           std::uint32_t array, const TypeTable& types);

// Returns the one that was there first: the farthest from the value that remains.
double first_value(const std::vector<double>& before, double after);

std::string gain_text(double before, double after);  // "+3"; empty if nothing changed

}  // namespace lanescope::scene
