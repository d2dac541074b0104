#include "ui/compare/compare_mode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/files.h"
#include "ui/compare/compare_pane.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_timeline.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

using session::Side;

CompareMode::CompareMode(session::Session& a)
    : a_(a),
      b_(a.shared_registry()),
      pane_a_(std::make_unique<ComparePane>(Side::a, shown_)),
      pane_b_(std::make_unique<ComparePane>(Side::b, shown_)),
      table_(std::make_unique<CompareTable>(shown_)),
      timeline_(std::make_unique<CompareTimeline>(shown_)) {
    shown_.a = &a_;
    shown_.b = &b_;
}

CompareMode::~CompareMode() = default;

void CompareMode::show(execution::RunResult other) {
    given_ = true;
    b_.set_run(std::move(other));
    rebuild();
}

void CompareMode::open(const std::filesystem::path& other) {
    given_ = false;
    b_.apply(session::OpenFile{other});
}

void CompareMode::place(session::StepTogether how, std::size_t tick) {
    shown_.how = how;
    rebuild();
    shown_.go_to = tick;
}

const std::vector<session::TickPair>& CompareMode::ticks() {
    return shown_.ticks;
}

// Opens the topic's next lesson, or the previous one at its end. A file that is not a lesson is compared with
// itself.
void CompareMode::open_neighbour() {
    std::filesystem::path other = a_.document().path();
    if (const lesson::Topic* topic = a_.topic()) {
        const std::vector<lesson::LessonEntry>& all = topic->lessons;
        const auto at =
            std::find_if(all.begin(), all.end(), [&](const auto& each) { return &each == a_.lesson(); });
        if (at != all.end() && at + 1 != all.end())
            other = (at + 1)->path;
        else if (at != all.end() && at != all.begin())
            other = (at - 1)->path;
    }
    b_.apply(session::OpenFile{other});
}

// --- Both together -----------------------------------------------------------------------------------------

void CompareMode::take(session::Commands& commands) {
    std::erase_if(commands, [&](const session::Command& command) {
        const auto last = std::int64_t(shown_.ticks.empty() ? 0 : shown_.ticks.size() - 1);
        if (const auto* by = command.as<session::StepBy>()) {
            shown_.go_to =
                std::size_t(std::clamp<std::int64_t>(std::int64_t(shown_.tick) + by->steps, 0, last));
        } else if (const auto* phase = command.as<session::PhaseBy>()) {
            shown_.phases += phase->phases;
        } else if (const auto* seek = command.as<session::SeekStep>()) {
            const bool end = !a_.playhead().steps().empty() && seek->step + 1 >= a_.playhead().steps().size();
            shown_.go_to = end ? std::size_t(last) : session::tick_at(shown_.ticks, Side::a, seek->step);
        } else if (command.as<session::Play>()) {
            shown_.toggle_play = true;
        } else {
            return false;
        }
        return true;
    });
}

