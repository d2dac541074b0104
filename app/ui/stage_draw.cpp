#include "ui/stage_draw.h"

#include <algorithm>
#include <cmath>

#include "ui/arrow_draw.h"

namespace lanescope::ui {

namespace {

constexpr float legend_px = 26;

struct CellColours {
    ImU32 fill, edge, text;
    float edge_px;
};

CellColours colours_of(const ShownCell& cell, bool as_colour) {
    const Theme& look = theme();
    CellColours colours{look.cell, look.cell_edge, cell.set ? look.text_quiet : look.cell_unset, 1};
    if (as_colour && cell.share >= 0) colours.fill = heat_colour(cell.share);
    if (!cell.mark) return colours;
    const bool written = cell.mark->written();
    colours = {written ? look.write : look.read, written ? look.write_edge : look.read_edge, look.text_strong,
               2};
    if (cell.mark->conflict) colours.edge = look.conflict;
    if (cell.mark->race) colours.edge = look.race;
    if (!cell.dimmed) return colours;
    colours.fill = blend(look.cell, colours.fill, 0.5f);
    colours.edge = blend(look.cell_edge, colours.edge, 0.4f);
    colours.text = look.text_quiet;
    colours.edge_px = 1;
    return colours;
}

// Written cells have a corner, read cells have none: the two differ without colour, too.
void draw_corner(ImDrawList* draw, const Rect& box, ImU32 colour, float size) {
    draw->AddTriangleFilled({box.right() - size, box.y}, {box.right(), box.y}, {box.right(), box.y + size},
                            colour);
}

// How often the cell is touched, when it is more than once by reads or by writes.
std::uint32_t times(const CellMark& mark) {
    return std::max(mark.reads, mark.writes + mark.atomics);
}

void draw_cell(const StagePicture& picture, const ArrayPlan& plan, const ShownCell& cell, const Rect& box) {
    const bool as_colour = plan.text.size < 0;
    const CellColours colours = colours_of(cell, as_colour);
    ImDrawList* draw = picture.draw;
    const float rounding = std::min(picture.shared.px(3), box.width / 6);
    const float edge = std::min(colours.edge_px * picture.shared.scale, box.width / 4);
    draw_cell_box(draw, box, colours.fill, colours.edge, edge, rounding);
    if (cell.mark && cell.mark->written())
        draw_corner(draw, box, colours.edge, std::min(box.width, box.height) * 0.26f);
    if (as_colour || cell.text.empty()) return;
    const auto size = static_cast<std::size_t>(plan.text.size);
    const float width = static_cast<float>(character_count(cell.text)) * cell_fonts().sizes[size].advance_px;
    draw_text(
        draw, cell_fonts().fonts[size],
        {box.x + (box.width - width) / 2, box.y + (box.height - cell_fonts().sizes[size].height_px) / 2},
        colours.text, cell.text);
}

void draw_badge(const StagePicture& picture, const Rect& box, std::uint32_t count) {
    ImFont* font = fonts().small;
    const std::string text = "×" + std::to_string(count);
    const float width = text_width(font, text) + picture.shared.px(6),
                height = font_size(font) - picture.shared.px(1);
    const Rect badge{std::round(box.x + (box.width - width) / 2), box.bottom() - picture.shared.px(4), width,
                     height};
    picture.draw->AddRectFilled(badge.min(), badge.max(), theme().background, picture.shared.px(3));
    draw_text_centred(picture.draw, font, badge, theme().text, text);
}

void draw_heat_cell(const StagePicture& picture, const ShownCell& cell, const Rect& box) {
    const CellColours colours = colours_of(cell, true);
    if (!cell.mark) {
        picture.draw->AddRectFilled(box.min(), box.max(), colours.fill);
        return;
    }
    picture.draw->AddRectFilled(box.min(), box.max(), colours.edge);
}

void draw_cells(const StagePicture& picture, const ArrayPlan& plan, const ShownArray& shown) {
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const float top = plan.row_y(plan.first_row + row);
        if (!picture.visible(top, top + plan.cell_height)) continue;
        for (std::uint64_t column = 0; column < plan.shown_columns; ++column) {
            const ShownCell& cell = shown.cells[row * plan.shown_columns + column];
            if (!cell.exists) break;
            const float x = plan.column_x(static_cast<double>(plan.first_column + column));
            const Rect box{x, picture.window_y(top), plan.cell_width, plan.cell_height};
            if (plan.form == Form::heat) {
                draw_heat_cell(picture, cell, box);
            } else {
                draw_cell(picture, plan, cell, box);
            }
        }
    }
}

// Counts at cells that many lanes touch; after the cells, so that no neighbour covers them.
void draw_badges(const StagePicture& picture) {
    for (const CellMark& mark : picture.model.scene().marks) {
        const ArrayPlan& plan = picture.model.layout().plans[mark.cell.array];
        const std::uint32_t count = times(mark);
        if (count < 3 || plan.form == Form::heat || plan.text.size < 0 || !plan.shows(mark.cell.index))
            continue;
        draw_badge(picture, picture.cell_rect(plan, mark.cell.index), count);
    }
}

void draw_label(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array, bool any_set) {
    ImDrawList* draw = picture.draw;
    const Shared& shared = picture.shared;
    const float width = plan.x - plan.label_x - shared.px(6);
    float y = picture.window_y(plan.y) + std::max(0.0f, (plan.cell_height - font_size(fonts().mono)) / 2);
    if (plan.form == Form::heat) y = picture.window_y(plan.y);
    draw_text_within(draw, fonts().mono, {plan.label_x, y}, theme().text, array.symbol->name, width);
    y += font_size(fonts().mono);
    draw_text_within(draw, fonts().small, {plan.label_x, y}, theme().text_quiet, array.detail(), width);
    y += font_size(fonts().small);
    std::string more;
    if (array.is_matrix())
        more = std::to_string(plan.rows) + " × " + std::to_string(plan.columns);
    else if (plan.shown_rows < plan.rows)
        more = grouped(array.count);
    if (plan.bottom - plan.y > shared.px(44) && !more.empty()) {
        draw_text_within(draw, fonts().small, {plan.label_x, y}, theme().text_faint, more, width);
        y += font_size(fonts().small);
    }
    if (any_set || array.use.touched() == false) return;
    const std::string note = "not written yet";
    const float cells_end = plan.x + plan.width() + shared.px(16);
    if (!array.is_matrix() && cells_end + text_width(fonts().small, note) < picture.inside.right()) {
        draw_text(draw, fonts().small,
                  {cells_end, centre_line(fonts().small, picture.window_y(plan.y), plan.cell_height)},
                  theme().text_quiet, note);
    } else if (plan.bottom - plan.y > shared.px(44)) {
        draw_text_within(draw, fonts().small, {plan.label_x, y}, theme().text_faint, note, width);
    }
}

// Index of the first cell of each row, where the label leaves room.
void draw_row_numbers(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array) {
    if (plan.form == Form::heat || plan.rows < 3 || array.is_matrix()) return;
    for (std::uint64_t row = plan.first_row; row < plan.first_row + plan.shown_rows; ++row) {
        const float top = plan.row_y(row);
        if (top < plan.y + picture.shared.px(50) || !picture.visible(top, top + plan.cell_height)) continue;
        const std::string text = std::to_string(row * plan.columns);
        const float x = picture.grid.cells_x - picture.shared.px(8) - text_width(fonts().small, text);
        draw_text(picture.draw, fonts().small,
                  {x, centre_line(fonts().small, picture.window_y(top), plan.cell_height)},
                  theme().text_faint, text);
    }
}

}  // namespace

