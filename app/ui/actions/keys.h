// The keyboard: what each key does, for every view and for the help that lists them.
#pragma once

#include <span>

#include "session/session.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// Keys by what they are, however the window system names them; `plus`, `minus`, `question` and letters come
// as typed characters, so that they work on every keyboard layout.
enum class Key : std::uint8_t {
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    space,
    engine,
    escape,
    f11,
    // With Ctrl; these are heard while text is typed, too.
    open_file,
    save,
    save_as,
    undo,
    redo,
    palette,
    form,
    light,
    menu,  // F12
    tab,
    plus,
    minus,
    zero,
    question,
    lecture,
    schedules,
    timings,
    edit,
    threads,
    multiprocessors,
    compare,
    share,
    ptx,
    watch,
    proceed,
    breakpoint,
    run_to,
    preview,  // heard by PreviewPage
    other     // a character that no other key stands for
};

struct KeyPress {
    Key key{};
    bool shift = false;
    unsigned typed = 0;  // the character, of keys that come as one
};

// Turns presses into commands and toggles. While a person types text, only escape, f11 and keys with Ctrl are
// heard. Returns true when the window shall go to or leave fullscreen.
bool handle_keys(std::span<const KeyPress> presses, const session::Session& session, WindowState& shared,
                 session::Commands& commands);

struct KeyHelp {
    const char* keys;
    const char* what;
};
std::span<const KeyHelp> key_help();

}  // namespace lanescope::ui