void CompareMode::carry_out(double now_s) {
    if (shown_.open_b) b_.apply(session::OpenFile{*std::exchange(shown_.open_b, {})});
    if (b_.file_times().on() != a_.file_times().on()) b_.apply(session::TimeRuns{a_.file_times().on()});
    if (b_.file_times().on() && b_.timings().gpu() == session::GpuState::unknown)
        b_.apply(session::FindGpu{});
    if (b_.playhead().granularity() != a_.playhead().granularity())
        b_.apply(session::SetGranularity{a_.playhead().granularity()});
    if (b_.playhead().shows_before() != a_.playhead().shows_before())
        b_.apply(session::ShowBefore{a_.playhead().shows_before()});
    if (shown_.change_how) {
        shown_.how = *std::exchange(shown_.change_how, {});
        rebuild();
    }
    const bool changed =
        a_.runner().generation() != generation_a_ || b_.runner().generation() != generation_b_ ||
        a_.playhead().steps().size() != count_a_ || b_.playhead().steps().size() != count_b_ ||
        counted() != counted_ || a_.clock().reading() != clock_a_ || b_.clock().reading() != clock_b_ ||
        a_.file_times().measured() != time_a_ || b_.file_times().measured() != time_b_;
    if (changed) rebuild();
    follow_moves();
    if (shown_.ticks.empty()) return;
    if (shown_.phases)
        shown_.go_to = session::tick_by_phase(shown_.ticks, a_.playhead().steps(), b_.playhead().steps(),
                                              shown_.tick, std::exchange(shown_.phases, 0));
    if (std::exchange(shown_.toggle_play, false)) {
        shown_.playing = !shown_.playing;
        next_tick_s_ = now_s + 1.0 / a_.playback().steps_per_second();
        if (shown_.playing && shown_.tick + 1 == shown_.ticks.size()) shown_.go_to = 0;
    }
    if (shown_.playing && now_s >= next_tick_s_) {
        next_tick_s_ = std::max(next_tick_s_ + 1.0 / a_.playback().steps_per_second(), now_s);
        shown_.go_to = shown_.tick + 1;
        if (shown_.tick + 2 >= shown_.ticks.size()) shown_.playing = false;
    }
    if (shown_.go_to) shown_.tick = std::min(*std::exchange(shown_.go_to, {}), shown_.ticks.size() - 1);
    seek_both();
}

bool CompareMode::counted() const {
    return a_.run() && a_.run()->report_ready && b_.run() && b_.run()->report_ready;
}

void CompareMode::rebuild() {
    generation_a_ = a_.runner().generation(), generation_b_ = b_.runner().generation();
    count_a_ = a_.playhead().steps().size(), count_b_ = b_.playhead().steps().size();
    counted_ = counted();
    clock_a_ = a_.clock().reading(), clock_b_ = b_.clock().reading();
    time_a_ = a_.file_times().measured(), time_b_ = b_.file_times().measured();
    shown_.ticks = session::ticks_of(a_.playhead().steps(), b_.playhead().steps(), shown_.how);
    shown_.table = session::differences(a_, b_);
    shown_.not_judged = session::why_not_judged(a_, b_);
    words_ = session::better_words(shown_.table);
    if (words_.empty())
        words_ = shown_.not_judged.empty() ? "No figure of one run is better."
                                           : "The figures are not judged: " + shown_.not_judged + ".";
    shown_.faster = session::faster_words(a_, b_);
    if (!shown_.faster.empty()) words_ = shown_.faster + " " + words_;
    shown_.differing_a = session::lines_that_differ(a_.document().text(), b_.document().text());
    shown_.differing_b = session::lines_that_differ(b_.document().text(), a_.document().text());
    ++shown_.version;
    if (a_.playhead().step_state())
        shown_.tick = session::tick_at(shown_.ticks, Side::a, a_.playhead().step_state()->index);
    at_a_ = a_.playhead().step_state() ? a_.playhead().step_state()->index : 0;
    at_b_ = b_.playhead().step_state() ? b_.playhead().step_state()->index : 0;
}

// If one run was moved alone, for example by a click on one of its problems, the other one follows.
void CompareMode::follow_moves() {
    if (a_.playhead().step_state() && a_.playhead().step_state()->index != at_a_)
        shown_.tick = session::tick_at(shown_.ticks, Side::a, a_.playhead().step_state()->index);
    else if (b_.playhead().step_state() && b_.playhead().step_state()->index != at_b_)
        shown_.tick = session::tick_at(shown_.ticks, Side::b, b_.playhead().step_state()->index);
}

void CompareMode::seek_both() {
    const session::TickPair& at = shown_.ticks[shown_.tick];
    at_a_ = at.a, at_b_ = at.b;
    if (!a_.playhead().step_state() || a_.playhead().step_state()->index != at.a)
        a_.apply(session::SeekStep{at.a});
    if (!b_.playhead().step_state() || b_.playhead().step_state()->index != at.b)
        b_.apply(session::SeekStep{at.b});
}

