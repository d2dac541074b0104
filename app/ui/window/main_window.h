// The window: opens it, feeds the application with input, draws until it is closed.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "session/session.h"

namespace lanescope::ui {

// Returns when the person closes the window. Errors: no display, no OpenGL 4.5.
// With an image, its preview is open. `tour`: the guided tour is shown to who has never seen it.
Result<void> run_window(session::Session& session, bool tour = true, const std::filesystem::path& image = {});

}  // namespace lanescope::ui
