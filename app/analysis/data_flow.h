// Finds instructions that compute data: values that can reach memory, as opposed to addresses, indices and
// conditions.
//
// The analysis goes backwards from the values that stores, atomics and unknown callees receive: to the
// instructions that compute them, to their operands, arguments and results of calls included, across all
// functions. Addresses, predicates and the comparisons behind them are not followed. It ignores the order of
// instructions (a PTX register holds one value, or the values of one variable), and does not distinguish
// calls of one function.
//
// Inaccuracies: what a kernel stores into its own local memory counts as reaching memory; a value that is
// index and data at once counts as data.
#pragma once

#include <vector>

#include "analysis/code.h"

namespace lanescope::analysis {

// One flag per instruction of the program.
std::vector<bool> data_instructions(const Code& code, std::uint32_t instructions);

}  // namespace lanescope::analysis
