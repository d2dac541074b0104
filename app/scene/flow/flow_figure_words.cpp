#include "scene/flow/flow_figure_words.h"

namespace lanescope::scene {
namespace {

constexpr std::size_t most_cells = 40;  // of a row

std::string cell_words(const FlowFigure& figure, std::uint32_t row, const FlowCell& cell) {
    std::string words = "  " + figure.name(row, cell.column) + (cell.text.empty() ? "" : " = " + cell.text);
    for (std::uint32_t i = cell.first_edge; i < cell.end_edge; ++i)
        words += (i == cell.first_edge ? " ← " : " ") +
                 figure.name(figure.edges[i].from_row, figure.edges[i].from_column);
    if (cell.turn == FlowCell::never) return words + "\n";
    if (cell.held) return words + ", held\n";
    return words + ", t" + std::to_string(cell.thread) + (cell.used ? "" : ", not used") + "\n";
}

}  // namespace

std::string flow_words(const FlowFigure& figure) {
    std::string words;
    for (std::uint32_t row = 0; row < figure.rows.size(); ++row) {
        const FlowRow& shown = figure.rows[row];
        words += shown.title + (shown.facts.empty() ? "" : ": " + shown.facts) +
                 (shown.conflict > 1 ? " · " + std::to_string(shown.conflict) + "-way bank conflict" : "") +
                 "\n";
        for (std::size_t i = 0; i < shown.cells.size() && i < most_cells; ++i)
            words += cell_words(figure, row, shown.cells[i]);
        if (shown.cells.size() > most_cells)
            words += "  … " + std::to_string(shown.cells.size() - most_cells) + " more\n";
    }
    return words;
}

}  // namespace lanescope::scene
