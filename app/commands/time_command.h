// `lanescope time`: times files on a GPU.
#pragma once

#include <string>
#include <vector>

#include "commands/options/compile_options.h"

namespace CLI {
class App;
}

namespace lanescope {

namespace session {
struct TimeRequest;
}

struct TimeOptions {
    std::vector<std::string> files, settings, sweeps;
    CompileOptions compiling;
    std::string gpu;     // where the GPU is; empty: in this machine
    std::string record;  // the recording to which the times are added; empty: none
    int runs = 0, device = 0;
    double run_limit_s = 0;
    bool no_peers = false, lines = false, counters = false, no_counts = false;
    bool json = false;
    bool roofline = false, recorded = false;

    void add_to(CLI::App& app);
};

// Returns the exit code.
int time_command(const TimeOptions& options);
// `lanescope time --roofline`: operations for each byte beside the ceilings of a GPU. `request`: the same
// options without files.
int roofline_command(const TimeOptions& options, const session::TimeRequest& request);

}  // namespace lanescope
