// What a block reads and writes, as areas of the arrays of the stage: its outputs, the tile with its halo,
// ghost cells, and the cells that one thread's output is made of.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scene/stage/cell_origins.h"

namespace lanescope::scene {

// Cells [first_row, end_row) × [first_column, end_column); may reach outside of the array. An array without
// columns has one row.
struct CellArea {
    std::int64_t first_row = 0, end_row = 0, first_column = 0, end_column = 0;
    bool empty() const { return first_row >= end_row || first_column >= end_column; }
    std::uint64_t rows() const { return static_cast<std::uint64_t>(end_row - first_row); }
    std::uint64_t columns() const { return static_cast<std::uint64_t>(end_column - first_column); }
    std::uint64_t count() const { return empty() ? 0 : rows() * columns(); }
    void include(std::int64_t row, std::int64_t column);
    CellArea cut_to(const CellArea& other) const;
    bool operator==(const CellArea&) const = default;
};
CellArea area_of(const StageArray& array);  // all of it

struct ArrayFootprint {
    CellArea outputs;  // of the block, in the coordinates of its result; empty: none
    CellArea reads;    // what the block loads from global memory; reaches outside where it was guarded
    std::uint64_t ghosts = 0;  // cells of `reads` outside of the array
    std::uint64_t loads = 0;   // by all lanes of the block
};

struct BlockFootprint {
    std::vector<ArrayFootprint> arrays;  // as those of the stage
    std::uint64_t outputs = 0;           // cells of global memory that the block writes
    std::string words;  // "block (0, 0): 12 × 12 outputs (blue), …"; empty: nothing to say
    bool shows(std::uint32_t array) const;  // there is something to draw on it
};

// Finds the areas of a block in a launch, from its accesses and from the flow of its values. `turns`: of the
// block.
BlockFootprint block_footprint(const OriginIndex& index, std::span<const StageArray> arrays,
                               const trace::Step& place);

// What a thread writes in the launch: in global memory, or in shared memory if it writes nothing else. In the
// order of time.
std::vector<const analysis::FlowWrite*> outputs_of_thread(const OriginIndex& index, const trace::Step& place,
                                                          std::uint32_t thread);
// The cells from which a thread's output was made: of the output that it writes next, or wrote last. Cells of
// shared memory are those that the output was computed from directly. Ascending.
std::vector<CellRef> thread_footprint(const OriginIndex& index, std::span<const StageArray> arrays,
                                      const trace::Step& place,
                                      std::span<const analysis::FlowWrite* const> outputs);

}  // namespace lanescope::scene
