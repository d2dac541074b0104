#include "ui/keys.h"

#include <algorithm>

namespace lanescope::ui {
namespace {

using namespace session;

constexpr KeyHelp help_rows[] = {
    {"← →", "one step back, one step forward"},
    {"Page Up  Page Down", "the same, as a presenter's clicker sends them"},
    {"Shift + ← →", "ten steps"},
    {"↑ ↓", "previous, next barrier phase"},
    {"Home  End", "first, last step"},
    {"Space", "play, pause"},
    {"L", "lecture: large type, only stage, source and timeline"},
    {"M", "map of all threads, or the stage"},
    {"S", "timeline of warps, or of multiprocessors"},
    {"E", "edit the source"},
    {"T", "try all schedules"},
    {"B", "bandwidth and times on a GPU, beside the libraries"},
    {"G", "run on the GPU, or on the CPU machine"},
    {"+ −", "everything larger, smaller"},
    {"0", "the size that fits the window"},
    {"F11", "fullscreen"},
    {"?", "this list"},
    {"Esc", "closes what is open"},
    {"Wheel, drag", "on the timeline: zoom around the mouse, move; click: go there"},
};

void seek_end(const Session& session, Commands& commands) {
    if (!session.steps().empty()) commands.push_back(SeekStep{session.steps().size() - 1});
}

void change_zoom(Shared& shared, float factor) {
    shared.zoom = std::clamp(shared.zoom * factor, 0.6f, 2.5f);
}

void close_one(Shared& shared) {
    if (shared.show_help)
        shared.show_help = false;
    else if (shared.editing)
        shared.editing = false;
    else
        shared.lecture = false;
}

}  // namespace

bool handle_keys(std::span<const KeyPress> presses, const Session& session, Shared& shared,
                 Commands& commands) {
    bool fullscreen = false;
    const bool typing = ImGui::GetIO().WantTextInput;
    for (const KeyPress& press : presses) {
        if (typing && press.key != Key::escape && press.key != Key::f11) continue;
        const int step = press.shift ? 10 : 1;
        switch (press.key) {
            case Key::left:
            case Key::page_up:
                commands.push_back(StepBy{-step});
                break;
            case Key::right:
            case Key::page_down:
                commands.push_back(StepBy{step});
                break;
            case Key::up:
                commands.push_back(PhaseBy{-1});
                break;
            case Key::down:
                commands.push_back(PhaseBy{1});
                break;
            case Key::home:
                commands.push_back(SeekStep{0});
                break;
            case Key::end:
                seek_end(session, commands);
                break;
            case Key::space:
                commands.push_back(Play{!session.playing()});
                break;
            case Key::plus:
                change_zoom(shared, 1.1f);
                break;
            case Key::minus:
                change_zoom(shared, 1 / 1.1f);
                break;
            case Key::zero:
                shared.zoom = 1;
                break;
            case Key::question:
                shared.show_help = !shared.show_help;
                break;
            case Key::lecture:
                shared.lecture = !shared.lecture;
                break;
            case Key::edit:
                shared.editing = !shared.editing;
                break;
            case Key::threads:
                shared.stage_tab = shared.stage_tab == StageTab::cells ? StageTab::threads : StageTab::cells;
                break;
            case Key::multiprocessors:
                shared.timeline_rows = shared.timeline_rows == TimelineRows::warps ? TimelineRows::multiprocessors
                                                                                   : TimelineRows::warps;
                break;
            case Key::schedules:
                if (session.run() != nullptr) commands.push_back(ExploreSchedules{});
                break;
            case Key::timings:
                shared.show_tab = InspectorTab::timings;
                shared.lecture = false;
                break;
            case Key::engine:
                commands.push_back(UseGpu{!session.on_gpu()});
                break;
            case Key::escape:
                close_one(shared);
                break;
            case Key::f11:
                fullscreen = true;
                break;
        }
    }
    return fullscreen;
}

std::span<const KeyHelp> key_help() {
    return help_rows;
}

}  // namespace lanescope::ui
