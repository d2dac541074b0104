// The arrays that a page shows for one block, and which of their cells.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/replay.h"
#include "trace/steps.h"
#include "trace/trace.h"

namespace lanescope::page {

struct PageArray {
    const trace::Symbol* symbol = nullptr;  // lives as long as the trace
    std::uint32_t launch = trace::none;     // of a shared array; none: it is there in all launches
    std::uint32_t cell_bytes = 1;
    std::uint64_t count = 0;                               // cells
    std::uint64_t columns = 0;                             // of a matrix; 0: one-dimensional
    std::uint64_t first = 0, end = 0;                      // cells that the page holds
    std::uint64_t touched_first = ~0ull, touched_end = 0;  // by the block, in the steps of the page
    bool loaded = false, stored = false;

    bool touched() const { return touched_first < touched_end; }
    bool exists_in(std::uint32_t of_launch) const { return launch == trace::none || launch == of_launch; }
};

// A run of cells that one lane touches; `count` is 0 when no array of the page has the address.
struct Cells {
    std::uint32_t array = 0;
    std::uint64_t first = 0;
    std::uint32_t count = 0;
};

// Buffers, shared arrays and what else the steps touch: first what is only read, then shared memory, then
// what is written. Of a large array the page holds what the steps touch, up to a limit.
std::vector<PageArray> page_arrays(const trace::Trace& trace, std::span<const trace::Step> steps);

Cells cells_at(std::span<const PageArray> arrays, std::uint32_t launch, trace::Space space,
               std::uint64_t offset, unsigned width_bytes);

}  // namespace lanescope::page
