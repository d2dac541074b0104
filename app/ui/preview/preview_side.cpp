#include "ui/preview/preview_side.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/files.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

std::string number(double value, int digits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

void draw_right(ImFont* font, const Rect& row, float right, ImU32 colour, const std::string& text) {
    draw_text(ImGui::GetWindowDrawList(), font,
              ImVec2(right - text_width(font, text), centre_line(font, row.y, row.height)), colour, text);
}

}  // namespace

void PreviewSide::content(const Rect& inside, const session::Session&, const WindowState& shared, Requests&) {
    if (hovered(inside, shared)) scroll_ -= ImGui::GetIO().MouseWheel * shared.px(60);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(used_ - inside.height, 0.0f));
    at_ = {inside.x, inside.y - scroll_, inside.width, inside.height + scroll_};
    const float top = at_.y;
    image_part(shared);
    mask_part(shared);
    if (model_.has_image()) {
        pixel_part(shared);
        loads_part(shared);
        exact_part(shared);
        histogram_part(shared);
    }
    used_ = at_.y - top;
    if (used_ <= inside.height) return;
    const float length = inside.height * inside.height / used_;
    const float y = inside.y + (inside.height - length) * scroll_ / (used_ - inside.height);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(inside.right() - shared.px(5), y),
                                              ImVec2(inside.right() - shared.px(1), y + length),
                                              faded(theme().text_quiet, 0.6f), shared.px(2));
}

Rect PreviewSide::section(const std::string& title, const WindowState& shared) {
    const Rect head = row(shared, 27);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text(draw, fonts().heading, ImVec2(head.x, centre_line(fonts().heading, head.y, head.height)),
              theme().heading, in_capitals(title));
    draw->AddLine(ImVec2(at_.x, head.bottom()), ImVec2(at_.right(), head.bottom()), theme().line);
    at_.y += shared.px(3);
    return head;
}

Rect PreviewSide::row(const WindowState& shared, float height) {
    const float pad = shared.px(theme().padding);
    const Rect made{at_.x + pad, at_.y, at_.width - 2 * pad, shared.px(height)};
    at_.y += made.height;
    at_.height -= made.height;
    return made;
}

void PreviewSide::fact(const std::string& name, const std::string& value, const WindowState& shared) {
    const Rect line = row(shared, 22);
    draw_text(ImGui::GetWindowDrawList(), fonts().text,
              ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text, name);
    draw_right(fonts().mono, line, line.right(), theme().text, value);
}

bool PreviewSide::link(const char* id, const std::string& text, float right, const Rect& line,
                       const WindowState& shared) const {
    const float width = text_width(fonts().text, text);
    const Rect box{right - width, line.y, width, line.height};
    const bool clicked = click_area(id, box);
    const bool hot = !shared.still && ImGui::IsItemHovered();
    draw_right(fonts().text, line, right, hot ? theme().text_strong : theme().accent, text);
    return clicked;
}

void PreviewSide::image_part(const WindowState& shared) {
    section("image", shared);
    const Rect line = row(shared, 26);
    const std::string name = model_.has_image() ? model_.image_path().filename().string() : "no image";
    if (link("##open", "open…", line.right(), line, shared)) ImGui::OpenPopup("open image");
    float right = line.right() - text_width(fonts().text, "open…");
    if (model_.has_image()) {
        const std::string about = image::describe(model_.image()) + " · ";
        right -= text_width(fonts().text, about);
        draw_right(fonts().text, line, line.right() - text_width(fonts().text, "open…"), theme().text_quiet,
                   about);
    }
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text_strong,
                     name, right - line.x - shared.px(10));
    open_popup(shared);
    const Rect border = row(shared, 30);
    draw_text(ImGui::GetWindowDrawList(), fonts().text,
              ImVec2(border.x, centre_line(fonts().text, border.y, border.height)), theme().text, "border");
    const float width = shared.px(170);
    const int chosen =
        choice("border", {border.right() - width, border.y + shared.px(3), width, shared.px(24)},
               {"zero (ghost cells)", "clamp to the edge", "mirror", "wrap around"},
               static_cast<int>(model_.border()), shared);
    if (chosen >= 0) model_.set_border(static_cast<preview::Border>(chosen));
}

