#include "ui/flow/flow_matrices.h"

#include <algorithm>
#include <cmath>

#include "ui/flow/flow_draw.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float head_height = 40, gap_px = 26, edge_px = 14, largest_matrix_cell = 44;
constexpr float largest_matrix_zoom = 40;

}  // namespace

void FlowMatrices::fit() {
    zoom_ = 1;
    pan_x_ = pan_y_ = 0;
}

std::uint32_t FlowMatrices::width_of(std::uint32_t row) const {
    const std::uint32_t width = figure_->rows[row].width;
    return width > 1 ? width : ~0u;
}

// All of the array itself; of the others what is read or written.
void FlowMatrices::choose_parts() {
    if (parted_ == figure_) return;
    parted_ = figure_;
    parts_.assign(figure_->rows.size(), {});
    for (std::uint32_t row = 0; row < parts_.size(); ++row) {
        Part& part = parts_[row];
        const std::uint32_t width = width_of(row);
        if (figure_->is_own(row)) {
            part.columns = width;
            part.rows = (figure_->columns + width - 1) / width;
            continue;
        }
        std::uint32_t right = 0, bottom = 0;
        part.left = part.top = ~0u;
        for (const scene::FlowCell& cell : figure_->rows[row].cells) {
            part.left = std::min(part.left, cell.column % width);
            part.top = std::min(part.top, cell.column / width);
            right = std::max(right, cell.column % width);
            bottom = std::max(bottom, cell.column / width);
        }
        part.columns = right - part.left + 1;
        part.rows = bottom - part.top + 1;
    }
}

// As many matrices side by side as make the cells largest.
void FlowMatrices::place(float width, float height, const WindowState& window) {
    const float head = window.px(head_height), gap = window.px(gap_px);
    const auto count = static_cast<std::uint32_t>(parts_.size());
    float best = 0;
    std::uint32_t beside = 1;
    for (std::uint32_t n = 1; n <= count; ++n) {
        float columns = 0, rows = 0;
        for (std::uint32_t first = 0; first < count; first += n) {
            float wide = 0, high = 0;
            for (std::uint32_t i = first; i < std::min(first + n, count); ++i) {
                wide += float(parts_[i].columns);
                high = std::max(high, float(parts_[i].rows));
            }
            columns = std::max(columns, wide);
            rows += high;
        }
        const float lines = std::ceil(float(count) / float(n));
        const float cell = std::min((width - gap * float(n - 1)) / columns,
                                    (height - head * lines - gap / 2 * (lines - 1)) / rows);
        if (cell > best + 0.01f) best = cell, beside = n;
    }
    cell_ = std::clamp(best, 2.0f, window.px(largest_matrix_cell)) * zoom_;
    float x = 0, y = 0, high = 0;
    width_ = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % beside == 0) {
            y += high + (i == 0 ? 0 : gap / 2);
            x = high = 0;
        }
        Part& part = parts_[i];
        part.box = {x, y + head, cell_ * float(part.columns), cell_ * float(part.rows)};
        high = std::max(high, head + part.box.height);
        x += std::max(part.box.width, window.px(96)) + gap;
        width_ = std::max(width_, x - gap);
    }
    height_ = y + high;
}

void FlowMatrices::arrange(const scene::FlowFigure& figure, const Rect& inside, const WindowState& window) {
    figure_ = &figure;
    inside_ = inside;
    choose_parts();
    const float edge = window.px(edge_px), width = inside.width - 2 * edge, height = inside.height - edge;
    place(width, height, window);
    pan_x_ = std::clamp(pan_x_, std::min(0.0f, width - width_), 0.0f);
    pan_y_ = std::clamp(pan_y_, std::min(0.0f, height - height_), 0.0f);
    const float centred = std::max(0.0f, (width - width_) / 2);
    for (Part& part : parts_) {
        part.box.x = std::round(part.box.x + inside.x + edge + pan_x_ + centred);
        part.box.y = std::round(part.box.y + inside.y + pan_y_);
    }
}

void FlowMatrices::navigate(const WindowState& window) {
    dragged_ = dragged_ &&
               (ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left));
    if (window.still || !hovered(inside_, window)) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0) {
        const float wanted = std::clamp(zoom_ * std::pow(1.2f, io.MouseWheel), 1.0f, largest_matrix_zoom);
        const float x = io.MousePos.x - inside_.x, y = io.MousePos.y - inside_.y;
        pan_x_ = x - (x - pan_x_) * wanted / zoom_;
        pan_y_ = y - (y - pan_y_) * wanted / zoom_;
        zoom_ = wanted;
    }
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) {
        pan_x_ += io.MouseDelta.x;
        pan_y_ += io.MouseDelta.y;
        dragged_ = true;
    }
}

Rect FlowMatrices::box_of(std::uint32_t row, std::uint32_t column) const {
    const Part& part = parts_[row];
    const std::uint32_t width = width_of(row);
    const float gap = std::max(0.5f, cell_ * 0.06f);
    return {part.box.x + float(column % width - part.left) * cell_ + gap,
            part.box.y + float(column / width - part.top) * cell_ + gap, cell_ - 2 * gap, cell_ - 2 * gap};
}

