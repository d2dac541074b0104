#include "ui/inspector/host_view.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

using scene::HostMark;

constexpr float host_row_px = 22, lane_px = 11, lane_label_px = 92, host_filter_px = 25;
constexpr float least_strip_px = 13, most_strip_px = 24;  // a lane of the timeline
constexpr const char* host_filter_hint = "call, kernel, buffer";

ImU32 colour_of(HostMark mark) {
    switch (mark) {
        case HostMark::to_device:
        case HostMark::on_device:
            return theme().write_edge;
        case HostMark::to_host:
            return theme().read_edge;
        case HostMark::launch:
            return theme().active_edge;
        case HostMark::wait:
            return theme().barrier;
        case HostMark::library:
            return theme().library;
        case HostMark::error:
            return theme().conflict;
        case HostMark::memory:
        case HostMark::stream:
            break;
    }
    return theme().text_quiet;
}

// Each kind has a shape of its own.
void draw_mark(ImDrawList* draw, HostMark mark, ImVec2 centre, float size) {
    const ImU32 colour = colour_of(mark);
    const float half = size / 2;
    const ImVec2 low(centre.x - half, centre.y - half), high(centre.x + half, centre.y + half);
    switch (mark) {
        case HostMark::memory:
            draw->AddRect(low, high, colour);
            return;
        case HostMark::to_device:
            return draw_triangle(draw, Triangle::right, centre, size, colour);
        case HostMark::to_host:
            return draw_triangle(draw, Triangle::left, centre, size, colour);
        case HostMark::on_device:
            return draw_diamond(draw, centre, size, colour);
        case HostMark::launch:
            draw->AddRectFilled(low, high, colour);
            return;
        case HostMark::wait:
            draw->AddRectFilled({low.x, centre.y - size / 6}, {high.x, centre.y + size / 6}, colour);
            return;
        case HostMark::stream:
            draw->AddCircleFilled(centre, size / 5, colour);
            return;
        case HostMark::library:
            draw->AddCircleFilled(centre, half, colour);
            return;
        case HostMark::error:
            draw->AddLine(low, high, colour, size / 5);
            draw->AddLine({low.x, high.y}, {high.x, low.y}, colour, size / 5);
            return;
    }
}

}  // namespace

void HostPanel::prepare(const scene::HostTimeline& host, const session::Session& session) {
    const session::Launches& launches = session.launches();
    if (generation_ != launches.generation()) {
        generation_ = launches.generation();
        typed_.clear();
        filter_ = {};
        left_ = scene::filtered(host, filter_);
        selected_.reset();
        column_count_ = 0;
        scroll_ = 0;
    }
    if (shown_ != launches.shown()) {
        shown_ = launches.shown();
        follow_ = true;
    }
    if (typed_ == filter_.text) return;
    filter_.text = typed_;
    left_ = scene::filtered(host, filter_);
    scroll_ = 0;
}

void HostPanel::draw(const Rect& inside, const scene::HostTimeline& host, HostLine& line,
                     const ViewContext& view) {
    prepare(host, view.session);
    const float pad = view.px(theme().padding);
    Rect row{inside.x + pad, inside.y + view.px(7), inside.width - 2 * pad, 0};
    row.y += draw_filter(row, host, view.window);
    row.y += draw_program_state(row, view);
    const float timeline = row.y;
    const auto lanes = static_cast<float>(host.lanes().size());
    strip_ = std::clamp(inside.height * 0.3f / lanes, view.px(least_strip_px), view.px(most_strip_px));
    row.y += strip_ * lanes + view.px(6);
    row.y += draw_source(row, host, view);
    const float below = std::min(line.height(view.window), std::max(0.0f, inside.bottom() - row.y) / 2);
    const Rect list{inside.x, row.y, inside.width, inside.bottom() - below - row.y};
    draw_timeline({row.x, timeline, row.width, 0}, host, list.height / view.click_px(host_row_px),
                  view.window);
    draw_list(list, host, line, view);
    line.draw({inside.x, list.bottom(), inside.width, below}, view.window);
}

