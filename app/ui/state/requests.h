// The requests of one frame. The window carries them out after the frame, only in App::carry_out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ui/state/window_state.h"

namespace lanescope::ui {

// Commands for the page of image convolutions.
enum class PreviewCommand : std::uint8_t {
    toggle,
    close_one,
    edit,
    fit,
    engine,
    save_result,
    undo,
    redo,
    save,
    save_as
};

using WindowChange = std::function<void(WindowState&)>;

struct Requests {
    session::Commands commands;         // for the session
    session::Commands after_typing;     // for the session, after the text that is being typed
    std::vector<WindowChange> changes;  // of modes, tabs, dialogues
    std::vector<std::string> actions;   // by id, as if their keys were pressed
    std::vector<PreviewCommand> preview;
    std::vector<std::filesystem::path> files;  // to open as if they were dropped on the window
    std::string problem;  // why a view could not show what was requested; a picture then fails with this text
    std::string copied;   // for the clipboard
    bool next_frame = false;  // draw again without waiting for input
    bool fullscreen = false;  // enter or leave fullscreen
    bool quit = false;

    void append(Requests more);
    void change(WindowChange what) { changes.push_back(std::move(what)); }
    template <class T>
    void set(T WindowState::*member, std::type_identity_t<T> value) {
        change([member, value = std::move(value)](WindowState& window) { window.*member = value; });
    }
    template <class Part, class T>
    void set(Part WindowState::*part, T Part::*member, std::type_identity_t<T> value) {
        change(
            [part, member, value = std::move(value)](WindowState& window) { window.*part.*member = value; });
    }
    void act(std::string id) { actions.push_back(std::move(id)); }
};

// What a view reads, and where it puts what it asks for.
struct ViewContext {
    const session::Session& session;
    const WindowState& window;
    Requests& requests;
    float px(float at_scale_1) const { return window.px(at_scale_1); }
    float click_px(float at_scale_1) const { return window.click_px(at_scale_1); }
};

}  // namespace lanescope::ui
