#include "scene/stage/array_planner.h"

#include <algorithm>
#include <cmath>

namespace lanescope::scene {

namespace {

constexpr float cell_height_px = 25;
constexpr float usual_text = 0.85f, highest_text = 0.96f;  // line height over the cell's
constexpr float compact_height = 0.72f;                    // share of it in arrays of many rows
constexpr float row_gap_px = 4;
constexpr float roomy_arc_px = 58, narrow_arc_px = 24;
constexpr float roomy_queue_px = 46, narrow_queue_px = 15;
constexpr float roomy_array_px = 52, narrow_array_px = 20;
constexpr float fold_line_px = 18;
constexpr float label_px = 38;                // name and space, left of the cells
constexpr float bar_text_px = 20;             // a bar's value, and its name
constexpr float bar_units = 4;                // height of the longest bar, in units
constexpr float widest_bar = 3;               // width of a bar that has a row for itself, in heights
constexpr float widest_bar_px = 64;           // with its gap, beside others
constexpr std::uint64_t arc_rows = 8;         // arrays with more rows have no room for arcs
constexpr std::uint64_t text_rows = 3;        // of a text, at least
constexpr std::uint64_t most_shown = 16'384;  // cells of a matrix
constexpr unsigned heat_columns_per_lane = 8;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

// The lanes that a cell spans where 32 lanes are 32 banks of 4 bytes.
unsigned bank_span(const StageArray& array) {
    const unsigned words = std::max(1u, array.cell_bytes / 4);
    return trace::warp_size % words == 0 ? words : 1;
}

}  // namespace

StageAir stage_air(float share, float scale) {
    const auto mix = [&](float narrow, float roomy) {
        return std::round((narrow + (roomy - narrow) * share) * scale);
    };
    return {mix(narrow_arc_px, roomy_arc_px), mix(narrow_array_px, roomy_array_px),
            mix(narrow_queue_px, roomy_queue_px)};
}

bool collapsed(const StageArray& array, bool others_touched) {
    return others_touched && !array.use.touched();
}

TextFit fit_text(float cell_width_px, float height_px, int widest_chars, std::span<const TextSize> sizes) {
    TextFit last;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        // Glyphs have air of their own at both sides: one pixel of the cell's edge is enough.
        // Digits that fill the height of a cell need air beside them.
        const bool tall = sizes[i].height_px > height_px * usual_text;
        const float air = tall ? 0.5f * sizes[i].advance_px : 1;
        const int chars = static_cast<int>((cell_width_px - air) / sizes[i].advance_px);
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

ArrayPlanner::ArrayPlanner(const LayoutFrame& frame) : frame_(frame) {
    // Cells grow with the columns; they shrink less than those, so that rows stay apart.
    const float growth = std::clamp(frame.person_zoom() * frame.tall, 0.3f, 4.0f);
    const float grown = cell_height_px * frame.scale * growth;
    const float usual = std::min(grown, cell_height_px * frame.scale * frame.person_zoom());
    // In a narrow panel cells that grow do not become towers.
    cell_height_ = std::round(std::clamp(frame.grid.pitch * 1.1f, usual, grown));
}

ArrayPlan ArrayPlanner::plan(const StageArray& array, const ArrayHint& hint, std::uint32_t number,
                             const ArraySize& size) const {
    ArrayPlan plan;
    plan.array = number;
    plan.x = frame_.grid.cells_x;
    plan.label_x = frame_.grid.label_x;
    plan.flows = array.flows() && (size.beside || array.view != ArrayView::bars);
    const float unit = size.unit_px * frame_.scale * frame_.person_zoom();
    if (array.view == ArrayView::bars)
        shape_bars(plan, array, hint, unit);
    else if (plan.flows)
        shape_matrix(plan, array, hint, unit, size.room);
    else
        shape_lanes(plan, array, hint, size);
    return plan;
}

void ArrayPlanner::place(ArrayPlan& plan, const StageArray& array, float top, const StageAir& air) const {
    plan.top = top;
    if (plan.form == Form::line) {
        plan.y = top;
        plan.bottom = top + label_line_px * frame_.scale;
        return;
    }
    const float fold = plan.folded() ? fold_line_px * frame_.scale : 0;
    const float gap = row_gap(plan);
    const bool few_rows = plan.form == Form::cells && plan.rows <= arc_rows;
    // Over tall cells arcs are high, too.
    const float tall = std::clamp(plan.cell_height / (1.5f * cell_height_px * frame_.scale), 1.0f, 2.0f);
    plan.arc_room = few_rows && array.use.inner_links ? air.arc * tall : 0;
    const bool queues = array.use.updated && (few_rows || plan.form == Form::bars);
    plan.queue_room = queues ? air.queue : 0;
    plan.pitch_y = plan.cell_height + gap + plan.arc_room + plan.queue_room;
    // The line above stays when its rows are in sight, so that nothing moves while the window does.
    plan.y =
        top + plan.label_height + plan.arc_room + fold + static_cast<float>(plan.border.top) * plan.pitch_y;
    const float rows_bottom = plan.y +
                              static_cast<float>(plan.shown_rows + plan.border.bottom) * plan.pitch_y - gap -
                              plan.arc_room;
    const float label = plan.flows ? 0 : plan.y + label_px * frame_.scale;
    plan.bottom = std::max(rows_bottom + fold, label);
}

float ArrayPlanner::flow_left() const {
    return frame_.grid.cells_x - frame_.grid.label_width;
}

float ArrayPlanner::flow_width() const {
    return (frame_.grid.right - frame_.grid.label_x) * std::max(1.0f, frame_.person_zoom());
}

// Arrays of many rows have lower rows, closer together.
bool ArrayPlanner::compact(const ArrayPlan& plan, const StageArray& array) const {
    return plan.form == Form::cells && !plan.flows && plan.lines == 1 &&
           (plan.shown_rows > arc_rows || array.view == ArrayView::text);
}

float ArrayPlanner::row_gap(const ArrayPlan& plan) const {
    if (plan.form == Form::heat || plan.flows) return plan.pitch_x - plan.cell_width;
    const bool low = plan.cell_height < cell_height_;
    return std::max(1.0f, std::round((low ? row_gap_px / 2 : row_gap_px) * frame_.scale));
}

void ArrayPlanner::shape_lanes(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint,
                               const ArraySize& size) const {
    const LaneGrid& grid = frame_.grid;
    const std::uint64_t part =
        array.use.touched() ? array.use.last - array.use.first + 1 : std::min(array.count, max_cells);
    const bool text = array.view == ArrayView::text;
    plan.form = part > max_cells && !text ? Form::heat : Form::cells;
    if (plan.form == Form::heat) {
        plan.columns = trace::warp_size * heat_columns_per_lane;
        plan.pitch_x = plan.cell_width = grid.pitch / heat_columns_per_lane;
        plan.cell_height = std::max(2.0f, std::round(plan.pitch_x));
    } else {
        const unsigned span = hint.banks
                                  ? bank_span(array)
                                  : cell_span(grid.pitch, cell_height_, hint.widest_chars, frame_.sizes);
        plan.columns = trace::warp_size / span;
        plan.pitch_x = grid.pitch * static_cast<float>(span);
        plan.cell_width = grid.width(static_cast<float>(span));
        plan.cell_height = cell_height_;
        plan.text = fit_text(plan.cell_width, cell_height_, hint.widest_chars, frame_.sizes);
        // A row of cut values says nothing; colours show which banks are touched.
        if (hint.banks && plan.text.max_chars < hint.widest_chars) plan.text = {};
        if (hint.lines > 1 && plan.text.size >= 0) {
            plan.lines = hint.lines;
            const float line = frame_.sizes[static_cast<std::size_t>(plan.text.size)].height_px;
            plan.cell_height = std::round(line * static_cast<float>(hint.lines) + 6 * frame_.scale);
        }
        plan.lead = array.lead % plan.columns;
    }
    plan.rows = ceil_div(array.count + plan.lead, plan.columns);
    plan.shown_columns = std::min(plan.columns, array.count + plan.lead);
    fold_lanes(plan, array, hint, size);
}

void ArrayPlanner::fold_lanes(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint,
                              const ArraySize& size) const {
    std::uint64_t most = plan.form == Form::heat ? lane_heat_rows(plan) : max_cell_rows;
    // A text shows a line or two, or all lines that one request of a warp reads.
    if (array.view == ArrayView::text && plan.rows > text_rows + 1)
        most = std::clamp(array.use.reach / plan.columns + 1, text_rows, most);
    if (size.rows != 0) most = std::min(most, size.rows);
    plan.shown_rows = std::min(plan.rows, most);
    // The part that the block works on; the rest of a large buffer is folded away.
    if (array.use.touched() && plan.rows > 4) {
        const std::uint64_t from = plan.row_of(array.use.first), to = plan.row_of(array.use.last);
        plan.shown_rows = std::min(plan.shown_rows, std::max<std::uint64_t>(to - from + 1, 2));
    }
    if (compact(plan, array)) {
        plan.cell_height = std::round(cell_height_ * compact_height);
        if (plan.text.size >= 0)
            plan.text = fit_text(plan.cell_width, plan.cell_height, hint.widest_chars, frame_.sizes);
    }
    const std::uint64_t window = std::min(hint.window_index, array.count);
    plan.first_row = std::min(plan.row_of(window), plan.rows - plan.shown_rows);
}

std::uint64_t ArrayPlanner::lane_heat_rows(const ArrayPlan& plan) const {
    const float room = 256 * frame_.scale * std::clamp(frame_.zoom, 0.5f, 2.0f);
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(room / (plan.cell_height + row_gap(plan))), 8,
                                     max_heat_rows);
}

void ArrayPlanner::shape_matrix(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint, float unit,
                                float room) const {
    plan.columns = array.columns != 0 ? array.columns : array.count;
    plan.rows = ceil_div(array.count, plan.columns);
    plan.label_height = label_line_px * frame_.scale;
    const float pitch = std::max(2.0f, std::floor(unit));
    const float gap = pitch < 5 ? 0 : pitch < 16 * frame_.scale ? 1 : std::round(2 * frame_.scale);
    plan.cell_height = plan.cell_width = pitch - gap;
    if (array.view != ArrayView::image) choose_text(plan, hint.widest_chars);
    if (plan.text.size < 0) plan.form = Form::heat;
    plan.pitch_x = plan.cell_width + gap;
    window_matrix(plan, hint, room);
    if (array.is_matrix() && !plan.folded() && plan.shown_columns == plan.columns) plan.border = hint.border;
}

// Widens the cells a little if the values need it.
void ArrayPlanner::choose_text(ArrayPlan& plan, int widest_chars) const {
    constexpr float pleasant = 1.4f, tolerable = 2.6f;  // width over height
    const float height = plan.cell_height;
    for (std::size_t i = 0; i < frame_.sizes.size(); ++i) {
        const TextSize& size = frame_.sizes[i];
        const bool smallest = i + 1 == frame_.sizes.size();
        if (size.height_px > height * (smallest ? 1.0f : highest_text)) continue;
        const float width = std::max(height, static_cast<float>(widest_chars) * size.advance_px + 3);
        if (width > height * (smallest ? tolerable : pleasant)) continue;
        plan.cell_width = std::ceil(width);
        plan.text = {static_cast<int>(i), static_cast<int>((plan.cell_width - 1) / size.advance_px)};
        return;
    }
}

// A matrix that is too large for the panel shows the part around what the step touches.
void ArrayPlanner::window_matrix(ArrayPlan& plan, const ArrayHint& hint, float room) const {
    const float width = flow_width() * room;
    const auto fit = static_cast<std::uint64_t>(std::max(1.0f, (width + plan.pitch_x / 2) / plan.pitch_x));
    plan.shown_columns = std::min(plan.columns, fit);
    plan.first_column = std::min(hint.window_column, plan.columns - plan.shown_columns);
    const float pitch_y = plan.cell_height + plan.pitch_x - plan.cell_width;
    const float height = frame_.panel_height * std::max(1.0f, frame_.person_zoom());
    const auto rows =
        static_cast<std::uint64_t>(std::max(8.0f, std::min(height, room < 1 ? width : height) / pitch_y));
    plan.shown_rows =
        std::min({plan.rows, rows, std::max<std::uint64_t>(8, most_shown / plan.shown_columns)});
    plan.first_row = std::min(hint.window_index / plan.columns, plan.rows - plan.shown_rows);
}

void ArrayPlanner::shape_bars(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint,
                              float unit) const {
    plan.form = Form::bars;
    plan.columns = plan.shown_columns = array.count;
    plan.rows = plan.shown_rows = 1;
    plan.label_height = plan.flows ? label_line_px * frame_.scale : 0;
    const float width = flow_width() - (plan.flows ? 0 : frame_.grid.label_width);
    if (!plan.flows && !array.copies.empty()) plan.copies = static_cast<std::uint32_t>(array.copies.size());
    // Copies stand apart by the width of a bar.
    const std::uint64_t places = plan.copies * array.count + plan.copies - 1;
    const float most = std::floor(width / static_cast<float>(places));
    // Bars that have the width of the stage for themselves use it, as long as they stay upright.
    const float wanted = plan.flows ? std::min(unit * 2.5f, widest_bar_px * frame_.scale)
                                    : std::max(unit * 4, std::min(most, unit * bar_units * widest_bar));
    plan.pitch_x = std::clamp(std::round(wanted), 3.0f, std::max(3.0f, most));
    plan.cell_width = plan.pitch_x - std::max(1.0f, std::round(plan.pitch_x / 6));
    plan.text = fit_text(plan.pitch_x, bar_text_px * frame_.scale, hint.widest_chars, frame_.sizes);
    const float text = std::round(bar_text_px * frame_.scale);
    plan.bar_top = text;
    plan.bar_height = std::round(unit * bar_units);
    plan.cell_height = plan.bar_top + plan.bar_height + text;
    if (plan.copies == 1) return;
    plan.own_copy = array.own_copy;
    plan.copy_pitch = static_cast<float>(array.count + 1) * plan.pitch_x;
    plan.x += static_cast<float>(plan.own_copy) * plan.copy_pitch;
    plan.cell_height += text;  // the names of the blocks
}

}  // namespace lanescope::scene
