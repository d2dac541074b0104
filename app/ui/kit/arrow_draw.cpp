#include "ui/kit/arrow_draw.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/theme.h"

namespace lanescope::ui {

namespace {

// Draws an open V with its tip at `tip`. The arrow arrives in the direction (x, y): one is 0, the other ±1.
void draw_head(ImDrawList* draw, ImVec2 tip, float x, float y, const ArrowLook& look) {
    const ImVec2 back{tip.x - x * look.head_px, tip.y - y * look.head_px};
    const float half = look.head_px * 0.75f;
    const ImVec2 points[] = {
        {back.x - y * half, back.y - x * half}, tip, {back.x + y * half, back.y + x * half}};
    draw->AddPolyline(points, 3, look.head, 0, look.width_px * 1.25f);
}

}  // namespace

void draw_arc(ImDrawList* draw, ImVec2 from, ImVec2 to, float height_px, const ArrowLook& look) {
    // A cubic reaches 3/4 of the height of its control points.
    const float rise = height_px * 4 / 3;
    draw->AddBezierCubic(from, ImVec2(from.x, from.y - rise), ImVec2(to.x, to.y - rise),
                         ImVec2(to.x, to.y - 1), look.line, look.width_px, 24);
    draw_head(draw, to, 0, 1, look);
}

void draw_curve(ImDrawList* draw, ImVec2 from, ImVec2 to, const ArrowLook& look) {
    const float reach = (to.y - from.y) * 0.5f;
    draw->AddBezierCubic(from, ImVec2(from.x, from.y + reach), ImVec2(to.x, to.y - reach), to, look.line,
                         look.width_px, 24);
    draw_head(draw, to, 0, to.y >= from.y ? 1.0f : -1.0f, look);
}

void draw_sideways(ImDrawList* draw, ImVec2 from, ImVec2 to, const ArrowLook& look) {
    const float reach = (to.x - from.x) * 0.5f;
    draw->AddBezierCubic(from, ImVec2(from.x + reach, from.y), ImVec2(to.x - reach, to.y), to, look.line,
                         look.width_px, 24);
    draw_head(draw, to, to.x >= from.x ? 1.0f : -1.0f, 0, look);
}

void draw_band(ImDrawList* draw, const Edge& from, const Edge& to, const ArrowLook& look) {
    const float direction = to.y >= from.y ? 1.0f : -1.0f;
    const ImVec2 corners[] = {{from.left, from.y}, {from.right, from.y}, {to.right, to.y}, {to.left, to.y}};
    draw->AddConvexPolyFilled(corners, 4, faded(look.line, 0.13f));
    draw->AddLine(corners[0], corners[3], faded(look.line, 0.35f));
    draw->AddLine(corners[1], corners[2], faded(look.line, 0.35f));
    draw->AddLine({from.left, from.y + direction}, {from.right, from.y + direction}, look.line,
                  look.width_px);
    draw->AddLine({to.left, to.y - direction}, {to.right, to.y - direction}, look.head, look.width_px);
    // A few arrows inside show the direction.
    const float width = std::min(from.right - from.left, to.right - to.left);
    const int arrows = std::clamp(static_cast<int>(width / 140), 1, 5);
    ArrowLook inner = look;
    inner.width_px = look.width_px * 1.2f;
    for (int i = 0; i < arrows; ++i) {
        const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(arrows);
        draw_curve(draw, {from.left + (from.right - from.left) * share, from.y + direction},
                   {to.left + (to.right - to.left) * share, to.y - direction * 2}, inner);
    }
}

void draw_bracket(ImDrawList* draw, const Edge& edge, float tick_px, ImU32 colour, float width_px) {
    const ImVec2 points[] = {{edge.left, edge.y + tick_px},
                             {edge.left, edge.y},
                             {edge.right, edge.y},
                             {edge.right, edge.y + tick_px}};
    draw->AddPolyline(points, 4, colour, 0, width_px);
}

}  // namespace lanescope::ui
