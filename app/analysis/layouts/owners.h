// Which thread wrote each element of an array last.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "analysis/layouts/naming.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct ArrayOwners {
    static constexpr std::uint64_t no_thread = ~0ull;

    std::uint32_t launch = 0;
    trace::Space space{};
    std::uint32_t symbol = 0;           // into the symbols of the trace, or Launch::shared
    std::uint32_t block = 0;            // of shared memory: the block; else the one whose part is described
    std::uint64_t columns = 0;          // elements of a row; 0: one row
    std::vector<std::uint64_t> owners;  // by element: block × threads per block + thread; shared: the thread

    // The block's part: a rectangle that holds its elements.
    std::uint64_t first_row = 0, first_column = 0;
    std::uint32_t rows = 0, part_columns = 0;
    std::uint32_t threads = 0;                        // that own elements
    std::uint32_t per_thread = 0;                     // elements of each; 0: not all own equally many
    std::uint32_t patch_rows = 0, patch_columns = 0;  // a thread's elements, if they are such a rectangle
    // From (thread, its n-th element) to row × columns of the part + column. Not exact: no name.
    LayoutName name;
};

// All arrays of the launch that were written: those in global memory, then those in the shared memory of
// the block. Arrays of more than 4 million elements, and stores to them, are left out.
std::vector<ArrayOwners> owners_of(const trace::Trace& trace, std::uint32_t launch, std::uint32_t block,
                                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::analysis
