#include "ui/inspector/clock_view.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float unit_px = 19, above_px = 9, name_px = 130, figure_px = 62, sweep_px = 96, point_px = 3.5f;

std::string percent(double share) {
    return std::to_string(std::lround(100 * share)) + " %";
}

}  // namespace

struct ClockPanel::Page {
    Rect row;  // the next one; its height is 0
    const ViewContext& view;
    ImDrawList* draw = ImGui::GetWindowDrawList();

    float px(float at_scale_1) const { return view.px(at_scale_1); }
    void text(ImFont* font, ImU32 colour, const std::string& words) {
        if (!words.empty()) row.y += draw_text_block(draw, font, row.min(), colour, words, row.width) + px(3);
    }
    // The words of an estimate that follow its figure.
    void figure(ImFont* font, const std::string& estimate, const std::string& words) {
        const float width = draw_estimate(draw, font, row.min(), theme().text_strong, estimate, view.window);
        const float left = width + px(10), height = font_size(font);
        const float room = row.width - left;
        const bool beside = text_width(fonts().text, words) <= room;
        if (beside)
            draw_text(draw, fonts().text, {row.x + left, centre_line(fonts().text, row.y, height)},
                      theme().text, words);
        row.y += height + px(4);
        if (!beside) text(fonts().text, theme().text, words);
    }
    void heading(const std::string& words) {
        row.y += px(above_px);
        text(fonts().strong, theme().text_strong, words);
    }
    void bar(const Rect& box, double share, ImU32 colour) const {
        draw->AddRectFilled(box.min(), box.max(), theme().panel_raised);
        draw->AddRectFilled(box.min(), {box.x + box.width * float(std::clamp(share, 0.0, 1.0)), box.bottom()},
                            colour);
    }
};

void ClockPanel::prepare(const session::Session& session) {
    const session::FileClock& clock = session.clock();
    const auto* state = session.playhead().step_state();
    const std::size_t launch = state ? state->step.launch : 0;
    const bool current = clock.reading() != nullptr;
    // That of an earlier run keeps the text of its lines.
    const bool same = reading_ == clock.latest() && (launch_ == launch || !current);
    if (same && current_ == current && timings_ == session.timings().shown() &&
        recording_ == session.timings().recording())
        return;
    reading_ = clock.latest();
    current_ = current;
    timings_ = session.timings().shown();
    recording_ = session.timings().recording();
    timed_.clear();
    if (!reading_) return;
    const std::string& source = session.document().text();
    if (!same) {
        launch_ = launch;
        sheet_ =
            scene::clock_sheet(*reading_, launch_, session.run() ? session.run()->text_of_lines() : source,
                               current ? clock.resources().get() : nullptr);
    }
    for (const auto& timings : {timings_, recording_})
        if (timings && timed_.empty() && current_) timed_ = scene::timed_words(*reading_, *timings, source);
}

