#include "scene/layout/layout_words.h"

#include <algorithm>

namespace lanescope::scene {
namespace {

constexpr std::uint32_t told_rows = 10, told_cells = 34;  // of a grid

std::string cell_words(const LayoutCell* cell, bool all_used) {
    if (cell == nullptr) return "·";
    const std::string text = cell->text.ends_with(cell->more) ? cell->text : cell->text + cell->more;
    return cell->conflict ? "[" + text + "!]" : cell->used && !all_used ? "[" + text + "]" : text;
}

}  // namespace

std::string layout_words(const LayoutFigure& figure) {
    std::string words;
    for (const LayoutGrid& grid : figure.grids) {
        const bool all_used = std::all_of(grid.cells.begin(), grid.cells.end(),
                                          [](const LayoutCell& cell) { return cell.used; });
        words += grid.title + (grid.facts.empty() ? "" : ": " + grid.facts) + "\n";
        for (std::uint32_t row = 0; row < std::min(grid.rows, told_rows); ++row) {
            words +=
                "  " +
                (row < grid.row_names.size() ? grid.row_names[row] : std::to_string(grid.first_row + row)) +
                ":";
            for (std::uint32_t column = 0; column < std::min(grid.columns, told_cells); ++column)
                words += " " + cell_words(grid.at(row, column), all_used);
            words += grid.columns > told_cells ? " …\n" : "\n";
        }
        if (grid.rows > told_rows) words += "  … " + std::to_string(grid.rows - told_rows) + " more rows\n";
    }
    return words;
}

}  // namespace lanescope::scene
