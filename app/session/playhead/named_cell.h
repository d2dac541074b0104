// The cell of an array that a text names, for breakpoints on its writes: "s[3]", "tile[2][5]", "counter".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/replay.h"

namespace lanescope::session {

// Where the cell lies: once in global or constant memory, or in the shared memory of every launch that has an
// array of that name.
struct NamedCell {
    struct Part {
        trace::Space space{};
        std::uint32_t launch = trace::none;  // of shared memory; none: the whole run
        std::uint64_t offset = 0;            // bytes, in its instance
        std::uint32_t bytes = 0;
        TypeId element = 0;
    };
    std::vector<Part> parts;
    // The lanes whose access of a turn of this launch writes a part of the cell.
    trace::Mask writers(const trace::Access& access, std::uint32_t launch) const;
};

// Errors: no array of that name, the wrong number of indices, an index outside of it; they name the column.
Result<NamedCell> cell_named(const trace::Trace& trace, std::string_view text);

}  // namespace lanescope::session
