#include <utility>

#include "base/language.h"
#include "ui/actions/groups.h"
#include "ui/state/inspector_tabs.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {
namespace {

std::string needs_comparable_run(const Place& place) {
    return place.window.comparing ? std::string() : needs_run(place);
}

template <std::size_t number>
Action tab_action() {
    static constexpr const InspectorTabRow& row = inspector_tabs[number];
    Action action{.id = row.id, .title = row.word, .help = row.help, .group = Group::views};
    action.run = [](const Place&, Requests& requests) {
        requests.set(&WindowState::inspector, &InspectorState::tab, InspectorTab(row.tab));
    };
    if constexpr (row.needs_program != nullptr) {
        action.why_not = [](const Place& place) -> std::string {
            if (place.session.launches().program()) return {};
            return "Only a program with a function main has " + std::string(row.needs_program) + ".";
        };
        action.hidden = [](const Place& place) { return place.session.launches().program() == nullptr; };
    }
    return action;
}

// A key goes to the mode and back to the usual one.
template <std::size_t number>
Action stage_action() {
    static constexpr const StageMode& mode = stage_modes[number];
    Action action{.id = mode.id, .title = mode.title, .help = mode.help, .group = Group::views};
    action.run = [](const Place&, Requests& requests) {
        requests.change([](WindowState& window) {
            window.stage_tab = window.stage_tab == mode.tab ? StageTab::cells : mode.tab;
        });
    };
    if constexpr (mode.letter != 0) {
        action.keys = {typed(mode.letter)};
        action.heard = on_panels;
    }
    action.menu = mode.menu;
    return action;
}

template <std::size_t... number>
void add_tabs(std::vector<Action>& all, std::index_sequence<number...>) {
    const auto add = [&](Action action) {
        if (!action.id.empty()) all.push_back(std::move(action));
    };
    (add(tab_action<number>()), ...);
}

template <std::size_t... number>
void add_modes(std::vector<Action>& all, std::index_sequence<number...>) {
    (all.push_back(stage_action<number + 1>()), ...);
}

// Editing leaves the comparison: only the open file is edited.
void edit_source(const Place&, Requests& requests) {
    requests.change([](WindowState& window) {
        window.source.editing = window.comparing || !window.source.editing;
        if (window.comparing) window.comparing = window.lecture = false;
    });
}

std::string motion_words(const WindowState& window) {
    switch (window.motion.wish) {
        case MotionWish::on:
            return "on";
        case MotionWish::off:
            return "off";
        case MotionWish::system:
            break;
    }
    return std::string("as the system says (") + (window.motion.system_moves ? "on)" : "off)");
}

// As the system says, on, off, and round again.
void change_motion(const Place&, Requests& requests) {
    requests.change([](WindowState& window) {
        window.motion.wish = MotionWish((int(window.motion.wish) + 1) % 3);
        window.notice = {"Motion of values after a step: " + motion_words(window), window.now_s + notice_s};
    });
}

Action motion_action() {
    return {.id = "motion.change",
            .title = "Motion of values after a step",
            .help = "values travel along their arrows after a step: on, off, or as the system says",
            .group = Group::views,
            .run = change_motion,
            .title_now = [](const Place& place) -> std::string {
                return "Motion of values after a step: " + motion_words(place.window);
            }};
}

std::vector<Action> toggles() {
    return {
        {.id = "source.edit",
         .title = "Edit the source",
         .help = "edit the source",
         .group = Group::views,
         .keys = {typed(U'e')},
         .heard = on_panels,
         .effect = Effect::input,
         .run = edit_source,
         .why_not = needs_file,
         .title_now = [](const Place& place) -> std::string {
             return place.window.source.editing ? tr("Stop editing the source") : tr("Edit the source");
         },
         .menu = 12},
        {.id = "source.ptx",
         .title = "PTX beside the source",
         .help = "PTX beside the source",
         .group = Group::views,
         .keys = {typed(U'p')},
         .heard = Layer::panels | Layer::compare,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.source.ptx = !window.source.ptx; });
             },
         .why_not = [](const Place& place) -> std::string {
             return place.window.comparing
                        ? tr("PTX is not shown in a comparison. Leave the comparison first.")
                        : "";
         },
         .title_now = [](const Place& place) -> std::string {
             return place.window.source.ptx ? tr("Hide the PTX") : tr("PTX beside the source");
         },
         .menu = 17},
        {.id = "source.time",
         .title = "Time on a GPU beside the lines",
         .help = "show on which lines the time on a GPU goes",
         .group = Group::views,
         .keys = {typed(U'u')},
         .heard = Layer::panels | Layer::compare | Layer::lecture,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.source.heat =
                         window.source.heat == HeatMetric::time ? HeatMetric::executions : HeatMetric::time;
                 });
             },
         .why_not = needs_file,
         .title_now = [](const Place& place) -> std::string {
             return place.window.source.heat == HeatMetric::time ? tr("Hide the time on a GPU")
                                                                 : tr("Time on a GPU beside the lines");
         },
         .menu = 24},
    };
}

std::vector<Action> toggles_of_panels() {
    return {
        {.id = "stage.colour",
         .title = "Colour cells by the input that their value came from",
         .help = "colour the stage's cells by the step, or by the input that their value came from",
         .group = Group::views,
         .keys = {typed(U'k')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.cells.colour =
                         window.cells.origins_shown ? CellColour::state : CellColour::origin;
                 });
             },
         .title_now = [](const Place& place) -> std::string {
             return place.window.cells.origins_shown
                        ? tr("Colour cells by what the step does with them")
                        : tr("Colour cells by the input that their value came from");
         }},
        {.id = "timeline.rows",
         .title = "Timeline of warps, of multiprocessors, or of estimated cycles",
         .help = "switch the timeline: warps, multiprocessors, cycles",
         .group = Group::views,
         .keys = {typed(U's')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.timeline_rows =
                         TimelineRows((int(window.timeline_rows) + 1) % timeline_rows_count);
                 });
             }},
        {.id = "compare.toggle",
         .title = "Compare with …",
         .help = "compare with another file, or with other parameters",
         .group = Group::views,
         .keys = {typed(U'c')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.comparing = !window.comparing;
                     window.source.editing = window.source.editing && !window.comparing;
                 });
             },
         .why_not = needs_comparable_run,
         .title_now = [](const Place& place) -> std::string {
             return place.window.comparing ? tr("Leave the comparison") : tr("Compare with …");
         },
         .menu = 15},
        {.id = "export.toggle",
         .title = "Export as picture, animation or page …",
         .help = "export a picture, an animation or a page for any browser",
         .group = Group::views,
         .keys = {typed(U'x'), control(U'e')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.exporting = !window.exporting; });
             },
         .why_not = needs_run,
         .menu = 16},
    };
}

}  // namespace

std::vector<Action> view_actions() {
    std::vector<Action> all = toggles();
    add_modes(all, std::make_index_sequence<stage_modes.size() - 1>());
    for (Action& action : toggles_of_panels())
        all.push_back(std::move(action));
    add_tabs(all, std::make_index_sequence<inspector_tabs.size()>());
    all.push_back(motion_action());
    all.push_back(stage_action<0>());
    return all;
}

}  // namespace lanescope::ui