float HostPanel::draw_filter(const Rect& row, const scene::HostTimeline& host, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = window.click_px(host_filter_px);
    const Rect box{row.x, row.y, std::min(window.px(150), row.width / 3), height};
    if (window.still) {  // headless pictures have no text widget
        draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(theme().rounding));
        draw_text_within(draw, fonts().text, {box.x + window.px(8), centre_line(fonts().text, box.y, height)},
                         theme().text_faint, host_filter_hint, box.width - window.px(16));
    } else {
        ImGui::SetCursorScreenPos(box.min());
        ImGui::SetNextItemWidth(box.width);
        ImGui::InputTextWithHint("##host", host_filter_hint, &typed_);
        name_last_item("host filter");
    }
    const std::string word = filter_.problems ? "✓ with findings" : "with findings";
    const float x = box.right() + window.px(8);
    if (chip("host findings", {x, row.y + (height - chip_height(window)) / 2}, word, window,
             {.name = "with findings"})) {
        filter_.problems = !filter_.problems;
        left_ = scene::filtered(host, filter_);
        scroll_ = 0;
    }
    std::string count = host.rows().size() == 1 ? "1 call" : grouped(host.rows().size()) + " calls";
    if (left_.size() != host.rows().size()) count = grouped(left_.size()) + " of " + count;
    const float room = row.right() - x - chip_width(word, window) - window.px(10);
    const float width = std::min(text_width(fonts().small, count), room);
    draw_text_within(draw, fonts().small, {row.right() - width, centre_line(fonts().small, row.y, height)},
                     theme().text_quiet, count, room);
    return height + window.px(5);
}

// Says where the numbers come from, and offers the search for races that this run was made without.
float HostPanel::draw_source(const Rect& row, const scene::HostTimeline& host,
                             const ViewContext& view) const {
    float height = draw_text_block(fonts().small, row, theme().text_quiet, host.source_words()) + view.px(4);
    if (!host.has_streams() || view.session.launches().program()->checked ||
        view.session.launches().program()->on_gpu)
        return height;
    const std::string word = "Look for races between streams";
    if (chip("check streams", {row.x, row.y + height}, word, view.window, {theme().accent}))
        view.requests.commands.push_back(
            session::RunProgram{view.session.host_code().request().arguments, true});
    return height + chip_height(view.window) + view.px(4);
}

// --- The timeline ------------------------------------------------------------------------------------------

// The columns of a timeline in order are the same number for each unit, so that bars are equally long.
void HostPanel::fold(const scene::HostTimeline& host, std::size_t room) {
    std::size_t columns = room;
    if (host.units() > 0 && host.units() <= room) columns = room / host.units() * host.units();
    if (columns == column_count_) return;
    column_count_ = columns;
    columns_ = scene::folded(host.rows(), host.lanes().size(), columns);
}

void HostPanel::draw_bar(const Rect& bar, std::size_t index, std::size_t lane,
                         const scene::HostTimeline& host, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const scene::HostRow& here = host.rows()[index];
    const bool waits = lane == 0 && here.holds_host;
    const HostMark mark = waits ? HostMark::wait : here.mark;
    const bool small = mark == HostMark::memory || mark == HostMark::stream || here.end <= here.at;
    const Rect box{bar.x, bar.y + bar.height * (small ? 0.3f : 0.08f), bar.width,
                   bar.height * (small ? 0.4f : 0.84f)};
    draw->AddRectFilled(box.min(), box.max(), colour_of(mark));
    if (here.problem) draw->AddRect({bar.x - 1, bar.y}, {bar.right() + 1, bar.bottom()}, theme().conflict);
    if (selected_ == index || (here.launch >= 0 && shown_ == static_cast<std::uint64_t>(here.launch)))
        draw->AddRect(box.min(), box.max(), theme().text_strong, 0, 0, window.px(2));
    const std::string words = waits ? "waits" : host.short_words(here);
    if (!small && text_width(fonts().small, words) + window.px(8) <= box.width)
        draw_text(draw, fonts().small, {box.x + window.px(4), centre_line(fonts().small, box.y, box.height)},
                  legible(theme().text_strong, colour_of(mark)), words);
}

// The call of any lane whose column is next to this one; -1: there is no call.
std::int32_t HostPanel::nearest_call(std::size_t column, std::size_t lanes) const {
    for (std::size_t apart = 0; apart < column_count_; ++apart)
        for (const std::size_t at : {column - apart, column + apart})
            for (std::size_t lane = 0; lane < lanes && at < column_count_; ++lane)
                if (const std::int32_t found = columns_[lane * column_count_ + at]; found >= 0) return found;
    return -1;
}

