#include "ui/preview/reuse_map.h"

#include <algorithm>

#include "preview/pixel/reuse_scale.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

ImU32 colour_of(const preview::ReuseScale& scale, const preview::Reuse& pixel) {
    return blend(theme().background, theme().barrier, scale.share(pixel));
}

}  // namespace

void draw_reuse_cells(const preview::PixelFacts& pixel, std::uint32_t margin, const Rect& square) {
    const std::uint32_t across = std::max({pixel.read.width(), pixel.read.height(), 1u});
    const float side = square.width / static_cast<float>(across), gap = side >= 4 ? 1.0f : 0.0f;
    const preview::ReuseScale scale(pixel.reuse);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const preview::Reuse& cell : pixel.reuse) {
        const ImVec2 a(square.x + side * static_cast<float>(cell.x - pixel.read.left),
                       square.y + side * static_cast<float>(cell.y - pixel.read.top));
        const ImVec2 b(a.x + side - gap, a.y + side - gap);
        draw->AddRectFilled(a, b, colour_of(scale, cell));
        if (cell.x == pixel.x + margin && cell.y == pixel.y + margin)
            draw->AddRect(a, b, theme().active_edge);
    }
}

void draw_reuse(const preview::PixelFacts& pixel, std::uint32_t margin, const ImagePlace& place,
                const Rect& screen, bool numbers) {
    const preview::ReuseScale scale(pixel.reuse);
    const auto border = static_cast<float>(margin);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(screen.min(), screen.max(), true);
    for (const preview::Reuse& cell : pixel.reuse) {
        const ImVec2 a =
            place.to_screen(static_cast<float>(cell.x) - border, static_cast<float>(cell.y) - border);
        const Rect box{a.x, a.y, place.scale, place.scale};
        const ImU32 colour = colour_of(scale, cell);
        draw->AddRectFilled(box.min(), box.max(), numbers ? colour : faded(colour, 0.8f));
        if (numbers)  // they replace the levels
            draw_text_centred(draw, fonts().mono_small, box, theme().text_strong,
                              std::to_string(scale.reads(cell)));
    }
    draw->PopClipRect();
}

}  // namespace lanescope::ui
