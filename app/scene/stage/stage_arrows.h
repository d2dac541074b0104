// From links between cells to arrows that stay readable with 32 lanes and more: arcs inside a row, soft
// curves between rows and arrays, and one wide arrow for many parallel links.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/stage/step_scene.h"

namespace lanescope::scene {

// A rectangle of cells of one array, all ends included.
struct CellBox {
    std::uint32_t array = 0;
    std::uint64_t first_row = 0, last_row = 0;
    std::uint64_t first_column = 0, last_column = 0;
    void include(std::uint64_t row, std::uint64_t column);
    bool operator==(const CellBox&) const = default;
    double middle_column() const {
        return (static_cast<double>(first_column) + static_cast<double>(last_column)) / 2;
    }
};

struct Arrow {
    enum class Shape : std::uint8_t {
        arc,      // one link inside a row, above it
        bracket,  // many links of one offset inside a row: from a range of cells to a range of cells
        curve,    // one link between rows or arrays
        band,     // many links of one offset between rows or arrays
    };
    Shape shape = Shape::arc;
    CellBox from, to;
    std::uint32_t first_thread = 0, last_thread = 0;
    std::uint32_t count = 1;  // links
    bool conflict = false;
    bool faint = false;  // one of many
    // How far the cell that is read lies behind the one that is written, for a wide arrow over several rows,
    // whose ends do not show it; else 0.
    std::int64_t cells_apart = 0;
    std::string label() const;  // "t4", "t0…t31", "1 024 values"
};

struct ArrowSet {
    std::vector<Arrow> arrows;
    bool left_out = false;  // there were too many single arrows: wide arrows between arrays stand for them
};

// How an array is drawn: the cells in one row, and whether its rows follow each other without gaps.
struct RowShape {
    std::uint64_t columns = 32;
    bool matrix = false;
    std::uint64_t lead = 0;  // empty places before the first cell
    bool bars = false;       // links of several offsets into it are curves: values chose their bars
};

// `shapes`: of the arrays by number.
ArrowSet make_arrows(std::span<const Link> links, std::span<const RowShape> shapes);

// One arc of a row of cells or of lanes.
struct ColumnArc {
    std::int64_t from = 0, to = 0;
    std::uint32_t thread = 0;
    bool conflict = false;
};
// How many arcs of one length cross the busiest point between two columns.
std::size_t busiest_crossing(std::span<const ColumnArc> arcs);

// Returns which labels to keep so that no two overlap: `centres` ascending, widths in the same unit.
std::vector<bool> labels_that_fit(std::span<const float> centres, std::span<const float> widths, float gap);

}  // namespace lanescope::scene
