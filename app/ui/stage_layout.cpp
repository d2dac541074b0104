#include "ui/stage_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

namespace {

constexpr float cell_height_px = 25;
constexpr float compact_height = 0.72f;
constexpr float row_gap_px = 4;
constexpr float roomy_arc_px = 42, narrow_arc_px = 20;
constexpr float roomy_array_px = 40, narrow_array_px = 22;
constexpr float fold_line_px = 18;
constexpr float label_px = 34;            // name and space
constexpr float legend_px = 34;
constexpr std::uint64_t arc_rows = 8;     // arrays with more rows have no room for arcs
constexpr unsigned heat_columns_per_lane = 8;

// The vertical air, between roomy (1) and narrow (0).
struct Air {
    float arc, array;
};
Air air(float share, float scale) {
    const auto mix = [&](float narrow, float roomy) { return std::round((narrow + (roomy - narrow) * share) * scale); };
    return {mix(narrow_arc_px, roomy_arc_px), mix(narrow_array_px, roomy_array_px)};
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

class LayoutMaker {
  public:
    explicit LayoutMaker(const LayoutFrame& frame) : frame_(frame), grid_(frame.grid) {
        // Cells grow with the columns; they shrink less than those, so that rows stay apart.
        cell_height_ = std::round(cell_height_px * frame.scale * std::clamp(frame.zoom, 0.3f, 2.5f));
    }

    ArrayPlan plan(const StageArray& array, const ArrayHint& hint, std::uint32_t number) const {
        ArrayPlan plan;
        plan.array = number;
        if (array.is_matrix()) {
            shape_matrix(plan, array, hint);
        } else {
            shape_rows(plan, array, hint);
        }
        window(plan, array, hint);
        return plan;
    }

    float place(ArrayPlan& plan, const StageArray& array, float top, const Air& space) const {
        plan.top = top;
        const bool arcs = array.use.inner_links && plan.form == Form::cells && plan.rows <= arc_rows;
        plan.arc_room = arcs ? space.arc : 0;
        const float fold = fold_line_px * frame_.scale;
        const float gap = row_gap(plan);
        plan.pitch_y = plan.cell_height + gap + plan.arc_room;
        plan.y = top + plan.arc_room + (plan.hides_above() ? fold : 0);
        const float rows_bottom = plan.y + static_cast<float>(plan.shown_rows) * plan.pitch_y - gap - plan.arc_room;
        plan.bottom = std::max(rows_bottom + (plan.hides_below() ? fold : 0), plan.y + label_px * frame_.scale);
        return plan.bottom;
    }

  private:
    // Arrays of many rows have lower rows, closer together.
    bool compact(const ArrayPlan& plan) const { return plan.form == Form::cells && plan.shown_rows > arc_rows; }
    float row_gap(const ArrayPlan& plan) const {
        if (plan.form == Form::heat) return 0;
        return std::max(1.0f, std::round((compact(plan) ? row_gap_px / 2 : row_gap_px) * frame_.scale));
    }

    float free_width() const { return grid_.right - (grid_.label_x + grid_.label_width); }

    void shape_rows(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint) const {
        const std::uint64_t part =
            array.use.touched() ? array.use.last - array.use.first + 1 : std::min(array.count, max_cells);
        plan.form = part > max_cells ? Form::heat : Form::cells;
        plan.x = grid_.cells_x;
        if (plan.form == Form::heat) {
            plan.columns = trace::warp_size * heat_columns_per_lane;
            plan.pitch_x = plan.cell_width = grid_.pitch / heat_columns_per_lane;
            plan.cell_height = std::max(2.0f, std::round(plan.pitch_x));
        } else {
            const unsigned span = cell_span(grid_.pitch, cell_height_, hint.widest_chars, frame_.sizes);
            plan.columns = trace::warp_size / span;
            plan.pitch_x = grid_.pitch * static_cast<float>(span);
            plan.cell_width = grid_.width(static_cast<float>(span));
            plan.cell_height = cell_height_;
            plan.text = fit_text(plan.cell_width, cell_height_, hint.widest_chars, frame_.sizes);
        }
        plan.rows = ceil_div(array.count, plan.columns);
        plan.shown_columns = std::min(plan.columns, array.count);
    }

    void shape_matrix(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint) const {
        plan.columns = array.columns;
        plan.rows = ceil_div(array.count, array.columns);
        plan.x = grid_.cells_x;
        const float fitted = free_width() * frame_.zoom / static_cast<float>(array.columns);
        plan.pitch_x = array.columns <= trace::warp_size ? grid_.pitch : std::max(2.0f, fitted);
        if (array.columns * 4 <= trace::warp_size) {
            const unsigned span = cell_span(grid_.pitch, cell_height_, hint.widest_chars, frame_.sizes);
            plan.pitch_x = grid_.pitch * static_cast<float>(std::min(span, 4u));
        }
        const float gap = plan.pitch_x >= 8 ? grid_.pitch - grid_.cell : 0;
        plan.cell_width = plan.pitch_x - gap;
        plan.text = fit_text(plan.cell_width, cell_height_, hint.widest_chars, frame_.sizes);
        const bool crowded = plan.text.max_chars < std::min(hint.widest_chars, 2) ||
                             array.columns * std::min(plan.rows, max_cell_rows) > max_cells;
        if (crowded) {
            plan.form = Form::heat;
            plan.pitch_x = std::max(2.0f, std::floor(plan.pitch_x));
            plan.cell_width = plan.pitch_x;
            plan.cell_height = std::min(plan.pitch_x, cell_height_);
            plan.text = {};
        } else {
            plan.cell_height = cell_height_;
        }
        const auto fit = static_cast<std::uint64_t>(std::max(1.0f, free_width() * std::max(1.0f, frame_.zoom) / plan.pitch_x));
        plan.shown_columns = std::min(plan.columns, fit);
        plan.first_column = std::min(hint.window_column, plan.columns - plan.shown_columns);
    }

    void window(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint) const {
        const std::uint64_t most = plan.form == Form::heat ? heat_rows(plan) : max_cell_rows;
        plan.shown_rows = std::min(plan.rows, most);
        // The part that the block works on; the rest of a large buffer is folded away.
        if (array.use.touched() && plan.rows > 4) {
            const std::uint64_t from = array.use.first / plan.columns, to = array.use.last / plan.columns;
            plan.shown_rows = std::min(plan.shown_rows, std::max<std::uint64_t>(to - from + 1, 2));
        }
        if (compact(plan)) {
            plan.cell_height = std::round(cell_height_ * compact_height);
            plan.text = fit_text(plan.cell_width, plan.cell_height, hint.widest_chars, frame_.sizes);
        }
        plan.first_row = std::min(hint.window_index / plan.columns, plan.rows - plan.shown_rows);
    }

    std::uint64_t heat_rows(const ArrayPlan& plan) const {
        const float room = 224 * frame_.scale * std::clamp(frame_.zoom, 0.5f, 2.0f);
        return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(room / plan.cell_height), 8, max_heat_rows * 2);
    }

    const LayoutFrame& frame_;
    const LaneGrid& grid_;
    float cell_height_ = 0;
};

float place_all(const LayoutMaker& maker, std::span<const StageArray> arrays, StageLayout& layout, const Air& space,
                float scale) {
    float y = 12 * scale;
    for (ArrayPlan& plan : layout.plans)
        y = maker.place(plan, arrays[plan.array], y, space) + space.array;
    layout.legend_y = y - space.array / 2;
    layout.height = layout.legend_y + legend_px * scale;
    return layout.height;
}

}  // namespace

