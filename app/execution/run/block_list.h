// Which blocks of a grid are recorded, as a person writes them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::execution {

// "0,1,5-6" → {0, 1, 5, 6}, ascending. Errors: any other text, ranges that run backwards, more than 65,536
// blocks.
Result<std::vector<std::uint32_t>> parse_block_list(std::string_view text);

}  // namespace lanescope::execution
