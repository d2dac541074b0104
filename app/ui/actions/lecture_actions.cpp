#include "ui/actions/groups.h"

#include "base/language.h"

#include <algorithm>

namespace lanescope::ui {
namespace {

std::string needs_lecture(const Place& place) {
    return place.window.lecture ? std::string() : tr("This works only in a lecture. Press L to start one.");
}

bool no_tour(const Place& place) {
    return place.window.tour_stop < 0;
}

template <int stops>
void move_tour(const Place&, Requests& requests) {
    requests.change([](WindowState& window) { window.tour_stop = std::max(window.tour_stop + stops, 0); });
}

std::vector<Action> talk_actions() {
    return {
        {.id = "lecture.pointer",
         .title = "Pointer at the mouse",
         .help = "in a lecture: a pointer",
         .group = Group::lecture,
         .keys = {typed(U'p')},
         .heard = Layers(Layer::lecture),
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.talk.pointer = !window.talk.pointer; });
             },
         .why_not = needs_lecture},
        {.id = "lecture.spotlight",
         .title = "Spotlight at the mouse",
         .help = "a spotlight at the mouse",
         .group = Group::lecture,
         .keys = {typed(U'o')},
         .heard = Layers(Layer::lecture),
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.talk.spotlight = !window.talk.spotlight; });
             },
         .why_not = needs_lecture,
         .with_previous = true},
        {.id = "lecture.pen",
         .title = "Pen",
         .help = "in a lecture: jot on the picture with the mouse",
         .group = Group::lecture,
         .keys = {typed(U'j')},
         .heard = Layers(Layer::lecture),
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.talk.pen = !window.talk.pen; });
             },
         .why_not = needs_lecture},
        {.id = "lecture.wipe",
         .title = "Wipe off what the pen drew",
         .help = "wipe it off",
         .group = Group::lecture,
         .keys = {typed(U'z')},
         .heard = Layers(Layer::lecture),
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.signals.wipe = true; });
             },
         .why_not = needs_lecture,
         .with_previous = true},
        {.id = "lecture.band",
         .title = "Below the stage: source, lanes, details",
         .help = "in a lecture: source and timeline below the stage, or the lanes, or the details",
         .group = Group::lecture,
         .keys = {typed(U'v')},
         .heard = Layers(Layer::lecture),
         .run =
             [](const Place& place, Requests& requests) {
                 const LectureBand band = lecture_band(place.window, place.session);
                 const LectureBand next = band == LectureBand::source  ? LectureBand::lanes
                                          : band == LectureBand::lanes ? LectureBand::tabs
                                                                       : LectureBand::source;
                 requests.change([next](WindowState& window) { window.talk.band = next; });
             },
         .why_not = needs_lecture},
        {.id = "lecture.audience",
         .title = "Second window for the projector",
         .help = "lecture in a second window, for the projector; notes and clock in this one",
         .group = Group::lecture,
         .keys = {typed(U'y')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) {
                     window.talk.audience = !window.talk.audience;
                     window.lecture |= window.talk.audience;
                 });
             },
         .title_now = [](const Place& place) -> std::string {
             return place.window.talk.audience ? tr("Close the projector's window")
                                               : tr("Second window for the projector");
         }},
        {.id = "lecture.black",
         .title = "Black screen",
         .help = "in a lecture: black screen (clickers send this key)",
         .group = Group::lecture,
         .keys = {typed(U'b'), typed(U'.')},
         .heard = Layer::lecture | Layer::black_screen,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.talk.black = !window.talk.black; });
             },
         .why_not = needs_lecture},
    };
}

std::vector<Action> tour_actions() {
    return {
        {.id = "tour.back",
         .title = "Previous stop of the tour",
         .help = "previous stop of the tour",
         .group = Group::lecture,
         .heard = Layers(Layer::tour),
         .run = move_tour<-1>,
         .unlisted = {{Key::left}, {Key::page_up}, {Key::up}},
         .hidden = no_tour},
        {.id = "tour.forward",
         .title = "Next stop of the tour",
         .help = "next stop of the tour",
         .group = Group::lecture,
         .heard = Layers(Layer::tour),
         .run = move_tour<1>,
         .unlisted = {{Key::right}, {Key::page_down}, {Key::down}, {Key::enter}, typed(U' ')},
         .hidden = no_tour},
        {.id = "tour.start",
         .title = "Tour of the window",
         .help = "shows the parts of the window in under a minute",
         .group = Group::lecture,
         .run = [](const Place&, Requests& requests) { requests.change(start_tour); }},
    };
}

}  // namespace

std::vector<Action> lecture_actions() {
    std::vector<Action> all = {
        {.id = "lecture.toggle",
         .title = "Lecture",
         .help = "lecture: large type, only stage, source and timeline",
         .group = Group::lecture,
         .keys = {typed(U'l')},
         .heard = on_panels,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.lecture = !window.lecture; });
             },
         .title_now = [](const Place& place) -> std::string {
             return place.window.lecture ? tr("Leave the lecture") : tr("Lecture");
         },
         .menu = 14},
        {.id = "results.hide",
         .title = "Hide results until they are asked for",
         .help = "predict, then reveal: hide what a step writes",
         .group = Group::lecture,
         .keys = {typed(U'h')},
         .heard = on_panels,
         .run =
             [](const Place& place, Requests& requests) {
                 requests.commands.push_back(
                     session::HideResults{!place.session.playhead().results().hidden_at_first});
             },
         .title_now = [](const Place& place) -> std::string {
             return place.session.playhead().results().hidden_at_first
                        ? tr("Show results again")
                        : tr("Hide results until they are asked for");
         }},
        {.id = "results.reveal",
         .title = "Reveal what this step wrote",
         .help = "show it (so does →)",
         .group = Group::lecture,
         .keys = {typed(U'r')},
         .heard = on_panels,
         .run = [](const Place&, Requests& requests) { requests.commands.push_back(session::Reveal{}); },
         .why_not = [](const Place& place) -> std::string {
             return place.session.playhead().results().hidden_at_first
                        ? ""
                        : tr("No results are hidden. Press H to hide them.");
         },
         .with_previous = true},
        {.id = "note.edit",
         .title = "Note on this step",
         .help = "write a note on this step; playback stops at it",
         .group = Group::lecture,
         .keys = {typed(U'n')},
         .heard = on_panels,
         .effect = Effect::input,
         .run =
             [](const Place&, Requests& requests) {
                 requests.change([](WindowState& window) { window.notes.editing = true; });
             },
         .why_not = needs_steps},
    };
    for (const auto& more : {talk_actions(), tour_actions()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace lanescope::ui