std::optional<FlowPlace> FlowMatrices::cell_at(ImVec2 mouse) const {
    for (std::uint32_t row = 0; row < parts_.size(); ++row) {
        const Rect& box = parts_[row].box;
        if (mouse.x < box.x || mouse.x >= box.right() || mouse.y < box.y || mouse.y >= box.bottom()) continue;
        const auto x = parts_[row].left + std::uint32_t((mouse.x - box.x) / cell_),
                   y = parts_[row].top + std::uint32_t((mouse.y - box.y) / cell_);
        const std::uint64_t column = std::uint64_t{y} * std::min(width_of(row), 1u << 20) + x;
        if (figure_->is_own(row) && column >= figure_->columns) return {};
        if (figure_->seen(row, std::uint32_t(column)) == nullptr) return {};
        return FlowPlace{row, std::uint32_t(column)};
    }
    return {};
}

void FlowMatrices::draw_titles(std::optional<std::uint32_t> current, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (std::uint32_t row = 0; row < parts_.size(); ++row) {
        const Rect& box = parts_[row].box;
        const bool now = current == row;
        const float width = std::max(box.width, window.px(96)) + window.px(gap_px - 8);
        const float y = box.y - window.px(head_height - 4);
        if (widgets_are_named())
            name_widget("row " + std::to_string(row) + " " + figure_->rows[row].title,
                        {box.x, y, width, box.bottom() - y});
        if (now)
            draw->AddRectFilled(
                {box.x - window.px(8), y - window.px(2)},
                {box.x + std::max(box.width, window.px(96)) + window.px(8), box.bottom() + window.px(6)},
                theme().selected, window.px(4));
        draw_text_within(draw, now ? fonts().strong : fonts().text, {box.x, y},
                         now ? theme().text_strong : theme().text_quiet,
                         (figure_->is_own(row) && figure_->rows[row].title != figure_->array.name
                              ? figure_->array.name + " · "
                              : std::string()) +
                             figure_->rows[row].title,
                         width);
        std::string facts = figure_->rows[row].facts;
        if (figure_->rows[row].conflict > 1)
            facts += " · " + std::to_string(figure_->rows[row].conflict) + "-way bank conflict";
        draw_text_within(draw, fonts().small, {box.x, y + font_size(fonts().text)}, theme().text_faint, facts,
                         width);
    }
}

void FlowMatrices::draw_matrix(std::uint32_t row, const FlowLight& light, FlowColour colour,
                               const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Part& part = parts_[row];
    const std::uint32_t width = width_of(row);
    for (std::uint32_t y = 0; y < part.rows; ++y) {
        const float top = part.box.y + float(y) * cell_;
        if (top + cell_ < inside_.y || top > inside_.bottom()) continue;
        for (std::uint32_t x = 0; x < part.columns; ++x) {
            const std::uint32_t column = (part.top + y) * (width == ~0u ? 0 : width) + part.left + x;
            if (figure_->is_own(row) && column >= figure_->columns) break;
            const scene::FlowCell* written = figure_->written(row, column);
            const scene::FlowCell* cell = written != nullptr ? written : figure_->seen(row, column);
            const Rect box = box_of(row, column);
            if (box.right() < inside_.x || box.x > inside_.right()) continue;
            const bool lit = light.cell(row, column);
            ImU32 fill = theme().cell_unset, edge = faded(theme().cell_edge, 0.5f);
            if (cell != nullptr) {
                const ImU32 own = flow_colour_of(*cell, colour);
                const float strength = colour == FlowColour::origin ? 0.9f : 0.28f;
                fill = written != nullptr || colour == FlowColour::origin ? blend(theme().cell, own, strength)
                                                                          : theme().cell;
                edge = written != nullptr ? own : theme().cell_edge;
                if (written == nullptr) fill = blend(theme().background, fill, 0.6f);
                if (written != nullptr && !written->used)
                    fill = blend(theme().background, fill, 0.5f),
                    edge = blend(theme().background, edge, 0.4f);
            }
            if (lit) fill = blend(fill, theme().barrier, 0.45f), edge = theme().barrier;
            if (cell_ < window.px(10))
                draw->AddRectFilled(box.min(), box.max(), lit ? theme().barrier : fill);
            else
                draw_cell_box(draw, box, fill, edge, window.px(lit ? 1.8f : 1.0f), theme().rounding);
            if (cell != nullptr && cell_ >= window.px(13))
                draw_flow_text(box, *cell, fill,
                               written != nullptr || lit ? theme().text_strong : theme().text_quiet,
                               theme().text_quiet, window);
        }
    }
}

void FlowMatrices::draw_lines(const FlowLight& light, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (std::uint32_t i = 0; i < figure_->edges.size(); ++i) {
        if (!light.edge(i)) continue;
        const scene::FlowEdge& edge = figure_->edges[i];
        const Rect from = box_of(edge.from_row, edge.from_column), to = box_of(edge.to_row, edge.to_column);
        const ImVec2 a{from.x + from.width / 2, from.y + from.height / 2};
        const ImVec2 b{to.x + to.width / 2, to.y + to.height / 2};
        const float bend = std::max(window.px(24), std::abs(b.x - a.x) * 0.4f);
        const ImU32 colour = faded(theme().barrier, 0.75f);
        draw->AddBezierCubic(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b, colour, window.px(1.3f), 20);
        draw->AddCircleFilled(b, window.px(2.2f), colour);
    }
}

void FlowMatrices::draw(const FlowLight& light, std::optional<std::uint32_t> current, FlowColour colour,
                        const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(inside_.min(), inside_.max(), true);
    draw_titles(current, window);
    for (std::uint32_t row = 0; row < parts_.size(); ++row)
        draw_matrix(row, light, colour, window);
    draw_lines(light, window);
    draw->PopClipRect();
}

}  // namespace lanescope::ui
