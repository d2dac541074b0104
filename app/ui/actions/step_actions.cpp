#include "ui/actions/groups.h"

namespace lanescope::ui {
namespace {

using namespace session;

// Returns the line that was clicked, otherwise the step's line, otherwise 0.
std::uint32_t chosen_line(const Session& session) {
    if (session.selection().line != 0) return session.selection().line;
    return session.playhead().step_state() != nullptr ? session.playhead().step_state()->step.line : 0;
}

std::string needs_line(const Place& place) {
    return chosen_line(place.session) != 0 ? std::string() : "No line is selected. Click one in the source.";
}

template <int steps>
void step_by(const Place&, Requests& requests) {
    requests.commands.push_back(StepBy{steps});
}

template <int phases>
void phase_by(const Place&, Requests& requests) {
    requests.commands.push_back(PhaseBy{phases});
}

void seek_end(const Place& place, Requests& requests) {
    requests.commands.push_back(SeekStep{place.session.playhead().steps().size() - 1});
}

Action stepping(std::string_view id, std::string_view title, std::string_view help, std::vector<Chord> keys,
                void (*run)(const Place&, Requests&)) {
    return {.id = id,
            .title = title,
            .help = help,
            .group = Group::steps,
            .keys = std::move(keys),
            .heard = on_panels,
            .run = run,
            .why_not = needs_steps};
}

Action beside(Action action, std::vector<Chord> unlisted = {}) {
    action.with_previous = true;
    action.unlisted = std::move(unlisted);
    return action;
}

std::vector<Action> breakpoint_actions() {
    constexpr Layers with_source = Layer::panels | Layer::compare;  // not in a lecture: clickers send F5
    return {
        {.id = "breakpoint.next",
         .title = "Run to the next breakpoint",
         .help = "run to the next breakpoint",
         .group = Group::steps,
         .keys = {{Key::f5}},
         .heard = with_source,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(Continue{false}); },
         .why_not = needs_steps},
        {.id = "breakpoint.previous",
         .title = "Run back to the previous breakpoint",
         .help = "run back to the previous one",
         .group = Group::steps,
         .keys = {shifted(Key::f5)},
         .heard = with_source,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(Continue{true}); },
         .why_not = needs_steps,
         .with_previous = true},
        {.id = "breakpoint.toggle",
         .title = "Breakpoint on the selected line",
         .help = "set or remove a breakpoint on the selected line; or click its number",
         .group = Group::steps,
         .keys = {{Key::f9}},
         .heard = on_panels,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.commands.push_back(ToggleBreakpoint{chosen_line(place.session)});
             },
         .why_not = needs_line},
        {.id = "line.run_to",
         .title = "Run to the selected line",
         .help = "run to the selected line",
         .group = Group::steps,
         .keys = {{Key::f10}},
         .heard = on_panels,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.commands.push_back(RunToLine{chosen_line(place.session), false});
             },
         .why_not = needs_line},
        {.id = "line.run_back",
         .title = "Run back to the selected line",
         .help = "run back to it; for more, right-click a line",
         .group = Group::steps,
         .keys = {shifted(Key::f10)},
         .heard = on_panels,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.commands.push_back(RunToLine{chosen_line(place.session), true});
             },
         .why_not = needs_line,
         .with_previous = true},
    };
}

}  // namespace

std::vector<Action> step_actions() {
    std::vector<Action> all = {
        stepping("step.back", "One step back", "one step back", {{Key::left}, {Key::page_up}}, step_by<-1>),
        beside(stepping("step.forward", "One step forward", "one step forward",
                        {{Key::right}, {Key::page_down}}, step_by<1>)),
        stepping("step.back_ten", "Ten steps back", "ten steps back", {shifted(Key::left)}, step_by<-10>),
        beside(stepping("step.forward_ten", "Ten steps forward", "ten steps forward", {shifted(Key::right)},
                        step_by<10>),
               {shifted(Key::page_down)}),
        stepping("phase.back", "Previous barrier phase", "previous barrier phase", {{Key::up}}, phase_by<-1>),
        beside(stepping("phase.forward", "Next barrier phase", "next barrier phase", {{Key::down}},
                        phase_by<1>)),
        stepping("step.first", "First step", "first step", {{Key::home}},
                 [](const Place&, Requests& requests) { requests.commands.push_back(SeekStep{0}); }),
        beside(stepping("step.last", "Last step", "last step", {{Key::end}}, seek_end)),
        stepping("step.play", "Play, or pause", "play or pause", {typed(U' ')},
                 [](const Place& place, Requests& requests) {
                     requests.commands.push_back(Play{!place.session.playback().playing()});
                 }),
    };
    all.push_back({.id = "step.before",
                   .title = "The state before each step",
                   .help = "show the state before the step, or after it",
                   .group = Group::steps,
                   .keys = {typed(U'a')},
                   .heard = on_panels,
                   .run =
                       [](const Place& place, Requests& requests) {
                           requests.commands.push_back(ShowBefore{!place.session.playhead().shows_before()});
                       },
                   .why_not = needs_steps,
                   .title_now = [](const Place& place) -> std::string {
                       return place.session.playhead().shows_before() ? "The state after each step"
                                                                      : "The state before each step";
                   }});
    all[2].unlisted = {shifted(Key::page_up)};
    const std::vector<Action> more = breakpoint_actions();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace lanescope::ui
