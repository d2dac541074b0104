#include "ui/inspector/timings_view.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/inspector/roofline_panel.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float line_height = 19, bar_height = 7, row_gap = 9, choice_width = 92;

bool has_file(const session::SizeGroup& group, const lesson::LessonEntry* lesson) {
    return lesson &&
           std::any_of(group.records.begin(), group.records.end(), [&](const session::TimingRecord* record) {
               return std::filesystem::path(record->file).filename() == lesson->path.filename();
           });
}

bool has_open(const std::vector<TimingBar>& bars) {
    return std::any_of(bars.begin(), bars.end(), [](const TimingBar& bar) { return bar.open; });
}

}  // namespace

void TimingsPanel::prepare(const session::Session& session) {
    if (timings_ == session.timings().shown() && lesson_ == session.lesson()) return;
    timings_ = session.timings().shown();
    lesson_ = session.lesson();
    sizes_ = timings_ && session.topic() ? session::sizes_of(*timings_, *session.topic())
                                         : std::vector<session::SizeGroup>();
    // At the open file's largest size the launch takes the smallest share of the time.
    size_ = sizes_.empty() ? 0 : sizes_.size() - 1;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        if (has_file(sizes_[i], lesson_)) size_ = i;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
        if (sizes_[i].elements == wanted_elements_) size_ = i;
    choose_size(session);
}

void TimingsPanel::choose_size(const session::Session& session) {
    bars_.clear();
    roofline_ = {};
    ceiling_ = 0;
    scroll_ = 0;
    follow_ = true;
    if (size_ >= sizes_.size()) return;
    ceiling_ = timings_->report.device.copy_gb_per_s;
    bars_ = timing_bars(sizes_[size_], *session.topic(), lesson_, timings_->report.device);
    const auto facts = session.timings().roofline();
    roofline_ = roofline_plot(
        roofline_of(*timings_, sizes_[size_].records, facts ? *facts : session::RooflineFacts()),
        *session.topic(), lesson_);
    full_width_ = std::max(ceiling_, 1e-9);
    for (const TimingBar& bar : bars_)
        full_width_ = std::max(full_width_, bar.high);
    full_width_ *= 1.02;
}

void TimingsPanel::draw(const Rect& inside, const ViewContext& view) {
    prepare(view.session);
    const float pad = view.px(theme().padding);
    Rect row{inside.x + pad, inside.y + view.px(8), inside.width - 2 * pad, 0};
    row.y += draw_head(row, view.session, view.window);
    row.y += draw_measure(row, view);
    row.y += draw_missing(row, view.session, view.window);
    if (bars_.empty()) return;
    if (!view.window.inspector.roofline) return draw_bars(row, inside, view.window, view.requests);
    draw_roofline({row.x, row.y, row.width, inside.bottom() - row.y - view.px(8)}, roofline_, view.window,
                  view.requests);
}

void TimingsPanel::draw_bars(Rect row, const Rect& inside, const WindowState& window, Requests& requests) {
    const float top = row.y + draw_ceiling(row, inside.bottom(), window);
    const Rect list{inside.x, top, inside.width, inside.bottom() - top};
    ImGui::GetWindowDrawList()->PushClipRect(list.min(), list.max(), true);
    row.y = top - scroll_;
    for (const TimingBar& bar : bars_) {
        ImGui::PushID(&bar);
        const float above = row.y;
        row.y += draw_bar(row, bar, window, requests) + window.px(row_gap);
        ImGui::PopID();
        if (!bar.open || !follow_) continue;
        follow_ = false;
        if (row.y > list.bottom()) scroll_ = std::min(row.y - list.bottom(), above - top);
    }
    ImGui::GetWindowDrawList()->PopClipRect();
    if (hovered(list, window)) scroll_ -= ImGui::GetIO().MouseWheel * window.px(40);
    const float height = row.y + scroll_ - list.y;
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - list.height));
    draw_scroll_mark(list, scroll_, height, window);
}

