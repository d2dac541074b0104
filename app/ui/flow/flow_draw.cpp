#include "ui/flow/flow_draw.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/flow/flow_words.h"
#include "ui/kit/origin_colour.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

ImVec2 on_curve(const std::array<ImVec2, 4>& p, float t) {
    const float s = 1 - t, w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    ImVec2 at{0, 0};
    for (std::size_t i = 0; i < p.size(); ++i)
        at.x += w[i] * p[i].x, at.y += w[i] * p[i].y;
    return at;
}

ImU32 hue(std::uint32_t number) {
    constexpr float golden = 0.618034f;
    float r = 0, g = 0, b = 0;
    ImGui::ColorConvertHSVtoRGB(std::fmod(0.08f + golden * float(number), 1.0f), 0.62f, 0.95f, r, g, b);
    return ImGui::ColorConvertFloat4ToU32({r, g, b, 1});
}

// Text of a cell in the largest font that fits.
ImFont* fitting(const std::string& text, const Rect& box, std::initializer_list<ImFont*> fonts_by_size,
                const WindowState& window) {
    for (ImFont* font : fonts_by_size)
        if (text_width(font, text) <= box.width - window.px(font == fonts().mono_tiny ? 1.5f : 3) &&
            (font != fonts().mono_medium ||
             box.height > (window.lecture ? font_size(font) + font_size(fonts().mono_small) : window.px(46))))
            return font;
    return nullptr;
}

void draw_centred_at(ImDrawList* draw, ImFont* font, const Rect& box, float y, ImU32 colour,
                     const std::string& text) {
    draw_text(draw, font, {box.x + (box.width - text_width(font, text)) / 2, y}, colour, text);
}

class Painter {
  public:
    explicit Painter(const FlowPicture& picture)
        : picture_(picture),
          grid_(picture.grid),
          figure_(picture.grid.figure()),
          light_(picture.light),
          window_(picture.window),
          draw_(ImGui::GetWindowDrawList()) {}

    void rows() const;
    void numbers() const;
    void links() const;
    void cells() const;

  private:
    void link(const scene::FlowLink& link, bool lit) const;
    bool passes_cells(const scene::FlowLink& link) const;
    void beside_cells(const scene::FlowLink& link, ImVec2 from, ImVec2 to, ImU32 colour, float width) const;
    void cell(std::uint32_t row, std::uint32_t slot, const scene::FlowCell& cell, bool written) const;
    void fold(std::uint32_t row, std::uint32_t slot, const scene::FlowItem* item) const;
    void sign(const Rect& box, const char* sign) const;

    const FlowPicture& picture_;
    const FlowGrid& grid_;
    const scene::FlowFigure& figure_;
    const FlowLight& light_;
    const WindowState& window_;
    ImDrawList* draw_;
};

void Painter::rows() const {
    const Rect area = grid_.rows_area();
    const float line = font_size(fonts().small), height = grid_.row_px();
    for (std::uint32_t row = grid_.first_row(); row < grid_.end_row(); ++row) {
        const float y = grid_.y_of(row);
        const bool now = picture_.current == row;
        if (widgets_are_named())
            name_widget("row " + std::to_string(row) + " " + figure_.rows[row].title,
                        {area.x, y - height / 2, area.width, height});
        if (now)
            draw_->AddRectFilled({area.x, y - height / 2}, {area.right(), y + height / 2}, theme().selected,
                                 window_.px(4));
        const bool two = height > 2.2f * line;
        const float x = area.x + window_.px(12), width = grid_.titles_px() - window_.px(20);
        draw_text_within(draw_, now ? fonts().strong : fonts().text, {x, y - (two ? line : line / 2)},
                         now ? theme().text_strong : theme().text_quiet, figure_.rows[row].title, width);
        if (!two) continue;
        draw_text_within(draw_, fonts().small, {x, y + window_.px(2)}, theme().text_faint,
                         figure_.rows[row].facts, width);
        if (figure_.rows[row].conflict > 1 && height > 3.4f * line)
            draw_text_within(draw_, fonts().small, {x, y + window_.px(2) + line}, theme().conflict,
                             std::to_string(figure_.rows[row].conflict) + "-way bank conflict", width);
    }
}

