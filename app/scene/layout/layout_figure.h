// Which place, bank, lane or thread belongs to which element, as grids side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "analysis/layouts/layouts.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::scene {

// Automatic: what the step shows best.
enum class LayoutPart : std::uint8_t { automatic, tile, banks, fragments, owners };

struct LayoutCell {
    std::uint32_t row = 0, column = 0;
    std::string text, brief;   // "T5 r2", and where that has no room "5"
    std::string more;          // below it, where there is room and `text` does not say it
    std::string story;         // of a tooltip
    std::uint16_t colour = 0;  // below LayoutGrid::colours
    bool used = false;         // by the step
    bool conflict = false;     // waits for another word of its bank
};

// Neighbouring cells with one text.
struct LayoutPatch {
    std::uint32_t row = 0, column = 0, rows = 1, columns = 1;
    std::string text;
    std::uint16_t colour = 0;
};

struct LayoutGrid {
    std::string title, facts;
    // Where it stands among the others.
    std::uint32_t place_row = 0, place_column = 0;
    std::uint32_t rows = 0, columns = 0;
    std::uint64_t first_row = 0, first_column = 0;  // the numbers of its first row and column
    std::vector<std::string> row_names;             // in place of numbers; empty: numbers
    std::uint16_t colours = 32;
    std::vector<LayoutCell> cells;     // by row and column
    std::vector<LayoutPatch> patches;  // of more than one cell, for cells that are too small for their texts

    const LayoutCell* at(std::uint32_t row, std::uint32_t column) const;
};

struct LayoutFigure {
    LayoutPart part = LayoutPart::automatic;
    std::vector<LayoutGrid> grids;
    bool aligned = false;             // grids of one place_row begin at one height
    std::string sentence;             // what it shows
    std::string key;                  // what a cell's text and colour mean
    std::string note;                 // why there is nothing, or what was left out
    std::vector<std::string> arrays;  // of the launch, for the choice
};

struct LayoutWanted {
    LayoutPart part = LayoutPart::automatic;
    std::string array;       // empty: the one that the step uses, else the first
    std::uint32_t warp = 0;  // whose request is shown, if it has one
};

// `details` are those of the step, with its accesses; `pcs` the instructions of its turns.
struct LayoutStep {
    const trace::Trace& trace;
    const analysis::Code& code;
    const trace::Step& step;
    const std::vector<trace::TurnDetail>& details;
};

LayoutFigure make_layout_figure(const LayoutStep& at, const analysis::BlockLayouts& layouts,
                                const LayoutWanted& wanted);

}  // namespace lanescope::scene
