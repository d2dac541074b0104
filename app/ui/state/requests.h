// What a frame asks for. The window carries it out after the frame, in one place: App::carry_out.
#pragma once

#include <functional>
#include <string>
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
    bool fullscreen = false;  // to it, or back
    bool quit = false;

    void change(WindowChange what) { changes.push_back(std::move(what)); }
    void act(std::string id) { actions.push_back(std::move(id)); }
};

}  // namespace lanescope::ui