TextFit fit_text(float cell_width_px, float cell_height_px, int widest_chars, std::span<const TextSize> sizes) {
    TextFit last;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        // Glyphs have air of their own at both sides: one pixel of the cell's edge is enough.
        const int chars = static_cast<int>((cell_width_px - 1) / sizes[i].advance_px);
        if (chars < 1 || sizes[i].height_px > cell_height_px) continue;
        last = {static_cast<int>(i), chars};
        if (chars >= widest_chars) break;
    }
    return last;
}

unsigned cell_span(float lane_pitch_px, float cell_height_px, int widest_chars, std::span<const TextSize> sizes) {
    for (unsigned span : {1u, 2u, 4u}) {
        const float width = lane_pitch_px * static_cast<float>(span) - 1;
        if (fit_text(width, cell_height_px, widest_chars, sizes).max_chars >= widest_chars) return span;
    }
    // Columns that are too narrow for any text show colours: wider cells would not help.
    return fit_text(lane_pitch_px, cell_height_px, 1, sizes).size < 0 ? 1 : 8;
}

std::uint64_t follow_window(std::uint64_t current, std::uint64_t shown_rows, std::uint64_t rows,
                            std::uint64_t first_marked, std::uint64_t last_marked) {
    const std::uint64_t furthest = rows > shown_rows ? rows - shown_rows : 0;
    current = std::min(current, furthest);
    if (first_marked >= current && last_marked < current + shown_rows) return current;
    if (last_marked - first_marked >= shown_rows || first_marked < current) return std::min(first_marked, furthest);
    return std::min(last_marked + 1 - shown_rows, furthest);
}