void PreviewSide::open_popup(const WindowState& shared) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shared.px(10), shared.px(10)));
    if (ImGui::BeginPopup("open image")) {
        if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
        for (const char* name : {"harbour.png", "chart.png", "chart16.png", "noise.png"})
            if (ImGui::Selectable(name)) model_.open_image(resource_folder() / "assets" / "images" / name);
        ImGui::Separator();
        ImGui::TextUnformatted("or drop an image or a kernel on the window, or type its path:");
        ImGui::SetNextItemWidth(shared.px(360));
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        if (ImGui::InputText("##path", path_.data(), path_.size(), ImGuiInputTextFlags_EnterReturnsTrue)) {
            const std::filesystem::path path = whole_path(path_.data());
            if (path.extension() == ".cu")
                model_.open_kernel(path);
            else
                model_.open_image(path);
            ImGui::CloseCurrentPopup();
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void PreviewSide::loads_part(const WindowState& shared) {
    section("loads from global memory, counted", shared);
    const PreviewFacts* facts = model_.facts();
    const auto value = [&](double of, int digits, const char* unit) {
        return facts ? number(of, digits) + unit : std::string("–");
    };
    fact("without tiles", value(facts ? facts->loads.without_tiles : 0, 1, " a pixel"), shared);
    fact("by this kernel, of the image", value(facts ? facts->loads.counted.image : 0, 2, " a pixel"),
         shared);
    if (facts && facts->loads.counted.mask > 0)
        fact("of the mask", value(facts->loads.counted.mask, 1, " a pixel"), shared);
    fact("reduction", value(facts ? facts->loads.reduction : 0, 1, "×"), shared);
    if (facts && facts->loads.formula) {
        const preview::Box& tile = facts->loads.counted.blocks.front().tile;
        const std::uint32_t side = model_.run()->fit().mask_rows;
        fact("reduction, formula " + std::to_string(tile.width()) + "²·" + std::to_string(side) + "² / " +
                 std::to_string(tile.width() + side - 1) + "²",
             value(*facts->loads.formula, 1, "×"), shared);
    }
}

void PreviewSide::exact_part(const WindowState& shared) {
    section("against the exact result", shared);
    const PreviewFacts* facts = model_.facts();
    fact("largest difference", facts ? number(facts->difference.largest, 5) + " levels" : "–", shared);
    const double psnr = facts ? facts->difference.psnr(model_.image().max_level()) : 0;
    fact("PSNR", !facts ? "–" : std::isfinite(psnr) ? number(psnr, 1) + " dB" : "equal", shared);
    if (!facts) return;
    if (facts->missing > 0) fact("pixels that were not written", grouped(facts->missing), shared);
    for (const trace::Problem& problem : facts->problems) {
        const Rect line = row(shared, 24);
        draw_text_within(ImGui::GetWindowDrawList(), fonts().small,
                         ImVec2(line.x, centre_line(fonts().small, line.y, line.height)), theme().conflict,
                         "line " + std::to_string(problem.first.line) + ": " + problem.message, line.width);
    }
}

void PreviewSide::histogram_part(const WindowState& shared) {
    section("histogram: before (line), after (bars)", shared);
    const std::array<std::uint32_t, 64> none{};
    const PreviewFacts* facts = model_.facts();
    const auto &before = facts ? facts->levels_before : none, &after = facts ? facts->levels_after : none;
    const Rect box = row(shared, 54);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float most = static_cast<float>(std::max(*std::max_element(before.begin(), before.end()),
                                                   *std::max_element(after.begin(), after.end())));
    const float width = box.width / 64;
    const auto height = [&](std::uint32_t count) {  // the square root, so that small counts show, too
        return most > 0 ? std::sqrt(static_cast<float>(count) / most) * (box.height - shared.px(6)) : 0.0f;
    };
    for (std::size_t i = 0; i < 64; ++i) {
        const float x = box.x + width * static_cast<float>(i), bottom = box.bottom();
        draw->AddRectFilled(ImVec2(x, bottom - height(after[i])), ImVec2(x + width - 1, bottom),
                            theme().active);
        draw->AddLine(ImVec2(x, bottom - height(before[i])), ImVec2(x + width, bottom - height(before[i])),
                      theme().text_quiet, shared.px(1.5f));
    }
    const Rect line = row(shared, 26);
    draw_text(draw, fonts().text, ImVec2(line.x, centre_line(fonts().text, line.y, line.height)),
              theme().text_quiet, "right half:");
    if (link("##difference", wishes_.difference ? "show the result" : "show the difference × 4", line.right(),
             line, shared))
        wishes_.difference = !wishes_.difference;
}

}  // namespace lanescope::ui
