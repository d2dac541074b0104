#include "scene/stage/stage_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace lanescope::scene {

namespace {

constexpr float cell_height_px = 25;
constexpr float highest_text = 0.85f;    // line height over the cell's
constexpr float compact_height = 0.72f;  // share of it in arrays of many rows
constexpr float row_gap_px = 4;
constexpr float roomy_arc_px = 58, narrow_arc_px = 24;
constexpr float roomy_queue_px = 46, narrow_queue_px = 15;
constexpr float roomy_array_px = 52, narrow_array_px = 20;
constexpr float fold_line_px = 18;
constexpr float label_px = 38;         // name and space
constexpr float side_label_px = 92;    // between two matrices side by side
constexpr std::uint64_t arc_rows = 8;  // arrays with more rows have no room for arcs
constexpr unsigned heat_columns_per_lane = 8;

// The vertical air, between roomy (1) and narrow (0).
struct Air {
    float arc, array, queue;
};
Air air(float share, float scale) {
    const auto mix = [&](float narrow, float roomy) {
        return std::round((narrow + (roomy - narrow) * share) * scale);
    };
    return {mix(narrow_arc_px, roomy_arc_px), mix(narrow_array_px, roomy_array_px),
            mix(narrow_queue_px, roomy_queue_px)};
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

// Size of the cells of all matrices, px. 0: as wide as a lane.
struct MatrixCell {
    float width = 0, height = cell_height_px;
    bool square() const { return width > 0 && width == height; }
};

// From the largest to the smallest.
std::vector<MatrixCell> matrix_cells(float scale) {
    std::vector<MatrixCell> cells;
    for (const auto& [width, height] : {std::pair{0.0f, cell_height_px},
                                        {23.0f, cell_height_px},
                                        {0.0f, 18.0f},
                                        {23.0f, 18.0f},
                                        {20.0f, 16.0f}})
        cells.push_back({std::round(width * scale), std::round(height * scale)});
    for (float size = std::round(15 * scale); size >= 3; size -= 1)
        cells.push_back({size, size});
    return cells;
}

class LayoutMaker {
  public:
    LayoutMaker(const LayoutFrame& frame, const MatrixCell& matrix)
        : frame_(frame), grid_(frame.grid), matrix_(matrix) {
        // Cells grow with the columns; they shrink less than those, so that rows stay apart.
        const float growth = std::clamp(frame.zoom, 0.3f, 2.5f);
        cell_height_ = std::round(cell_height_px * frame.scale * growth);
        matrix_.width *= frame.zoom;
        matrix_.height = matrix.square() ? matrix_.width : std::round(matrix.height * growth);
    }

    ArrayPlan plan(const StageArray& array, const ArrayHint& hint, std::uint32_t number) const {
        ArrayPlan plan;
        plan.array = number;
        plan.x = grid_.cells_x;
        plan.label_x = grid_.label_x;
        if (array.is_matrix()) {
            shape_matrix(plan, array, hint);
        } else {
            shape_rows(plan, array, hint);
        }
        window(plan, array, hint);
        return plan;
    }

    void place(ArrayPlan& plan, const StageArray& array, float top, const Air& space) const {
        plan.top = top;
        const bool arcs = array.use.inner_links && plan.form == Form::cells && plan.rows <= arc_rows;
        plan.arc_room = arcs ? space.arc : 0;
        const float fold = fold_line_px * frame_.scale;
        const float gap = row_gap(plan);
        const bool queues = array.use.updated && plan.form == Form::cells && plan.rows <= arc_rows;
        plan.queue_room = queues ? space.queue : 0;
        plan.pitch_y = plan.cell_height + gap + plan.arc_room + plan.queue_room;
        plan.y = top + plan.arc_room + (plan.hides_above() ? fold : 0);
        const float rows_bottom =
            plan.y + static_cast<float>(plan.shown_rows) * plan.pitch_y - gap - plan.arc_room;
        plan.bottom =
            std::max(rows_bottom + (plan.hides_below() ? fold : 0), plan.y + label_px * frame_.scale);
    }

    // Places it right of `neighbour`, at the same height; false when there is no room.
    bool place_beside(ArrayPlan& plan, const ArrayPlan& neighbour) const {
        const float label = neighbour.x + neighbour.width() + frame_.scale * 14;
        float x = label + side_label_px * frame_.scale;
        if (plan.pitch_x == grid_.pitch) x = grid_.x(std::ceil((x - grid_.cells_x) / grid_.pitch - 0.3f));
        if (x + plan.width() > std::max(grid_.right, grid_.x(32)) + 4 * frame_.scale) return false;
        plan.label_x = label;
        plan.x = x;
        return true;
    }

  private:
    // Arrays of many rows have lower rows, closer together.
    bool compact(const ArrayPlan& plan) const {
        return plan.form == Form::cells && plan.shown_rows > arc_rows && plan.lines == 1;
    }
    float row_gap(const ArrayPlan& plan) const {
        if (plan.form == Form::heat) return plan.pitch_x - plan.cell_width;
        return std::max(1.0f, std::round((compact(plan) ? row_gap_px / 2 : row_gap_px) * frame_.scale));
    }

    float free_width() const { return grid_.right - (grid_.label_x + grid_.label_width); }

    void shape_rows(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint) const {
        const std::uint64_t part =
            array.use.touched() ? array.use.last - array.use.first + 1 : std::min(array.count, max_cells);
        plan.form = part > max_cells ? Form::heat : Form::cells;
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
            if (hint.lines > 1 && plan.text.size >= 0) {
                plan.lines = hint.lines;
                const float line = frame_.sizes[static_cast<std::size_t>(plan.text.size)].height_px;
                plan.cell_height = std::round(line * static_cast<float>(hint.lines) + 6 * frame_.scale);
            }
        }
        plan.rows = ceil_div(array.count, plan.columns);
        plan.shown_columns = std::min(plan.columns, array.count);
    }

    void shape_matrix(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint) const {
        plan.columns = array.columns;
        plan.rows = ceil_div(array.count, array.columns);
        const float fitted = free_width() * frame_.zoom / static_cast<float>(array.columns);
        const float lane_wide = array.columns <= trace::warp_size ? grid_.pitch : fitted;
        plan.pitch_x = std::max(2.0f, matrix_.width > 0 ? std::min(matrix_.width, lane_wide) : lane_wide);
        if (matrix_.width == 0 && array.columns * 4 <= trace::warp_size) {
            const unsigned span = cell_span(grid_.pitch, cell_height_, hint.widest_chars, frame_.sizes);
            plan.pitch_x = grid_.pitch * static_cast<float>(std::min(span, 4u));
        }
        const float gap = plan.pitch_x < 5                   ? 0
                          : plan.pitch_x < 16 * frame_.scale ? 1
                                                             : grid_.pitch - grid_.cell;
        plan.cell_height = matrix_.height;
        plan.cell_width = plan.pitch_x - gap;
        plan.text = fit_text(plan.cell_width, plan.cell_height, hint.widest_chars, frame_.sizes);
        if (matrix_.square() || plan.text.max_chars < std::min(hint.widest_chars, 2)) {
            plan.form = Form::heat;
            plan.pitch_x = std::max(2.0f, std::floor(plan.pitch_x));
            plan.cell_width = plan.pitch_x - gap;
            plan.cell_height = std::min(plan.cell_width, cell_height_);
            plan.text = {};
        }
        const auto fit = static_cast<std::uint64_t>(
            std::max(1.0f, free_width() * std::max(1.0f, frame_.zoom) / plan.pitch_x));
        plan.shown_columns = std::min(plan.columns, fit);
        plan.first_column = std::min(hint.window_column, plan.columns - plan.shown_columns);
    }

    void window(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint) const {
        const std::uint64_t most = plan.form == Form::heat ? heat_rows(plan) : max_cell_rows;
        plan.shown_rows = std::min(plan.rows, most);
        // The part that the block works on; the rest of a large buffer is folded away.
        if (array.use.touched() && !array.is_matrix() && plan.rows > 4) {
            const std::uint64_t from = array.use.first / plan.columns, to = array.use.last / plan.columns;
            plan.shown_rows = std::min(plan.shown_rows, std::max<std::uint64_t>(to - from + 1, 2));
        }
        if (compact(plan) && !array.is_matrix()) {
            plan.cell_height = std::round(cell_height_ * compact_height);
            plan.text = fit_text(plan.cell_width, plan.cell_height, hint.widest_chars, frame_.sizes);
        }
        plan.first_row = std::min(hint.window_index / plan.columns, plan.rows - plan.shown_rows);
    }

    std::uint64_t heat_rows(const ArrayPlan& plan) const {
        const float room = 256 * frame_.scale * std::clamp(frame_.zoom, 0.5f, 2.0f);
        return std::clamp<std::uint64_t>(
            static_cast<std::uint64_t>(room / (plan.cell_height + row_gap(plan))), 8, max_heat_rows);
    }

    const LayoutFrame& frame_;
    const LaneGrid& grid_;
    MatrixCell matrix_;
    float cell_height_ = 0;
};

class Placer {
  public:
    Placer(const LayoutMaker& maker, std::span<const StageArray> arrays, const LayoutFrame& frame)
        : maker_(maker), arrays_(arrays), frame_(frame) {}

