// The reuse map: how often the block of the chosen pixel reads each pixel, counted in its trace.
#include <algorithm>

#include "ui/kit/widgets.h"
#include "ui/preview/preview_side.h"
#include "ui/preview/preview_view.h"

namespace lanescope::ui {

namespace {

std::string times(const char* memory, std::uint32_t least, std::uint32_t most) {
    return "each " + std::string(least == most ? "" : std::to_string(least) + " to ") + std::to_string(most) +
           " × from " + memory;
}

}  // namespace

ReuseScale::ReuseScale(const std::vector<preview::Reuse>& reuse) {
    shared =
        std::any_of(reuse.begin(), reuse.end(), [](const preview::Reuse& pixel) { return pixel.shared > 0; });
    if (reuse.empty()) return;
    const auto [low, high] = std::minmax_element(
        reuse.begin(), reuse.end(),
        [&](const preview::Reuse& a, const preview::Reuse& b) { return reads(a) < reads(b); });
    least = reads(*low);
    most = reads(*high);
}

ImU32 ReuseScale::colour(const preview::Reuse& pixel) const {
    const float share = most == 0 ? 0.0f : static_cast<float>(reads(pixel)) / static_cast<float>(most);
    return blend(theme().background, theme().barrier, share);
}

void PreviewSide::reuse_cells(const Rect& box) const {
    const PixelFacts& pixel = model_.pixel();
    const std::uint32_t across = std::max({pixel.read.width(), pixel.read.height(), 1u});
    const float side = box.width / static_cast<float>(across), gap = side >= 4 ? 1.0f : 0.0f;
    const ReuseScale scale(pixel.reuse);
    const std::uint32_t margin = model_.run()->margin();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const preview::Reuse& cell : pixel.reuse) {
        const ImVec2 a(box.x + side * static_cast<float>(cell.x - pixel.read.left),
                       box.y + side * static_cast<float>(cell.y - pixel.read.top));
        const ImVec2 b(a.x + side - gap, a.y + side - gap);
        draw->AddRectFilled(a, b, scale.colour(cell));
        if (cell.x == pixel.x + margin && cell.y == pixel.y + margin)
            draw->AddRect(a, b, theme().active_edge);
    }
}

std::vector<std::string> PreviewSide::reuse_words() const {
    const std::vector<preview::Reuse>& reuse = model_.pixel().reuse;
    if (reuse.empty()) return {"its last launch reads another buffer", "than the image"};
    const auto [low, high] = std::minmax_element(
        reuse.begin(), reuse.end(),
        [](const preview::Reuse& a, const preview::Reuse& b) { return a.global < b.global; });
    std::vector<std::string> words{grouped(reuse.size()) + " pixels that the block reads:",
                                   times("global memory", low->global, high->global)};
    const ReuseScale scale(reuse);
    if (scale.shared)
        words.push_back(times("shared memory", scale.least, scale.most));
    else if (model_.facts()->loads.counted.shared)
        words.push_back("not followed into shared memory");
    else
        words.push_back("never from shared memory");
    return words;
}

void PreviewView::draw_reuse(const Rect& screen, const WindowState& shared) const {
    const PixelFacts& pixel = model_.pixel();
    if (!reuse_ || !pixel.known || model_.run() == nullptr) return;
    const ReuseScale scale(pixel.reuse);
    const auto margin = static_cast<float>(model_.run()->margin());
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(screen.min(), screen.max(), true);
    for (const preview::Reuse& cell : pixel.reuse) {
        const ImVec2 a =
            place_.to_screen(static_cast<float>(cell.x) - margin, static_cast<float>(cell.y) - margin);
        const Rect box{a.x, a.y, place_.scale, place_.scale};
        const bool words = shows_values(shared);  // then in place of the levels
        draw->AddRectFilled(box.min(), box.max(),
                            words ? scale.colour(cell) : faded(scale.colour(cell), 0.8f));
        if (words)
            draw_text_centred(draw, fonts().mono_small, box, theme().text_strong,
                              std::to_string(scale.reads(cell)));
    }
    draw->PopClipRect();
}

}  // namespace lanescope::ui