// The numbers of the columns, above them.
void Painter::numbers() const {
    if (grid_.layout() == FlowLayout::tree) return;
    const Rect area = grid_.rows_area(), cells = grid_.cells_area();
    draw_->AddRectFilled({area.x, area.y}, {area.right(), cells.y}, theme().background);
    draw_text_within(draw_, fonts().small,
                     {area.x + window_.px(12), centre_line(fonts().small, area.y, cells.y - area.y)},
                     theme().text_faint, figure_.array.name, grid_.titles_px() - window_.px(20));
    ImFont* font = fonts().mono_tiny;
    const float height = cells.y - area.y;
    const std::uint32_t own = figure_.first_own;
    const float widest = text_width(font, std::to_string(figure_.columns)) + window_.px(6);
    const auto every =
        grid_.equal_slots() ? std::max(1u, std::uint32_t(std::ceil(widest / grid_.column_px()))) : 1u;
    draw_->PushClipRect({cells.x, area.y}, {cells.right(), cells.y}, true);
    for (std::uint32_t slot = grid_.first_slot(); slot < grid_.end_slot(); ++slot) {
        const std::int64_t column = grid_.slots().column_in(own, slot);
        const scene::FlowSlot& place = grid_.slots().slots()[slot];
        const float width = grid_.slot_px(slot);
        const Rect box{grid_.x_of(own, slot) - width / 2, area.y, width, height};
        if (place.folded()) {
            const std::string text = "+" + std::to_string(place.count);
            draw_text_centred(draw_, text_width(font, text) <= box.width ? font : fonts().mono_tiny, box,
                              theme().accent, text);
            if (widgets_are_named()) name_widget("fold " + std::to_string(slot), box);
        } else if (column >= 0 && column < std::int64_t{figure_.columns} && column % every == 0) {
            draw_text_centred(draw_, font, box, theme().text_faint, std::to_string(column));
        }
    }
    draw_->PopClipRect();
}

void Painter::link(const scene::FlowLink& link, bool lit) const {
    const Rect area = grid_.cells_area();
    const float top = grid_.y_of(link.from_row) + grid_.cell_height() / 2,
                bottom = grid_.y_of(link.to_row) - grid_.cell_height() / 2;
    if (bottom < area.y || top > area.bottom()) return;
    const float x0 = grid_.x_of(link.from_row, link.from_slot), x1 = grid_.x_of(link.to_row, link.to_slot);
    if (std::max(x0, x1) < area.x || std::min(x0, x1) > area.right()) return;
    const bool fine = grid_.column_px() >= window_.px(5);
    const scene::FlowItem* end = grid_.slots().item(link.to_row, link.to_slot);
    ImU32 colour = link.copy ? theme().read_edge : theme().write_edge;
    if (lit)
        colour = theme().barrier;
    else if (light_.on() || (end != nullptr && !end->used))
        colour = faded(colour, 0.35f);
    else if (!fine)
        colour = faded(colour, 0.6f);
    const float width = window_.px(lit ? 2.4f : link.edges > 1 ? 2.0f : fine ? 1.2f : 0.8f);
    if (fine && passes_cells(link)) return beside_cells(link, {x0, top}, {x1, bottom}, colour, width);
    const float bend = (bottom - top) * 0.5f;
    const ImVec2 a{x0, top}, b{x0, top + bend}, c{x1, bottom - bend}, d{x1, bottom};
    if (!fine || (!link.copy && std::abs(x0 - x1) < 1)) {
        draw_->AddLine(a, d, colour, width);
    } else if (link.copy) {
        constexpr int dashes = 7;
        for (int i = 0; i < dashes; ++i) {
            const float from = float(i) / dashes, to = from + 0.6f / dashes;
            draw_->AddLine(on_curve({a, b, c, d}, from), on_curve({a, b, c, d}, to), colour, width);
        }
    } else {
        draw_->AddBezierCubic(a, b, c, d, colour, width, grid_.column_px() > window_.px(20) ? 14 : 8);
    }
}

// Whether a straight line would run through cells of rows in between, as if the result were made of those.
bool Painter::passes_cells(const scene::FlowLink& link) const {
    const float from = grid_.x_of(link.from_row, link.from_slot), to = grid_.x_of(link.to_row, link.to_slot);
    for (std::uint32_t row = link.from_row + 1; row < link.to_row; ++row)
        if (std::abs(from - to) < grid_.column_px() / 2 && grid_.slots().item(row, link.to_slot) != nullptr)
            return true;
    return false;
}

// In the gap on the right of the cells that it passes.
void Painter::beside_cells(const scene::FlowLink& link, ImVec2 from, ImVec2 to, ImU32 colour,
                           float width) const {
    const float half = grid_.cell_height() / 2, gap = from.x + grid_.column_px() / 2;
    const float begin = grid_.y_of(link.from_row + 1) - half, end = grid_.y_of(link.to_row - 1) + half;
    to.x += grid_.cell_width() / 4;  // beside the line of the cell above
    draw_->PathLineTo(from);
    draw_->PathBezierCubicCurveTo({from.x, begin}, {gap, from.y}, {gap, begin}, 10);
    draw_->PathLineTo({gap, end});
    draw_->PathBezierCubicCurveTo({gap, to.y}, {to.x, end}, to, 10);
    draw_->PathStroke(colour, 0, width);
}

