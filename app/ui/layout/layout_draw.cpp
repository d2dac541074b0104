#include "ui/layout/layout_draw.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "ui/kit/origin_colour.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float gap_px = 28, edge_px = 14, largest_cell = 64, largest_zoom = 16;
constexpr float widest = 2.4f, tallest = 1.25f;  // a cell's width over its height, and the other way round

// Four neighbours have one hue and four brightnesses.
ImU32 colour_of(const scene::LayoutGrid& grid, std::uint16_t colour) {
    const float groups = std::max(1.0f, float(grid.colours) / 4 - 1);
    return origin_colour(float(colour / 4) / groups, float(colour % 4) / 3);
}

// The most rows of the grids with each place_row.
std::vector<std::uint32_t> rows_of_places(const scene::LayoutFigure& figure) {
    std::vector<std::uint32_t> rows;
    for (const scene::LayoutGrid& grid : figure.grids) {
        if (grid.place_row >= rows.size()) rows.resize(grid.place_row + 1, 0);
        rows[grid.place_row] = std::max(rows[grid.place_row], grid.rows);
    }
    return rows;
}

// Above the cells: title, facts, numbers of the columns.
float head_height(const WindowState& window) {
    return font_size(fonts().strong) + font_size(fonts().small) * 2 + window.px(8);
}

// The largest font in which the text fits. Digits are lower than their line.
ImFont* fitting(const std::string& text, const Rect& box) {
    for (ImFont* font : {fonts().mono_medium, fonts().mono, fonts().mono_small, fonts().mono_tiny})
        if (text_width(font, text) <= box.width && font_size(font) * 0.75f <= box.height) return font;
    return nullptr;
}

}  // namespace

float LayoutPlaces::margin_of(const scene::LayoutGrid& grid, const WindowState& window) const {
    float widest_name = text_width(fonts().mono_small, std::to_string(grid.first_row + grid.rows));
    for (const std::string& name : grid.row_names)
        widest_name = std::max(widest_name, text_width(fonts().mono_small, name));
    return widest_name + window.px(8);
}

// The largest cells with which all grids fit.
void LayoutPlaces::arrange(const scene::LayoutFigure& figure, const Rect& inside, const WindowState& window) {
    inside_ = inside;
    places_.assign(figure.grids.size(), {});
    std::map<std::uint32_t, float> margins;
    std::map<std::uint32_t, std::uint32_t> columns, rows, grids;  // by column of the figure
    for (const scene::LayoutGrid& grid : figure.grids) {
        const std::uint32_t at = grid.place_column;
        margins[at] = std::max(margins[at], margin_of(grid, window));
        columns[at] = std::max(columns[at], grid.columns);
        rows[at] += grid.rows;
        ++grids[at];
    }
    const float edge = window.px(edge_px), gap = window.px(gap_px), head = head_height(window);
    float free_width = inside.width - 2 * edge - gap * float(columns.empty() ? 0 : columns.size() - 1);
    std::uint32_t all_columns = 0;
    for (const auto& [at, margin] : margins)
        free_width -= margin, all_columns += columns[at];
    if (figure.aligned) {  // as one column of the highest grids
        const std::vector<std::uint32_t> highest = rows_of_places(figure);
        rows = {{0u, std::accumulate(highest.begin(), highest.end(), 0u)}};
        grids = {{0u, static_cast<std::uint32_t>(highest.size())}};
    }
    float height = window.px(largest_cell);
    for (const auto& [at, count] : grids)
        height = std::min(height, (inside.height - edge - head * float(count) - gap / 2 * float(count - 1)) /
                                      float(std::max(1u, rows[at])));
    float width = free_width / float(std::max(1u, all_columns));
    const float most = window.px(largest_cell);
    height = std::clamp(std::min(height, width * tallest), 2.0f, most);
    width = std::clamp(std::min(width, height * widest), 2.0f, most * 1.5f);
    cell_width_ = width * zoom_;
    cell_height_ = height * zoom_;
    stack(figure, window);
    pan_x_ = std::clamp(pan_x_, std::min(0.0f, inside.width - 2 * edge - width_), 0.0f);
    pan_y_ = std::clamp(pan_y_, std::min(0.0f, inside.height - edge - height_), 0.0f);
    const float centred = std::max(0.0f, (inside.width - 2 * edge - width_) / 2);
    for (Place& place : places_) {
        place.cells.x = std::round(place.cells.x + inside.x + edge + pan_x_ + centred);
        place.cells.y = std::round(place.cells.y + inside.y + pan_y_);
    }
}