void ClockPanel::draw(const Rect& inside, const ViewContext& view) {
    const session::FileClock& clock = view.session.clock();
    if (!clock.wanted()) view.requests.commands.push_back(session::WantClock{});
    prepare(view.session);
    const float pad = view.px(theme().padding);
    const float top = inside.y + view.px(8) - scroll_;
    Page page{{inside.x + pad, top, inside.width - 2 * pad, 0}, view};
    ImGui::PushClipRect(inside.min(), inside.max(), true);
    draw_head(page);
    if (reading_ && sheet_.refused.empty()) {
        draw_reasons(page);
        draw_lines(page);
        draw_limits(page);
        if (current_) {
            draw_what_if(page);
            draw_sweeps(page);
        }
    }
    ImGui::PopClipRect();
    const float height = page.row.y - top + view.px(16);
    if (hovered(inside, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(40);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, view.window);
}

void ClockPanel::draw_head(Page& page) const {
    const session::FileClock& clock = page.view.session.clock();
    if (!reading_) {
        if (!clock.problem().empty())
            page.text(fonts().text, theme().text, "No estimate: " + clock.problem());
        else
            page.text(fonts().text, theme().text_faint,
                      page.view.session.run() || clock.busy() ? "Being estimated …"
                                                              : "There is no run to estimate.");
        return;
    }
    if (!current_)
        page.text(fonts().small, legible(theme().barrier, theme().panel),
                  "This is the estimate of the run before. A newer one is being made …");
    if (!sheet_.refused.empty()) {
        page.text(fonts().text, theme().text, sheet_.refused);
        if (sheet_.refused_line == 0) return;
        const std::string word = "Show line " + std::to_string(sheet_.refused_line);
        if (chip("refused line", page.row.min(), word, page.view.window))
            page.view.requests.commands.push_back(session::SelectLine{sheet_.refused_line});
        page.row.y += chip_height(page.view.window) + page.px(4);
        return;
    }
    page.figure(fonts().caption, sheet_.time, "on an " + reading_->device);
    page.text(fonts().text, theme().text, sheet_.launch);
    page.text(fonts().text, theme().text, timed_);
    page.text(fonts().small, theme().text_quiet, sheet_.traced);
    page.text(fonts().small, theme().text_quiet, sheet_.error);
}

// Draws what limits the launch of the step, how busy the units are, and the occupancy.
void ClockPanel::draw_reasons(Page& page) const {
    page.row.y += page.px(above_px);
    page.text(fonts().strong, theme().text_strong,
              (sheet_.kernel.empty() ? "" : sheet_.kernel + ": ") + sheet_.limit);
    const float height = page.px(unit_px), label = page.px(name_px), value = page.px(44);
    for (const scene::ClockShare& share : sheet_.shares) {
        const float y = centre_line(fonts().small, page.row.y, height);
        draw_text(page.draw, fonts().small, {page.row.x, y}, theme().text, share.unit);
        const std::string busy = percent(share.share);
        draw_text(page.draw, fonts().mono_small,
                  {page.row.right() - text_width(fonts().mono_small, busy),
                   centre_line(fonts().mono_small, page.row.y, height)},
                  theme().text, busy);
        page.bar({page.row.x + label, page.row.y + height / 2 - page.px(3.5f), page.row.width - label - value,
                  page.px(7)},
                 share.share, theme().time);
        page.row.y += height;
    }
    page.row.y += page.px(4);
    page.text(fonts().small, theme().text, sheet_.occupancy);
    page.text(fonts().small, theme().text_quiet, sheet_.registers);
    page.text(fonts().small, theme().text_quiet, sheet_.spills);
}

// Draws how many blocks each limit allows, and how that is computed.
void ClockPanel::draw_limits(Page& page) const {
    page.heading("Blocks on a multiprocessor");
    for (const scene::ClockLimit& limit : sheet_.limits) {
        page.row.y += page.px(2);
        const float y = page.row.y, width = text_width(fonts().mono_small, limit.blocks);
        const ImU32 ink = limit.decides ? theme().text_strong : theme().text_quiet;
        draw_text(page.draw, fonts().small, {page.row.x, y}, ink, limit.name);
        draw_text(page.draw, fonts().mono_small, {page.row.right() - width, y}, ink, limit.blocks);
        page.row.y += font_size(fonts().small) + page.px(2);
        page.text(fonts().small, theme().text_faint, limit.arithmetic);
    }
}

void ClockPanel::draw_lines(Page& page) const {
    if (sheet_.lines.empty()) return;
    page.heading("Lines, by their share of the warps' time");
    const float height = page.px(unit_px), number = page.px(30), share_width = page.px(42);
    for (const scene::ClockLine& line : sheet_.lines) {
        const std::string name = "line " + std::to_string(line.line);
        const float x = page.row.x + number + share_width, width = page.row.right() - x;
        const float below =
            line.reasons.empty() ? 0 : text_block_height(fonts().small, line.reasons, width) + page.px(3);
        const Rect area{page.row.x, page.row.y, page.row.width, height + below};
        const bool clicked = click_area(name.c_str(), area);
        const bool hot = !page.view.window.still && ImGui::IsItemHovered();
        if (clicked) page.view.requests.commands.push_back(session::SelectLine{line.line});
        const float y = centre_line(fonts().mono_small, area.y, height);
        const std::string share = percent(line.share);
        draw_text(page.draw, fonts().mono_small, {area.x, y}, theme().text_quiet, std::to_string(line.line));
        draw_text(page.draw, fonts().mono_small,
                  {area.x + number + share_width - page.px(8) - text_width(fonts().mono_small, share), y},
                  theme().text_strong, share);
        draw_text_within(page.draw, fonts().mono_small, {x, y}, hot ? theme().text_strong : theme().text,
                         line.code, width);
        draw_text_block(page.draw, fonts().small, {x, area.y + height}, theme().text_quiet, line.reasons,
                        width);
        page.row.y = area.bottom() + page.px(3);
    }
}

void ClockPanel::draw_what_if(Page& page) const {
    const session::FileClock& clock = page.view.session.clock();
    if (!clock.device()) return;
    page.heading("What if");
    for (const scene::ClockKnob& knob :
         scene::clock_knobs(*reading_, *clock.device(), clock.supposed(), launch_))
        draw_knob(page, knob);
    if (clock.supposed() == session::WhatIf{}) return;
    page.row.y += page.px(4);
    const std::string word = "As it is";
    const float height = chip_height(page.view.window), width = chip_width(word, page.view.window);
    if (chip("as it is", {page.row.right() - width, page.row.y}, word, page.view.window))
        page.view.requests.commands.push_back(session::SupposeClock{});
    const auto otherwise = clock.otherwise();
    if (!otherwise)
        draw_text(page.draw, fonts().text, {page.row.x, centre_line(fonts().text, page.row.y, height)},
                  theme().text_faint, "Being estimated …");
    else if (otherwise->estimate.refused.empty())
        draw_estimate(page.draw, fonts().caption,
                      {page.row.x, centre_line(fonts().caption, page.row.y, height)}, theme().text_strong,
                      session::estimated_words(otherwise->estimate.microseconds), page.view.window);
    page.row.y += height + page.px(3);
    if (otherwise)
        page.text(fonts().text, theme().text, scene::otherwise_words(*reading_, *otherwise, launch_));
}

void ClockPanel::draw_knob(Page& page, const scene::ClockKnob& knob) const {
    const float height = page.view.click_px(22), label = page.px(name_px), value = page.px(figure_px);
    draw_text(page.draw, fonts().small, {page.row.x, centre_line(fonts().small, page.row.y, height)},
              theme().text, knob.label);
    draw_text(page.draw, fonts().mono_small,
              {page.row.right() - text_width(fonts().mono_small, knob.value),
               centre_line(fonts().mono_small, page.row.y, height)},
              theme().text, knob.value);
    const Rect box{page.row.x + label, page.row.y, page.row.width - label - value, height};
    const float moved = slider(("supposed " + knob.label).c_str(), box, float(knob.share), page.view.window);
    if (moved >= 0)
        page.view.requests.commands.push_back(
            session::SupposeClock{scene::turned(knob, page.view.session.clock().supposed(), moved)});
    page.row.y += height;
    page.text(fonts().small, theme().text_faint, knob.checked);
}

// Draws a chip for each parameter of which other values can be tried, and what was found.
void ClockPanel::draw_sweeps(Page& page) const {
    const session::FileClock& clock = page.view.session.clock();
    const std::vector<std::string> names = scene::swept_parameters(*reading_);
    if (names.empty()) return;
    page.heading("Other values");
    if (clock.sweeping()) return draw_sweeping(page);
    const float height = chip_height(page.view.window);
    float x = page.row.x;
    for (const std::string& name : names) {
        const std::string word = "Try other " + name;
        const float width = chip_width(word, page.view.window);
        if (x > page.row.x && x + width > page.row.right()) {
            x = page.row.x;
            page.row.y += height + page.px(5);
        }
        if (chip(("sweep " + name).c_str(), {x, page.row.y}, word, page.view.window))
            page.view.requests.commands.push_back(session::SweepClock{name});
        x += width + page.px(8);
    }
    page.row.y += height + page.px(6);
    const session::FileClock::Sweep& swept = clock.swept();
    const auto now = reading_->parameters.find(swept.parameter);
    if (swept.points.empty() || now == reading_->parameters.end()) return;
    const scene::SweepPlot plot = scene::sweep_plot(swept, now->second);
    page.text(fonts().text, theme().text_strong, plot.best);
    if (!plot.dots.empty()) draw_plot(page, plot);
    page.text(fonts().small, theme().text_quiet, plot.refused);
}

void ClockPanel::draw_sweeping(Page& page) const {
    const std::string word = "Cancel";
    const float height = chip_height(page.view.window), width = chip_width(word, page.view.window);
    if (chip("cancel sweep", {page.row.right() - width, page.row.y}, word, page.view.window))
        page.view.requests.commands.push_back(session::CancelClockSweep{});
    page.bar(
        {page.row.x, page.row.y + height / 2 - page.px(3), page.row.width - width - page.px(12), page.px(6)},
        page.view.session.clock().sweep_progress(), theme().active_edge);
    page.row.y += height + page.px(6);
}

void ClockPanel::draw_plot(Page& page, const scene::SweepPlot& plot) const {
    const float small = font_size(fonts().small), reach = page.px(9);
    const float left = std::max(text_width(fonts().small, plot.low), text_width(fonts().small, plot.high));
    const Rect box{page.row.x + left + page.px(8) + reach, page.row.y + reach,
                   page.row.width - left - page.px(8) - 2 * reach, page.px(sweep_px)};
    const auto place = [&](const scene::SweepDot& dot) {
        return ImVec2{box.x + box.width * float(dot.x), box.bottom() - box.height * float(dot.y)};
    };
    for (const auto& [y, words] : {std::pair{box.y, plot.high}, std::pair{box.bottom(), plot.low}}) {
        page.draw->AddLine({box.x, std::round(y) + 0.5f}, {box.right(), std::round(y) + 0.5f}, theme().line);
        draw_text(page.draw, fonts().small,
                  {box.x - reach - page.px(4) - text_width(fonts().small, words), y - small / 2},
                  theme().text_faint, words);
    }
    for (std::size_t i = 1; i < plot.dots.size(); ++i)
        page.draw->AddLine(place(plot.dots[i - 1]), place(plot.dots[i]), faded(theme().time, 0.6f),
                           page.px(1.5f));
    float free_from = page.row.x;
    for (const scene::SweepDot& dot : plot.dots) {
        const ImVec2 at = place(dot);
        const std::string name = plot.parameter + " " + std::to_string(dot.value);
        const bool clicked = click_area(name.c_str(), {at.x - reach, at.y - reach, 2 * reach, 2 * reach});
        if (!page.view.window.still && ImGui::IsItemHovered()) tooltip(dot.words, page.view.window);
        if (clicked && !dot.now)
            page.view.requests.commands.push_back(session::SetParameter{plot.parameter, dot.value});
        page.draw->AddCircleFilled(at, page.px(point_px), dot.best ? theme().good : theme().time);
        if (dot.now) page.draw->AddCircle(at, page.px(point_px + 3), theme().text_strong);
        const std::string value = std::to_string(dot.value);
        const float width = text_width(fonts().small, value);
        const float x = std::min(at.x - width / 2, page.row.right() - width);
        if (x < free_from) continue;
        free_from = x + width + page.px(8);
        draw_text(page.draw, fonts().small, {x, box.bottom() + reach}, theme().text_quiet, value);
    }
    page.row.y = box.bottom() + reach + small + page.px(4);
    page.text(fonts().small, theme().text_faint,
              plot.parameter + " to the right, time upwards; the ring is the value now");
}

}  // namespace lanescope::ui