    float place(StageLayout& layout, float roominess) const {
        const Air space = air(roominess, frame_.scale);
        float top = 12 * frame_.scale, bottom = top - space.array;
        const ArrayPlan* neighbour = nullptr;  // a matrix: only matrices stand side by side
        for (ArrayPlan& plan : layout.plans) {
            const bool matrix = arrays_[plan.array].is_matrix();
            const bool beside = matrix && neighbour && maker_.place_beside(plan, *neighbour);
            if (!beside) {
                plan.x = frame_.grid.cells_x;
                plan.label_x = frame_.grid.label_x;
                top = bottom + space.array;
            }
            maker_.place(plan, arrays_[plan.array], top, space);
            bottom = beside ? std::max(bottom, plan.bottom) : plan.bottom;
            neighbour = matrix ? &plan : nullptr;
        }
        layout.legend_y = bottom + space.array / 2;
        layout.height = bottom;
        return layout.height;
    }

  private:
    const LayoutMaker& maker_;
    std::span<const StageArray> arrays_;
    const LayoutFrame& frame_;
};

}  // namespace

TextFit fit_text(float cell_width_px, float height_px, int widest_chars, std::span<const TextSize> sizes) {
    TextFit last;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        // Glyphs have air of their own at both sides: one pixel of the cell's edge is enough.
        const int chars = static_cast<int>((cell_width_px - 1) / sizes[i].advance_px);
        if (chars < 1 || sizes[i].height_px > height_px * highest_text) continue;
        last = {static_cast<int>(i), chars};
        if (chars >= widest_chars) break;
    }
    return last;
}

