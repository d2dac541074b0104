// Divides an array in memory into the cells that views show.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace lanescope::trace {

struct CellShape {
    std::uint32_t cell_bytes = 1;  // 1 to 4096
    std::uint64_t count = 0;
    std::uint64_t columns = 0;  // of a matrix; 0: one row
};

// Returns the shape of the symbol's cells. The cell size of a type without a known size (an undescribed
// structure) follows from the symbol's size and extents.
CellShape cell_shape(const Trace& trace, const Symbol& symbol);

}  // namespace lanescope::trace
