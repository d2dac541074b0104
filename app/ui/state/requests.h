// What a frame asks for. The window carries it out after the frame, in one place: App::carry_out.
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ui/state/window_state.h"

namespace lanescope::ui {

// What the page of image convolutions is asked to do.
enum class PreviewCommand : std::uint8_t { toggle, close_one, edit, fit, engine, undo, redo, save, save_as };

using WindowChange = std::function<void(WindowState&)>;

struct Requests {
    session::Commands commands;         // for the session
    session::Commands after_typing;     // for the session, behind what is being typed
    std::vector<WindowChange> changes;  // of modes, tabs, dialogues
    std::vector<std::string> actions;   // by id, as if their keys were pressed
    std::vector<PreviewCommand> preview;
    std::string problem;      // what a view could not show as it was asked to: a picture fails with it
    bool next_frame = false;  // something waits for what time brings
    bool fullscreen = false;  // to it, or back
    bool quit = false;

    void append(Requests more) {
        const auto add = [](auto& all, auto& added) {
            all.insert(all.end(), std::make_move_iterator(added.begin()),
                       std::make_move_iterator(added.end()));
        };
        add(commands, more.commands);
        add(after_typing, more.after_typing);
        add(changes, more.changes);
        add(actions, more.actions);
        add(preview, more.preview);
        if (!more.problem.empty()) problem = more.problem;
        next_frame |= more.next_frame;
        fullscreen |= more.fullscreen;
        quit |= more.quit;
    }
    void change(WindowChange what) { changes.push_back(std::move(what)); }
    // Changes the window's state.
    template <class T>
    void set(T WindowState::*member, std::type_identity_t<T> value) {
        change([member, value = std::move(value)](WindowState& window) { window.*member = value; });
    }
    void act(std::string id) { actions.push_back(std::move(id)); }
};

}  // namespace lanescope::ui
