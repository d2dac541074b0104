#include "ui/timeline/schedule_panel.h"

#include <algorithm>
#include <cstdio>

#include "base/folders.h"
#include "scene/words/block_words.h"
#include "ui/kit/stall_look.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

using analysis::Schedule;
using analysis::ScheduledBlock;
using analysis::ScheduledSm;

constexpr float sm_label_width = 74, sm_right_margin = 26, figures_height = 22, axis_height = 20;
constexpr float least_pitch = 2.5f, max_pitch = 40;  // px of an SM's row
constexpr float pitch_above_unused = 18;             // so that some of the unused ones are in sight
constexpr float waits_from = 24, number_from = 34;   // px; narrower bars have no waits, no number

// They come first.
std::size_t used_rows(const std::vector<ScheduledSm>& rows) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const ScheduledSm& row) { return !row.blocks.empty(); }));
}

std::string printed(const char* format, double number) {
    char text[48];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

}  // namespace

std::string duration_text(double ns) {
    if (ns < 1000) return printed("%.0f ns", ns);
    if (ns < 1e6) return printed("%.4g µs", ns / 1e3);
    if (ns < 1e9) return printed("%.4g ms", ns / 1e6);
    return printed("%.4g s", ns / 1e9);
}

std::vector<ScheduledSm> schedule_rows(const session::ShownSchedule& shown) {
    std::vector<ScheduledSm> rows;
    if (!shown.schedule) return rows;
    rows = shown.schedule->sms;
    std::vector<bool> used(shown.multiprocessors);
    for (const ScheduledSm& sm : shown.schedule->sms)
        if (sm.sm < used.size()) used[sm.sm] = true;
    for (std::uint32_t sm = 0; sm < shown.multiprocessors; ++sm)
        if (!used[sm]) rows.push_back({sm, 0, {}, 0});
    return rows;
}

std::string schedule_figures(const Schedule& schedule) {
    std::string text = grouped(schedule.sms.size()) + (schedule.sms.size() == 1 ? " SM · " : " SMs · ") +
                       grouped(schedule.blocks.size()) + (schedule.blocks.size() == 1 ? " block" : " blocks");
    if (schedule.whole)
        text += ", " + grouped(schedule.blocks_per_sm) + " at once on an SM · " +
                printed(schedule.waves < 10 ? "%.2f" : "%.0f", schedule.waves) + " waves";
    text += " · " + duration_text(schedule.length_ns);
    if (schedule.tail_share > 0)
        text += " · tail: the last " + printed("%.0f %%", schedule.tail_share * 100) + " of the time, " +
                printed("%.0f %%", schedule.idle_in_tail * 100) + " of the SMs idle in it";
    return text;
}

struct SchedulePanel::Frame {
    const Schedule& schedule;
    const std::vector<ScheduledSm>& sms;  // a row each
    const char* empty_row;                // what a row without blocks says
    const trace::Launch& launch;
    const WindowState& window;
    ImDrawList* draw;
    Rect rows;
    const TimeAxis& axis;  // in ns
    float pitch, scroll;

    float x_of(double ns) const { return axis.x_of(ns); }
    // Returns the band of a lane of an SM.
    Rect band(std::size_t row, std::uint32_t lane) const {
        const float gap = pitch > 8 ? window.px(3) : 1;
        const float height = (pitch - gap) / float(std::max(sms[row].lanes, 1u));
        return {rows.x, rows.y - scroll + pitch * float(row) + height * float(lane), rows.width, height};
    }
};

void SchedulePanel::fit(const Schedule& schedule) {
    if (shown_ == &schedule) return;
    shown_ = &schedule;
    axis_.begin = 0, axis_.end = std::max(schedule.length_ns, 1.0), scroll_ = 0;
}

void SchedulePanel::draw_block(const Frame& frame, const ScheduledBlock& block, const Rect& bar,
                               bool focused) const {
    // Waves alternate in three steps of the same blue.
    constexpr float shares[] = {1.0f, 0.72f, 0.5f};
    const ImU32 fill =
        focused ? theme().active_edge : blend(theme().panel, theme().run, shares[block.wave % 3]);
    frame.draw->AddRectFilled(bar.min(), bar.max(), fill);
    if (bar.width < frame.window.px(waits_from)) return;
    for (const analysis::Span& wait : block.waits) {
        const float x = std::max(frame.x_of(wait.begin_ns), bar.x),
                    end = std::min(frame.x_of(wait.end_ns), bar.right());
        if (end - x < 1) continue;
        frame.draw->AddRectFilled({x, bar.y}, {end, bar.bottom()}, faded(theme().barrier, 0.75f));
        const float step = frame.window.px(5);
        if (bar.height >= step)
            draw_hatching(frame.draw, {x, bar.y, end - x, bar.height}, faded(theme().background, 0.5f), step);
    }
    const std::string number = grouped(block.block);
    if (bar.height >= font_size(fonts().mono_tiny) && bar.width > frame.window.px(number_from))
        draw_text_within(frame.draw, fonts().mono_tiny,
                         {bar.x + frame.window.px(3), centre_line(fonts().mono_tiny, bar.y, bar.height)},
                         legible(theme().text_strong, fill), number, bar.width - frame.window.px(5));
}

