#include "ui/lecture/pointer.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {
namespace {

constexpr double trail_s = 0.6;
constexpr float dot_px = 9, spot_share = 0.17f;  // radius at scale 1; share of the window's height
// A projector's black is grey and its red is dark. A white core and a dark rim separate the dot from any
// background.
constexpr ImU32 core = IM_COL32(255, 244, 240, 255), red = IM_COL32(255, 45, 45, 255),
                rim = IM_COL32(0, 0, 0, 170);
constexpr ImU32 dim = IM_COL32(0, 0, 0, 190);

bool inside(ImVec2 at, ImVec2 size) {
    return at.x >= 0 && at.y >= 0 && at.x < size.x && at.y < size.y;
}

// Dims everything outside a circle, whose edge fades over a tenth of its radius.
void dim_around(ImDrawList* draw, ImVec2 centre, float radius, ImVec2 display) {
    constexpr int parts = 96;
    const float far_away = display.x + display.y;
    const ImDrawListFlags flags = draw->Flags;
    draw->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // anti-aliasing would show seams between the parts
    const auto at = [&](int part, float distance) {
        const float angle = 6.2831853f * float(part) / parts;
        return ImVec2(centre.x + std::cos(angle) * distance, centre.y + std::sin(angle) * distance);
    };
    constexpr int steps = 8;
    for (int part = 0; part < parts; ++part) {
        for (int step = 0; step < steps; ++step) {
            const float inner = radius * (0.9f + 0.1f * float(step) / steps),
                        outer = radius * (0.9f + 0.1f * float(step + 1) / steps);
            draw->AddQuadFilled(at(part, inner), at(part, outer), at(part + 1, outer), at(part + 1, inner),
                                faded(dim, (float(step) + 0.5f) / steps));
        }
        draw->AddQuadFilled(at(part, radius), at(part, far_away), at(part + 1, far_away),
                            at(part + 1, radius), dim);
    }
    draw->Flags = flags;
}

}  // namespace

void Pointer::follow(ImVec2 mouse, double now_s) {
    while (!trail_.empty() && now_s - trail_.front().time_s > trail_s)
        trail_.pop_front();
    const bool moved = trail_.empty() || trail_.back().at.x != mouse.x || trail_.back().at.y != mouse.y;
    if (moved) trail_.push_back({mouse, now_s});
}

void Pointer::draw_trail(ImDrawList* draw, const WindowState& window) const {
    for (std::size_t i = 1; i < trail_.size(); ++i) {
        const float age = float((window.now_s - trail_[i - 1].time_s) / trail_s);
        const float left = std::clamp(1 - age, 0.0f, 1.0f);
        draw->AddLine(trail_[i - 1].at, trail_[i].at, faded(red, 0.75f * left),
                      window.px(dot_px) * (0.3f + left));
    }
}

bool Pointer::draw(const WindowState& window) {
    const ImVec2 mouse = ImGui::GetIO().MousePos, display = ImGui::GetIO().DisplaySize;
    if ((!window.talk.pointer && !window.talk.spotlight) || !window.lecture || window.talk.black ||
        !inside(mouse, display)) {
        trail_.clear();
        return false;
    }
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    if (window.talk.spotlight) dim_around(draw, mouse, display.y * spot_share, display);
    if (!window.talk.pointer) return false;
    follow(mouse, window.now_s);
    draw_trail(draw, window);
    const float radius = window.px(dot_px);
    draw->AddCircleFilled(mouse, radius * 2.1f, faded(red, 0.28f), 32);
    draw->AddCircleFilled(mouse, radius * 1.25f, rim, 32);
    draw->AddCircleFilled(mouse, radius, red, 32);
    draw->AddCircleFilled(mouse, radius * 0.45f, core, 24);
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    return trail_.size() > 1;
}

void Pen::take_mouse(const Rect& paper) {
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::SetNextWindowPos(paper.min());
    ImGui::SetNextWindowSize({paper.width, paper.height});
    if (ImGui::Begin("##pen", nullptr, flags)) {
        ImGui::SetCursorScreenPos(paper.min());
        ImGui::InvisibleButton("paper", {paper.width, paper.height});
        const ImVec2 mouse = ImGui::GetIO().MousePos, display = ImGui::GetIO().DisplaySize;
        const bool down = ImGui::IsItemActive();
        const ImVec2 at(mouse.x / display.x, mouse.y / display.y);
        if (down && !down_) lines_.emplace_back();
        if (down &&
            (lines_.back().empty() || lines_.back().back().x != at.x || lines_.back().back().y != at.y))
            lines_.back().push_back(at);
        down_ = down;
    }
    ImGui::End();
}

void Pen::draw(const Rect& paper, const WindowState& window) {
    if (!window.lecture || window.signals.wipe) lines_.clear();
    if (!window.lecture || window.talk.black) return;
    if (window.talk.pen && !window.still) take_mouse(paper);
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    std::vector<ImVec2> points;
    for (const std::vector<ImVec2>& line : lines_) {
        points.clear();
        for (const ImVec2& share : line)
            points.push_back({share.x * display.x, share.y * display.y});
        const auto count = static_cast<int>(points.size());
        draw->AddPolyline(points.data(), count, rim, ImDrawFlags_None, window.px(6));
        draw->AddPolyline(points.data(), count, red, ImDrawFlags_None, window.px(3.5f));
    }
    if (!window.talk.pen || window.still || window.talk.pointer) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    draw->AddCircleFilled(mouse, window.px(4), rim, 24);
    draw->AddCircleFilled(mouse, window.px(2.5f), red, 24);
}

}  // namespace lanescope::ui
