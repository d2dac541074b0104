#include "base/language.h"
#include "ui/actions/groups.h"
#include "ui/actions/table.h"

#include <algorithm>

namespace lanescope::ui {
namespace {

void zoom_by(float factor, Requests& requests) {
    requests.change(
        [factor](WindowState& window) { window.zoom = std::clamp(window.zoom * factor, 0.6f, 2.5f); });
}

// Closes what only a lecture shows: the black screen first, then pointer, spotlight and pen unless the
// help or an input covers them.
bool close_in_lecture(WindowState& window) {
    const bool points = window.talk.pointer || window.talk.spotlight || window.talk.pen;
    if (!window.lecture) return false;
    if (window.talk.black) {
        window.talk.black = false;
        return true;
    }
    if (!points || window.help.shown || window.source.editing || window.notes.editing) return false;
    window.talk.pointer = window.talk.spotlight = window.talk.pen = false;
    return true;
}

void close_one(WindowState& window) {
    if (window.notes.editing)
        window.notes.editing = false;
    else if (window.help.shown)
        window.help.shown = false;
    else if (window.dialog != Dialog::none)
        window.dialog = Dialog::none;
    else if (window.exporting)
        window.exporting = false;
    else if (window.source.editing)
        window.source.editing = false;
    else if (window.comparing)
        window.comparing = false;
    else
        window.lecture = false;
}

void close(const Place& place, Requests& requests) {
    const WindowState& window = place.window;
    if (window.tour_stop >= 0)
        requests.change([](WindowState& changed) { changed.tour_stop = -1; });
    else if (window.preview.open && !window.help.shown && window.dialog == Dialog::none)
        requests.preview.push_back(PreviewCommand::close_one);
    else if (place.session.search().searching())
        requests.commands.push_back(session::StopSearch{});
    else
        requests.change([](WindowState& changed) {
            if (!close_in_lecture(changed)) close_one(changed);
        });
}

// Focuses the first parameter; Dear ImGui itself moves from one input to the next. While results are hidden,
// Tab goes to these.
void focus_parameters(const Place& place, Requests& requests) {
    const session::Playhead::Results results = place.session.playhead().results();
    if (results.hidden_at_first && !place.window.comparing) {
        if (place.layer == Layer::typing) return;
        if (!results.concealed)
            return tell(
                place,
                with_keys(tr("This step's results are shown already. {step.forward} goes to the next step; "
                             "{results.hide} ends the predictions.")),
                requests);
        return requests.change([](WindowState& window) { window.signals.predict = true; });
    }
    if (place.window.lecture || place.window.comparing || place.window.dialog != Dialog::none) return;
    requests.change([](WindowState& window) { window.signals.focus_parameters = true; });
}

// What was forgotten stays until the window closes, so that a slip costs nothing.
void forget_progress(const Place& place, Requests& requests) {
    if (place.session.learner().can_restore()) {
        requests.commands.push_back(session::RestoreProgress{});
        return requests.change([](WindowState& window) {
            window.notice = {"Your progress in the course is restored.", window.now_s + notice_s};
        });
    }
    requests.commands.push_back(session::ForgetProgress{});
    requests.change([](WindowState& window) {
        window.notice = {"Your progress is forgotten. The menu restores it until you close the window.",
                         window.now_s + 2 * notice_s};
    });
}

constexpr Layers with_preview = on_panels | Layer::preview;

std::vector<Action> size_actions() {
    return {
        {.id = "size.larger",
         .title = "Everything larger",
         .help = "everything larger",
         .group = Group::window,
         .keys = {typed(U'+')},
         .heard = with_preview,
         .run = [](const Place&, Requests& requests) { zoom_by(1.1f, requests); }},
        {.id = "size.smaller",
         .title = "Everything smaller",
         .help = "everything smaller",
         .group = Group::window,
         .keys = {typed(U'-')},
         .heard = with_preview,
         .run = [](const Place&, Requests& requests) { zoom_by(1 / 1.1f, requests); },
         .with_previous = true},
        {.id = "size.fit",
         .title = "The size that fits the window",
         .help = "fit everything to the window",
         .group = Group::window,
         .keys = {typed(U'0')},
         .heard = on_panels,
         .run = [](const Place&,
                   Requests& requests) { requests.change([](WindowState& window) { window.zoom = 1; }); }},
        {.id = "window.fullscreen",
         .title = "Fullscreen",
         .help = "fullscreen",
         .group = Group::window,
         .keys = {control(Key::f11)},
         .heard = all_layers,
         .run = [](const Place&, Requests& requests) { requests.fullscreen = true; }},
        // Where no source is stepped through, F11 does what it does in other programs.
        {.id = "window.fullscreen_in_lecture",
         .title = "Fullscreen",
         .help = "in a lecture and in the preview also F11",
         .group = Group::window,
         .heard = Layers(all_layers & ~(Layer::panels | Layer::compare | Layer::typing_source)),
         .run = [](const Place&, Requests& requests) { requests.fullscreen = true; },
         .unlisted = {{Key::f11}},
         .hidden = [](const Place&) { return true; }},
    };
}

}  // namespace

std::vector<Action> window_actions() {
    std::vector<Action> all = {
        {.id = "window.theme",
         .title = "Light or dark colours",
         .help = "light or dark colours",
         .group = Group::window,
         .keys = {control(U't')},
         .heard = outside_preview,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.brightness =
                         window.brightness == Brightness::dark ? Brightness::light : Brightness::dark;
                 });
             },
         .title_now = [](const Place& place) -> std::string {
             return place.window.brightness == Brightness::dark ? tr("Light colours") : tr("Dark colours");
         },
         .menu = 13},
        {.id = "window.menu",
         .title = "Menu",
         .help = "menu",
         .group = Group::window,
         .keys = {{Key::f12}},
         .heard = all_layers,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.dialog = window.dialog == Dialog::menu ? Dialog::none : Dialog::menu;
                 });
             }},
        {.id = "progress.forget",
         .title = "Forget my progress in the course",
         .help = "forget which lessons, questions and exercises are done",
         .group = Group::window,
         .run = forget_progress,
         .why_not = [](const Place& place) -> std::string {
             const session::Learner& learner = place.session.learner();
             return learner.progress().empty() && !learner.can_restore()
                        ? tr("No question was answered and no exercise was judged yet.")
                        : "";
         },
         .title_now = [](const Place& place) -> std::string {
             return place.session.learner().can_restore() ? tr("Restore my forgotten progress")
                                                          : tr("Forget my progress in the course");
         },
         .menu = 32},
        {.id = "window.quit",
         .title = "Quit",
         .help = "quit; unsaved text is kept and offered again",
         .group = Group::window,
         .keys = {control(U'q')},
         .heard = all_layers,
         .run = [](const Place&, Requests& requests) { requests.quit = true; },
         .menu = 35},
        {.id = "parameters.focus",
         .title = "Go to the parameters",
         .help = "go to the parameters, then from one to the next; to hidden results, to predict them",
         .group = Group::window,
         .keys = {{Key::tab}},
         .heard = on_panels | Layer::typing,
         .run = focus_parameters},
    };
    const std::vector<Action> sizes = size_actions();
    all.insert(all.end(), sizes.begin(), sizes.end());
    const std::vector<Action> last = {
        {.id = "help.keys",
         .title = "Keys",
         .help = "this list, the glossary, the tour",
         .group = Group::window,
         .keys = {typed(U'?')},
         .heard = with_preview,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.help.shown = !window.help.shown; });
             },
         .menu = 34},
        {.id = "window.close",
         .title = "Close what is open",
         .help = "close what is open",
         .group = Group::window,
         .keys = {{Key::escape}},
         .heard = all_layers,
         .run = close},
    };
    all.insert(all.end(), last.begin(), last.end());
    return all;
}

}  // namespace lanescope::ui