// Draws the origin of the times and, at the right, the size of the input.
float TimingsPanel::draw_head(const Rect& row, const session::Session& session, const WindowState& window) {
    const float label = window.px(choice_width + 44);
    std::string origin = "No recorded timings are installed.";
    if (timings_) {
        origin = timings_->origin();
        origin[0] = upper_case(origin[0]);
    } else if (!session.timings().problems().empty()) {
        origin = to_text(session.timings().problems().front());
    }
    const float text_room = sizes_.empty() ? row.width : row.width - label - window.px(10);
    const float height =
        draw_text_block(fonts().small, {row.x, row.y, text_room, 0}, theme().text_quiet, origin);
    if (sizes_.empty()) return height + window.px(6);
    std::vector<std::string> words;
    for (const session::SizeGroup& group : sizes_)
        words.push_back(session::size_words(group.elements));
    const Rect box{row.right() - window.px(choice_width), row.y, window.px(choice_width), window.px(21)};
    draw_text(ImGui::GetWindowDrawList(), fonts().small,
              {row.right() - label, centre_line(fonts().small, box.y, box.height)}, theme().text_quiet,
              "input");
    const int chosen = choice("timing size", box, words, static_cast<int>(size_), window);
    if (chosen >= 0) {
        size_ = static_cast<std::size_t>(chosen);
        wanted_elements_ = sizes_[size_].elements;
        choose_size(session);
    }
    return std::max(height, box.height) + window.px(6);
}

namespace {

std::string measuring_words(std::optional<double> seconds_left) {
    if (!seconds_left) return "Measuring …";
    return "Measuring, about " + std::to_string(std::max(1L, std::lround(*seconds_left))) + " s left";
}

}  // namespace

// Draws the button that measures on this machine, the progress, or the reason why there is no button; at the
// right the other way to show the times.
float TimingsPanel::draw_measure(const Rect& whole, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    Rect row = whole;
    if (!bars_.empty()) {
        const std::string other = view.window.inspector.roofline ? "Bars" : "Roofline";
        row.width -= chip_width(other, view.window) + view.px(10);
        if (chip("plot", {row.right() + view.px(10), row.y}, other, view.window))
            view.requests.set(&WindowState::inspector, &InspectorState::roofline,
                              !view.window.inspector.roofline);
    }
    const float height = chip_height(view.window);
    if (view.session.timings().gpu() == session::GpuState::unknown) {
        view.requests.commands.push_back(session::FindGpu{});
        draw_text(draw, fonts().small, {row.x, centre_line(fonts().small, row.y, height)}, theme().text_faint,
                  "Looking for a GPU …");
    } else if (view.session.timings().measuring()) {
        const std::string word = "Cancel", says = measuring_words(view.session.timings().seconds_left());
        const float said = text_width(fonts().small, says) + view.px(12);
        const float width = row.width - chip_width(word, view.window) - said - view.px(26);
        draw_text(draw, fonts().small, {row.x, centre_line(fonts().small, row.y, height)}, theme().text,
                  says);
        const Rect bar{row.x + said, row.y + height / 2 - view.px(3), width, view.px(6)};
        draw->AddRectFilled(bar.min(), bar.max(), theme().line, view.px(3));
        const float share = std::clamp(view.session.timings().progress(), 0.0f, 1.0f);
        draw->AddRectFilled(bar.min(), {bar.x + bar.width * share, bar.bottom()}, theme().active_edge,
                            view.px(3));
        if (chip("cancel measuring", {row.right() - chip_width(word, view.window), row.y}, word, view.window))
            view.requests.commands.push_back(session::CancelMeasuring{});
    } else if (view.session.timings().gpu() == session::GpuState::usable) {
        const std::uint64_t elements = size_ < sizes_.size() ? sizes_[size_].elements : 0;
        if (chip("measure", {row.x, row.y}, "Measure on this GPU", view.window))
            view.requests.commands.push_back(session::MeasureTimings{elements});
        if (!timings_ || timings_->recorded) return height + view.px(7);
        if (chip("show recording",
                 {row.x + chip_width("Measure on this GPU", view.window) + view.px(10), row.y},
                 "Show the recording", view.window))
            view.requests.commands.push_back(session::ShowRecording{});
    } else {
        const float wrapped = draw_text_block(fonts().small, {row.x, row.y, row.width, 0}, theme().text_faint,
                                              "No GPU to measure on: " + view.session.timings().no_gpu());
        return std::max(wrapped, bars_.empty() ? 0 : height) + view.px(7);
    }
    return height + view.px(7);
}

float TimingsPanel::draw_missing(const Rect& row, const session::Session& session,
                                 const WindowState& window) const {
    if (!timings_ || has_open(bars_)) return 0;
    const bool other_size = std::any_of(sizes_.begin(), sizes_.end(), [&](const session::SizeGroup& group) {
        return has_file(group, session.lesson());
    });
    std::string text =
        timings_->recorded ? "No timing was recorded for this file" : "This file was not measured";
    if (other_size) text += " at this size";
    return draw_text_block(fonts().text, {row.x, row.y, row.width, 0}, theme().text, text + ".") +
           window.px(8);
}

