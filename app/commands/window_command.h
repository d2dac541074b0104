// `lanescope` without a subcommand: opens the window.
#pragma once

#include <string>

#include "commands/options/shown_options.h"
#include "commands/program_command.h"

namespace lanescope {

// `run.file`: a .cu file, a saved trace or an image; empty: the file that was open the last time, else the
// first lesson.
struct WindowCommand : ShownOptions {
    ProgramOptions program;  // if the file is one
    bool no_tour = false;
    std::string describe;  // the file for each frame as text; empty: none

    void add_to(CLI::App& app);
};

// Returns the exit code: 2 if the file cannot be opened, 3 if there can be no window.
int window_command(const WindowCommand& command);

}  // namespace lanescope
