// The window: opens it, feeds the application with input, draws until it is closed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "base/result.h"
#include "session/session.h"
#include "ui/window/picture.h"

namespace lanescope::ui {

struct WindowStart {
    bool tour = true;                // show the guided tour to a person who has never seen it
    std::filesystem::path image;     // open in the preview; empty: the panels are shown
    std::filesystem::path describe;  // gets each frame as text, see App::description(); empty: none
    bool on_gpu = false;             // the GPU runs the file
    // Once the first run is there: goes to a step, then shows what the request says. Empty: nothing.
    std::function<Result<void>(session::Session&)> go_to;
    std::optional<PictureRequest> shown;
    std::function<Result<void>(PreviewPage&)> preview;  // opens the preview otherwise than `image` does
};

struct WindowEnd {
    Diagnostics problem;  // why the start could not be shown as asked: the window was closed at once
};

// Returns when the person closes the window. Errors: no display, no OpenGL 4.5.
Result<WindowEnd> run_window(session::Session& session, const WindowStart& wanted);

}  // namespace lanescope::ui
