#include "ui/stage/stage_draw.h"

#include <algorithm>
#include <cmath>

#include "base/language.h"
#include "base/text.h"
#include "ui/kit/arrow_draw.h"
#include "ui/kit/origin_colour.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

namespace {

constexpr float legend_px = 26;
constexpr float faded_share = 0.6f;  // of the colours of cells whose values are not read again

struct CellColours {
    ImU32 fill, edge, text;
    float edge_px;
};

// How much of the colour of its value a cell has: all, or a tint below the value of a matrix.
constexpr float whole_colour = 1, tint = 0.35f;

ImU32 origin_of(const InputPlace& place) {
    return origin_colour(place.column, place.row);
}

// The colour of a cell whose origin is known; of several inputs, the mean of the first and the last.
ImU32 origin_fill(const CellOrigin& origin) {
    if (origin.kind == CellOrigin::Kind::one) return origin_of(origin.first);
    return blend(origin_of(origin.first), origin_of(origin.last), 0.5f);
}

bool has_origin(const ShownCell& cell) {
    return cell.origin.kind == CellOrigin::Kind::one || cell.origin.kind == CellOrigin::Kind::several;
}

// Fills a cell of the colour of its inputs, whatever the step does with it.
CellColours coloured_by_origin(const ShownCell& cell, CellColours colours) {
    if (cell.hidden) return colours;
    if (cell.origin.kind == CellOrigin::Kind::unknown) {
        colours.fill = theme().off_edge;
    } else if (has_origin(cell)) {
        colours.fill = origin_fill(cell.origin);
        colours.text = theme().text_strong;
        if (!cell.mark) colours.edge = colours.fill;
    }
    return colours;
}

CellColours colours_of(const ShownCell& cell, float value_colour, bool origins) {
    const Theme& look = theme();
    CellColours colours{look.cell, look.cell_edge, cell.set ? look.text_quiet : look.cell_unset, 1};
    if (origins && !cell.mark) return coloured_by_origin(cell, colours);
    if (value_colour > 0 && cell.share >= 0) {
        colours.fill = blend(look.cell, heat_colour(cell.share), value_colour);
        if (value_colour < 1) colours.text = look.text;
    }
    if (cell.faded && value_colour < whole_colour) {  // a colour that is the value stays
        colours.fill = blend(look.background, colours.fill, faded_share);
        colours.edge = blend(look.background, colours.edge, faded_share);
        colours.text = blend(look.background, colours.text, faded_share);
    }
    if (!cell.mark) return colours;
    const bool written = cell.mark->written();
    if (cell.hidden) return {look.panel_raised, look.write_edge, look.write_edge, 2};  // a closed box
    colours = {written ? look.write : look.read, written ? look.write_edge : look.read_edge, look.text_strong,
               2};
    if (cell.mark->conflict) colours.edge = look.conflict;
    if (cell.mark->race) colours.edge = look.race;
    if (origins) {
        colours.fill = look.cell;
        colours = coloured_by_origin(cell, colours);
        if (cell.dimmed) colours.edge = colours.fill, colours.edge_px = 1;
        return colours;
    }
    if (!cell.dimmed) return colours;
    colours.fill = blend(look.cell, colours.fill, 0.5f);
    colours.edge = blend(look.cell_edge, colours.edge, 0.4f);
    colours.text = look.text_quiet;
    colours.edge_px = 1;
    return colours;
}

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

// Written cells have a corner, read cells have none, so that they differ even without colour.
void draw_corner(ImDrawList* draw, const Rect& box, ImU32 colour, float size) {
    draw->AddTriangleFilled({box.right() - size, box.y}, {box.right(), box.y}, {box.right(), box.y + size},
                            colour);
}

// Returns how often the cell is read or written, whichever is more.
std::uint32_t times(const CellMark& mark) {
    return std::max(mark.reads, mark.writes + mark.atomics);
}

// Draws a written cell while its new value is on its way: the old one, which fades into the new one.
void draw_arriving(const StagePicture& picture, ImFont* font, const ShownCell& cell, const Rect& box,
                   const CellColours& colours) {
    draw_corner(picture.draw, box, colours.edge, std::min(box.width, box.height) * 0.26f);
    const auto arrived = static_cast<float>(faded_in(picture.age_s));
    const std::string old = !cell.before.empty() ? cell.before : cell.was_set ? cell.text : "?";
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    if (arrived < 1)
        draw_text_centred(picture.draw, font, box, faded(theme().text_quiet, 1 - arrived), first_line(old));
    if (arrived > 0)
        draw_text_centred(picture.draw, font, box, faded(colours.text, arrived), first_line(cell.text));
}

// A copy into the cell is under way.
void draw_pending(const StagePicture& picture, const Rect& box) {
    draw_hatching(picture.draw, box, faded(theme().write_edge, 0.7f), picture.window.px(6));
    picture.draw->AddRect(box.min(), box.max(), theme().write_edge, 0, 0, 1);
}

void draw_cell(const StagePicture& picture, const ArrayPlan& plan, const ShownCell& cell, const Rect& box,
               ChangeForm form) {
    const bool as_colour = plan.text.size < 0;
    const bool origins = picture.model.shows_origins();
    CellColours colours = colours_of(cell, as_colour ? whole_colour : plan.flows ? tint : 0, origins);
    colours.text = legible(colours.text, colours.fill);
    ImDrawList* draw = picture.draw;
    const float rounding = std::min(picture.window.px(3), box.width / 6);
    const float edge = std::min(colours.edge_px * picture.window.scale, box.width / 4);
    draw_cell_box(draw, box, colours.fill, colours.edge, edge, rounding);
    if (cell.pending) draw_pending(picture, box);
    if (origins && !cell.hidden && cell.origin.kind == CellOrigin::Kind::several) {
        const ImU32 left = origin_of(cell.origin.first), right = origin_of(cell.origin.last);
        draw->AddRectFilledMultiColor({box.x + edge, box.y + edge}, {box.right() - edge, box.bottom() - edge},
                                      left, right, right, left);
    }
    const auto size = static_cast<std::size_t>(std::max(plan.text.size, 0));
    ImFont* font = cell_fonts().fonts[size];
    const bool moves = picture.age_s < motion_s && cell.mark && cell.mark->written() && !cell.hidden;
    if (moves && !as_colour) return draw_arriving(picture, font, cell, box, colours);
    const bool change = !cell.before.empty() && !as_colour && form != ChangeForm::after;
    if (change)
        draw_change(draw, font, box, cell.before, cell.text, legible(theme().text_quiet, colours.fill),
                    colours.text, form);
    // Without room for "3→?" the old value has a small question mark in the corner.
    const bool only_before = cell.hidden && !cell.before.empty() && !change;
    const float text_top = box.y + (box.height - cell_fonts().sizes[size].height_px) / 2;
    if (only_before)
        draw_text(draw, fonts().mono_tiny,
                  {box.right() - text_width(fonts().mono_tiny, "?") - 1,
                   std::min(box.y - picture.window.px(1), text_top - font_size(fonts().mono_tiny))},
                  legible(colours.edge, colours.fill), "?");
    else if (cell.mark && cell.mark->written())
        draw_corner(draw, box, colours.edge, std::min(box.width, box.height) * 0.26f);
    const std::string& text = only_before ? cell.before : cell.text;
    if (as_colour || text.empty() || change) return;
    const float line_height = cell_fonts().sizes[size].height_px;
    float y = box.y + (box.height - line_height * static_cast<float>(lines_of(text))) / 2;
    for (std::size_t at = 0; at < text.size(); y += line_height) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        const float width = static_cast<float>(character_count(line)) * cell_fonts().sizes[size].advance_px;
        draw_text(draw, font, {box.x + (box.width - width) / 2, y}, colours.text, line);
        at = end + 1;
    }
}