unsigned cell_span(float lane_pitch_px, float height_px, int widest_chars, std::span<const TextSize> sizes) {
    for (unsigned span : {1u, 2u, 4u}) {
        const float width = lane_pitch_px * static_cast<float>(span) - 1;
        if (fit_text(width, height_px, widest_chars, sizes).max_chars >= widest_chars) return span;
    }
    // Columns that are too narrow for any text show colours: wider cells would not help.
    return fit_text(lane_pitch_px, height_px, 1, sizes).size < 0 ? 1 : 8;
}

std::uint64_t follow_window(std::uint64_t current, std::uint64_t shown_rows, std::uint64_t rows,
                            std::uint64_t first_marked, std::uint64_t last_marked) {
    const std::uint64_t furthest = rows > shown_rows ? rows - shown_rows : 0;
    current = std::min(current, furthest);
    if (first_marked >= current && last_marked < current + shown_rows) return current;
    if (last_marked - first_marked >= shown_rows || first_marked < current)
        return std::min(first_marked, furthest);
    return std::min(last_marked + 1 - shown_rows, furthest);
}

float ArrayPlan::row_y(std::uint64_t row) const {
    const std::uint64_t last = first_row + std::max<std::uint64_t>(shown_rows, 1) - 1;
    return y + static_cast<float>(std::clamp(row, first_row, last) - first_row) * pitch_y;
}

