// The window: opens it, feeds the application with input, draws until it is closed.
#pragma once

#include "base/result.h"
#include "session/session.h"

namespace lanescope::ui {

// Returns when the person closes the window. Errors: no display, no OpenGL 4.5.
Result<void> run_window(session::Session& session);

}  // namespace lanescope::ui