void draw_badge(const StagePicture& picture, const Rect& box, std::uint32_t count) {
    ImFont* font = fonts().small;
    const std::string text = "×" + std::to_string(count);
    const float width = text_width(font, text) + picture.window.px(6),
                height = font_size(font) - picture.window.px(1);
    const Rect badge{std::round(box.x + (box.width - width) / 2), box.bottom() - picture.window.px(4), width,
                     height};
    picture.draw->AddRectFilled(badge.min(), badge.max(), theme().background, picture.window.px(3));
    draw_text_centred(picture.draw, font, badge, theme().text, text);
}

// One texel for each cell: many thousand rectangles of a few pixels would take longer than all other drawing.
void draw_heat(const StagePicture& picture, const ArrayPlan& plan, const ShownArray& shown) {
    const bool origins = picture.model.shows_origins();
    std::vector<std::uint32_t> texels(shown.cells.size(), 0);
    for (std::size_t i = 0; i < shown.cells.size(); ++i) {
        const ShownCell& cell = shown.cells[i];
        if (!cell.exists) continue;
        const CellColours colours = colours_of(cell, whole_colour, origins);
        texels[i] = cell.pending ? theme().write : cell.mark && !origins ? colours.edge : colours.fill;
    }
    if (picture.heat.size() <= plan.array) picture.heat.resize(plan.array + 1);
    render::Texture& texture = picture.heat[plan.array];
    const auto rows = static_cast<float>(plan.shown_rows);
    if (texels.empty() ||
        !texture.set(static_cast<int>(plan.shown_columns), static_cast<int>(plan.shown_rows), texels))
        return;
    const float left = plan.column_x(static_cast<double>(plan.first_column)),
                right = plan.column_x(static_cast<double>(plan.first_column + plan.shown_columns - 1)) +
                        plan.cell_width;
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const float top = plan.row_y(plan.first_row + row);
        if (!picture.visible(top, top + plan.cell_height)) continue;
        const float y = picture.window_y(top), v = (static_cast<float>(row) + 0.5f) / rows;
        picture.draw->AddImage(imgui_texture(texture.name()), {left, y}, {right, y + plan.cell_height},
                               {0, v}, {1, v});
    }
    // Gaps between columns.
    if (plan.cell_width >= plan.pitch_x) return;
    const float top = picture.window_y(plan.row_y(plan.first_row)),
                bottom =
                    picture.window_y(plan.row_y(plan.first_row + plan.shown_rows - 1)) + plan.cell_height;
    for (float x = left + plan.pitch_x; x < right; x += plan.pitch_x)
        picture.draw->AddRectFilled({x - (plan.pitch_x - plan.cell_width), top}, {x, bottom},
                                    theme().background);
}

