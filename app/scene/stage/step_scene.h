// What one step does to the arrays of the stage: which lane touches which cell, and between which cells
// values move.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/async_copies.h"
#include "analysis/flow/flow.h"
#include "analysis/turn_flow.h"
#include "scene/stage/stage_arrays.h"

namespace lanescope::scene {

struct CellRef {
    std::uint32_t array = 0;
    std::uint64_t index = 0;
    auto operator<=>(const CellRef&) const = default;
};

// One lane touches one cell. `thread` is linear in the block: warp × 32 + lane.
struct CellAccess {
    CellRef cell;
    std::uint32_t thread = 0;
    trace::AccessKind kind{};
};

// Everything that happens to one cell in the step.
struct CellMark {
    CellRef cell;
    std::uint32_t first_access = 0, end_access = 0;  // into StepScene::accesses
    std::uint32_t reads = 0, writes = 0, atomics = 0;
    std::uint32_t last_writer = trace::none;  // thread
    bool conflict = false;                    // takes part in a shared-memory bank conflict
    bool race = false;                        // a problem of this step names it
    bool written() const { return writes + atomics != 0; }
};

// What a cell is computed from, exactly: the value may have been read in an earlier step, by another lane. A
// cell that takes no data, such as a counter, is linked to the cell that its place was chosen by, perhaps in
// an earlier step.
struct Link {
    CellRef from, to;
    std::uint32_t thread = 0;
    bool conflict = false;
    auto operator<=>(const Link&) const = default;
};

// An access of a thread to memory that no array has; it is not in the trace.
struct OutsideAccess {
    std::uint32_t array = trace::none;  // that it was meant for; none: not known
    std::int64_t index = 0;             // its cell, before the first or behind the last one, or freed
    std::uint32_t thread = 0;
    std::string text;  // "t8 reads a[40], just past the end"
};

// What the step does in the shared memory of another block of the cluster.
struct RemoteUse {
    trace::AccessKind kind{};
    std::string text;  // "hist[0 … 31] of block 1 · 32 threads"
};
struct RemoteMark {
    std::uint32_t block = 0;
    CellMark mark;  // without accesses
};

struct StepScene {
    std::vector<CellAccess> accesses;  // ascending cell, then in the order in which they happened
    std::vector<CellMark> marks;       // ascending cell
    std::vector<Link> links;           // ascending, each once
    bool links_left_out = false;       // too many: none are made
    std::vector<RemoteUse> remote;     // ascending block
    std::vector<RemoteMark> remote_marks;
    std::vector<CellRef>
        pending;  // ascending: an asynchronous copy into the cell is under way after the step
    std::vector<OutsideAccess> outside;
    bool any_conflict = false, any_race = false;

    const CellMark* mark(const CellRef& cell) const;
    const CellMark* remote_mark(std::uint32_t block, const CellRef& cell) const;
    std::span<const CellAccess> accesses_of(const CellMark& mark) const;
    bool is_pending(const CellRef& cell) const;
};

// Broadcasts (one cell read by many lanes) give a mark with a count instead of links. `turns` belongs to the
// trace's program and is the same object for all steps of a run. `values`: the flow of the trace; null while
// it is not known: then links join the loads and stores of one turn. `copies`: the
// block's asynchronous copies, by issue; a link shows where each that the step issues goes.
StepScene make_scene(const trace::Trace& trace, std::span<const StageArray> arrays,
                     std::span<const trace::TurnDetail> details, analysis::TurnFlow& turns,
                     const analysis::Flow* values = nullptr,
                     std::span<const analysis::AsyncCopy> copies = {});

}  // namespace lanescope::scene
