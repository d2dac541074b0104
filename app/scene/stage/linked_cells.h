// The cells that a cell's value was computed from, and those that were computed from it later.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/stage/cell_origins.h"

namespace lanescope::scene {

struct LinkedCells {
    std::vector<CellRef> sources;  // that its value was made from directly; ascending, as the others
    std::vector<CellRef> inputs;   // behind those, back to the buffers
    std::vector<CellRef> results;  // that were computed from it, up to the end of the run
    bool cut = false;              // there are more
    bool later = false;            // the cell holds nothing yet: these are those of its value at the end
};

// Follows the value that the cell holds after the turns before `turn`. Cells of shared memory are those of
// the block and the launch of `place`.
LinkedCells linked_cells(const OriginIndex& index, std::span<const StageArray> arrays,
                         const trace::Step& place, std::uint64_t turn, const CellRef& cell);

// "\nmade of 2 cells (solid frames) and 4 inputs (thin); 1 cell is made of it later (dashed)"; empty if there
// is nothing to say.
std::string linked_words(const LinkedCells& linked);

}  // namespace lanescope::scene