void LayoutPlaces::stack(const scene::LayoutFigure& figure, const WindowState& window) {
    const float gap = window.px(gap_px), head = head_height(window);
    std::uint32_t last = 0;
    for (const scene::LayoutGrid& grid : figure.grids)
        last = std::max(last, grid.place_column);
    float x = 0;
    width_ = height_ = 0;
    std::vector<float> tops;  // of grids that begin at one height
    float top = 0;
    for (const std::uint32_t rows : rows_of_places(figure)) {
        tops.push_back(top);
        top += head + float(rows) * cell_height_ + gap / 2;
    }
    for (std::uint32_t column = 0; column <= last; ++column) {
        float margin = 0, wide = 0;
        for (const scene::LayoutGrid& grid : figure.grids) {
            if (grid.place_column != column) continue;
            margin = std::max(margin, margin_of(grid, window));
            wide = std::max(wide, float(grid.columns) * cell_width_);
        }
        float y = 0;
        for (std::size_t i = 0; i < figure.grids.size(); ++i) {
            const scene::LayoutGrid& grid = figure.grids[i];
            if (grid.place_column != column) continue;
            Place& place = places_[i];
            if (figure.aligned) y = tops[grid.place_row];
            place.margin = margin;
            place.width = wide + margin + gap * 0.7f;
            place.cells = {x + margin, y + head, float(grid.columns) * cell_width_,
                           float(grid.rows) * cell_height_};
            y = place.cells.bottom() + gap / 2;
        }
        height_ = std::max(height_, y - gap / 2);
        x += margin + wide + gap;
    }
    width_ = std::max(0.0f, x - gap);
}

void LayoutPlaces::navigate(const WindowState& window) {
    if (window.still || !hovered(inside_, window)) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0) {
        const float wanted = std::clamp(zoom_ * std::pow(1.2f, io.MouseWheel), 1.0f, largest_zoom);
        const float x = io.MousePos.x - inside_.x, y = io.MousePos.y - inside_.y;
        pan_x_ = x - (x - pan_x_) * wanted / zoom_;
        pan_y_ = y - (y - pan_y_) * wanted / zoom_;
        zoom_ = wanted;
    }
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) {
        pan_x_ += io.MouseDelta.x;
        pan_y_ += io.MouseDelta.y;
    }
}

Rect LayoutPlaces::box_of(const Place& place, std::uint32_t row, std::uint32_t column) const {
    const float gap = std::max(0.5f, std::min(cell_width_, cell_height_) * 0.03f);
    return {place.cells.x + float(column) * cell_width_ + gap,
            place.cells.y + float(row) * cell_height_ + gap, cell_width_ - 2 * gap, cell_height_ - 2 * gap};
}

const scene::LayoutCell* LayoutPlaces::cell_at(const scene::LayoutFigure& figure, ImVec2 mouse) const {
    for (std::size_t i = 0; i < places_.size() && i < figure.grids.size(); ++i) {
        const Rect& box = places_[i].cells;
        if (mouse.x < box.x || mouse.x >= box.right() || mouse.y < box.y || mouse.y >= box.bottom()) continue;
        return figure.grids[i].at(std::uint32_t((mouse.y - box.y) / cell_height_),
                                  std::uint32_t((mouse.x - box.x) / cell_width_));
    }
    return nullptr;
}

// Title, facts, and the numbers of rows and columns that have room.
void LayoutPlaces::draw_names(const scene::LayoutGrid& grid, const Place& place,
                              const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float top = place.cells.y - head_height(window) + window.px(2), left = place.cells.x - place.margin;
    const float width = std::min(place.width, inside_.right() - left - window.px(4));
    const bool conflict = grid.facts.find("-way bank conflict") != std::string::npos;
    draw_text_within(draw, fonts().strong, {left, top}, theme().text_strong, grid.title, width);
    draw_text_within(draw, fonts().small, {left, top + font_size(fonts().strong)},
                     conflict ? legible(theme().conflict, theme().background) : theme().text_quiet,
                     grid.facts, width);
    const float numbers = place.cells.y - font_size(fonts().mono_tiny) - window.px(1);
    const float room =
        text_width(fonts().mono_tiny, std::to_string(grid.first_column + grid.columns)) + window.px(5);
    const auto every = std::max(1u, std::uint32_t(std::ceil(room / cell_width_)));
    for (std::uint32_t column = 0; column < grid.columns; column += every) {
        const Rect box = box_of(place, 0, column);
        const std::string text = std::to_string(grid.first_column + column);
        const float x = box.x + (box.width - text_width(fonts().mono_tiny, text)) / 2;
        draw_text(draw, fonts().mono_tiny, {x, numbers}, theme().text_faint, text);
    }
    const float line = font_size(fonts().mono_small);
    const auto each = std::max(1u, std::uint32_t(std::ceil(line * 0.95f / cell_height_)));
    for (std::uint32_t row = 0; row < grid.rows; row += each) {
        const Rect box = box_of(place, row, 0);
        const std::string text =
            row < grid.row_names.size() ? grid.row_names[row] : std::to_string(grid.first_row + row);
        draw_text(draw, fonts().mono_small,
                  {place.cells.x - window.px(5) - text_width(fonts().mono_small, text),
                   centre_line(fonts().mono_small, box.y, box.height)},
                  theme().text_faint, text);
    }
}

