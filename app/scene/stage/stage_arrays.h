// Which arrays the stage shows for a block of a launch, in which order, and which cells an access touches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/flow/flow.h"
#include "trace/replay.h"
#include "trace/trace.h"

namespace lanescope::scene {

// What a block does with an array during a launch.
struct ArrayUse {
    bool loaded = false, stored = false, updated = false;  // updated: atomics
    bool inner_links = false;                              // some turn reads and writes different cells of it
    std::uint64_t first = ~0ull;  // cells that are touched; first > last when there is none
    std::uint64_t last = 0;
    bool touched() const { return first <= last; }
    void touch(std::uint64_t from, std::uint64_t to);
};

struct StageArray {
    const trace::Symbol* symbol = nullptr;  // lives as long as the trace
    std::uint32_t launch = trace::none;     // of a shared array; none: it exists in all launches
    std::uint32_t cell_bytes = 1;
    std::uint64_t count = 0;    // cells
    std::uint64_t columns = 0;  // of a matrix; 0: one-dimensional
    ArrayUse use;
    bool is_matrix() const { return columns != 0; }
    bool exists_in(std::uint32_t of) const {
        return of == trace::none || launch == trace::none || launch == of;
    }
    std::string detail() const;  // "shared · 256 B"
};

// Returns global and constant symbols and the shared arrays of the launch: what the block only reads, then
// shared memory, then what it writes. Symbols that are not buffers and that the block never touches are left
// out.
std::vector<StageArray> stage_arrays(const trace::Trace& trace, std::uint32_t launch,
                                     std::span<const std::uint64_t> turns);

// The parts of stage_arrays(), for several launches: declare all arrays, note what each turn does with them,
// then choose and sort them.
std::vector<StageArray> declared_arrays(const trace::Trace& trace, std::span<const std::uint32_t> launches);
void note_use(const trace::TurnDetail& detail, std::uint32_t launch, std::vector<StageArray>& arrays);
void choose_arrays(std::vector<StageArray>& arrays);
// Sets ArrayUse::inner_links as the flow of values has them, of shared arrays in this block.
void note_value_links(const trace::Trace& trace, const analysis::Flow& flow, std::uint32_t block,
                      std::vector<StageArray>& arrays);

struct CellSpan {
    std::uint32_t array = 0;  // into the arrays
    std::uint64_t first = 0;  // cells
    std::uint32_t count = 0;  // 0: the address belongs to none of the arrays
};
// `launch`: needed if the arrays belong to several launches.
CellSpan cells_at(std::span<const StageArray> arrays, trace::Space space, std::uint64_t offset,
                  unsigned width_bytes, std::uint32_t launch = trace::none);

std::string size_text(std::uint64_t bytes);  // "256 B", "4 KB", "1.5 MB"

}  // namespace lanescope::scene
