#include "ui/inspector/output_view.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float output_row_px = 18, output_title_px = 24;
constexpr std::size_t kept_bytes = 1u << 20;  // the end of a longer output is shown

const ProcessOutcome& process_of(const session::Session& session) {
    return session.launches().program()->run.process;
}

}  // namespace

bool OutputPanel::has_text(const session::Session& session) {
    if (session.launches().program() == nullptr) return false;
    return !process_of(session).out.empty() || !process_of(session).err.empty();
}

void OutputPanel::prepare(const session::Session& session) {
    if (generation_ == session.launches().generation()) return;
    generation_ = session.launches().generation();
    lines_.clear();
    scroll_ = 0;
    const auto add = [&](const std::string& text, bool error) {
        const std::size_t begin = text.size() > kept_bytes ? text.size() - kept_bytes : 0;
        if (begin > 0) lines_.push_back({"… the last 1 MiB of " + grouped(text.size()) + " bytes", error});
        std::istringstream parts(text.substr(begin));
        for (std::string line; std::getline(parts, line);)
            lines_.push_back({line, error});
    };
    add(process_of(session).out, false);
    add(process_of(session).err, true);
}

void OutputPanel::draw(const Rect& inside, const session::Session& session, const WindowState& window) {
    prepare(session);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float pad = window.px(theme().padding), title = window.px(output_title_px);
    const float row = window.click_px(output_row_px);
    draw->AddLine({inside.x, inside.y}, {inside.right(), inside.y}, theme().line);
    draw_text(draw, fonts().small, {inside.x + pad, centre_line(fonts().small, inside.y, title)},
              theme().text_quiet, "printed by the program");
    const Rect list{inside.x, inside.y + title, inside.width, inside.height - title};
    if (list.empty()) return;
    const float height = row * static_cast<float>(lines_.size());
    if (hovered(list, window)) scroll_ -= ImGui::GetIO().MouseWheel * window.px(60);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - list.height));
    draw_scroll_mark(list, scroll_, height, window);
    draw->PushClipRect(list.min(), list.max(), true);
    const auto first = static_cast<std::size_t>(scroll_ / row);
    const auto end = std::min(lines_.size(), static_cast<std::size_t>((scroll_ + list.height) / row) + 1);
    for (std::size_t i = first; i < end; ++i) {
        const float y = list.y + row * static_cast<float>(i) - scroll_;
        const bool cut = draw_text_within(
            draw, fonts().mono, {list.x + pad, centre_line(fonts().mono, y, row)},
            lines_[i].error ? theme().conflict : theme().text, lines_[i].text, list.width - 2 * pad);
        if (cut && hovered({list.x, y, list.width, row}, window)) tooltip(lines_[i].text, window);
    }
    draw->PopClipRect();
}

}  // namespace lanescope::ui
