// Values that travel along the arrows of a step.
#include <algorithm>
#include <cmath>

#include "scene/stage/step_motion.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

constexpr std::size_t most_values = 400;  // more could not be followed with the eye

// The path of the arrow between two cells, from middle to middle.
TravelPath path(const StagePicture& picture, const ArrayPlan& from_plan, const Rect& from, const Rect& to,
                bool same_row) {
    const ImVec2 start{from.x + from.width / 2, from.y + from.height / 2},
        end{to.x + to.width / 2, to.y + to.height / 2};
    if (same_row) {
        const float height = picture.arc_height(from_plan, (end.x - start.x) / from_plan.pitch_x);
        const float rise = (from.height / 2 + height) * 4 / 3;  // as draw_arc()
        return {start, {start.x, start.y - rise}, {end.x, end.y - rise}, end};
    }
    const float reach = (end.y - start.y) / 2;
    return {start, {start.x, start.y + reach}, {end.x, end.y - reach}, end};
}

const ShownCell* shown_cell(const StagePicture& picture, const ArrayPlan& plan, std::uint64_t index) {
    if (plan.form == Form::heat || plan.text.size < 0 || !plan.shows(index)) return nullptr;
    const std::uint64_t row = plan.row_of(index) - plan.first_row, column = plan.column_of(index);
    if (column < plan.first_column || column >= plan.first_column + plan.shown_columns) return nullptr;
    const std::vector<ShownCell>& cells = picture.model.shown()[plan.array].cells;
    const std::uint64_t at = row * plan.shown_columns + column - plan.first_column;
    return at < cells.size() ? &cells[at] : nullptr;
}

}  // namespace

ImVec2 TravelPath::at(float t) const {
    const float s = 1 - t;
    const float a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return {a * from.x + b * from_control.x + c * to_control.x + d * to.x,
            a * from.y + b * from_control.y + c * to_control.y + d * to.y};
}

void draw_travelling(ImDrawList* draw, ImFont* font, ImVec2 middle, const std::string& text,
                     const WindowState& window) {
    const float width = text_width(font, text) + window.px(6), height = font_size(font);
    const Rect box{std::round(middle.x - width / 2), std::round(middle.y - height / 2), width, height};
    draw->AddRectFilled(box.min(), box.max(), theme().read_edge, window.px(3));
    draw_text_centred(draw, font, box, theme().background, text);
}

double age_of_motion(StepMotion& motion, const session::Session& session, const WindowState& window) {
    if (window.motion.at_s >= 0) return window.motion.at_s;
    const session::StepState& step_state = *session.playhead().step_state();
    motion.show({session.runner().generation(), session.playhead().steps().size(), step_state.index,
                 step_state.instruction, session.playhead().stands_before()},
                window.now_s, window.moves());
    return motion.age(window.now_s);
}

void draw_motion(const StagePicture& picture) {
    if (picture.age_s >= travel_s) return;
    const std::vector<Link>& links = picture.model.scene().links;
    if (links.size() > most_values) return;
    const auto share = static_cast<float>(travelled(picture.age_s));
    for (const Link& link : links) {
        const ArrayPlan& from_plan = picture.model.layout().plans[link.from.array];
        const ArrayPlan& to_plan = picture.model.layout().plans[link.to.array];
        const ShownCell* cell = shown_cell(picture, from_plan, link.from.index);
        if (cell == nullptr || shown_cell(picture, to_plan, link.to.index) == nullptr) continue;
        const Rect from = picture.cell_rect(from_plan, link.from.index),
                   to = picture.cell_rect(to_plan, link.to.index);
        const bool same_row = link.from.array == link.to.array &&
                              from_plan.row_of(link.from.index) == to_plan.row_of(link.to.index);
        const ImVec2 middle = path(picture, from_plan, from, to, same_row).at(share);
        const std::string& value = cell->before.empty() ? cell->text : cell->before;
        const std::string text = value.substr(0, value.find('\n'));
        ImFont* font = cell_fonts().fonts[static_cast<std::size_t>(from_plan.text.size)];
        draw_travelling(picture.draw, font, middle, text, picture.window);
    }
}

}  // namespace lanescope::ui