// Draws the line of the copy's bandwidth, with its name above it, before the bars.
float TimingsPanel::draw_ceiling(const Rect& row, float bottom, const WindowState& window) const {
    const float height = window.px(line_height);
    if (ceiling_ <= 0) return 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = std::round(row.x + row.width * float(ceiling_ / full_width_));
    const std::string words = "copy " + grouped(static_cast<std::uint64_t>(std::llround(ceiling_))) + " GB/s";
    const float width = text_width(fonts().small, words);
    draw_text(draw, fonts().small, {x - width - window.px(5), centre_line(fonts().small, row.y, height)},
              theme().text_quiet, words);
    for (float y = row.y + window.px(3); y < bottom; y += window.px(7))
        draw->AddLine({x + 0.5f, y}, {x + 0.5f, std::min(y + window.px(4), bottom)}, theme().text_quiet);
    return height + window.px(2);
}

float TimingsPanel::draw_bar(const Rect& row, const TimingBar& bar, const WindowState& window,
                             Requests& requests) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float text = window.px(line_height), thick = window.px(bar_height);
    const float note = bar.note.empty() ? 0 : window.px(16);
    const float why =
        bar.why.empty() ? 0 : text_block_height(fonts().text, bar.why, row.width) + window.px(6);
    const float height = text + thick + note + why;
    const bool clicked = click_area("bar", {row.x, row.y, row.width, height}, bar.title);
    const bool hot = !window.still && ImGui::IsItemHovered();
    if (clicked && !bar.file.empty() && !bar.open) requests.commands.push_back(session::OpenFile{bar.file});
    if (hot && !bar.details.empty()) tooltip(bar.title + "\n" + bar.details, window);
    if (bar.open)
        draw->AddRectFilled({row.x - window.px(7), row.y + window.px(2)},
                            {row.x - window.px(4), row.y + height}, theme().accent);
    ImFont* font = bar.open ? fonts().strong : fonts().text;
    const float figures = text_width(fonts().mono_small, bar.figures);
    // Keeps the line of the copy's bandwidth out of the figures.
    draw->AddRectFilled({row.right() - figures - window.px(4), row.y}, {row.right() + 1, row.y + text},
                        theme().panel);
    draw_text(draw, fonts().mono_small, {row.right() - figures, centre_line(fonts().mono_small, row.y, text)},
              bar.open ? theme().text_strong : theme().text, bar.figures);
    draw_text_within(draw, font, {row.x, centre_line(font, row.y, text)},
                     bar.library                     ? theme().library
                     : bar.open || (hot && !clicked) ? theme().text_strong
                                                     : theme().text,
                     bar.title, row.width - figures - window.px(14));
    const auto at = [&](double rate) { return row.x + row.width * float(rate / full_width_); };
    const float y = row.y + text, middle = std::round(y + thick / 2);
    const float end = std::max(at(bar.rate), row.x + 1);
    if (bar.rate > 0) {
        if (bar.library) {  // hollow, so that it differs not only by its colour
            draw->AddRectFilled({row.x, y}, {end, y + thick}, faded(theme().library, 0.25f));
            draw->AddRect({row.x, y}, {end, y + thick}, theme().library);
        } else {
            draw->AddRectFilled({row.x, y}, {end, y + thick},
                                bar.open ? theme().active_edge : theme().active);
        }
        const ImU32 whisker = theme().text_strong;
        draw->AddLine({at(bar.low), middle}, {at(bar.high), middle}, whisker);
        for (const double rate : {bar.lower, bar.upper})
            draw->AddLine({at(rate), y - 1}, {at(rate), y + thick + 1}, whisker);
    }
    if (note > 0)
        draw_text_within(draw, fonts().small, {row.x, y + (bar.rate > 0 ? thick : 0) + window.px(2)},
                         bar.wrong ? theme().conflict : theme().text_faint,
                         (bar.wrong ? "✗ " : "") + bar.note, row.width);
    // The line of the copy's bandwidth does not cross the text.
    if (why > 0)
        draw->AddRectFilled({row.x, row.y + height - why + window.px(2)}, {row.right() + 1, row.y + height},
                            theme().panel);
    if (why > 0)
        draw_text_block(draw, fonts().text, {row.x, row.y + height - why + window.px(6)}, theme().text,
                        bar.why, row.width);
    return height;
}

}  // namespace lanescope::ui