void draw_cells(const StagePicture& picture, const ArrayPlan& plan, const ShownArray& shown,
                ChangeForm form) {
    if (plan.form == Form::heat) return draw_heat(picture, plan, shown);
    if (plan.form == Form::bars) return draw_bars(picture, plan, picture.model.arrays()[plan.array], shown);
    const std::string& name = picture.model.arrays()[plan.array].symbol->name;
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const float top = plan.row_y(plan.first_row + row);
        if (!picture.visible(top, top + plan.cell_height)) continue;
        for (std::uint64_t column = 0; column < plan.shown_columns; ++column) {
            const ShownCell& cell = shown.cells[row * plan.shown_columns + column];
            if (!cell.exists) continue;
            const float x = plan.column_x(static_cast<double>(plan.first_column + column));
            const Rect box{x, picture.window_y(top), plan.cell_width, plan.cell_height};
            draw_cell(picture, plan, cell, box, form);
            if (widgets_are_named())
                name_widget(
                    "cell " + name + "[" +
                        std::to_string(plan.index_at(plan.first_row + row, plan.first_column + column)) + "]",
                    box);
        }
    }
}

// The form in which all written cells have room for their values before and after.
ChangeForm change_form(const StagePicture& picture) {
    ChangeForms forms;
    for (const ArrayPlan& plan : picture.model.layout().plans) {
        if (plan.form != Form::cells || plan.text.size < 0) continue;
        ImFont* font = cell_fonts().fonts[static_cast<std::size_t>(plan.text.size)];
        const Rect box{0, 0, plan.cell_width, plan.cell_height};
        for (const ShownCell& cell : picture.model.shown()[plan.array].cells)
            if (!cell.before.empty()) forms.add(font, box, cell.before, cell.text);
    }
    return forms.best();
}