const CellFonts& cell_fonts() {
    static CellFonts cell;
    cell.fonts = {fonts().mono_large, fonts().mono_medium, fonts().mono, fonts().mono_small,
                  fonts().mono_tiny};
    for (std::size_t i = 0; i < cell.fonts.size(); ++i)
        cell.sizes[i] = {text_width(cell.fonts[i], "0"), font_size(cell.fonts[i])};
    return cell;
}

Rect StagePicture::cell_rect(const ArrayPlan& plan, std::uint64_t index) const {
    return {plan.column_x(static_cast<double>(index % plan.columns)),
            window_y(plan.row_y(index / plan.columns)), plan.cell_width, plan.cell_height};
}

ImU32 heat_colour(float share) {
    // Dark to light blue-grey: brightness alone carries the order, for every eye and on a projector.
    if (share < 0) return theme().cell;
    return blend(IM_COL32(0x22, 0x2A, 0x36, 255), IM_COL32(0xA6, 0xB7, 0xCE, 255), share);
}

namespace {

constexpr const char* menu_gap = "   ";  // room for the triangle

void draw_menu_mark(float right, float y, const Shared& shared) {
    draw_triangle(ImGui::GetWindowDrawList(), Triangle::down, {right - shared.px(5), y}, shared.px(7),
                  theme().heading);
}

}  // namespace

