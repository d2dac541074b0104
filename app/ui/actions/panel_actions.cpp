#include "base/language.h"
#include "ui/actions/groups.h"
#include "ui/actions/table.h"

namespace lanescope::ui {
namespace {

std::string needs_panels(const Place& place) {
    if (place.window.lecture) return tr("A lecture has its own panels. Press L to leave it.");
    return place.window.comparing
               ? with_keys(tr("A comparison has its own panels. Press {compare.toggle} to leave it."))
               : std::string();
}

// A panel that is hidden leaves nothing to click, so a line says how it comes back.
template <bool HiddenPanels::*panel>
void toggle(const Place& place, Requests& requests) {
    if (!(place.window.hidden.*panel))
        tell(place, with_keys(tr("Hidden. The menu ({window.menu}) shows it again, and resets the layout.")),
             requests);
    requests.change([](WindowState& window) {
        window.hidden.*panel = !(window.hidden.*panel);
        if (window.hidden.source) window.source.ptx = window.source.editing = false;
    });
}

template <bool HiddenPanels::*panel>
Action hiding(std::string_view id, std::string_view title, std::string_view help,
              std::string (*title_now)(const Place&), int menu, std::vector<Chord> keys = {}) {
    const Layers heard = keys.empty() ? Layers(0) : Layers(Layer::panels);
    return {.id = id,
            .title = title,
            .help = help,
            .group = Group::window,
            .keys = std::move(keys),
            .heard = heard,
            .run = toggle<panel>,
            .why_not = needs_panels,
            .title_now = title_now,
            .menu = menu};
}

std::string needs_page(const Place& place) {
    if (const std::string why = needs_panels(place); !why.empty()) return why;
    const bool page = place.session.lesson() != nullptr ||
                      place.session.registry().exercise_at(place.session.document().path()) != nullptr ||
                      !lesson::exercise_named_by(place.session.document().text()).empty();
    return page ? std::string() : tr("This file is not a lesson, so it has no page.");
}

void toggle_page(const Place&, Requests& requests) {
    requests.change([](WindowState& window) {
        window.page = window.hidden.left || !window.page;
        window.hidden.left = false;
    });
}

void next_box(const Place&, Requests& requests) {
    requests.change([](WindowState& window) {
        window.page = true;
        window.hidden.left = false;
        ++window.signals.page_box;
    });
}

template <int screens>
void scroll_page(const Place&, Requests& requests) {
    requests.change([](WindowState& window) { window.signals.page_scroll += screens; });
}

Action scrolling(std::string_view id, std::string_view title, std::string_view help, Chord key,
                 void (*run)(const Place&, Requests&), bool with_previous) {
    return {.id = id,
            .title = title,
            .help = help,
            .group = Group::window,
            .keys = {key},
            .heard = Layers(Layer::panels),
            .run = run,
            .why_not = [](const Place& place) -> std::string {
                return place.window.page ? ""
                                         : with_keys(tr("Open the lesson's page first ({page.toggle})."));
            },
            .with_previous = with_previous};
}

void reset_layout(const Place&, Requests& requests) {
    requests.change([](WindowState& window) {
        window.hidden = {};
        window.signals.reset_layout = true;
        window.zoom = 1;
        window.lanes.zoom = 1;
        window.lanes.pan_px = 0;
    });
}

}  // namespace

std::vector<Action> panel_actions() {
    return {
        {.id = "page.toggle",
         .title = "Open the lesson's page",
         .help = "open or close the lesson's page: explanation, questions, exercises",
         .group = Group::window,
         .keys = {typed(U'd')},
         .heard = Layers(Layer::panels),
         .run = toggle_page,
         .why_not = needs_page,
         .title_now = [](const Place& place) -> std::string {
             return place.window.page ? tr("Close the lesson's page") : tr("Open the lesson's page");
         },
         .menu = 23},
        scrolling("page.down", "Page down", "move the lesson's page down", control(U'd'), scroll_page<1>,
                  false),
        scrolling("page.up", "Page up", "move it up", control(U'u'), scroll_page<-1>, true),
        {.id = "page.next_box",
         .title = "Go to the next question or exercise",
         .help = "go to the next question or exercise on the page; its input gets the keyboard",
         .group = Group::window,
         .keys = {typed(U'q')},
         .heard = Layers(Layer::panels),
         .effect = Effect::input,
         .run = next_box,
         .why_not = needs_page},
        hiding<&HiddenPanels::left>(
            "panels.left", "Hide the lessons and parameters", "hide or show the lessons and parameters",
            [](const Place& place) -> std::string {
                return place.window.hidden.left ? tr("Show the lessons and parameters")
                                                : tr("Hide the lessons and parameters");
            },
            27, {control(U'b')}),
        hiding<&HiddenPanels::warps>(
            "panels.warps", "Hide the warps", "hide or show the warps",
            [](const Place& place) -> std::string {
                return place.window.hidden.warps ? tr("Show the warps") : tr("Hide the warps");
            },
            28),
        hiding<&HiddenPanels::source>(
            "panels.source", "Hide the source", "hide or show the source",
            [](const Place& place) -> std::string {
                return place.window.hidden.source ? tr("Show the source") : tr("Hide the source");
            },
            29),
        hiding<&HiddenPanels::inspector>(
            "panels.inspector", "Hide the tabs below the source", "hide or show the tabs below the source",
            [](const Place& place) -> std::string {
                return place.window.hidden.inspector ? tr("Show the tabs below the source")
                                                     : tr("Hide the tabs below the source");
            },
            30),
        hiding<&HiddenPanels::timeline>("panels.timeline", "Hide the timeline", "hide or show the timeline",
                                        [](const Place& place) -> std::string {
                                            return place.window.hidden.timeline ? tr("Show the timeline")
                                                                                : tr("Hide the timeline");
                                        },
                                        31, {control(U'j')}),
        {.id = "panels.reset",
         .title = "Reset the layout",
         .help = "all panels, in their first sizes",
         .group = Group::window,
         .keys = {control(U'0')},
         .heard = Layers(Layer::panels),
         .run = reset_layout,
         .why_not = needs_panels,
         .menu = 33},
    };
}

}  // namespace lanescope::ui