void SchedulePanel::draw_rows(const Frame& frame, std::uint32_t focus) const {
    const Schedule& schedule = frame.schedule;
    const float tail_x = std::max(frame.x_of(schedule.tail_begin_ns), frame.rows.x);
    const float end_x = std::min(frame.x_of(schedule.length_ns), frame.rows.right());
    if (schedule.tail_share > 0 && tail_x < end_x)
        frame.draw->AddRectFilled({tail_x, frame.rows.y}, {end_x, frame.rows.bottom()},
                                  faded(theme().conflict, 0.10f));
    const auto first = std::size_t(std::max(frame.scroll / frame.pitch, 0.0f));
    for (std::size_t row = first; row < frame.sms.size(); ++row) {
        if (frame.band(row, 0).y > frame.rows.bottom()) break;
        float drawn_to = -1e9f;
        std::uint32_t drawn_lane = ~0u;
        for (const std::uint32_t index : frame.sms[row].blocks) {
            const ScheduledBlock& block = schedule.blocks[index];
            const Rect band = frame.band(row, block.lane);
            const float seam = band.height > 3 ? 1.0f : 0.0f;
            const float x = std::max(frame.x_of(block.span.begin_ns), frame.rows.x);
            const float end = std::min(frame.x_of(block.span.end_ns), frame.rows.right());
            if (end < frame.rows.x || x > frame.rows.right()) continue;
            if (block.lane == drawn_lane && end < drawn_to + 0.75f && block.block != focus) continue;
            const Rect bar{x, band.y, std::max(end - x - seam, 0.75f), std::max(band.height - seam, 0.75f)};
            draw_block(frame, block, bar, block.block == focus);
            drawn_lane = block.lane, drawn_to = bar.right();
        }
    }
}

void SchedulePanel::draw_axis(const Frame& frame) const {
    frame.axis.draw(frame.window, duration_text);
    const float line = font_size(fonts().small), x = frame.rows.x - frame.window.px(sm_label_width - 14);
    float free_y = frame.rows.y - line;
    for (std::size_t row = 0; row < frame.sms.size(); ++row) {
        const float y = frame.rows.y - frame.scroll + frame.pitch * float(row) + (frame.pitch - line) / 2;
        if (y < free_y || y < frame.rows.y - line / 2) continue;
        if (y > frame.rows.bottom() - line / 2) break;
        draw_text(frame.draw, fonts().small, {x, y}, theme().text_quiet,
                  "SM " + std::to_string(frame.sms[row].sm));
        if (frame.sms[row].blocks.empty())
            draw_text(frame.draw, fonts().small, {frame.rows.x + frame.window.px(4), y}, theme().text_faint,
                      frame.empty_row);
        free_y = y + line * 1.1f;
    }
}

void SchedulePanel::handle_mouse(const Frame& frame) {
    if (!hovered({frame.rows.x - frame.window.px(sm_label_width), frame.rows.y,
                  frame.rows.width + frame.window.px(sm_label_width), frame.rows.height},
                 frame.window))
        return;
    const ImGuiIO& io = ImGui::GetIO();
    const bool on_labels = io.MousePos.x < frame.rows.x;
    if (io.MouseWheel != 0 && (io.KeyShift || on_labels)) {
        scroll_ -= io.MouseWheel * frame.window.px(40);
    } else if (io.MouseWheel != 0) {
        axis_.zoom_with_wheel();
    }
    if (axis_.drag()) scroll_ -= io.MouseDelta.y;
    axis_.keep_within(frame.schedule.length_ns, 16);
}

const ScheduledBlock* SchedulePanel::block_under_mouse(const Frame& frame) const {
    if (frame.window.still || !hovered(frame.rows, frame.window)) return nullptr;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto row = std::size_t((mouse.y - frame.rows.y + frame.scroll) / frame.pitch);
    if (row >= frame.sms.size()) return nullptr;
    const double ns = frame.axis.at(mouse.x);
    for (const std::uint32_t index : frame.sms[row].blocks) {
        const ScheduledBlock& block = frame.schedule.blocks[index];
        const Rect band = frame.band(row, block.lane);
        const bool on = mouse.y >= band.y && mouse.y < band.bottom();
        if (on && ns >= block.span.begin_ns && ns <= block.span.end_ns) return &block;
    }
    return nullptr;
}

