#include "ui/threads/map_layout.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {
namespace {

// Returns the cell size at which the layout's columns of blocks fit.
float cell_with(const MapLayout& layout, float width, float height) {
    const float across = (32 + MapLayout::gap_cells) * float(layout.columns) - MapLayout::gap_cells;
    const float down =
        (float(layout.warps) + MapLayout::gap_cells) * float(layout.rows()) - MapLayout::gap_cells;
    return std::min(width / across, height / down);
}

}  // namespace

MapLayout fit_map(std::uint32_t blocks, std::uint32_t block_threads, float width, float height,
                  float largest_cell) {
    MapLayout layout;
    layout.blocks = blocks;
    layout.block_threads = block_threads;
    layout.warps = std::max((block_threads + 31) / 32, 1u);
    if (blocks == 0 || width <= 0 || height <= 0) return layout;
    // The best number of columns is near the number that gives the map the panel's shape.
    const double shape = double(width) / double(height) * (double(layout.warps) + 0.6) / 32.6;
    const double near = std::sqrt(double(blocks) * shape);
    const auto least = std::uint32_t(std::max(near / 2, 1.0)),
               most = std::uint32_t(std::min(near * 2 + 2, double(blocks)));
    MapLayout best = layout;
    best.cell = 0;
    for (std::uint32_t columns = std::min(least, blocks); columns <= most; ++columns) {
        layout.columns = columns;
        layout.cell = std::min(cell_with(layout, width, height), largest_cell);
        if (layout.cell > best.cell * 1.001f) best = layout;
    }
    if (best.cell >= 1) best.cell = std::floor(best.cell);  // cells of equal size look calmer
    while (best.width() > width || best.height() > height)
        best.cell = best.cell > 1 ? best.cell - 1 : best.cell * 0.98f;
    const auto across = std::uint32_t((width + best.gap()) / best.block_width());
    best.columns = std::clamp(across, best.columns, std::max(blocks, best.columns));
    return best;
}

std::optional<std::uint32_t> MapLayout::slot_at(float at_x, float at_y) const {
    const float from_x = at_x - x, from_y = at_y - y;
    if (from_x < 0 || from_y < 0 || cell <= 0) return std::nullopt;
    const double column = std::floor(from_x / block_width()), row = std::floor(from_y / block_height());
    if (column >= columns || row >= rows()) return std::nullopt;
    const auto lane = std::uint32_t((from_x - float(column) * block_width()) / cell);
    const auto warp = std::uint32_t((from_y - float(row) * block_height()) / cell);
    const std::uint32_t block = std::uint32_t(row) * columns + std::uint32_t(column),
                        thread = warp * 32 + lane;
    if (lane >= 32 || warp >= warps || block >= blocks || thread >= block_threads) return std::nullopt;
    return block * block_threads + thread;
}

Rect MapLayout::block_rect(std::uint32_t number) const {
    return {x + float(number % columns) * block_width(), y + float(number / columns) * block_height(),
            32 * cell, float(warps) * cell};
}

Rect MapLayout::cell_of(std::uint32_t slot) const {
    const std::uint32_t thread = slot % block_threads;
    const Rect block = block_rect(slot / block_threads);
    return {block.x + float(thread % 32) * cell, block.y + float(thread / 32) * cell, cell, cell};
}

}  // namespace lanescope::ui