bool menu_word(Heading& heading, const std::string& text, const Shared& shared) {
    const bool clicked = heading.word(text + menu_gap);
    draw_menu_mark(heading.left(), heading.middle(), shared);
    return clicked;
}

bool menu_word_right(Heading& heading, const std::string& text, const Shared& shared) {
    const float end = heading.right() - shared.px(12);
    const bool clicked = heading.word_right(text + menu_gap);
    draw_menu_mark(end, heading.middle(), shared);
    return clicked;
}

void draw_arrays(const StagePicture& picture) {
    const StageLayout& layout = picture.model.layout();
    for (const ArrayPlan& plan : layout.plans) {
        if (!picture.visible(plan.top, plan.bottom)) continue;
        const StageArray& array = picture.model.arrays()[plan.array];
        const ShownArray& shown = picture.model.shown()[plan.array];
        draw_label(picture, plan, array, shown.any_set);
        draw_row_numbers(picture, plan, array);
        draw_cells(picture, plan, shown);
    }
    draw_badges(picture);
}

void draw_cell_frame(const StagePicture& picture, const CellRef& cell) {
    if (cell.array >= picture.model.layout().plans.size()) return;
    const ArrayPlan& plan = picture.model.layout().plans[cell.array];
    if (!plan.shows(cell.index)) return;
    const Rect box = picture.cell_rect(plan, cell.index);
    const float out = picture.shared.px(1.5f);
    picture.draw->AddRect({box.x - out, box.y - out}, {box.right() + out, box.bottom() + out},
                          theme().text_strong, picture.shared.px(4), 0, picture.shared.px(2));
}

float legend_height(const Shared& shared) {
    return shared.px(legend_px);
}

void draw_legend(const StagePicture& picture) {
    const Theme& look = theme();
    const Shared& shared = picture.shared;
    float x = picture.grid.label_x + picture.grid.label_width;
    const float size = shared.px(11);
    // Below the cells, or over them at the bottom when they go on.
    const float strip = picture.inside.bottom();
    const float y = std::min(picture.window_y(picture.model.layout().legend_y), strip + shared.px(8));
    if (y == strip + shared.px(8))
        picture.draw->AddRectFilled({picture.inside.x, strip},
                                    {picture.inside.right(), strip + shared.px(legend_px)},
                                    theme().background);
    const auto entry = [&](ImU32 fill, ImU32 edge, bool corner, const std::string& text) {
        const Rect box{x, y, size, size};
        picture.draw->AddRectFilled(box.min(), box.max(), edge, shared.px(2));
        picture.draw->AddRectFilled({x + 1.5f, y + 1.5f}, {x + size - 1.5f, y + size - 1.5f}, fill,
                                    shared.px(2));
        if (corner) draw_corner(picture.draw, box, edge, size * 0.4f);
        x += size + shared.px(6);
        draw_text(picture.draw, fonts().small, {x, centre_line(fonts().small, y, size)}, look.text_quiet,
                  text);
        x += text_width(fonts().small, text) + shared.px(20);
    };
    entry(look.read, look.read_edge, false, "read in this step");
    entry(look.write, look.write_edge, true, "written in this step");
    if (picture.model.scene().any_conflict) entry(look.cell, look.conflict, false, "bank conflict");
    if (picture.model.scene().any_race) entry(look.cell, look.race, false, "race");
    std::string note;
    if (picture.model.one_warp_bright())
        note = "bright: warp " + std::to_string(picture.focus_thread / trace::warp_size);
    if (picture.model.arrows().left_out)
        note += (note.empty() ? "framed: t" : ", framed: t") + std::to_string(picture.focus_thread);
    if (picture.model.scene().links_left_out) note = "too many values move in this step for arrows";
    draw_text(picture.draw, fonts().small, {x, centre_line(fonts().small, y, size)}, look.text_faint, note);
}

}  // namespace lanescope::ui