// Only the open file can be edited. To edit the other run's file, it becomes the open file, with the
// parameters of the comparison.
void CompareMode::edit_one(Side side, Requests& requests) {
    requests.act("source.edit");  // which leaves the comparison
    if (side == Side::a) return;
    if (b_.document().path() != a_.document().path()) {
        requests.set(&WindowState::source, &SourceState::edit_opened, true);
        requests.commands.push_back(session::OpenFile{b_.document().path()});
    }
    if (!b_.run()) return;
    const lesson::ParameterValues& before = a_.parameters();
    for (const lesson::Parameter& parameter : b_.run()->instance.front.parameters) {
        const auto set = b_.parameters().find(parameter.name);
        if (set == b_.parameters().end()) continue;
        const auto had = before.find(parameter.name);
        const bool same = b_.document().path() == a_.document().path()
                              ? had != before.end() && had->second == set->second
                              : set->second == parameter.default_value;
        if (!same) requests.commands.push_back(session::SetParameter{parameter.name, set->second});
    }
}

void CompareMode::draw_words(const Rect& row, const WindowState& window) const {
    ImGui::SetNextWindowPos(row.min());
    ImGui::SetNextWindowSize({row.width, row.height});
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("##compare words", nullptr, flags)) {
        name_panel(row, theme().panel_raised);
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddRectFilled(row.min(), row.max(), theme().panel_raised);
        const float padding = window.px(12), width = row.width - 2 * padding;
        ImFont* const font =
            text_block_height(fonts().caption, words_, width) <= row.height ? fonts().caption : fonts().text;
        const float high = text_block_height(font, words_, width);
        draw_text_block(draw, font, {row.x + padding, row.y + std::max((row.height - high) / 2, 0.0f)},
                        theme().text_strong, words_, width);
    }
    ImGui::End();
}

// --- On the screen -----------------------------------------------------------------------------------------

bool CompareMode::frame(const Rect& whole, const WindowState& window, Requests& requests, double now_s) {
    if (!given_ && b_.document().path().empty()) open_neighbour();
    // Each run is estimated, so that their times can be compared.
    if (!a_.clock().wanted()) requests.commands.push_back(session::WantClock{});
    if (!b_.clock().wanted()) b_.apply(session::WantClock{});
    if (window.still && b_.clock().busy()) b_.wait();
    const bool moved = b_.update(now_s);
    carry_out(now_s);
    // In a lecture both runs have all the room, and the figures stand in words below them.
    const bool words = window.lecture;
    const float bottom = words ? window.px(66) : std::min(window.px(206), whole.height * 0.36f);
    const float table =
        words ? 0 : std::round(std::clamp(whole.width * 0.25f, window.px(330), window.px(460)));
    const float width = std::round((whole.width - table) / 2), height = whole.height - bottom;
    Requests for_b;
    pane_a_->draw({whole.x, whole.y, width, height}, {a_, window, requests});
    pane_b_->draw({whole.x + width, whole.y, width, height}, {b_, window, for_b});
    const Rect below{whole.x, whole.y + height, whole.width, bottom};
    if (words) {
        draw_words(below, window);
    } else {
        table_->draw({whole.x + 2 * width, whole.y, whole.width - 2 * width, height}, {a_, window, requests});
        timeline_->draw(below, {a_, window, requests});
    }
    take(requests.commands);
    const bool moved_b = !for_b.commands.empty();
    for (const session::Command& command : std::exchange(for_b.commands, {}))
        b_.apply(command);
    requests.append(std::move(for_b));
    if (shown_.edit) edit_one(*std::exchange(shown_.edit, {}), requests);
    const bool asked =
        shown_.go_to || shown_.phases || shown_.change_how || shown_.toggle_play || shown_.open_b;
    return moved || asked || shown_.playing || b_.runner().busy() || b_.clock().busy() || moved_b;
}

}  // namespace lanescope::ui
