#include "ui/actions/lecture_keys.h"

#include "ui/lecture/tour.h"

namespace lanescope::ui {
namespace {

char letter(const KeyPress& press) {
    const unsigned c = press.typed;
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c < 128 ? char(c) : '\0';
}

// A clicker has two keys for steps; people use others as well.
enum class Turn { none, back, forward };
Turn turn_of(Key key) {
    switch (key) {
        case Key::left:
        case Key::page_up:
        case Key::up:
            return Turn::back;
        case Key::right:
        case Key::page_down:
        case Key::down:
        case Key::space:
            return Turn::forward;
        default:
            return Turn::none;
    }
}

// While the tour is shown all other keys rest.
void tour_key(const KeyPress& press, WindowState& shared) {
    if (press.key == Key::escape) end_tour(shared);
    if (turn_of(press.key) == Turn::back) move_tour(shared, -1);
    if (turn_of(press.key) == Turn::forward) move_tour(shared, 1);
}

// What only a lecture knows: clickers send "." or "b" for the black screen.
bool in_lecture(const KeyPress& press, WindowState& shared) {
    const char typed = letter(press);
    if (typed == '.' || typed == 'b') {
        shared.black = !shared.black;
        return true;
    }
    if (shared.black) {  // any other key brings the picture back, and does nothing else
        shared.black = false;
        return true;
    }
    if (typed == 'p') {
        shared.pointer = !shared.pointer;
        return true;
    }
    if (typed == 'o') {
        shared.spotlight = !shared.spotlight;
        return true;
    }
    if (press.key == Key::escape && !shared.show_help && !shared.editing && !shared.edit_note &&
        (shared.pointer || shared.spotlight)) {
        shared.pointer = shared.spotlight = false;
        return true;
    }
    return false;
}

}  // namespace

bool lecture_key(const KeyPress& press, const session::Session& session, WindowState& shared,
                 session::Commands& commands) {
    if (shared.tour_stop >= 0) {
        tour_key(press, shared);
        return true;
    }
    if (shared.lecture && in_lecture(press, shared)) return true;
    switch (letter(press)) {
        case 'h':
            commands.push_back(session::HideResults{!session.hiding()});
            return true;
        case 'r':
            commands.push_back(session::Reveal{});
            return true;
        case 'n':
            shared.edit_note = session.step_state() != nullptr;
            return true;
        default:
            return false;
    }
}

}  // namespace lanescope::ui
