#include "ui/preview/product_grid.h"

#include <algorithm>
#include <cmath>

#include "preview/pixel/pixel_words.h"
#include "ui/kit/widgets.h"
#include "ui/preview/picture_pixels.h"

namespace lanescope::ui {

using preview::short_number;

namespace {

constexpr std::uint32_t max_side_in_numbers = 5;

// Draws the two factors above, spaced if there is room, and their product below.
void draw_numbers(const Rect& text, const preview::MaskSum& mask, const preview::Product& cell, ImU32 fill,
                  const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::string value = short_number(cell.value, 0);
    const std::string weight = short_number(cell.weight / mask.scale, 3);
    std::string factors = cell.outside ? "outside" : value + " × " + weight;
    const Rect upper{text.x, text.y + window.px(1), text.width, text.height / 2};
    const Rect lower{text.x, text.y + text.height / 2 - window.px(1), text.width, text.height / 2};
    if (text_width(fonts().mono_tiny, factors) > upper.width) factors = value + "×" + weight;
    draw_text_centred(draw, fonts().mono_tiny, upper, legible(blend(fill, theme().text_strong, 0.75f), fill),
                      factors);
    const std::string made = short_number(cell.product() / mask.scale, 2);
    ImFont* font =
        text_width(fonts().mono_small, made) <= lower.width ? fonts().mono_small : fonts().mono_tiny;
    draw_text_centred(draw, font, lower, legible(theme().text_strong, fill), made);
}

}  // namespace

bool ProductGrid::takes(const preview::MaskSum& mask) {
    return mask.rows <= max_side_in_numbers && mask.columns <= max_side_in_numbers;
}

ImU32 ProductGrid::colour_under(const preview::Product& cell) const {
    const image::Image& image = *model_.image();
    return cell.outside ? IM_COL32(0, 0, 0, 255) : opaque_colour(image, image.samples, cell.x, cell.y);
}

void ProductGrid::numbers(SideColumn& column, const preview::SampleParts& parts) const {
    const WindowState& window = column.window();
    const auto masks = static_cast<float>(parts.masks.size());
    const Rect box = column.row(31 * static_cast<float>(parts.masks.front().rows) + 2);
    const float between = masks > 1 ? window.px(12) : 0;
    const float room = (box.width - between * (masks - 1)) / masks;
    float left = box.x;
    for (const preview::MaskSum& mask : parts.masks) {
        const float width = std::min(room / static_cast<float>(mask.columns), window.px(100)),
                    height = window.px(31);
        double largest = 1e-12;
        for (const preview::Product& cell : mask.cells)
            largest = std::max(largest, std::abs(cell.product()));
        for (std::uint32_t i = 0; i < mask.cells.size(); ++i) {
            const auto c = static_cast<float>(i % mask.columns), r = static_cast<float>(i / mask.columns);
            number_cell({left + width * c, box.y + height * r, width - 2, height - 2}, mask, mask.cells[i],
                        largest, window);
        }
        left += room + between;
    }
}

void ProductGrid::number_cell(const Rect& box, const preview::MaskSum& mask, const preview::Product& cell,
                              double largest, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const double product = cell.product();
    const auto share = static_cast<float>(std::abs(product) / largest);
    const ImU32 fill =
        blend(theme().cell, product < 0 ? theme().write_edge : theme().active_edge, 0.6f * share);
    draw->AddRectFilled(box.min(), box.max(), fill, window.px(2));
    draw->AddRect(box.min(), box.max(), theme().cell_edge, window.px(2));
    const float bar = window.px(4);
    draw->AddRectFilled(box.min(), ImVec2(box.x + bar, box.bottom()), colour_under(cell));
    draw_numbers({box.x + bar, box.y, box.width - bar, box.height}, mask, cell, fill, window);
    if (hovered(box, window)) cell_tooltip(mask, cell, window);
}

void ProductGrid::cell_tooltip(const preview::MaskSum& mask, const preview::Product& cell,
                               const WindowState& window) const {
    const preview::Run& run = *model_.runner().run();
    std::string text = preview::product_lines(mask, cell);
    if (cell.outside) return tooltip("outside of the image: 0", text, window);
    const auto x = static_cast<std::uint32_t>(cell.x), y = static_cast<std::uint32_t>(cell.y);
    const std::vector<std::uint32_t> loaders = model_.inspector().loaders_of(x, y);
    for (std::size_t i = 0; i < loaders.size() && i < 3; ++i)
        text += std::string(i == 0 ? "\nloaded by thread " : ", ") + preview::thread_place(run, loaders[i]);
    if (loaders.size() > 3)
        text += " and " + std::to_string(loaders.size() - 3) +
                (loaders.size() == 4 ? " more load" : " more loads") + " of this block";
    for (const preview::Reuse& reuse : model_.inspector().pixel().reuse)
        if (reuse.x == x + run.margin() && reuse.y == y + run.margin() && reuse.shared > 0)
            text += "\nread " + std::to_string(reuse.shared) + " × from shared memory by the block";
    tooltip("pixel (" + std::to_string(x) + ", " + std::to_string(y) + ")", text, window);
}

void ProductGrid::pixels(const Rect& box, const preview::SampleParts& parts,
                         const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const preview::MaskSum& mask = parts.masks.front();
    const float side = box.width / static_cast<float>(std::max({mask.rows, mask.columns, 3u}));
    for (std::uint32_t i = 0; i < mask.cells.size(); ++i) {
        const preview::Product& cell = mask.cells[i];
        const std::uint32_t r = i / mask.columns, c = i % mask.columns;
        const Rect at{box.x + side * static_cast<float>(c), box.y + side * static_cast<float>(r), side - 1,
                      side - 1};
        draw->AddRectFilled(at.min(), at.max(), colour_under(cell));
        const bool middle = r == mask.rows / 2 && c == mask.columns / 2;
        draw->AddRect(at.min(), at.max(), middle ? theme().active_edge : theme().line, 0, 0,
                      middle ? window.px(2) : 1);
        if (hovered(at, window)) {
            draw->AddRect(at.min(), at.max(), theme().text_strong, 0, 0, window.px(1.5f));
            cell_tooltip(mask, cell, window);
        }
    }
}

}  // namespace lanescope::ui
