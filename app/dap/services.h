// What the adapter needs from the command line's rooms: options, and pictures.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/session.h"

namespace lanescope::dap {

struct Services {
    // Whether this file runs as a whole program with these options, as for `lanescope run`.
    std::function<bool(const std::string& file, bool asked)> is_program;
    // Runs the file of the words "FILE --set n=64 …", which are those of `lanescope run`.
    std::function<Result<execution::RunResult>(const std::vector<std::string>& words,
                                               const std::atomic<bool>* cancel,
                                               const execution::RunProgress& progress)>
        run;
    // The request for a program, from the same words.
    std::function<Result<session::ProgramRequest>(const std::vector<std::string>& words)> program;
    // Draws the session's step: a PNG, or an SVG. The view is one of `lanescope render`.
    struct Picture {
        std::string view = "explore", theme = "dark";
        int width = 1280, height = 720;
        bool alone = true, vector = false;
    };
    std::function<Result<std::string>(session::Session& shown, const Picture& wanted)> draw;
};

}  // namespace lanescope::dap