// Finds out what is shown once for each run and launch: the recording is compared by the file's text.
void SchedulePanel::choose(const session::Session& session, std::uint32_t launch) {
    if (generation_ == session.runner().generation() && launch_ == launch) return;
    generation_ = session.runner().generation(), launch_ = launch;
    const execution::RunResult* run = session.run();
    if (!read_ && run != nullptr && !run->on_device()) {
        read_ = true;
        auto read = session::shipped_schedules(resource_folder() / "assets");
        if (read)
            recorded_ = std::move(*read);
        else
            unreadable_ = to_text(read.diagnostics().front());
    }
    chosen_ = session::shown_schedule(run, launch, recorded_.get());
    if (!chosen_.schedule && !unreadable_.empty()) chosen_.reason = unreadable_;
    rows_ = schedule_rows(chosen_);
}

bool SchedulePanel::has_many_rows() const {
    constexpr std::size_t many = 16;
    return chosen_.schedule && used_rows(rows_) > many;
}

// Draws one line per sentence of the reason.
void SchedulePanel::draw_reason(const Rect& inside, const WindowState& window) const {
    const std::size_t end = chosen_.reason.find('\n');
    const float line = window.px(figures_height);
    const Rect first{inside.x, inside.y, inside.width, inside.height - (end == std::string::npos ? 0 : line)};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text_centred(draw, fonts().text, first, theme().text_faint, chosen_.reason.substr(0, end));
    if (end == std::string::npos) return;
    const Rect second{inside.x, inside.y + line, inside.width, inside.height - line};
    draw_text_centred(draw, fonts().text, second, theme().text_faint, chosen_.reason.substr(end + 1));
}

// Returns the height that the lines take.
float SchedulePanel::draw_figures(const Rect& inside, float left, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::string figures = schedule_figures(*chosen_.schedule);
    const float line = window.px(figures_height);
    const float text_y = centre_line(fonts().small, inside.y, line);
    draw_text_within(draw, fonts().small, {left, text_y}, theme().text, figures, inside.right() - left);
    const float legend_x = left + text_width(fonts().small, figures) + window.px(24);
    draw_text_within(draw, fonts().small, {legend_x, text_y}, theme().text_faint,
                     "bright: this block · shades: waves · hatched: warps wait at a barrier · red: tail",
                     std::max(inside.right() - legend_x, 0.0f));
    std::string second = chosen_.origin;
    if (const std::string missing = missing_blocks_words(chosen_); !missing.empty())
        second += (second.empty() ? "" : " · ") + missing;
    if (second.empty()) return line;
    draw_text_within(draw, fonts().small, {left, text_y + line}, theme().text_quiet, second,
                     inside.right() - left);
    return 2 * line;
}

void SchedulePanel::draw(const Rect& inside, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const session::StepState* step_state = view.session.playhead().step_state();
    choose(view.session, step_state ? step_state->step.launch : 0);
    if (!chosen_.schedule || !step_state || !step_state->launch) {
        draw_reason(inside, view.window);
        return;
    }
    const Schedule& schedule = *chosen_.schedule;
    fit(schedule);
    const float left = inside.x + view.px(sm_label_width);
    const float head = draw_figures(inside, left, view.window);
    const Rect rows{left, inside.y + head, inside.width - view.px(sm_label_width + sm_right_margin),
                    inside.height - head - view.px(axis_height)};
    if (rows.empty() || rows_.empty()) return;
    axis_.rect = {left, rows.bottom(), rows.width, view.px(axis_height)};
    const std::size_t used = std::max<std::size_t>(used_rows(rows_), 1);
    const float pitch = std::clamp(rows.height / float(used), view.px(least_pitch),
                                   view.px(used < rows_.size() ? pitch_above_unused : max_pitch));
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, pitch * float(rows_.size()) - rows.height));
    const bool all = schedule.blocks.size() >= chosen_.grid_blocks;
    const Frame frame{schedule,
                      rows_,
                      all ? "no block ran here" : "not recorded",
                      *step_state->launch,
                      view.window,
                      draw,
                      rows,
                      axis_,
                      pitch,
                      scroll_};
    if (!view.window.still) handle_mouse(frame);
    draw->PushClipRect({rows.x, rows.y}, {rows.right() + 1, rows.bottom()}, true);
    draw_rows(frame, step_state->step.block);
    draw->PopClipRect();
    draw_axis(frame);
    const ScheduledBlock* under = block_under_mouse(frame);
    if (under == nullptr) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        view.requests.commands.push_back(session::FocusBlock{under->block});
    tooltip("block " + block_name(step_state->launch->grid, under->block) + " on SM " +
                std::to_string(under->sm) + "\nfrom " + duration_text(under->span.begin_ns) + ", for " +
                duration_text(under->span.length_ns()) + "\nwave " + std::to_string(under->wave + 1) +
                " of its place on the SM" + (under->ended ? "" : "\nthe end was not recorded"),
            view.window);
}

}  // namespace lanescope::ui
