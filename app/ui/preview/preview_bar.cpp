#include "ui/preview/preview_bar.h"

#include <cstdio>
#include <vector>

#include "ui/actions/table.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

std::string milliseconds(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2f ms", value);
    return text;
}

}  // namespace

void PreviewBar::content(const Rect& inside, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    float x = inside.x + view.px(14);
    const auto word = [&](ImFont* font, ImU32 colour, const std::string& text) {
        draw_text(draw, font, ImVec2(x, centre_line(font, inside.y, inside.height)), colour, text);
        x += text_width(font, text) + view.px(14);
    };
    word(fonts().title, theme().text_strong, "Lanescope");
    word(fonts().text, theme().text_quiet, "Preview");
    const float right = chips(inside, view.window);
    tabs(x, right, inside, view.window);
    draw->AddLine(ImVec2(inside.x, inside.bottom() - 1), ImVec2(inside.right(), inside.bottom() - 1),
                  theme().line);
}

// The chosen kernel always has a tab. If not all tabs fit, a list shows all kernels.
void PreviewBar::tabs(float left, float right, const Rect& inside, const WindowState& window) {
    const std::size_t count = model_.kernels().files().size(), chosen = model_.kernels().chosen();
    std::vector<std::string> labels;
    std::vector<float> widths;
    float wanted = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = model_.kernels().files()[i].filename().string();
        labels.push_back(name + (model_.kernels().edited(i) ? " •" : ""));
        widths.push_back(text_width(fonts().text, labels.back()) + window.px(22));
        wanted += widths.back();
    }
    const bool all = wanted <= right - left;
    const std::string list = "all " + std::to_string(count);
    if (!all) right -= chip_width(list, window, true) + window.px(8);
    float reserved = all ? 0 : widths[chosen];
    for (std::size_t i = 0; i < count; ++i) {
        if (i == chosen) reserved = 0;
        if (left + widths[i] + reserved > right && i != chosen) continue;
        tab(i, labels[i], {left, inside.y, widths[i], inside.height}, window);
        left += widths[i];
    }
    if (all) return;
    const ImVec2 at{left + window.px(8), inside.y + (inside.height - chip_height(window)) / 2};
    if (chip("all kernels", at, list, window, {.arrow = true})) ImGui::OpenPopup("kernels");
    const int entry = choice_popup("kernels", labels, int(chosen), window);
    if (entry >= 0) model_.choose_kernel(std::size_t(entry));
}

void PreviewBar::tab(std::size_t number, const std::string& label, const Rect& box,
                     const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::PushID(static_cast<int>(number));
    if (click_area("tab", box, model_.kernels().files()[number].filename().string()))
        model_.choose_kernel(number);
    ImGui::PopID();
    const bool current = number == model_.kernels().chosen();
    draw_text_centred(draw, fonts().text, box, current ? theme().text_strong : theme().text, label);
    if (current)
        draw->AddRectFilled(ImVec2(box.x, box.bottom() - window.px(3)), box.max(), theme().active_edge);
}

std::string PreviewBar::engine() const {
    const preview::GpuFilter::Times* times = model_.runner().device_times();
    const std::string key = with_keys(" · {preview.engine}");
    if (!model_.runner().on_device() || gpu_.name().empty()) return "CPU SIMT machine · exact" + key;
    return gpu_.name() + (times ? " · " + milliseconds(times->on_device_ms) : "") + key;
}

float PreviewBar::chips(const Rect& inside, const WindowState& window) {
    float x = inside.right();
    const auto add = [&](const char* id, const std::string& label, ImU32 colour, bool clickable) {
        x -= chip_width(label, window) + window.px(14);
        return chip(id, ImVec2(x, inside.y + (inside.height - chip_height(window)) / 2), label, window,
                    {colour, false, clickable});
    };
    const preview::FilterRunner& runner = model_.runner();
    if (add("back", with_keys("lessons · {preview.toggle}"), theme().accent, true)) open_ = false;
    if (add("edit",
            with_keys(editor_.open() ? "close the editor · {preview.edit}" : "edit kernel · {preview.edit}"),
            theme().accent, true))
        editor_.show(!editor_.open());
    if (add("engine", engine(), theme().text, true)) model_.use_device(!runner.on_device());
    if (model_.busy()) {
        const std::string percent = std::to_string(static_cast<int>(runner.progress() * 100)) + " %";
        if (add("cancel", "cancel · " + percent, theme().barrier, true)) model_.cancel();
    } else if (const preview::RunFacts* facts = runner.facts()) {
        if (facts->as_expected())
            add("verdict",
                facts->allowed_levels > 1 ? "as exact as its mask of integers" : "result as expected",
                theme().good, false);
        else
            add("verdict", "not the exact result", theme().conflict, false);
    }
    return x - window.px(8);
}

}  // namespace lanescope::ui