// Draws counts at cells that many lanes access; after the cells, so that no neighbour covers a count.
void draw_badges(const StagePicture& picture) {
    for (const CellMark& mark : picture.model.scene().marks) {
        const ArrayPlan& plan = picture.model.layout().plans[mark.cell.array];
        const std::uint32_t count = times(mark);
        if (count < 3 || (mark.atomics >= 2 && plan.queue_room > 0) || plan.form == Form::heat ||
            plan.form == Form::bars || plan.text.size < 0 || !plan.shows(mark.cell.index))
            continue;
        const std::uint64_t row = plan.row_of(mark.cell.index);
        const float number =
            (plan.cell_height - cell_fonts().sizes[static_cast<std::size_t>(plan.text.size)].height_px) / 2;
        const bool over_number =
            plan.shows_row(row + 1) &&
            plan.pitch_y - plan.cell_height + number < font_size(fonts().small) - picture.window.px(5);
        if (!over_number) draw_badge(picture, picture.cell_rect(plan, mark.cell.index), count);
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
    return {plan.column_x(static_cast<double>(plan.column_of(index))),
            window_y(plan.row_y(plan.row_of(index))), plan.cell_width, plan.cell_height};
}

ImU32 heat_colour(float share) {
    // From dark to light blue-grey: brightness alone shows the order, to every eye and on a projector.
    if (share < 0) return theme().cell;
    return blend(theme().cell, theme().text_quiet, share);
}

namespace {

constexpr const char* menu_gap = "   ";  // room for the triangle

void draw_menu_mark(float right, float y, const WindowState& window) {
    draw_triangle(ImGui::GetWindowDrawList(), Triangle::down, {right - window.px(5), y}, window.px(7),
                  theme().heading);
}

}  // namespace

bool menu_word(Heading& heading, const std::string& text, const WindowState& window) {
    const bool clicked = heading.word(text + menu_gap);
    draw_menu_mark(heading.left(), heading.middle(), window);
    return clicked;
}

bool menu_word_right(Heading& heading, const std::string& text, const WindowState& window) {
    const float end = heading.right() - window.px(12);
    const bool clicked = heading.word_right(text + menu_gap);
    if (heading.right() < end) draw_menu_mark(end, heading.middle(), window);
    return clicked;
}

void draw_arrays(const StagePicture& picture) {
    const StageLayout& layout = picture.model.layout();
    const ChangeForm form = change_form(picture);
    for (const ArrayPlan& plan : layout.plans) {
        if (!picture.visible(plan.top, plan.bottom)) continue;
        const StageArray& array = picture.model.arrays()[plan.array];
        const ShownArray& shown = picture.model.shown()[plan.array];
        draw_label(picture, plan, array, shown.any_set);
        if (plan.form != Form::line) draw_cells(picture, plan, shown, form);
    }
    draw_badges(picture);
}

void draw_cell_frame(const StagePicture& picture, const CellRef& cell) {
    if (cell.array >= picture.model.layout().plans.size()) return;
    const ArrayPlan& plan = picture.model.layout().plans[cell.array];
    if (!plan.shows(cell.index)) return;
    const Rect box = picture.cell_rect(plan, cell.index);
    const float out = picture.window.px(1.5f);
    picture.draw->AddRect({box.x - out, box.y - out}, {box.right() + out, box.bottom() + out},
                          theme().text_strong, picture.window.px(4), 0, picture.window.px(2));
}

namespace {

bool shows_any(const StagePicture& picture, bool ShownArray::*what) {
    const std::vector<ShownArray>& shown = picture.model.shown();
    return std::any_of(shown.begin(), shown.end(), [&](const ShownArray& each) { return each.*what; });
}

// The scale of inputs, and what has no place on it. Returns where the next entry begins.
float draw_origin_legend(const StagePicture& picture, float x, float y, float size) {
    const WindowState& window = picture.window;
    const float width = window.px(72);
    constexpr int parts = 24;
    for (int i = 0; i < parts; ++i) {
        const float left = x + width * static_cast<float>(i) / parts;
        picture.draw->AddRectFilled({left, y}, {left + width / parts + 0.5f, y + size},
                                    origin_colour((static_cast<float>(i) + 0.5f) / parts, 0.6f));
    }
    x += width + window.px(6);
    const auto word = [&](const std::string& text) {
        if (x + text_width(fonts().small, text) > picture.inside.right()) return;
        draw_text(picture.draw, fonts().small, {x, centre_line(fonts().small, y, size)}, theme().text_quiet,
                  text);
        x += text_width(fonts().small, text) + window.px(20);
    };
    const bool several = shows_any(picture, &ShownArray::any_several);
    word(several ? "inputs of the value, first to last" : "input of the value");
    if (shows_any(picture, &ShownArray::any_unknown)) {
        picture.draw->AddRectFilled({x, y}, {x + size, y + size}, theme().off_edge, window.px(2));
        x += size + window.px(6);
        word("not known");
    }
    return x;
}

}  // namespace

float legend_height(const StageModel& model, const WindowState& window) {
    const int more = (model.overlays().block().words.empty() ? 0 : 1) + (model.in_clusters() ? 1 : 0);
    return window.px(legend_px + static_cast<float>(more) * (legend_px - 6));
}

namespace {

// What the step does in other blocks' shared memory, which no panel shows.
void draw_remote(const StagePicture& picture, float x, float y) {
    const Theme& look = theme();
    const WindowState& window = picture.window;
    const float size = window.px(11);
    for (const RemoteUse& use : picture.model.scene().remote) {
        const bool load = use.kind == trace::AccessKind::load;
        const std::string text = std::string(load                                   ? "reads "
                                             : use.kind == trace::AccessKind::store ? "writes "
                                                                                    : "updates ") +
                                 use.text;
        const ImU32 edge = load ? look.read_edge : look.write_edge;
        const float middle = y + size / 2;
        picture.draw->AddLine({x, middle}, {x + window.px(14), middle}, edge, window.px(1.5f));
        draw_triangle(picture.draw, load ? Triangle::left : Triangle::right,
                      {load ? x + window.px(3) : x + window.px(12), middle}, window.px(7), edge);
        x += window.px(20);
        draw_text_within(picture.draw, fonts().small, {x, centre_line(fonts().small, y, size)}, look.text,
                         text, picture.inside.right() - x - window.px(8));
        x += text_width(fonts().small, text) + window.px(20);
        if (x > picture.inside.right()) return;
    }
    if (picture.model.scene().remote.empty())
        draw_text_within(picture.draw, fonts().small, {x, centre_line(fonts().small, y, size)},
                         look.text_faint, "no access to the shared memory of another block",
                         picture.inside.right() - x - window.px(8));
}

}  // namespace

void draw_legend(const StagePicture& picture) {
    const Theme& look = theme();
    const WindowState& window = picture.window;
    float x = picture.grid.label_x + picture.grid.label_width;
    const float size = window.px(11);
    // Below the cells, or over their lower end if they go on.
    const float strip = picture.inside.bottom();
    const float y = std::min(picture.window_y(picture.model.layout().legend_y), strip + window.px(8));
    if (y == strip + window.px(8))
        picture.draw->AddRectFilled({picture.inside.x, strip},
                                    {picture.inside.right(), strip + legend_height(picture.model, window)},
                                    theme().background);
    draw_text_within(picture.draw, fonts().small, {x, y + window.px(legend_px - 7)}, look.text_quiet,
                     picture.model.overlays().block().words, picture.inside.right() - x);
    if (picture.model.in_clusters()) {
        const int line = picture.model.overlays().block().words.empty() ? 1 : 2;
        draw_remote(picture, x, y + static_cast<float>(line) * window.px(legend_px - 6));
    }
    const auto entry = [&](ImU32 fill, ImU32 edge, bool corner, const std::string& text) {
        const Rect box{x, y, size, size};
        if (x + size + window.px(6) + text_width(fonts().small, text) > picture.inside.right()) return;
        picture.draw->AddRectFilled(box.min(), box.max(), edge, window.px(2));
        picture.draw->AddRectFilled({x + 1.5f, y + 1.5f}, {x + size - 1.5f, y + size - 1.5f}, fill,
                                    window.px(2));
        if (corner) draw_corner(picture.draw, box, edge, size * 0.4f);
        x += size + window.px(6);
        draw_text(picture.draw, fonts().small, {x, centre_line(fonts().small, y, size)}, look.text_quiet,
                  text);
        x += text_width(fonts().small, text) + window.px(20);
    };
    entry(look.read, look.read_edge, false,
          picture.before ? tr("read by this step") : tr("read in this step"));
    entry(look.write, look.write_edge, true,
          picture.before ? tr("written by this step") : tr("written in this step"));
    if (picture.model.shows_origins()) x = draw_origin_legend(picture, x, y, size);
    if (shows_any(picture, &ShownArray::any_pending)) {
        const Rect box{x, y, size, size};
        entry(look.cell, look.write_edge, false, tr("copy under way"));
        if (x != box.x) draw_pending(picture, box);
    }
    if (shows_any(picture, &ShownArray::any_faded))
        entry(blend(look.background, look.cell, faded_share), look.text_faint, false, tr("not read again"));
    if (picture.model.scene().any_conflict) entry(look.cell, look.conflict, false, tr("bank conflict"));
    if (picture.model.scene().any_race) entry(look.cell, look.race, false, tr("race"));
    std::string note;
    if (picture.model.one_warp_bright())
        note = tr("bright: warp {1}", {std::to_string(picture.focus_thread / trace::warp_size)});
    if (picture.model.arrows().left_out)
        note +=
            std::string(note.empty() ? "" : ", ") + tr("framed: t") + std::to_string(picture.focus_thread);
    if (picture.model.scene().links_left_out) note = tr("too many values move in this step to draw arrows");
    const float text_y = centre_line(fonts().small, y, size);
    draw_text_within(picture.draw, fonts().small, {x, text_y}, look.text_faint, note,
                     picture.inside.right() - x - window.px(8));
    if (!note.empty()) x += text_width(fonts().small, note) + window.px(20);
    draw_text_within(picture.draw, fonts().small, {x, text_y}, look.text, picture.story,
                     picture.inside.right() - x - window.px(8));
}

}  // namespace lanescope::ui
