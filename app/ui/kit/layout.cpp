#include "ui/kit/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/kit/widget_log.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {
namespace {

constexpr float top_bar_height = 44;
constexpr float transport_height = 44, lecture_transport_height = 30;
constexpr float band_share = 0.36f;  // of the height, for the lanes or the inspector in a lecture
constexpr float ptx_column = 360;
constexpr float stage_beside_page = 700, source_beside_page = 320;
constexpr float smallest_column = 150, smallest_row = 90;

float snap(float value) {
    return std::round(value);
}

// In the left column the parameters get all the height they need.
void arrange_left(Layout& layout, const Rect& column, const Wishes& wishes) {
    if (wishes.page) {
        layout[Panel::page] = column;
        return;
    }
    const float parameters = snap(std::min(wishes.parameters, column.height * 0.45f));
    const float list = column.height - parameters;
    layout[Panel::lessons] = {column.x, column.y, column.width, list};
    layout[Panel::parameters] = {column.x, column.y + list, column.width, parameters};
}

bool shows_cycles(const WindowState& window) {
    return window.timeline_rows == TimelineRows::cycles;
}

float lecture_bottom(const Splits& splits, const WindowState& window) {
    return splits.lecture_bottom * mode_of(window.stage_tab).below;
}

// A lecture shows only the panels that the talk is about, in large type. The stage has the whole width and
// most of the height; a panel that the lecturer hides leaves it the rest. A timeline of cycles is a picture
// of its own and takes the place of the stage.
Layout arrange_lecture(float width, float height, const WindowState& window, const Splits& splits,
                       const Wishes& wishes) {
    Layout layout;
    layout.talks_of_source = wishes.band == LectureBand::source;
    const float transport =
        window.talk.audience ? 0 : std::min(snap(window.px(lecture_transport_height)), height);
    const LectureBand band = wishes.band;
    const bool lanes = band == LectureBand::lanes, tabs = band == LectureBand::tabs;
    const bool no_source = window.hidden.source || lanes, no_timeline = window.hidden.timeline || lanes;
    const float share = lanes || tabs ? band_share : std::clamp(lecture_bottom(splits, window), 0.08f, 0.7f);
    const float below = no_source && no_timeline && !lanes && !tabs ? 0 : snap((height - transport) * share);
    const float caption = snap(std::clamp(wishes.caption, 0.0f, (height - transport - below) * 0.4f));
    const float stage = height - transport - below - caption;
    const float source = no_source              ? 0
                         : no_timeline && !tabs ? width
                                                : snap(width * std::clamp(splits.lecture_source, 0.2f, 0.8f));
    layout[Panel::stage] = {0, 0, width, stage};
    layout.caption = {0, stage, width, caption};
    layout[Panel::source] = {0, stage + caption, source, below};
    const Panel beside = lanes ? Panel::warps : tabs ? Panel::inspector : Panel::timeline;
    layout[beside] = {source, stage + caption, width - source, below};
    if (shows_cycles(window) && beside == Panel::timeline && !no_timeline) {
        layout[Panel::timeline] = std::exchange(layout[Panel::stage], Rect{});
        layout[Panel::source].width = width;
    }
    layout[Panel::transport] = {0, height - transport, width, transport};
    return layout;
}

// One of the two panels may be hidden; the other then has the whole column.
void split_column(Layout& layout, Panel upper, Panel lower, const Rect& column, float share, bool no_upper,
                  bool no_lower) {
    const float height = no_upper   ? 0
                         : no_lower ? column.height
                                    : snap(column.height * std::clamp(share, 0.15f, 0.85f));
    layout[upper] = {column.x, column.y, column.width, height};
    layout[lower] = {column.x, column.y + height, column.width, column.height - height};
}

// Puts the PTX to the right of the source, which keeps at most `source_width`.
void split_sideways(Layout& layout, float source_width) {
    Rect& source = layout[Panel::source];
    const float kept = snap(std::min(source_width, source.width / 2));
    layout[Panel::ptx] = {source.x + kept, source.y, source.width - kept, source.height};
    source.width = kept;
}

enum class Axis { horizontal, vertical };

// How far the user dragged a bar in this frame, and whether a double click asks for its first place.
struct Drag {
    float moved = 0;
    bool reset = false;
};

// Puts a bar over an edge; it shows only while the mouse is on it.
Drag dragged(const char* id, const Rect& bar, Axis axis) {
    if (bar.empty()) return {};  // a panel is hidden, or the window is too small for it
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::SetNextWindowPos(bar.min());
    ImGui::SetNextWindowSize(ImVec2(bar.width, bar.height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    Drag drag;
    if (ImGui::Begin(id, nullptr, flags)) {
        name_widget({}, bar);
        ImGui::InvisibleButton("bar", ImVec2(bar.width, bar.height));
        const bool held = ImGui::IsItemActive();
        if (held || ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(axis == Axis::horizontal ? ImGuiMouseCursor_ResizeEW
                                                           : ImGuiMouseCursor_ResizeNS);
            const float x = bar.x + bar.width / 2, y = bar.y + bar.height / 2;
            const ImVec2 begin(axis == Axis::horizontal ? x - 1 : bar.x,
                               axis == Axis::horizontal ? bar.y : y - 1);
            const ImVec2 end(axis == Axis::horizontal ? x + 1 : bar.right(),
                             axis == Axis::horizontal ? bar.bottom() : y + 1);
            ImGui::GetWindowDrawList()->AddRectFilled(begin, end, theme().accent);
        }
        if (held)
            drag.moved = axis == Axis::horizontal ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
        drag.reset = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return drag;
}

}  // namespace

Layout arrange(float width, float height, const WindowState& window, const Splits& splits,
               const Wishes& wishes) {
    if (window.talk.alone) {
        Layout layout;
        layout[shows_cycles(window) ? Panel::timeline : Panel::stage] = {0, 0, width, height};
        return layout;
    }
    if (window.lecture) return arrange_lecture(width, height, window, splits, wishes);
    Layout layout;
    const float top = snap(window.px(top_bar_height)), transport = snap(window.px(transport_height));
    const HiddenPanels& hidden = window.hidden;
    layout.schedule = wishes.schedule;
    const float below = window.px(wishes.schedule ? splits.schedule : splits.bottom);
    const float bottom =
        hidden.timeline ? 0 : snap(std::clamp(below, window.px(smallest_row), height * 0.5f));
    const float middle_height = std::max(height - top - transport - bottom, 0.0f);
    const float max_side = width * 0.42f;
    float left = snap(
        std::clamp(window.px(wishes.page ? splits.page : splits.left), window.px(smallest_column), max_side));
    float right = snap(std::clamp(window.px(splits.right), window.px(smallest_column), max_side));
    // Beside a page the source makes room for the stage.
    if (wishes.page && !window.source.ptx && !hidden.left)
        right = std::min(right, std::max(width - left - snap(window.px(stage_beside_page)),
                                         snap(window.px(source_beside_page))));
    // Source and PTX side by side need twice the width: the list of lessons makes room.
    const float source = right;
    if (window.source.ptx) right = snap(std::min(right + window.px(ptx_column), width * 0.56f));
    if (window.source.ptx || hidden.left) left = 0;
    if (hidden.source && hidden.inspector) right = 0;
    layout[Panel::top_bar] = {0, 0, width, top};
    layout[Panel::transport] = {0, top + middle_height, width, transport};
    layout[Panel::timeline] = {0, top + middle_height + transport, width, bottom};
    const Rect middle{left, top, std::max(width - left - right, 0.0f), middle_height};
    const Rect right_column{width - right, top, right, middle_height};
    if (left > 0) arrange_left(layout, {0, top, left, middle_height}, wishes);
    const bool no_warps = hidden.warps || !mode_of(window.stage_tab).beside_warps;
    split_column(layout, Panel::stage, Panel::warps, middle, splits.stage_share, false, no_warps);
    split_column(layout, Panel::source, Panel::inspector, right_column, splits.source_share, hidden.source,
                 hidden.inspector);
    if (window.source.ptx && !hidden.source) split_sideways(layout, source);
    return layout;
}

float fitting_scale(float width, float height, float content_scale, float zoom, bool lecture) {
    constexpr float lecture_growth = 1.7f;  // text is at least 24 pixels high on a screen of 1920×1080
    const float fills = std::min(width / 1600, height / 1000) * (lecture ? lecture_growth : 1.0f);
    const float readable = 0.85f * content_scale;
    const float scale = std::clamp(fills, readable, std::max(readable, 8.0f)) * zoom;
    return std::clamp(std::round(scale * 20) / 20, 0.5f, 8.0f);  // each new scale loads all fonts again
}

namespace {

// Moves a border by a drag, in the unit of `value`; a double click puts it back.
void move_border(float& value, float first, float least, float most, const Drag& drag, float unit_px) {
    value = drag.reset ? first : value + drag.moved / unit_px;
    value = std::clamp(value, least, most);
}

void drag_lecture_splits(const Layout& layout, const WindowState& window, Splits& splits) {
    constexpr Splits first;
    const float grip = window.px(6);
    const Rect& source = layout[Panel::source];
    const Rect& timeline = layout[Panel::timeline];
    if (!layout.talks_of_source) return;  // its places are given
    const Rect flat{0, source.y - grip / 2, timeline.right(), grip};
    const Rect upright{timeline.x - grip / 2, source.y, grip, source.height};
    const float height = std::max(layout[Panel::transport].y, 1.0f), width = std::max(timeline.right(), 1.0f);
    const float share = mode_of(window.stage_tab).below;
    move_border(splits.lecture_bottom, first.lecture_bottom, 0.1f, 0.7f,
                dragged("##split lecture", flat, Axis::vertical), -height * share);
    if (shows_cycles(window)) return;
    move_border(splits.lecture_source, first.lecture_source, 0.2f, 0.8f,
                dragged("##split source and timeline", upright, Axis::horizontal), width);
}

}  // namespace

void drag_splits(const Layout& layout, const WindowState& window, Splits& splits) {
    if (window.still) return;
    if (window.lecture) return drag_lecture_splits(layout, window, splits);
    constexpr Splits first;
    const float grip = window.px(6), scale = window.scale;
    const Rect& stage = layout[Panel::stage];
    const Rect& transport = layout[Panel::transport];
    const float column = std::max(transport.y - stage.y, 1.0f);
    const auto upright = [&](float x, bool there) {
        return there ? Rect{x - grip / 2, stage.y, grip, transport.y - stage.y} : Rect{};
    };
    const auto flat = [&](const Rect& under, bool there) {
        return there ? Rect{under.x, under.y - grip / 2, under.width, grip} : Rect{};
    };
    const auto shown = [&](Panel panel) { return !layout[panel].empty(); };
    const bool timeline = shown(Panel::timeline), right = shown(Panel::source) || shown(Panel::inspector);
    if (stage.x > 0)
        move_border(layout[Panel::page].empty() ? splits.left : splits.page,
                    layout[Panel::page].empty() ? first.left : first.page, smallest_column, 700,
                    dragged("##split left", upright(stage.x, true), Axis::horizontal), scale);
    move_border(splits.right, first.right, smallest_column, 1200,
                dragged("##split right", upright(stage.right(), right), Axis::horizontal), -scale);
    move_border(layout.schedule ? splits.schedule : splits.bottom,
                layout.schedule ? first.schedule : first.bottom, smallest_row, 700,
                dragged("##split bottom", flat(transport, timeline), Axis::vertical), -scale);
    const Rect& warps = layout[Panel::warps];
    move_border(splits.stage_share, first.stage_share, 0.15f, 0.85f,
                dragged("##split stage", flat(warps, shown(Panel::warps)), Axis::vertical), column);
    const bool both = shown(Panel::source) && shown(Panel::inspector);
    move_border(splits.source_share, first.source_share, 0.15f, 0.85f,
                dragged("##split source", flat(layout[Panel::inspector], both), Axis::vertical), column);
}

}  // namespace lanescope::ui
