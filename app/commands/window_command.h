// `lanescope` without a subcommand: the window.
#pragma once

#include <string>

#include "commands/shown_options.h"

namespace lanescope {

// `run.file`: a .cu file, a saved trace or an image; empty: the file that was open the last time, else the
// first lesson.
struct WindowCommand : ShownOptions {
    bool no_tour = false;
    std::string describe;  // a file that gets each frame as text; empty: none

    void add_to(CLI::App& app);
};

// The exit code, as of every subcommand: 2 for what cannot be opened, 3 where no window can be.
int window_command(const WindowCommand& command);

}  // namespace lanescope
