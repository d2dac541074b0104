#include "ui/preview/mask_section.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

using preview::FilterChoice;

void MaskSection::draw(SideColumn& column) {
    column.section("mask");
    kinds(column);
    grid_.draw(column);
    words(column);
    sizes(column);
    sum(column);
}

void MaskSection::kinds(SideColumn& column) {
    const WindowState& window = column.window();
    const float pad = window.px(theme().padding), gap = window.px(6), left = column.left().x + pad,
                right = column.left().right() - pad;
    const FilterChoice::Kind* const current = model_.filter().kind();
    float x = left;
    column.skip(window.px(5));
    const auto add = [&](const char* id, const std::string& label, bool chosen) {
        if (x + chip_width(label, window) > right) {
            x = left;
            column.skip(chip_height(window) + gap);
        }
        const ImVec2 at(x, column.left().y);
        const bool clicked =
            chip(id, at, label, window, {chosen ? theme().accent : theme().text, false, true});
        if (chosen)
            ImGui::GetWindowDrawList()->AddRect(
                at, ImVec2(x + chip_width(label, window), at.y + chip_height(window)), theme().accent,
                chip_height(window) / 2);
        x += chip_width(label, window) + gap;
        return clicked;
    };
    for (const FilterChoice::Kind& kind : FilterChoice::kinds())
        if (add(kind.name, kind.label, current == &kind))
            model_.edit_filter([&](FilterChoice& filter) { filter.choose(kind); });
    if (add("own", current == nullptr ? "own" : "own …", current == nullptr) && current != nullptr)
        model_.edit_filter([](FilterChoice& filter) { filter.make_own(); });
    column.skip(chip_height(window) + window.px(8));
}

void MaskSection::words(SideColumn& column) {
    const WindowState& window = column.window();
    const Rect line = column.row(24);
    files_.draw_load([this](const std::filesystem::path& path) { return load(path); }, window);
    const auto small = [&](const char* text, float width) {
        draw_text_within(ImGui::GetWindowDrawList(), fonts().small,
                         ImVec2(line.x, centre_line(fonts().small, line.y, line.height)), theme().text_quiet,
                         text, width);
    };
    if (!model_.filter().can_edit())
        return small("along x; the mask along y is its transpose", column.left().right() - line.x);
    float right = line.right();
    const auto word = [&](const char* id, const char* text) {
        const bool clicked = column.link(id, text, right, line);
        right -= text_width(fonts().text, text) + window.px(14);
        return clicked;
    };
    if (word("##load", "load")) files_.ask_to_load();
    if (word("##save", "save")) files_.ask_to_save();
    if (word("##rotate", "rotate")) model_.edit_filter([](FilterChoice& filter) { filter.rotate(); });
    if (word("##transpose", "transpose"))
        model_.edit_filter([](FilterChoice& filter) { filter.transpose(); });
    if (word("##symmetric", grid_.symmetric() ? "symmetric ✓" : "symmetric"))
        grid_.set_symmetric(!grid_.symmetric());
    small("type or drag", right - line.x);
    files_.draw_save(
        [this](const std::filesystem::path& path) {
            const Result<void> saved = model_.filter().save(path);
            return saved ? std::string() : to_text(saved.diagnostics().front());
        },
        model_.inputs(), window);
}

std::string MaskSection::load(const std::filesystem::path& path) {
    const Result<void> loaded = model_.load_mask(path);
    if (!loaded) return to_text(loaded.diagnostics().front());
    grid_.set_symmetric(false);
    return {};
}

void MaskSection::sizes(SideColumn& column) {
    const WindowState& window = column.window();
    const bool sized = model_.filter().can_resize();
    const std::optional<double> now = model_.filter().sigma();
    if (!sized && !now) return;
    const Rect line = column.row(28);
    const float half = (line.width - window.px(24)) / 2;
    if (sized) side_choice({line.x, line.y, half, line.height}, window);
    if (now) sigma({line.right() - half, line.y, half, line.height}, *now, window);
}

void MaskSection::sum(SideColumn& column) {
    const Rect line = column.row(24);
    draw_name(line, "sum");
    float right = line.right();
    if (model_.filter().can_normalise()) {
        if (column.link("##normalise", "normalise", right, line))
            model_.edit_filter([](FilterChoice& filter) { filter.normalise(); });
        right -= text_width(fonts().text, "normalise") + column.window().px(10);
    }
    const double sum = model_.filter().mask().sum();
    draw_right(fonts().mono, line, right, theme().text, mask_number(std::abs(sum) < 1e-12 ? 0 : sum, 3));
}

void MaskSection::side_choice(const Rect& line, const WindowState& window) {
    const preview::Mask& mask = model_.filter().mask();
    draw_name(line, "size");
    std::vector<std::string> sizes;
    for (std::uint32_t side = 1; side <= preview::max_mask_side; side += 2)
        sizes.push_back(std::to_string(side) + " × " + std::to_string(side));
    const float width = window.px(96);
    const int chosen =
        choice("size", {line.right() - width, line.y + window.px(2), width, window.px(24)}, sizes,
               mask.rows == mask.columns ? static_cast<int>(mask.rows / 2) : -1, window);
    if (chosen >= 0)
        model_.edit_filter(
            [&](FilterChoice& filter) { filter.resize(2 * static_cast<std::uint32_t>(chosen) + 1); });
}

void MaskSection::sigma(const Rect& line, double now, const WindowState& window) {
    draw_name(line, "σ (drag)");
    const Rect box{line.right() - window.px(80), line.y + window.px(2), window.px(80), window.px(24)};
    click_area("##sigma", box);
    if (!window.still && (ImGui::IsItemHovered() || ImGui::IsItemActive()))
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const float moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta.x : 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(theme().rounding));
    draw->AddRect(box.min(), box.max(), theme().line, window.px(theme().rounding));
    draw_right(fonts().mono, box, box.right() - window.px(8), theme().text, mask_number(now, 2));
    if (moved != 0)
        model_.edit_filter(
            [&](FilterChoice& filter) { filter.set_sigma(now + 0.02 * static_cast<double>(moved)); });
}

}  // namespace lanescope::ui
