// Opens the window, passes input to the application, and draws until the window is closed.
#pragma once

#include "base/result.h"
#include "session/session.h"
#include "ui/window/window_start.h"

namespace lanescope::ui {

struct WindowEnd {
    Diagnostics problem;  // why the requested start failed, which closes the window at once
};

// Returns when the user closes the window. Errors: no display, no OpenGL 4.5.
Result<WindowEnd> run_window(session::Session& session, const WindowStart& wanted);

}  // namespace lanescope::ui