// Draws a lane for the host and for each stream. A click scrolls the list to the call there, or next to it.
float HostPanel::draw_timeline(const Rect& row, const scene::HostTimeline& host, float seen_rows,
                               const WindowState& window) {
    constexpr float column_px = 3;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float label = window.px(lane_label_px);
    const Rect area{row.x + label, row.y, row.width - label,
                    strip_ * static_cast<float>(host.lanes().size())};
    if (area.empty() || host.rows().empty()) return area.height;
    fold(host, static_cast<std::size_t>(std::max(area.width / window.px(column_px), 1.0f)));
    const std::size_t columns = column_count_;
    const float width = area.width / static_cast<float>(columns);
    if (host.units() > 0 && area.width / static_cast<float>(host.units()) >= window.px(8))
        for (std::size_t unit = 0; unit <= host.units(); ++unit) {
            const float x = area.x + area.width * static_cast<float>(unit) / static_cast<float>(host.units());
            draw->AddLine({x, area.y}, {x, area.bottom()}, theme().line);
        }
    for (std::size_t i = 0; i < host.lanes().size(); ++i) {
        const float y = area.y + strip_ * static_cast<float>(i);
        draw_text_within(draw, fonts().small, {row.x, centre_line(fonts().small, y, strip_)},
                         theme().text_quiet, host.lanes()[i], label - window.px(6));
        draw->AddRectFilled({area.x, y + strip_ / 2}, {area.right(), y + strip_ / 2 + 1}, theme().line);
        const std::int32_t* lane = &columns_[i * columns];
        for (std::size_t first = 0, end = 0; first < columns; first = end) {
            for (end = first + 1; end < columns && lane[end] == lane[first];)
                ++end;
            if (lane[first] < 0) continue;
            const float x = area.x + width * static_cast<float>(first);
            const float gap = width * static_cast<float>(end - first) > window.px(4) ? window.px(1) : 0;
            draw_bar({x, y, width * static_cast<float>(end - first) - gap, strip_},
                     static_cast<std::size_t>(lane[first]), i, host, window);
        }
    }
    if (window.still) return area.height;
    click_area("host timeline", area);
    const bool active = ImGui::IsItemActive(), hot = ImGui::IsItemHovered();
    if (!active && !hot) return area.height;
    const ImVec2 at = ImGui::GetIO().MousePos;
    const auto column =
        static_cast<std::size_t>(std::clamp((at.x - area.x) / width, 0.0f, static_cast<float>(columns - 1)));
    const auto lane = static_cast<std::size_t>(
        std::clamp((at.y - area.y) / strip_, 0.0f, static_cast<float>(host.lanes().size() - 1)));
    std::int32_t found = columns_[lane * columns + column];
    if (found < 0 && active) found = nearest_call(column, host.lanes().size());
    if (found < 0) return area.height;
    const auto index = static_cast<std::size_t>(found);
    if (active) {
        selected_ = index;
        const auto place = std::lower_bound(left_.begin(), left_.end(), index);
        scroll_ = window.click_px(host_row_px) * (static_cast<float>(place - left_.begin()) - seen_rows / 2);
    } else {
        const scene::HostWords words = host.words(host.rows()[index]);
        tooltip(words.what, words.story, window);
    }
    return area.height;
}

// --- The list ----------------------------------------------------------------------------------------------

void HostPanel::scroll_to(std::size_t index, float height, const WindowState& window) {
    const float row = window.click_px(host_row_px);
    const auto at = std::lower_bound(left_.begin(), left_.end(), index);
    if (at == left_.end() || *at != index) return;
    const float y = row * static_cast<float>(at - left_.begin());
    if (y < scroll_ || y + row > scroll_ + height) scroll_ = y - (height - row) / 2;
}

