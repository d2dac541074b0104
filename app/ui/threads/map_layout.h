// The places of a launch's threads in the map: a warp is a row of 32 cells, the warps of a block stand below
// each other, and the blocks stand beside each other in rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct MapLayout {
    std::uint32_t blocks = 0, warps = 1, block_threads = 0;
    std::uint32_t columns = 1;  // of blocks
    float cell = 1;             // px
    float x = 0, y = 0;         // of the first cell, in the panel

    static constexpr float gap_cells = 0.6f;
    // Returns the gap between blocks; 0 if it would be too small to see.
    float gap() const { return cell < 0.9f ? 0 : std::max(1.0f, std::round(cell * gap_cells)); }
    float block_width() const { return 32 * cell + gap(); }
    float block_height() const { return float(warps) * cell + gap(); }
    std::uint32_t rows() const { return (blocks + columns - 1) / columns; }
    float width() const { return block_width() * float(columns) - gap(); }
    float height() const { return block_height() * float(rows()) - gap(); }

    // Returns the slot under a point of the panel.
    std::optional<std::uint32_t> slot_at(float at_x, float at_y) const;
    Rect cell_of(std::uint32_t slot) const;
    Rect block_rect(std::uint32_t number) const;  // `number` counts the shown blocks
};

// Returns the largest layout with all blocks in sight and cells of at most `largest_cell`.
MapLayout fit_map(std::uint32_t blocks, std::uint32_t block_threads, float width, float height,
                  float largest_cell);

}  // namespace lanescope::ui
