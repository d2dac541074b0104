#include <optional>

#include "base/language.h"
#include "session/playhead/call_steps.h"
#include "ui/actions/groups.h"
#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

using namespace session;

// Returns the line that was clicked, otherwise the step's line, otherwise 0.
std::uint32_t chosen_line(const Session& session) {
    if (session.selection().line != 0) return session.selection().line;
    return session.playhead().step_state() != nullptr ? session.playhead().step_state()->step.line : 0;
}

std::string needs_line(const Place& place) {
    return chosen_line(place.session) != 0 ? std::string()
                                           : tr("No line is selected. Click one in the source.");
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

// --- As in a debugger --------------------------------------------------------------------------------------

// Not in a lecture: clickers send F5.
constexpr Layers with_source = Layer::panels | Layer::compare | Layer::typing_source;

std::optional<std::size_t> next_at_depth(const Session& session, int most) {
    return find_call_step(session.playhead(), {.most_depth = most});
}

int depth_now(const Session& session) {
    return call_depth(session.playhead());
}

// A hidden result is revealed first, as by a step forward.
void step_over(const Place& place, Requests& requests) {
    const std::size_t now = place.session.playhead().step_state()->index;
    const std::optional<std::size_t> there = next_at_depth(place.session, depth_now(place.session));
    if (place.session.playhead().results().concealed || place.session.playhead().by_instruction() ||
        there.value_or(now + 1) == now + 1)
        return requests.commands.push_back(StepBy{1});
    requests.commands.push_back(SeekStep{*there});
}

void step_out(const Place& place, Requests& requests) {
    if (const auto there = next_at_depth(place.session, depth_now(place.session) - 1))
        requests.commands.push_back(SeekStep{*there});
}

std::string needs_caller(const Place& place) {
    const std::string no_steps = needs_steps(place);
    if (!no_steps.empty()) return no_steps;
    if (depth_now(place.session) == 0)
        return tr("This step is in the kernel itself, which no function called.");
    return next_at_depth(place.session, depth_now(place.session) - 1)
               ? std::string()
               : tr("The function does not return in the steps of this run.");
}

// Ends what runs or searches; otherwise goes back to the first step.
void stop(const Place& place, Requests& requests) {
    const Session& session = place.session;
    if (session.runner().busy() || session.host_code().running())
        return requests.commands.push_back(CancelRun{});
    if (session.explorer().busy()) return requests.commands.push_back(CancelExploration{});
    if (session.search().searching()) return requests.commands.push_back(StopSearch{});
    requests.commands.push_back(Play{false});
    requests.commands.push_back(SeekStep{0});
}

std::string nothing_to_stop(const Place& place) {
    const Session& session = place.session;
    const bool works = session.runner().busy() || session.host_code().running() || session.explorer().busy();
    return works ? std::string() : needs_steps(place);
}

Action debugging(std::string_view id, std::string_view title, std::string_view help, Chord key,
                 void (*run)(const Place&, Requests&), std::string (*why_not)(const Place&) = needs_steps) {
    return {.id = id,
            .title = title,
            .help = help,
            .group = Group::steps,
            .keys = {key},
            .heard = with_source,
            .run = run,
            .why_not = why_not};
}

template <bool back>
void go_on(const Place& place, Requests& requests) {
    const bool typing = place.window.source.typing;  // the text that is being typed comes first
    (typing ? requests.after_typing : requests.commands).push_back(Continue{back});
}

template <bool back>
void run_to_line(const Place& place, Requests& requests) {
    requests.commands.push_back(RunToLine{chosen_line(place.session), back});
}

std::vector<Action> debugger_actions() {
    return {
        debugging("breakpoint.next", "Continue to the next breakpoint",
                  "continue to the next breakpoint or the end", {Key::f5}, go_on<false>),
        beside(debugging("breakpoint.previous", "Run back to the previous breakpoint", "run back to one",
                         control(Key::f5), go_on<true>)),
        debugging("run.stop", "Stop: end what runs, or go to the first step",
                  "stop: end what runs, otherwise go to the first step", shifted(Key::f5), stop,
                  nothing_to_stop),
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
        debugging("step.over", "Step over: without the lines of called functions",
                  "step over a called function", {Key::f10}, step_over),
        beside(debugging("step.into", "Step into a called function", "step into it", {Key::f11}, step_by<1>)),
        beside(debugging("step.out", "Step out of a called function", "step out of it", shifted(Key::f11),
                         step_out, needs_caller)),
        debugging("line.run_to", "Run to the selected line", "run to the selected line", control(Key::f10),
                  run_to_line<false>, needs_line),
        beside(debugging("line.run_back", "Run back to the selected line",
                         "run back to it; for more, right-click a line", control(Key::f10, true),
                         run_to_line<true>, needs_line)),
    };
}

// --- Which block and which thread --------------------------------------------------------------------------

const trace::Launch& launch_now(const Session& session) {
    return *session.playhead().step_state()->launch;
}

std::string needs_launch(const Place& place) {
    const std::string no_steps = needs_steps(place);
    if (!no_steps.empty() || place.session.playhead().step_state()->launch != nullptr) return no_steps;
    return tr("This step belongs to no launch.");
}

// Blocks that were not recorded are left out.
template <int direction>
void next_block(const Place& place, Requests& requests) {
    const trace::Launch& launch = launch_now(place.session);
    const auto count = std::int64_t(launch.grid.count());
    const std::int64_t now = place.session.playhead().step_state()->step.block;
    for (std::int64_t block = now + direction; block >= 0 && block < count; block += direction)
        if (launch.records(std::uint32_t(block)))
            return requests.commands.push_back(FocusBlock{std::uint32_t(block)});
    tell(place, "Block " + std::to_string(now) + " is the " + (direction < 0 ? "first" : "last") + " one.",
         requests);
}

template <int direction>
void next_warp(const Place& place, Requests& requests) {
    const Selection& chosen = place.session.selection();
    const std::int64_t warp = std::int64_t(chosen.warp) + direction;
    if (warp < 0 || warp >= std::int64_t(launch_now(place.session).warps_per_block()))
        return tell(place,
                    "Warp " + std::to_string(chosen.warp) + " is the " + (direction < 0 ? "first" : "last") +
                        " one of this block.",
                    requests);
    requests.commands.push_back(PinLane{std::uint32_t(warp), chosen.lane});
}

// From the last lane of a warp to the first one of the next.
template <int direction>
void next_lane(const Place& place, Requests& requests) {
    const Selection& chosen = place.session.selection();
    const std::int64_t now = std::int64_t(chosen.warp) * trace::warp_size + chosen.lane,
                       thread = now + direction;
    if (thread < 0 || thread >= std::int64_t(launch_now(place.session).block.count()))
        return tell(place,
                    "Thread " + std::to_string(now) + " is the " + (direction < 0 ? "first" : "last") +
                        " one of this block.",
                    requests);
    requests.commands.push_back(
        PinLane{std::uint32_t(thread / trace::warp_size), std::uint32_t(thread % trace::warp_size)});
}

std::vector<Action> focus_actions() {
    const auto choosing = [](std::string_view id, std::string_view title, std::string_view help, Key key,
                             void (*run)(const Place&, Requests&)) {
        return Action{.id = id,
                      .title = title,
                      .help = help,
                      .group = Group::steps,
                      .keys = {control(key)},
                      .heard = on_panels,
                      .run = run,
                      .why_not = needs_launch};
    };
    return {
        choosing("lane.previous", "Previous lane", "choose the previous lane", Key::left, next_lane<-1>),
        beside(choosing("lane.next", "Next lane", "the next lane", Key::right, next_lane<1>)),
        choosing("warp.previous", "Previous warp", "choose the previous warp", Key::up, next_warp<-1>),
        beside(choosing("warp.next", "Next warp", "the next warp", Key::down, next_warp<1>)),
        choosing("block.previous", "Previous block", "choose the previous block", Key::page_up,
                 next_block<-1>),
        beside(choosing("block.next", "Next block", "the next block", Key::page_down, next_block<1>)),
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
                       return place.session.playhead().shows_before() ? tr("The state after each step")
                                                                      : tr("The state before each step");
                   }});
    all[2].unlisted = {shifted(Key::page_up)};
    for (const auto& more : {debugger_actions(), focus_actions()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace lanescope::ui
