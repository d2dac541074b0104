// `lanescope` without a subcommand: the window, or a picture where there is no display.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace lanescope {

struct WindowCommand {
    // A .cu file, a saved trace or an image; empty: the file that was open the last time, else the first
    // lesson.
    std::string file;
    std::string schedule = "rr";
    bool no_tour = false;

    void add_to(CLI::App& app);
};

// The exit code, as of every subcommand.
int window_command(const WindowCommand& command);

}  // namespace lanescope
