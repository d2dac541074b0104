#include "ui/actions/groups.h"

namespace lanescope::ui {
namespace {

std::string needs_comparable_run(const Place& place) {
    return place.window.comparing ? std::string() : needs_run(place);
}

template <InspectorTab tab>
void show_tab(const Place&, Requests& requests) {
    requests.change([](WindowState& window) { window.inspector.tab = tab; });
}

template <StageTab tab>
void show_stage(const Place&, Requests& requests) {
    requests.change([](WindowState& window) { window.stage_tab = tab; });
}

Action tab(std::string_view id, std::string_view title, std::string_view help,
           void (*run)(const Place&, Requests&)) {
    return {.id = id, .title = title, .help = help, .group = Group::views, .run = run};
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
             return place.window.source.editing ? "Stop editing the source" : "Edit the source";
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
             return place.window.comparing ? "PTX is not shown in a comparison. Leave the comparison first."
                                           : "";
         },
         .title_now = [](const Place& place) -> std::string {
             return place.window.source.ptx ? "Hide the PTX" : "PTX beside the source";
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
             return place.window.source.heat == HeatMetric::time ? "Hide the time on a GPU"
                                                                 : "Time on a GPU beside the lines";
         },
         .menu = 23},
        {.id = "stage.threads",
         .title = "Map of all threads, or the stage",
         .help = "switch between the stage and the map of all threads",
         .group = Group::views,
         .keys = {typed(U'm')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.stage_tab =
                         window.stage_tab == StageTab::threads ? StageTab::cells : StageTab::threads;
                 });
             },
         .menu = 18},
        {.id = "stage.flow",
         .title = "Flow: what each cell was computed from, or the stage",
         .help = "switch between the stage and the flow of values",
         .group = Group::views,
         .keys = {typed(U'f')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.stage_tab = window.stage_tab == StageTab::flow ? StageTab::cells : StageTab::flow;
                 });
             },
         .menu = 19},
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
             return place.window.cells.origins_shown ? "Colour cells by what the step does with them"
                                                     : "Colour cells by the input that their value came from";
         }},
        {.id = "timeline.rows",
         .title = "Timeline of warps, or of multiprocessors",
         .help = "switch the timeline between warps and multiprocessors",
         .group = Group::views,
         .keys = {typed(U's')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.timeline_rows = window.timeline_rows == TimelineRows::warps
                                                ? TimelineRows::multiprocessors
                                                : TimelineRows::warps;
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
             return place.window.comparing ? "Leave the comparison" : "Compare with …";
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
    const std::vector<Action> tabs = {
        {.id = "tab.launches",
         .title = "Launches",
         .help = "all launches of a program; a click records one",
         .group = Group::views,
         .run = show_tab<InspectorTab::launches>,
         .why_not = [](const Place& place) -> std::string {
             return place.session.launches().program()
                        ? ""
                        : "Only a program with a function main has a list of launches.";
         },
         .hidden = [](const Place& place) { return place.session.launches().program() == nullptr; }},
        {.id = "tab.host",
         .title = "Host",
         .help = "what the host code of a program did; a click shows its line",
         .group = Group::views,
         .run = show_tab<InspectorTab::host>,
         .why_not = [](const Place& place) -> std::string {
             return place.session.launches().program()
                        ? ""
                        : "Only a program with a function main has host code that ran.";
         },
         .hidden = [](const Place& place) { return place.session.launches().program() == nullptr; }},
        tab("tab.variables", "Variables", "variables of the pinned thread, and watches",
            show_tab<InspectorTab::variables>),
        tab("tab.access", "Access", "banks and sectors that this step accesses",
            show_tab<InspectorTab::access>),
        tab("tab.problems", "Problems", "races, accesses out of bounds and other errors of the run",
            show_tab<InspectorTab::problems>),
        tab("tab.console", "Console", "what the kernel prints", show_tab<InspectorTab::console>),
        motion_action(),
        tab("stage.cells", "Stage", "memory cells of one block", show_stage<StageTab::cells>),
    };
    all.insert(all.end(), tabs.begin(), tabs.end());
    return all;
}

}  // namespace lanescope::ui
