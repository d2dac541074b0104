// The cells of an array in memory, as views count them.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace lanescope::trace {

struct CellShape {
    std::uint32_t cell_bytes = 1;  // 1 to 4096
    std::uint64_t count = 0;
    std::uint64_t columns = 0;  // of a matrix; 0: one row
};

// A type without a size of its own (a structure that nobody described) takes what the extents leave it.
CellShape cell_shape(const Trace& trace, const Symbol& symbol);

}  // namespace lanescope::trace
