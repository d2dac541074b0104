#include "ui/layout.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {
namespace {

constexpr float top_bar_height = 44;
constexpr float transport_height = 44;
constexpr float smallest_column = 150, smallest_row = 90;

float snap(float value) {
    return std::round(value);
}

// Left column: parameters have what they ask for, the lesson's text what the list of lessons can spare.
void arrange_left(Layout& layout, const Rect& column, const Wishes& wishes) {
    const float parameters = snap(std::min(wishes.parameters, column.height * 0.45f));
    const float least_list = std::min(wishes.lessons, column.height * 0.38f);
    const float spare = std::max(column.height - parameters - least_list, 0.0f);
    const float text = snap(std::min(wishes.lesson_text, spare));
    const float list = column.height - parameters - text;
    layout[Panel::lessons] = {column.x, column.y, column.width, list};
    layout[Panel::parameters] = {column.x, column.y + list, column.width, parameters};
    layout[Panel::lesson_text] = {column.x, column.y + list + parameters, column.width, text};
}

void split_column(Layout& layout, Panel upper, Panel lower, const Rect& column, float share) {
    const float height = snap(column.height * std::clamp(share, 0.15f, 0.85f));
    layout[upper] = {column.x, column.y, column.width, height};
    layout[lower] = {column.x, column.y + height, column.width, column.height - height};
}

enum class Axis { horizontal, vertical };

// An invisible bar over an edge; how far it was dragged in this frame.
float dragged(const char* id, const Rect& bar, Axis axis) {
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::SetNextWindowPos(bar.min());
    ImGui::SetNextWindowSize(ImVec2(bar.width, bar.height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    float moved = 0;
    if (ImGui::Begin(id, nullptr, flags)) {
        ImGui::InvisibleButton("bar", ImVec2(bar.width, bar.height));
        const bool held = ImGui::IsItemActive();
        if (held || ImGui::IsItemHovered())
            ImGui::SetMouseCursor(axis == Axis::horizontal ? ImGuiMouseCursor_ResizeEW
                                                           : ImGuiMouseCursor_ResizeNS);
        if (held)
            moved = axis == Axis::horizontal ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return moved;
}

}  // namespace

Layout arrange(float width, float height, const Shared& shared, const Splits& splits, const Wishes& wishes) {
    Layout layout;
    const float top = snap(shared.px(top_bar_height)), transport = snap(shared.px(transport_height));
    const float bottom = snap(std::clamp(shared.px(splits.bottom), shared.px(smallest_row), height * 0.5f));
    const float middle_height = std::max(height - top - transport - bottom, 0.0f);
    const float most_side = width * 0.42f;
    float left = snap(std::clamp(shared.px(splits.left), shared.px(smallest_column), most_side));
    const float right = snap(std::clamp(shared.px(splits.right), shared.px(smallest_column), most_side));
    if (shared.lecture) left = 0;
    layout[Panel::top_bar] = {0, 0, width, top};
    layout[Panel::transport] = {0, top + middle_height, width, transport};
    layout[Panel::timeline] = {0, top + middle_height + transport, width, bottom};
    const Rect middle{left, top, std::max(width - left - right, 0.0f), middle_height};
    const Rect right_column{width - right, top, right, middle_height};
    if (shared.lecture) {  // large type: only what the talk is about
        layout[Panel::stage] = middle;
        layout[Panel::source] = right_column;
        return layout;
    }
    arrange_left(layout, {0, top, left, middle_height}, wishes);
    split_column(layout, Panel::stage, Panel::warps, middle, splits.stage_share);
    split_column(layout, Panel::source, Panel::inspector, right_column, splits.source_share);
    return layout;
}

float fitting_scale(float width, float height, float content_scale, float zoom, bool lecture) {
    const float fills = std::min(width / 1600, height / 1000);
    const float readable = 0.85f * content_scale;
    const float scale =
        std::clamp(fills, readable, std::max(readable, 4.0f)) * zoom * (lecture ? 1.35f : 1.0f);
    return std::clamp(std::round(scale * 20) / 20, 0.5f, 6.0f);  // fonts are made anew for each scale
}

void drag_splits(const Layout& layout, const Shared& shared, Splits& splits) {
    if (shared.still) return;
    const float grip = shared.px(6);
    const Rect& stage = layout[Panel::stage];
    const Rect& source = layout[Panel::source];
    const Rect& transport = layout[Panel::transport];
    const auto upright = [&](float x) { return Rect{x - grip / 2, stage.y, grip, transport.y - stage.y}; };
    const auto flat = [&](const Rect& under) { return Rect{under.x, under.y - grip / 2, under.width, grip}; };
    if (!shared.lecture)
        splits.left += dragged("##split left", upright(stage.x), Axis::horizontal) / shared.scale;
    splits.right -= dragged("##split right", upright(source.x), Axis::horizontal) / shared.scale;
    splits.bottom -= dragged("##split bottom", flat(transport), Axis::vertical) / shared.scale;
    splits.left = std::clamp(splits.left, smallest_column, 700.0f);
    splits.right = std::clamp(splits.right, smallest_column, 1200.0f);
    splits.bottom = std::clamp(splits.bottom, smallest_row, 700.0f);
    if (shared.lecture) return;
    const float column = std::max(transport.y - stage.y, 1.0f);
    splits.stage_share += dragged("##split stage", flat(layout[Panel::warps]), Axis::vertical) / column;
    splits.source_share += dragged("##split source", flat(layout[Panel::inspector]), Axis::vertical) / column;
    splits.stage_share = std::clamp(splits.stage_share, 0.15f, 0.85f);
    splits.source_share = std::clamp(splits.source_share, 0.15f, 0.85f);
}

}  // namespace lanescope::ui
