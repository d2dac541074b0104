// Tiles: pieces of an input that a block keeps in a shared array, and where it puts each element.
//
// The flow of values says which element of which input a place of shared memory holds; so copies through
// registers, asynchronous copies and conversions are all seen. Places that hold computed values belong to no
// tile.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "analysis/flow/flow.h"
#include "analysis/flow/sources.h"
#include "analysis/layouts/naming.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct SharedTile {
    std::uint32_t launch = 0, block = 0;
    std::uint32_t symbol = 0;         // into Launch::shared
    std::uint32_t source = 0;         // into the symbols of the trace
    std::uint32_t number = 0;         // 0: what the places hold first; 1: what they hold next …
    std::uint32_t element_bytes = 4;  // in shared memory
    // The part of the input: rows of `source_columns` elements; 0: the input is one row.
    std::uint64_t source_columns = 0, first_row = 0, first_column = 0;
    std::uint32_t rows = 0, columns = 0;
    std::vector<PlacedElement> elements;  // from the start of the shared array, in elements
    std::uint64_t copies = 0;             // further places of elements that stand at several places
    std::uint64_t first_turn = 0, last_turn = 0;
    LayoutName name;

    // First byte of an element in the block's shared memory, from that of the array.
    std::uint64_t byte_of(const PlacedElement& element) const {
        return static_cast<std::uint64_t>(element.offset) * element_bytes;
    }
};

struct TileLimits {
    std::size_t tiles = 64;              // of a block and launch, by number
    std::uint64_t elements = 2'000'000;  // of all of them
};

// By shared array, input and number. `ranges` is of the flow.
std::vector<SharedTile> tiles_of(const trace::Trace& trace, const Flow& flow, const InputRanges& ranges,
                                 std::uint32_t launch, std::uint32_t block, const TileLimits& limits = {},
                                 const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::analysis
