#include "ui/inspector/launches_view.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "ui/inspector/program_state.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float launch_row_px = 40, launch_line_px = 19, number_px = 40, filter_px = 25, mark_px = 3;
constexpr const char* filter_hint = "kernel";

}  // namespace

void LaunchesPanel::prepare(const session::Session& session) {
    const session::Launches& launches = session.launches();
    if (generation_ != launches.generation()) {
        generation_ = launches.generation();
        rows_ = scene::launch_rows(launches.program()->run);
        heading_ = scene::work_heading(launches.program()->run);
        typed_.clear();
        filter_ = {};
        left_ = scene::filtered(rows_, filter_);
        scroll_ = 0;
    }
    if (shown_ != launches.shown()) {
        shown_ = launches.shown();
        follow_ = true;
    }
    if (typed_ != filter_.kernel) {
        filter_.kernel = typed_;
        left_ = scene::filtered(rows_, filter_);
        scroll_ = 0;
    }
}

void LaunchesPanel::draw(const Rect& inside, const ViewContext& view) {
    if (view.session.launches().program() == nullptr) return;
    prepare(view.session);
    const float pad = view.px(theme().padding);
    Rect row{inside.x + pad, inside.y + view.px(7), inside.width - 2 * pad, 0};
    row.y += draw_filter(row, view.window);
    row.y += draw_program_state(row, view);
    row.y += draw_heading(row, view.window);
    draw_list({inside.x, row.y, inside.width, inside.bottom() - row.y}, view);
}

// Draws the input for a part of a kernel's name, the choice of launches with problems, and how many are left.
float LaunchesPanel::draw_filter(const Rect& row, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.click_px(filter_px);
    const Rect box{row.x, row.y, std::min(window.px(150), row.width / 3), height};
    if (window.still) {  // headless pictures have no text widget
        draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(theme().rounding));
        draw_text(draw, fonts().text, {box.x + window.px(8), centre_line(fonts().text, box.y, height)},
                  theme().text_faint, filter_hint);
    } else {
        ImGui::SetCursorScreenPos(box.min());
        ImGui::SetNextItemWidth(box.width);
        ImGui::InputTextWithHint("##launches", filter_hint, &typed_);
        name_last_item("launch filter");
    }
    const std::string word = filter_.problems ? "✓ with problems" : "with problems";
    const float x = box.right() + window.px(8);
    if (chip("launches with problems", {x, row.y + (height - chip_height(window)) / 2}, word, window,
             {.name = "launches with problems"})) {
        filter_.problems = !filter_.problems;
        left_ = scene::filtered(rows_, filter_);
        scroll_ = 0;
    }
    std::string count = counted(rows_.size(), "launch");
    if (rows_.size() != 1) count = grouped(rows_.size()) + " launches";
    if (left_.size() != rows_.size()) count = grouped(left_.size()) + " of " + count;
    const float room = row.right() - x - chip_width(word, window) - window.px(10);
    const float width = std::min(text_width(fonts().small, count), room);
    draw_text_within(draw, fonts().small, {row.right() - width, centre_line(fonts().small, row.y, height)},
                     theme().text_quiet, count, room);
    return height + window.px(5);
}

float LaunchesPanel::draw_heading(const Rect& row, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.px(launch_line_px), y = centre_line(fonts().small, row.y, height);
    draw_text(draw, fonts().small, {row.x, y}, theme().text_quiet, "launch");
    draw_text(draw, fonts().small, {row.right() - text_width(fonts().small, heading_), y}, theme().text_quiet,
              heading_);
    return height;
}

// Draws the rows that are in sight; a program may have thousands.
void LaunchesPanel::draw_list(const Rect& list, const ViewContext& view) {
    if (list.empty()) return;
    const float height = view.px(launch_row_px), all = height * static_cast<float>(left_.size());
    if (hovered(list, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(60);
    if (std::exchange(follow_, false)) {
        const auto shown = std::find_if(left_.begin(), left_.end(),
                                        [&](std::size_t i) { return rows_[i].number == shown_; });
        const float y = height * static_cast<float>(shown - left_.begin());
        if (shown != left_.end() && (y < scroll_ || y + height > scroll_ + list.height))
            scroll_ = y - (list.height - height) / 2;
    }
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, all - list.height));
    draw_scroll_mark(list, scroll_, all, view.window);
    ImGui::GetWindowDrawList()->PushClipRect(list.min(), list.max(), true);
    const auto first = static_cast<std::size_t>(scroll_ / height);
    const auto end = std::min(left_.size(), static_cast<std::size_t>((scroll_ + list.height) / height) + 1);
    for (std::size_t i = first; i < end; ++i)
        draw_row({list.x, list.y + height * static_cast<float>(i) - scroll_, list.width, height},
                 rows_[left_[i]], view);
    if (left_.empty())
        draw_text(ImGui::GetWindowDrawList(), fonts().text,
                  {list.x + view.px(theme().padding), list.y + view.px(6)}, theme().text_quiet,
                  rows_.empty() ? "The program launched no kernel." : "No launch is like this.");
    ImGui::GetWindowDrawList()->PopClipRect();
}

void LaunchesPanel::draw_row(const Rect& row, const scene::LaunchRow& launch, const ViewContext& view) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool shown = shown_ == launch.number,
               recording = view.session.launches().recording() == launch.number;
    ImGui::PushID(static_cast<int>(launch.number));
    const bool clicked = click_area("launch", row, "launch " + std::to_string(launch.number));
    const bool hot = !view.window.still && ImGui::IsItemHovered();
    ImGui::PopID();
    if (clicked && !shown) view.requests.commands.push_back(session::RecordLaunch{launch.number});
    if (shown || hot)
        draw->AddRectFilled(row.min(), row.max(), shown ? theme().selected : theme().panel_raised);
    if (shown) draw->AddRectFilled(row.min(), {row.x + view.px(mark_px), row.bottom()}, theme().accent);
    const float pad = view.px(theme().padding), line = view.px(launch_line_px);
    const float left = row.x + pad + view.px(number_px), top = row.y + view.px(1);
    float right = row.right() - pad;
    const auto draw_right = [&](ImFont* font, ImU32 colour, const std::string& text) {
        if (text.empty()) return;
        right -= text_width(font, text);
        draw_text(draw, font, {right, centre_line(font, top, line)}, colour, text);
        right -= view.px(10);
    };
    draw_right(fonts().mono_small, shown ? theme().text_strong : theme().text, launch.work);
    draw_right(fonts().small,
               launch.problem ? legible(theme().conflict, theme().selected) : theme().text_quiet,
               (launch.problem ? "✗ " : "") + launch.problems);
    draw_right(fonts().small, theme().accent, shown ? "shown" : recording ? "recording" : "");
    draw_text(draw, fonts().mono_small, {row.x + pad, centre_line(fonts().mono_small, top, line)},
              theme().text_quiet, std::to_string(launch.number));
    ImFont* font = shown ? fonts().strong : fonts().text;
    draw_text_within(draw, font, {left, centre_line(font, top, line)},
                     shown || hot ? theme().text_strong : theme().text, launch.kernel, right - left);
    draw_text_within(draw, fonts().small, {left, centre_line(fonts().small, top + line, line)},
                     theme().text_quiet, launch.details, row.right() - pad - left);
    if (hot)
        tooltip(launch.kernel,
                launch.story + (shown ? "" : "\nclick: run the program again and record this launch"),
                view.window);
}

}  // namespace lanescope::ui
