// Which instructions compute data: values that can reach memory, as opposed to addresses, indices and
// conditions.
//
// The analysis goes backwards from what stores, atomics and unknown callees are given: the instructions that
// compute it, what these read, arguments and results of calls included, across all functions. Addresses,
// predicates and the comparisons behind them are not followed. It looks at no order (a PTX register holds one
// thing, or the values of a variable that meet), and calls of one function are not told apart.
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
