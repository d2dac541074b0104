// The textbook's figure of an algorithm, from the exact flow of a run: one row for each barrier phase, one
// column for each cell of an array, and an edge from every cell that a written cell was computed from.
//
// Within a phase, a row ends where a value of that phase is used or a cell is written again, so that
// warp-synchronous code and relaunched kernels give rows too. Buffers that take turns (two halves of an
// array, or two arrays that are computed from each other) share their columns. Where values move through
// shuffles, the lanes are the columns.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flow/provenance.h"
#include "execution/run/step_place.h"
#include "trace/trace.h"

namespace lanescope::scene {

// What the columns are.
struct FlowArray {
    std::string name;  // "s", "lanes of block 0"
    trace::Space space{};
    std::uint32_t launch = trace::none;  // of a shared array; none: the whole run
    std::uint32_t symbol = 0;            // into the launch's shared symbols or the trace's symbols
    bool lanes = false;                  // threads of the block instead of memory
    std::uint64_t cells = 0;
    std::uint32_t width = 0;  // columns of a matrix; 0: one row
    bool flat = false;        // the source declares the matrix with one dimension
    std::uint64_t inner = 0;  // writes that are computed from other cells of the array
    std::uint64_t writes = 0;
};

struct FlowCell {
    static constexpr std::uint64_t never = ~0ull;  // the turn of an input
    std::uint32_t column = 0;
    analysis::ValueId value = 0;  // the node of the write
    std::uint32_t thread = 0, block = 0;
    std::uint64_t turn = never;
    analysis::Operator op{};             // that made it; store: a copy
    std::uint32_t updates = 1;           // atomic ones, one after the other, that are one cell here
    std::vector<std::uint64_t> earlier;  // turns of all but the last of them
    bool loaded = false;                 // from outside of the array
    bool held = false;                   // was there before: an input, or what a lane brought along
    bool used = true;                    // something that is left at the end was made of it
    std::string text;                    // the value; empty: not known
    std::string range;                   // its inputs, short: "0–9"
    float origin_x = -1, origin_y = -1;  // where its inputs lie in their array, 0 … 1; negative: none
    std::uint32_t first_edge = 0, end_edge = 0;  // into FlowFigure::edges: what it was computed from
};

struct FlowEdge {
    std::uint32_t from_row = 0, from_column = 0;
    std::uint32_t to_row = 0, to_column = 0;
    bool copy = false;
};

struct FlowRow {
    std::string title;  // "stride 2", "line 31"
    std::uint32_t launch = 0, block = 0, phase = 0, part = 0;
    std::uint64_t first_turn = 0, end_turn = 0;  // of its writes
    std::uint32_t line = 0;                      // of most of its writes
    std::uint32_t threads = 0;                   // that write
    std::string facts;                           // "8 of 16 lanes on", "at first"
    unsigned conflict = 1;                       // the most words that one bank gives in one request
    std::string array;                           // of a row of another array, which lies above or below
    std::uint32_t width = 0;                     // columns of a matrix; 0: one row
    float shift = 0;                             // its columns lie so far to the right of the figure's
    std::uint32_t repeat = 0;                    // several blocks side by side: columns from one to the next
    std::vector<FlowCell> cells;                 // that are written; ascending column
};

struct FlowFigure {
    FlowArray array;
    std::uint32_t columns = 0;
    std::uint32_t threads = 0;  // of the block
    std::string variable;       // whose values the lanes' cells show
    std::vector<FlowRow> rows;
    std::uint32_t first_own = 0, end_own = 0;  // rows of the array itself
    float left = 0, right = 0;                 // the outermost columns of all rows
    std::vector<FlowEdge> edges;               // ascending row and column of their end
    std::uint64_t operations = 0;
    std::uint32_t depth = 0;
    std::optional<analysis::BufferWork::Sequential> sequential;
    std::string note;  // what is left out, in words

    // Each row is drawn as a matrix.
    bool matrices() const { return array.width > 1; }
    bool is_own(std::uint32_t row) const { return row >= first_own && row < end_own; }
    // Columns of the widest row.
    std::uint32_t widest() const;
    // The cell as it is seen in a row: written there or in a row above; null: not written yet.
    const FlowCell* seen(std::uint32_t row, std::uint32_t column) const;
    const FlowCell* written(std::uint32_t row, std::uint32_t column) const;
    // The last row of this block's own writes that has begun before this turn.
    std::optional<std::uint32_t> row_before(std::uint64_t turn) const;
    std::string name(std::uint32_t row, std::uint32_t column) const;  // "s[3]", "s[3] of block 1"
    FlowCell* written(std::uint32_t row, std::uint32_t column);
};

struct FlowWanted {
    std::uint32_t launch = 0, block = 0;      // where the session is
    std::string array;                        // name; empty: the one with the most to see
    bool others = true;                       // also rows of the arrays that it is loaded from, and goes to
    std::vector<execution::PhaseLine> named;  // what the barrier phases do, as the timeline says it
};

// The arrays of the launch that can be columns, the one with the most to see first.
std::vector<FlowArray> flow_arrays(const trace::Trace& trace, const analysis::Flow& flow,
                                   const FlowWanted& wanted);

// `wanted.array` must be one of flow_arrays(), or empty. A figure without rows says why in its note.
std::shared_ptr<const FlowFigure> make_flow_figure(std::shared_ptr<const trace::Trace> trace,
                                                   const analysis::Flow& flow, const FlowWanted& wanted,
                                                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::scene
