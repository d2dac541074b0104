// Which arrays the stage shows for a block of a launch, in which order, and which cells an access touches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/flow/flow.h"
#include "lesson/instance.h"
#include "trace/replay.h"
#include "trace/trace.h"

namespace lanescope::scene {

// What a block does with an array during a launch.
struct ArrayUse {
    bool loaded = false, stored = false, updated = false;  // updated: atomics
    std::uint64_t stores = 0, updates = 0;                 // of single lanes
    bool inner_links = false;                              // some turn reads and writes different cells of it
    std::uint64_t first = ~0ull;  // cells that are touched; first > last when there is none
    std::uint64_t last = 0;
    std::uint64_t reach = 0;  // cells from the first to the last one of a request, at most
    bool touched() const { return first <= last; }
    void touch(std::uint64_t from, std::uint64_t to);
};

// How an array is drawn.
enum class ArrayView : std::uint8_t {
    cells,   // in rows of lanes
    matrix,  // rows and columns, with values where they fit
    image,   // the same, with colours only
    bars,    // a bar for each cell
    text,    // letters in rows of lanes
};

struct StageArray {
    const trace::Symbol* symbol = nullptr;  // lives as long as the trace
    std::uint32_t launch = trace::none;     // of a shared array; none: it exists in all launches
    std::uint32_t cell_bytes = 1;
    std::uint64_t count = 0;    // cells that are shown
    std::uint64_t whole = 0;    // cells that it has; those after the shown ones are never used
    std::uint64_t columns = 0;  // of a matrix; 0: one-dimensional
    ArrayView view = ArrayView::cells;
    std::uint64_t lead = 0;  // places left free before its first cell, so that cells stand under others
    bool aligned = false;    // its cells are as wide as those of the arrays that they stand under
    std::vector<std::string> axes;    // names of rows and columns, or empty
    std::vector<std::string> labels;  // of its cells; may be fewer
    ArrayUse use;
    // Of bars in shared memory: the blocks whose copies of it stand side by side, with the shown block's;
    // none if it stands alone.
    std::vector<std::uint32_t> copies;
    std::uint32_t own_copy = 0;  // into copies
    bool is_matrix() const { return columns != 0; }
    // Whether it stands beside others; else its columns are lanes.
    bool flows() const { return view != ArrayView::cells && view != ArrayView::text; }
    bool exists_in(std::uint32_t of) const {
        return of == trace::none || launch == trace::none || launch == of;
    }
    std::string detail() const;      // "shared · 256 B"
    std::string shape_text() const;  // "5 × 5", "7 cells"
    std::string used_text() const;   // "25 of 81 cells"; empty if all are shown
};

// Returns global and constant symbols and the shared arrays of the launch: what the block only reads, then
// shared memory, then what it writes. Symbols that are not buffers and that the block never touches are left
// out. `given`: the shapes that the file states; the others are proposed from how the block uses the arrays.
std::vector<StageArray> stage_arrays(const trace::Trace& trace, std::uint32_t launch,
                                     std::span<const std::uint64_t> turns,
                                     std::span<const lesson::ShapeInstance> given = {});

// Puts the copies that other blocks have of bars in shared memory beside those of `block`: as many as can be
// compared, `block` and its neighbours. A trace that holds only some blocks has none of the others.
void note_copies(const trace::Launch& launch, std::uint32_t block, std::vector<StageArray>& arrays);

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

// The cells of one lane's access; none if it reaches the shared memory of another block.
CellSpan cells_at(std::span<const StageArray> arrays, const trace::Access& access, unsigned lane,
                  std::uint32_t launch = trace::none);

std::string size_text(std::uint64_t bytes);  // "256 B", "4 KB", "1.5 MB"

}  // namespace lanescope::scene
