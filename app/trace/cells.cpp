#include "trace/cells.h"

#include <algorithm>

namespace lanescope::trace {

CellShape cell_shape(const Trace& trace, const Symbol& symbol) {
    CellShape shape;
    std::uint64_t cells = 1;
    for (const std::uint64_t extent : symbol.extents)
        cells *= extent;
    std::uint64_t bytes = trace.program.types[symbol.element].size_bytes;
    if (bytes == 0 && !symbol.extents.empty() && cells != 0) bytes = symbol.size_bytes / cells;
    shape.cell_bytes = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bytes, 1, 4096));
    shape.count = symbol.size_bytes / shape.cell_bytes;
    if (symbol.extents.size() >= 2 && symbol.extents.back() > 1 && symbol.extents.back() <= shape.count)
        shape.columns = symbol.extents.back();
    return shape;
}

}  // namespace lanescope::trace