void Painter::links() const {
    const scene::FlowSlots& slots = grid_.slots();
    const auto end_row = std::min<std::uint32_t>(grid_.end_row() + slots.longest_link(),
                                                 static_cast<std::uint32_t>(figure_.rows.size()));
    for (int pass = 0; pass < (light_.on() ? 2 : 1); ++pass)  // what is lit lies above
        for (std::uint32_t row = grid_.first_row(); row < end_row; ++row)
            for (const scene::FlowItem& item : slots.items(row))
                for (std::uint32_t i = item.first_link; i < item.end_link; ++i)
                    if (light_.link(i) == (pass == 1)) link(slots.links()[i], pass == 1);
}

void Painter::cell(std::uint32_t row, std::uint32_t slot, const scene::FlowCell& cell, bool written) const {
    const Rect box = grid_.box_of(row, slot);
    if (written && widgets_are_named())
        name_widget("cell " + std::to_string(row) + " " + figure_.name(row, cell.column), box);
    const bool lit = light_.slot(row, slot);
    const bool pale = (light_.on() && !lit) || (written && !cell.used);
    const ImU32 own = flow_colour_of(cell, picture_.colour);
    ImU32 fill = written ? blend(theme().cell, own, picture_.colour == FlowColour::origin ? 0.8f : 0.28f)
                         : theme().cell;
    ImU32 edge = written ? own : theme().cell_edge;
    if (lit) edge = theme().barrier;
    if (pale) fill = blend(theme().background, fill, 0.5f), edge = blend(theme().background, edge, 0.4f);
    if (box.width < window_.px(7)) {
        draw_->AddRectFilled(box.min(), box.max(), lit ? theme().barrier : written ? edge : fill);
        return;
    }
    draw_cell_box(draw_, box, fill, edge, window_.px(lit ? 2.0f : 1.2f), theme().rounding);
    if (box.width >= window_.px(13))
        draw_flow_text(box, cell, fill,
                       pale      ? theme().text_faint
                       : written ? theme().text_strong
                                 : theme().text_quiet,
                       lit    ? theme().barrier
                       : pale ? theme().text_faint
                              : theme().text_quiet,
                       window_);
    if (written && !analysis::is_copy(cell.op) && cell.first_edge != cell.end_edge &&
        grid_.row_px() > box.height + window_.px(14) && box.width >= window_.px(15))
        sign(box, analysis::sign_of(cell.op));
}

// A run of columns: how many of them the row writes.
void Painter::fold(std::uint32_t row, std::uint32_t slot, const scene::FlowItem* item) const {
    Rect box = grid_.box_of(row, slot);
    const bool lit = light_.slot(row, slot);
    if (item == nullptr) {
        draw_text_centred(draw_, fonts().mono_small, box, theme().text_faint, "…");
        return;
    }
    const bool pale = (light_.on() && !lit) || !item->used;
    const ImU32 edge =
        lit ? theme().barrier : blend(theme().background, theme().write_edge, pale ? 0.4f : 0.8f);
    const ImU32 fill =
        blend(theme().background, blend(theme().cell, theme().write_edge, 0.16f), pale ? 0.5f : 1.0f);
    for (int i = 2; i >= 0; --i) {  // like a pile of cells
        const float off = window_.px(2.5f) * float(i - 1);
        const Rect card{box.x + off, box.y - off, box.width, box.height};
        draw_cell_box(draw_, card, fill, edge, window_.px(lit ? 2.0f : 1.0f), theme().rounding);
    }
    const std::string text = std::to_string(item->end_cell - item->first_cell) + "×";
    if (ImFont* font = fitting(text, box, {fonts().mono_small, fonts().mono_tiny}, window_))
        draw_text_centred(draw_, font, box, legible(pale ? theme().text_faint : theme().text, fill), text);
}

// The operator, on the upper edge of its result.
void Painter::sign(const Rect& box, const char* sign) const {
    ImFont* font = fonts().mono_tiny;
    const float width = text_width(font, sign), height = font_size(font), pad = window_.px(2);
    const float x = box.x + (box.width - width) / 2, y = box.y - height * 0.75f;
    draw_->AddRectFilled({x - pad, y}, {x + width + pad, y + height}, theme().background, pad);
    draw_text(draw_, font, {x, y}, theme().text_quiet, sign);
}

