// The arrays of the stage that a page shows for one block, and which of their cells.
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
    std::vector<HeldCells> held;  // by array: the cells that the page has in it
};

// Those of all launches of the steps. Of a large array the page holds what the steps touch, up to a limit.
PageArrays page_arrays(const trace::Trace& trace, std::span<const trace::Step> steps);

}  // namespace lanescope::page
