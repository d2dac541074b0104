#include "ui/preview/tile_overlay.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

void draw_dashed(const Rect& box, ImU32 colour, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float dash = window.px(5), thick = window.px(1.5f);
    for (float x = box.x; x < box.right(); x += 2 * dash)
        for (const float y : {box.y, box.bottom()})
            draw->AddLine(ImVec2(x, y), ImVec2(std::min(x + dash, box.right()), y), colour, thick);
    for (float y = box.y; y < box.bottom(); y += 2 * dash)
        for (const float x : {box.x, box.right()})
            draw->AddLine(ImVec2(x, y), ImVec2(x, std::min(y + dash, box.bottom())), colour, thick);
}

// The lines between this tile and its neighbours.
void draw_tiling(const Rect& tile) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 faint = faded(theme().text_strong, 0.22f);
    for (int i = -3; i <= 4 && tile.width >= 6; ++i) {
        const float x = tile.x + static_cast<float>(i) * tile.width,
                    y = tile.y + static_cast<float>(i) * tile.height;
        draw->AddLine(ImVec2(x, tile.y - 3 * tile.height), ImVec2(x, tile.y + 4 * tile.height), faint);
        draw->AddLine(ImVec2(tile.x - 3 * tile.width, y), ImVec2(tile.x + 4 * tile.width, y), faint);
    }
}

void draw_pixel(const preview::PixelFacts& pixel, bool pinned, const ImagePlace& place,
                const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = place.to_screen(static_cast<float>(pixel.x), static_cast<float>(pixel.y));
    if (place.scale >= 4)
        draw->AddRect(at, ImVec2(at.x + place.scale, at.y + place.scale), theme().text_strong, 0, 0,
                      window.px(1.5f));
    if (!pinned) return;
    const ImVec2 middle(at.x + place.scale / 2, at.y + place.scale / 2);
    const float radius = std::max(place.scale * 0.75f, window.px(7));
    draw->AddCircle(middle, radius, theme().background, 0, window.px(4));
    draw->AddCircle(middle, radius, theme().text_strong, 0, window.px(2));
}

void draw_sizes(const preview::PixelFacts& pixel, const Rect& tile, const Rect& halo, const Rect& screen,
                const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto halo_width = (static_cast<int>(pixel.read.width()) - static_cast<int>(pixel.tile.width())) / 2;
    const std::string first = "tile " + std::to_string(pixel.tile.width()) + " × " +
                              std::to_string(pixel.tile.height()) + " (blue)";
    const std::string second =
        "read " + std::to_string(pixel.read.width()) + " × " + std::to_string(pixel.read.height()) +
        (halo_width > 0 ? ", halo " + std::to_string(halo_width) : "") + " (amber, dashed)";
    const float width =
        std::max(text_width(fonts().small, first), text_width(fonts().small, second)) + window.px(16);
    const float x = std::min(std::max(tile.right(), halo.right()) + window.px(8), screen.right() - width);
    const float y =
        std::clamp(halo.y - window.px(44), screen.y + window.px(40), screen.bottom() - window.px(42));
    draw->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + window.px(40)), faded(theme().background, 0.88f));
    draw_text(draw, fonts().small, ImVec2(x + window.px(8), y + window.px(5)), theme().text, first);
    draw_text(draw, fonts().small, ImVec2(x + window.px(8), y + window.px(21)), theme().text, second);
}

}  // namespace

void draw_tile(const preview::PixelInspector& inspector, std::uint32_t margin, const ImagePlace& place,
               const Rect& screen, const WindowState& window) {
    const preview::PixelFacts& pixel = inspector.pixel();
    const auto border = static_cast<float>(margin);
    const auto on_screen = [&](const preview::Box& box) {
        const ImVec2 a =
            place.to_screen(static_cast<float>(box.left) - border, static_cast<float>(box.top) - border);
        return Rect{a.x, a.y, static_cast<float>(box.width()) * place.scale,
                    static_cast<float>(box.height()) * place.scale};
    };
    const Rect tile = on_screen(pixel.tile), halo = on_screen(pixel.read);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(screen.min(), screen.max(), true);
    draw_tiling(tile);
    if (!halo.empty()) draw_dashed(halo, theme().barrier, window);
    draw->AddRect(tile.min(), tile.max(), theme().active_edge, 0, 0, window.px(2));
    draw_pixel(pixel, inspector.pinned(), place, window);
    draw_sizes(pixel, tile, halo, screen, window);
    draw->PopClipRect();
}

}  // namespace lanescope::ui
