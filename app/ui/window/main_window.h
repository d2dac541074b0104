// Opens the window, passes input to the application, and draws until the window is closed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "session/session.h"
#include "ui/window/picture.h"

namespace lanescope::ui {

struct WindowStart {
    bool tour = true;                // show the guided tour if the user has not seen it
    bool page = false;               // open the lesson's page
    std::filesystem::path image;     // open in the preview; empty: the panels are shown
    std::filesystem::path describe;  // file for each frame as text, see App::description(); empty: none
    bool on_gpu = false;             // the GPU runs the file
    std::string gpu;                 // where it is, as --gpu says it; empty: this machine
    // Called after the first run to go to a step; then `shown` is applied. Used only if there is `shown`.
    std::function<Result<void>(session::Session&)> go_to;
    std::optional<PictureRequest> shown;
    std::function<Result<void>(PreviewPage&)> preview;  // opens the preview instead of `image`
};

struct WindowEnd {
    Diagnostics problem;  // why the requested start failed, which closes the window at once
};

// Returns when the user closes the window. Errors: no display, no OpenGL 4.5.
Result<WindowEnd> run_window(session::Session& session, const WindowStart& wanted);

}  // namespace lanescope::ui
