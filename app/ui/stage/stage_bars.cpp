// Bars of the stage: one for each cell, with its value above it and its name below it.
#include <algorithm>

#include "base/text.h"
#include "ui/kit/widget_log.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

struct BarColours {
    ImU32 fill, cap, edge, text;
};

BarColours bar_colours(const ShownCell& cell) {
    const Theme& look = theme();
    if (!cell.mark) return {blend(look.cell, look.text_quiet, 0.55f), 0, look.text_quiet, look.text};
    const bool written = cell.mark->written();
    const ImU32 edge = cell.mark->race       ? look.race
                       : cell.mark->conflict ? look.conflict
                       : written             ? look.write_edge
                                             : look.read_edge;
    const ImU32 fill = blend(written ? look.write : look.read, edge, 0.5f);
    const float dim = cell.dimmed ? 0.5f : 0;
    return {blend(fill, look.cell, dim), blend(blend(edge, look.text_strong, 0.55f), look.cell, dim),
            blend(edge, look.cell, dim), look.text_strong};
}

// Where bars of one array stand, in window coordinates.
struct BarScale {
    float top = 0, height = 0;  // of the longest bar
    float zero = 0;             // share of the value 0
    float y(float share) const { return std::round(top + height * (1 - std::clamp(share, 0.0f, 1.0f))); }
};

void draw_bar(const StagePicture& picture, const Rect& box, const BarScale& scale, const ShownCell& cell) {
    const BarColours colours = bar_colours(cell);
    const float zero = scale.y(scale.zero), end = scale.y(cell.share);
    const float top = std::min(zero, end), bottom = std::max(std::max(zero, end), top + 1);
    const float rounding = std::min(picture.window.px(2), box.width / 6);
    picture.draw->AddRectFilled({box.x, top}, {box.right(), bottom}, colours.fill, rounding);
    if (cell.before_share >= 0 && cell.mark && cell.before_share != cell.share) {
        const float before = scale.y(cell.before_share);
        picture.draw->AddRectFilled({box.x, std::min(before, end)}, {box.right(), std::max(before, end)},
                                    colours.cap, rounding);
    }
    if (cell.mark)
        picture.draw->AddRect({box.x, top}, {box.right(), bottom}, colours.edge, rounding, 0,
                              picture.window.px(1.5f));
}

void draw_bar_text(const StagePicture& picture, const ArrayPlan& plan, const Rect& box, const BarScale& scale,
                   const ShownCell& cell) {
    if (plan.text.size < 0) return;
    const float line = plan.bar_top;
    const float top = std::min(scale.y(scale.zero), cell.set ? scale.y(cell.share) : scale.y(scale.zero));
    const auto size = static_cast<std::size_t>(plan.text.size);
    const Rect above{box.x - 20, top - line, box.width + 40, line};
    draw_text_centred(picture.draw, cell_fonts().fonts[size], above, bar_colours(cell).text, cell.text);
    if (cell.gain.empty() || !cell.mark || cell.mark->atomics + cell.mark->writes < 2) return;
    // Several threads met in this bar: how much they added, beside the value.
    const float width = text_width(fonts().small, cell.gain);
    const float x = box.x + box.width / 2 +
                    static_cast<float>(character_count(cell.text)) * cell_fonts().sizes[size].advance_px / 2 +
                    picture.window.px(3);
    if (x + width < box.x + plan.pitch_x + picture.window.px(4))
        draw_text(picture.draw, fonts().small, {x, centre_line(fonts().small, above.y, line)},
                  theme().write_edge, cell.gain);
}

// Names that would overlap are left out: only each second, third, … bar is named.
std::uint64_t named_each(const ArrayPlan& plan, const StageArray& array) {
    float widest = text_width(fonts().small, std::to_string(array.count - 1));
    for (const std::string& label : array.labels)
        widest = std::max(widest, text_width(fonts().small, label));
    return static_cast<std::uint64_t>(std::max(1.0f, std::ceil((widest + 4) / plan.pitch_x)));
}

// The bars of one block from `left` on. `owner`: its name as a prefix, if it is not the shown block.
void draw_copy(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array,
               const std::vector<ShownCell>& cells, const BarScale& scale, float left,
               const std::string& owner) {
    const float base = scale.y(scale.zero);
    const std::uint64_t each = named_each(plan, array);
    picture.draw->AddLine({left, base}, {left + plan.width(), base}, theme().cell_edge, picture.window.px(1));
    for (std::uint64_t i = 0; i < cells.size(); ++i) {
        const ShownCell& cell = cells[i];
        const float x = left + plan.column_x(static_cast<double>(i)) - plan.x;
        const Rect box{x, picture.window_y(plan.y), plan.cell_width, plan.cell_height};
        if (cell.set) draw_bar(picture, box, scale, cell);
        draw_bar_text(picture, plan, box, scale, cell);
        const std::string name = i < array.labels.size() ? array.labels[i] : std::to_string(i);
        const Rect below{box.x - 20, scale.top + scale.height, box.width + 40, plan.bar_top};
        if (i % each == 0)
            draw_text_centred(picture.draw, fonts().small, below,
                              cell.mark ? theme().text : theme().text_faint, name);
        if (widgets_are_named())
            name_widget("cell " + owner + array.symbol->name + "[" + std::to_string(i) + "]", box);
    }
}

}  // namespace

void draw_bars(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array,
               const ShownArray& shown) {
    const BarScale scale{picture.window_y(plan.y) + plan.bar_top, plan.bar_height, shown.zero_share};
    for (std::uint32_t i = 0; i < plan.copies; ++i) {
        const bool own = i == plan.own_copy || i >= shown.copies.size();
        const float left = plan.left() + static_cast<float>(i) * plan.copy_pitch;
        const std::string block = plan.copies > 1 ? "block " + std::to_string(array.copies[i]) : "";
        draw_copy(picture, plan, array, own ? shown.cells : shown.copies[i], scale, left,
                  own ? "" : block + " ");
        const Rect below{left, scale.top + scale.height + plan.bar_top, plan.width(), plan.bar_top};
        draw_text_centred(picture.draw, fonts().small, below, own ? theme().text : theme().text_quiet, block);
    }
}

}  // namespace lanescope::ui
