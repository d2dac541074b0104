// Where the cells of the stage are: columns, rows, folded rows, heights. Pure geometry in content
// coordinates: y from the top of the content, x in window coordinates of the shared lane grid.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scene/stage/lane_grid.h"
#include "scene/stage/step_scene.h"

namespace lanescope::scene {

// A size of the monospaced font that cells may use.
struct TextSize {
    float advance_px = 0;  // of one character
    float height_px = 0;   // of its line
};

struct TextFit {
    int size = -1;  // into the sizes; -1: no text fits
    int max_chars = 0;
};
// Returns the first of the sizes (largest first) in which `widest_chars` fit the cell, else the last that
// fits at all.
TextFit fit_text(float cell_width_px, float cell_height_px, int widest_chars,
                 std::span<const TextSize> sizes);

// Returns how many lanes one cell spans so that `widest_chars` fit: 1, 2, 4 or 8.
unsigned cell_span(float lane_pitch_px, float cell_height_px, int widest_chars,
                   std::span<const TextSize> sizes);

enum class Form : std::uint8_t {
    cells,  // boxes with values
    heat,   // small squares whose colour is the value
    bars,   // one bar per cell, whose height is the value
    line,   // no cell: one line of text, for an array that the block does not touch
};

// Cells outside of a matrix for which there is room at its sides.
struct CellBorder {
    std::uint32_t left = 0, top = 0, right = 0, bottom = 0;
};

// What the layout knows about an array beside its shape.
struct ArrayHint {
    int widest_chars = 1;             // of its values, the widest so far
    std::uint64_t window_index = 0;   // a cell of the first row that the person or the action scrolled to
    std::uint64_t window_column = 0;  // the same for matrices that are wider than the panel
    int lines = 1;                    // of text in one cell: the members of a structure
    CellBorder border = {};
    bool banks = false;  // its columns are the banks of shared memory, even where its values do not fit
};

struct ArrayPlan {
    std::uint32_t array = 0;
    Form form = Form::cells;
    bool flows = false;          // it stands beside others, below its name; else it fills a row of the stage
    std::uint64_t columns = 32;  // cells in one row of the array
    std::uint64_t rows = 0;      // of the whole array
    std::uint64_t lead = 0;      // empty places before the first cell of the first row
    std::uint64_t first_row = 0, shown_rows = 0;
    std::uint64_t first_column = 0, shown_columns = 0;
    float label_x = 0;       // of its name: left of the cells, or above them
    float label_height = 0;  // of its name above the cells
    float x = 0, pitch_x = 0, cell_width = 0;
    float y = 0;  // top of the first shown cell row
    float pitch_y = 0, cell_height = 0;
    float arc_room = 0;          // above each row
    float queue_room = 0;        // below each row, where lanes queue for an atomic operation
    float bar_top = 0;           // of the longest bar, below the cell's top; its value stands above it
    float bar_height = 0;        // of the longest bar; its name stands below it
    std::uint32_t copies = 1;    // of bars: of so many blocks, side by side
    std::uint32_t own_copy = 0;  // which of them is the shown block's, whose place is `x`
    float copy_pitch = 0;        // from one copy to the next
    CellBorder border;           // of a matrix that is in sight as a whole
    int lines = 1;               // of text in a cell
    float top = 0, bottom = 0;   // of everything that belongs to it, fold lines included
    bool joined = false;         // of a line: its name stands in the line of the array before it
    TextFit text;

    float width() const { return static_cast<float>(shown_columns) * pitch_x; }
    // Of everything that is drawn of it, with the copies of other blocks.
    float left() const { return x - static_cast<float>(own_copy) * copy_pitch; }
    float right() const { return left() + static_cast<float>(copies - 1) * copy_pitch + width(); }
    float outer_width() const {
        return static_cast<float>(shown_columns + border.left + border.right) * pitch_x;
    }
    bool folded() const { return shown_rows < rows; }
    bool hides_above() const { return first_row > 0; }
    bool hides_below() const { return first_row + shown_rows < rows; }
    std::uint64_t row_of(std::uint64_t index) const { return (index + lead) / columns; }
    std::uint64_t column_of(std::uint64_t index) const { return (index + lead) % columns; }
    // Returns the cell at a place; a huge number for an empty place before the first cell.
    std::uint64_t index_at(std::uint64_t row, std::uint64_t column) const {
        return row * columns + column - lead;
    }
    // Top of a row and left edge of a column; hidden rows and columns are put on the nearest edge.
    float row_y(std::uint64_t row) const;
    float column_x(double column) const;
    bool shows_row(std::uint64_t row) const { return row >= first_row && row < first_row + shown_rows; }
    bool shows(std::uint64_t index) const;
};

struct StageLayout {
    std::vector<ArrayPlan> plans;  // in the order of the arrays
    float height = 0;              // of the content
    float legend_y = 0;            // where the legend would stand, below the content
    std::optional<CellRef> hit(float x, float y) const;
};

// The space that the layout must fit.
struct LayoutFrame {
    LaneGrid grid;
    float panel_height = 0;
    float scale = 1, zoom = 1;
    std::span<const TextSize> sizes;  // largest first
    float fit = 1;                    // the part of the zoom that a small block chose for its lanes
    float tall = 1;                   // what it chose for the height of its cells
    // What the person chose: all cells grow with it.
    float person_zoom() const { return zoom / fit; }
    bool operator==(const LayoutFrame& other) const {  // the sizes are the same object
        return grid == other.grid && panel_height == other.panel_height && scale == other.scale &&
               zoom == other.zoom && sizes.data() == other.sizes.data() && fit == other.fit &&
               tall == other.tall;
    }
};
// Lane-like arrays stand one below the other; matrices and bars stand side by side where that uses the space
// better. Their cells are as large as they can be with all arrays in sight, and long arrays are folded for
// it.
StageLayout make_layout(std::span<const StageArray> arrays, std::span<const ArrayHint> hints,
                        const LayoutFrame& frame);

// Returns the first row of a window that shows the marked rows, moved as little as possible from `current`.
std::uint64_t follow_window(std::uint64_t current, std::uint64_t shown_rows, std::uint64_t rows,
                            std::uint64_t first_marked, std::uint64_t last_marked);

// How many rows are shown at a time.
constexpr std::uint64_t max_cell_rows = 32;
constexpr std::uint64_t max_heat_rows = 64;
constexpr std::uint64_t max_cells = 4096;  // a block's part with more cells has the heat form

}  // namespace lanescope::scene