void Painter::cells() const {
    const bool all = window_.flow.layout == FlowLayout::rows && grid_.cell_width() >= window_.px(3);
    const bool tree = grid_.layout() == FlowLayout::tree;
    const scene::FlowSlots& slots = grid_.slots();
    const std::uint32_t first = grid_.first_slot(), end = tree ? slots.count() : grid_.end_slot();
    for (std::uint32_t row = grid_.first_row(); row < grid_.end_row(); ++row)
        for (std::uint32_t slot = tree ? 0 : first; slot < end; ++slot) {
            const scene::FlowItem* item = slots.item(row, slot);
            if (slots.slots()[slot].folded()) {
                if (item != nullptr || (all && figure_.is_own(row))) fold(row, slot, item);
            } else if (item != nullptr) {
                cell(row, slot, figure_.rows[row].cells[item->first_cell], true);
            } else if (all && figure_.is_own(row)) {
                const std::int64_t column = slots.column_in(row, slot);
                const scene::FlowCell* seen = column >= 0 && column < std::int64_t{figure_.columns}
                                                  ? figure_.seen(row, std::uint32_t(column))
                                                  : nullptr;
                if (seen != nullptr) cell(row, slot, *seen, false);
            }
        }
}

}  // namespace

FlowColour resolved_flow_colour(const scene::FlowFigure& figure, const WindowState& window) {
    if (window.flow.colour != FlowColour::automatic) return window.flow.colour;
    return figure.operations == 0 && figure.matrices() ? FlowColour::origin : FlowColour::writes;
}

ImU32 flow_colour_of(const scene::FlowCell& cell, FlowColour colour) {
    switch (colour) {
        case FlowColour::warp:
            return hue(cell.thread / trace::warp_size + cell.block * 7);
        case FlowColour::thread:
            return hue(cell.thread);
        case FlowColour::origin:
            if (cell.origin_x < 0) return theme().off_edge;
            return origin_colour(cell.origin_x, cell.origin_y);
        case FlowColour::automatic:
        case FlowColour::writes:
            break;
    }
    return theme().write_edge;
}

void draw_flow(const FlowPicture& picture) {
    const Painter painter(picture);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Rect area = picture.grid.rows_area(), cells = picture.grid.cells_area();
    draw->PushClipRect({area.x, cells.y}, area.max(), true);
    painter.rows();
    draw->PushClipRect({cells.x - picture.window.px(4), cells.y}, cells.max(), true);
    painter.links();
    painter.cells();
    draw->PopClipRect();
    draw->PopClipRect();
    painter.numbers();
    draw_scroll_mark(cells, picture.grid.scroll(), picture.grid.content_height(), picture.window);
}

void draw_flow_text(const Rect& box, const scene::FlowCell& cell, ImU32 surface, ImU32 colour,
                    ImU32 label_colour, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    colour = legible(colour, surface), label_colour = legible(label_colour, surface);
    std::string label;
    if (window.flow.label == FlowLabel::inputs)
        label = cell.updates > 1 && cell.range == "–" ? std::to_string(cell.updates) + "×" : cell.range;
    else if (window.flow.label == FlowLabel::thread)
        label = "t" + std::to_string(cell.thread);
    const std::string& first = cell.text.empty() ? label : cell.text;
    const std::string second = cell.text.empty() ? std::string() : label;
    ImFont* large = fitting(
        first, box, {fonts().mono_medium, fonts().mono, fonts().mono_small, fonts().mono_tiny}, window);
    ImFont* small =
        second.empty() ? nullptr : fitting(second, box, {fonts().mono_small, fonts().mono_tiny}, window);
    const bool both = large && small && box.height >= font_size(large) + font_size(small) * 0.9f;
    const float height = both ? font_size(large) + font_size(small) * 0.85f : large ? font_size(large) : 0;
    const float y = box.y + (box.height - height) / 2;
    if (large && height <= box.height + window.px(4)) draw_centred_at(draw, large, box, y, colour, first);
    if (both) draw_centred_at(draw, small, box, y + font_size(large) * 0.92f, label_colour, second);
}

void draw_flow_legend(const Rect& legend, const scene::FlowFigure& figure, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = legend.x + window.px(12), width = legend.width - window.px(24);
    draw_text_within(draw, fonts().text, {x, legend.y + window.px(4)}, theme().text,
                     scene::flow_work_words(figure), width);
    if (window.lecture) return;  // the lecturer says it
    std::string words = "line: operand · dashed: copy · pale: nothing at the end is made of it";
    if (window.flow.label == FlowLabel::inputs) words += " · small: the inputs in a cell";
    words +=
        " · point at a cell: what it is made of · click: the step that wrote it · right click: all its "
        "writes and reads";
    if (!figure.note.empty()) words = figure.note + " · " + words;
    draw_text_within(draw, fonts().small, {x, legend.y + window.px(25)}, theme().text_faint, words, width);
}

}  // namespace lanescope::ui
