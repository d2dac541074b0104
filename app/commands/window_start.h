// The session and the window that options ask for: on the desktop and in a browser.
#pragma once

#include <memory>
#include <optional>

#include "commands/options/shown_options.h"
#include "session/session.h"
#include "ui/window/window_start.h"

namespace lanescope {

struct PreparedWindow {
    std::unique_ptr<session::Session> session;
    ui::WindowStart start;
};

// `options.run.file`: a .cu file, a saved trace or an image; empty: the file that was open the last time,
// else the first lesson. `program`: what the file did as a whole program. Errors: a file or an option that
// cannot be used.
Result<PreparedWindow> prepare_window(ShownOptions options,
                                      std::optional<session::OpenedProgram> program = {},
                                      const session::ProgramRequest& how = {}, bool no_host_code = false);

}  // namespace lanescope
