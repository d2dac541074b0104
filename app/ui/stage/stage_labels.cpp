// Names of arrays: left of rows of lanes, above matrices and bars.
#include <algorithm>

#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

constexpr const char* not_written = "not written yet";

// Draws the names of a structure's members beside the first row.
void draw_field_names(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array) {
    const std::vector<std::string> names = stacked_names(picture.trace.program.types, array.symbol->element);
    if (plan.lines < 2 || names.empty()) return;
    const float line = cell_fonts().sizes[static_cast<std::size_t>(plan.text.size)].height_px;
    float y = picture.window_y(plan.row_y(plan.first_row)) +
              (plan.cell_height - line * static_cast<float>(plan.lines)) / 2;
    for (const std::string& name : names) {
        const float width = std::min(text_width(fonts().small, name), picture.window.px(44));
        draw_text_within(picture.draw, fonts().small,
                         {plan.x - picture.window.px(6) - width, centre_line(fonts().small, y, line)},
                         theme().text_quiet, name, width + 1);
        y += line;
    }
}

// Draws the index of the first cell of each row, if the label leaves room.
void draw_row_numbers(const StagePicture& picture, const ArrayPlan& plan) {
    if (plan.form == Form::heat || plan.rows < 3) return;
    for (std::uint64_t row = plan.first_row; row < plan.first_row + plan.shown_rows; ++row) {
        const float top = plan.row_y(row);
        const bool free = top >= plan.y + picture.window.px(50);
        if (row == 0 || !free || !picture.visible(top, top + plan.cell_height)) continue;
        const std::string text = std::to_string(plan.index_at(row, 0));
        const float x = picture.grid.cells_x - picture.window.px(8) - text_width(fonts().small, text);
        draw_text(picture.draw, fonts().small,
                  {x, centre_line(fonts().small, picture.window_y(top), plan.cell_height)},
                  theme().text_faint, text);
    }
}

// "shared · 32 B" in one line. If that is too long: in two where there is room for them, else without the
// size.
std::vector<std::string> detail_lines(const std::string& detail, float width_px, bool room) {
    constexpr std::string_view separator = " · ";
    const std::size_t at = detail.find(separator);
    if (at == detail.npos || text_width(fonts().small, detail) <= width_px) return {detail};
    if (!room) return {detail.substr(0, at)};
    return {detail.substr(0, at), detail.substr(at + separator.size())};
}

void draw_label_left(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array,
                     bool note_wanted) {
    ImDrawList* draw = picture.draw;
    const WindowState& window = picture.window;
    const float width = plan.left() - plan.label_x - window.px(6);
    float y = picture.window_y(plan.y) + std::max(0.0f, (plan.cell_height - font_size(fonts().mono)) / 2);
    if (plan.form == Form::heat) y = picture.window_y(plan.y);
    if (plan.form == Form::bars)  // beside the ground that the bars stand on
        y = picture.window_y(plan.y) + plan.bar_top + plan.bar_height - font_size(fonts().mono);
    draw_text_within(draw, fonts().mono, {plan.label_x, y}, theme().text, array.symbol->name, width);
    y += font_size(fonts().mono);
    const bool room = plan.bottom - plan.y > window.px(44);
    for (const std::string& part : detail_lines(array.detail(), width, room)) {
        draw_text_within(draw, fonts().small, {plan.label_x, y}, theme().text_quiet, part, width);
        y += font_size(fonts().small);
    }
    const std::string more = plan.folded() ? grouped(array.count) : array.used_text();
    if (room && !more.empty()) {
        draw_text_within(draw, fonts().small, {plan.label_x, y}, theme().text_faint, more, width);
        y += font_size(fonts().small);
    }
    if (!note_wanted) return;
    const float cells_end = plan.right() + window.px(16);
    if (cells_end + text_width(fonts().small, not_written) < picture.inside.right()) {
        draw_text(draw, fonts().small,
                  {cells_end, centre_line(fonts().small, picture.window_y(plan.y), plan.cell_height)},
                  theme().text_quiet, not_written);
    } else if (room) {
        const char* const words = text_width(fonts().small, not_written) <= width ? not_written : "unwritten";
        draw_text_within(draw, fonts().small, {plan.label_x, y}, theme().text_faint, words, width);
    }
}

// Draws "mask · constant · 5 × 5" in one line; returns nothing that does not fit.
void draw_label_above(const StagePicture& picture, const ArrayPlan& plan, const std::string& name,
                      const std::string& detail, float right) {
    const float y = picture.window_y(plan.top), line = picture.window.px(18);
    float x = plan.label_x;
    draw_text_within(picture.draw, fonts().mono, {x, centre_line(fonts().mono, y, line)}, theme().text, name,
                     right - x);
    x += text_width(fonts().mono, name) + picture.window.px(8);
    if (right - x < picture.window.px(20)) return;
    draw_text_within(picture.draw, fonts().small, {x, centre_line(fonts().small, y, line)},
                     theme().text_quiet, detail, right - x);
}

// One line for an array that the block does not touch, and those that follow it.
void draw_unused(const StagePicture& picture, const ArrayPlan& first) {
    const std::vector<StageArray>& arrays = picture.model.arrays();
    std::string names, detail = arrays[first.array].detail() + " · ";
    for (const ArrayPlan& plan : picture.model.layout().plans) {
        if (plan.form != Form::line || plan.array < first.array) continue;
        if (plan.array != first.array && !plan.joined) break;
        if (!names.empty()) detail.clear();
        names += (names.empty() ? "" : ", ") + arrays[plan.array].symbol->name;
    }
    draw_label_above(picture, first, names, detail + "not used by this block", picture.inside.right());
}

// Returns where the space of a name above its cells ends: at the next array on its right, or at the panel's
// end.
float label_end(const StagePicture& picture, const ArrayPlan& plan) {
    float end = picture.inside.right();
    for (const ArrayPlan& other : picture.model.layout().plans) {
        const bool beside = other.top < plan.bottom && plan.top < other.bottom;
        if (other.flows && beside && other.label_x > plan.label_x) end = std::min(end, other.label_x);
    }
    return end - picture.window.px(8);
}

}  // namespace

void draw_label(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array, bool any_set) {
    const bool note = !any_set && array.use.touched();
    if (plan.form == Form::line) {
        if (!plan.joined) draw_unused(picture, plan);
    } else if (plan.flows) {
        std::string detail = array.shape_text() + " · " + array.detail();
        if (const std::string used = array.used_text(); !used.empty()) detail += " · " + used;
        if (note) detail += std::string(" · ") + not_written;
        draw_label_above(picture, plan, array.symbol->name, detail, label_end(picture, plan));
    } else {
        draw_label_left(picture, plan, array, note);
        draw_row_numbers(picture, plan);
        draw_field_names(picture, plan, array);
    }
}

}  // namespace lanescope::ui