float ArrayPlan::column_x(double column) const {
    const double inside =
        std::clamp(column - static_cast<double>(first_column), 0.0, static_cast<double>(shown_columns));
    return x + static_cast<float>(inside) * pitch_x;
}

bool ArrayPlan::shows(std::uint64_t index) const {
    const std::uint64_t column = index % columns;
    return shows_row(index / columns) && column >= first_column && column < first_column + shown_columns;
}

std::optional<CellRef> StageLayout::hit(float x, float y) const {
    for (const ArrayPlan& plan : plans) {
        if (plan.pitch_x <= 0 || plan.pitch_y <= 0) continue;
        const float row = std::floor((y - plan.y) / plan.pitch_y),
                    column = std::floor((x - plan.x) / plan.pitch_x);
        if (row < 0 || row >= static_cast<float>(plan.shown_rows)) continue;
        if (column < 0 || column >= static_cast<float>(plan.shown_columns)) continue;
        if (y - plan.y - row * plan.pitch_y > plan.cell_height) continue;
        const std::uint64_t index = (plan.first_row + static_cast<std::uint64_t>(row)) * plan.columns +
                                    plan.first_column + static_cast<std::uint64_t>(column);
        return CellRef{plan.array, index};
    }
    return {};
}

namespace {

std::vector<ArrayPlan> make_plans(const LayoutMaker& maker, std::span<const StageArray> arrays,
                                  std::span<const ArrayHint> hints) {
    std::vector<ArrayPlan> plans;
    for (std::uint32_t i = 0; i < arrays.size(); ++i)
        plans.push_back(maker.plan(arrays[i], hints[i], i));
    return plans;
}

bool matrices_in_one_row(std::span<const StageArray> arrays, const std::vector<ArrayPlan>& plans) {
    std::vector<float> tops;
    for (const ArrayPlan& plan : plans)
        if (arrays[plan.array].is_matrix()) tops.push_back(plan.top);
    return std::adjacent_find(tops.begin(), tops.end(), std::not_equal_to<>()) == tops.end();
}

// The largest size with which all arrays are in sight, if possible with values and with all matrices side by
// side.
MatrixCell choose_matrix_cell(std::span<const StageArray> arrays, std::span<const ArrayHint> hints,
                              LayoutFrame frame) {
    const std::vector<MatrixCell> sizes = matrix_cells(frame.scale);
    if (std::none_of(arrays.begin(), arrays.end(), [](const StageArray& a) { return a.is_matrix(); }))
        return sizes[0];
    // Zooming makes arrays larger or smaller; it does not rearrange them.
    const float gap = frame.grid.pitch - frame.grid.cell;
    frame.grid.pitch /= frame.zoom;
    frame.grid.cell = frame.grid.pitch - gap;
    frame.zoom = 1;
    std::optional<MatrixCell> first;
    for (const MatrixCell& size : sizes) {
        const LayoutMaker maker(frame, size);
        StageLayout layout{make_plans(maker, arrays, hints), 0, 0};
        if (Placer(maker, arrays, frame).place(layout, 0) > frame.panel_height) continue;
        if (!first) first = size;
        if (size.square()) return *first;
        if (matrices_in_one_row(arrays, layout.plans)) return size;
    }
    return first.value_or(sizes.back());
}

}  // namespace

StageLayout make_layout(std::span<const StageArray> arrays, std::span<const ArrayHint> hints,
                        const LayoutFrame& frame) {
    const LayoutMaker maker(frame, choose_matrix_cell(arrays, hints, frame));
    StageLayout layout{make_plans(maker, arrays, hints), 0, 0};
    const Placer placer(maker, arrays, frame);
    const float roomy = placer.place(layout, 1), narrow = placer.place(layout, 0);
    const float share = roomy > narrow ? (frame.panel_height - narrow) / (roomy - narrow) : 0;
    placer.place(layout, std::clamp(share, 0.0f, 1.0f));
    return layout;
}

}  // namespace lanescope::scene
