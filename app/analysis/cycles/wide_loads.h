// Loads of neighbouring shared memory that the assembler joins into one of 8 or 16 bytes.
#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

class Code;

struct WideLoad {
    std::vector<std::uint32_t> loads;  // the first in the text stands for all; 2 or 4 of 4 bytes each
};

// Looks at the function whose instructions are [first, end). `blocks`: where its basic blocks begin. An
// address counts as aligned if the instructions that compute it show it; arrays in shared memory begin at a
// multiple of 16.
std::vector<WideLoad> find_wide_loads(const Code& code, std::uint32_t first, std::uint32_t end,
                                      const std::vector<std::uint32_t>& blocks);

}  // namespace lanescope::analysis