// Draws the rows that are in sight; a program may have 100,000.
void HostPanel::draw_list(const Rect& list, const scene::HostTimeline& host, HostLine& line,
                          const ViewContext& view) {
    if (list.empty()) return;
    const float height = view.click_px(host_row_px), all = height * static_cast<float>(left_.size());
    if (hovered(list, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(60);
    if (std::exchange(follow_, false) && shown_) {
        const auto shown = std::find_if(
            host.rows().begin(), host.rows().end(),
            [&](const scene::HostRow& each) { return each.launch == static_cast<std::int64_t>(*shown_); });
        if (shown != host.rows().end())
            scroll_to(static_cast<std::size_t>(shown - host.rows().begin()), list.height, view.window);
    }
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, all - list.height));
    draw_scroll_mark(list, scroll_, all, view.window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(list.min(), list.max(), true);
    const float lanes = view.px(theme().padding) + view.px(lane_px) / 2;
    const float end = std::min(list.bottom(), list.y + all - scroll_);
    for (std::size_t i = 0; i < host.lanes().size(); ++i) {
        const float x = list.x + lanes + view.px(lane_px) * static_cast<float>(i);
        draw->AddLine({x, list.y}, {x, end}, theme().line);
    }
    const auto first = static_cast<std::size_t>(scroll_ / height);
    const auto last = std::min(left_.size(), static_cast<std::size_t>((scroll_ + list.height) / height) + 1);
    for (std::size_t i = first; i < last; ++i)
        draw_row({list.x, list.y + height * static_cast<float>(i) - scroll_, list.width, height}, left_[i],
                 host, line, view);
    if (left_.empty())
        draw_text(draw, fonts().text, {list.x + view.px(theme().padding), list.y + view.px(6)},
                  theme().text_quiet,
                  host.rows().empty() ? "The program called no function of CUDA." : "No call is like this.");
    draw->PopClipRect();
}

void HostPanel::draw_row(const Rect& row, std::size_t index, const scene::HostTimeline& host, HostLine& line,
                         const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const scene::HostRow& it = host.rows()[index];
    const bool launch = it.launch >= 0 && it.mark == HostMark::launch;
    const bool shown = launch && shown_ == static_cast<std::uint64_t>(it.launch), chosen = selected_ == index;
    ImGui::PushID(static_cast<int>(index));
    const bool clicked = click_area("call", row, "call " + std::to_string(index));
    const bool hot = !view.window.still && ImGui::IsItemHovered();
    ImGui::PopID();
    if (clicked) {
        selected_ = index;
        line.show(host.place(it), view.session, view.requests);
        if (launch && !shown)
            view.requests.commands.push_back(session::RecordLaunch{static_cast<std::uint64_t>(it.launch)});
    }
    const scene::HostWords words = host.words(it);
    if (shown || chosen || hot)
        draw->AddRectFilled(row.min(), row.max(), shown || chosen ? theme().selected : theme().panel_raised);
    if (shown) draw->AddRectFilled(row.min(), {row.x + view.px(3), row.bottom()}, theme().accent);
    const float pad = view.px(theme().padding), lane = view.px(lane_px), middle = row.y + row.height / 2;
    const float mark_x = row.x + pad + lane * (static_cast<float>(it.lane) + 0.5f);
    if (it.holds_host && it.lane > 0)
        draw->AddLine({row.x + pad + lane / 2, middle}, {mark_x, middle}, theme().barrier);
    draw_mark(draw, it.mark, {mark_x, middle}, view.px(8));
    float right = row.right() - pad;
    const auto draw_right = [&](ImFont* font, ImU32 colour, const std::string& text) {
        if (text.empty()) return;
        right -= text_width(font, text);
        draw_text(draw, font, {right, centre_line(font, row.y, row.height)}, colour, text);
        right -= view.px(10);
    };
    draw_right(fonts().mono_small, theme().text_faint, words.place);
    draw_right(fonts().mono_small, theme().text, words.amount);
    const bool recording =
        launch && view.session.launches().recording() == static_cast<std::uint64_t>(it.launch);
    draw_right(fonts().small, theme().accent, shown ? "shown" : recording ? "recording" : "");
    if (it.problem || it.found > 0)
        draw_right(fonts().small,
                   it.problem ? legible(theme().conflict, theme().selected) : theme().text_quiet,
                   it.problem ? "✗" : "note");
    const float left = row.x + pad + lane * static_cast<float>(host.lanes().size()) + view.px(8);
    const bool error = it.mark == HostMark::error;
    draw_text_within(draw, fonts().text, {left, centre_line(fonts().text, row.y, row.height)},
                     error                    ? theme().conflict
                     : shown || hot || chosen ? theme().text_strong
                                              : theme().text,
                     words.what, right - left);
    if (hot)
        tooltip(words.what,
                words.story + (launch && !shown ? "\nclick: run the program again and record this launch"
                               : host.place(it).line > 0 ? "\nclick: show the line"
                                                         : ""),
                view.window);
}

}  // namespace lanescope::ui
