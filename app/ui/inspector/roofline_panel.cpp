#include "ui/inspector/roofline_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float name_height = 15, name_gap = 20, dot_px = 3.5f, tick_height = 15, y_tick_width = 44;
constexpr float names_share = 0.36f, least_plot_height = 90;

ImVec2 place(const Rect& plot, double x, double y) {
    return {plot.x + plot.width * float(x), plot.bottom() - plot.height * float(y)};
}

void draw_axes(const Rect& plot, const scene::RooflinePlot& shown, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float pad = window.px(4);
    for (const scene::RooflineTick& tick : shown.y_ticks) {
        const float y = std::round(place(plot, 0, tick.at).y) + 0.5f;
        draw->AddLine({plot.x, y}, {plot.right(), y}, theme().line);
        draw_text(draw, fonts().small,
                  {plot.x - pad - text_width(fonts().small, tick.label),
                   centre_line(fonts().small, y - window.px(tick_height) / 2, window.px(tick_height))},
                  theme().text_faint, tick.label);
    }
    for (const scene::RooflineTick& tick : shown.x_ticks) {
        const float x = std::round(place(plot, tick.at, 0).x) + 0.5f;
        draw->AddLine({x, plot.y}, {x, plot.bottom()}, theme().line);
        const float width = text_width(fonts().small, tick.label);
        draw_text(draw, fonts().small, {x - width / 2, plot.bottom() + window.px(2)}, theme().text_faint,
                  tick.label);
    }
}

// The words of the slope stand at its lower end, those of the level lines above their right ends, one above
// the other where lines are close.
void draw_ceilings(const Rect& plot, const scene::RooflinePlot& shown, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.px(name_height), pad = window.px(4);
    std::vector<float> wanted;
    for (const scene::RooflineCeiling& each : shown.ceilings) {
        draw->AddLine(place(plot, each.from_x, each.from_y), place(plot, each.to_x, each.to_y),
                      theme().text_quiet, std::max(1.0f, window.px(1.5f)));
        if (!each.memory) wanted.push_back(place(plot, 0, each.to_y).y - plot.y - height / 2);
    }
    const std::vector<std::optional<float>> places =
        scene::label_places(wanted, wanted.size(), height, plot.height);
    std::size_t level = 0;
    for (const scene::RooflineCeiling& each : shown.ceilings) {
        const float width = text_width(fonts().small, each.label);
        ImVec2 at{plot.right() - width - pad, 0};
        if (each.memory) {
            const ImVec2 middle = place(plot, (each.from_x + each.to_x) / 2, (each.from_y + each.to_y) / 2);
            at = {std::max(plot.x + pad, middle.x - width - window.px(8)), middle.y - height};
        } else if (const std::optional<float> middle = places[level++]) {
            at.y = plot.y + *middle - height / 2;
        } else {
            continue;
        }
        draw->AddRectFilled({at.x - 2, at.y}, {at.x + width + 2, at.y + height}, theme().panel);
        draw_text(draw, fonts().small, {at.x, centre_line(fonts().small, at.y, height)}, theme().text_quiet,
                  each.label);
    }
}

void draw_dot(const Rect& plot, const scene::RooflineDot& dot, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = place(plot, dot.x, dot.y);
    const ImU32 colour = dot.open ? theme().accent : theme().active_edge;
    if (dot.requested_x) {  // what the caches have to serve, as a bar to the left
        const ImVec2 end = place(plot, *dot.requested_x, dot.y);
        draw->AddLine(at, end, colour);
        draw->AddLine({end.x, end.y - window.px(3)}, {end.x, end.y + window.px(3)}, colour);
    }
    if (dot.dram_x) {
        const ImVec2 middle = place(plot, *dot.dram_x, dot.y);
        const float half = window.px(dot_px);
        draw->AddRect({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, colour);
    }
    draw->AddCircleFilled(at, window.px(dot_px), colour);
    if (dot.open) draw->AddCircle(at, window.px(dot_px + 3), theme().text_strong);
}

// Names in a column, each with a line from its dot.
void draw_names(const Rect& column, const Rect& plot, const scene::RooflinePlot& shown,
                const WindowState& window, Requests& requests) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.px(name_height);
    std::vector<float> wanted;
    std::size_t open = shown.dots.size();
    for (const scene::RooflineDot& dot : shown.dots) {
        if (dot.open) open = wanted.size();
        wanted.push_back(place(plot, 0, dot.y).y - column.y);
    }
    const auto places = scene::label_places(wanted, open, height, column.height);
    for (std::size_t i = 0; i < shown.dots.size(); ++i) {
        const scene::RooflineDot& dot = shown.dots[i];
        const ImVec2 at = place(plot, dot.x, dot.y);
        const float reach = window.px(dot_px + 2);
        ImGui::PushID(static_cast<int>(i));
        bool clicked =
            click_area("dot", {at.x - reach, at.y - reach, 2 * reach, 2 * reach}, "dot of " + dot.title);
        bool hot = !window.still && ImGui::IsItemHovered();
        if (places[i]) {
            const Rect row{column.x, column.y + *places[i] - height / 2, column.width, height};
            clicked |= click_area("name", row, dot.title);
            hot |= !window.still && ImGui::IsItemHovered();
            const float middle = row.y + height / 2;
            draw->AddLine({at.x + reach, at.y}, {plot.right() + window.px(2), at.y},
                          faded(theme().text_faint, hot || dot.open ? 1 : 0.35f));
            draw->AddLine({plot.right() + window.px(2), at.y}, {column.x - window.px(3), middle},
                          faded(theme().text_faint, hot || dot.open ? 1 : 0.35f));
            draw_text_within(draw, fonts().small, {row.x, centre_line(fonts().small, row.y, height)},
                             dot.open || hot ? theme().text_strong : theme().text, dot.title, row.width);
        }
        ImGui::PopID();
        if (hot) tooltip(dot.title, dot.details, window);
        if (clicked && !dot.open) requests.commands.push_back(session::OpenFile{dot.file});
    }
}

}  // namespace

void draw_roofline(const Rect& box, const scene::RooflinePlot& shown, const WindowState& window,
                   Requests& requests) {
    const float note = text_block_height(fonts().small, shown.note, box.width);
    draw_text_block(ImGui::GetWindowDrawList(), fonts().small, {box.x, box.bottom() - note},
                    theme().text_faint, shown.note, box.width);
    if (shown.dots.empty()) return;
    const float axis = window.px(tick_height), names = std::round(box.width * names_share);
    const float left = window.px(y_tick_width);
    const Rect plot{box.x + left, box.y + axis, box.width - left - names - window.px(name_gap),
                    box.height - note - 3 * axis - window.px(8)};
    if (plot.height < window.px(least_plot_height) || plot.width < window.px(least_plot_height)) return;
    draw_text(ImGui::GetWindowDrawList(), fonts().small, {box.x, box.y}, theme().text_quiet, "GOP/s");
    const std::string below = "operations for each byte";
    draw_text(ImGui::GetWindowDrawList(), fonts().small,
              {plot.right() - text_width(fonts().small, below), plot.bottom() + axis}, theme().text_quiet,
              below);
    draw_axes(plot, shown, window);
    draw_ceilings(plot, shown, window);
    const Rect column{plot.right() + window.px(name_gap), box.y, names, plot.bottom() - box.y + axis};
    draw_names(column, plot, shown, window, requests);
    for (const scene::RooflineDot& dot : shown.dots)
        draw_dot(plot, dot, window);
}

}  // namespace lanescope::ui