void LayoutPlaces::draw_cells(const scene::LayoutGrid& grid, const Place& place,
                              const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool some_used = std::any_of(grid.cells.begin(), grid.cells.end(),
                                       [](const scene::LayoutCell& cell) { return cell.used; });
    const bool all_used = std::all_of(grid.cells.begin(), grid.cells.end(),
                                      [](const scene::LayoutCell& cell) { return cell.used; });
    const bool fine = std::min(cell_width_, cell_height_) < window.px(7);
    if (!fine) draw_absent(grid, place);
    for (const scene::LayoutCell& cell : grid.cells) {
        const Rect box = box_of(place, cell.row, cell.column);
        if (box.bottom() < inside_.y || box.y > inside_.bottom() || box.right() < inside_.x ||
            box.x > inside_.right())
            continue;
        ImU32 fill = colour_of(grid, cell.colour);
        const bool quiet = some_used && !cell.used;
        if (quiet) fill = blend(theme().background, fill, 0.45f);
        const bool framed = cell.conflict || (cell.used && !all_used);
        draw->AddRectFilled(box.min(), box.max(), fill);
        if (framed)
            draw->AddRect(box.min(), box.max(), cell.conflict ? theme().conflict : theme().text_strong, 0, 0,
                          fine ? 1 : window.px(1.8f));
        if (!fine) draw_text_of(cell, box, fill, quiet);
    }
    for (const scene::LayoutPatch& patch : grid.patches) {
        const Rect first = box_of(place, patch.row, patch.column);
        const Rect all{first.x, first.y, cell_width_ * float(patch.columns),
                       cell_height_ * float(patch.rows)};
        ImFont* font = fitting(patch.text, all);
        if (font == nullptr || (!fine && fitting(patch.text, first) != nullptr)) continue;
        draw_text_centred(draw, font, all, legible(theme().text_strong, colour_of(grid, patch.colour)),
                          patch.text);
    }
}

// The places that hold nothing.
void LayoutPlaces::draw_absent(const scene::LayoutGrid& grid, const Place& place) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 fill = blend(theme().background, theme().cell_edge, 0.22f);
    auto next = grid.cells.begin();
    for (std::uint32_t row = 0; row < grid.rows; ++row)
        for (std::uint32_t column = 0; column < grid.columns; ++column) {
            if (next != grid.cells.end() && next->row == row && next->column == column) {
                ++next;
                continue;
            }
            const Rect box = box_of(place, row, column);
            draw->AddRectFilled(box.min(), box.max(), fill);
        }
}

// The longest of its texts that fits.
void LayoutPlaces::draw_text_of(const scene::LayoutCell& cell, const Rect& box, ImU32 fill,
                                bool quiet) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 ink = legible(quiet ? theme().text_quiet : theme().text_strong, fill);
    ImFont* font = fitting(cell.text, box);
    const bool whole = font != nullptr;
    const std::string& text = whole ? cell.text : cell.brief;
    if (!whole) font = fitting(text, box);
    if (font == nullptr) return;
    ImFont* small = fonts().mono_tiny;
    const bool both = !cell.more.empty() && !(whole && cell.text.ends_with(cell.more)) &&
                      text_width(small, cell.more) <= box.width &&
                      box.height >= (font_size(font) + font_size(small)) * 0.85f;
    const float height = font_size(font) + (both ? font_size(small) * 0.8f : 0);
    const float y = box.y + (box.height - height) / 2;
    draw_text(draw, font, {box.x + (box.width - text_width(font, text)) / 2, y}, ink, text);
    if (both)
        draw_text(draw, small,
                  {box.x + (box.width - text_width(small, cell.more)) / 2, y + font_size(font) * 0.85f}, ink,
                  cell.more);
}

void LayoutPlaces::draw(const scene::LayoutFigure& figure, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(inside_.min(), inside_.max(), true);
    for (std::size_t i = 0; i < places_.size() && i < figure.grids.size(); ++i) {
        if (widgets_are_named()) name_widget("grid " + figure.grids[i].title, places_[i].cells);
        draw_names(figure.grids[i], places_[i], window);
        draw_cells(figure.grids[i], places_[i], window);
    }
    draw->PopClipRect();
}

}  // namespace lanescope::ui
