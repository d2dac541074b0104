// The arrays of the stage, and their cells, that a page shows for one block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/stage/stage_arrays.h"
#include "trace/steps.h"

namespace lanescope::page {

struct HeldCells {
    std::uint64_t first = 0, end = 0;
};

struct PageArrays {
    std::vector<scene::StageArray> arrays;
    std::vector<HeldCells> held;  // by array: the cells that the page holds
};

// Returns the arrays of all launches of the steps. For a large array, the page holds the cells that the steps
// touch, up to a limit. `given`: the shapes that the file states. `all_steps`: the block has no others, so
// that cells which no step touches are left out of arrays that are not buffers.
PageArrays page_arrays(const trace::Trace& trace, std::span<const trace::Step> steps,
                       std::span<const lesson::ShapeInstance> given, bool all_steps);

}  // namespace lanescope::page
