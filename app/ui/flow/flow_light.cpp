#include "ui/flow/flow_light.h"

namespace lanescope::ui {
namespace {

// Rows × columns; a larger figure does not light up.
constexpr std::uint64_t most_lit_places = 4'000'000;

// A value is seen from the row that wrote it down to the row that uses it.
std::uint32_t writer_of(const scene::FlowFigure& figure, std::uint32_t row, std::uint32_t column) {
    while (row > figure.first_own && figure.is_own(row) && figure.written(row, column) == nullptr)
        --row;
    return row;
}

}  // namespace

void FlowLight::clear() {
    place_.reset();
    cells_.clear();
    slots_.clear();
    edges_.clear();
    links_.clear();
}

void FlowLight::light_up(const scene::FlowFigure& figure, const scene::FlowSlots& slots,
                         std::optional<FlowPlace> place) {
    if (place == place_ && slots.count() == slot_count_) return;
    clear();
    place_ = place;
    slot_count_ = slots.count();
    if (!place || std::uint64_t{figure.widest()} * figure.rows.size() > most_lit_places) return;
    cells_.assign(figure.rows.size(), std::vector<bool>(figure.widest()));
    edges_.assign(figure.edges.size(), false);
    back(figure, *place);
    forward(figure, *place);
    slots_.assign(figure.rows.size(), std::vector<bool>(slots.count()));
    for (std::uint32_t row = 0; row < cells_.size(); ++row)
        for (std::uint32_t column = 0; column < cells_[row].size(); ++column)
            if (cells_[row][column]) slots_[row][slots.slot_of(row, column)] = true;
    links_.assign(slots.links().size(), false);
    for (std::uint32_t i = 0; i < edges_.size(); ++i)
        if (edges_[i]) links_[slots.link_of(i)] = true;
}

void FlowLight::back(const scene::FlowFigure& figure, FlowPlace from) {
    Places made(figure.rows.size(), std::vector<bool>(figure.widest()));
    std::vector<FlowPlace> open{from};
    while (!open.empty()) {
        const FlowPlace at = open.back();
        open.pop_back();
        const std::uint32_t row = writer_of(figure, at.row, at.column);
        for (std::uint32_t i = row; i <= at.row; ++i)
            cells_[i][at.column] = true;
        const scene::FlowCell* cell = figure.written(row, at.column);
        if (cell == nullptr || made[row][at.column]) continue;
        made[row][at.column] = true;
        for (std::uint32_t i = cell->first_edge; i < cell->end_edge; ++i) {
            edges_[i] = true;
            open.push_back({figure.edges[i].from_row, figure.edges[i].from_column});
        }
    }
}

// Row by row: edges come in the order of their ends.
void FlowLight::forward(const scene::FlowFigure& figure, FlowPlace from) {
    Places after(figure.rows.size(), std::vector<bool>(figure.widest()));
    after[writer_of(figure, from.row, from.column)][from.column] = true;
    for (std::uint32_t i = 0; i < figure.edges.size(); ++i) {
        const scene::FlowEdge& edge = figure.edges[i];
        const std::uint32_t row = writer_of(figure, edge.from_row, edge.from_column);
        if (!after[row][edge.from_column]) continue;
        after[edge.to_row][edge.to_column] = true;
        edges_[i] = true;
        cells_[edge.to_row][edge.to_column] = true;
        for (std::uint32_t at = row; at <= edge.from_row; ++at)
            cells_[at][edge.from_column] = true;
    }
}

}  // namespace lanescope::ui
