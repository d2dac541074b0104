#include "ui/actions/keys.h"

#include <algorithm>

#include "trace/io.h"
#include "ui/actions/lecture_keys.h"
#include "ui/kit/widgets.h"

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
    {"F5  Shift + F5", "go on, go back to the next breakpoint that is met"},
    {"F9", "breakpoint on the chosen line, or none; or click on a line's number"},
    {"F10  Shift + F10", "run forwards, backwards to the chosen line; more: right click on a line"},
    {"W", "watch an expression in every lane"},
    {"P", "PTX beside the source"},
    {"L", "lecture: large type, only stage, source and timeline"},
    {"H  R", "predict, then reveal: what a step writes is hidden until → or R"},
    {"N", "a note on this step; playing stops there"},
    {"P  O", "in a lecture: pointer, spotlight at the mouse"},
    {".  B", "in a lecture: black screen, as a clicker sends it"},
    {"M", "map of all threads, or the stage"},
    {"S", "timeline of warps, or of multiprocessors"},
    {"E", "edit the source"},
    {"T", "try all schedules"},
    {"B", "bandwidth and times on a GPU, beside the libraries"},
    {"G", "run on the GPU, or on the CPU machine"},
    {"C", "compare with another file, or with other parameters"},
    {"X  Ctrl+E", "export: a picture, an animation, a page for any browser"},
    {"I", "preview of image convolutions, and back"},
    {"Ctrl + P", "find anything: lessons, files, parameters (n = 64), tabs, commands"},
    {"Ctrl + O", "open a .cu file or a saved .trace"},
    {"Ctrl + S  Ctrl + Shift + S", "save, save under another name"},
    {"Ctrl + Z  Ctrl + Y", "take back, do again: edits, parameters, resets"},
    {"Ctrl + F", "edit parameters, buffers and launches in a form"},
    {"Ctrl + T", "light or dark"},
    {"F12", "menu"},
    {"Ctrl + Q", "quit; what is not saved is kept and offered again"},
    {"Tab", "to the parameters, and from one to the next"},
    {"+ −", "everything larger, smaller"},
    {"0", "the size that fits the window"},
    {"F11", "fullscreen"},
    {"?", "this list, the glossary, the tour"},
    {"Esc", "closes what is open"},
    {"Wheel, drag", "on the timeline: zoom at the mouse, go there; right drag: move"},
};

void seek_end(const Session& session, Commands& commands) {
    if (!session.steps().empty()) commands.push_back(SeekStep{session.steps().size() - 1});
}

void change_zoom(WindowState& shared, float factor) {
    shared.zoom = std::clamp(shared.zoom * factor, 0.6f, 2.5f);
}

// The line that was clicked, else the one of the step.
std::uint32_t chosen_line(const Session& session) {
    if (session.selection().line != 0) return session.selection().line;
    return session.step_state() != nullptr ? session.step_state()->step.line : 0;
}

void close_one(WindowState& shared) {
    if (shared.edit_note)
        shared.edit_note = false;
    else if (shared.show_help)
        shared.show_help = false;
    else if (shared.dialog != Dialog::none)
        shared.dialog = Dialog::none;
    else if (shared.exporting)
        shared.exporting = false;
    else if (shared.editing)
        shared.editing = false;
    else if (shared.comparing)
        shared.comparing = false;
    else
        shared.lecture = false;
}

void toggle(WindowState& shared, Dialog dialog) {
    shared.dialog = shared.dialog == dialog ? Dialog::none : dialog;
}

// In an input that is not the source's, Dear ImGui takes back what was typed there.
void take_back(int direction, bool typing, WindowState& shared, Commands& commands) {
    const Command command = direction < 0 ? Command(Undo{}) : Command(Redo{});
    if (shared.typing_source)
        shared.after_typing.push_back(command);
    else if (!typing)
        commands.push_back(command);
}

// A lesson, or the source that a trace holds, is saved under a name of its own.
void save(const Session& session, bool other_name, WindowState& shared, Commands& commands) {
    if (session.path().empty()) return;
    if (other_name || session.lesson() || trace::is_trace_name(session.path()))
        shared.dialog = Dialog::save_as;
    else
        (shared.typing_source ? shared.after_typing : commands).push_back(SaveSource{session.path()});
}

// Keys that are heard while text is typed, too. False: it is none of them.
bool handle_chord(const KeyPress& press, bool typing, const Session& session, WindowState& shared,
                  Commands& commands) {
    switch (press.key) {
        case Key::open_file:
            shared.dialog = Dialog::open_file;
            return true;
        case Key::save:
        case Key::save_as:
            save(session, press.key == Key::save_as, shared, commands);
            return true;
        case Key::undo:
            take_back(-1, typing, shared, commands);
            return true;
        case Key::redo:
            take_back(1, typing, shared, commands);
            return true;
        case Key::palette:
            toggle(shared, Dialog::palette);
            return true;
        case Key::form:
            if (!session.path().empty()) toggle(shared, Dialog::form);
            return true;
        case Key::light:
            set_theme(brightness() == Brightness::dark ? Brightness::light : Brightness::dark);
            return true;
        case Key::menu:
            toggle(shared, Dialog::menu);
            return true;
        default:
            return false;
    }
}

}  // namespace

bool handle_keys(std::span<const KeyPress> presses, const Session& session, WindowState& shared,
                 Commands& commands) {
    bool fullscreen = false;
    const bool typing = ImGui::GetIO().WantTextInput;
    for (const KeyPress& press : presses) {
        if (press.key == Key::escape && list_is_open()) continue;  // which takes it
        if (handle_chord(press, typing, session, shared, commands)) continue;
        if ((typing || shared.dialog != Dialog::none) && press.key != Key::escape && press.key != Key::f11 &&
            (press.key != Key::tab || shared.typing_source))
            continue;
        if (lecture_key(press, session, shared, commands)) continue;
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
                shared.timeline_rows = shared.timeline_rows == TimelineRows::warps
                                           ? TimelineRows::multiprocessors
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
            case Key::compare:
                if (session.run() != nullptr) shared.comparing = !shared.comparing;
                break;
            case Key::share:
                if (session.run() != nullptr) shared.exporting = !shared.exporting;
                break;
            case Key::ptx:
                shared.show_ptx = !shared.show_ptx;
                break;
            case Key::watch:
                shared.show_tab = InspectorTab::variables;
                shared.lecture = false;
                shared.add_watch = true;
                break;
            case Key::proceed:
                if (shared.lecture) break;  // clickers send F5 to start a show
                commands.push_back(Continue{press.shift});
                break;
            case Key::breakpoint:
            case Key::run_to:
                if (const std::uint32_t line = chosen_line(session); line != 0)
                    commands.push_back(press.key == Key::breakpoint ? Command(ToggleBreakpoint{line})
                                                                    : Command(RunToLine{line, press.shift}));
                break;
            case Key::escape:
                if (session.searching()) {
                    commands.push_back(StopSearch{});
                    break;
                }
                close_one(shared);
                break;
            case Key::preview:
                break;
            case Key::f11:
                fullscreen = true;
                break;
            case Key::tab:
                if (shared.dialog == Dialog::none && !shared.lecture) shared.focus_parameters = true;
                break;
            default:
                break;
        }
    }
    return fullscreen;
}

std::span<const KeyHelp> key_help() {
    return help_rows;
}

}  // namespace lanescope::ui