float ArrayPlan::row_y(std::uint64_t row) const {
    const std::uint64_t last = first_row + std::max<std::uint64_t>(shown_rows, 1) - 1;
    return y + static_cast<float>(std::clamp(row, first_row, last) - first_row) * pitch_y;
}

float ArrayPlan::column_x(double column) const {
    const double inside = std::clamp(column - static_cast<double>(first_column), 0.0, static_cast<double>(shown_columns));
    return x + static_cast<float>(inside) * pitch_x;
}

bool ArrayPlan::shows(std::uint64_t index) const {
    const std::uint64_t column = index % columns;
    return shows_row(index / columns) && column >= first_column && column < first_column + shown_columns;
}

std::optional<CellRef> StageLayout::hit(float x, float y) const {
    const auto at = std::lower_bound(plans.begin(), plans.end(), y,
                                     [](const ArrayPlan& plan, float wanted) { return plan.bottom < wanted; });
    if (at == plans.end() || y < at->y || at->pitch_x <= 0 || at->pitch_y <= 0) return {};
    const float row = std::floor((y - at->y) / at->pitch_y), column = std::floor((x - at->x) / at->pitch_x);
    if (row < 0 || column < 0 || row >= static_cast<float>(at->shown_rows)) return {};
    if (column >= static_cast<float>(at->shown_columns)) return {};
    if (y - at->y - row * at->pitch_y > at->cell_height) return {};
    const std::uint64_t index = (at->first_row + static_cast<std::uint64_t>(row)) * at->columns + at->first_column +
                                static_cast<std::uint64_t>(column);
    return CellRef{at->array, index};
}

StageLayout make_layout(std::span<const StageArray> arrays, std::span<const ArrayHint> hints, const LayoutFrame& frame) {
    const LayoutMaker maker(frame);
    StageLayout layout;
    for (std::uint32_t i = 0; i < arrays.size(); ++i)
        layout.plans.push_back(maker.plan(arrays[i], hints[i], i));
    const float roomy = place_all(maker, arrays, layout, air(1, frame.scale), frame.scale);
    if (roomy <= frame.panel_height) return layout;
    const float narrow = place_all(maker, arrays, layout, air(0, frame.scale), frame.scale);
    if (narrow >= frame.panel_height) return layout;
    const float share = (frame.panel_height - narrow) / (roomy - narrow);
    place_all(maker, arrays, layout, air(share, frame.scale), frame.scale);
    return layout;
}

}  // namespace lanescope::ui
